"""Build the labelled drafts of fixtures/labelled/judge: a clean text, then 0 to 4 listed defects for each criterion.

`python -m tests.agent.judge_labels` writes the files anew; the labels follow from the defects alone.
"""

import json
import random
from collections.abc import Iterator
from typing import Any

from agent.fixtures import FIXTURES
from tests.agent.judge_texts import SUBJECTS, Subject

__all__ = ["FOLDER", "PARTS", "drafts", "label_of", "text_of"]

FOLDER = FIXTURES / "labelled" / "judge"
PARTS = {"tune": 24, "test": 15}
"""How many drafts are made of each subject."""

_SEED = 20261201


def label_of(defects: list[int]) -> int:
    """The score of a criterion: 5 less its defects."""
    return 5 - len(defects)


def text_of(subject: Subject, defects: dict[str, list[int]]) -> str:
    """The text of a draft; `defects` holds by criterion the places (0 to 3) of its defective sentences."""
    paragraphs = []
    for criterion, pairs in subject.parts.items():
        chosen = (bad if place in defects[criterion] else good for place, (good, bad) in enumerate(pairs))
        paragraphs.append(" ".join(sentence for sentence in chosen if sentence))
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def drafts(part: str) -> Iterator[dict[str, Any]]:
    """The labelled drafts of one part: for each subject a clean one, then others whose scores are spread evenly."""
    for subject in SUBJECTS:
        if subject.part == part:
            yield from _of_subject(subject, PARTS[part])


def _of_subject(subject: Subject, count: int) -> Iterator[dict[str, Any]]:
    dice = random.Random(f"{_SEED} {subject.name}")
    numbers = {criterion: _spread(count - 1, dice) for criterion in subject.parts}
    for place in range(count):
        defects = {
            criterion: sorted(dice.sample(range(4), numbers[criterion][place - 1])) if place else []
            for criterion in subject.parts
        }
        facts = {"prompt": subject.prompt, "rubric": subject.rubric}
        yield {
            "id": f"{subject.name}-{place:02}",
            "facts": facts | ({"function": subject.function} if subject.function else {}),
            "text": text_of(subject, defects),
            "labels": {criterion: label_of(places) for criterion, places in defects.items()},
            "defects": defects,
        }


def _spread(count: int, dice: random.Random) -> list[int]:
    numbers = [place % 5 for place in range(count)]
    dice.shuffle(numbers)
    return numbers


def _write() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        whole = {"name": f"judge-{part}", "items": list(drafts(part))}
        (FOLDER / f"{part}.json").write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    _write()
