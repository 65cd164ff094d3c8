"""The agent is a light library: importing all of it loads no framework and no model runtime."""

import pkgutil
import subprocess
import sys

import agent

_HEAVY = {"torch", "django", "celery", "redis", "chromadb", "sentence_transformers", "spacy", "reviewhub", "memory"}


# What other processes run: the command line, and the model server with its runtime.
_PROGRAMS = {"agent.__main__", "agent.llm.embedded_server"}


def test_importing_the_whole_agent_loads_nothing_heavy():
    found = {module.name for module in pkgutil.walk_packages(agent.__path__, "agent.")}
    modules = sorted(found - _PROGRAMS)
    assert found >= _PROGRAMS
    program = f"import importlib, sys; [importlib.import_module(name) for name in {modules!r}]; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert len(modules) > 100
    assert _HEAVY & set(loaded) == set()
