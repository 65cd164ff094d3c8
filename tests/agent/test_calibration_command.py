"""`python -m agent calibrate` measures scored pairs without a model, and a model's scores with one."""

import json
from collections import Counter

import pytest

from agent.__main__ import main
from agent.domains import open_case
from tests.agent.grading import failed
from tests.agent.judge_labels import FOLDER, PARTS, drafts, label_of
from tests.agent.judge_texts import SUBJECTS


def _items(part: str) -> list[dict]:
    return json.loads((FOLDER / f"{part}.json").read_text(encoding="utf-8"))["items"]


@pytest.mark.parametrize("part", PARTS)
def test_the_labelled_drafts_are_what_their_defects_make_them(part):
    items = _items(part)
    assert items == list(drafts(part))
    for item in items:
        assert item["labels"] == {name: label_of(places) for name, places in item["defects"].items()}
        rubric = open_case("tasks", item["facts"]).rubric
        assert set(item["labels"]) == {criterion.id for criterion in rubric.criteria}


def test_there_are_enough_labelled_drafts_in_two_parts_that_share_no_subject():
    tune, test = _items("tune"), _items("test")
    assert len(tune) + len(test) >= 150
    assert not {item["facts"]["prompt"] for item in tune} & {item["facts"]["prompt"] for item in test}
    assert not {item["text"] for item in tune} & {item["text"] for item in test}
    spread = Counter(label for item in (*tune, *test) for label in item["labels"].values())
    assert min(spread.values()) > 0.1 * sum(spread.values()), spread
    assert set(spread) == {1, 2, 3, 4, 5}


def test_every_defect_changes_the_text():
    for subject in SUBJECTS:
        assert all(good and good != bad for pairs in subject.parts.values() for good, bad in pairs), subject.name


@pytest.mark.parametrize("name", ["split_payment", "prorate_fee", "round_up", "late_fee"])
def test_a_draft_without_defects_passes_its_hard_checks(name):
    (clean,) = (item for part in PARTS for item in _items(part) if item["id"] == f"{name}-00")
    assert failed(clean["text"], clean["facts"]) == set()


def _run(tmp_path, capsys, data, *more: str) -> dict:
    file = tmp_path / "labels.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    assert main(["calibrate", "--labels", str(file), "--json", *more]) == 0
    return json.loads(capsys.readouterr().out)


def test_scored_pairs_need_no_model(tmp_path, capsys):
    told = _run(tmp_path, capsys, {"pairs": [[1, 1], [5, 5], [3, 3], [4, 4], [2, 2]]})
    assert (told["qwk"], told["mae"], told["within_1"], told["length_bias"]) == (1.0, 0.0, 1.0, None)
    assert told["gates"] is False
    assert told["published"]["qwk"] == 0.942


def test_a_model_scores_texts_and_probes_and_its_scores_are_kept(tmp_path, capsys):
    item = _items("tune")[0]
    quote = item["text"][:38]
    reply = {name: {"quote": quote, "score": 5} for name in item["labels"]}
    script = tmp_path / "judge.json"
    script.write_text(json.dumps([reply]), encoding="utf-8")
    kept = tmp_path / "scores.jsonl"
    spoilt = {**_items("tune")[3], "id": "spoilt"}
    more = ("--model", f"scripted:{script}", "--scores", str(kept), "--probes", "2")
    told = _run(tmp_path, capsys, {"items": [item, spoilt]}, *more)
    assert told["length_bias"]["rises"] is False
    assert told["repeat"]["share_changed"] == 0.0
    assert len(kept.read_text(encoding="utf-8").splitlines()) == 2 * 4
    script.write_text(json.dumps(["no longer asked"]), encoding="utf-8")
    again = _run(tmp_path, capsys, {"items": [item, spoilt]}, *more)
    assert again == told


def test_a_judge_that_answers_nothing_readable_scores_one_throughout(tmp_path, capsys):
    script = tmp_path / "judge.json"
    script.write_text(json.dumps(["I'm sorry, but I can't help with that."]), encoding="utf-8")
    more = ("--model", f"scripted:{script}", "--probes", "0", "--scores", str(tmp_path / "scores.jsonl"))
    told = _run(tmp_path, capsys, {"items": _items("tune")[:3]}, *more)
    assert told["unreadable"] == 3
    assert _run(tmp_path, capsys, {"items": _items("tune")[:3]}, *more)["unreadable"] == 3  # also when none is asked
    assert [sum(column) for column in zip(*told["confusion"], strict=True)][1:] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("data", "more", "said"),
    [
        ({"pairs": [[9, 1]]}, (), "pairs.0.label"),
        ({"items": [{"id": "a", "labels": {"x": 3}}]}, (), "a has no scores. Give --model"),
        ({"pairs": [[3, 3]]}, ("--model", "scripted:none.json"), "a model cannot score it"),
    ],
)
def test_what_cannot_be_measured_is_bad_input(tmp_path, capsys, data, more, said):
    file = tmp_path / "labels.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    assert main(["calibrate", "--labels", str(file), *more]) == 2
    assert said in capsys.readouterr().err


def test_kept_scores_that_are_no_scores_are_refused_by_their_line(tmp_path, capsys):
    script, labels, kept = (tmp_path / name for name in ("judge.json", "labels.json", "scores.jsonl"))
    script.write_text(json.dumps(["not asked"]), encoding="utf-8")
    labels.write_text(json.dumps({"items": _items("tune")[:1]}), encoding="utf-8")
    for scores in ({"summary": 9}, {"summary": True}, {"summary": "5"}, [5]):
        kept.write_text(json.dumps({"key": "main/a", "model": f"scripted:{script}", "scores": scores}) + "\n")
        whole = ["calibrate", "--labels", str(labels), "--model", f"scripted:{script}", "--scores", str(kept)]
        assert main(whole) == 2, scores
        assert "line 1 holds no scores" in capsys.readouterr().err


def test_a_missing_file_is_bad_input(capsys):
    assert main(["calibrate", "--labels", "nowhere.json"]) == 2
    assert "nowhere.json" in capsys.readouterr().err
