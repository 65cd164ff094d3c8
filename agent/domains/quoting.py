"""Quote in a prompt what a client wrote: as data, without figures, contacts and strings that identify anybody."""

import re
from collections.abc import Mapping

__all__ = ["quoted"]

_MOST_CHARACTERS = 1500
_CONTACT = re.compile(r"\S+@\S+|https?://\S+|www\.\S+")
_FIGURE = re.compile(r"(\[[A-Z][A-Z0-9_]*\])|\d[\d.,/:-]*")


def quoted(message: str, hidden: Mapping[str, str]) -> str:
    """Return a message with each key of `hidden`, in any letter case, as its value, contacts and figures taken out.

    It cannot close the marks <<< and >>> that a prompt puts it between.
    """
    text = message
    for own in sorted(hidden, key=len, reverse=True):
        text = re.sub(re.escape(own), hidden[own], text, flags=re.IGNORECASE)
    text = _FIGURE.sub(lambda figure: figure[1] or "#", _CONTACT.sub("(contact)", text))
    return text.replace("<<<", "").replace(">>>", "").strip()[:_MOST_CHARACTERS]
