"""Figures in free text are licensed by the sheet, in the role in which they stand."""

from agent.outcome import Status
from tests.agent.brook import OPENING, errors, found, ledger, shown

_HARBOUR = "RE-7 (£3,120.00) and RE-9 (£1,000.00 of £1,450.20) are open, £4,120.00 in total. "
_CELTIC = "2026/0042 (€1,500.00) and 2026/0043 (€730.50) are open; credit CN-0007 of €200.00 leaves €2,030.50 due. "
_CAPE = "A.1093 and A.1110 are open, A.1101 is disputed. The total due is R14 650,75. "
_LAKH = "SH-118 and SH-119 are open. The balance is ₹2,07,750.50. "

_TRUE = [
    OPENING + "BR-31 is two weeks overdue.",
    OPENING + "Both are two weeks late.",
    OPENING + "They have been outstanding for 15 days.",
    OPENING + "This is our second reminder.",
    OPENING + "This is the 2nd reminder.",
    OPENING + "Reminder 2.",
    OPENING + "We have written once before.",
    OPENING + "We sent one reminder before.",
    OPENING + "Our first reminder went unanswered; this is the second.",
    OPENING + "Payment is due upon receipt.",
    OPENING + "Please settle at your earliest convenience.",
    OPENING + "Please pay as soon as you can.",
    OPENING + "Both fell due in mid-April.",
    OPENING + "Both fell due on 15 April 2026.",
    OPENING + "Both fell due on the 15th.",
    OPENING + "They were due two weeks ago.",
    OPENING + "They were due earlier this month.",
    OPENING + "They fell due on Wednesday, April 15.",
    OPENING + "They fell due on 2026-04-15.",
    OPENING + "They fell due on 4/15/2026.",
    OPENING + "They fell due on 15.04.2026.",
    OPENING + "They fell due on Apr. 15.",
    OPENING + "They fell due on the fifteenth of April.",
    OPENING + "They are for March 2026.",
    OPENING + "They are for services in March.",
    OPENING + "These are your March invoices.",
    OPENING + "They were due in Q2.",
    OPENING + "There are two open invoices.",
    OPENING + "A couple of invoices are open.",
    OPENING + "Both remain open.",
    OPENING + "Please pay it in one payment.",
    OPENING + "BR-31 covers our 20-minute call.",
    OPENING + "BR-31 was the larger of the two.",
    OPENING + "BR-31 is larger than BR-32.",
    "$1,300.00 for BR-31 and $640.00 for BR-32. Total $1,940.00.",
    "BR-31 and BR-32 are $1,300.00 and $640.00. Total $1,940.00.",
    "The $1,300.00 invoice BR-31 and the $640.00 invoice BR-32 are open, $1,940.00 in all.",
    "BR-31 and BR-32 are open for $1,940.00.",
    "BR-31, BR-32: $1,940.00.",
    "Open items:\n- BR-31: $1,300.00\n- BR-32: $640.00\nTotal due: $1,940.00",
    "Open items:\n1. BR-31: $1,300.00\n2. BR-32: $640.00\nTotal due: $1,940.00",
    "BR-31\n$1,300.00\nBR-32\n$640.00\nTotal\n$1,940.00",
    (
        "| Invoice | Amount | Due |\n|---|---|---|\n| BR-31 | $1,300.00 | April 15 |\n| BR-32 | "
        "$640.00 | April 15 |\n| Total | $1,940.00 | |"
    ),
    (
        "Invoice BR-31 for Survey, 20-minute call comes to $1,300.00, invoice BR-32 for Drafting "
        "to $640.00; you owe $1,940.00."
    ),
    "You owe one thousand nine hundred and forty dollars: thirteen hundred for BR-31 and six hundred forty for BR-32.",
    OPENING + "That's nineteen forty.",
    OPENING + "That is MCMXL.",
    OPENING + "Amount: $1940.",
    OPENING + "Amount: USD 1,940.00.",
    OPENING + "Amount: 1,940.00 US dollars.",
    OPENING + "Amount: US$1,940.00.",
    OPENING + "Amount: 194000 cents.",
    OPENING + "The drafting invoice is $640.00.",
    OPENING + "The first invoice is BR-31.",
    OPENING + "First, thank you. Second, please pay.",
    OPENING + "At second glance all is fine. One of our team will help. No one else.",
]

