"""What a draft's page says about how it came about: costs, progress, scores, both trails and why it stopped."""

import re

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from agent.advice import Usage
from agent.outcome import Outcome, Status
from agent.rubric import Grade
from reviewhub.models import AddedKind, Attempt, State, StopReason
from reviewhub.reviewing import NewFact
from tests.hub.acting import act, key
from tests.hub.test_pages_draft import WAIVER, page_of, plain
from tests.hub.written import write_attempt


def hard(name, status, now):
    """Return what a hard check of a rubric says of a text."""
    source = f"rubric.{name}@1"
    if status == "PASS":
        return Outcome.passed(source, now=now)
    return Outcome(
        status=Status.FAIL,
        error_type="HARD_CHECK_FAILED",
        evidence=f"{name} does not hold",
        critique="A hard check of the rubric failed.",
        severity=0.9,
        validator_source=source,
        metadata={"check": name, "blocking": True},
        timestamp=now,
    )


def grade(overall, *, clear=3, quote="still open", passed=False, reason="score below threshold", **checks):
    return Grade(
        rubric="house@2",
        scores={"clear": clear, "kind": 5},
        quotes={"clear": quote, "kind": ""},
        overall=overall,
        checks=checks,
        passed=passed,
        reason=reason,
        judge="a judge",
    )


@pytest.fixture
def graded(make_draft, now):
    """A draft in three attempts: the score rises by .25 and falls by .10, one hard check comes, another goes."""
    draft = make_draft(State.ESCALATED, stop_reason=StopReason.NO_IMPROVEMENT, stop_detail="attempts up to 3")
    held = [("PASS", "FAIL"), ("PASS", "PASS"), ("FAIL", "PASS")]
    for number, (overall, (one, two)) in enumerate(zip((0.5, 0.75, 0.65), held, strict=True), start=1):
        write_attempt(
            draft,
            number=number,
            grade=grade(overall, clear=number),
            advice=Usage(calls=1, tokens_in=300, tokens_out=40, seconds=1.5),
            more=[hard("total_named", one, now), hard("no_threat", two, now)],
        )
    return draft


def rows(page):
    """Return the trail's cells, row by row."""
    table = page[page.index('id="trail-title"') :]
    table = table[table.index("<tbody>") : table.index("</tbody>")]
    return [
        [plain(cell).strip() for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)]
        for row in re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    ]


def test_an_attempt_comes_back_from_its_row_as_it_was(graded):
    for row in graded.attempts.prefetch_related("findings"):
        attempt = row.attempt()
        assert attempt.advice == Usage(calls=1, tokens_in=300, tokens_out=40, seconds=1.5)
        assert (attempt.calls, attempt.tokens) == (2, 512 + 96 + 300 + 40)
        assert attempt.grade == grade([0.5, 0.75, 0.65][row.number - 1], clear=row.number)
        assert (row.calls, row.tokens) == (attempt.calls, attempt.tokens)
        again = Attempt.of(graded, attempt)
        assert (again.calls, again.grade, again.advice_seconds) == (row.calls, row.grade, 1.5)


def test_an_attempt_without_a_grade_comes_back_without_one(make_draft):
    row = write_attempt(make_draft(State.ESCALATED))
    assert (row.attempt().grade, row.attempt().advice, row.calls) == (None, Usage(), 1)


def test_a_draft_says_what_all_its_attempts_cost(visit, graded):
    page = plain(page_of(visit, graded))
    assert "3 outputs · 6 model calls · 2844 tokens · 10.2 s" in page  # 3 x (512 + 96 + 300 + 40), 3 x 3.4
    assert "3.4 s · 512 + 96 tokens, 300 + 40 to judge it · 2 model calls" in page
    assert "stopped: the drafts got no better" in page


