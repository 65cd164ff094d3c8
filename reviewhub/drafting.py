"""Write one draft under a lease, saving each attempt as it happens."""

import logging
import os
import threading
import traceback
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.db import DatabaseError, close_old_connections, connection, transaction
from django.db.models import Q

from agent.advice import Adviser
from agent.attempt import Attempt as Written
from agent.budget import limits_for
from agent.decision import best_of
from agent.domains.domain import Case as AgentCase
from agent.llm.chat import ChatModel, Reason
from agent.llm.names import model_from_name
from agent.loop import DraftRun, Gate, run_draft
from agent.reflection import canned_reply
from reviewhub.advising import advisers_for
from reviewhub.models import (
    MAX_TAKES,
    Act,
    Actor,
    Attempt,
    CapabilityGap,
    Draft,
    Finding,
    LeaseLost,
    State,
    StateChanged,
    StopReason,
    TransitionRefused,
    Who,
    avoid_lines,
    storable,
)
from reviewhub.recalling import exemplars_for
from reviewhub.rulebook import checks_for, graded

__all__ = ["HEARTBEAT_SECONDS", "draft_case"]

HEARTBEAT_SECONDS = 10.0
_BACKOFF = (timedelta(seconds=10), timedelta(seconds=60))
# The server was not there, or asked to be left alone: another worker may find it back. Other failed calls were answers,
# and the loop has already asked again as often as it may.
_AWAY = frozenset({Reason.UNREACHABLE, Reason.HTTP_429, Reason.HTTP_503})
_WORKER = Actor(Who.WORKER)
_log = logging.getLogger(__name__)


def draft_case(
    *,
    draft_id: int,
    model_name: str,
    worker: str,
    clock: Callable[[], datetime],
    heartbeat_seconds: float = HEARTBEAT_SECONDS,
) -> State | None:
    """Write a draft and return the state in which it was left, None when it is not this worker's to write.

    Safe to run twice for one draft, at once or one after the other: the lease decides. Raise ModelNameError, before the
    draft is touched, for a model that does not exist.
    """
    draft = Draft.objects.select_related("case", "sheet__case").get(pk=draft_id)
    model = _scripted(model_name) if model_name.startswith("scripted") else _served(model_name)
    advisers = advisers_for(model)
    try:
        token = draft.start(worker=worker, now=clock())
    except (StateChanged, TransitionRefused):
        _log.info("draft %s is not waiting, or another worker was first", draft_id)
        return None
    run = _Run(draft, token, clock, advisers)
    try:
        with _heartbeat(draft, token, clock, heartbeat_seconds):
            return run.write(model)
    except (LeaseLost, StateChanged, TransitionRefused):
        _log.warning("draft %s was taken from this worker; what it wrote since is dropped", draft_id)
    except DatabaseError as error:
        _log_broken(draft, error)  # the lease ends, and the sweeper takes the draft over
    return None


def _log_broken(draft: Draft, error: Exception) -> None:
    # The message of an error may repeat text of the case, so the log gets its kind and place only.
    where = traceback.extract_tb(error.__traceback__)[-1]
    _log.error("draft %s broke: %s at %s:%s", draft.pk, type(error).__name__, where.filename, where.lineno)


