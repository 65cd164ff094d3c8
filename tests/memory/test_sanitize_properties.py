"""What holds for every text: no value of the record survives, a second time changes nothing, clean text stays."""

import string

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.sanitize import read_record
from memory.sanitize.plain import key_of
from memory.sanitize.variants import Rule, address, firm, identifier, person, phone
from tests.memory import sanitize_cases as cases
from tests.memory.leaks import sanitizer

KNOWN = read_record(cases.RECORD)
WHOLE = [
    value
    for kind, values in cases.RECORD.items()
    for value in values
    if isinstance(value, str) and kind not in ("dates", "emails")
]
VARIANTS = sorted(
    {
        variant.key
        for make, kind in ((person, "persons"), (firm, "organisations"), (phone, "phones"), (address, "addresses"))
        for value in cases.RECORD[kind]
        for variant in make(value)
        if variant.rule is Rule.ANY
    }
    | {
        variant.key
        for kind in ("invoices", "purchase_orders", "accounts", "ibans", "vat")
        for value in cases.RECORD[kind]
        for variant in identifier(value)
        if variant.rule is Rule.ANY
    }
)
SENTENCES = [text for text in cases.UNCHANGED if text.strip() and "[" not in text]
PLACES = st.sampled_from(
    [
        "{}",
        "Dear {},",
        "we wrote to {} again",
        "({})",
        "see {}.",
        '"{}"',
        "{}: open",
        "both {} and others",
        "- {}\n- more",
    ]
)
CASES = st.sampled_from([str, str.lower, str.upper, str.title, str.swapcase])
SLOW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def left(text):
    """Return the letters and digits that stand outside slots, word by word."""
    outside = "".join(part.split("]", 1)[-1] if at else part for at, part in enumerate(text.split("[")))
    return {key_of(word) for word in outside.replace("'", " ").split()}


@SLOW
@given(value=st.sampled_from(WHOLE), cased=CASES, place=PLACES)
def test_no_value_survives_in_any_place_or_case(value, cased, place):
    text = sanitizer().sanitize(place.format(cased(value)), known=KNOWN).text
    assert key_of(value) not in key_of(text)
    assert not left(text) & {key_of(word) for word in value.split() if key_of(word) not in ("ltd", "row", "timber")}


@SLOW
@given(key=st.sampled_from(VARIANTS), cased=CASES, place=PLACES)
def test_no_variant_survives_in_any_place_or_case(key, cased, place):
    text = sanitizer().sanitize(place.format(cased(key)), known=KNOWN).text
    assert key not in left(text)


@SLOW
@given(
    pieces=st.lists(
        st.sampled_from([*WHOLE, *cases.STRANGERS, *cases.CONTACTS, *cases.NUMBERS, *cases.ADDRESSES, *SENTENCES]),
        min_size=1,
        max_size=4,
    ),
    gap=st.sampled_from([" ", "\n", "\n\n", ", ", ". ", " and "]),
)
def test_a_second_time_changes_nothing(pieces, gap):
    once = sanitizer().sanitize(gap.join(pieces), known=KNOWN).text
    assert sanitizer().sanitize(once, known=KNOWN).text == once


@SLOW
@given(text=st.text(alphabet=string.printable + "éß£€’–\u00a0\u200b７½", max_size=80))
def test_any_text_is_read_and_no_digit_stays_outside_slots(text):
    result = sanitizer().sanitize(text, known=KNOWN)
    outside = "".join(
        part.split("]", 1)[-1] if at and "]" in part else part for at, part in enumerate(result.text.split("["))
    )
    assert not any(char.isdigit() for char in outside)
    assert sanitizer().sanitize(result.text, known=KNOWN).text == result.text


@SLOW
@given(sentences=st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3, unique=True))
def test_clean_sentences_stay_together(sentences):
    text = "\n\n".join(sentences)
    assert sanitizer().sanitize(text, known=KNOWN).text == text
