"""Measure how many planted details survive the sanitiser, and that none survives in what the gate lets through.

    python -m tests.memory.leaks

A detail survives when a part of it that identifies still stands outside the slots; words that the mail had before
anything was planted do not count.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from memory.sanitize import Sanitizer
from memory.sanitize.gate import examine
from memory.sanitize.gate_known import KnownValues
from memory.sanitize.ner import Recogniser
from memory.sanitize.vocabulary import Vocabulary
from tests.memory.documents import Document, Planted, bare, clean_documents, planted_documents

__all__ = ["Figures", "measure", "sanitizer", "survives"]

_SLOT = re.compile(r"\[[A-Z0-9_]+\]")


@dataclass(slots=True)
class Figures:
    """Count what was planted, what survived the sanitiser, what the gate held back, and what passed all the same."""

    documents: int = 0
    quarantined: int = 0
    planted: Counter[str] = field(default_factory=Counter)
    survived: Counter[str] = field(default_factory=Counter)
    documents_with_survivors: int = 0
    leaks: list[tuple[str, str, str]] = field(default_factory=list)
    clean: int = 0
    clean_quarantined: int = 0
    clean_reasons: Counter[str] = field(default_factory=Counter)

    def as_json(self) -> dict[str, Any]:
        """Return the figures as they are printed."""
        return {
            "documents": self.documents,
            "documents_with_survivors_of_the_sanitiser": self.documents_with_survivors,
            "quarantined": self.quarantined,
            "leaks_after_the_gate": len(self.leaks),
            "by_kind": {
                kind: {
                    "planted": total,
                    "survived_the_sanitiser": self.survived[kind],
                    "percent": round(100 * self.survived[kind] / total, 1),
                }
                for kind, total in sorted(self.planted.items())
            },
            "clean": self.clean,
            "clean_quarantined": self.clean_quarantined,
            "clean_reasons": dict(self.clean_reasons),
        }


@cache
def sanitizer() -> Sanitizer:
    """Return one sanitiser for all, whose model is loaded once."""
    return Sanitizer(Recogniser())


def survives(planted: Planted, text: str, words: frozenset[str]) -> bool:
    """Tell whether a part of a detail stands in a text outside its slots."""
    rest = bare(_SLOT.sub(" ", text))
    found = set(re.findall(r"[^\W\d_]+", rest)) - words
    digits = re.findall(r"\d{2,}", rest)
    return any(
        (part.isdigit() and any(part in run for run in digits))
        or part in found
        or (len(part) > 5 and any(part in word for word in found))
        for part in planted.parts
    )


def measure(documents: Iterable[Document], clean: Iterable[str]) -> Figures:
    """Return the figures of documents with planted details, and of documents without."""
    listed = list(documents)
    known = KnownValues.of(value for document in listed for values in document.known.values() for value in values)
    figures = Figures()
    for document in listed:
        _count(document, known, figures)
    for text in clean:
        _count_clean(text, known, figures)
    return figures


def _count(document: Document, known: KnownValues, figures: Figures) -> None:
    text = sanitizer().sanitize(document.text, known=document.known).text
    doubts = examine(text, known=known, sanitizer=sanitizer(), vocabulary=Vocabulary.english())
    survivors = [one for one in document.planted if survives(one, text, document.words)]
    figures.documents += 1
    figures.planted.update(one.kind for one in document.planted)
    figures.survived.update(one.kind for one in survivors)
    figures.documents_with_survivors += bool(survivors)
    figures.quarantined += bool(doubts)
    if not doubts:
        figures.leaks += [(document.locale, one.written, text) for one in survivors]


def _count_clean(text: str, known: KnownValues, figures: Figures) -> None:
    sanitised = sanitizer().sanitize(text, known={}).text
    doubts = examine(sanitised, known=known, sanitizer=sanitizer(), vocabulary=Vocabulary.english())
    figures.clean += 1
    figures.clean_quarantined += bool(doubts)
    figures.clean_reasons.update(f"{doubt.code}: {doubt.words}" for doubt in doubts)


def main(arguments: Sequence[str]) -> int:
    """Print the figures as JSON, with `--leaks` the leaks as well; return 1 when there is one."""
    figures = measure(planted_documents(), clean_documents())
    sys.stdout.write(json.dumps(figures.as_json(), indent=1, ensure_ascii=False) + "\n")
    if "--leaks" in arguments:
        sys.stdout.writelines(f"{leak}\n" for leak in figures.leaks)
    return 1 if figures.leaks else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
