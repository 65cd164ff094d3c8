from hypothesis import given, settings
from hypothesis import strategies as st

from agent.body import Body, Code, Prose
from reviewhub.models import Finding
from reviewhub.views.marks import mark, number

BODY = Body((Code("greeting", "Dear Ana,"), Prose("opening", "We owe [TOTAL] to you."), Prose("closing", "Bye.")))
RENDERED = BODY.render({"TOTAL": "$5.00"})
LENGTH = len(RENDERED.text)


def findings(*spans):
    rows = [Finding(status="FAIL", severity=0.9, metadata={"span": list(span)}) for span in spans]
    return number(rows, RENDERED.text)


def shape(blocks):
    """Write the pieces of each block as text|numbers of its findings."""
    return [
        [(piece.text, tuple(shown.number for shown in piece.findings)) for piece in block.pieces] for block in blocks
    ]


def at(words):
    start = RENDERED.text.index(words)
    return start, start + len(words)


def test_without_findings_a_text_is_cut_at_its_filled_slots_alone():
    blocks = mark(RENDERED, ())
    assert shape(blocks) == [[("Dear Ana,", ())], [("We owe ", ()), ("$5.00", ()), (" to you.", ())], [("Bye.", ())]]
    assert [block.owned for block in blocks] == [True, False, False]
    assert [piece.slot for piece in blocks[1].pieces] == ["", "TOTAL", ""]


def test_overlapping_passages_share_the_words_that_they_share():
    blocks = mark(RENDERED, findings(at("We owe $5.00"), at("owe $5.00 to")))
    assert shape(blocks)[1] == [("We ", (1,)), ("owe ", (1, 2)), ("$5.00", (1, 2)), (" to", (2,)), (" you.", ())]
    starts = [piece.starts for piece in blocks[1].pieces]
    ends = [tuple(shown.number for shown in piece.ends) for piece in blocks[1].pieces]
    assert starts == [(1,), (2,), (), (), ()]
    assert ends == [(), (), (1,), (2,), ()]


def test_a_passage_across_blocks_is_marked_in_each_and_begins_once():
    blocks = mark(RENDERED, findings((at("Ana")[0], at("We")[1])))
    assert shape(blocks)[0] == [("Dear ", ()), ("Ana,", (1,))]
    assert shape(blocks)[1][0] == ("We", (1,))
    assert sum(len(piece.starts) for block in blocks for piece in block.pieces) == 1


spans = st.lists(
    st.tuples(st.integers(0, LENGTH), st.integers(0, LENGTH)).filter(lambda span: span[0] < span[1]), max_size=6
)


@settings(deadline=None)  # the machine that runs the tests is shared
@given(spans)
def test_no_letter_is_lost_or_doubled_and_each_is_marked_by_the_findings_about_it(chosen):
    numbered = findings(*chosen)
    for block, place in zip(mark(RENDERED, numbered), RENDERED.placed, strict=True):
        letter = place.start
        for piece in block.pieces:
            for char in piece.text:
                assert char == RENDERED.text[letter]
                about = {shown.number for shown in piece.findings}
                assert about == {shown.number for shown in numbered if shown.span[0] <= letter < shown.span[1]}
                letter += 1
        assert letter == place.end
