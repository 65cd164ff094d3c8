"""Put slots back where a person typed what they stand for, so that an edit stays in slot language.

Covers values that are typed exactly as the sheet's locale writes them and that one slot alone stands for. A value that
two slots share, or that is part of a longer figure or id, stays as it was typed: guessing would change its role.
"""

import re
from collections import Counter
from collections.abc import Mapping

from agent.body import SLOT

__all__ = ["with_slots"]

# What makes a figure or id longer or another one: a sign or currency before it, more digits or letters on either side.
_BEFORE = r"(?<![\w$€£¥#&@/+\[\-\u2212\u2013])(?<![\d][.,])"
_AFTER = r"(?![\w%&@/\]])(?![.,:'\u2019\-\u2010-\u2015][\w])"


def with_slots(text: str, values: Mapping[str, str]) -> str:
    """Return the text with each value that equals exactly one slot's rendering as that slot; it renders the same."""
    shared = Counter(values.values())
    names = {value: name for name, value in values.items() if value and shared[value] == 1}
    if not names:
        return text
    any_value = "|".join(re.escape(value) for value in sorted(names, key=len, reverse=True))
    found = re.compile(rf"{SLOT.pattern}|{_BEFORE}(?P<value>{any_value}){_AFTER}")
    return found.sub(lambda match: f"[{names[match['value']]}]" if match["value"] else match[0], text)
