"""House style: banned dashes, a limit of words, no placeholder; a person's style is only warned about."""

import pytest

from agent.body import Body, Code, Prose
from agent.domains import open_case
from agent.outcome import Status
from agent.validators import verify_body
from agent.validators.wording import WordingParams
from agent.verify import verify
from tests.agent.judging import NOW, OPENING, errors, judge, ledger, only, told

_DASHES = [
    "Pay \u2014 now.",
    "Thanks\u2014Theo",
    "Pay \u2015 now.",
    "Pay \u2013 now.",
    "Pay -- now.",
    "Pay \u2013\nnow.",
    "So \u2014",
]


@pytest.mark.parametrize("text", _DASHES)
def test_a_banned_dash_fails_the_agent_and_warns_a_person(text: str) -> None:
    agent = only(judge(OPENING + text), "PUNCTUATION")
    assert (agent.status, agent.severity) == (Status.FAIL, 0.3)
    person = judge(OPENING + text, by="person")
    assert only(person, "PUNCTUATION").status is Status.WARN
    assert person.verdict == "PASS"


@pytest.mark.parametrize("text", ["A well-known thing.", "A - b.", "Co\u2013op members.", "- first\n- second"])
def test_other_dashes_pass(text: str) -> None:
    assert "PUNCTUATION" not in errors(judge(OPENING + text), Status.FAIL, Status.WARN)


def test_prose_has_at_most_150_words() -> None:
    words = len(OPENING.split())
    assert told(judge(OPENING + "please " * (150 - words))) == []
    assert only(judge(OPENING + "please " * (151 - words)), "TOO_WORDY").evidence == "151 words of prose"


def test_code_blocks_are_not_counted() -> None:
    table = "BX-301 $980.00\nBX-302 $750.00\nTotal due $1,730.00\n" + "note " * 300
    body = Body((Prose("opening", "Here is what is open."), Code("table", table)), framed=True)
    assert told(verify_body(body, sheet=open_case("billing", ledger()).sheet, now=NOW)) == []


def test_rows_of_a_list_of_lines_are_not_counted() -> None:
    rows = "\n".join(f"{mark}BX-301 is open with $980.00, due 10 April 2026." for mark in ("", "- ", "* ", "• ") * 8)
    assert told(judge(f"{OPENING}\n{rows}\n" + "please " * (150 - len(OPENING.split())))) == []
    sentence = "BX-301 is open " + "and so on " * 8
    assert len(sentence.split()) == 27
    assert errors(judge(f"{OPENING}\n" + f"{sentence}\n" * 6)) >= {"TOO_WORDY"}


def test_the_limit_goes_by_situation() -> None:
    params = {"wording": WordingParams(max_words_by_situation={"gentle_reminder": 5})}
    gentle = verify(OPENING, domain="billing", facts=ledger(reminders_sent=1), now=NOW, params=params)
    assert errors(gentle) == {"TOO_WORDY"}
    check_in = verify(OPENING, domain="billing", facts=ledger(reminders_sent=0), now=NOW, params=params)
    assert told(check_in) == []


def test_banned_marks_are_parameters() -> None:
    params = {"wording": WordingParams(banned=("!",), severity=0.1)}
    verdict = verify(OPENING + "Pay \u2014 now!", domain="billing", facts=ledger(), now=NOW, params=params)
    assert [(outcome.error_type, outcome.severity) for outcome in verdict.failures] == [("PUNCTUATION", 0.1)]


_PLACEHOLDERS = """
Dear {{name}}, | Dear [Client Name], | Dear <NAME>, | Total: [TOTAL] | XXX | TBD | Pay by ____. | $[amount]
insert date | lorem ipsum | [x] | [ ] | $XXX.XX | {client} | %NAME% | ${total} | <insert date> | {amount}
xx/xx/xxxx | Your Name | TBC | ??? | to be confirmed | $AMOUNT | DD/MM/YYYY | \u00abNAME\u00bb | __NAME__
INVOICE_NUMBER | Amount: ........ | [[total]] | {% total %} | %s | @@x1@@ | TODO | $____ | [1]
fill in the amount here
"""


@pytest.mark.parametrize(
    "shape", [shape.strip() for row in _PLACEHOLDERS.strip().splitlines() for shape in row.split("|")]
)
@pytest.mark.parametrize("by", ["agent", "person"])
def test_a_placeholder_blocks_whoever_left_it(shape: str, by: str) -> None:
    verdict = judge(OPENING + shape, by=by)
    assert errors(verdict) & {"PLACEHOLDER", "HIDDEN_MARKUP"}
    assert verdict.blocking


@pytest.mark.parametrize(
    "text",
    [
        "Well... that is all.",
        "Is it fine?!",
        "Thanks (again).",
        "**Bold** and _soft_ words.",
        "BX-301 .......... $980.00",
        "***",
    ],
)
def test_what_only_looks_like_one_passes(text: str) -> None:
    assert told(judge(OPENING + text)) == []


def test_brackets_of_the_sheets_own_strings_pass() -> None:
    facts = ledger()
    facts["transactions"][0]["description"] = "Refrigeration [annual]"
    text = "BX-301 (Refrigeration [annual]) and BX-302 are open; the total due is $1,730.00."
    assert told(judge(text, facts=facts)) == []
