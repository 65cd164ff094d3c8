"""Billing: what may be written about, which words a slot may stand among, and what the letter's frame says."""

from datetime import date

import pytest

from agent.body import Code
from agent.domains import UnknownDomain, UnknownSituation, open_case
from agent.domains.billing.wording import counted, joined, ordinal
from agent.facts import FactsInvalid
from agent.slots import clause_spans, misplaced
from agent.validators.verify import verify_body
from tests.agent.drafting import NOW, case, given


def _line(number: int = 1, **changes: object) -> dict:
    line = {"id": f"A-{number}", "kind": "invoice", "description": f"Work {number}", "period": "2026-03"}
    return {**line, "amount_cents": 10_000, "paid_cents": 0, "due": "2026-04-15", "disputed": False, **changes}


def _credit(cents: int, number: int = 9) -> dict:
    return _line(number, kind="credit", amount_cents=cents, due=None)


def _event(kind: str, text: str = "", line: str | None = "A-1") -> dict:
    return {"kind": kind, "on": "2026-04-20", "text": text, **({"line": line} if line else {})}


def _ledger(*lines: dict, **changes: object) -> dict:
    return given(transactions=list(lines), **({"stated_total_cents": None} | changes))


_PAID = _line(paid_cents=10_000)
_TWIN = {"description": "Cleaning", "amount_cents": 5000}


@pytest.mark.parametrize(
    ("facts", "conflicts", "gaps"),
    [
        pytest.param(_ledger(_line()), [], [], id="one open line"),
        pytest.param(_ledger(_line(), stated_total_cents=10_000), [], [], id="the stated total agrees"),
        pytest.param(_ledger(_line(), stated_total_cents=10_001), ["STATED_TOTAL_DIFFERS"], [], id="by a cent"),
        pytest.param(
            _ledger(_line(disputed=True), _line(2), stated_total_cents=20_000), [], [], id="stated with the disputed"
        ),
        pytest.param(_ledger(_line(), _credit(4000), stated_total_cents=6000), [], [], id="stated less the credit"),
        pytest.param(_ledger(_line(paid_cents=10_001)), ["PAID_ABOVE_AMOUNT"], [], id="paid above the amount"),
        pytest.param(_ledger(_PAID), [], ["NOTHING_OPEN"], id="all paid"),
        pytest.param(_ledger(), [], ["NOTHING_OPEN"], id="no lines"),
        pytest.param(_ledger(_PAID, stated_total_cents=500), ["STATED_TOTAL_DIFFERS"], [], id="conflicts come first"),
        pytest.param(_ledger(_line(), _credit(10_000)), [], ["NOTHING_DUE"], id="a credit covers it"),
        pytest.param(_ledger(_line(), _credit(12_000)), [], ["NOTHING_DUE"], id="a credit exceeds it"),
        pytest.param(_ledger(_line(disputed=True)), [], ["NOTHING_DUE"], id="all disputed"),
        pytest.param(_ledger(_line(**_TWIN), _line(2, **_TWIN)), [], ["AMBIGUOUS_LINES"], id="two that may be one"),
        pytest.param(
            _ledger(_line(**_TWIN), _line(2, **_TWIN | {"description": " cleaning"})),
            [],
            ["AMBIGUOUS_LINES"],
            id="case",
        ),
        pytest.param(_ledger(_line(**_TWIN), _line(2, **_TWIN, period="2026-02")), [], [], id="another month"),
        pytest.param(_ledger(_line(**_TWIN), _line(2, **_TWIN, paid_cents=5000)), [], [], id="one of them is paid"),
        pytest.param(
            _ledger(_line(**_TWIN), _line(2, **_TWIN), events=[_event("not_duplicate")]), [], [], id="said to be two"
        ),
        pytest.param(
            _ledger(*(_line(n, **_TWIN) for n in (1, 2, 3)), events=[_event("not_duplicate")]),
            [],
            ["AMBIGUOUS_LINES"],
            id="two of three are still unclear",
        ),
        pytest.param(_ledger(_line(), events=[_event("payment")]), ["PAID_BUT_OPEN"], [], id="a payment, line open"),
        pytest.param(
            _ledger(_line(), events=[_event("payment", line=None)]), ["PAID_BUT_OPEN"], [], id="a payment on no line"
        ),
        pytest.param(
            _ledger(_line(paid_cents=4000), events=[_event("payment", "part payment")]), [], [], id="a part payment"
        ),
        pytest.param(
            _ledger(_line(paid_cents=4000), events=[_event("payment", "settled in full")]),
            ["PAID_BUT_OPEN"],
            [],
            id="said to be in full",
        ),
        pytest.param(_ledger(_PAID, _line(2), events=[_event("payment")]), [], [], id="a payment on a paid line"),
        pytest.param(
            _ledger(_line(), events=[_event("call", "They paid it on 3 April")]), ["PAID_BUT_OPEN"], [], id="by phone"
        ),
        pytest.param(_ledger(_line(), events=[_event("call", "It has not been paid yet")]), [], [], id="not paid"),
        pytest.param(_ledger(_line(), events=[_event("promise", "will be paid soon")]), [], [], id="a promise"),
    ],
)
def test_what_keeps_a_ledger_from_being_written_about(facts, conflicts, gaps):
    ours = open_case("billing", facts)
    assessment = ours.domain.assess(ours.facts, ours.sheet)
    assert [conflict.code for conflict in assessment.conflicts] == conflicts
    assert [gap.code for gap in assessment.gaps] == gaps


