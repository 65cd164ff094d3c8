import errno
import json

import pytest

from reviewhub.export_files import JsonLines, publish
from tests.hub.full_disk import full_disk


def test_a_file_that_broke_off_leaves_nothing_and_the_earlier_one_stands(tmp_path):
    (tmp_path / "sft.train.jsonl").write_text("earlier\n")
    with JsonLines(tmp_path, "sft.train.jsonl") as file:
        file.write({"prompt": "one"})
    assert [path.name for path in tmp_path.iterdir()] == ["sft.train.jsonl"]
    assert (tmp_path / "sft.train.jsonl").read_text() == "earlier\n"


def written(folder, lines, manifest=None):
    with JsonLines(folder, "sft.train.jsonl") as file:
        for _ in range(lines):
            file.write({"prompt": "one"})
        if manifest is not None:
            publish(folder, [file], manifest)


@pytest.mark.parametrize("lines", [1, 5_000], ids=["as the file is closed", "as a line is written"])
def test_a_full_disk_leaves_no_part_of_a_file_and_the_earlier_one_stands(tmp_path, lines):
    (tmp_path / "sft.train.jsonl").write_text("earlier\n")
    with full_disk(), pytest.raises(OSError, match="too large") as refused:
        written(tmp_path, lines)
    assert refused.value.errno == errno.EFBIG
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("sft.train.jsonl", "earlier\n")]


def test_a_disk_that_is_full_before_the_manifest_leaves_the_earlier_export_and_no_part(tmp_path):
    (tmp_path / "sft.train.jsonl").write_text("earlier\n")
    (tmp_path / "manifest.json").write_text("{}")
    with full_disk(), pytest.raises(OSError, match="too large"):
        written(tmp_path, 1, manifest={})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["manifest.json", "sft.train.jsonl"]
    assert (tmp_path / "sft.train.jsonl").read_text() == "earlier\n"


def test_nobody_sees_a_file_before_it_is_whole(tmp_path):
    with JsonLines(tmp_path, "sft.train.jsonl") as file:
        file.write({"prompt": "[TOTAL_DUE] \u00e9"})
        assert not (tmp_path / "sft.train.jsonl").exists()
        publish(tmp_path, [file], {"files": [file.as_entry()]})
    assert json.loads((tmp_path / "sft.train.jsonl").read_text(encoding="utf-8")) == {"prompt": "[TOTAL_DUE] \u00e9"}
    assert json.loads((tmp_path / "manifest.json").read_text())["files"][0]["lines"] == 1
    assert len(list(tmp_path.iterdir())) == 2


def test_a_file_without_lines_is_not_there_nor_an_earlier_one_of_its_name(tmp_path):
    (tmp_path / "dpo.train.jsonl").write_text("earlier\n")
    with JsonLines(tmp_path, "dpo.train.jsonl") as file:
        publish(tmp_path, [file], {})
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]


def test_a_manifest_stands_beside_whole_files_alone(tmp_path):
    """A folder in the place of a file cannot be written over: the disk's refusal comes between the files."""
    (tmp_path / "manifest.json").write_text("{}")
    (tmp_path / "dpo.train.jsonl").mkdir()
    with JsonLines(tmp_path, "dpo.train.jsonl") as file:
        file.write({"prompt": "one"})
        with pytest.raises(OSError, match="directory"):
            publish(tmp_path, [file], {})
    assert [path.name for path in tmp_path.iterdir()] == ["dpo.train.jsonl"]


def test_the_files_of_formats_that_are_not_written_now_go(tmp_path):
    (tmp_path / "dpo.train.jsonl").write_text("may hold what was forgotten since\n")
    (tmp_path / "notes.txt").write_text("of the person who exports\n")
    with JsonLines(tmp_path, "sft.train.jsonl") as file:
        file.write({"prompt": "one"})
        publish(tmp_path, [file], {}, replacing={"dpo.train.jsonl", "sft.train.jsonl"})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["manifest.json", "notes.txt", "sft.train.jsonl"]
