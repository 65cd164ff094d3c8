"""Know which models are too small to judge a sentence: no check is better than a bad one."""

import re

__all__ = ["why_too_weak"]

_SIZE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)(b|m)(?![a-z0-9])", re.IGNORECASE)
_LEAST_BILLIONS = 1.4  # the smallest model that was measured, the embedded one, has 1.5
_SMALL_NAMES = re.compile(r"tinyllama|smollm|gemma3:270m|stories", re.IGNORECASE)


def why_too_weak(name: str) -> str:
    """Return why a model of this name is not to be asked; empty if it may be. A name without a size is trusted."""
    size = _SIZE.search(name)
    billions = float(size[1]) / (1 if size[2].casefold() == "b" else 1000) if size else None
    if _SMALL_NAMES.search(name) or (billions is not None and billions < _LEAST_BILLIONS):
        return f"{name} is too small to judge sentences; name a model of {_LEAST_BILLIONS:g} billion parameters or more"
    return ""