@pytest.mark.parametrize(
    ("facts", "situation"),
    [
        (_ledger(_line(), reminders_sent=0), "check_in"),
        (_ledger(_line(), reminders_sent=1), "gentle_reminder"),
        (_ledger(_line(), reminders_sent=2), "firm_reminder"),
        (_ledger(_line(due="2026-01-15"), reminders_sent=0), "formal_notice"),
        (_ledger(_line(), _line(2, disputed=True, due="2026-01-15")), "dispute_reply"),
        (_ledger(_line(paid_cents=1), _line(2, disputed=True)), "partial_payment"),
        (_ledger(_line(due="2026-01-15"), _credit(1)), "partial_payment"),
    ],
)
def test_the_situation_follows_from_the_ledger(facts, situation):
    assert open_case("billing", facts).situation.name == situation


_MIXED = case("partial_payment_mixed").slots()
_PLAIN = case("client_101").slots()
_FIRM = case("firm_reminder").slots()
_DISPUTE = case("dispute_reply").slots()
_COMING = case("check_in_upcoming").slots()


@pytest.mark.parametrize(
    ("slots", "clause", "allowed"),
    [
        (_PLAIN, "Please settle the total of [TOTAL_DUE]", True),
        (_PLAIN, "a balance of [TOTAL_DUE] is still open", True),
        (_PLAIN, "[TOTAL_DUE] is overdue", True),
        (_PLAIN, "When may we expect [TOTAL_DUE] to be paid", True),
        (_PLAIN, "We have received [TOTAL_DUE]", False),
        (_PLAIN, "Thank you for your payment of [TOTAL_DUE]", False),
        (_PLAIN, "[TOTAL_DUE] has been paid", False),
        (_PLAIN, "a credit of [TOTAL_DUE]", False),
        (_PLAIN, "a late fee of [TOTAL_DUE]", False),
        (_PLAIN, "You agreed to pay [TOTAL_DUE]", False),
        (_PLAIN, "The weather is [TOTAL_DUE]", False),
        (_MIXED, "[TOTAL_DUE] is overdue", False),
        (_MIXED, "We have received [PAID_TO_DATE] and a balance of [TOTAL_DUE] remains", True),
        (_MIXED, "We have received [PAID_TO_DATE]", True),
        (_MIXED, "Thank you for your payment of [PAID_TO_DATE]", True),
        (_MIXED, "Please settle [PAID_TO_DATE]", False),
        (_MIXED, "the remaining balance of [PAID_TO_DATE]", False),
        (_MIXED, "We have not received [PAID_TO_DATE]", False),
        (_MIXED, "Your credit of [CREDIT_TOTAL] is already taken off the total", True),
        (_MIXED, "Please pay [CREDIT_TOTAL]", False),
        (_MIXED, "the overdue amount of [CREDIT_TOTAL]", False),
        (_MIXED, "the disputed amount of [DISPUTED_TOTAL] is left out", True),
        (_FIRM, "Despite [EARLIER_REMINDERS] the items are still open", True),
        (_FIRM, "We have received [EARLIER_REMINDERS]", False),
        (_MIXED, "Please settle the disputed amount of [DISPUTED_TOTAL]", False),
        (_MIXED, "[DISPUTED_LINES] is overdue", False),
        (_DISPUTE, "We have noted your dispute about [DISPUTED_LINES]", True),
        (_DISPUTE, "Please settle everything except [DISPUTED_LINES]", True),
        (_DISPUTE, "Please settle [DISPUTED_LINES]", False),
        (_DISPUTE, "Please settle [DISPUTED_LINES] despite your dispute", False),
        (_FIRM, "The oldest item was due on [OLDEST_DUE]", True),
        (_FIRM, "They were due on [OLDEST_DUE]", False),
        (_FIRM, "The oldest item is due on [OLDEST_DUE]", False),
        (_FIRM, "Please pay by [OLDEST_DUE]", False),
        (_FIRM, "The oldest item is [DAYS_OVERDUE] overdue", True),
        (_FIRM, "All items are [DAYS_OVERDUE] overdue", False),
        (_FIRM, "Please pay within [DAYS_OVERDUE]", False),
        (_FIRM, "Please pay by [PAY_BY]", True),
        (_FIRM, "It was due on [PAY_BY]", False),
        (_PLAIN, "They were due on [OLDEST_DUE]", True),
        (_PLAIN, "Your account shows [OPEN_ITEMS]", True),
        (_PLAIN, "You have [OPEN_ITEMS] overdue", False),
        (_COMING, "The next payment falls due on [NEXT_DUE]", True),
        (_COMING, "It was due on [NEXT_DUE]", False),
    ],
)
def test_a_slot_may_stand_only_where_its_fact_belongs(slots, clause, allowed):
    reasons = [misplaced(slot, clause) for name, slot in slots.items() if f"[{name}]" in clause]
    assert reasons
    assert (not any(reasons)) is allowed, reasons


