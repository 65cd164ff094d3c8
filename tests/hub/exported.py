"""Export into a folder and read what was written."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

__all__ = ["export", "left_out"]


@pytest.fixture
def export(tmp_path):
    """Export into a folder and return the rows of each file with the manifest."""

    def run(folder="out", **options):
        given = {"output": tmp_path / folder, "format": "dpo,sft", "validation_percent": 0, **options}
        call_command("export_preferences", stdout=StringIO(), **given)
        return read(tmp_path / folder)

    return run


def read(folder):
    manifest = json.loads((folder / "manifest.json").read_text())
    rows = {
        file["name"]: [json.loads(line) for line in (folder / file["name"]).read_text().splitlines()]
        for file in manifest["files"]
    }
    return rows, manifest


def left_out(manifest, name):
    return manifest["counts"][name]["left_out"]
