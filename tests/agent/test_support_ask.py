"""What is asked of a model about a sentence, and how its answer is read."""

import math
from collections.abc import Mapping

import pytest

from agent.llm.chat import ModelError
from agent.llm.openai_compatible import OpenAICompatibleModel
from agent.llm.scripted import ScriptedModel
from agent.support.ask import AnswerUnreadable, ask, question
from agent.support.weak import why_too_weak
from tests.servers.fault_server import Fault, FaultServer

FACTS = ("Rosa Bell of Fern Books writes to Adam Cole.", "Invoice FB-12 for $310.00 is unpaid.")


def asked_of(likely: Mapping[str, float] | None, text: str = "SUPPORTED") -> float:
    with FaultServer([Fault.FINE], text=text, likely=likely) as server:
        model = OpenAICompatibleModel(f"{server.url}/v1", "faulty")
        return ask(model, FACTS, "FB-12 is unpaid.", deadline_seconds=20).supported


@pytest.mark.parametrize(
    ("likely", "share"),
    [
        ({"SUPPORTED": math.log(0.9), "UNSUPPORTED": math.log(0.1)}, 0.9),
        ({"SUP": math.log(0.6), "UN": math.log(0.1), "UNS": math.log(0.1)}, 0.75),
        ({"S": math.log(0.2), "Supported": math.log(0.1), " un": math.log(0.3), "The": math.log(0.3)}, 0.5),
        ({"UNSUPPORTED": math.log(0.99)}, 0.0),
    ],
)
def test_the_tokens_that_begin_either_word_are_weighed(likely: dict[str, float], share: float) -> None:
    assert asked_of(likely) == pytest.approx(share, abs=0.001)


def test_a_model_that_was_about_to_say_something_else_is_unreadable() -> None:
    with pytest.raises(AnswerUnreadable, match="Certainly"):
        asked_of({"Certainly": math.log(0.99), "S": math.log(0.01)})


@pytest.mark.parametrize(
    ("text", "share"), [("SUPPORTED", 1.0), ('"UNSUPPORTED"', 0.0), ("unsupported.", 0.0), ('"SUPPORTED"', 1.0)]
)
def test_without_log_probabilities_the_word_decides(text: str, share: float) -> None:
    assert asked_of(None, text) == share


def test_without_log_probabilities_the_answer_is_held_to_the_two_words() -> None:
    with FaultServer([Fault.FINE], text='"SUPPORTED"') as server:
        model = OpenAICompatibleModel(f"{server.url}/v1", "faulty")
        answer = ask(model, FACTS, "FB-12 is unpaid.", deadline_seconds=20)
    assert server.calls[1]["response_format"]["json_schema"]["schema"]["enum"] == ["SUPPORTED", "UNSUPPORTED"]
    assert answer.calls == 2


def test_a_model_that_does_not_follow_is_unreadable() -> None:
    with pytest.raises(AnswerUnreadable):
        ask(ScriptedModel(["I cannot say."]), FACTS, "FB-12 is unpaid.", deadline_seconds=20)


def test_a_failed_call_is_a_model_error() -> None:
    with FaultServer([Fault.HTTP_500]) as server, pytest.raises(ModelError):
        ask(OpenAICompatibleModel(f"{server.url}/v1", "faulty"), FACTS, "It is.", deadline_seconds=20)


def test_the_sentence_comes_last_so_that_a_server_keeps_all_before_it() -> None:
    first, second = (question(FACTS, sentence) for sentence in ("One is paid.", "Two are paid."))
    assert first[:-1] == second[:-1]
    assert first[-1].content.removesuffix("One is paid.") == second[-1].content.removesuffix("Two are paid.")
    assert FACTS[-1] in first[-1].content


@pytest.mark.parametrize("name", ["ollama:qwen2.5:0.5b", "ollama:llama3.2:1b", "openai:http://x/v1#smollm2:360M"])
def test_a_model_known_to_be_too_small_is_not_asked(name: str) -> None:
    assert "too small" in why_too_weak(name)


@pytest.mark.parametrize(
    "name", ["embedded", "ollama:llama3.2:3b", "ollama:qwen2.5:1.5b", "scripted:x", "openai:http://x/v1#gpt"]
)
def test_a_model_of_enough_or_unknown_size_is_asked(name: str) -> None:
    assert why_too_weak(name) == ""
