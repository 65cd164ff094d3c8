"""Open Debian's Chromium for the tests that look at pages."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

__all__ = ["chromium"]

_MISSING = "The browser tests need Chromium and found none: apt-get install chromium (or set REVIEWHUB_TEST_CHROMIUM)"
# Without the background flags Chromium looks for hosts outside; without --no-sandbox it refuses to run as root.
_QUIET = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Yield one headless browser for the session; each test opens contexts of its own in it."""
    program = os.environ.get("REVIEWHUB_TEST_CHROMIUM") or shutil.which("chromium")
    if program is None:
        pytest.fail(_MISSING)
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=[*_QUIET, *sandbox])
        yield browser
        browser.close()
