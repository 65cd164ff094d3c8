"""Rarer ways to write personal details and what must be left of them, by kind; all of it is invented."""

RECORD = {
    "persons": ["Odette Marchetti", "Jonas Pell"],
    "organisations": ["Whitlock & Dunn Surveyors LLP"],
    "emails": ["o.marchetti@whitlock-dunn.example"],
    "phones": ["(415) 555-0176", "+44 20 7946 0644"],
    "addresses": ["Suite 12, 88 Alder Street, Portland, OR 97205"],
    "purchase_orders": ["4500077123"],
    "invoices": ["2026-00931", "INV-4410"],
    "accounts": ["00417-92"],
    "amounts_cents": [318000],
    "dates": ["2026-02-27"],
}

NAMES = {
    "Odette M. will reply": "[CLIENT_NAME] will reply",
    "spoke to I. Nilsson today": "spoke to [PERSON_1] today",
    "from Dawn Summers": "from [PERSON_1]",
    "paid by [ORG_1] AND HARGREAVES": "paid by [ORG_1] AND [PERSON_1]",
    "paid by HARGREAVES AND PATEL": "paid by [PERSON_1]",
    "the site at Kita-dori is ready": "the site at [PERSON_1] is ready",
    "the follow-up and the re-run": "the follow-up and the re-run",
}

FIRMS = {
    "Whitlock and Dunn paid": "[CLIENT_ORG] paid",
    "WHITLOCK AND DUNN SURVEYORS paid": "[CLIENT_ORG] paid",
    "paid by Costa Linda S.A. today": "paid by [ORG_1] today",
    "paid by De Groot Bouw B.V. today": "paid by [ORG_1] today",
    "paid by Ferri Impianti S.r.l. today": "paid by [ORG_1] today",
    "paid by marsden haulage ltd in full": "paid by [ORG_1] in full",
    "our supplier ridley pressings gmbh asked": "our supplier [ORG_1] asked",
    "it came from castro lopes s/a and not from you": "it came from [ORG_1] and not from you",
    "paid by Heron Group today": "paid by [ORG_1] today",
    "the Bank of Norland refused": "the [ORG_1] refused",
    "our limited company and the group as such": "our limited company and the group as such",
    "please ask our Customer Services": "please ask our Customer Services",
}

CONTACTS = {
    "ida @ quayside . example": "[EMAIL_1]",
    "ida_at_quayside_dot_example": "[EMAIL_1]",
    "ida-at-quayside-dot-example": "[EMAIL_1]",
    '"ida lund"@quayside.example': "[EMAIL_1]",
    "ida@[192.0.2.7]": "[EMAIL_1]",
    "o dot marchetti at whitlock dash dunn dot example": "[CLIENT_EMAIL_1]",
    "555-0176": "[CLIENT_PHONE_1]",
    "7946 0644": "[CLIENT_PHONE_2]",
}

IDS = {
    "INV#4410": "[INVOICE_2]",
    "INV: 4410": "[INVOICE_2]",
    "INV-004410": "[INVOICE_2]",
    "ticket #8812": "ticket [REF_1]",
    "invoice 00931": "invoice [INVOICE_1]",
    "invoice 931": "invoice [INVOICE_1]",
    "PO4500077123": "[PO_1]",
    "4500 077 123": "[PO_1]",
    "account 417-92": "account [CLIENT_ACCOUNT_1]",
    "CPF 390.533.447-05": "CPF [TAX_ID_1]",
    "ITIN 912-70-1234": "ITIN [TAX_ID_1]",
    "USt-IdNr. DE 129 273 398": "USt-IdNr. [VAT_1]",
}

ADDRESSES = {
    "Portland, OR 97205": "[CLIENT_ADDRESS]",
    "88 Alder St, Portland OR 97205": "[CLIENT_ADDRESS]",
    "Suite 12, 88 Alder Street, Portland, OR 97205": "[CLIENT_ADDRESS]",
    "Private Bag X12, Pretoria 0001": "[ADDRESS_1]",
    "R.R. 2, Box 14, Sioux Falls, SD 57104": "[ADDRESS_1]",
    "One Liberty Plaza, New York, NY 10006": "[ADDRESS_1]",
    "Olav Tryggvasons gate 22, 7011 Trondheim": "[ADDRESS_1]",
}

FIGURES = {
    "due Feb. 27, 2026": "due [DATE_1]",
    "due 27.2. or 27 Feb 26": "due [DATE_1] or [DATE_1]",
    "due 20260227 or 27 02 2026 or 2026 02 27": "due [DATE_1] or [DATE_1] or [DATE_1]",
    "due February the twenty-seventh": "due [DATE_1]",
    "due March the third, or March the 3rd": "due [DATE_2], or [DATE_2]",
    "due 31.12. at the latest": "due [DATE_2] at the latest",
    "a fee of 1 240,50 kr and 99 zł": "a fee of [AMOUNT_2] and [AMOUNT_3]",
    "a fee of 3 180 kr": "a fee of [AMOUNT_1]",
}
