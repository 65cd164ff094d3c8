import json
import re
import shutil
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from memory.preferences import Reason
from memory.sanitize import Sanitizer
from memory.sanitize.ner import MODEL_FOLDER, Recogniser
from reviewhub import examining, export_examples, exporting
from reviewhub.edits import Edit
from reviewhub.intake import read_case, submit_case
from reviewhub.models import Actor, AuditEvent, Case, Decision, Draft, Exemplar, ExemplarState, FactSheet, Who
from tests.hub.acting import act
from tests.hub.exported import left_out
from tests.hub.full_disk import full_disk
from tests.hub.learned import learn

pytestmark = pytest.mark.django_db

BILLING = Path("fixtures/billing")
PERSON = {
    "opening": "Thank you for working with us. The items below are still open.",
    "request": "Please settle the total of [TOTAL_DUE], and tell us in your reply when you will send it.",
    "closing": "If one of the items does not look right, tell us which one, and we will look into it.",
}


@pytest.fixture
def later(now):
    return now + timedelta(minutes=5)


@pytest.fixture
def teach(later):
    """Learn from every decision that may be learned from, as the worker does."""

    def run():
        for decision in Decision.objects.to_learn_from(later):
            learn(decision_id=decision.pk, clock=lambda: later)

    return run


@pytest.fixture
def approve(people, now):
    """Approve a draft with the person's prose, typed with its slots filled."""

    def run(draft, prose=PERSON, **more):
        values = draft.sheet.as_case().slot_values()
        typed = [text.replace("[TOTAL_DUE]", values["TOTAL_DUE"]) for text in prose.values()]
        return act("approve_edited", draft, people["operator"], now, edit=Edit(prose=tuple(typed)), **more)

    return run


def answer(row, column):
    return json.loads(row[column][0]["content"])


# What goes out


def test_an_edit_is_a_pair_and_a_completion_in_slot_language(draft, approve, teach, export):
    approve(draft)
    teach()
    rows, manifest = export()
    [pair], [completion] = rows["dpo.train.jsonl"], rows["sft.train.jsonl"]
    assert answer(pair, "chosen") == answer(completion, "completion") == PERSON
    assert answer(pair, "rejected") == json.loads((BILLING / "client_101/scripted.json").read_text())[0]
    assert pair["prompt"] == completion["prompt"]
    assert manifest["decisions"] == 1
    assert manifest["counts"]["dpo"] == {"out": {"train": 1, "validation": 0}, "left_out": {}}


def test_the_prompt_is_what_the_model_was_told_without_examples(draft, approve, teach, export):
    approve(draft)
    teach()
    rows, _ = export()
    [row] = rows["dpo.train.jsonl"]
    asked = draft.attempts.get().prompt
    assert [message["role"] for message in row["prompt"]] == ["system", "user"]
    assert row["prompt"] == [asked[0], asked[-1]]
    assert len(asked) > 2


def test_an_approval_as_it_was_is_a_completion_alone(draft, people, now, export, later):
    act("approve_as_is", draft, people["operator"], now)
    rows, manifest = export()
    assert answer(rows["sft.train.jsonl"][0], "completion")["opening"].startswith("This is a friendly reminder")
    assert rows["sft.train.jsonl"][0]["provenance"]["written"] == "agent"
    assert left_out(manifest, "dpo") == {"approved_as_it_was": 1}


def test_a_text_that_was_written_freely_is_a_completion_as_plain_text(draft, people, now, teach, export):
    text = "The items TX-1001 and TX-1002 are still open. Please settle the total of $1,975.00."
    act("approve_edited", draft, people["operator"], now, edit=Edit(free=text))
    teach()
    rows, manifest = export()
    [row] = rows["sft.train.jsonl"]
    said = row["completion"][0]["content"]
    assert "still open. Please settle the total of [TOTAL_DUE]." in said
    assert "TX-" not in said
    assert left_out(manifest, "dpo") == {"written_freely": 1}


def test_a_correction_in_quarantine_is_what_is_preferred(draft, approve, teach, export, people, later):
    approve(draft)
    teach()
    exemplar = Exemplar.objects.get()
    corrected = {**PERSON, "closing": "Please tell us which item does not look right to you."}
    exemplar.wait_again(by=Actor(Who.OPERATOR, people["operator"].pk), now=later, prose=corrected)
    learn(decision_id=exemplar.decision_id, clock=lambda: later)
    rows, _ = export()
    assert answer(rows["dpo.train.jsonl"][0], "chosen") == corrected


