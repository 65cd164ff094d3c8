"""Administrators keep reasons, words, queues with members, and accounts; each change leaves its line."""

import pytest
from django.contrib.auth.models import User

from reviewhub.csp import CONTENT_SECURITY_POLICY
from reviewhub.models import (
    AuditEvent,
    DeclineReason,
    Exemplar,
    ExemplarState,
    Membership,
    Queue,
    State,
    VocabularyWord,
)
from tests.hub.acting import act
from tests.hub.pages import form

REASONS = "/admin/reviewhub/declinereason/"
WORDS = "/admin/reviewhub/vocabularyword/"
QUEUES = "/admin/reviewhub/queue/"
PEOPLE = "/admin/auth/user/"
_PASSWORD = {"usable_password": "true", "password1": "six green kettles", "password2": "six green kettles"}


def reason_form(**changes):
    """Return what the form about a reason sends."""
    given = {
        "queue": "",
        "code": "wrong_person",
        "label": "It is for somebody else",
        "is_active": "on",
        "position": "15",
        **changes,
    }
    return {name: value for name, value in given.items() if value is not None}


def queue_form(queue, members=(), **changes):
    """Return what the form about a queue sends, with (id, user id, role, fields) of its members."""
    old = sum(1 for member in members if member[0])
    given = {
        "name": queue.name,
        "slug": queue.slug,
        "team": queue.team,
        "time_zone": "UTC",
        "locale": "en_US",
        "currency": "USD",
        "sender": "{}",
        "policy": "{}",
        "facts_max_age_days": "3",
        "memberships-TOTAL_FORMS": len(members),
        "memberships-INITIAL_FORMS": old,
        "memberships-MIN_NUM_FORMS": 0,
        "memberships-MAX_NUM_FORMS": 1000,
    }
    for place, (number, user, role, more) in enumerate(members):
        row = {"id": number or "", "queue": queue.pk, "user": user, "role": role, **more}
        given |= {f"memberships-{place}-{name}": value for name, value in row.items()}
    return {**given, **changes}


def person_form(user, **changes):
    """Return what the form about an account sends."""
    given = {
        "username": user.username,
        "first_name": "",
        "last_name": "",
        "email": "",
        "is_active": "on",
        "is_superuser": "on" if user.is_superuser else None,
        **changes,
    }
    return {name: value for name, value in given.items() if value is not None}


def trail():
    rows = AuditEvent.objects.exclude(row_kind="").order_by("id")
    return [(event.act, event.row_kind, event.row_ref, event.fields) for event in rows]


def errors_of(answer):
    """Return what the page says is wrong, by field."""
    return answer.context["adminform"].form.errors


# Reasons


def test_a_new_reason_is_offered_at_once_where_it_stands_in_the_list(visit, queue, make_draft):
    assert visit("admin").post(f"{REASONS}add/", reason_form()).status_code == 302
    made = DeclineReason.objects.get(code="wrong_person")
    assert trail()[0][:3] == ("admin_add", "declinereason", made.pk)
    draft = make_draft(State.AWAITING_REVIEW)
    page = visit("operator").get(f"/drafts/{draft.pk}/decline/").text
    assert page.index("The facts are wrong") < page.index("It is for somebody else") < page.index("The tone does not")
    visit("operator").post(f"/drafts/{draft.pk}/decline/", form(draft, reason="wrong_person"))
    draft.refresh_from_db()
    assert draft.state == State.DECLINED


def test_a_reason_that_needs_a_note_asks_for_one(visit, queue, make_draft):
    visit("admin").post(f"{REASONS}add/", reason_form(needs_note="on"))
    draft = make_draft(State.AWAITING_REVIEW)
    answer = visit("operator").post(f"/drafts/{draft.pk}/decline/", form(draft, reason="wrong_person"))
    assert answer.status_code == 422
    assert "Say in a few words why" in answer.text


def test_a_reason_can_be_retired_renamed_and_moved_but_keeps_its_code(visit, queue):
    row = DeclineReason.objects.get(code="wrong_tone")
    given = reason_form(code="else", label="Too stiff", is_active=None, seen_version="1")
    assert visit("admin").post(f"{REASONS}{row.pk}/change/", given).status_code == 302
    row.refresh_from_db()
    assert (row.code, row.label, row.is_active, row.version) == ("wrong_tone", "Too stiff", False, 2)
    assert trail() == [("admin_change", "declinereason", row.pk, ["is_active", "label", "position"])]
    assert row.history.first().label == "Too stiff"


