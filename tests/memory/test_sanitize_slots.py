"""Slots, spans and their numbers: what a caller gets beside the text."""

import pytest

from memory.sanitize import MAX_CHARACTERS, Span, TextTooLong, read_record
from tests.memory import sanitize_cases as cases
from tests.memory.leaks import sanitizer

KNOWN = read_record(cases.RECORD)


def sanitize(text, known=KNOWN, public=()):
    return sanitizer().sanitize(text, known=known, public=public)


def test_spans_are_places_in_the_input_and_slots_hold_what_stood_there():
    result = sanitize("Dear Ingrid, Ingrid’s INV-7301 is open.")
    assert result.text == "Dear [CLIENT_FIRST_NAME], [CLIENT_FIRST_NAME]’s [INVOICE_1] is open."
    assert result.spans == (
        Span(5, 11, "CLIENT_FIRST_NAME"),
        Span(13, 19, "CLIENT_FIRST_NAME"),
        Span(22, 30, "INVOICE_1"),
    )
    assert result.slots == {"CLIENT_FIRST_NAME": ("Ingrid",), "INVOICE_1": ("INV-7301",)}


def test_a_slot_holds_each_way_that_its_value_was_written_once():
    result = sanitize("inv 7301, INV-7301, inv 7301")
    assert result.slots == {"INVOICE_1": ("inv 7301", "INV-7301")}


def test_spans_are_counted_in_composed_characters_and_joined_line_ends():
    result = sanitize("Re\u0301sume\u0301\r\nIngrid")
    assert result.text == "Résumé\n[CLIENT_FIRST_NAME]"
    assert result.spans[-1] == Span(7, 13, "CLIENT_FIRST_NAME")


def test_the_text_is_the_input_with_its_spans_replaced():
    text = " ".join([*cases.PERSONS, *cases.IDS, *cases.CONTACTS])
    result = sanitize(text)
    rebuilt, at = "", 0
    for span in result.spans:
        rebuilt += text[at : span.start] + f"[{span.slot}]"
        at = span.end
    assert rebuilt + text[at:] == result.text


def test_slots_in_the_text_stay_and_their_numbers_are_not_given_again():
    result = sanitize("[PERSON_1] met Svetlana. [TOTAL_DUE] is open.")
    assert result.text == "[PERSON_1] met [PERSON_2]. [TOTAL_DUE] is open."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[SOLHEIM] rang", "[[CLIENT_LAST_NAME]] rang"),
        ("[INGRID_ADEYEMI]", "[[CLIENT_NAME]]"),
        ("[INV_7301]", "[[INVOICE_1]]"),
    ],
)
def test_brackets_hide_no_value_of_the_record(text, expected):
    assert sanitize(text).text == expected


def test_public_strings_stay():
    text = "Post it to 5100 under section 5.2; account 5200 is closed since 5100 was opened."
    assert sanitize(text, public=["5100", "section 5.2"]).text == (
        "Post it to 5100 under section 5.2; account [ACCOUNT_1] is closed since 5100 was opened."
    )


def test_values_keep_the_slots_that_the_hub_gives_them():
    known = {
        "CLIENT_NAME": ["Grace Bell"],
        "CLIENT_ORG": ["Summit Green Ltd"],
        "TOTAL_DUE": ["$1,240.00"],
        "LINE_1": ["TX-4001"],
        "OLDEST_DUE": ["3 March 2026"],
        "DAYS_OVERDUE": ["86 days"],
        "CLIENT_EMAIL": ["grace.bell@summit.example"],
        "AMOUNT_1": ["$1,240.00", "$96.00"],
    }
    result = sanitize(
        "Grace, Summit Green owes 1240 dollars: tx-4001 was due on 03/03/2026, 86 days ago. $96 of it is "
        "disputed. Write to grace.bell@summit.example.",
        known=known,
    )
    assert result.text == (
        "[CLIENT_FIRST_NAME], [CLIENT_ORG] owes [TOTAL_DUE]: [LINE_1] was due on [OLDEST_DUE], [DAYS_OVERDUE] ago. "
        "[AMOUNT_1] of it is disputed. Write to [CLIENT_EMAIL]."
    )


def test_names_that_are_words_are_found_as_names_only():
    known = {"CLIENT_NAME": ["Will Grant"], "CLIENT_ORG": ["March Bakery Ltd"]}
    text = "Mr Grant, will you grant us a week in March? Will Grant signed for March Bakery."
    assert sanitize(text, known=known).text == (
        "Mr [CLIENT_LAST_NAME], will you grant us a week in March? [CLIENT_NAME] signed for [CLIENT_ORG]."
    )


def test_a_firm_as_the_client_is_found_as_a_firm():
    known = {"CLIENT_NAME": ["Vossberg Kitchens & Sons"]}
    assert (
        sanitize("Vossberg Kitchens and Sons, that is Vossberg", known=known).text
        == "[CLIENT_NAME], that is [CLIENT_NAME]"
    )


def test_the_same_text_is_sanitised_the_same_way_twice():
    text = "\n".join([*cases.STRANGERS, *cases.FIRMS, *cases.FIGURES])
    assert sanitize(text) == sanitize(text)


def test_a_text_of_the_greatest_length_is_read_and_a_longer_one_refused():
    assert sanitize("ab " * (MAX_CHARACTERS // 3), known={}).spans == ()
    with pytest.raises(TextTooLong, match=r"30,001 characters, more than 30,000\. Shorten it"):
        sanitize("a" * (MAX_CHARACTERS + 1))


@pytest.mark.parametrize(
    ("record", "text", "expected"),
    [
        ({"organisations": ["Foxglove Dairy GmbH"]}, "foxglovedairy owes us", "[CLIENT_ORG] owes us"),
        ({"organisations": ["Foxglove Dairy"]}, "fresh from a foxglove dairy", "fresh from a foxglove dairy"),
        ({"persons": ["Mark Rivers"]}, "mail markrivers about it", "mail [CLIENT_NAME] about it"),
        ({"persons": ["Mark Rivers"]}, "please mark rivers on the map", "please mark rivers on the map"),
    ],
)
def test_a_name_of_english_words_is_one_when_they_are_written_as_one(record, text, expected):
    assert sanitize(text, known=read_record(record)).text == expected