# What stays in


@pytest.mark.parametrize(
    ("reason", "change"),
    [
        ("undone", {"undone_at": "later"}),
        ("overridden", {"overridden": True, "override_reason": "The check misreads the date."}),
        ("not_effective", {"effects_at": "in a year"}),
    ],
)
def test_an_approval_that_does_not_stand_by_itself_is_left_out(reason, change, draft, approve, teach, export, later):
    decision = approve(draft)
    teach()
    times = {"later": later, "in a year": later + timedelta(days=20_000)}
    Decision.objects.filter(pk=decision.pk).update(**{name: times.get(value, value) for name, value in change.items()})
    rows, manifest = export()
    assert rows == {}
    assert left_out(manifest, "dpo") == left_out(manifest, "sft") == {reason: 1}


def test_an_edit_that_was_not_learned_yet_waits(draft, approve, export):
    approve(draft)
    _, manifest = export()
    assert left_out(manifest, "dpo") == {"waiting": 1}


def test_an_edit_in_quarantine_is_left_out_and_counted(draft, approve, teach, export):
    approve(draft, {**PERSON, "opening": "Thank you, Clara. The items below are still open."})
    teach()
    rows, manifest = export()
    assert rows == {}
    assert left_out(manifest, "sft") == {"quarantined": 1}


def test_an_edit_that_was_forgotten_is_left_out(draft, approve, teach, export, people, later):
    approve(draft)
    teach()
    Exemplar.objects.get().forget(by=Actor(Who.OPERATOR, people["operator"].pk), now=later)
    _, manifest = export()
    assert left_out(manifest, "dpo") == {"forgotten": 1}


def test_a_draft_with_a_name_in_it_is_not_let_out_although_the_person_took_it_out(draft, approve, teach, export):
    body = draft.shown.body
    opening = next(block for block in body["blocks"] if block["name"] == "opening")
    opening["text"] = "Clara, this is a friendly reminder of the open items."
    draft.shown.save()
    approve(draft)
    teach()
    rows, manifest = export()
    assert rows == {}
    assert left_out(manifest, "dpo") == {"not_clean": 1}


def test_an_edit_that_left_a_passage_out_has_another_shape(draft, approve, teach, export):
    approve(draft, {**PERSON, "closing": ""})
    teach()
    _, manifest = export()
    assert left_out(manifest, "dpo") == left_out(manifest, "sft") == {"shape_differs": 1}


def test_an_edit_that_is_smaller_than_asked_for_makes_no_pair(draft, people, now, teach, export):
    shown = json.loads((BILLING / "client_101/scripted.json").read_text())[0]
    values = draft.sheet.as_case().slot_values()
    texts = {name: text.replace("friendly", "short") for name, text in shown.items()}
    typed = [
        text.replace("[TOTAL_DUE]", values["TOTAL_DUE"]).replace("[OLDEST_DUE]", values["OLDEST_DUE"])
        for text in texts.values()
    ]
    act("approve_edited", draft, people["operator"], now, edit=Edit(prose=tuple(typed)))
    teach()
    _, manifest = export()
    assert left_out(manifest, "dpo") == {"too_little_changed": 1}
    rows, _ = export(least_words_changed=1)
    assert len(rows["dpo.train.jsonl"]) == 1


def test_a_copy_of_a_row_is_left_out(written, fresh, approve, teach, export):
    approve(written())
    second = json.loads((BILLING / "client_101/facts.json").read_text())
    second["client"]["id"] = "client_102"
    case = read_case({"external_id": "second", "domain": "billing", "facts": second}, queue=Case.objects.get().queue)
    first = Draft.objects.get()
    draft = submit_case(queue=first.queue, case=case, by=Actor(Who.INTAKE), now=first.created_at, rings=False).draft
    from_first(first, draft)
    approve(draft)
    teach()
    rows, manifest = export()
    assert len(rows["dpo.train.jsonl"]) == len(rows["sft.train.jsonl"]) == 1
    assert left_out(manifest, "dpo") == {"duplicate": 1}


def from_first(first, draft):
    """Give a draft the output of another one of the same kind."""
    shown = first.shown
    shown.pk, shown.draft = None, draft
    shown.save(force_insert=True)
    Draft.objects.filter(pk=draft.pk).update(state="awaiting_review", shown=shown)
    draft.refresh_from_db()


