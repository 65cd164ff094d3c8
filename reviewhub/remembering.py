"""Reach what remembers: the embedding model, loaded in a process when it is first needed, and the vector store."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from django.conf import settings
from django.utils.module_loading import import_string

from agent.domains.domain import Case as AgentCase
from memory.model_folder import ModelFolderInvalid
from memory.store import Store
from reviewhub.models import DOMAINS, VECTOR_BYTES, Exemplar

if TYPE_CHECKING:
    from memory.embed import Embedder

__all__ = [
    "EMBEDDER",
    "STORE_AWAY",
    "STORE_REFUSED",
    "Vector",
    "as_bytes",
    "as_matrix",
    "embed_exemplars",
    "embed_query",
    "embedder",
    "load_embedder",
    "store",
]

Vector = npt.NDArray[np.float32]

EMBEDDER = "all-MiniLM-L6-v2"
"""The model that vectors are of; rows keep its name, so that those of another one are found."""


STORE_AWAY = "store-away"
"""The name under which it is counted that a text could not be put into the vector store, or taken out."""
STORE_REFUSED = "store-refused"
"""The name under which it is counted that the vector store answered and refused one of them."""


# Its module brings torch, which takes seconds and hundreds of megabytes. It is loaded by name at the first text: a
# process that sweeps or drafts without past edits never does, and a worker's children do after they are forked.
@cache
def embedder() -> "Embedder":
    """Return the embedding model; at a text it raises ModelFolderInvalid when its files are not its package's."""
    try:
        model: Embedder = import_string("memory.embed.Embedder")()
    except (ImportError, OSError) as error:
        # A package that is not there, or a torch whose libraries cannot be loaded on this machine.
        raise ModelFolderInvalid(f"the embedding model cannot be loaded: {error}. Run make setup again.") from error
    return model


def load_embedder() -> None:
    """Load the embedding model if this process has not; raise ModelFolderInvalid."""
    embedder().encode(["Ready."])


def embed_exemplars(rows: Sequence[Exemplar]) -> Vector:
    """Return a vector for each row, of its situation and prose; raise ModelFolderInvalid."""
    text_of = import_string("memory.embed.situation_text")
    return embedder().encode([text_of(_in_words(row.domain, row.situation), row.prose) for row in rows])


def embed_query(case: AgentCase) -> Vector:
    """Return the vector of what is to be answered, as far as it identifies nobody; raise ModelFolderInvalid.

    What the client wrote is taken with its names, figures and addresses left out.
    """
    situation = _in_words(case.domain.name, case.situation.name)
    text: str = import_string("memory.embed.query_text")(situation, case.domain.particulars(case))
    vector: Vector = embedder().encode([text])[0]
    return vector


def _in_words(domain: str, situation: str) -> str:
    """Return a situation with what it is for: two names may be near in wording and far apart in purpose."""
    known = DOMAINS[domain].situations.get(situation)
    return f"{situation}: {known.purpose}" if known else situation


def store(timeout_seconds: float = 1.0) -> Store:
    """Return the client of the vector store, whose calls end within so many seconds each."""
    return Store.at(settings.REVIEWHUB_CHROMA_URL, timeout_seconds=timeout_seconds)


def as_bytes(vector: Vector) -> bytes:
    """Return a vector as a row keeps it: 384 float32, little endian."""
    return np.asarray(vector, dtype="<f4").tobytes()


def as_matrix(vectors: Sequence[bytes | memoryview | None]) -> Vector:
    """Return the kept vectors of rows, one below the other."""
    kept = b"".join(bytes(vector) for vector in vectors if vector is not None)
    return np.frombuffer(kept, dtype="<f4").reshape(-1, VECTOR_BYTES // 4)
