"""Read the rows of a CSV file with the numbers of their lines; what is no table is a fault."""

import codecs
import csv
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO

from reviewhub.importing.columns import ColumnMap, Place, find_columns
from reviewhub.importing.faults import Faults

__all__ = ["Row", "read_table"]

_MOST_ROWS = 20_000
_MOST_LINE_BYTES = 200_000
_DELIMITERS = ",;\t"
_IDS = ("client.id", "id")


@dataclass(frozen=True, slots=True)
class Row:
    """Hold a row: the line that it begins on, and its cells by our column with what the file calls each."""

    number: int
    cells: Mapping[str, str]
    names: Mapping[str, str]

    def name(self, ours: str) -> str:
        """Return what the file calls a column of ours; our own name when the file lacks it."""
        return self.names.get(ours, ours)


def read_table(file: BinaryIO, columns: ColumnMap, faults: Faults) -> Iterator[Row]:
    """Yield the rows under the header that hold something; the separator is the one that the header shows.

    A row that does not fit the header is a fault, and the rest is read. A broken quotation or header ends the reading.
    """
    lines = _lines(file, faults)
    head: list[str] = []
    for line in lines:
        head.append(line)
        if line.strip():
            break
    delimiter = _delimiter_of(head[-1] if head else "", columns)
    records = _records(itertools.chain(head, lines), delimiter, faults)
    number, header = next(records, (1, []))
    places, problems = find_columns(header, columns)
    if header and problems:
        faults.extend(number, problems)
        return
    names = {ours: place.name for ours, place in places.items()}
    for count, (number, cells) in enumerate(records, start=1):
        if count > _MOST_ROWS:
            fix = "Import it in parts, each client in one of them."
            faults.note(number, "file", f"holds more than {_MOST_ROWS:,} rows.", fix)
            return
        if len(cells) < len(header) or any(cell.strip() for cell in cells[len(header) :]):
            fix = "Look for a separator inside a cell that is not in quotation marks."
            faults.note(number, "row", f"has {len(cells)} cells, and the header has {len(header)}.", fix)
        else:
            yield Row(number, _tidy(cells, places), names)


def _records(lines: Iterator[str], delimiter: str, faults: Faults) -> Iterator[tuple[int, list[str]]]:
    """Yield what is not empty with the line it begins on, until the end, a broken quotation or too many faults."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while not faults.is_full:
        number = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            fix = "Look for a quotation mark that is missing or not doubled, or export the file anew."
            faults.note(number, "row", f"cannot be read: {error}.", fix)
            return
        if any(cell.strip() for cell in cells):
            yield number, cells


def _lines(file: BinaryIO, faults: Faults) -> Iterator[str]:
    """Yield the lines of a UTF-8 file; a byte that is none is a fault of its line, and the rest is read."""
    for number in itertools.count(1):
        raw = file.readline(_MOST_LINE_BYTES + 1)
        if not raw:
            return
        if number == 1 and raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            faults.note(1, "file", "is UTF-16.", "Save it as CSV UTF-8.")
            return
        if len(raw) > _MOST_LINE_BYTES:
            faults.note(number, "line", "is longer than 200 kB.", "Is this a CSV file? Export it anew.")
            return
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            faults.note(number, "line", f"is not UTF-8 at byte {error.start + 1}.", "Save the file as CSV UTF-8.")
            text = raw.decode("utf-8", "replace")
        yield text.removeprefix("\ufeff") if number == 1 else text


def _delimiter_of(header: str, columns: ColumnMap) -> str:
    """Return the separator under which most of our columns are found."""

    def known(delimiter: str) -> int:
        return sum(columns.ours(name) is not None for name in _split(header, delimiter))

    return max(_DELIMITERS, key=known)


def _split(header: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([header], delimiter=delimiter), [])
    except csv.Error:
        return []


def _tidy(cells: list[str], places: Mapping[str, Place]) -> dict[str, str]:
    """Return the cells by our column; words on one line, with single spaces. An id stays as it is written."""
    return {
        ours: cells[place.at].strip() if ours in _IDS else " ".join(cells[place.at].split())
        for ours, place in places.items()
    }