def test_the_clients_message_is_told_without_what_identifies_them(draft, approve, teach, export):
    Case.objects.update(message="Clara Moss here. TX-1001 was paid, call me on +1 555 0173.")
    approve(draft)
    teach()
    rows, _ = export()
    asked = rows["dpo.train.jsonl"][0]["prompt"][-1]["content"]
    assert "[CLIENT_NAME] here." in asked
    assert not [trace for trace in ("Clara", "Moss", "1001", "0173") if trace in asked]


def test_a_message_that_is_not_provably_clean_keeps_its_row_in(draft, approve, teach, export):
    Case.objects.update(message="Please look at the zorbex first.")
    approve(draft)
    teach()
    rows, manifest = export()
    assert rows == {}
    assert left_out(manifest, "dpo") == {"not_clean": 1}


def test_what_a_title_an_id_and_an_attachment_tell_is_in_no_file(draft, approve, teach, export, tmp_path):
    told = "Please ask Zephyrine Quillfeather about QUILLHAVEN-4711 and the Vossler letter."
    Case.objects.update(title="Statement for Zephyrine Quillfeather", external_id="QUILLHAVEN-4711", message=told)
    facts = {**draft.sheet.facts, "attachments": [{"name": "Vossler letter.pdf"}]}
    FactSheet.objects.filter(pk=draft.sheet_id).update(facts=facts)
    draft = Draft.objects.get(pk=draft.pk)
    approve(draft)
    teach()
    _, manifest = export()
    assert manifest["decisions"] == 1
    held = b"".join(path.read_bytes() for path in (tmp_path / "out").iterdir()).lower()
    assert not [word for word in (b"zephyrine", b"quillfeather", b"quillhaven", b"vossler") if word in held]


def test_a_decision_that_cannot_be_read_is_left_out_and_named_in_the_log(
    draft, written, approve, teach, export, caplog
):
    broken, whole = approve(draft), approve(written("client_a"))
    teach()
    Exemplar.objects.filter(decision=broken).delete()
    Decision.objects.filter(pk=broken.pk).update(body={"kind": "Zaphod"}, verdict="approved_as_is", written="agent")
    rows, manifest = export()
    assert left_out(manifest, "sft") == {"unreadable": 1}
    assert len(rows["sft.train.jsonl"]) == 1
    assert f"decision {broken.pk} cannot be read for an export" in caplog.text
    assert "Zaphod" not in caplog.text
    assert whole.pk != broken.pk


def test_facts_of_a_client_that_cannot_be_read_stop_the_export(draft, make_draft, approve, teach, export, tmp_path):
    approve(draft)
    teach()
    other = make_draft()
    FactSheet.objects.filter(pk=other.sheet_id).update(facts={"client": "Zaphod"})
    examining._clients.clear()
    with pytest.raises(CommandError) as stopped:
        export()
    assert f"Nothing was exported: sheet {other.sheet_id} of case {other.case_id} cannot be read" in str(stopped.value)
    assert "Zaphod" not in str(stopped.value)
    assert list((tmp_path / "out").iterdir()) == []


def test_a_changed_model_of_names_stops_the_export(draft, approve, teach, export, tmp_path, monkeypatch):
    approve(draft)
    teach()
    shutil.copytree(MODEL_FOLDER, tmp_path / "model")
    (tmp_path / "model" / "meta.json").write_text("{}")
    changed = Sanitizer(Recogniser(tmp_path / "model"))
    monkeypatch.setattr(export_examples, "sanitizer", lambda: changed)
    with pytest.raises(CommandError, match=r"\ANothing was exported: [^\n]*meta\.json"):
        export()
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(
    ("name", "held", "said"),
    [
        ("manifest.json", '{"name": "a web app"}', "a manifest.json that no export wrote"),
        ("manifest.json", "no JSON", "a manifest.json that no export wrote"),
        ("manifest.json", "[]", "a manifest.json that no export wrote"),
        ("dpo.train.jsonl", '{"my": "own"}', "dpo.train.jsonl without a manifest.json that says it is an export's"),
    ],
)
def test_a_folder_with_somebody_elses_files_is_refused(draft, approve, teach, export, tmp_path, name, held, said):
    approve(draft)
    teach()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_text(held)
    with pytest.raises(CommandError, match=said):
        export()
    assert [(path.name, path.read_text()) for path in (tmp_path / "out").iterdir()] == [(name, held)]