_FALSE = [
    (OPENING + "Both are three weeks late.", "DURATION_UNLICENSED"),
    (OPENING + "They have been outstanding for over a month.", "DURATION_UNLICENSED"),
    (OPENING + "This is our third reminder.", "ORDINAL_UNLICENSED"),
    (OPENING + "Reminder no. 3.", "ORDINAL_UNLICENSED"),
    (OPENING + "We sent two reminders before.", "COUNT_UNLICENSED"),
    (OPENING + "We have reminded you twice.", "FIGURE_DERIVED"),
    (OPENING + "We have reminded you three times.", "FIGURE_DERIVED"),
    (OPENING + "Half of this is due now.", "FIGURE_DERIVED"),
    (OPENING + "That is two thirds of it.", "FIGURE_DERIVED"),
    (OPENING + "That is twice what we expected.", "FIGURE_DERIVED"),
    (OPENING + "That is about €1,790.", "CURRENCY_UNKNOWN"),
    (OPENING + "Between $1,900 and $2,100 is open.", "FIGURE_DERIVED"),
    (OPENING + "From $1,300 to $1,940.", "FIGURE_DERIVED"),
    (OPENING + "Please pay by Friday.", "DEADLINE_UNLICENSED"),
    (OPENING + "Please pay this week.", "DEADLINE_UNLICENSED"),
    (OPENING + "Please pay within 7 days.", "DEADLINE_UNLICENSED"),
    (OPENING + "Please pay by May 15.", "DEADLINE_UNLICENSED"),
    (OPENING + "Please pay by 15 April.", "DEADLINE_UNLICENSED"),
    (OPENING + "Please pay today.", "DEADLINE_UNLICENSED"),
    (OPENING + "Please pay by the end of the month.", "DEADLINE_UNLICENSED"),
    (OPENING + "Please pay by month-end.", "DEADLINE_UNLICENSED"),
    (OPENING + "We expect payment tomorrow.", "DEADLINE_UNLICENSED"),
    (OPENING + "Kindly pay no later than the 10th.", "DEADLINE_UNLICENSED"),
    (OPENING + "Payment is expected in a fortnight.", "DEADLINE_UNLICENSED"),
    (OPENING + "We will call you next Tuesday.", "DEADLINE_UNLICENSED"),
    (OPENING + "Both fell due in early April.", "DATE_UNLICENSED"),
    (OPENING + "Both fell due in late April.", "DATE_UNLICENSED"),
    (OPENING + "Both fell due on 16 April 2026.", "DATE_UNLICENSED"),
    (OPENING + "Both fell due on the 16th.", "DATE_UNLICENSED"),
    (OPENING + "They were due last month.", "DATE_UNLICENSED"),
    (OPENING + "They fell due on Tuesday, April 15.", "DATE_UNLICENSED"),
    (OPENING + "They are for services in July.", "DATE_UNLICENSED"),
    (OPENING + "These are your July invoices.", "DATE_UNLICENSED"),
    (OPENING + "They were due in the first quarter.", "DATE_UNLICENSED"),
    (OPENING + "There are three open invoices.", "COUNT_UNLICENSED"),
    (OPENING + "A dozen invoices are open.", "COUNT_UNLICENSED"),
    (OPENING + "Only one invoice is open.", "COUNT_UNLICENSED"),
    (OPENING + "All three invoices are open.", "COUNT_UNLICENSED"),
    (OPENING + "A late fee of $50.00 applies.", "FIGURE_ROLE"),
    (OPENING + "A discount of $1,300.00 is possible.", "FIGURE_ROLE"),
    (OPENING + "Interest of 1.5% will be added.", "PERCENT_UNLICENSED"),
    (OPENING + "You get ten percent off.", "PERCENT_UNLICENSED"),
    (OPENING + "We add 150 basis points.", "PERCENT_UNLICENSED"),
    (OPENING + "You may pay in three instalments.", "COUNT_UNLICENSED"),
    (OPENING + "You can pay in two payments.", "COUNT_UNLICENSED"),
    (OPENING + "BR-31 covers our 50-minute call.", "DURATION_UNLICENSED"),
    (OPENING + "BR-31 covers a forty-minute call.", "DURATION_UNLICENSED"),
    (OPENING + "BR-32 is the larger of the two.", "FIGURE_ROLE"),
    (OPENING + "BR-32 is larger than BR-31.", "FIGURE_ROLE"),
    ("BR-31 is $640.00 and BR-32 is $1,300.00. Total $1,940.00.", "FIGURE_ROLE"),
    ("$640.00 for BR-31 and $1,300.00 for BR-32. Total $1,940.00.", "FIGURE_ROLE"),
    ("BR-31 and BR-32 are $640.00 and $1,300.00. Total $1,940.00.", "FIGURE_ROLE"),
    ("The $640.00 invoice BR-31 and the $1,300.00 invoice BR-32 are open, $1,940.00 in all.", "FIGURE_ROLE"),
    ("BR-31 and BR-32 are open. The total is $1,300.00. Well, $1,940.00.", "FIGURE_ROLE"),
    ("Open items:\n1. BR-31: $640.00\n2. BR-32: $1,300.00\nTotal due: $1,940.00", "FIGURE_ROLE"),
    ("BR-31\n$640.00\nBR-32\n$1,300.00\nTotal\n$1,940.00", "FIGURE_ROLE"),
    (
        (
            "| Invoice | Amount | Due |\n|---|---|---|\n| BR-31 | $1,300.00 | April 14 |\n| BR-32 | "
            "$640.00 | April 15 |\n| Total | $1,940.00 | |"
        ),
        "DATE_UNLICENSED",
    ),
    ("Invoice BR-31 comes to $640.00, invoice BR-32 to $1,300.00; you owe $1,940.00.", "FIGURE_ROLE"),
    (
        (
            "You owe one thousand nine hundred and ninety dollars: thirteen hundred for BR-31 and six "
            "hundred forty for BR-32. $1,940.00."
        ),
        "FIGURE_UNLICENSED",
    ),
    (OPENING + "That's nineteen ninety.", "FIGURE_UNLICENSED"),
    (OPENING + "That's nineteen hundred.", "FIGURE_UNLICENSED"),
    (OPENING + "That is two grand.", "FIGURE_UNLICENSED"),
    (OPENING + "That is $2k.", "FIGURE_UNREADABLE"),
    (OPENING + "That is MCMXC dollars.", "FIGURE_UNLICENSED"),
    (OPENING + "Balance (1,940.00).", "FIGURE_UNREADABLE"),
    (OPENING + "Amount: 1 940.00.", "FIGURE_UNLICENSED"),
    (OPENING + "Amount: $1940.5.", "FIGURE_UNREADABLE"),
    (OPENING + "Amount: CAD 1,940.00.", "CURRENCY_UNKNOWN"),
    (OPENING + "Amount: A$1,940.00.", "CURRENCY_UNKNOWN"),
    (OPENING + "Amount: £1,940.00.", "CURRENCY_UNKNOWN"),
    (OPENING + "Amount: $19,40.", "FIGURE_UNREADABLE"),
    (OPENING + "Amount: $1,9400.", "FIGURE_UNREADABLE"),
    (OPENING + "Amount: $01,940.00.", "FIGURE_UNREADABLE"),
    (OPENING + "The drafting invoice is $1,300.00.", "FIGURE_ROLE"),
    (OPENING + "We spoke on Monday.", "DATE_UNLICENSED"),
    (OPENING + "Your call of last week is noted.", "DATE_UNLICENSED"),
    (OPENING + "You can reach us 24/7.", "DATE_UNLICENSED"),
    (OPENING + "Please call at 10:30.", "DEADLINE_UNLICENSED"),
]

