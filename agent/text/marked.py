"""Search a text for a pattern only where a mark that each of its matches holds stands in the text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Marked", "marked"]


@dataclass(frozen=True, slots=True)
class Marked:
    """Hold a pattern with its marks: to look for some letters costs a hundredth of a pass of the pattern.

    Each match must hold at least one of the `marks`, letter by letter: one that does not is lost. Without marks the
    pattern is always searched for.
    """

    pattern: re.Pattern[str]
    marks: tuple[str, ...]

    def finditer(self, text: str, *, marks_in: str | None = None) -> Iterator[re.Match[str]]:
        """Return the matches in order; the marks are looked for in `marks_in` when that is not the text itself."""
        held = text if marks_in is None else marks_in
        if not self.marks:
            return self.pattern.finditer(text)
        for mark in self.marks:
            if mark in held:
                return self.pattern.finditer(text)
        return iter(())


def marked(pattern: str, *marks: str) -> Marked:
    """Return a pattern with its marks."""
    return Marked(re.compile(pattern), marks)
