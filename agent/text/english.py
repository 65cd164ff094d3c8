"""English words that the reading of figures and statuses knows; all lower case, as the folded copy is."""

__all__ = ["ABBREVIATIONS", "CLAUSE_WORDS"]

ABBREVIATIONS = frozenset(
    "no nos inv ref approx ca e.g i.e etc vs ltd inc co corp llc plc mr mrs ms dr st ave rd dept acct attn tel ext "
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat".split()
)
"""Words whose full stop ends no sentence when something follows on the line."""

CLAUSE_WORDS = r"(?:but|while|whereas|whilst|although|though|however|yet|because|since|if|unless|which|who|so)\b"
"""A pattern of words that begin a clause of their own."""
