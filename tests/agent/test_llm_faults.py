"""What the clients make of a model server that is broken."""

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from agent.llm.chat import ChatModel, Message, ModelError, Reason, Reply, Sampling
from agent.llm.ollama import OllamaModel
from agent.llm.openai_compatible import OpenAICompatibleModel
from tests.servers.fault_server import Fault, FaultServer
from tests.servers.process import free_port

KEY = "sk-very-secret-key"
PROMPT = [
    Message("system", "You write the friendly middle part of a reminder about open invoices, in two short sentences."),
    Message("user", "The client has [OPEN_COUNT] open items; the oldest is [DAYS_OVERDUE] days late. Tone: gentle."),
]


def ollama(url: str) -> ChatModel:
    return OllamaModel("faulty", host=url)


def openai(url: str) -> ChatModel:
    return OpenAICompatibleModel(f"{url}/v1", "faulty", key=KEY)


Client = Callable[[str], ChatModel]
both_clients = pytest.mark.parametrize("client", [ollama, openai])


def ask(model: ChatModel, *, deadline_seconds: float = 20) -> Reply:
    return model.chat(PROMPT, sampling=Sampling(), schema=None, deadline_seconds=deadline_seconds)


def failure(client: Client, fault: Fault, *, deadline_seconds: float = 20) -> ModelError:
    with FaultServer([fault]) as server, pytest.raises(ModelError) as caught:
        ask(client(server.url), deadline_seconds=deadline_seconds)
    return caught.value


# Each of these servers would go on for minutes or for ever, so that the call ends at all is the deadline's doing.
@both_clients
@pytest.mark.parametrize(
    "fault", [Fault.HANG, Fault.HANG_AFTER_HEADERS, Fault.DRIP_HEADERS, Fault.DRIP], ids=lambda fault: fault.value
)
def test_a_server_that_never_finishes_is_a_timeout(client: Client, fault: Fault) -> None:
    error = failure(client, fault, deadline_seconds=1.2)
    assert error.reason is Reason.TIMEOUT
    assert error.retryable
    assert "1.2 seconds" in str(error)


@both_clients
@pytest.mark.parametrize(
    ("fault", "reason", "retryable"),
    [
        (Fault.FLOOD, Reason.TOO_LARGE, False),
        (Fault.BROKEN_OFF, Reason.INCOMPLETE, True),
        (Fault.DISCONNECT, Reason.INCOMPLETE, True),
        (Fault.NOT_DONE, Reason.INCOMPLETE, True),
        (Fault.LENGTH, Reason.INCOMPLETE, True),
        (Fault.CUT_PROMPT, Reason.PROMPT_CUT, False),
        (Fault.NO_COUNT, Reason.PROMPT_CUT, False),
        (Fault.HTTP_400, Reason.HTTP_400, False),
        (Fault.HTTP_401, Reason.UNAUTHORISED, False),
        (Fault.HTTP_404, Reason.HTTP_404, False),
        (Fault.HTTP_500, Reason.HTTP_500, True),
        (Fault.HTTP_503, Reason.HTTP_503, True),
        (Fault.TOO_LONG, Reason.PROMPT_TOO_LONG, False),
        (Fault.NO_SUCH_MODEL, Reason.WRONG_MODEL, False),
        (Fault.REDIRECT, Reason.REDIRECT, False),
        (Fault.HTML, Reason.HTML, True),
        (Fault.INVALID_JSON, Reason.NOT_JSON, True),
        (Fault.OTHER_JSON, Reason.NOT_JSON, True),
        (Fault.JSON_LIST, Reason.NOT_JSON, True),
        (Fault.EMPTY_BODY, Reason.EMPTY, True),
        (Fault.EMPTY_TEXT, Reason.EMPTY, True),
        (Fault.NUL, Reason.CONTROL_CHARACTERS, True),
        (Fault.LONE_SURROGATE, Reason.CONTROL_CHARACTERS, True),
    ],
    ids=lambda value: value.value if isinstance(value, Fault) else "",
)
def test_each_fault_has_its_reason(client: Client, fault: Fault, reason: Reason, retryable: bool) -> None:
    error = failure(client, fault)
    assert (error.reason, error.retryable) == (reason, retryable)


@both_clients
@pytest.mark.parametrize("fault", [Fault.FINE, Fault.SLOW, Fault.HANG_AFTER_ANSWER], ids=lambda fault: fault.value)
def test_a_whole_answer_is_a_reply(client: Client, fault: Fault) -> None:
    with FaultServer([fault], text="Grüße, thank you.\n\n[TOTAL_DUE]") as server:
        reply = ask(client(server.url))
    assert reply.text == "Grüße, thank you.\n\n[TOTAL_DUE]"
    assert (reply.model, reply.finish, reply.tokens_out) == ("faulty", "stop", 5)
    assert reply.tokens_in > 20


@both_clients
def test_nothing_listens_is_unreachable(client: Client) -> None:
    with pytest.raises(ModelError) as caught:
        ask(client(f"http://127.0.0.1:{free_port()}"))
    assert caught.value.reason is Reason.UNREACHABLE
    assert "127.0.0.1" in str(caught.value)


@pytest.mark.parametrize("host", ["http://[::1", "http://127.0.0.1:port", "ftp://127.0.0.1:21", "http://127.0.0.1:0"])
def test_an_address_that_is_none_is_unreachable(host: str) -> None:
    model = OllamaModel("faulty", host=host)
    with pytest.raises(ModelError) as caught:
        ask(model)
    assert caught.value.reason is Reason.UNREACHABLE
    assert not model.available()