def test_every_reason_to_leave_a_row_out_is_in_the_docs():
    said = Path("docs/export.md").read_text()
    in_code = re.findall(r'LeftOut\("(\w+)"\)', Path("reviewhub/export_examples.py").read_text())
    not_clean = [state for state in ExemplarState if state not in {ExemplarState.READY, ExemplarState.INDEXED}]
    for reason in (*Reason, *not_clean, *in_code, "duplicate"):
        assert f"`{reason}`" in said


# The files


def test_an_export_takes_the_place_of_the_one_before(draft, approve, teach, export, people, later, tmp_path):
    approve(draft)
    teach()
    export()
    Exemplar.objects.get().forget(by=Actor(Who.OPERATOR, people["operator"].pk), now=later)
    rows, manifest = export()
    assert (rows, manifest["files"]) == ({}, [])
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["manifest.json"]


def test_what_is_forgotten_or_taken_back_while_an_export_runs_and_before_its_turn_is_left_out(
    written, fresh, approve, teach, export, later, monkeypatch
):
    first, forgotten, undone = (approve(written(name)) for name in ("client_101", "client_a", "client_b"))
    teach()
    real = exporting.example_of

    def change_the_next(decision, **more):
        if decision == first:
            Exemplar.objects.get(decision=forgotten).forget(by=Actor(Who.OPERATOR), now=later)
            Decision.objects.filter(pk=undone.pk).update(undone_at=later)
        return real(decision, **more)

    monkeypatch.setattr(exporting, "example_of", change_the_next)
    rows, manifest = export()
    assert [row["provenance"]["source"] for row in rows["dpo.train.jsonl"]] == [
        export_examples._opaque(f"decision/{first.pk}")
    ]
    assert manifest["decisions"] == 3
    assert left_out(manifest, "dpo") == left_out(manifest, "sft") == {"forgotten": 1, "undone": 1}


def test_an_export_is_written_into_the_audit_trail_of_its_queue(draft, queue, export):
    export(format="sft")
    [line] = AuditEvent.objects.filter(act="export_preferences", queue_ref=queue.pk)
    assert (line.who, line.row_kind, line.fields) == ("admin", "queue", ["sft"])


# Wrong ways to ask


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"format": "kto"}, "kto cannot be exported yet. Give dpo or sft, or both"),
        ({"format": "dpo,openai"}, "openai cannot be exported yet"),
        ({"format": "csv"}, "'csv' is no format. Give dpo or sft"),
        ({"format": ""}, "'' is no format"),
        ({"queue": "billing"}, "There is no queue 'billing'. Queues: billing-east"),
        ({"validation_percent": 101}, "101 is out of range. Give a number from 0 to 100"),
        ({"least_words_changed": 0}, "0 is out of range. Give a number from 1"),
    ],
)
def test_a_wrong_option_is_refused_with_what_to_do(options, said, queue, export, tmp_path):
    with pytest.raises(CommandError, match=said):
        export(**options)
    assert not (tmp_path / "out").exists()


def test_a_folder_that_is_a_file_is_refused(queue, tmp_path):
    (tmp_path / "out").write_text("not a folder")
    with pytest.raises(CommandError, match="cannot be written: File exists"):
        call_command("export_preferences", output=tmp_path / "out")
    assert (tmp_path / "out").read_text() == "not a folder"


def test_a_full_disk_is_said_in_one_line_and_leaves_no_part_of_an_export(draft, people, now, tmp_path, export):
    act("approve_as_is", draft, people["operator"], now)
    export()
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    noted = AuditEvent.objects.filter(act="export_preferences").count()
    for folder, left in (("out", before), ("new", {})):
        with (
            full_disk(),
            pytest.raises(CommandError, match=r"\A[^\n]+ cannot be written: File too large\. Give a folder"),
        ):
            export(folder)
        assert {path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()} == left
    assert AuditEvent.objects.filter(act="export_preferences").count() == noted
    export("new")


def test_it_says_what_it_wrote(draft, people, now, tmp_path):
    act("approve_as_is", draft, people["operator"], now)
    said = StringIO()
    call_command("export_preferences", output=tmp_path / "out", validation_percent=0, stdout=said)
    assert "dpo: 0 train, 0 validation; left out: approved_as_it_was 1\n" in said.getvalue()
    assert "sft: 1 train, 0 validation; left out: none\n" in said.getvalue()
