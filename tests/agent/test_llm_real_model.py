"""The real model, behind Ollama's own client and behind the embedded server. Its words are not asserted."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent.llm.acceptance import fewest_tokens, most_tokens
from agent.llm.chat import ChatModel, Message, ModelError, Reason, Sampling
from agent.llm.names import model_from_name
from tests.servers.models import OLLAMA_MODEL

pytestmark = pytest.mark.real_model

SCHEMA = {
    "type": "object",
    "properties": {"opening": {"type": "string"}, "closing": {"type": "string"}},
    "required": ["opening", "closing"],
    "additionalProperties": False,
}
PROMPT = [
    Message("system", "You write the parts of a friendly reminder to a client. Write [TOTAL_DUE] for the total."),
    Message("user", "Three invoices are open, the oldest for two weeks. Write one short sentence for each part."),
]
# The shortest of calls, for tests that ask nothing of the words: a few tokens each way.
YES_OR_NO = {
    "type": "object",
    "properties": {"yes": {"type": "boolean"}},
    "required": ["yes"],
    "additionalProperties": False,
}
SHORT = [Message("user", "Is water wet?")]
DEADLINE_SECONDS = 240


@pytest.fixture(params=["ollama", "embedded"])
def model(request: pytest.FixtureRequest) -> ChatModel:
    if request.param == "ollama":
        host: str = request.getfixturevalue("ollama_url")
        return model_from_name(f"ollama:{OLLAMA_MODEL}", environ={"OLLAMA_HOST": host})
    return model_from_name("embedded", environ=request.getfixturevalue("embedded_environ"))


def test_the_answer_is_json_of_the_schema(model: ChatModel) -> None:
    reply = model.chat(PROMPT, sampling=Sampling(), schema=SCHEMA, deadline_seconds=DEADLINE_SECONDS)
    assert set(json.loads(reply.text)) == {"opening", "closing"}
    assert reply.finish == "stop"
    assert reply.tokens_out > 10
    assert fewest_tokens(PROMPT) <= reply.tokens_in <= most_tokens(PROMPT)


def test_a_prompt_that_is_cached_counts_in_full(model: ChatModel) -> None:
    counts = [
        model.chat(SHORT, sampling=Sampling(), schema=YES_OR_NO, deadline_seconds=DEADLINE_SECONDS).tokens_in
        for _ in range(2)
    ]
    assert counts[0] == counts[1]
    assert fewest_tokens(SHORT) <= counts[0]


def test_an_answer_that_meets_the_limit_is_incomplete(model: ChatModel) -> None:
    with pytest.raises(ModelError) as caught:
        model.chat(SHORT, sampling=Sampling(max_tokens=2), schema=YES_OR_NO, deadline_seconds=DEADLINE_SECONDS)
    assert caught.value.reason is Reason.INCOMPLETE


def test_the_first_token_comes_with_its_likelihood(model: ChatModel) -> None:
    sampling = Sampling(temperature=0.0, max_tokens=1, top_logprobs=5)
    first = model.chat(SHORT, sampling=sampling, schema=None, deadline_seconds=DEADLINE_SECONDS).first_token
    assert first is not None
    assert 0.2 < sum(math.exp(likely) for likely in first.values()) <= 1.001


def test_a_prompt_beyond_the_context_is_refused(model: ChatModel) -> None:
    long = [Message("user", "again and " * 4500)]
    with pytest.raises(ModelError) as caught:
        model.chat(long, sampling=Sampling(), schema=None, deadline_seconds=DEADLINE_SECONDS)
    assert caught.value.reason is Reason.PROMPT_TOO_LONG


def test_a_call_that_is_given_up_does_not_hold_the_model(model: ChatModel) -> None:
    endless = [Message("user", "Count from one to five hundred in words.")]
    with pytest.raises(ModelError) as caught:
        model.chat(endless, sampling=Sampling(max_tokens=4000), schema=None, deadline_seconds=2)
    assert caught.value.reason is Reason.TIMEOUT
    assert model.chat(SHORT, sampling=Sampling(), schema=YES_OR_NO, deadline_seconds=DEADLINE_SECONDS).text


def test_a_wrong_key_is_refused(embedded_environ: dict[str, str]) -> None:
    model = model_from_name("embedded", environ={**embedded_environ, "REVIEWHUB_MODEL_KEY": "another"})
    with pytest.raises(ModelError) as caught:
        model.chat(PROMPT, sampling=Sampling(), schema=None, deadline_seconds=DEADLINE_SECONDS)
    assert caught.value.reason is Reason.UNAUTHORISED


def test_a_model_that_ollama_does_not_list_is_refused(ollama_url: str) -> None:
    model = model_from_name("ollama:llama3.2:3b", environ={"OLLAMA_HOST": ollama_url})
    with pytest.raises(ModelError, match=f"name one that it has: {OLLAMA_MODEL}") as caught:
        model.chat(PROMPT, sampling=Sampling(), schema=None, deadline_seconds=DEADLINE_SECONDS)
    assert caught.value.reason is Reason.WRONG_MODEL


def test_the_command_line_starts_the_server_another_when_it_dies_and_leaves_none_behind(model_file: Path) -> None:
    code = f"""
import os, pathlib, signal
from agent.llm.chat import Message, Sampling
from agent.llm.names import model_from_name
model = model_from_name("embedded", environ=os.environ)
question = [Message("user", "Say hello.")]
def ask():
    reply = model.chat(question, sampling=Sampling(max_tokens=60), schema=None, deadline_seconds={DEADLINE_SECONDS})
    server = pathlib.Path(f"/proc/{{os.getpid()}}/task/{{os.getpid()}}/children").read_text()
    print(len(reply.text) > 0, server)
    return int(server)
first = ask()
os.kill(first, signal.SIGKILL)
os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
ask()
"""
    environ = {name: value for name, value in os.environ.items() if name != "REVIEWHUB_EMBEDDED_URL"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**environ, "REVIEWHUB_MODEL_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    answered, first, again, second = done.stdout.split()
    assert (answered, again) == ("True", "True")
    assert first != second
    assert not Path(f"/proc/{second}").exists()
