"""Which answers may be used."""

import math

import pytest

from agent.llm.acceptance import (
    fewest_tokens,
    first_token,
    require_complete,
    require_count,
    require_text,
    require_whole_prompt,
)
from agent.llm.chat import Message, ModelError, Reason, Sampling


@pytest.mark.parametrize(
    ("text", "fewest"),
    [
        ("", 0),
        ("one two  three", 3),
        ("[TOTAL_DUE] by 2026-11-30", 7),  # TOTAL, DUE, by, 202, 6, 11, 30
        ("don't", 2),
        ("...---...", 0),
        ("1234567", 3),
    ],
)
def test_no_prompt_has_fewer_tokens_than_words(text: str, fewest: int) -> None:
    assert fewest_tokens([Message("user", text)]) == fewest


@pytest.mark.parametrize("tokens", [90, 100, 140, 4000])
def test_a_count_of_at_least_the_words_is_a_whole_prompt(tokens: int) -> None:
    assert require_whole_prompt("it", tokens, [Message("user", "word " * 100)]) == tokens


@pytest.mark.parametrize("tokens", [None, 0, 1, 89])
def test_a_lower_count_or_none_is_a_cut_prompt(tokens: int | None) -> None:
    with pytest.raises(ModelError) as caught:
        require_whole_prompt("it", tokens, [Message("user", "word " * 100)])
    assert caught.value.reason is Reason.PROMPT_CUT


@pytest.mark.parametrize(("tokens", "counted"), [(None, 0), (0, 0), (768, 768)])
def test_tokens_that_were_written_are_counted(tokens: int | None, counted: int) -> None:
    assert require_count("it", tokens) == counted


@pytest.mark.parametrize("tokens", [-1, 10_000_001, 10**30])
def test_a_count_that_cannot_be_is_no_answer(tokens: int) -> None:
    with pytest.raises(ModelError, match="cannot be") as caught:
        require_count("it", tokens)
    assert caught.value.reason is Reason.NOT_JSON
    with pytest.raises(ModelError):
        require_whole_prompt("it", tokens, [])


@pytest.mark.parametrize("finish", ["length", "content_filter", "load", "", None])
def test_only_an_answer_that_came_to_its_own_end_is_complete(finish: str | None) -> None:
    with pytest.raises(ModelError) as caught:
        require_complete("it", finish, Sampling())
    assert caught.value.reason is Reason.INCOMPLETE


@pytest.mark.parametrize(
    "text", ["Dear client,\r\n\tthank you.\n", "naïve – 你好 👍🏽 e\u0301", "\u200bzero width is another check's"]
)
def test_ordinary_text_passes(text: str) -> None:
    assert require_text("it", text) == text


@pytest.mark.parametrize("character", ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\ud800"])
def test_control_characters_and_lone_surrogates_do_not(character: str) -> None:
    with pytest.raises(ModelError, match=f"U\\+{ord(character):04X}") as caught:
        require_text("it", f"Dear {character}client")
    assert caught.value.reason is Reason.CONTROL_CHARACTERS


@pytest.mark.parametrize("escape", [r"\u0000", r"\u001B", r"\u007f", r"\u0085", r"\ud83d", r"\uDE00", r"\ud83d \ude00"])
def test_nor_do_their_escapes(escape: str) -> None:
    with pytest.raises(ModelError, match="holds the escape") as caught:
        require_text("it", f'{{"opening": "Dear {escape}client"}}')
    assert caught.value.reason is Reason.CONTROL_CHARACTERS


@pytest.mark.parametrize(
    "escape", [r"\n", r"\u000a", r"\u0009", r"\u00e9", r"\ud83d\ude00", r"\u2014", r"\ud7ff", r"\ue000"]
)
def test_other_escapes_pass(escape: str) -> None:
    text = f'{{"opening": "Dear {escape}client"}}'
    assert require_text("it", text) == text


@pytest.mark.parametrize("reason", list(Reason))
def test_what_a_retry_cannot_cure_is_not_retried(reason: Reason) -> None:
    final = {
        "unauthorised",
        "http_400",
        "http_404",
        "redirect",
        "too_large",
        "prompt_cut",
        "prompt_too_long",
        "wrong_model",
    }
    assert ModelError(reason, "it").retryable is (reason.value not in final)


def test_a_first_token_that_was_asked_for_is_complete_at_the_limit() -> None:
    assert require_complete("it", "length", Sampling(max_tokens=1, top_logprobs=5)) == "length"
    with pytest.raises(ModelError):
        require_complete("it", "content_filter", Sampling(max_tokens=1, top_logprobs=5))


@pytest.mark.parametrize(
    ("likeliest", "expected"),
    [
        ([("YES", math.log(0.5)), (" YES", math.log(0.25)), ("NO", math.log(0.25))], {"YES": 0.75, "NO": 0.25}),
        ([("NO", math.nan), ("YES", 0.5)], {"YES": 1.0}),
        ([], None),
        ([("NO", -math.inf)], None),
    ],
)
def test_the_shares_of_one_word_are_added_up(
    likeliest: list[tuple[str, float]], expected: dict[str, float] | None
) -> None:
    found = first_token(likeliest)
    assert (found and {word: round(math.exp(share), 9) for word, share in found.items()}) == expected
