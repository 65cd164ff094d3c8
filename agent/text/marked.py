"""Search a text for a pattern only where a mark that each of its matches holds stands in the text."""

import re
from collections.abc import Iterator, Sequence
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

    def finditer(
        self, text: str, *, marks_in: str | None = None, within: Sequence[tuple[int, int]] | None = None
    ) -> Iterator[re.Match[str]]:
        """Yield the matches in order; the marks are looked for in `marks_in` when that is not the text itself.

        With `within` only those that lie wholly in one of these passages of the text.
        """
        held = text if marks_in is None else marks_in
        if not self.marks or any(mark in held for mark in self.marks):
            for start, end in ((0, len(text)),) if within is None else within:
                yield from self.pattern.finditer(text, start, end)


def marked(pattern: str, *marks: str) -> Marked:
    """Return a pattern with its marks."""
    return Marked(re.compile(pattern), marks)
