from email import message_from_bytes
from email.policy import default

import pytest

from reviewhub.models import Decision, FactSheet, Queue, State
from reviewhub.views.leaving import as_mail
from tests.hub.pages import form
from tests.hub.written import write_attempt


@pytest.fixture
def approved(visit, make_draft, queue):
    Queue.objects.update(is_demo=True)
    draft = make_draft(State.AWAITING_REVIEW)
    write_attempt(draft)
    visit("operator").post(f"/drafts/{draft.pk}/approve/", form(draft))
    draft.refresh_from_db()
    return draft


def take(client, draft, way, **headers):
    fields = form(draft, decision=Decision.objects.latest("id").pk)
    return client.post(f"/drafts/{draft.pk}/{way}/", fields, headers=headers)


def test_copying_without_scripts_gives_the_text_to_select(visit, approved):
    page = take(visit("operator"), approved, "copy").text
    assert "<textarea" in page
    assert "TX-1002" in page
    assert Decision.objects.get().left_by == "copied"


def test_copying_with_htmx_says_so_and_takes_undo_away(visit, approved):
    page = take(visit("operator"), approved, "copy", **{"HX-Request": "true", "HX-Target": "copy-said"}).text
    assert page.startswith("The text is noted as copied.")
    assert 'id="undo" hx-swap-oob="true"' in page
    assert "<html" not in page


def test_the_mail_holds_the_approved_text_its_subject_and_both_addresses(visit, approved):
    response = take(visit("operator"), approved, "mail")
    mail = message_from_bytes(response.content, policy=default)
    assert response.headers["Content-Type"] == "message/rfc822"
    assert response.headers["Content-Disposition"] == 'attachment; filename="case-1.eml"'
    assert mail["Subject"] == "Second reminder: $1,975.00 due"
    assert mail["To"] == "Ana Ortega <ap@acme.example>"
    assert mail["From"] == "Ana Ruiz <billing@pell.example>"
    assert mail["X-Unsent"] == "1"
    text = mail.get_content().replace("\r\n", "\n")
    assert text.startswith("Dear Ana Ortega,")
    assert "Total due: $1,975.00" in text
    assert "Subject:" not in text
    assert Decision.objects.get().left_by == "downloaded"


@pytest.mark.parametrize("way", ["copy", "mail"])
def test_the_first_way_out_is_the_one_that_is_kept(visit, approved, way):
    take(visit("operator"), approved, way)
    take(visit("lead"), approved, "mail" if way == "copy" else "copy")
    assert Decision.objects.get().left_by == {"copy": "copied", "mail": "downloaded"}[way]


@pytest.mark.parametrize("way", ["copy", "mail"])
@pytest.mark.parametrize(("name", "status"), [("viewer", 403), ("stranger", 404)])
def test_only_operators_may_take_it_out(visit, approved, way, name, status):
    assert take(visit(name), approved, way).status_code == status
    assert Decision.objects.get().left_at is None


@pytest.mark.parametrize("way", ["copy", "mail"])
def test_a_text_that_is_not_approved_any_more_stays(visit, approved, way):
    client = visit("operator")
    client.post(f"/drafts/{approved.pk}/undo/", form(approved, decision=Decision.objects.get().pk))
    response = take(client, approved, way)
    assert response.status_code == 409
    assert "This text is not approved" in response.text


@pytest.mark.parametrize("way", ["copy", "mail"])
def test_a_declined_draft_has_no_text_to_take(visit, make_draft, way):
    draft = make_draft(State.AWAITING_REVIEW)
    write_attempt(draft)
    client = visit("operator")
    client.post(f"/drafts/{draft.pk}/decline/", form(draft, reason="not_needed"))
    assert take(client, draft, way).status_code == 409


@pytest.mark.parametrize("way", ["copy", "mail"])
def test_a_link_cannot_take_it_out(visit, approved, way):
    assert visit("operator").get(f"/drafts/{approved.pk}/{way}/").status_code == 405
    assert Decision.objects.get().left_at is None


@pytest.mark.parametrize(
    ("client", "to"),
    [
        ({"name": "Zoë Ünal", "email": "zoe@acme.example"}, "Zoë Ünal <zoe@acme.example>"),
        ({"name": 'A "B" <C>', "email": "a@acme.example"}, '"A \\"B\\" <C>" <a@acme.example>'),
        ({"name": "Zoë", "email": "zoe@bücher.example"}, "Zoë <zoe@xn--bcher-kva.example>"),
        ({"name": "Too long", "email": f"a@{'ü' * 60}.example"}, None),
        ({"name": "No address"}, None),
        ({"name": "Odd", "email": "not an address"}, None),
        ({"name": "Evil", "email": "a@acme.example\r\nBcc: all@evil.example"}, None),
        (
            {"name": "Evil\r\nBcc: all@evil.example", "email": "a@acme.example"},
            '"Evil Bcc: all@evil.example" <a@acme.example>',
        ),
    ],
)
def test_an_address_goes_into_the_mail_only_when_it_is_one(client, to):
    mail = message_from_bytes(as_mail("Hello", {"client": client}), policy=default)
    assert mail["To"] == to
    assert mail["Bcc"] is None
    assert mail["From"] is None


@pytest.mark.parametrize(
    ("text", "subject", "body"),
    [
        ("Subject: Hello\n\nDear Ana,", "Hello", "Dear Ana,"),
        ("Dear Ana,\nSubject: no", "Your account", "Dear Ana,\nSubject: no"),
        ("Subject:\n\nDear Ana,", "Your account", "Dear Ana,"),
        ("Subject: Zoë’s account\n\n€ 5", "Zoë’s account", "€ 5"),
        ("Subject: a\rBcc: all@evil.example\n\nHi", "a Bcc: all@evil.example", "Hi"),
        ("x" * 2000, "Your account", "x" * 2000),
    ],
)
def test_the_first_line_is_the_subject_when_it_says_so(text, subject, body):
    mail = message_from_bytes(as_mail(text, {}), policy=default)
    assert mail["Subject"] == subject
    assert mail.get_content().replace("\r\n", "\n").rstrip("\n") == body
    assert mail["Bcc"] is None


def test_the_file_is_named_after_the_case_whatever_its_id_holds(visit, approved):
    approved.case.external_id = '../"evil"\r\n: ünïcode'
    approved.case.save()
    response = take(visit("operator"), approved, "mail")
    assert response.headers["Content-Disposition"] == 'attachment; filename="evil-unicode.eml"'
    assert FactSheet.objects.count() == 1
