"""The names of models, and the scripted model behind one of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent.llm.chat import ChatModel, Message, ModelError, Reason, Sampling
from agent.llm.embedded import EmbeddedModel
from agent.llm.names import ModelNameError, model_from_name
from agent.llm.ollama import OllamaModel
from agent.llm.openai_compatible import OpenAICompatibleModel
from agent.llm.scripted import ScriptedModel
from tests.servers.fault_server import Fault, FaultServer


def said(model: ChatModel, text: str = "Write.", deadline_seconds: float = 20) -> str:
    messages = [Message("user", text)]
    return model.chat(messages, sampling=Sampling(), schema=None, deadline_seconds=deadline_seconds).text


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("scripted", ScriptedModel),
        ("embedded", EmbeddedModel),
        ("ollama:llama3.2:3b", OllamaModel),
        ("ollama:hf.co/Qwen/Qwen2.5-1.5B-Instruct-GGUF:Q4_K_M", OllamaModel),
        ("openai:http://127.0.0.1:8000/v1#Qwen/Qwen2.5-7B-Instruct", OpenAICompatibleModel),
        ("openai:https://api.groq.com/openai/v1#llama-3.1-8b-instant", OpenAICompatibleModel),
        ("openai:http://[::1]:8000#m", OpenAICompatibleModel),
    ],
)
def test_each_kind_of_name_gives_its_client(name: str, kind: type) -> None:
    model = model_from_name(name, environ={}, canned=lambda messages: "Hello.")
    assert isinstance(model, kind)
    assert model.name == name


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "not the name of a model"),
        ("gpt-4", "not the name of a model"),
        ("Ollama:llama3.2", "not the name of a model"),
        ("embedded:small", "not the name of a model"),
        ("ollama", "names no model"),
        ("ollama:", "names no model"),
        ("scripted:", "names no file"),
        ("scripted:/nowhere/outputs.json", "/nowhere/outputs.json: No such file"),
        ("openai:", "lacks the URL"),
        ("openai:http://127.0.0.1:8000/v1", "lacks the URL or, after a #, the model's name"),
        ("openai:http://127.0.0.1:8000/v1#", "lacks the URL or, after a #, the model's name"),
        ("openai:127.0.0.1:8000#m", "not an address"),
        ("openai:ftp://127.0.0.1/v1#m", "not an address"),
        ("openai:http://127.0.0.1:99999/v1#m", "not an address"),
        ("openai:http://[::1/v1#m", "not an address"),
        ("openai:http:///v1#m", "not an address"),
        ("openai:http://127.0.0.1/v1?key=1#m", "has a ?"),
    ],
)
def test_a_wrong_name_says_what_is_wrong(name: str, said: str) -> None:
    with pytest.raises(ModelNameError) as caught:
        model_from_name(name, environ={})
    assert said in str(caught.value)


@pytest.mark.parametrize("name", ["openai:http://me:secret@127.0.0.1/v1#m", "openai:http://me:secret@127.0.0.1/v1"])
def test_a_password_in_the_url_is_refused_and_not_repeated(name: str) -> None:
    with pytest.raises(ModelNameError) as caught:
        model_from_name(name, environ={})
    assert "secret" not in str(caught.value)


def test_scripted_without_a_file_needs_canned_drafts() -> None:
    with pytest.raises(ModelNameError, match=r"needs the argument canned.* or give a file"):
        model_from_name("scripted", environ={})


def test_an_unknown_name_lists_what_is_allowed() -> None:
    with pytest.raises(ModelNameError, match=r"scripted, scripted:FILE, embedded, ollama:NAME or openai:URL#NAME"):
        model_from_name("gpt-4", environ={})


def test_the_key_comes_from_the_environment() -> None:
    with FaultServer([Fault.FINE]) as server:
        said(model_from_name(f"openai:{server.url}#faulty", environ={"REVIEWHUB_MODEL_KEY": "from-outside"}))
        said(model_from_name(f"openai:{server.url}/v1/#faulty", environ={}))
    assert server.keys == ["Bearer from-outside", None]


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "schlüssel"])
def test_a_key_that_no_header_can_hold_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(ModelNameError, match="REVIEWHUB_MODEL_KEY") as caught:
        model_from_name("openai:http://127.0.0.1:8000#m", environ={"REVIEWHUB_MODEL_KEY": key})
    assert key not in str(caught.value)


def test_ollama_is_looked_for_where_its_own_setting_says() -> None:
    with FaultServer([Fault.FINE]) as server:
        host = server.url.removeprefix("http://")
        assert said(model_from_name("ollama:faulty", environ={"OLLAMA_HOST": host})) == "Thank you."
    with pytest.raises(ModelNameError, match="OLLAMA_HOST"):
        model_from_name("ollama:faulty", environ={"OLLAMA_HOST": "http://host:port"})


def test_embedded_is_the_server_that_runs() -> None:
    with FaultServer([Fault.FINE], text="From the server.") as server:
        environ = {"REVIEWHUB_EMBEDDED_URL": server.url, "REVIEWHUB_MODEL_KEY": "its-key"}
        assert said(model_from_name("embedded", environ=environ)) == "From the server."
    assert server.keys == ["Bearer its-key"]


def test_embedded_without_its_file_says_how_to_fetch_it(tmp_path: Path) -> None:
    model = model_from_name("embedded", environ={"REVIEWHUB_CACHE": str(tmp_path)})
    with pytest.raises(ModelError, match=r"python -m agent fetch-model") as caught:
        said(model)
    assert caught.value.reason is Reason.WRONG_MODEL


def test_the_last_scripted_output_repeats(tmp_path: Path) -> None:
    script = tmp_path / "scripted.json"
    script.write_text(json.dumps(["first", {"prose": ["größer"]}, ["last"]]), encoding="utf-8")
    model = model_from_name(f"scripted:{script}", environ={})
    assert [said(model) for _ in range(4)] == ["first", '{"prose": ["größer"]}', '["last"]', '["last"]']


def test_canned_drafts_depend_on_the_prompt() -> None:
    model = model_from_name("scripted", environ={}, canned=lambda messages: f"About {messages[-1].content}")
    assert [said(model, "A"), said(model, "B"), said(model, "A")] == ["About A", "About B", "About A"]


@pytest.mark.parametrize(("output", "reason"), [("", Reason.EMPTY), ("a\x00b", Reason.CONTROL_CHARACTERS)])
def test_a_script_is_held_to_what_servers_are_held_to(output: str, reason: Reason) -> None:
    with pytest.raises(ModelError) as caught:
        said(ScriptedModel([output]))
    assert caught.value.reason is reason


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "is not JSON"),
        ("{}", "must hold a JSON list"),
        ("[]", "at least one output"),
        ('["fine", 7]', "output 2 is 7"),
        ("[null]", "output 1 is None"),
    ],
)
def test_a_file_that_is_no_script_says_why(content: str, said: str, tmp_path: Path) -> None:
    script = tmp_path / "scripted.json"
    script.write_text(content, encoding="utf-8")
    with pytest.raises(ModelNameError) as caught:
        model_from_name(f"scripted:{script}", environ={})
    assert said in str(caught.value)
    assert str(script) in str(caught.value)


def test_a_script_that_is_not_text_says_so(tmp_path: Path) -> None:
    script = tmp_path / "scripted.json"
    script.write_bytes(b"\xff\xfe[")
    with pytest.raises(ModelNameError, match="is not JSON"):
        model_from_name(f"scripted:{script}", environ={})


def test_two_drafts_do_not_share_a_place_in_the_script(tmp_path: Path) -> None:
    script = tmp_path / "scripted.json"
    outputs: list[Any] = ["first", "second"]
    script.write_text(json.dumps(outputs), encoding="utf-8")
    one, other = (model_from_name(f"scripted:{script}", environ={}) for _ in range(2))
    assert [said(one), said(one), said(other)] == ["first", "second", "first"]
