"""Whatever is killed while a draft is being written, the draft is taken over within a minute and ends exactly once."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reviewhub.embedded.options import ROOT
from tests.chaos.held_model import HeldModel
from tests.ops.running import Hub, Person, eventually, processes_of

pytestmark = pytest.mark.chaos

_CASE = ROOT / "fixtures" / "billing" / "gentle_reminder_one"
_TAKEN_OVER_SECONDS = 60
_IN_WORK = ("queued", "drafting")


@pytest.fixture(scope="module")
def model() -> Iterator[HeldModel]:
    [text] = json.loads((_CASE / "scripted.json").read_text("utf-8"))
    with HeldModel(json.dumps(text)) as held:
        yield held


@pytest.fixture(scope="module")
def hub(model: HeldModel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    """Run a hub whose demo cases are drafted, so that the next draft is the test's."""
    running = Hub(tmp_path_factory.mktemp("chaos") / "var", REVIEWHUB_MODEL=model.name, REVIEWHUB_SUPPORT="off")
    try:
        running.wait_until_ready()
        eventually(lambda: not drafts_in_work(running), seconds=300)
        yield running
    finally:
        running.stop(signal.SIGTERM)


def drafts_in_work(hub: Hub) -> list[int]:
    return [row[0] for row in hub.rows("select id from reviewhub_draft where state in (?, ?)", *_IN_WORK)]


def new_draft(hub: Hub, identity: str) -> int:
    facts = json.loads((_CASE / "facts.json").read_text("utf-8"))
    facts["client"]["id"] = identity
    person = Person(hub, "operator")
    person.open("/queues/demo-billing/new/")
    person.send("", external_id=identity, domain="billing", facts=json.dumps(facts))
    return int(person.address.rstrip("/").rpartition("/")[2])


def parent_of(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except FileNotFoundError:
        return 1  # it has just ended


def drafting_workers(hub: Hub) -> list[int]:
    return [pid for pid, command in processes_of(hub.var).items() if "--queues drafting" in command]


# Each of these returns the process to kill, 0 while it is being started again.


def worker_parent(hub: Hub) -> int:
    workers = drafting_workers(hub)
    return next((pid for pid in workers if parent_of(pid) not in (*workers, 1)), 0)


def pool_child(hub: Hub) -> int:
    parent = worker_parent(hub)
    return next((pid for pid in drafting_workers(hub) if parent_of(pid) == parent), 0)


def broker(hub: Hub) -> int:
    return _running(hub, "valkey-server")


def model_server(hub: Hub) -> int:
    return _running(hub, "agent.llm.embedded_server")


def _running(hub: Hub, program: str) -> int:
    return next((pid for pid, command in processes_of(hub.var).items() if program in command), 0)


def ends_of(hub: Hub, draft: int) -> list[str]:
    """Return the states in which the draft was left for good, by the audit trail."""
    rows = hub.rows("select after from reviewhub_auditevent where draft_ref = ? order by id", draft)
    return [after for (after,) in rows if after and after not in _IN_WORK]


def draft_row(hub: Hub, draft: int) -> tuple[str, int]:
    [row] = hub.rows("select state, takes from reviewhub_draft where id = ?", draft)
    return row[0], row[1]


def gone_on_at(hub: Hub, draft: int, killed_at: datetime) -> datetime | None:
    """Return when work on the draft went on after a kill: a call that was begun, or a take by any worker."""
    query = """
        select started_at from reviewhub_attempt where draft_id = ?
        union all select at from reviewhub_auditevent where draft_ref = ? and act = 'start'
    """
    times = [datetime.fromisoformat(at).replace(tzinfo=UTC) for (at,) in hub.rows(query, draft, draft)]
    return min((at for at in times if at > killed_at), default=None)


# A killed child takes its draft's lease with it, so another take is certain; the others may leave the child at work.
@pytest.mark.parametrize(
    ("victim", "takes"),
    [(worker_parent, {1, 2}), (pool_child, {2}), (broker, {1, 2})],
    ids=["parent", "child", "broker"],
)
def test_a_draft_outlives_a_killed(hub: Hub, model: HeldModel, victim: Callable[[Hub], int], takes: set[int]):
    model.hold()
    draft = new_draft(hub, f"chaos-{victim.__name__}")
    eventually(model.is_asked)
    killed = victim(hub)
    os.kill(killed, signal.SIGKILL)
    model.release()
    eventually(lambda: draft_row(hub, draft)[0] not in _IN_WORK, seconds=_TAKEN_OVER_SECONDS)
    assert ends_of(hub, draft) == ["awaiting_review"]
    assert draft_row(hub, draft)[1] in takes
    eventually(lambda: victim(hub) not in (0, killed), seconds=_TAKEN_OVER_SECONDS)

    # What was killed works again: the next draft goes the whole way.
    after = new_draft(hub, f"chaos-after-{victim.__name__}")
    eventually(lambda: draft_row(hub, after)[0] not in _IN_WORK, seconds=_TAKEN_OVER_SECONDS)
    assert ends_of(hub, after) == ["awaiting_review"]


# The last of the tests that share a run, as it ends the run.
def test_a_killed_runner_leaves_no_process(hub: Hub):
    assert len(processes_of(hub.var)) > 8
    hub.stop(signal.SIGKILL)
    eventually(lambda: not processes_of(hub.var), seconds=_TAKEN_OVER_SECONDS)


@pytest.mark.real_model
def test_a_draft_outlives_a_killed_model_server(model_file: Path, tmp_path: Path):
    hub = Hub(tmp_path / "var", REVIEWHUB_MODEL="embedded")
    try:
        hub.wait_until_ready()
        # A draft that is in work for two seconds without an attempt is in its first call: the others end at once.
        query = """
            select id from reviewhub_draft where state = 'drafting' and state_since < datetime('now', '-2 seconds')
            and id not in (select draft_id from reviewhub_attempt)
        """
        [(draft,)] = eventually(lambda: hub.rows(query), seconds=_TAKEN_OVER_SECONDS)
        killed, killed_at = model_server(hub), datetime.now(UTC)
        os.kill(killed, signal.SIGKILL)
        eventually(lambda: ends_of(hub, draft), seconds=600)
        assert model_server(hub) not in (0, killed)
        # A draft must be taken over within 60 s and end exactly once. The worker that held this one lives and keeps its
        # lease, so nobody takes it from there: going on is its next call or, if it had put the draft back, a next take.
        # Both are written with the time when they began, though a call is saved only when it ends.
        gone_on = gone_on_at(hub, draft, killed_at)
        assert gone_on is not None
        assert gone_on - killed_at <= timedelta(seconds=_TAKEN_OVER_SECONDS)
        assert len(ends_of(hub, draft)) == 1
        assert draft_row(hub, draft)[0] in {"awaiting_review", "escalated"}
    finally:
        hub.stop(signal.SIGTERM)