@pytest.mark.parametrize("ours", [_PLAIN, _MIXED, _FIRM, _DISPUTE, _COMING])
def test_the_forms_that_are_offered_as_fix_are_allowed_themselves(ours):
    wrong = [(slot.name, form, misplaced(slot, form)) for slot in ours.values() for form in slot.clauses]
    assert [item for item in wrong if item[2]] == []


def test_what_the_ledger_lacks_has_no_slot():
    assert not {"PAY_BY", "PAID_TO_DATE", "CREDIT_TOTAL", "DISPUTED_TOTAL", "NEXT_DUE"} & _PLAIN.keys()
    assert "OLDEST_DUE" not in _COMING
    assert {"PAY_BY", "DAYS_OVERDUE", "LINE_1", "LINE_2"} <= _FIRM.keys()


def test_a_disputed_line_is_never_the_oldest_that_is_asked_for():
    lines = (_line(1, disputed=True, due="2026-01-02"), _line(2, due="2026-04-15"))
    assert open_case("billing", _ledger(*lines)).slot_values()["OLDEST_DUE"] == "April 15, 2026"


def test_clauses_end_at_stops_and_before_a_new_thought():
    text = "We thank you, but a balance is open. Please settle it; reply if not."
    assert [text[start:end].strip(" ,") for start, end in clause_spans(text)] == [
        "We thank you",
        "but a balance is open",
        "Please settle it",
        "reply if not",
    ]


