"""Which words of a sanitised text are doubtful, and why."""

import pytest

from memory.sanitize.gate_pieces import pieces
from memory.sanitize.gate_words import word_doubts
from memory.sanitize.vocabulary import Vocabulary

ENGLISH = Vocabulary.english()


def doubts(text, vocabulary=ENGLISH):
    found = pieces(text, vocabulary.lists["abbreviations"], vocabulary.lists["greetings"])
    return {(text[start:end], str(code)) for start, end, code in word_doubts(found, vocabulary)}


@pytest.mark.parametrize(
    "text",
    [
        "Will you pay it? May I ask? Mark the invoice as paid. Will the transfer arrive?",
        "Hope you had a good week. Grant us some time. Bill it next month.",
        "we will grant it, and you may mark the bill",
        "Dear [CLIENT_NAME], Please find the invoice attached.",
        "Hi there, Thanks for your mail.",
        "Thank you for the e-mail, i.e. the follow-up on [LINE_1]'s terms and/or the invoice(s).",
        "We'd say it won't do; it's the client's and the clients' money.",
        "Best regards,\nAccounts Team",
        "We pay in May, in February and on Monday.",
        "the VAT, the IBAN and the PO, EIN [TAX_ID_1]",
        "[LINE_1]-related [LINE_2]/[LINE_3]",
        "Is one or two enough? The first of ten.",
        "- Payment is late\n- Your part-payment arrived",
        "A kind word. Then I wrote (as agreed): please pay.",
        "paid—thank you",
        "dear all, hi there and hello again",
        "I'll write; so I’ve said, and I'm sure.",
    ],
)
def test_plain_english_is_not_doubted(text):
    assert doubts(text) == set()


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        ("Grant called.", {("Grant", "name")}),
        ("Will called.", {("Will", "name")}),
        ("Swift called, and so did Parcel.", {("Swift", "name"), ("Parcel", "name")}),
        ("May has not replied.", {("May", "name")}),
        ("Mark, the invoice is late.", {("Mark", "name")}),
        ("Grace I have paid.", {("Grace", "name")}),
        ("We spoke to Grant.", {("Grant", "name")}),
        ("it is mark's share", {("mark", "name")}),
        ("hi grant, thanks", {("grant", "name")}),
        ("so said mr. young", {("young", "name")}),
        ("ROSE PARK paid", {("ROSE", "name"), ("PARK", "name")}),
        ("Kind regards,\nRose", {("Rose", "name")}),
        ("We wait for April. As of June.", {("April", "name"), ("June", "name")}),
        ("signed by May", {("May", "name")}),
    ],
)
def test_a_word_that_is_a_name_too_is_doubted_where_it_may_be_one(text, doubtful):
    assert doubts(text) == doubtful


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        ("Marta called.", {("Marta", "word")}),
        ("marta called", {("marta", "word")}),
        ("MARTA called", {("MARTA", "word")}),
        ("we saw Marta's letter", {("Marta", "word")}),
        ("We paid Fabric Horizon.", {("Fabric", "word"), ("Horizon", "word")}),
        ("paid by porter ltd", {("ltd", "word")}),
        ("Kestrel has paid.", {("Kestrel", "word")}),
        ("O'Brien and d'Angelo", {("O'Brien", "word"), ("d'Angelo", "word")}),
        ("Okonkwo-Lindqvist", {("Okonkwo", "word"), ("Lindqvist", "word")}),
        ("the eInvoice", {("eInvoice", "word")}),
        ("we met\nVision about it", {("Vision", "word")}),
        ("Spoke to Dr. Vision about it", {("Vision", "word")}),
    ],
)
def test_a_word_outside_the_list_is_doubted_whatever_its_case_or_place(text, doubtful):
    assert doubts(text) == doubtful


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        ("twelve", "twelve"),
        ("the twentieth", "twentieth"),
        ("twenty-one days", "twenty-one"),
        ("nineteen seventy-five in total", "nineteen seventy-five"),
        ("two hundred", "two hundred"),
        ("five grand", "five grand"),
        ("one nine seven five", "one nine seven five"),
        ("double seven", "double seven"),
        ("hundreds of euros", "hundreds"),
        ("fourty days", "fourty"),
        ("Nineteen", "Nineteen"),
    ],
)
def test_number_words_above_ten_and_runs_of_them_are_doubted(text, doubtful):
    assert (doubtful, "number") in doubts(text)


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        ("J. called", {("J", "initial")}),
        (f"{'ab' * 30} called", {("ab" * 30, "joined")}),
        ("so said A. today", {("A", "initial")}),
        ("m a r t a", {("m", "initial"), ("r", "initial"), ("t", "initial")}),
        ("[CLIENT_NAME]son", {("son", "joined")}),
        ("pre[LINE_1]", {("pre", "joined"), ("pre", "word")}),
        ("pay.please", {("pay.please", "joined")}),
        ("we saw it,then left", {("then", "joined")}),
        ("see kestrel-holdings", {("kestrel", "joined"), ("holdings", "joined")}),
        ("rose-may", {("rose-may", "joined")}),
        ("good*will", {("will", "joined")}),
        ("mills&sons", {("mills&sons", "joined")}),
        ("info@quayside", {("info", "word"), ("quayside", "joined"), ("quayside", "word")}),
    ],
)
def test_letters_and_joined_words_are_doubted(text, doubtful):
    assert doubts(text) >= {one for one in doubtful if one[1] != "word"}


def test_a_confirmed_word_is_doubted_no_more():
    vocabulary = Vocabulary.english(["Turnstile", "kestrelise"])
    assert doubts("Use the Turnstile. Kestrelise it; we kestrelise.", vocabulary) == set()
    assert doubts("Use the TURNSTILE.", vocabulary) == {("TURNSTILE", "word")}


def test_what_is_doubted_as_a_word_is_what_confirming_takes():
    for word, code in doubts("we saw Marta's letter about the zorbing and the Turnstile"):
        assert code == "word"
        assert doubts(f"we saw {word} again", Vocabulary.english([word])) == set()
