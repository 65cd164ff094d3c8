"""Choose the database and the broker of a test process before Django reads its settings.

Works without Django, so that the agent's tests run in its light installation. The hub's tests run once on each
database: `pytest tests/hub` takes SQLite, `pytest tests/hub --database postgresql` a PostgreSQL of its own, on which
only the tests run that ask for the database. The broker's address and that of the vectors are fixed at the start;
servers listen there once a test asks for the fixtures `redis_url` and `chroma`. With `--numprocesses` each process goes
this way for itself, so that none meets another's rows, messages or vectors.
"""

import argparse
import importlib.util
import os
import tempfile
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.servers.chroma import ChromaServer, chroma_server
from tests.servers.postgres import postgres_server
from tests.servers.process import MissingServerError, free_port
from tests.servers.redis import PASSWORD, redis_server

__all__ = ["chroma", "redis_url"]

_STACK = pytest.StashKey[ExitStack]()
# What a test asks for, itself or through another fixture, when it reaches the database.
_OF_DATABASE = {"db", "transactional_db", "django_db_setup", "live_server"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--database`."""
    parser.addoption("--database", choices=["sqlite", "postgresql"], default="sqlite", help="the hub's database")


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    """Set the hub's environment ahead of pytest-django, which loads the settings in this same hook."""
    if importlib.util.find_spec("django") and Path("reviewhub/settings.py").exists():
        stack = early_config.stash[_STACK] = ExitStack()
        early_config.add_cleanup(stack.close)
        os.environ.update(_environment(stack, _database_of(early_config.known_args_namespace)))
    return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out of a run on PostgreSQL what knows no database, since it has run as it is beside SQLite."""
    if config.getoption("database") == "sqlite":
        return
    without = [item for item in items if not _reaches_database(item)]
    config.hook.pytest_deselected(items=without)
    items[:] = [item for item in items if _reaches_database(item)]


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """Run the Redis that the settings point at, for the rest of the session."""
    with redis_server(os.environ["REVIEWHUB_BROKER_URL"]) as url:
        yield url


@pytest.fixture(scope="session")
def chroma() -> Iterator[ChromaServer]:
    """Run the Chroma that the settings point at, for the rest of the session; a test names collections of its own."""
    with chroma_server(urlsplit(os.environ["REVIEWHUB_CHROMA_URL"]).port or 0) as server:
        yield server


def _database_of(options: argparse.Namespace) -> str:
    """Return the database that this process tests on; one that only hands tests to others needs no server."""
    hands_out = getattr(options, "numprocesses", None) and "PYTEST_XDIST_WORKER" not in os.environ
    return "sqlite" if hands_out else str(options.database)


def _reaches_database(item: pytest.Item) -> bool:
    asked = set(getattr(item, "fixturenames", ()))
    return bool(asked & _OF_DATABASE) or item.get_closest_marker("django_db") is not None


def _environment(stack: ExitStack, database: str) -> dict[str, str]:
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="reviewhub-test-"))
    Path(folder, "static").mkdir()  # where collected files would be; the tests are served those of the tree
    try:
        url = stack.enter_context(postgres_server()) if database == "postgresql" else f"sqlite:///{folder}/db.sqlite3"
    except MissingServerError as error:
        raise pytest.UsageError(str(error)) from error
    broker = os.environ.get("REVIEWHUB_TEST_REDIS_URL") or f"redis://:{PASSWORD}@127.0.0.1:{free_port()}/0"
    return {
        "DJANGO_SETTINGS_MODULE": "reviewhub.settings",
        "REVIEWHUB_BROKER_URL": broker,
        "REVIEWHUB_CHROMA_URL": f"http://127.0.0.1:{free_port()}",
        "REVIEWHUB_DATABASE_URL": url,
        "REVIEWHUB_SECRET_KEY": "the tests keep no secret",
        "REVIEWHUB_VAR": folder,
    }