def test_the_last_reason_for_everybody_can_be_neither_retired_nor_deleted(visit, queue):
    DeclineReason.objects.exclude(code="other").delete()
    row = DeclineReason.objects.get()
    answer = visit("admin").post(f"{REASONS}{row.pk}/change/", reason_form(is_active=None, seen_version="1"))
    assert "This is the last reason that everybody is offered." in str(errors_of(answer))
    assert visit("admin").post(f"{REASONS}{row.pk}/delete/", {"post": "yes"}).status_code == 403
    row.refresh_from_db()
    assert row.is_active


def test_a_reason_that_was_given_cannot_be_deleted_and_one_that_was_not_can(visit, make_draft, people, now):
    act("decline", make_draft(State.AWAITING_REVIEW), people["operator"], now, reason="wrong_tone")
    given, unused = (DeclineReason.objects.get(code=code) for code in ("wrong_tone", "unusable"))
    assert visit("admin").post(f"{REASONS}{given.pk}/delete/", {"post": "yes"}).status_code == 403
    assert visit("admin").post(f"{REASONS}{unused.pk}/delete/", {"post": "yes"}).status_code == 302
    assert trail() == [("admin_delete", "declinereason", unused.pk, [])]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"code": "Wrong Person"}, "Use small letters, digits and _"),
        ({"code": "other"}, "Decline reason with this Code already exists."),
        ({"code": "x" * 21}, "Ensure this value has at most 20 characters"),
        ({"label": ""}, "This field is required."),
        ({"position": "-1"}, "Ensure this value is greater than or equal to 0."),
    ],
)
def test_a_reason_that_cannot_be_kept_is_refused_by_its_field(visit, queue, changes, said):
    answer = visit("admin").post(f"{REASONS}add/", reason_form(**changes))
    errors = errors_of(answer)
    assert said in str(errors)
    assert set(errors) == set(changes)


# Words


def test_a_word_is_added_under_ones_name_and_the_trail_does_not_hold_it(visit, queue, people):
    answer = visit("admin").post(f"{WORDS}add/", {"queue": queue.pk, "word": "Kestrel"})
    assert answer.status_code == 302
    word = VocabularyWord.objects.get()
    assert (word.word, word.confirmed_by) == ("Kestrel", people["admin"])
    assert trail() == [("admin_add", "vocabularyword", word.pk, ["queue", "word"])]
    assert "Kestrel" in visit("admin").get(WORDS).text


@pytest.mark.parametrize("word", ["two words", "a1", "<b>", ""])
def test_what_is_no_word_is_refused(visit, queue, word):
    answer = visit("admin").post(f"{WORDS}add/", {"queue": queue.pk, "word": word})
    assert set(errors_of(answer)) == {"word"}


def test_a_word_is_confirmed_once(visit, queue, people, now):
    VocabularyWord.confirm("Kestrel", queue=queue, by=people["operator"], now=now)
    answer = visit("admin").post(f"{WORDS}add/", {"queue": queue.pk, "word": "Kestrel"})
    assert "The word is already confirmed in this queue." in answer.text


def test_a_word_taken_back_has_the_texts_that_hold_it_examined_again(visit, make_draft, queue, people, now):
    word = VocabularyWord.confirm("kestrel", queue=queue, by=people["operator"], now=now)
    kept = {}
    for text in ("The kestrel plan.", "Kestrel called.", "Kestrels, or a plan."):
        decision = act("decline", make_draft(State.AWAITING_REVIEW), people["operator"], now, reason="wrong_tone")
        row = Exemplar.of_decision(decision, now=now)
        clean = {"state": ExemplarState.INDEXED, "vector": bytes(1536), "situation": "check_in", "embedder": "m"}
        Exemplar.objects.filter(pk=row.pk).update(prose={"opening": text}, indexed_at=now, **clean)
        kept[text] = row.pk
    assert visit("admin").post(f"{WORDS}{word.pk}/delete/", {"post": "yes"}).status_code == 302
    states = {text: Exemplar.objects.get(pk=number).state for text, number in kept.items()}
    waiting, indexed = ExemplarState.WAITING, ExemplarState.INDEXED
    assert states == {"The kestrel plan.": waiting, "Kestrel called.": waiting, "Kestrels, or a plan.": indexed}
    assert trail() == [("admin_delete", "vocabularyword", word.pk, [])]


# Queues and members


def test_a_queue_is_made_with_its_members(visit, queue, people):
    new = Queue(name="Legal", slug="legal", team="Legal")
    members = [(None, people["stranger"].pk, "viewer", {"may_export": "on", "queue": ""})]
    answer = visit("admin").post(f"{QUEUES}add/", queue_form(new, members))
    assert answer.status_code == 302, errors_of(answer)
    made = Queue.objects.get(slug="legal")
    member = made.memberships.get()
    assert (member.user, member.role, member.may_export) == (people["stranger"], "viewer", True)
    assert member.history.get().history_user == people["admin"]
    assert [line[:3] for line in trail()] == [
        ("admin_add", "queue", made.pk),
        ("admin_add", "membership", member.pk),
    ]
    assert visit("stranger").get("/queues/legal/").status_code == 200