_VAGUE = [
    OPENING + "They have been outstanding for over two weeks.",
    OPENING + "That is roughly 1,940 dollars.",
    OPENING + "That is $1,940-ish.",
]

_TRUE_ELSEWHERE = [
    ("harbour", _HARBOUR + "We have received £450.20 for RE-9."),
    ("harbour", _HARBOUR + "Thank you for your payment of £450.20."),
    ("harbour", _HARBOUR + "Your part payment of £450.20 leaves £1,000.00 on RE-9."),
    ("harbour", _HARBOUR + "RE-9 has a remaining balance of £1,000.00."),
    ("harbour", _HARBOUR + "RE-7 is 86 days overdue and RE-9 41 days."),
    ("harbour", _HARBOUR + "RE-9 is five weeks late."),
    ("harbour", _HARBOUR + "RE-7 is two months overdue."),
    ("harbour", _HARBOUR + "RE-7 fell due on 31 March and RE-9 on 15 May."),
    ("harbour", _HARBOUR + "RE-5 was paid on 20 February."),
    ("harbour", _HARBOUR + "RE-7 is for February 2026 and RE-9 for April 2026."),
    ("harbour", _HARBOUR + "After 60 days we refer accounts to collections."),
    ("harbour", _HARBOUR + "This is our third reminder."),
    ("harbour", _HARBOUR + "This is the third and final reminder."),
    ("harbour", _HARBOUR + "We have reminded you twice."),
    ("harbour", _HARBOUR + "We have sent you two reminders."),
    ("harbour", _HARBOUR + "Our second reminder was sent earlier."),
    ("harbour", _HARBOUR + "That is four thousand one hundred and twenty pounds."),
    ("harbour", _HARBOUR + "That is £4120."),
    ("harbour", _HARBOUR + "That is GBP 4,120.00."),
    ("harbour", _HARBOUR + "That is 4,120 pounds sterling."),
    ("celtic", _CELTIC),
    ("celtic", _CELTIC + "The credit of €200.00 has been applied."),
    ("celtic", _CELTIC + "CN-0007 is in your favour."),
    ("celtic", _CELTIC + "Please pay €1,500.00 for 2026/0042."),
    ("celtic", _CELTIC + "CN-0007: -€200.00"),
    ("celtic", _CELTIC + "The invoices come to €2,230.50."),
    ("celtic", _CELTIC + "Before the credit, the invoices total €2,230.50."),
    ("celtic", _CELTIC + "€2,230.50 less €200.00 credit is €2,030.50."),
    ("celtic", _CELTIC + "There are two open invoices and one credit note."),
    ("celtic", _CELTIC + "Three items are open."),
    ("cape", _CAPE),
    ("cape", _CAPE + "The disputed amount of R4 800,00 is not included."),
    ("cape", _CAPE + "Your dispute was opened on 20 March."),
    ("cape", _CAPE + "A.1093: R12 500,00; A.1110: R2 150,75."),
    ("cape", _CAPE + "A.1093 is R12 500,00."),
    ("cape", _CAPE + "The total including the disputed invoice is R19 450,75."),
    ("lakh", _LAKH + "Please pay by 31 July 2026."),
    ("lakh", _LAKH + "Please pay by the end of the month."),
    ("lakh", _LAKH + "Please pay by Friday, 31 July."),
    ("lakh", _LAKH + "Please pay within 16 days."),
    ("lakh", _LAKH + "A late fee of 1.5% applies."),
    ("lakh", _LAKH + "You may pay in three monthly instalments."),
    ("lakh", _LAKH + "SH-118 is ₹1,65,000.00 and SH-119 is ₹42,750.50."),
    ("lakh", _LAKH + "SH-118 is one lakh sixty-five thousand rupees."),
    ("lakh", _LAKH + "SH-118 is 1.65 lakh rupees."),
    ("lakh", _LAKH + "SH-118 is Rs. 1,65,000."),
    ("lakh", _LAKH + "On 3 July we agreed that both invoices are correct."),
    ("lakh", _LAKH + "We spoke on 3 July."),
    ("kyoto", "JP-301, JP-302 and JP-303 are open. The total is ¥237,000. JP-301 and JP-302 are ¥54,500 each."),
    ("kyoto", "JP-301, JP-302 and JP-303 are open. The total is 237,000 yen."),
    ("kyoto", "JP-301, JP-302 and JP-303 are open. The total is ¥237,000. JP-301 to JP-303 are overdue."),
    ("gulf", "TX-1001 (KWD 1,250.750) and TX-1002 (KWD 500.000) are open, KWD 1,750.750 in all."),
    ("gulf", "TX-1001 and TX-1002 are open, 1,750 dinars and 750 fils in all."),
    ("alpen", "TX-5501 is open at CHF 1'250.00."),
    ("alpen", "TX-5501 is open at Fr. 1250."),
    ("alpen", "TX-5501 is open at CHF 1’250.00, one week overdue."),
    ("lagoon", "RE-88 (Board repair) is open: $432.10. It was due yesterday."),
    ("lagoon", "RE-88 (Board repair) is open: $432.10. It fell due a day ago."),
    ("lagoon", "RE-88 is open: A$432.10."),
    ("lagoon", "RE-88 is one day overdue: four hundred and thirty-two dollars and ten cents."),
    ("lagoon", "RE-88 is open: $432.10. It was due last Tuesday."),
]