def _block(name: str, block: str, **options: object) -> str:
    ours = case(name, **options)
    prose = {task.name: "Text." for task in ours.blocks()}
    found = [
        item.text for item in ours.domain.frame(ours, prose).blocks if isinstance(item, Code) and item.name == block
    ]
    return found[0] if found else ""


def test_the_table_names_every_open_line_and_how_the_total_comes_about():
    assert _block("partial_payment_mixed", "table") == (
        "Open items as of 31 October 2026:\n\n"
        "- KO-301: Tents, 6 pieces, July 2026\n"
        "  $2,000.00 ($3,300.00, of which $1,300.00 is paid), due 20 August 2026, 72 days overdue\n"
        "- KO-302: Ropes, August 2026\n"
        "  $549.00, due 20 September 2026, 41 days overdue\n"
        "- KO-305: Stove repair, August 2026\n"
        "  $187.00, disputed, not part of the total due\n"
        "- KO-C2: Credit for late delivery, August 2026\n"
        "  Credit of $120.00\n\n"
        "Open invoices: $2,736.00\n"
        "Less credits: $120.00\n"
        "Less disputed items: $187.00\n"
        "Total due: $2,429.00"
    )


def test_a_paid_line_is_not_in_the_table():
    assert "TX-0990" not in _block("client_101", "table")


def test_the_pay_block_holds_what_sender_and_policy_say_and_nothing_else():
    assert _block("firm_reminder", "pay") == (
        "How to pay: bank transfer or card\n"
        "Account: Harbourline Freight, account 55019\n"
        "Link: https://pay.harbourline.example/invoices\n"
        "Please quote: W-7001, W-7014\n"
        "Please pay by: 21 August 2026\n"
        "Payment plan: up to three monthly parts\n"
        "Attached: statement-W.pdf and W-7001.pdf"
    )
    assert _block("gentle_reminder_checked", "pay") == ""


@pytest.mark.parametrize(
    ("name", "subject"),
    [
        ("check_in_late", "Subject: Your account: three open items"),
        ("client_101", "Subject: Second reminder: $1,975.00 due"),
        ("firm_reminder_promise", "Subject: Fifth reminder: $5,880.00 due"),
        ("dispute_reply", "Subject: Your account: the disputed items and the rest"),
        ("partial_payment_credit", "Subject: Your account: £561.10 still open"),
        ("formal_notice_first", "Subject: Formal notice: BHD\u00a01,875.500 outstanding"),
    ],
)
def test_the_subject_says_what_the_letter_is(name, subject):
    assert _block(name, "subject") == subject


@pytest.mark.parametrize(
    ("name", "greeting", "sign_off"),
    [
        (
            "client_101",
            "Dear Clara Moss,",
            "Kind regards,\nAna Ruiz\nAccounts Receivable\nbilling@northwind.example\n+1 555 0142",
        ),
        ("check_in_bare", "Dear Osei Consulting,", "Kind regards"),
    ],
)
def test_greeting_and_sign_off_are_the_clients_and_the_senders(name, greeting, sign_off):
    assert (_block(name, "greeting"), _block(name, "sign_off")) == (greeting, sign_off)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("client_101", "$1,975.00"),
        ("gentle_reminder_many", "¥972,950"),
        ("dispute_reply_two", "₹1,65,000.00"),
        ("formal_notice_first", "BHD\u00a01,875.500"),
        ("check_in_late", "€2,592.50"),
        ("partial_payment_paid", "R\u00a06\u00a0600,50"),
    ],
)
def test_amounts_are_written_as_the_locale_writes_them(name, value):
    assert case(name).slot_values()["TOTAL_DUE"] == value