def test_both_trails_stand_beside_each_other_with_their_changes_and_the_reason_to_stop(visit, graded):
    page = page_of(visit, graded)
    assert [row[:5] for row in rows(page)] == [
        ["1", "0.50", "", "1 of 2", ""],
        ["2", "0.75", "+0.25", "2 of 2", "+1"],
        ["3 shown", "0.65", "−0.10", "1 of 2", "−1"],
    ]
    assert "Stopped: the drafts got no better (attempts up to 3)." in plain(page)
    assert "the score is advice" in page


def test_hard_checks_have_a_trail_without_a_judge(visit, make_draft, now):
    draft = make_draft(State.AWAITING_REVIEW)
    write_attempt(draft, more=[hard("total_named", "FAIL", now)])
    write_attempt(draft, number=2, more=[hard("total_named", "PASS", now)])
    assert [row[:5] for row in rows(page_of(visit, draft))] == [
        ["1", "none", "", "0 of 1", ""],
        ["2 shown", "none", "", "1 of 1", "+1"],
    ]


def test_a_draft_that_no_rubric_graded_has_no_trail(visit, make_draft):
    draft = make_draft(State.AWAITING_REVIEW)
    write_attempt(draft)
    assert "Score and hard checks" not in page_of(visit, draft)


def test_each_score_stands_with_the_words_it_went_by(visit, graded):
    page = page_of(visit, graded)
    assert page.count("<q>still open</q>") == 3
    assert re.search(r'<td>clear</td><td class="num">3</td><td><q>still open</q></td>', page)
    assert re.search(r'<td>kind</td><td class="num">5</td><td><span class="muted">none</span></td>', page)
    assert "By a judge: 0.65 overall, score below threshold." in plain(page)


def test_a_quote_is_text(visit, make_draft):
    draft = make_draft(State.ESCALATED)
    write_attempt(draft, grade=grade(0.5, quote="<script>alert(1)</script>\x00"))
    page = page_of(visit, draft)
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_an_attempt_says_what_it_fixed_what_is_new_and_what_came_back(visit, make_draft):
    draft = make_draft(State.ESCALATED, stop_reason=StopReason.CYCLE)
    write_attempt(draft, number=1, opening=WAIVER)
    write_attempt(draft, number=2)
    write_attempt(draft, number=3, opening=WAIVER)
    page = page_of(visit, draft)
    first, second, third = re.findall(r"<details class=\"attempt\">.*?</summary>(.*?)</details>", page, re.DOTALL)
    kind = draft.findings.failed().first().error_type.replace("_", " ").lower()
    for part, label in ((first, "New"), (second, "Fixed"), (third, "Came back")):
        assert re.search(rf"<dt>{label}</dt><dd>[^<]*{kind}", part), label
    assert "<dt>New</dt>" not in third


def test_a_text_that_was_only_rendered_again_took_no_call_and_makes_no_progress(visit, make_draft, people, now):
    draft = make_draft(State.AWAITING_REVIEW)
    write_attempt(draft)

    fact = NewFact(AddedKind.PAY_BY, {"pay_by": "2026-05-20"}, "a call")
    act("add_fact", draft, people["operator"], now, fact=fact, key=key())
    again = draft.attempts.get(number=2)
    assert (again.calls, again.rendered_from_id is not None) == (0, True)
    page = plain(page_of(visit, draft))
    assert "1 output · 1 model call · 608 tokens" in page


def test_the_database_holds_that_every_output_took_a_call(make_draft):
    row = write_attempt(make_draft(State.AWAITING_REVIEW))
    with pytest.raises(IntegrityError), transaction.atomic():
        Attempt.objects.filter(pk=row.pk).update(calls=0)


def test_the_page_asks_the_database_as_often_for_many_graded_attempts_as_for_one(visit, make_draft, now):
    client, counts = visit("operator"), []
    for attempts in (1, 6):
        draft = make_draft(State.ESCALATED, stop_reason=StopReason.ATTEMPTS)
        for number in range(1, attempts + 1):
            write_attempt(draft, number=number, grade=grade(0.5), more=[hard("no_threat", "FAIL", now)])
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/drafts/{draft.pk}/")
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert counts[0] <= 24