_FALSE_ELSEWHERE = [
    ("harbour", _HARBOUR + "RE-9: £1,450.20 invoiced, £1,000.00 paid, £450.20 open.", "FIGURE_ROLE"),
    ("harbour", _HARBOUR + "We have received £1,000.00 for RE-9.", "FIGURE_ROLE"),
    ("harbour", _HARBOUR + "We have received £4,120.00.", "FIGURE_ROLE"),
    ("harbour", _HARBOUR + "Thank you for your payment of £500.00.", "FIGURE_UNLICENSED"),
    ("harbour", _HARBOUR + "RE-9 has a remaining balance of £1,450.20.", "FIGURE_ROLE"),
    ("harbour", _HARBOUR + "Please pay £1,450.20 for RE-9.", "FIGURE_ROLE"),
    ("harbour", _HARBOUR + "RE-7 is 41 days overdue and RE-9 86 days.", "DURATION_UNLICENSED"),
    ("harbour", _HARBOUR + "RE-9 is six weeks late.", "DURATION_UNLICENSED"),
    ("harbour", _HARBOUR + "RE-7 is three months overdue.", "DURATION_UNLICENSED"),
    ("harbour", _HARBOUR + "RE-7 fell due on 15 May and RE-9 on 31 March.", "DATE_UNLICENSED"),
    ("harbour", _HARBOUR + "RE-7 and RE-9 fell due on 31 March.", "DATE_UNLICENSED"),
    ("harbour", _HARBOUR + "RE-5 was paid on 28 February.", "DATE_UNLICENSED"),
    ("harbour", _HARBOUR + "RE-7 is for April 2026 and RE-9 for February 2026.", "DATE_UNLICENSED"),
    ("harbour", _HARBOUR + "After 30 days we refer accounts to collections.", "DURATION_UNLICENSED"),
    ("harbour", _HARBOUR + "We have written to you three times.", "FIGURE_DERIVED"),
    ("harbour", _HARBOUR + "That is four thousand one hundred and twelve pounds.", "FIGURE_UNLICENSED"),
    ("harbour", _HARBOUR + "That is $4,120.00.", "CURRENCY_UNKNOWN"),
    ("harbour", _HARBOUR + "That is four thousand quid.", "FIGURE_UNLICENSED"),
    ("harbour", _HARBOUR + "That is £4,120.00p.", "FIGURE_UNREADABLE"),
    ("harbour", _HARBOUR + "That is £4,120 and 50 pence.", "FIGURE_UNLICENSED"),
    ("celtic", _CELTIC + "The credit of €2,030.50 has been applied.", "FIGURE_ROLE"),
    ("celtic", _CELTIC + "Your account is in credit by €2,030.50.", "FIGURE_ROLE"),
    ("celtic", _CELTIC + "2026/0042: -€1,500.00", "FIGURE_UNLICENSED"),
    ("celtic", _CELTIC + "There are two credit notes.", "COUNT_UNLICENSED"),
    ("cape", _CAPE + "The disputed amount of R12 500,00 is not included.", "FIGURE_ROLE"),
    ("cape", _CAPE + "Your dispute was opened on 21 March.", "DATE_UNLICENSED"),
    ("cape", _CAPE + "A.1093: R2 150,75; A.1110: R12 500,00.", "FIGURE_ROLE"),
    ("cape", _CAPE + "A.1093 is R12,500.00.", "FIGURE_UNREADABLE"),
    ("lakh", _LAKH + "Please pay by 30 July 2026.", "DEADLINE_UNLICENSED"),
    ("lakh", _LAKH + "Please pay by Friday.", "DEADLINE_UNLICENSED"),
    ("lakh", _LAKH + "Please pay within 14 days.", "DEADLINE_UNLICENSED"),
    ("lakh", _LAKH + "A late fee of 15% applies.", "PERCENT_UNLICENSED"),
    ("lakh", _LAKH + "A late fee of one and a half per cent applies.", "FIGURE_DERIVED"),
    ("lakh", _LAKH + "A discount of 1.5% applies.", "PERCENT_UNLICENSED"),
    ("lakh", _LAKH + "You may pay in four monthly instalments.", "COUNT_UNLICENSED"),
    ("lakh", _LAKH + "SH-118 is ₹165,000.00.", "FIGURE_UNREADABLE"),
    ("lakh", _LAKH + "SH-118 is one lakh fifty-six thousand rupees.", "FIGURE_UNLICENSED"),
    ("lakh", _LAKH + "SH-118 is Rs 1,56,000.", "FIGURE_UNLICENSED"),
    ("lakh", _LAKH + "On 4 July we agreed that both invoices are correct.", "DATE_UNLICENSED"),
    ("kyoto", "JP-301, JP-302 and JP-303 are open. The total is ¥237,000.00.", "FIGURE_UNREADABLE"),
    ("gulf", "TX-1001 (KWD 1,250.75) and TX-1002 (KWD 500.000) are open, KWD 1,750.750 in all.", "FIGURE_UNREADABLE"),
    ("alpen", "TX-5501 is open at CHF 1,250.00.", "FIGURE_UNREADABLE"),
    ("lagoon", "RE-88 is open: US$432.10.", "CURRENCY_UNKNOWN"),
    ("lagoon", "RE-88 is one day overdue: four hundred and thirty-two dollars ten.", "FIGURE_UNLICENSED"),
    ("lagoon", "RE-88 is open: $432.10. It was due last Monday.", "DATE_UNLICENSED"),
]


