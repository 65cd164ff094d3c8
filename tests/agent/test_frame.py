"""The model is asked for JSON that holds slots and no figure, and what comes back is read strictly."""

import json
import re

import pytest

from agent.domains.domain import BlockTask
from agent.fixtures import fixtures
from agent.frame import ReplyInvalid, read_reply, reply_schema
from tests.agent.drafting import case

_TASKS = (BlockTask("opening", "say it", 2), BlockTask("closing", "end it", 1))
_SLOTS = case().slots()


def _read(**blocks: object) -> dict[str, str]:
    return read_reply(json.dumps(blocks), _TASKS, _SLOTS)


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("Please settle the total of [TOTAL_DUE].", True),
        ("It was due on [OLDEST_DUE]. Could you look into it?", True),
        ("The items aren't settled, as the up-to-date list shows.", True),
        ("One sentence here. Another sentence there. And a third one.", False),
        ("We ask for [TOTAL_DUE] or [TOTAL_DUE].", False),
        (f"We {'really ' * 20}mean it.", False),
        ("Please settle [TOTAL_DUE] as soon as you can, or tell us what holds it up.", True),
        ("The oldest is [DAYS_OVERDUE] overdue.", True),
        ("The oldest is [DAYS_OVERDUE] overdue, which is late.", False),
        ("It was due on [OLDEST_DUE], which is long ago.", False),
        ("Please settle  the total.", False),
        ("Please settle the total, .", False),
        ("Please settle [TOTAL_DUE] , .", False),
        ("Please settle $5.", False),
        ("Please settle 5 items.", False),
        ("Please settle [AMOUNT].", False),
        ("Please settle [TOTAL_DUE", False),
        ("please settle the total.", False),
        ("Please settle the total", False),
        ("Please settle the total: now.", False),
        ("Please settle the total!", False),
        ('Please settle "the total".', False),
        ("Please settle\nthe total.", False),
        ("", False),
    ],
)
def test_the_schema_lets_sentences_of_letters_and_offered_slots_through(text, allowed):
    schema = reply_schema(_TASKS, [_SLOTS["TOTAL_DUE"], _SLOTS["OLDEST_DUE"], _SLOTS["DAYS_OVERDUE"]])
    assert bool(re.search(schema["properties"]["opening"]["pattern"], text)) is allowed


def test_the_schema_asks_for_each_block_and_nothing_else():
    schema = reply_schema(_TASKS, [_SLOTS["TOTAL_DUE"]])
    assert schema["required"] == ["opening", "closing"]
    assert schema["additionalProperties"] is False
    assert not re.search(schema["properties"]["closing"]["pattern"], "One sentence here. Another sentence there.")


def test_without_slots_the_schema_has_no_brackets():
    assert not re.search(reply_schema(_TASKS, [])["properties"]["opening"]["pattern"], "Please settle [TOTAL_DUE].")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Please settle [TOTAL].", "Please settle [TOTAL_DUE]."),
        ("Please settle [AMOUNT_DUE].", "Please settle [TOTAL_DUE]."),
        ("Please settle $[TOTAL_DUE].", "Please settle [TOTAL_DUE]."),
        ("Your account shows [OPEN_COUNT] open items.", "Your account shows [OPEN_ITEMS]."),
        ("It is [DAYS_OVERDUE] days overdue.", "It is [DAYS_OVERDUE] overdue."),
        ("Two  spaces\nand a line.", "Two spaces and a line."),
        ("Dear [CLIENT_NAME], hello.", "Dear [CLIENT_NAME], hello."),
        ("Pay [total_due].", "Pay [total_due]."),
    ],
)
def test_listed_aliases_become_slots_and_nothing_else_does(written, read):
    assert _read(opening=written, closing="Thanks.")["opening"] == read


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Dear client, please pay.", "not JSON"),
        ("", "not JSON"),
        ('["a", "b"]', "no object"),
        ("null", "no object"),
        ('{"opening": "a"}', '"closing"'),
        ('{"opening": "  ", "closing": "b"}', '"opening"'),
        ('{"opening": 1, "closing": "b"}', '"opening"'),
        ('{"opening": "a", "closing": "b", "more": []}', '"more"'),
        ('{"opening": "a", "closing": "b"', "not JSON"),
        ("[" * 10_000, "JSON"),
        ('{"opening": "' + "a" * 30_000 + '", "closing": "b"}', "characters"),
    ],
)
def test_a_reply_of_another_shape_is_refused_with_what_is_wrong(text, says):
    with pytest.raises(ReplyInvalid, match=re.escape(says)):
        read_reply(text, _TASKS, _SLOTS)


def test_json_in_a_code_fence_is_read():
    assert read_reply('```json\n{"opening": "a", "closing": "b"}\n```', _TASKS, _SLOTS) == {
        "opening": "a",
        "closing": "b",
    }


@pytest.mark.parametrize("name", [fixture.name for fixture in fixtures("billing") if fixture.expect["attempts"]])
def test_every_starter_can_be_written_under_the_schema(name):
    ours = case(name)
    slots = [ours.slots()[slot] for slot in ours.offered()]
    patterns = {key: item["pattern"] for key, item in reply_schema(ours.blocks(), slots)["properties"].items()}
    texts = [(block, text) for starter in ours.starters() for block, text in starter.prose.items()]
    assert [(block, text) for block, text in texts if not re.search(patterns[block], text)] == []
