"""Open the site in Debian's Chromium, as one of its people, with or without scripts."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page

from tests.hub.conftest import facts, make_draft, now, people, queue, quick_settings  # noqa: F401 - fixtures
from tests.servers.chromium import chromium  # noqa: F401 - a fixture

# Playwright keeps an event loop in this thread, in which the framework would refuse to reach the database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

FAILURES = Path(__file__).parent / "failures"
_WATCH = """
document.addEventListener("securitypolicyviolation", event => {
    console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`);
});
"""


@pytest.fixture(params=[True, False], ids=["with scripts", "without scripts"])
def scripts(request) -> bool:
    """Run a test twice: as it is quick, and as it must work all the same."""
    return request.param


@pytest.fixture
def open_site(request, chromium: Browser, live_server, people) -> Iterator[Callable[..., Page]]:  # noqa: F811
    """Return `open_site("operator", scripts=..., width=..., scheme=...)`: a page of a browser that is signed in.

    A page that breaks the content policy, or raises an error in a script, fails the test.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_as(name: str, *, scripts: bool = True, width: int = 1280, scheme: Any = "light") -> Page:
        context = chromium.new_context(
            base_url=live_server.url,
            java_script_enabled=scripts,
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            reduced_motion="reduce",
        )
        contexts.append(context)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        client = Client()
        client.force_login(people[name])
        context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}])
        context.add_init_script(_WATCH)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda said: _note(said.text, complaints))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield open_as
    if getattr(request.node, "failed", False):
        _keep_pictures(request.node.name, contexts)
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    item.failed = getattr(item, "failed", False) or report.failed
    return report


def _note(text: str, complaints: list[str]) -> None:
    # The browser also reports answers such as 409 and 422, which are what some tests are about.
    if "CSP:" in text or "Content Security Policy" in text or "Uncaught" in text:
        complaints.append(text)


def _keep_pictures(name: str, contexts: list[BrowserContext]) -> None:
    FAILURES.mkdir(exist_ok=True)
    stem = re.sub(r"\W+", "-", name)
    for place, page in enumerate(page for context in contexts for page in context.pages):
        page.screenshot(path=FAILURES / f"{stem}-{place}.png", full_page=True)
