"""A person runs the hub on one machine, and takes a case from the form to the mail, with loopback alone."""

import json
import os
import re
import signal
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewhub.embedded.options import ROOT
from tests.ops.running import Hub, Person, eventually, is_loopback, open_sockets, processes_of

_FACTS = ROOT / "fixtures" / "billing" / "gentle_reminder_one" / "facts.json"
_MODELS = ["scripted", pytest.param("embedded", marks=pytest.mark.real_model)]


@pytest.fixture(scope="module", params=_MODELS)
def hub(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    if request.param == "embedded":
        request.getfixturevalue("model_file")
    running = Hub(tmp_path_factory.mktemp("hub") / "var", REVIEWHUB_MODEL=request.param)
    try:
        running.wait_until_ready()
        running.put_demo_off()
        yield running
    finally:
        running.stop(signal.SIGTERM)


def facts_of_a_case(identity: str) -> str:
    facts = json.loads(_FACTS.read_text("utf-8"))
    facts["client"]["id"] = identity
    return json.dumps(facts)


def drafted(person: Person, identity: str) -> str:
    """Enter a case and look again, as the page says, until it is drafted; return the draft's path."""
    person.open("/queues/demo-billing/new/")
    page = person.send("", external_id=identity, domain="billing", facts=facts_of_a_case(identity))
    path = "/" + person.address.split("/", 3)[3]
    assert re.fullmatch(r"/drafts/\d+/", path), page
    eventually(lambda: "look again" not in person.open(path), seconds=600)
    return path


def test_it_prints_the_address_and_the_three_logins(hub: Hub):
    said = "".join(hub.said)
    assert f"Reviewhub runs at {hub.url} " in said
    for name, password in hub.logins().items():
        assert f"  {name} {password}\n" in said
    assert sorted(hub.logins()) == ["admin", "lead", "operator"]
    assert (hub.var / "logins").stat().st_mode & 0o777 == 0o600


def mode_of(path: Path) -> int:
    """Return the permissions of a file; one that went away since it was listed is open to nobody."""
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        return 0


def test_what_it_keeps_is_for_its_owners_eyes_alone(hub: Hub):
    public = hub.var / "static"
    kept = {path: mode_of(path) for path in hub.var.rglob("*") if not path.is_relative_to(public) and not path.is_dir()}
    assert kept[hub.var / "reviewhub.sqlite3"] == 0o600
    assert {path: mode for path, mode in kept.items() if mode & 0o077} == {}
    assert (hub.var / "chroma").stat().st_mode & 0o777 == 0o700


def test_a_second_run_in_the_same_clone_says_where_the_first_one_is(hub: Hub):
    second = hub.start_another(stdout=subprocess.PIPE)
    said, _ = second.communicate(timeout=60)
    assert second.returncode == 1
    assert said.startswith(f"reviewhub: Reviewhub runs from this clone already: {hub.url} (process ")
    assert said.count("\n") == 1
    assert "ok" in Person(hub, "operator").open("/healthz")


def test_a_case_goes_from_the_form_to_an_approved_mail(hub: Hub):
    person = Person(hub, "operator")
    path = drafted(person, "ops-approve")
    if "Approve as it is" not in person.page:
        # A small model may fail on a busy machine: then a person writes. Scripted drafts must pass.
        assert hub.environment["REVIEWHUB_MODEL"] == "embedded"
        assert "Write freely" in person.page
        return
    person.send(f"{path}approve/")
    person.open(path)
    mail = person.send(f"{path}mail/")
    assert mail.startswith("Subject: ")
    assert "$" in mail
    row = hub.rows("select state from reviewhub_draft where id = ?", int(path.split("/")[2]))
    assert row == [("approved",)]


def test_a_draft_is_declined_with_a_reason(hub: Hub):
    person = Person(hub, "operator")
    path = drafted(person, "ops-decline")
    person.open(f"{path}decline/")
    reason = re.search(r'<option value="(\w+)"|type="radio" name="reason" value="(\w+)"', person.page)
    assert reason
    person.send(f"{path}decline/", reason=reason[1] or reason[2], note="The client has paid in the meantime.")
    row = hub.rows("select state from reviewhub_draft where id = ?", int(path.split("/")[2]))
    assert row == [("declined",)]


def test_canned_drafts_are_called_so_on_every_page(hub: Hub):
    person = Person(hub, "lead")
    pages = [person.open(path) for path in ("/", "/queues/demo-billing/", "/queues/demo-billing/new/", "/drafts/1/")]
    canned = hub.environment["REVIEWHUB_MODEL"] == "scripted"
    assert ["Drafts are canned" in page for page in pages] == [canned] * len(pages)


def test_nothing_listens_or_connects_beyond_loopback_and_nothing_tries(hub: Hub):
    listening, connected = open_sockets(set(processes_of(hub.var)))
    assert len(listening) >= 2  # the web pages and the broker
    assert [address for address in listening | connected if not is_loopback(address)] == []
    assert not hub.refused.exists(), hub.refused.read_text()


def test_the_guard_refuses_what_is_not_loopback(hub: Hub, tmp_path: Path):
    record = tmp_path / "refused"
    code = "import socket; socket.create_connection(('192.0.2.1', 9), timeout=5)"
    environment = {**hub.environment, "LOOPBACK_ONLY_RECORD": str(record)}
    done = subprocess.run([ROOT / ".venv/bin/python", "-c", code], check=False, env=environment, capture_output=True)
    assert b"loopback only" in done.stderr
    assert "192.0.2.1" in record.read_text()


def chroma_of(hub: Hub) -> tuple[int, dict[str, str]]:
    """Return the process that keeps the vectors, and its environment."""
    [pid] = [pid for pid, command in processes_of(hub.var).items() if f"--path {hub.var}/chroma" in command]
    variables = Path(f"/proc/{pid}/environ").read_text().rstrip("\0").split("\0")
    return pid, dict(variable.split("=", 1) for variable in variables)


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def test_the_vectors_server_tells_nobody_anything_and_is_started_again_when_killed(hub: Hub):
    pid, environment = chroma_of(hub)
    assert environment["ANONYMIZED_TELEMETRY"] == "False"
    assert environment["HF_HUB_OFFLINE"] == "1"
    heartbeat = f"{environment['REVIEWHUB_CHROMA_URL']}/api/v2/heartbeat"
    assert heartbeat.startswith("http://127.0.0.1:")
    assert (hub.var / "run" / "chroma.url").read_text() == environment["REVIEWHUB_CHROMA_URL"]
    eventually(lambda: answers(heartbeat))
    listening, connected = open_sockets({pid})
    assert {address.partition(":")[0] for address in listening} == {"0100007F"}
    assert [address for address in connected if not is_loopback(address)] == []
    os.kill(pid, signal.SIGKILL)
    eventually(lambda: answers(heartbeat) and chroma_of(hub)[0] != pid)


def test_learning_lets_every_other_process_of_the_hub_go_first(hub: Hub):
    commands = processes_of(hub.var).items()
    learning = {os.getpriority(os.PRIO_PROCESS, pid) for pid, command in commands if "--queues learning" in command}
    drafting = {os.getpriority(os.PRIO_PROCESS, pid) for pid, command in commands if "--queues drafting" in command}
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert (drafting, learning) == ({own + 5}, {own + 10})


def test_the_web_process_loads_neither_torch_nor_the_vector_store(hub: Hub):
    web = [pid for pid, command in processes_of(hub.var).items() if "gunicorn" in command]
    assert len(web) == 3  # the master and two workers
    Person(hub, "operator").open("/queues/demo-billing/")
    for pid in web:
        maps = Path(f"/proc/{pid}/maps").read_text()
        assert "reviewhub" in Path(f"/proc/{pid}/cmdline").read_text()
        assert not re.search(r"torch|spacy|chromadb|sentence_transformers|xllamacpp", maps)


# The last of the tests that share a run, as it ends the run.
def test_a_signal_stops_every_process(hub: Hub):
    number = signal.SIGTERM if hub.environment["REVIEWHUB_MODEL"] == "scripted" else signal.SIGHUP
    assert_stopped_by(number, hub)


def test_an_interrupt_stops_a_run_that_has_just_started(tmp_path: Path):
    hub = Hub(tmp_path / "var", REVIEWHUB_MODEL="scripted")
    hub.wait_until_ready()
    assert_stopped_by(signal.SIGINT, hub)


def assert_stopped_by(number: signal.Signals, hub: Hub) -> None:
    eventually(lambda: len(processes_of(hub.var)) > 8)  # workers fork their children after they are ready
    assert hub.stop(number) == 0
    assert processes_of(hub.var) == {}
    assert hub.said[-1].endswith("Reviewhub has stopped.\n")
