"""What a person can set is documented, and what is documented exists."""

import re

import pytest

from reviewhub.embedded.options import ROOT

_NAME = re.compile(r"\b(?:REVIEWHUB_[A-Z_]*[A-Z]|TORCH_INDEX|OLLAMA_HOST)\b")
_RUNNING = (ROOT / "docs" / "running.md").read_text("utf-8")


def names_in(*folders: str) -> set[str]:
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    return {name for path in files for name in _NAME.findall(path.read_text("utf-8"))}


@pytest.mark.parametrize("name", sorted(names_in("agent", "reviewhub", "tests/servers")))
def test_every_setting_is_in_the_docs(name: str):
    assert f"`{name}`" in _RUNNING


def test_the_docs_name_no_setting_that_nothing_reads():
    assert set(re.findall(r"`(REVIEWHUB_[A-Z_]+|TORCH_INDEX|OLLAMA_HOST)`", _RUNNING)) == names_in(
        "agent", "reviewhub", "tests/servers"
    )


@pytest.mark.parametrize("file", ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))])
def test_every_link_between_documents_leads_somewhere(file: str):
    text = (ROOT / file).read_text("utf-8")
    targets = [link for link in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in link]
    missing = [link for link in targets if not ((ROOT / file).parent / link).exists()]
    assert missing == []


def test_every_target_of_the_makefile_that_the_docs_name_exists():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    documents = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    named = {name for path in documents for name in re.findall(r"\bmake ([a-z-]+)`", path.read_text("utf-8"))}
    assert named
    assert named <= targets
