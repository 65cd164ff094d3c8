"""A draft by the real model: whatever its words are, code holds the figures and the run ends as it must."""

import pytest

from agent.body import Prose
from agent.budget import limits_for
from agent.llm.names import model_from_name
from agent.loop import run_draft
from tests.agent.drafting import case
from tests.servers.models import OLLAMA_MODEL

pytestmark = pytest.mark.real_model


@pytest.mark.parametrize("server", ["ollama", "embedded"])
def test_it_writes_a_letter_whose_figures_are_the_ledgers(request, server):
    if server == "ollama":
        model = model_from_name(
            f"ollama:{OLLAMA_MODEL}", environ={"OLLAMA_HOST": request.getfixturevalue("ollama_url")}
        )
    else:
        model = model_from_name("embedded", environ=request.getfixturevalue("embedded_environ"))
    ours = case("client_101")
    run = run_draft(ours, model, limits=limits_for(ours))
    assert run.stop.reason in ("passed", "accepted_low_severity", "attempts", "identical"), run.stop.detail
    assert run.best is not None
    text = run.best.text
    assert all(
        words in text for words in ("Dear Clara Moss,", "TX-1001", "TX-1002", "Total due: $1,975.00", "Ana Ruiz")
    )
    prose = [block.text for block in run.best.body.blocks if isinstance(block, Prose)]
    assert len(prose) == 3
    # The server decodes by the schema, so no figure can have been written.
    assert not any(char.isdigit() for block in prose for char in block)
    assert all(attempt.error is None and attempt.tokens_in for attempt in run.attempts)
