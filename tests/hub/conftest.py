"""Rows that the hub's tests begin with."""

import itertools
import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate
from django.dispatch import receiver

from agent.facts import facts_hash
from reviewhub.drafting import draft_case
from reviewhub.intake import read_case, submit_case
from reviewhub.models import Actor, Case, Draft, FactSheet, Membership, Queue, Role, State, Who
from tests.hub.exported import export  # noqa: F401 - a fixture of the tests of exports
from tests.hub.pages import visit  # noqa: F401 - a fixture of the tests of pages

BILLING = Path("fixtures/billing")
NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)


@receiver(connection_created)
def wait_for_no_disk(connection, **_more):
    """Let commits to SQLite return before they are on the disk, as those to the tests' PostgreSQL do."""
    if connection.vendor == "sqlite":
        connection.connection.execute("PRAGMA synchronous=OFF")


@receiver(post_migrate, sender=apps.get_app_config("reviewhub"))
def put_back_what_migrations_put_there(**_more):
    """Fill the database again when a test with transactions of its own has emptied it, whatever test comes next."""
    import_module("reviewhub.migrations.0003_rules").seed_reasons(apps, None)


@pytest.fixture(autouse=True)
def quick_settings(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # A client of a test makes its own middleware, which would read the hundreds of static files as it begins.
    settings.WHITENOISE_AUTOREFRESH = True
    # A model of a test answers what the test is about; a test of the support check turns it on.
    settings.REVIEWHUB_SUPPORT = "off"


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def facts() -> dict[str, Any]:
    """A ledger with two open invoices of $1,200.00 and $775.00."""
    return {
        "client": {"id": "acme", "name": "Acme Ltd", "contact": "Ana Ortega", "email": "ap@acme.example"},
        "sender": {"name": "Ana Ruiz", "team": "Accounts Receivable", "email": "billing@pell.example"},
        "currency": "USD",
        "locale": "en_US",
        "as_of": "2026-05-04",
        "transactions": [
            {
                "id": "TX-1001",
                "kind": "invoice",
                "description": "Consulting",
                "period": "2026-03",
                "amount_cents": 120000,
                "paid_cents": 0,
                "due": "2026-04-15",
                "disputed": False,
            },
            {
                "id": "TX-1002",
                "kind": "invoice",
                "description": "Hosting",
                "period": "2026-03",
                "amount_cents": 77500,
                "paid_cents": 0,
                "due": "2026-04-15",
                "disputed": False,
            },
        ],
        "reminders_sent": 1,
        "policy": {},
        "events": [],
        "attachments": [],
    }


@pytest.fixture
def queue(db) -> Queue:
    return Queue.objects.create(slug="billing-east", name="Billing East", team="Accounts Receivable")


@pytest.fixture
def people(queue) -> dict[str, User]:
    """One person for each role in the queue, an administrator, and a stranger who belongs to another queue."""
    made = {name: User.objects.create_user(name, password="a long pass phrase") for name in (*Role.values, "stranger")}
    for role in Role:
        Membership.objects.create(queue=queue, user=made[role.value], role=role)
    other = Queue.objects.create(slug="billing-west", name="Billing West", team="Accounts Receivable")
    Membership.objects.create(queue=other, user=made["stranger"], role=Role.LEAD)
    made["admin"] = User.objects.create_superuser("admin", password="a long pass phrase")
    return made


@pytest.fixture
def make_draft(queue, facts, now) -> Callable[..., Draft]:
    """Make a case with a draft in any state, as the database would hold it."""
    numbers = itertools.count(1)

    def make(state: State = State.QUEUED, **changes: Any) -> Draft:
        case = Case.objects.create(
            queue=queue,
            domain="billing",
            external_id=f"case-{next(numbers)}",
            title="Acme Ltd",
            subject="acme",
            difficulty=Decimal(1),
            difficulty_reason="two lines",
            created_at=now,
        )
        given = json.loads(json.dumps(facts))
        sheet = FactSheet.objects.create(case=case, version=1, facts=given, hash=facts_hash(given), created_at=now)
        draft = Draft.queue_up(case=case, sheet=sheet, by=Actor(Who.INTAKE), now=now)
        if state is State.DRAFTING:
            changes = {"lease_token": "0" * 32, "lease_until": now, **changes}
        Draft.objects.filter(pk=draft.pk).update(state=state, **changes)
        draft.refresh_from_db()
        return draft

    return make


@pytest.fixture
def written(queue, now):
    """Draft a fixture's case by its script."""

    def make(name: str = "client_101") -> Draft:
        folder = BILLING / name
        given = {"external_id": name, "domain": "billing", "facts": json.loads((folder / "facts.json").read_text())}
        case = read_case(given, queue=queue)
        draft = submit_case(queue=queue, case=case, by=Actor(Who.INTAKE), now=now, rings=False).draft
        model = f"scripted:{folder / 'scripted.json'}"
        draft_case(draft_id=draft.pk, model_name=model, worker="w1", clock=lambda: now)
        return Draft.objects.get(pk=draft.pk)

    return make


@pytest.fixture
def fresh(queue):
    """Let the queue take the fixtures' facts, which are some days old, as fresh."""
    Queue.objects.filter(pk=queue.pk).update(facts_max_age_days=None)


@pytest.fixture
def draft(written, fresh):
    return written()


@pytest.fixture
def held():
    """Serve a model that answers each call when the test lets it."""

    class Held(BaseHTTPRequestHandler):
        asked = threading.Event()
        may_answer = threading.Event()

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.asked.set()
            self.may_answer.wait(60)
            outputs = json.loads((BILLING / "client_101/scripted.json").read_text())
            said = {"message": {"content": json.dumps(outputs[0])}, "finish_reason": "stop"}
            usage = {"prompt_tokens": 900, "completion_tokens": 90}
            body = json.dumps({"choices": [said], "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Held)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Held.model = f"openai:http://127.0.0.1:{server.server_port}#held"
    yield Held
    Held.may_answer.set()
    server.shutdown()
    server.server_close()