def test_a_true_figure_in_its_role_passes() -> None:
    refused = [(text, shown(found(text))) for text in _TRUE if errors(text)]
    assert not refused


def test_a_figure_that_no_fact_licenses_fails() -> None:
    missed = [(text, code, shown(found(text))) for text, code in _FALSE if code not in errors(text)]
    assert not missed


def test_a_hedge_makes_a_true_figure_a_warning() -> None:
    told = {text: [(item.error, item.status) for item in found(text)] for text in _VAGUE}
    assert told == {text: [("FIGURE_HEDGED", Status.WARN)] for text in _VAGUE}


def test_true_figures_of_other_ledgers_pass() -> None:
    refused = [(text, shown(found(text, ledger(name)))) for name, text in _TRUE_ELSEWHERE if errors(text, ledger(name))]
    assert not refused


def test_false_figures_of_other_ledgers_fail() -> None:
    missed = [
        (text, code, shown(found(text, ledger(name))))
        for name, text, code in _FALSE_ELSEWHERE
        if code not in errors(text, ledger(name))
    ]
    assert not missed


def test_the_evidence_names_the_line_its_amount_and_what_the_text_says() -> None:
    (item,) = found("BR-31 is $1,100.00. BR-32 is $640.00.")
    assert item.error == "FIGURE_UNLICENSED"
    assert "BR-31 is $1,300.00; the text says $1,100.00" in item.evidence
    assert item.fix == "Write $1,300.00, or leave the amount out."
    assert item.facts == ("BR-31.open", "BR-31.amount")


def test_the_span_underlines_the_figure_in_the_text_as_shown() -> None:
    text = "Hello “Iris”, **BR-31** is\u00a0open at **$1,100.00** now."
    (item,) = found(text)
    assert item.span is not None
    assert text[slice(*item.span)] == "$1,100.00"


def test_a_thousand_wrong_figures_are_reported_as_a_hundred() -> None:
    assert len(found("7 " * 1000)) == 100
