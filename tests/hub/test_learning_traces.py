"""After learning from edits of every example's client, nothing of any of them is left where it does not belong."""

import json
import logging
from base64 import b64decode
from datetime import timedelta

import pytest
import redis
from django.core import serializers

from agent.fixtures import FIXTURES, fixtures, past_edits
from memory.store import collection_name
from reviewhub.demo_edits import replay
from reviewhub.intake import read_case, submit_case
from reviewhub.learning import advance
from reviewhub.models import Actor, AuditEvent, Decision, Draft, Exemplar, Queue, Review, Who
from reviewhub.remembering import store
from reviewhub.sweeping import sweep
from tests.hub.acting import key
from tests.traces import traces

# What a case's title, its id and its attachment tell.
LABELS = (b"Zephyrine", b"Quillfeather", b"Quillhaven", b"quillhaven", b"Vossler")

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def broker(redis_url):
    client = redis.Redis.from_url(redis_url)
    client.flushdb()
    return client


@pytest.fixture
def collection(queue, chroma):
    name = collection_name(queue.pk, "billing")
    store().drop(name)
    return name


def told(facts, amounts):
    """Write what an operator must not, all of it in one passage."""
    client, sender = facts["client"], facts.get("sender") or {}
    people = [client.get("contact", ""), client["name"], client["id"], client.get("address", ""), client.get("vat", "")]
    ways = [client.get("email", ""), client.get("phone", ""), client.get("account", ""), sender.get("email", "")]
    lines = [line["id"] for line in facts["transactions"]][:5]
    labels = ["Zephyrine Quillfeather", "quillhaven", "the Vossler letter"]
    return " ".join(
        ["As we told", *filter(None, [*labels, *people, *ways, *lines, *amounts]), "the items are still open."]
    )


def approved(queue, person, name, facts, prose, now):
    """Save an approved edit of an example as rows, whatever the checks would have said of it."""
    given = {"external_id": f"Quillhaven-{name}:{key()}", "title": "Statement for Zephyrine Quillfeather"}
    given |= {"domain": "billing", "facts": {**facts, "attachments": [{"name": "Vossler letter.pdf"}]}}
    case = read_case(given, queue=queue)
    draft = submit_case(queue=queue, case=case, by=Actor(Who.INTAKE), now=now, rings=False).draft
    Draft.objects.filter(pk=draft.pk).update(state="approved")
    blocks = [{"kind": "prose", "name": block, "text": text} for block, text in prose.items()]
    review = Review.objects.create(draft=draft, reviewer=person, round=1, verdict="approved_with_edits", at=now)
    return Decision.objects.create(
        draft=draft,
        review=review,
        decided_by=person,
        decided_at=now,
        verdict="approved_with_edits",
        written="edited",
        state_before="awaiting_review",
        body={"framed": True, "blocks": blocks},
        text="An approved text.",
        idempotency_key=key(),
        effects_at=now,
    )


def held_by(broker, name):
    """Return what a key of the broker holds, with the bodies of messages as they are read."""
    items = broker.lrange(name, 0, -1) if broker.type(name) == b"list" else broker.smembers(name)
    bodies = (b64decode(json.loads(item)["body"]) for item in items if item.startswith(b"{"))
    return b" ".join([*items, *bodies])


def test_nothing_of_any_client_is_in_the_store_the_broker_the_log_or_the_audit_trail(
    queue, people, broker, collection, chroma, caplog, now
):
    caplog.set_level(logging.DEBUG)
    Queue.objects.filter(pk=queue.pk).update(facts_max_age_days=None)
    left = set(LABELS)
    for item in fixtures("billing"):
        left |= traces(item.facts)
        amounts = sorted(trace.decode() for trace in traces(item.facts) if b"." in trace and b"@" not in trace)[:5]
        for prose in ({"opening": told(item.facts, amounts)}, {"opening": "The items below are still open."}):
            approved(queue, people["operator"], item.name, item.facts, prose, now)
        for edit in past_edits(FIXTURES / "billing" / item.name, "billing"):
            left |= traces(edit.facts)
            replay(edit, external_id=f"{item.name}: {edit.name}", queue=queue, user=people["operator"])
    while sweep(now=now + timedelta(minutes=1)).learning:
        for pk in Exemplar.objects.in_state("waiting").values_list("pk", flat=True):
            advance(exemplar_id=pk, clock=lambda: now + timedelta(minutes=1))
    counts = Exemplar.objects.counts_by_state()
    assert counts["waiting"] == counts["ready"] == 0
    assert counts["indexed"] >= 35  # the clean ones, and the examples' own edits
    assert counts["quarantined"] >= 1
    assert store().ids(collection) == {str(pk) for pk in Exemplar.objects.recallable().values_list("pk", flat=True)}

    places = {f"Chroma: {path.name}": path.read_bytes() for path in chroma.data.rglob("*") if path.is_file()}
    places |= {f"Redis: {name.decode()}": name + held_by(broker, name) for name in broker.scan_iter()}
    places["log"] = caplog.text.encode()
    places["audit"] = serializers.serialize("json", AuditEvent.objects.all()).encode()
    clean = Exemplar.objects.recallable().values_list("prose", flat=True)
    places["clean prose"] = json.dumps(list(clean), ensure_ascii=False).encode()
    assert any(name.startswith("Chroma") for name in places)
    assert any(name.startswith("Redis") for name in places)
    found = {(name, trace) for name, held in places.items() for trace in left if trace in held}
    assert not found