def test_a_role_is_changed_and_taken_away(visit, queue, people):
    rows = {row.user.username: row for row in queue.memberships.all()}
    viewer, operator = rows["viewer"], rows["operator"]
    members = [
        (viewer.pk, viewer.user_id, "lead", {}),
        (operator.pk, operator.user_id, "operator", {"DELETE": "on"}),
    ]
    answer = visit("admin").post(f"{QUEUES}{queue.pk}/change/", queue_form(queue, members))
    assert answer.status_code == 302, errors_of(answer)
    assert Membership.objects.get(pk=viewer.pk).role == "lead"
    assert trail() == [
        ("admin_delete", "membership", operator.pk, []),
        ("admin_change", "membership", viewer.pk, ["role"]),
    ]
    assert visit("operator").get(f"/queues/{queue.slug}/").status_code == 404
    assert Membership.history.filter(id=operator.pk, history_type="-").exists()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"locale": "de_DE"}, "'de_DE' is no English locale."),
        ({"locale": "nonsense"}, "is no English locale."),
        ({"currency": "usd"}, "'usd' is no currency."),
        ({"time_zone": "Mars/Olympus"}, "is no time zone."),
        ({"sender": '{"name": "Ana"}'}, "team: field required."),
        ({"sender": '{"name": "Ana", "team": "AR", "fax": "1"}'}, "fax: extra inputs are not permitted."),
        ({"sender": '{"name": "Ana\\u0000", "team": "AR"}'}, "name: value error, holds u+0000"),
        ({"sender": "Ana"}, "This is no JSON: expecting value at line 1, column 1."),
        ({"policy": "[]"}, "Give one JSON object, such as {}."),
        ({"policy": '{"collections_after_days": "90"}'}, "collections_after_days: input should be a valid integer."),
        ({"facts_max_age_days": "-1"}, "Ensure this value is greater than or equal to 0."),
        ({"slug": "two words"}, "Enter a valid"),
    ],
)
def test_a_queue_that_would_break_its_cases_is_refused_by_its_field(visit, queue, changes, said):
    answer = visit("admin").post(f"{QUEUES}{queue.pk}/change/", queue_form(queue, **changes))
    assert answer.status_code == 200
    errors = errors_of(answer)
    assert said in " ".join(message for messages in errors.values() for message in messages)
    assert set(errors) == set(changes)


def test_a_sender_and_policy_that_hold_are_kept(visit, queue):
    sender = '{"name": "Ana Ruiz", "team": "Accounts", "pay_to": {"method": "bank transfer"}}'
    answer = visit("admin").post(
        f"{QUEUES}{queue.pk}/change/", queue_form(queue, sender=sender, policy='{"late_fee_percent": "1.5"}')
    )
    assert answer.status_code == 302, errors_of(answer)
    queue.refresh_from_db()
    assert queue.sender["pay_to"] == {"method": "bank transfer"}
    assert trail() == [("admin_change", "queue", queue.pk, ["policy", "sender"])]


def test_a_queue_with_cases_stays_and_an_empty_one_can_go(visit, queue, make_draft):
    make_draft(State.AWAITING_REVIEW)
    empty = Queue.objects.exclude(pk=queue.pk).get()
    for row in (queue, empty):
        visit("admin").post(f"{QUEUES}{row.pk}/delete/", {"post": "yes"})
    assert list(Queue.objects.all()) == [queue]
    assert [line[:3] for line in trail()] == [("admin_delete", "queue", empty.pk)]


# Accounts


def test_an_account_is_made(visit, people):
    given = {
        "username": "nora",
        "usable_password": "true",
        "password1": "six green kettles",
        "password2": "six green kettles",
    }
    answer = visit("admin").post(f"{PEOPLE}add/", given)
    assert answer.status_code == 302, errors_of(answer)
    nora = User.objects.get(username="nora")
    assert (nora.is_staff, nora.is_superuser, nora.check_password("six green kettles")) == (False, False, True)
    assert trail()[0][:3] == ("admin_add", "user", nora.pk)


def test_an_administrator_is_made_and_gets_in(visit, people):
    lead = people["lead"]
    assert visit("admin").post(f"{PEOPLE}{lead.pk}/change/", person_form(lead, is_superuser="on")).status_code == 302
    assert visit("lead").get("/admin/").status_code == 200
    assert trail() == [("admin_change", "user", lead.pk, ["is_staff", "is_superuser"])]


