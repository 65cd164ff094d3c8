"""The order in which the sentences of a draft are to be read, and the command that prints it."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent.llm.chat import Message
from agent.llm.scripted import ScriptedModel
from agent.support.rank import rank
from tests.agent.commanding import Done, command

FACTS = (
    "Rosa Bell of Fern Books writes to Adam Cole, the client.",
    "Invoice FB-12 for $310.00, a set of atlases, was due on 2 June 2026 and is unpaid.",
    "The call of 28 May took 30 minutes.",
    "No fee applies.",
)
TEXT = (
    "Dear Adam,\n\nI am writing about FB-12 for the atlases, $310.00. It was due on 2 June. {}"
    "Please send us the amount soon.\n\nBest wishes,\nRosa Bell"
)


def first_of(added: str) -> str:
    text = TEXT.format(f"{added} ")
    return text[slice(*rank(text, FACTS).scored[0].statement.span)]


@pytest.mark.parametrize(
    "added",
    [
        "A legal fee of $45.00 has been added.",
        "Our lawyers are drawing up the papers.",
        "On the phone you promised to pay on Monday.",
        "The money will be returned to you.",
        "You are welcome to keep one atlas for free.",
        "The call on 28 May took an hour.",
        "We have sent the driver to you twice.",
        "It is late because your bank was closed.",
    ],
)
def test_what_no_fact_holds_comes_first(added: str) -> None:
    assert first_of(added) == added


def test_every_sentence_is_ranked_with_its_place() -> None:
    text = TEXT.format("")
    ranking = rank(text, FACTS)
    assert sorted(text[slice(*one.statement.span)] for one in ranking.scored) == [
        "I am writing about FB-12 for the atlases, $310.00.",
        "It was due on 2 June.",
        "Please send us the amount soon.",
    ]
    assert all(0 <= one.support <= 1 for one in ranking.scored)
    assert "no model" in ranking.checked_by


def test_a_model_moves_the_sentences_that_it_was_asked_about() -> None:
    text = TEXT.format("The atlases came on Monday. The maps were printed in Leipzig. ")

    def doubts_leipzig(messages: list[Message]) -> str:
        return "UNSUPPORTED" if "Leipzig" in messages[-1].content else "SUPPORTED"

    ranking = rank(text, FACTS, ScriptedModel(doubts_leipzig))
    assert ranking.checked_by == "words and model"
    first = ranking.scored[0]
    assert "Leipzig" in first.statement.text
    assert first.asked == 0.0
    assert "the model finds it unsupported" in first.why


@pytest.mark.parametrize("outputs", [["who knows"], ["SUPPORTED", "SUPPORTED", "{"]])
def test_a_model_that_does_not_follow_has_no_say(outputs: list[str]) -> None:
    text = TEXT.format("A legal fee has been added. ")
    ranking = rank(text, FACTS, ScriptedModel(outputs))
    alone = rank(text, FACTS)
    assert [one.support for one in ranking.scored] == [one.support for one in alone.scored]
    assert ranking.checked_by.startswith("words alone: the model had no say")


@pytest.mark.parametrize("text", ["", "Hi", "```\ncode\n```"])
def test_a_text_without_statements_is_not_flagged(text: str) -> None:
    ranking = rank(text, FACTS)
    assert ranking.scored == ()
    assert not ranking.flagged


def run(given: Any, *options: str) -> Done:
    return command("support", "--json", *options, given=given if isinstance(given, str) else json.dumps(given))


def test_the_command_answers_for_each_draft() -> None:
    text = TEXT.format("A legal fee of $45.00 has been added. ")
    done = run([{"id": "a", "facts": list(FACTS), "text": text}, {"id": 2, "facts": [], "text": ""}], "--model", "none")
    assert done.returncode == 0, done.stderr
    first, second = json.loads(done.stdout)
    assert first["id"] == "a"
    assert first["flagged"] is True
    worst = first["statements"][0]
    assert text[slice(*worst["span"])] == worst["text"] == "A legal fee of $45.00 has been added."
    assert worst["score"] == min(one["score"] for one in first["statements"])
    assert "words alone" in first["checked_by"]
    assert second == {"id": 2, "statements": [], "flagged": False, "checked_by": first["checked_by"]}


def test_the_command_takes_a_script_for_the_model(tmp_path: Path) -> None:
    (tmp_path / "said.json").write_text('["SUPPORTED"]', encoding="utf-8")
    done = run([{"id": 1, "facts": list(FACTS), "text": TEXT.format("")}], "--model", f"scripted:{tmp_path}/said.json")
    assert json.loads(done.stdout)[0]["checked_by"] == "words and model"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("no json", "is not JSON"),
        ('{"id": 1}', "Give a list"),
        ('[{"id": 1, "facts": "none", "text": ""}]', "0.facts"),
        ('[{"id": 1, "facts": []}]', "0.text"),
    ],
)
def test_the_command_refuses_what_it_cannot_read(given: str, said: str) -> None:
    done = run(given, "--model", "none")
    assert done.returncode == 2
    assert said in done.stderr


def test_the_command_refuses_an_unknown_model() -> None:
    done = run("[]", "--model", "best")
    assert done.returncode == 2
    assert "not the name of a model" in done.stderr
