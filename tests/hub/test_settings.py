import stat
import threading

import pytest
from django.core.exceptions import ImproperlyConfigured

from reviewhub.settings import BASE_DIR, database, env_bool, env_int, env_list, noted, secret_key


@pytest.mark.parametrize(
    ("value", "read"), [("1", True), ("on", True), ("Yes", True), ("0", False), ("off", False), ("", True), (" ", True)]
)
def test_on_and_off_are_read_and_an_empty_value_is_the_default(monkeypatch, value, read):
    monkeypatch.setenv("REVIEWHUB_X", value)
    assert env_bool("REVIEWHUB_X", default=True) is read


@pytest.mark.parametrize("value", ["maybe", "2", "tru"])
def test_what_is_neither_on_nor_off_stops_the_start(monkeypatch, value):
    monkeypatch.setenv("REVIEWHUB_X", value)
    with pytest.raises(ImproperlyConfigured, match=r"REVIEWHUB_X=.* Set it to 1 or 0"):
        env_bool("REVIEWHUB_X", default=False)


@pytest.mark.parametrize("value", ["0", "-1", "two", "1.5", "\u0663"])
def test_a_number_below_the_least_or_none_at_all_stops_the_start(monkeypatch, value):
    monkeypatch.setenv("REVIEWHUB_X", value)
    with pytest.raises(ImproperlyConfigured, match=r"REVIEWHUB_X=.*whole number of 1 or more"):
        env_int("REVIEWHUB_X", default=3, least=1)


def test_numbers_and_lists_are_read(monkeypatch):
    monkeypatch.setenv("REVIEWHUB_X", "12")
    assert env_int("REVIEWHUB_X", default=3) == 12
    monkeypatch.setenv("REVIEWHUB_X", "a.example, b.example,")
    assert env_list("REVIEWHUB_X", "") == ["a.example", "b.example"]


def test_the_vectors_are_where_the_last_run_noted_it_and_else_at_the_default(tmp_path):
    file = tmp_path / "chroma.url"
    assert noted(file, "http://127.0.0.1:8001") == "http://127.0.0.1:8001"
    file.write_text("http://127.0.0.1:41234\n")
    assert noted(file, "http://127.0.0.1:8001") == "http://127.0.0.1:41234"


def test_a_sqlite_database_waits_for_its_lock_and_takes_it_first():
    read = database("sqlite:////srv/hub/db.sqlite3")
    assert str(read["NAME"]) == "/srv/hub/db.sqlite3"
    assert read["OPTIONS"]["timeout"] == 20
    assert read["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "WAL" in read["OPTIONS"]["init_command"]
    assert database("sqlite:///var/x.sqlite3")["NAME"] == BASE_DIR / "var" / "x.sqlite3"


def test_a_postgresql_database_is_read_from_its_url():
    read = database("postgresql://hub:p%40ss@db.example:5433/reviewhub?sslmode=require")
    assert {name: read[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")} == {
        "NAME": "reviewhub",
        "USER": "hub",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "require"},
    }


@pytest.mark.parametrize("url", ["mysql://x/y", "reviewhub.sqlite3", "sqlite://", "postgresql://host"])
def test_another_database_stops_the_start_and_its_password_is_not_repeated(url):
    with pytest.raises(ImproperlyConfigured, match="REVIEWHUB_DATABASE_URL") as refused:
        database(url.replace("//x", "//user:secret@x"))
    assert "secret" not in str(refused.value)


def test_nothing_runs_twice_for_a_page(settings):
    processors = settings.TEMPLATES[0]["OPTIONS"]["context_processors"]
    for names in (settings.MIDDLEWARE, settings.INSTALLED_APPS, processors):
        assert len(names) == len(set(names))


def test_a_secret_key_is_made_once_for_its_owner_even_when_processes_start_together(tmp_path, monkeypatch):
    monkeypatch.delenv("REVIEWHUB_SECRET_KEY", raising=False)
    path = tmp_path / "var" / "secret_key"
    keys: list[str] = []
    threads = [threading.Thread(target=lambda: keys.append(secret_key(path))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(keys) == 8
    assert len(set(keys)) == 1
    assert len(keys[0]) > 50
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["secret_key"]