def test_a_closed_account_gets_nowhere(visit, queue, people):
    client = visit("operator")
    operator = people["operator"]
    visit("admin").post(f"{PEOPLE}{operator.pk}/change/", person_form(operator, is_active=None))
    assert client.get(f"/queues/{queue.slug}/").status_code == 302
    assert trail() == [("admin_change", "user", operator.pk, ["is_active"])]


@pytest.mark.parametrize("name", ["is_active", "is_superuser"])
def test_nobody_shuts_themselves_out(visit, people, name):
    admin = people["admin"]
    answer = visit("admin").post(f"{PEOPLE}{admin.pk}/change/", person_form(admin, **{name: None}))
    assert "You cannot take this from yourself. Ask another administrator." in answer.text
    admin.refresh_from_db()
    assert (admin.is_active, admin.is_superuser) == (True, True)


def test_accounts_are_never_deleted(visit, people):
    answer = visit("admin").post(f"{PEOPLE}{people['viewer'].pk}/delete/", {"post": "yes"})
    assert answer.status_code == 403
    assert User.objects.filter(username="viewer").exists()


def test_a_password_set_for_somebody_leaves_a_line_and_no_password(visit, people):
    viewer = people["viewer"]
    answer = visit("admin").post(f"{PEOPLE}{viewer.pk}/password/", {**_PASSWORD, "set-password": "1"})
    assert answer.status_code == 302
    viewer.refresh_from_db()
    assert viewer.check_password("six green kettles")
    assert trail() == [("admin_change", "user", viewer.pk, ["password"])]


def test_ones_own_password_leaves_a_line_too(visit, people):
    admin = visit("admin")
    words = {"new_password1": "six green kettles", "new_password2": "six green kettles"}
    answer = admin.post("/admin/password_change/", {"old_password": "a long pass phrase", **words})
    assert answer.status_code == 302
    assert User.objects.get(username="admin").check_password("six green kettles")
    assert trail() == [("admin_change", "user", people["admin"].pk, ["password"])]
    wrong = admin.post("/admin/password_change/", {"old_password": "wrong", **words})
    assert wrong.status_code == 200
    assert len(trail()) == 1


# Who may, and how the pages are


@pytest.fixture
def pages(queue, people, now):
    """Every page of this part of the administration."""
    word = VocabularyWord.objects.create(
        queue=queue, word="kestrel", confirmed_by=people["admin"], at="2026-05-04T09:30Z"
    )
    reason = DeclineReason.objects.get(code="other")
    return [
        REASONS,
        f"{REASONS}add/",
        f"{REASONS}{reason.pk}/change/",
        f"{REASONS}{reason.pk}/history/",
        WORDS,
        f"{WORDS}add/",
        f"{WORDS}{word.pk}/change/",
        f"{WORDS}{word.pk}/delete/",
        QUEUES,
        f"{QUEUES}add/",
        f"{QUEUES}{queue.pk}/change/",
        f"{QUEUES}{queue.pk}/history/",
        PEOPLE,
        f"{PEOPLE}add/",
        f"{PEOPLE}{people['lead'].pk}/change/",
        f"{PEOPLE}{people['lead'].pk}/password/",
        "/admin/reviewhub/auditevent/",
    ]


def test_every_page_keeps_the_policy_and_holds_nothing_inline(visit, pages):
    admin = visit("admin")
    for page in pages:
        answer = admin.get(page)
        assert (answer.status_code, answer["Content-Security-Policy"]) == (200, CONTENT_SECURITY_POLICY), page
        for forbidden in ("<script>", "style=", "onclick=", "javascript:"):
            assert forbidden not in answer.text, page


@pytest.mark.parametrize("name", ["stranger", "viewer", "operator", "lead"])
def test_nobody_else_gets_in(visit, pages, name):
    client = visit(name)
    for page in pages:
        assert client.get(page, follow=True).status_code == 403, page
        assert client.post(page, {"post": "yes"}).status_code == 302, page
    assert trail() == []
    assert VocabularyWord.objects.count() == 1


def test_every_field_says_what_it_is_for(visit, pages):
    admin = visit("admin")
    lists = ["/admin/reviewhub/validatorrule/add/", "/admin/reviewhub/patternrule/add/"]
    for page in [*(page for page in pages if page.endswith(("add/", "change/"))), *lists]:
        shown = admin.get(page).context["adminform"].form.fields
        silent = [name for name, field in shown.items() if not field.help_text and not field.widget.is_hidden]
        assert silent in ([], ["password2"]), page