def test_numbers_and_lists_are_put_into_words():
    assert [counted(n, "open item") for n in (1, 2, 10, 11)] == [
        "one open item",
        "two open items",
        "ten open items",
        "11 open items",
    ]
    assert [ordinal(n) for n in (1, 3, 11, 12, 22, 23, 101, 111)] == [
        "first", "third", "11th", "12th", "22nd", "23rd", "101st", "111th",
    ]  # fmt: skip
    assert [joined(names) for names in (["A"], ["A", "B"], ["A", "B", "C"])] == ["A", "A and B", "A, B and C"]


_SITUATIONS = ("check_in", "gentle_reminder", "firm_reminder", "dispute_reply", "partial_payment", "formal_notice")


@pytest.mark.parametrize("situation", _SITUATIONS)
@pytest.mark.parametrize(
    "name", ["client_101", "check_in_upcoming", "partial_payment_mixed", "dispute_reply", "firm_reminder"]
)
def test_every_starter_that_fits_a_ledger_passes_the_verifier_on_it(name, situation):
    ours = case(name, situation=situation)
    assert ours.starters()
    for starter in ours.starters():
        body = ours.domain.frame(ours, starter.prose)
        verdict = verify_body(body, sheet=ours.sheet, slots=ours.slots(), values=ours.slot_values(), now=NOW)
        assert [(item.error_type, item.evidence) for item in verdict.failures] == []


def test_each_situation_has_two_starters_or_more_for_its_own_ledgers():
    own = {"check_in": "check_in_late", "gentle_reminder": "client_101", "firm_reminder": "firm_reminder"}
    own |= {
        "dispute_reply": "dispute_reply",
        "partial_payment": "partial_payment_mixed",
        "formal_notice": "formal_notice",
    }
    assert {name: len(case(ledger).starters()) >= 2 for name, ledger in own.items()} == dict.fromkeys(own, True)


def test_lateness_is_as_of_the_ledgers_day():
    sheet = open_case("billing", _ledger(_line(due="2026-04-29"), as_of="2026-04-30")).sheet
    assert (sheet.as_of, sheet.lines[0].days_overdue) == (date(2026, 4, 30), 1)


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        (("poetry", given()), UnknownDomain, "billing"),
        (("billing", given() | {"colour": 1}), FactsInvalid, "colour"),
        (("billing", []), FactsInvalid, "JSON object"),
    ],
)
def test_a_case_is_refused_with_what_is_wrong(arguments, error, says):
    with pytest.raises(error, match=says):
        open_case(*arguments)


def test_an_unknown_situation_is_refused_with_the_known_ones():
    with pytest.raises(UnknownSituation, match="formal_notice"):
        open_case("billing", given(), situation="poem")


@pytest.mark.parametrize(
    ("fixture", "block", "asked"),
    [
        ("check_in_upcoming", "request", "all is there to pay it"),
        ("check_in_late", "request", "settle the items that are due"),
        ("partial_payment_paid", "opening", "[PAID_TO_DATE]"),
        ("partial_payment_mixed", "opening", "[PAID_TO_DATE]"),
        ("partial_payment_credit", "opening", "[CREDIT_TOTAL]"),
    ],
)
def test_what_a_block_has_to_do_depends_on_what_the_ledger_has(fixture: str, block: str, asked: str):
    tasks = {task.name: task.task for task in case(fixture).blocks()}
    assert asked in tasks[block]
    assert list(tasks) == ["opening", "request", "closing"]


def test_what_sets_a_case_apart_is_what_it_is_like_or_what_the_client_wrote_without_details() -> None:
    facts = _ledger(_line(), client={"id": "c-1", "name": "Acme Ltd", "contact": "Ana Ortega"})
    plain = open_case("billing", facts)
    assert plain.domain.particulars(plain).startswith("one open item; ")
    message = "Ana Ortega here, from Acme Ltd: why is it $100.00? Write to ana@acme.example."
    wrote = open_case("billing", facts, message=message)
    assert wrote.domain.particulars(wrote) == "(name) here, from (name): why is it $#? Write to (contact)"
