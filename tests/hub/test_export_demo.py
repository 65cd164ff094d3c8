"""What the demo's past edits come to as data to train on, drafted and learned from once for all of these tests."""

import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import transaction
from django.utils import timezone
from jsonschema import Draft202012Validator

from agent.fixtures import past_edits
from reviewhub import exporting
from reviewhub.demo import seed
from reviewhub.models import Decision
from tests.hub.exported import left_out
from tests.hub.learned import learn
from tests.traces import traces

pytestmark = pytest.mark.django_db

BILLING = Path("fixtures/billing")
SCHEMAS = Path("docs/schemas")


@pytest.fixture(scope="module")
def demo(django_db_setup, django_db_blocker, tmp_path_factory):
    """Make the demo of the clients with past edits, and learn from these, in a transaction around every test."""
    folder = tmp_path_factory.mktemp("demo")
    for name in ("client_101", "client_a", "client_b"):
        shutil.copytree(BILLING / name, folder / "examples" / name)
    with django_db_blocker.unblock(), transaction.atomic():
        seed(fixtures=folder / "examples", logins=folder / "logins", now=timezone.now())
        for decision in Decision.objects.to_learn_from(timezone.now()):
            learn(decision_id=decision.pk, clock=timezone.now)
        with django_db_blocker.block():
            yield
        transaction.set_rollback(True)


def validator(name):
    return Draft202012Validator(json.loads((SCHEMAS / f"export-{name}.schema.json").read_text()))


def test_the_demos_past_edits_go_out_and_every_decision_and_file_is_accounted_for(demo, export, tmp_path):
    rows, manifest = export(validation_percent=50)
    assert manifest["decisions"] == 11
    for counted in manifest["counts"].values():
        assert sum(counted["out"].values()) + sum(counted["left_out"].values()) == 11
    assert left_out(manifest, "dpo") == left_out(manifest, "sft") == {"quarantined": 1}
    validator("manifest").validate(manifest)
    for name, lines in rows.items():
        for line in lines:
            validator(name[:3]).validate(line)
    assert len(manifest["files"]) >= 2
    for file in manifest["files"]:
        content = (tmp_path / "out" / file["name"]).read_bytes()
        assert (file["lines"], file["bytes"]) == (content.count(b"\n"), len(content))
        assert file["sha256"] == hashlib.sha256(content).hexdigest()
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"manifest.json", *rows}
    assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "out").iterdir()} == {0o600}


def test_no_client_of_the_examples_can_be_told_from_an_export(demo, export, tmp_path):
    export(validation_percent=30)
    written = b"".join(path.read_bytes() for path in (tmp_path / "out").iterdir())
    assert b"[TOTAL_DUE]" in written
    for folder in BILLING.iterdir():
        facts = [
            json.loads((folder / "facts.json").read_text()),
            *(edit.facts for edit in past_edits(folder, "billing")),
        ]
        found = {trace for given in facts for trace in traces(given) if trace in written}
        assert not found, folder.name


def test_everything_about_a_subject_is_in_one_split_and_stays_there(demo, export):
    seen = {}
    for folder, queue, decisions in (("all", None, 11), ("one", "demo-credit-control", 3)):
        rows, manifest = export(folder, validation_percent=50, queue=queue)
        assert manifest["decisions"] == decisions
        for name, lines in rows.items():
            for line in lines:
                split = name.split(".")[1]
                assert seen.setdefault(line["provenance"]["subject"], split) == split
    assert len(seen) == 3


def test_the_same_decisions_make_the_same_files_however_many_are_read_at_once(demo, export, monkeypatch):
    _, whole = export("one")
    monkeypatch.setattr(exporting, "_CHUNK", 3)
    _, in_steps = export("two")
    assert in_steps["files"] == whole["files"]
    assert in_steps["decisions"] == 11


def test_datasets_loads_what_was_written(demo, export, tmp_path):
    rows, _ = export(validation_percent=50)
    files = {name: str(tmp_path / "out" / name) for name in rows if name.startswith("dpo")}
    script = (
        "import sys, json, datasets\n"
        "loaded = datasets.load_dataset('json', data_files=json.loads(sys.argv[1]), cache_dir=sys.argv[2])\n"
        "found = {name: [split.num_rows, sorted(split.column_names), split[0]] for name, split in loaded.items()}\n"
        "print(json.dumps(found))"
    )
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf"), "HF_DATASETS_OFFLINE": "1"}
    splits = json.dumps({name.split(".")[1]: path for name, path in files.items()})
    done = subprocess.run(
        [sys.executable, "-c", script, splits, str(tmp_path / "cache")],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
    )
    loaded = json.loads(done.stdout.splitlines()[-1])
    for name, lines in rows.items():
        if name.startswith("dpo"):
            count, columns, first = loaded[name.split(".")[1]]
            assert (count, first) == (len(lines), lines[0])
            assert columns == ["chosen", "prompt", "provenance", "rejected"]
