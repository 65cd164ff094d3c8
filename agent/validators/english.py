"""English words by which ids, contacts, names and statements of policy are known, as patterns over folded text."""

__all__ = [
    "CLICKS",
    "CLICK_MARKS",
    "COVERS",
    "DELIVERED",
    "DETAIL_NOUNS",
    "DETAIL_VERBS",
    "FIGURE_PREFIXES",
    "FIGURE_SUFFIXES",
    "FOR_WORDS",
    "ID_CUES",
    "MONTHS",
    "NUMBER_WORDS",
    "PAYMENT_CUES",
    "PHONE_CUES",
    "REMINDER_WORDS",
    "UNITS",
]

MONTHS = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?"
)

ID_CUES = (
    r"purchase orders?|p\.?o\.?|work orders?|sales orders?|orders?|tickets?|invoices?|inv\.?|refs?\.?|references?|"
    r"cases?|contracts?|quotes?|quotations?|jobs?|projects?|ids?|documents?|docs?\.?|statements?|transactions?|vouchers?|"
    r"dockets?|files?|customers?|clients?|claims?|receipts?|bookings?|delivery notes?|credit notes?|credit memos?|"
    r"credits?|bills?|lines?|items?|entry|entries|tx|txn|number"
)
"""Nouns before a number that make it an id."""

NUMBER_WORDS = r"no\.?|nos\.?|number|numbers|num\.?|nr\.?|id|code|№"

REMINDER_WORDS = r"reminder|notice|notification|letter|note|message|mail|email|e-mail|attempt|request"
"""Nouns whose number is an ordinal of theirs, not an id."""

UNITS = (
    r"days?|weeks?|months?|years?|hours?|minutes?|dollars?|euros?|pounds?|rupees?|yen|francs?|cents?|pence|percent|"
    rf"{MONTHS}|calendar|business|working|invoices?|items?|lines?|payments?|reminders?|open|overdue|"
    r"of|in|and|or|to|more|times"
)
"""Words after a number that make it a count, a date or an amount."""

FIGURE_SUFFIXES = r"st|nd|rd|th|am|pm|k|m|mn|bn|x|d|h|hrs?|mins?|s|p|c"

FIGURE_PREFIXES = (
    r"us|usd|eur|gbp|chf|cad|aud|nzd|inr|jpy|zar|aed|sgd|hkd|rs|rs\.|ca|au|nz|q|h|fy|cy|mid|early|late|pre|post|non|"
    rf"{MONTHS}"
)

PHONE_CUES = r"phone|telephone|tel|mobile|cell|fax|call|dial|ring|text|whatsapp|helpline|hotline|switchboard"

PAYMENT_CUES = (
    r"accounts?|acct\.?|a/c|iban|sort code|routing|aba|swift|bic|bsb|ifsc|card|debit card|credit card|bank|branch|"
    r"transit|payment reference|payment ref|payee reference|remittance reference|paypal|upi|vat|tax id|ein|gst"
)
"""Nouns before a token with digits that make it a payment detail."""

DETAIL_NOUNS = r"no\.?|number|num\.?|code|id|details?"

DETAIL_VERBS = r"is|are|ends in|ends with|ending in|ending with|ending"

FOR_WORDS = (
    r"was|were|is|are|both|all|each|for|covers?|covering|covered|relates?|relating|to|the|our|your|which|that|invoiced|"
    r"billed|charged|issued|concerns?|concerning|regarding|about|being"
)
"""Words that may stand between a line's id and what it is for."""

COVERS = (
    r"(?:was|were|is|are) (?:all |both |each |solely |mainly |only )?for|cover(?:s|ed|ing)?|relate[sd]? to|relating to|"
    r"include[sd]|consist(?:s|ed) of|comprise[sd]?|concern(?:s|ed)"
)
"""Words before what a line is for."""

DELIVERED = (
    r"\b(?:delivered|completed|finished|performed|installed|shipped|carried out|provided|done|fulfilled) "
    r"(?:\S{1,15} )?(?:on time|on schedule|as (?:ordered|planned|requested|specified)|in full|in time|properly)\b"
    r"|\bto your (?:\S{1,15} )?satisfaction\b|\b(?:successfully|fully|properly) (?:delivered|completed|performed)\b"
)
"""Praise of the work that no ledger holds."""

CLICKS = (
    r"\b(?:click|tap|scan|log ?in|sign in|log on|download|upload|links?|qr code|website|web site|webpage|portal|"
    r"online account|hyperlink|url|button)\b"
)
"""Words that lead a reader to a place of the net; a mail has such a place in its code blocks only."""

CLICK_MARKS = (
    *("click", "tap", "scan", "log", "sign", "download", "upload", "link", "qr", "web", "portal", "online", "url"),
    "button",
)
"""Letters of which each of `CLICKS` holds some."""
