import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from reviewhub.models import AuditEvent, Case

URL = "/queues/billing-east/import/"


@pytest.fixture
def lines(facts):
    return [json.dumps({"external_id": f"acme:{place}", "domain": "billing", "facts": facts}) for place in range(3)]


def send(client, text, **more):
    file = SimpleUploadedFile("cases.jsonl", text.encode())
    return client.post(URL, {"file": file, **more}, follow=True)


def test_it_takes_every_case_of_the_file_in_the_persons_name(visit, people, queue, lines):
    response = send(visit("operator"), "\n".join(lines))
    assert "3 new, 0 with new facts, 0 unchanged." in response.text
    assert Case.objects.count() == 3
    assert {event.user for event in AuditEvent.objects.all()} == {people["operator"]}


def test_the_same_file_again_changes_nothing(visit, queue, lines):
    client = visit("operator")
    send(client, "\n".join(lines))
    assert "0 new, 0 with new facts, 3 unchanged." in send(client, "\n".join(lines)).text
    assert Case.objects.count() == 3


def test_one_bad_line_refuses_the_file_and_is_named(visit, queue, lines):
    response = send(visit("operator"), "\n".join([lines[0], "{broken", lines[2]]))
    assert response.status_code == 422
    assert "line 2: line: is no JSON" in response.text
    assert Case.objects.count() == 0


def test_a_file_of_another_shape_shows_some_faults_and_counts_the_rest(visit, queue):
    response = send(visit("operator"), "nonsense\n" * 120)
    assert response.text.count("<li>line ") == 50
    assert "And 70 more." in response.text


@pytest.mark.parametrize(("text", "said"), [("", "The file is empty."), ("\n\n", "holds no case")])
def test_a_file_without_cases_is_refused(visit, queue, text, said):
    response = send(visit("operator"), text)
    assert response.status_code == 422
    assert said in response.text


def test_no_file_is_asked_for(visit, queue):
    response = visit("operator").post(URL)
    assert response.status_code == 422
    assert "Choose a file first." in response.text


def test_hostile_lines_are_text(visit, queue):
    response = send(visit("operator"), '{"external_id": "<script>alert(1)</script>", "<b>": 1}')
    assert "<script>alert" not in response.text


@pytest.mark.parametrize(("name", "status"), [("viewer", 403), ("stranger", 404)])
def test_only_operators_may(visit, queue, lines, name, status):
    assert visit(name).get(URL).status_code == status
    assert send(visit(name), lines[0]).status_code == status
    assert Case.objects.count() == 0


def test_other_methods_are_refused(visit, queue):
    assert visit("operator").put(URL).status_code == 405


# A ledger as CSV

HEADER = "Customer;client.name;id;kind;period;amount;due"
ROW = "acme;Acme Ltd;TX-1;invoice;2026-03;1,200.00;2026-04-15"
MAP = '[columns]\n"client.id" = "Customer"\n'


def send_ledger(client, *rows, columns=MAP, name="Ledger.CSV", **fields):
    given = {"file": SimpleUploadedFile(name, "\n".join((HEADER, *rows)).encode()), **fields}
    if columns is not None:
        given["map"] = SimpleUploadedFile("map.toml", columns.encode())
    return client.post(URL, given, follow=True)


def test_a_ledger_with_a_map_and_a_day_becomes_cases(visit, people, queue):
    response = send_ledger(visit("operator"), ROW, as_of="2026-05-04")
    assert "1 new, 0 with new facts, 0 unchanged." in response.text
    assert Case.objects.get().external_id == "acme:2026-05-04"
    assert Case.objects.get().newest_sheet().created_by == people["operator"]


def test_its_faults_are_told_by_line_and_column(visit, queue):
    response = send_ledger(visit("operator"), ROW, ROW.replace("TX-1", "TX-2").replace("1,200.00", "12,0"))
    assert response.status_code == 422
    assert "line 3: amount: &#x27;12,0&#x27; is no amount as en_US writes it." in response.text
    assert not Case.objects.exists()


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"columns": "[columns"}, "map: is no TOML"),
        ({"columns": '[columns]\nGross = "amuont"'}, "Gross: is no column that a ledger has."),
        ({"columns": None}, "line 1: Customer: is no column that a ledger has."),
        ({"as_of": "4.5.2026"}, "Write the day as YYYY-MM-DD."),
        ({"as_of": "2100-01-01"}, "2100-01-01 is still to come."),
        ({"name": "ledger.xlsx"}, "ledger.xlsx is neither JSONL nor CSV by its name."),
        ({"name": "cases.jsonl"}, "is JSONL: its cases have their own days and keys."),
    ],
)
def test_what_is_wrong_with_the_map_the_day_or_the_kind_of_file_is_told(visit, queue, more, says):
    response = send_ledger(visit("operator"), ROW, **more)
    assert response.status_code == 422
    assert says in response.text
    assert not Case.objects.exists()


def test_an_empty_map_is_none(visit, queue):
    content = SimpleUploadedFile("a.csv", f"{HEADER.replace('Customer', 'client.id')}\n{ROW}".encode())
    response = visit("operator").post(URL, {"file": content, "map": SimpleUploadedFile("m.toml", b"")}, follow=True)
    assert "1 new" in response.text


def test_hostile_cells_are_text(visit, queue):
    row = ROW.replace("2026-03", "<script>alert(1)</script>")
    assert "<script>alert" not in send_ledger(visit("operator"), row).text
