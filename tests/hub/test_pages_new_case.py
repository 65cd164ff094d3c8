import json
import re

import pytest

from reviewhub.models import Case, Draft

URL = "/queues/billing-east/new/"


@pytest.fixture
def filled(facts):
    return {
        "external_id": "acme:2026-05",
        "title": "Acme, May",
        "subject": "acme",
        "domain": "billing",
        "message": "We think the hosting invoice is wrong.",
        "facts": json.dumps(facts),
    }


def save(client, fields):
    return client.post(URL, fields, follow=True)


def errors(page):
    return [re.sub(r"<[^>]+>", "", text) for text in re.findall(r'class="field-error">(.*?)</p>', page, re.DOTALL)]


def test_it_saves_the_case_and_shows_its_draft(visit, queue, filled):
    response = save(visit("operator"), filled)
    case, draft = Case.objects.get(), Draft.objects.get()
    assert response.redirect_chain[-1][0] == f"/drafts/{draft.pk}/"
    assert "its draft is on its way" in response.text
    assert (case.title, case.external_id, case.message) == (
        "Acme, May",
        "acme:2026-05",
        "We think the hosting invoice is wrong.",
    )
    assert draft.state == "queued"


def test_title_and_subject_come_from_the_facts_when_left_empty(visit, queue, filled):
    save(visit("operator"), filled | {"title": "", "subject": ""})
    assert (Case.objects.get().title, Case.objects.get().subject) == ("Acme Ltd", "acme")


def test_twice_is_one_case_and_says_so(visit, queue, filled):
    client = visit("operator")
    save(client, filled)
    assert "nothing changed" in save(client, filled).text
    assert (Case.objects.count(), Draft.objects.count()) == (1, 1)


def test_new_facts_are_a_new_draft_of_the_same_case(visit, queue, filled, facts):
    client = visit("operator")
    save(client, filled)
    response = save(client, filled | {"facts": json.dumps({**facts, "reminders_sent": 2})})
    assert "The case has new facts" in response.text
    assert (Case.objects.count(), Draft.objects.count()) == (1, 2)


@pytest.mark.parametrize(
    ("changes", "field", "said"),
    [
        ({"external_id": ""}, "external_id", "This field is required"),
        ({"facts": ""}, "facts", "This field is required"),
        ({"facts": "{"}, "facts", "This is no JSON"),
        ({"facts": '{"a": 1\n"b": 2}'}, "facts", "line 2, column 1"),
        ({"facts": "[1]"}, "facts", "Give one JSON object"),
        ({"facts": '{"currency": "USD", "currency": "EUR"}'}, "facts", "&#x27;currency&#x27; stands twice"),
        ({"facts": '{"reminders_sent": NaN}'}, "facts", "NaN is no number of JSON"),
        ({"facts": "[" * 100_000}, "facts", "nested too deeply"),
        ({"domain": "poetry"}, "domain", "not one of the available choices"),
        ({"title": "x" * 201}, "title", "at most 200 characters"),
        ({"message": "a\x00b"}, "message", "Null characters are not allowed"),
    ],
)
def test_each_fault_stands_at_its_field_and_nothing_typed_is_lost(visit, queue, filled, changes, field, said):
    response = save(visit("operator"), filled | changes)
    assert response.status_code == 422
    assert any(said in error for error in errors(response.text))
    kept = response.text
    for name, value in (filled | changes).items():
        if name in {"external_id", "title", "subject"}:
            assert f'value="{value}"' in kept or not value
    assert "We think the hosting invoice is wrong." in kept or "message" in changes
    assert Case.objects.count() == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"currency": None}, "facts.currency"),
        ({"surprise": 1}, "facts.surprise"),
        ({"locale": "de_DE"}, "LANGUAGE_UNSUPPORTED"),
    ],
)
def test_facts_of_a_wrong_shape_are_named_by_their_path(visit, queue, filled, facts, change, said):
    given = {key: value for key, value in {**facts, **change}.items() if value is not None}
    response = save(visit("operator"), filled | {"facts": json.dumps(given)})
    assert response.status_code == 422
    assert any(said in error for error in errors(response.text))
    assert Case.objects.count() == 0


def test_float_and_negative_money_name_their_line(visit, queue, filled, facts):
    for amount in (12.5, -100):
        facts["transactions"][1]["amount_cents"] = amount
        response = save(visit("operator"), filled | {"facts": json.dumps(facts)})
        assert any("transactions.1.amount_cents" in error for error in errors(response.text))
    assert Case.objects.count() == 0


def test_a_body_of_three_megabytes_is_refused_before_it_is_read(visit, queue, filled):
    response = save(visit("operator"), filled | {"message": "x" * 3_000_000})
    assert response.status_code == 400
    assert "larger than 2.5 MB" in response.text
    assert Case.objects.count() == 0


def test_hostile_text_is_text(visit, queue, filled):
    evil = '"><script>alert(1)</script>'
    response = save(visit("operator"), filled | {"title": evil, "facts": "</textarea><script>alert(2)</script>"})
    assert response.status_code == 422
    assert "<script>alert" not in response.text


@pytest.mark.parametrize(("name", "status"), [("viewer", 403), ("stranger", 404)])
def test_only_operators_may(visit, queue, filled, name, status):
    client = visit(name)
    assert client.get(URL).status_code == status
    assert client.post(URL, filled).status_code == status
    assert Case.objects.count() == 0


def test_other_methods_are_refused(visit, queue):
    assert visit("operator").put(URL).status_code == 405
