"""Keep contacts and payment details out of a reply's prose, and let it speak of the buttons of a product.

Covers what the check of contacts covers. A word such as button, which elsewhere asks to follow a link, is passed
where an article has it too.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from agent.validators import contacts
from agent.validators.check import Found, NoParams
from agent.validators.reading import Reading

__all__ = ["CHECK", "check"]

_WORDS = re.compile(r"[a-z' -]+")


def check(reading: Reading, params: NoParams) -> Iterator[Found]:
    """Report contacts and payment details in prose, but for plain words of an article."""
    articles = " ".join(str(fact.value).casefold() for fact in reading.sheet.by_role.get("article", ()))
    for found in contacts.check(reading, params):
        words = found.evidence.casefold()
        if not (_WORDS.fullmatch(words) and words in articles):
            yield found


CHECK = replace(contacts.CHECK, run=check)
