"""What the shipped word lists hold, and what confirming a word does."""

import pytest

from memory.sanitize.vocabulary import Vocabulary

ENGLISH = Vocabulary.english()


@pytest.mark.parametrize(
    "word",
    [
        "invoice", "remittance", "vat", "iban", "overpayment", "reconciled", "prorated", "unpaid", "colour",
        "color", "organise", "organize", "email", "okay", "unfortunately", "won't", "we'll", "spreadsheet",
    ],
)  # fmt: skip
def test_words_of_billing_mail_are_known(word):
    assert ENGLISH.knows(word)


@pytest.mark.parametrize(
    "name",
    [
        "jose", "pierre", "giulia", "wojciech", "björn", "suzuki", "johnson", "williams", "maria", "peter",
        "martin",
        "harry", "sally", "jack", "london", "paris", "smith", "miller", "cooper", "brightwater", "ltda", "xii", "iv",
    ],
)  # fmt: skip
def test_a_word_that_is_only_a_name_is_not_known(name):
    assert not ENGLISH.knows(name)


@pytest.mark.parametrize("word", ["will", "may", "grant", "mark", "rose", "park", "field", "price", "bill", "june"])
def test_a_name_that_is_a_word_is_known_as_both(word):
    assert ENGLISH.knows(word)
    assert ENGLISH.is_name(word)


def test_no_list_holds_single_letters_capitals_or_possessives():
    single = {word for word in ENGLISH.words if len(word) == 1}
    assert single == {"a"}
    assert not [word for word in ENGLISH.words if word != word.lower() or word.endswith("'s")]


def test_a_word_confirmed_in_lower_case_may_begin_a_sentence_but_has_no_capital_form():
    vocabulary = Vocabulary.english(["kestrelise"])
    assert vocabulary.knows("kestrelise")
    assert vocabulary.may_begin("kestrelise")
    assert not vocabulary.is_confirmed_as("Kestrelise")


def test_a_word_confirmed_with_a_capital_is_confirmed_as_it_stands():
    vocabulary = Vocabulary.english(["Turnstile"])
    assert vocabulary.is_confirmed_as("Turnstile")
    assert not vocabulary.is_confirmed_as("TURNSTILE")


def test_confirming_a_name_does_not_let_its_capital_form_pass():
    vocabulary = Vocabulary.english(["Grant", "grant"])
    assert not vocabulary.is_confirmed_as("Grant")
    assert not vocabulary.may_begin("grant")


def test_what_is_confirmed_for_one_queue_is_not_known_in_another():
    Vocabulary.english(["kestrelise"])
    assert not Vocabulary.english().knows("kestrelise")