class _Run:
    """Hold what one worker does with one draft while its lease lasts."""

    def __init__(
        self, draft: Draft, token: uuid.UUID, clock: Callable[[], datetime], advisers: Sequence[Adviser] = ()
    ) -> None:
        self._draft, self._token, self._clock, self._advisers = draft, token, clock, advisers
        self._saved: list[Written] = []

    def write(self, model: ChatModel) -> State:
        """Write the draft; whatever breaks, queue it for later or hand it to a person."""
        try:
            return self._write(model)
        except (LeaseLost, StateChanged):
            raise
        except Exception as error:  # noqa: BLE001 - the task's boundary: whatever broke, the draft goes on or to a person
            _log_broken(self._draft, error)
            close_old_connections()  # a database that went away during a call may be back over a new one
            self._draft.refresh_from_db(fields=["state", "version", "takes"])  # what was rolled back is undone here too
            detail = f"the worker broke while writing ({type(error).__name__})"
            return self._put_back_or_give_up(StopReason.TAKES, detail)

    def _write(self, model: ChatModel) -> State:
        """Let the loop write until it stops, then leave the draft where it belongs."""
        rows = self._draft.attempts.prefetch_related("findings").order_by("number")
        self._saved = [row.attempt() for row in rows]
        case = self._case()
        run = run_draft(
            case,
            model,
            limits=limits_for(case),
            history=tuple(self._saved),
            on_attempt=self._save,
            seed=self._draft.pk,
            gate=Gate(checks_for(self._draft.queue_id, self._draft.case.domain), self._advisers),
        )
        errors = [attempt.error for attempt in run.attempts[-1:] if attempt.error]
        if run.stop.reason.value == StopReason.MODEL_ERROR and errors and errors[0].reason in _AWAY:
            return self._put_back_or_give_up(StopReason.MODEL_ERROR, run.stop.detail)
        return self._finish(run)

    def _case(self) -> AgentCase:
        """Return what is to be answered, with what the model is told if there is anything to write.

        That is past edits, what drafts of the kind often got wrong, and the rubric that grades them.
        """
        case = self._draft.sheet.as_case()
        assessed = case.domain.assess(case.facts, case.sheet)
        if assessed.conflicts or assessed.gaps:
            return case
        situation = case.sheet.situation
        Draft.objects.filter(pk=self._draft.pk, lease_token=self._token).update(situation=situation)
        avoid = avoid_lines(
            queue_id=self._draft.queue_id,
            domain=case.domain.name,
            situation=situation,
            now=self._clock(),
            besides=self._draft.pk,
        )
        case = replace(graded(case, self._draft.queue_id), avoid=avoid)
        return case.with_exemplars(exemplars_for(self._draft, case, clock=self._clock))

    def _put_back_or_give_up(self, reason: StopReason, detail: str) -> State:
        """Queue the draft for later; after the third take hand it to a person, for `reason`."""
        now = self._clock()
        takes = self._draft.takes
        if takes >= MAX_TAKES:
            return self._end(State.ESCALATED, reason, detail, now)
        self._move(Act.PUT_BACK, State.QUEUED, now, {"not_before": now + _BACKOFF[takes - 1], "rung_at": None})
        return State.QUEUED

    def _save(self, attempt: Written) -> None:
        """Save an attempt with its outcomes, under the live lease or not at all."""
        self._saved.append(attempt)
        now = self._clock()
        with transaction.atomic():
            self._draft.renew(self._token, now=now)
            row = Attempt.of(self._draft, attempt)
            row.save(force_insert=True)
            Finding.objects.bulk_create(
                Finding.of(outcome, draft=self._draft, position=at, attempt=row)
                for at, outcome in enumerate(attempt.outcomes)
            )
            if best_of(self._saved) is attempt:
                Draft.objects.filter(pk=self._draft.pk).update(shown=row)

    def _finish(self, run: DraftRun) -> State:
        now = self._clock()
        to = State(run.state.value.lower())
        with transaction.atomic():
            self._end(to, StopReason(run.stop.reason.value), run.stop.detail, now)
            Finding.objects.bulk_create(
                Finding.of(outcome, draft=self._draft, position=at) for at, outcome in enumerate(run.findings)
            )
            CapabilityGap.objects.bulk_create(
                CapabilityGap(
                    case=self._draft.case,
                    draft=self._draft,
                    domain=self._draft.case.domain,
                    code=gap.code,
                    missing=gap.missing,
                    looked_in=gap.looked_for,
                    resolve_by=gap.resolved_by,
                    at=now,
                )
                for gap in run.gaps
            )
        return to

    def _end(self, to: State, reason: StopReason, detail: str, now: datetime) -> State:
        self._move(Act.FINISH, to, now, {"stop_reason": reason, "stop_detail": storable(detail), "finished_at": now})
        return to

    def _move(self, act: Act, to: State, now: datetime, changes: dict[str, Any]) -> None:
        live = Q(lease_token=self._token, lease_until__gt=now)
        self._draft.move(act, to, by=_WORKER, now=now, guard=live, changes=changes)


@contextmanager
def _heartbeat(draft: Draft, token: uuid.UUID, clock: Callable[[], datetime], seconds: float) -> Iterator[None]:
    """Renew the lease beside the model call, which can take minutes."""
    done = threading.Event()

    def beat() -> None:
        try:
            while not done.wait(seconds):
                try:
                    draft.renew(token, now=clock())
                except LeaseLost:
                    return
                except DatabaseError as error:
                    # The next beat may get through; if none does, the lease ends, as it must.
                    _log.warning("the lease of draft %s was not renewed: %s", draft.pk, type(error).__name__)
                    connection.close()  # a broken one would fail each time
        finally:
            connection.close()

    thread = threading.Thread(target=beat, name=f"lease-of-{draft.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@cache
def _served(model_name: str) -> ChatModel:
    """Return the client of a model, one for the life of the process: the embedded one may bring a server of its own."""
    return model_from_name(model_name, environ=os.environ)


def _scripted(model_name: str) -> ChatModel:
    """Return a scripted model, a new one for each draft: a script keeps its place.

    Without a script it writes what a hub without a model can: the best example that the prompt shows.
    """
    return model_from_name(model_name, environ=os.environ, canned=canned_reply)
