"""The gate lets through what is provably free of personal details, and names the rest with what to do about it."""

import pytest

from memory.sanitize.gate import Reason, examine
from memory.sanitize.gate_known import KnownValues
from memory.sanitize.vocabulary import Vocabulary
from tests.memory.leaks import sanitizer

KNOWN = KnownValues.of(
    [
        "Marguerite Okonkwo-Lindqvist",
        "Brightwater Joinery Ltd",
        "INV-2031",
        "m.okonkwo@brightwater.example",
        "Rose Field",
    ]
)


def doubts(text, *, confirmed=(), known=KNOWN, slots=None):
    found = examine(text, known=known, sanitizer=sanitizer(), vocabulary=Vocabulary.english(confirmed), slots=slots)
    assert all(text[doubt.start : doubt.end] == doubt.words for doubt in found)
    return [(doubt.words, doubt.code) for doubt in found]


@pytest.mark.parametrize(
    "text",
    [
        "If you have already paid, please ignore this reminder.",
        "Dear [CLIENT_NAME],\n\nthank you for the payment of [AMOUNT_1]. [LINE_1] is still open.",
        "Will you let us know? May I suggest a call?",
        "- [LINE_1]: open\n- [LINE_2]: disputed",
        "",
    ],
)
def test_a_clean_text_may_be_indexed(text):
    assert doubts(text) == []


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        ("It is 5 days late.", "5"),
        ("It is \u0665 days late.", "\u0665"),
        ("It is \u00bd paid.", "\u00bd"),
        ("It is \u00b2 paid.", "\u00b2"),
        ("It is \u2167 paid.", "\u2167"),
        ("It is \uff15 paid.", "\uff15"),
        ("It is \u4e94 paid.", "\u4e94"),
        ("It is # paid.", "#"),
        ("It is \u2116 paid.", "\u2116"),
        ("It is [\u0665] paid.", "\u0665"),
    ],
)
def test_a_digit_of_any_script_and_a_number_sign_are_doubted(text, doubtful):
    found = dict(doubts(text))
    assert any(doubtful in words for words in found)
    assert set(found.values()) <= {Reason.DIGIT, Reason.PERSONAL, Reason.MARK}


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        ("please ask marguerite okonkwo lindqvist", "marguerite okonkwo lindqvist"),
        ("please ask OKONKWO about it", "OKONKWO"),
        ("please ask M\u00e4rguerite about it", "M\u00e4rguerite"),
        ("the brightwaterjoineryltd order", "brightwaterjoineryltd"),
        ("a rose field", "rose field"),
        ("so it is, Rose", "Rose"),
        ("the lindqvists agreed", "lindqvists"),
    ],
)
def test_what_is_known_of_any_client_is_doubted(text, doubtful):
    assert (doubtful, Reason.KNOWN) in doubts(text)


def test_a_known_value_is_doubted_even_when_it_was_confirmed_as_a_word():
    assert doubts("the brightwater order", confirmed=["brightwater"]) == [("brightwater", Reason.KNOWN)]


def test_words_that_a_client_shares_with_the_language_pass_in_lower_case():
    assert doubts("the joinery and the rose are in the field", confirmed=["joinery"]) == [("joinery", Reason.KNOWN)]
    assert doubts("the rose is in the field") == []


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("paid \U0001f44d", "\U0001f44d"),
        ("pa\u200bid", "\u200b"),
        ("pa\u00adid", "\u00ad"),
        ("p\u0430id", "\u0430"),
        ("paid \u0434\u0430", "\u0434"),
        ("paid \u5c71", "\u5c71"),
        ("paid @ noon", "@"),
        ("paid \u202eon time", "\u202e"),
        ("paid\x0bon time", "\x0b"),
        ("paid a\u0301 la carte", "\u0301"),
        ("paid \U0001d5f4 in", "\U0001d5f4"),
        ("paid [in part]", "["),
        ("paid <in part>", "<"),
    ],
)
def test_other_marks_and_letters_of_other_scripts_are_doubted(text, mark):
    assert any(mark in words and code in (Reason.MARK, Reason.WORD, Reason.PERSONAL) for words, code in doubts(text))


def test_what_the_second_pass_finds_is_doubted():
    assert any(
        code is Reason.PERSONAL for _, code in doubts("Please write to lena dot fox at quayside dot example today")
    )


@pytest.mark.parametrize(
    ("slots", "doubtful"),
    [
        (None, []),
        (["TOTAL_DUE", "LINE_1"], [("[LINE_12]", Reason.SLOT)]),
        (["TOTAL_DUE", "LINE_n"], []),
        (["LINE_n"], [("[TOTAL_DUE]", Reason.SLOT)]),
    ],
)
def test_a_slot_that_the_domain_lacks_is_doubted(slots, doubtful):
    assert doubts("The total is [TOTAL_DUE], with [LINE_12] in it.", slots=slots) == doubtful


@pytest.mark.parametrize(
    "slot", ["[ROSE_MARTA]", "[OKONKWO]", "[MARK]", "[LINE_2031]", "[INV2031]", "[A_]", "[BRIGHTWATER_1]"]
)
def test_what_only_has_the_shape_of_a_slot_is_doubted(slot):
    assert doubts(f"we saw {slot} there") == [(slot, Reason.SLOT)]
    assert doubts(f"we saw {slot} there", slots=["LINE_n"]) == [(slot, Reason.SLOT)]


@pytest.mark.parametrize(
    "kind", ["PERSON", "ORG", "PLACE", "EMAIL", "URL", "HANDLE", "IBAN", "CARD", "VAT", "TAX_ID", "REF", "PERCENT"]
)
def test_slots_of_the_sanitiser_are_none_to_doubt_where_no_domain_is_asked(kind):
    assert doubts(f"we saw [{kind}_1] and [CLIENT_{kind}] there") == []


def test_every_doubt_says_what_a_person_can_do():
    found = examine(
        "Grant and marta paid 5 of twelve, J. said",
        known=KNOWN,
        sanitizer=sanitizer(),
        vocabulary=Vocabulary.english(),
    )
    assert found
    assert all("edit it out" in doubt.reason or "edit them out" in doubt.reason for doubt in found)
    assert [doubt.start for doubt in found] == sorted(doubt.start for doubt in found)


def test_a_confirmed_word_opens_the_gate():
    assert doubts("the zorbing was billed") == [("zorbing", Reason.WORD)]
    assert doubts("the zorbing was billed", confirmed=["zorbing"]) == []


@pytest.mark.parametrize("text", ["qwzx " * 500, "please pay " * 20_000], ids=["doubts", "long"])
def test_a_text_beyond_looking_through_is_one_doubt(text):
    assert [code for _, code in doubts(text)] == [Reason.LONG]


def test_characters_that_are_no_text_are_one_doubt():
    assert doubts("\x00\x01" * 500) == [("\x00\x01" * 500, Reason.MARK)]
