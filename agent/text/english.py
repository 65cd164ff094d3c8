"""English words that the reading of figures knows; all lower case, as the folded copy is."""

__all__ = [
    "ABBREVIATIONS",
    "CARDINALS",
    "CLAUSE_WORDS",
    "COUNTED",
    "DURATIONS",
    "FRACTIONS",
    "HEDGES_AFTER",
    "HEDGES_BEFORE",
    "MINOR_OF",
    "MONTHS",
    "MULTIPLES",
    "ORDINALS",
    "REMINDERS",
    "SCALES",
    "SLANG_MONEY",
    "WEEKDAYS",
    "words",
]


def words(listed: str, between: str | None = None) -> frozenset[str]:
    """Return the words of a list that is written as one string, parted by white space or by `between`."""
    return frozenset(listed.split(between))


ABBREVIATIONS = words(
    "no nos inv ref approx ca e.g i.e etc vs ltd inc co corp llc plc mr mrs ms dr st ave rd dept acct attn tel ext "
    "rs fr jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat"
)
"""Words whose full stop ends no sentence when something follows on the line."""

CLAUSE_WORDS = r"(?:but|while|whereas|whilst|although|though|however|yet|because|since|if|unless|which|who|so)\b"
"""A pattern of words that begin a clause of their own."""

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
)
CARDINALS: dict[str, int] = {word: value for value, word in enumerate(f"{_UNITS} eighteen nineteen".split())}
CARDINALS |= {
    word: 10 * value
    for value, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
}
CARDINALS |= {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "fourty": 40, "ninty": 90}
SCALES: dict[str, int] = {
    "hundred": 100,
    "thousand": 1000,
    "k": 1000,
    "grand": 1000,
    "lakh": 10**5,
    "lakhs": 10**5,
    "lac": 10**5,
    "lacs": 10**5,
    "crore": 10**7,
    "crores": 10**7,
    "cr": 10**7,
    "million": 10**6,
    "mn": 10**6,
    "mio": 10**6,
    "m": 10**6,
    "billion": 10**9,
    "bn": 10**9,
    "b": 10**9,
    "dozen": 12,
    "score": 20,
}

ORDINALS: dict[str, str] = {
    "first": "one",
    "second": "two",
    "third": "three",
    "fourth": "four",
    "fifth": "five",
    "sixth": "six",
    "seventh": "seven",
    "eighth": "eight",
    "ninth": "nine",
    "tenth": "ten",
    "eleventh": "eleven",
    "twelfth": "twelve",
    "thirteenth": "thirteen",
    "fourteenth": "fourteen",
    "fifteenth": "fifteen",
    "sixteenth": "sixteen",
    "seventeenth": "seventeen",
    "eighteenth": "eighteen",
    "nineteenth": "nineteen",
    "twentieth": "twenty",
    "thirtieth": "thirty",
    "hundredth": "hundred",
}

_MONTH_NAMES = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
MONTHS: dict[str, int] = {name: number for number, name in enumerate(_MONTH_NAMES, 1)}
MONTHS |= {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}

_DAY_NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
WEEKDAYS: dict[str, int] = {name: number for number, name in enumerate(_DAY_NAMES)}
WEEKDAYS |= {f"{name}s": number for name, number in WEEKDAYS.items()}
WEEKDAYS |= {name[:3]: number for name, number in list(WEEKDAYS.items()) if name[:3] not in ("sat", "sun", "wed")}
WEEKDAYS |= {"tues": 1, "thur": 3, "thurs": 3}

DURATIONS: dict[str, str] = {
    "day": "days",
    "days": "days",
    "days'": "days",
    "week": "weeks",
    "weeks": "weeks",
    "wk": "weeks",
    "wks": "weeks",
    "fortnight": "fortnights",
    "fortnights": "fortnights",
    "month": "months",
    "months": "months",
    "quarter": "quarters",
    "quarters": "quarters",
    "year": "years",
    "years": "years",
    "yr": "years",
    "yrs": "years",
    "decade": "decades",
    "decades": "decades",
    "hour": "hours",
    "hours": "hours",
    "hr": "hours",
    "hrs": "hours",
    "minute": "minutes",
    "minutes": "minutes",
    "min": "minutes",
    "mins": "minutes",
    "second": "seconds",
    "seconds": "seconds",
}

REMINDERS = words(
    "reminder reminders notice notices letter letters email emails e-mail message messages mail mails request requests "
    "note notes attempt attempts chaser chasers time times follow-up statement statements contact"
)
"""What a count or an ordinal of our own writing goes with."""

COUNTED: dict[str, str] = {
    "invoice": "invoice",
    "invoices": "invoice",
    "bill": "invoice",
    "bills": "invoice",
    "charge": "invoice",
    "charges": "invoice",
    "debt": "invoice",
    "debts": "invoice",
    "item": "item",
    "items": "item",
    "line": "item",
    "lines": "item",
    "entry": "item",
    "entries": "item",
    "transaction": "item",
    "transactions": "item",
    "amount": "item",
    "amounts": "item",
    "balance": "item",
    "balances": "item",
    "document": "item",
    "documents": "item",
    "position": "item",
    "positions": "item",
    "one": "item",
    "ones": "item",
    "of": "item",
    "credit": "credit",
    "credits": "credit",
    "note": "credit",
    "notes": "credit",
    "payment": "payment",
    "payments": "payment",
    "instalment": "payment",
    "instalments": "payment",
    "installment": "payment",
    "installments": "payment",
    "part": "payment",
    "parts": "payment",
    "transfer": "payment",
    "transfers": "payment",
}
"""Nouns that a count goes with, and what kind of thing they count."""

HEDGES_BEFORE = words(
    "about|around|roughly|approximately|approx|approx .|nearly|almost|circa|ca|ca .|c .|~|≈|over|under|above|below|"
    "some|"
    "more than|less than|fewer than|up to|at least|at most|no more than|no less than|close to|just over|just under|"
    "well over|well under|in excess of|upwards of|in the region of|in the order of|or so|not quite|a little over|"
    "a little under|barely|practically|virtually|as much as|as many as|"
    "maximum|minimum|max|min|beyond|exceeding|>|<|≥|≤",
    "|",
)
HEDGES_AFTER = words(
    "or so|or thereabouts|or more|or less|more or less|approximately|approx|approx.|ish|- ish|plus|+|"
    "give or take|roughly",
    "|",
)

FRACTIONS = words("half halves third thirds quarter quarters fifth fifths sixth eighth eighths tenth tenths")
MULTIPLES = words(
    "twice thrice double doubled doubling triple tripled treble quadruple twofold threefold fourfold tenfold"
)

MINOR_OF: dict[str, tuple[str, ...]] = {
    "cent": ("dollars", "euros", "rand"),
    "cents": ("dollars", "euros", "rand"),
    "¢": ("dollars", "euros", "rand"),
    "penny": ("pounds",),
    "pence": ("pounds",),
    "p": ("pounds",),
    "paisa": ("rupees",),
    "paise": ("rupees",),
    "centime": ("francs",),
    "centimes": ("francs",),
    "rappen": ("francs",),
    "fils": ("dinars", "dirhams"),
    "sen": ("yen", "ringgits"),
}
"""Names of minor units, and of the currencies that have them."""

SLANG_MONEY: dict[str, str] = {
    "buck": "dollars",
    "bucks": "dollars",
    "quid": "pounds",
    "sterling": "pounds",
    "euro": "euros",
    "dollar": "dollars",
    "pound": "pounds",
    "rupee": "rupees",
    "rands": "rand",
    "franc": "francs",
    "dinar": "dinars",
}