@both_clients
def test_a_fault_that_passes_leaves_the_model_usable(client: Client) -> None:
    with FaultServer([Fault.HTTP_503, Fault.FINE]) as server:
        model = client(server.url)
        with pytest.raises(ModelError):
            ask(model)
        assert ask(model).text == "Thank you."


@both_clients
def test_no_call_leaves_a_thread_or_a_connection(client: Client) -> None:
    def left() -> tuple[int, int]:
        return threading.active_count(), len(list(Path("/proc/self/fd").iterdir()))

    before = left()
    for fault in Fault:
        with FaultServer([fault]) as server, suppress(ModelError):
            ask(client(server.url), deadline_seconds=1)
    assert left() == before


def test_an_answer_of_another_model_is_refused() -> None:
    assert failure(ollama, Fault.OTHER_MODEL).reason is Reason.WRONG_MODEL


def test_a_busy_server_is_asked_once_more_when_it_says_so() -> None:
    with FaultServer([Fault.BUSY, Fault.FINE]) as server:
        assert ask(openai(server.url)).text == "Thank you."
    with FaultServer([Fault.BUSY]) as server:
        with pytest.raises(ModelError) as caught:
            ask(openai(server.url))
        assert caught.value.reason is Reason.HTTP_503
        assert len(server.calls) == 2


@pytest.mark.parametrize("fault", list(Fault), ids=lambda fault: fault.value)
def test_the_key_goes_to_the_server_and_nowhere_else(fault: Fault, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    with FaultServer([fault]) as server:
        model = openai(server.url)
        try:
            told = repr(ask(model, deadline_seconds=1))
        except ModelError as error:
            told = f"{error!r} {error.__cause__!r} {error.__context__!r}"
        assert server.keys[0] == f"Bearer {KEY}"
    assert KEY not in told + model.name + caplog.text


def test_ollama_is_used_only_if_it_lists_the_model() -> None:
    with FaultServer([Fault.FINE], model="llama3.2:3b") as server:
        assert OllamaModel("llama3.2:3b", host=server.url).available()
        absent = OllamaModel("llama3.2", host=server.url)
        assert not absent.available()
        with pytest.raises(ModelError, match=r"ollama pull llama3.2`.*llama3.2:3b"):
            ask(absent)
        assert server.calls == []
    assert not OllamaModel("llama3.2:3b", host=server.url).available()


def test_ollama_is_told_the_size_of_the_context() -> None:
    long = [Message("user", "word " * 5000)]
    with FaultServer([Fault.FINE]) as server:
        model = OllamaModel("faulty", host=server.url)
        ask(model)
        model.chat(long, sampling=Sampling(), schema={"type": "object"}, deadline_seconds=20)
        with pytest.raises(ModelError) as caught:
            model.chat(long * 4, sampling=Sampling(), schema=None, deadline_seconds=20)
    assert [call["options"]["num_ctx"] for call in server.calls] == [8192, 16_384]
    assert server.calls[1]["format"] == {"type": "object"}
    assert caught.value.reason is Reason.PROMPT_TOO_LONG


def test_sampling_and_schema_reach_both_interfaces() -> None:
    schema = {"type": "object", "properties": {"prose": {"type": "string"}}}
    sampling = Sampling(temperature=0.3, seed=7, max_tokens=99, top_p=0.8)
    with FaultServer([Fault.FINE]) as server:
        for client in (ollama, openai):
            client(server.url).chat(PROMPT, sampling=sampling, schema=schema, deadline_seconds=20)
    by_ollama, by_openai = server.calls
    assert by_ollama["format"] == schema
    assert by_ollama["options"] == {
        "temperature": 0.3, "seed": 7, "num_predict": 99, "top_p": 0.8, "num_ctx": 8192,
    }  # fmt: skip
    assert by_openai["response_format"]["json_schema"]["schema"] == schema
    assert {key: by_openai[key] for key in ("temperature", "seed", "max_tokens", "top_p")} == {
        "temperature": 0.3, "seed": 7, "max_tokens": 99, "top_p": 0.8,
    }  # fmt: skip
    assert by_ollama["messages"] == by_openai["messages"]


FIRST_TOKEN = Sampling(temperature=0.0, max_tokens=1, top_logprobs=3)
LIKELY = {"UN": -0.5, " un": -2.0, "SUPPORT": -1.5, "fourth": -9.0}


@both_clients
def test_the_first_token_is_read_where_the_server_has_log_probabilities(client: Client) -> None:
    with FaultServer([Fault.LENGTH], text="UN", likely=LIKELY) as server:
        reply = client(server.url).chat(PROMPT, sampling=FIRST_TOKEN, schema=None, deadline_seconds=20)
    assert reply.first_token == pytest.approx({"UN": -0.5, "un": -2.0, "SUPPORT": -1.5})
    assert reply.finish == "length"
    assert server.calls[0]["logprobs"] is True
    assert server.calls[0]["top_logprobs"] == 3


@both_clients
def test_a_server_without_log_probabilities_answers_all_the_same(client: Client) -> None:
    with FaultServer([Fault.FINE], text="SUPPORTED") as server:
        reply = client(server.url).chat(PROMPT, sampling=FIRST_TOKEN, schema=None, deadline_seconds=20)
    assert reply.first_token is None
    assert reply.text == "SUPPORTED"


@both_clients
def test_log_probabilities_are_not_asked_for_unless_wanted(client: Client) -> None:
    with FaultServer([Fault.FINE], likely=LIKELY) as server:
        assert ask(client(server.url)).first_token is None
    assert not server.calls[0].get("logprobs")
