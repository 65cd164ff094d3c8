"""Find the columns of a ledger in the header of a CSV file, by our names or by those that a map gives."""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.facts import Problem

__all__ = ["COLUMNS", "NEEDED", "ColumnMap", "MapInvalid", "Place", "find_columns", "read_map"]

NEEDED = ("client.id", "client.name", "id", "kind", "period", "amount", "due")
COLUMNS = (
    "client.id",
    "client.name",
    "client.contact",
    "client.email",
    "id",
    "kind",
    "description",
    "period",
    "amount",
    "paid",
    "due",
    "paid_on",
    "disputed",
    "currency",
)
_MOST_MAP_BYTES = 100_000


class MapInvalid(ValueError):
    """Refuse a map of columns; `problems` names every entry that is wrong and what to do."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """Hold how a file names our columns, and which of its columns are left out; letter case makes no difference."""

    names: Mapping[str, str] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()

    def ours(self, theirs: str) -> str | None:
        """Return which of our columns a name of the file means: by the map, or by itself when the map is silent."""
        wanted = _folded(theirs)
        for ours, name in self.names.items():
            if _folded(name) == wanted:
                return ours
        return next((ours for ours in COLUMNS if ours == wanted and ours not in self.names), None)

    def ignores(self, theirs: str) -> bool:
        """Tell whether the map leaves a column out."""
        return _folded(theirs) in self.ignored


@dataclass(frozen=True, slots=True)
class Place:
    """Tell where one of our columns stands in a row, and what the file calls it."""

    at: int
    name: str


def read_map(raw: bytes) -> ColumnMap:
    """Read a map: a table [columns] of our name = "theirs", and a list `ignore` of columns that are left out.

    An entry may stand the other way round. Raise MapInvalid that names every wrong entry.
    """
    if len(raw) > _MOST_MAP_BYTES:
        raise MapInvalid([Problem("map", "is longer than 100 kB.", "Give the columns alone.")])
    try:
        given = tomllib.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise MapInvalid([Problem("map", f"is not UTF-8 at byte {error.start}.", "Save it as UTF-8.")]) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise MapInvalid([Problem("map", f"is no TOML: {error}.", 'Write "client.id" = "Their name".')]) from error
    columns, ignored = given.pop("columns", {}), given.pop("ignore", [])
    problems = [Problem(key, "is no key of a map.", "Keep the table [columns] and the list ignore.") for key in given]
    if not isinstance(columns, dict):
        problems.append(Problem("columns", "is no table.", 'Write [columns], then "client.id" = "Their name".'))
        columns = {}
    if not isinstance(ignored, list) or not all(isinstance(name, str) for name in ignored):
        problems.append(Problem("ignore", "is no list of names.", 'Write ignore = ["Notes"].'))
        ignored = []
    names, wrong = _pairs(columns)
    if problems := [*problems, *wrong]:
        raise MapInvalid(problems)
    return ColumnMap(names, frozenset(_folded(name) for name in ignored))


def find_columns(header: Sequence[str], columns: ColumnMap) -> tuple[dict[str, Place], list[Problem]]:
    """Return where our columns stand under a header, and what is wrong with it."""
    found: dict[str, Place] = {}
    problems: list[Problem] = []
    for at, cell in enumerate(header):
        name = " ".join(cell.split())
        ours = columns.ours(name)
        if columns.ignores(name) or (not name and at == len(header) - 1):
            continue  # a row that ends in a separator has an empty last cell
        if ours is None:
            fix = f"Name it in the map, or leave it out there: ignore = [{name!r}]."
            # All of ours are listed once.
            fix += "" if problems else f" Ours are: {', '.join(COLUMNS)}."
            problems.append(Problem(name or f"column {at + 1}", "is no column that a ledger has.", fix))
        elif ours in found:
            message = f"stands for {ours}, as {found[ours].name} does."
            problems.append(Problem(name, message, "Keep one of them, or leave one out in the map."))
        else:
            found[ours] = Place(at, name)
    for ours in (*NEEDED, *(name for name in columns.names if name not in NEEDED)):
        if ours not in found:
            called = columns.names.get(ours, ours)
            problems.append(Problem(called, "is missing from the header.", "Add the column, or correct its name."))
    return found, problems


def _pairs(given: Mapping[str, Any]) -> tuple[dict[str, str], list[Problem]]:
    names: dict[str, str] = {}
    problems: list[Problem] = []
    for key, value in _flat(given):
        pair = _pair(key, value)
        if isinstance(pair, Problem):
            problems.append(pair)
        elif pair[0] in names:
            problems.append(Problem(key, f"maps {pair[0]} a second time.", "Keep one of the two."))
        else:
            names[pair[0]] = pair[1]
    used = Counter(_folded(name) for name in names.values())
    twice = [ours for ours, name in names.items() if used[_folded(name)] > 1]
    problems += [Problem(ours, f"shares {names[ours]!r} with another.", "Name a column each.") for ours in twice]
    return names, problems


def _pair(key: str, value: Any) -> tuple[str, str] | Problem:
    if not isinstance(value, str) or not value.strip():
        return Problem(key, "names no column.", 'Write "client.id" = "Their name".')
    if _folded(key) in COLUMNS:
        return _folded(key), value
    if _folded(value) in COLUMNS:
        return _folded(value), key
    return Problem(key, "is no column that a ledger has.", f"Ours are: {', '.join(COLUMNS)}.")


def _flat(given: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield entries by their whole name: without quotation marks TOML takes client.id for id in a table client."""
    for key, value in given.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{key}.")
        else:
            yield f"{before}{key}", value


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()
