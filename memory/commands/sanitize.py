"""Take the personal details of a client's record, and all others, out of a text from standard input."""

import argparse
import json
import sys
from itertools import chain
from pathlib import Path
from typing import Any

from memory.sanitize import MAX_CHARACTERS, Known, RecordInvalid, Sanitizer, TextTooLong, read_record
from memory.sanitize.gate import examine
from memory.sanitize.ner import ModelFolderInvalid, Recogniser
from memory.sanitize.vocabulary import Vocabulary

__all__ = ["add_to"]

_MAX_TEXT_BYTES = 4 * MAX_CHARACTERS + 3  # the longest text in UTF-8, and a byte order mark
_MAX_RECORD_BYTES = 3_000_000


class _BadInput(Exception):
    """Refuse input that is no text at all; the message names it and says what to do."""


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `sanitize`, which exits 0, or 2 for bad input."""
    parser = commands.add_parser("sanitize", help="take personal details out of standard input", description=__doc__)
    parser.add_argument("--record", required=True, type=Path, metavar="R.json", help="the client's record as JSON")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    try:
        known = _record(options.record)
        text = _text(sys.stdin.buffer.read(_MAX_TEXT_BYTES + 1), "standard input", _MAX_TEXT_BYTES)
        print(json.dumps(_answer(text, known), indent=2))
    except RecordInvalid as error:
        print(f"{options.record}: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except (_BadInput, TextTooLong, ModelFolderInvalid) as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 2
    return 0


def _answer(text: str, known: Known) -> dict[str, Any]:
    """Sanitise a text; what the gate doubts is told with its place in the sanitised text."""
    sanitizer = Sanitizer(Recogniser())
    clean = sanitizer.sanitize(text, known=known)
    values = list(chain.from_iterable(known.values()))
    doubts = examine(clean.text, known=values, sanitizer=sanitizer, vocabulary=Vocabulary.english())
    return {
        "text": clean.text,
        "slots": {slot: list(found) for slot, found in clean.slots.items()},
        "spans": [{"start": span.start, "end": span.end, "slot": span.slot} for span in clean.spans],
        "quarantine": [
            {
                "start": doubt.start,
                "end": doubt.end,
                "words": doubt.words,
                "code": doubt.code.value,
                "reason": doubt.reason,
            }
            for doubt in doubts
        ],
    }


def _record(path: Path) -> Known:
    try:
        with path.open("rb") as file:
            raw = file.read(_MAX_RECORD_BYTES + 1)
    except OSError as error:
        raise _BadInput(f"{path}: cannot be read ({error.strerror}). Give a client's record as JSON.") from None
    try:
        return read_record(json.loads(_text(raw, str(path), _MAX_RECORD_BYTES)))
    except json.JSONDecodeError as error:
        raise _BadInput(f"{path}: is not JSON at line {error.lineno}, column {error.colno}: {error.msg}.") from None
    except RecursionError:
        raise _BadInput(f"{path}: is nested too deeply. Give {{kind: [values]}}.") from None


def _text(raw: bytes, source: str, most_bytes: int) -> str:
    if len(raw) > most_bytes:
        raise _BadInput(f"{source}: is longer than {most_bytes:,} bytes. Shorten it.")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _BadInput(f"{source}: is not UTF-8 at byte {error.start}. Save it as UTF-8.") from None
