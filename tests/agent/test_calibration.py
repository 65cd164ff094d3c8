"""Scores are held against labels by measures that are worked out by hand here."""

import pytest

from agent import agreement
from agent.agreement import bootstrap, confusion, cost, quadratic_kappa
from agent.calibration import BAR, Probe, calibrate, overrated, padded, probe, prose_words
from agent.labels import LabelledText, LabelsInvalid, read_labels


def _texts(pairs: list[tuple[int, int]]) -> tuple[LabelledText, ...]:
    return read_labels({"pairs": [list(pair) for pair in pairs]})


def test_one_five_against_one_costs_sixteen_times_one_five_against_four():
    assert cost(5, 1) == 16 * cost(5, 4) == 1.0
    base = [(score, score) for score in (1, 2, 3, 4, 5)] * 20
    far, near = (1 - quadratic_kappa([*base, pair]) for pair in ((5, 1), (5, 4)))
    assert 14 < far / near < 18  # the disagreement itself is 16 times; what chance makes of it hardly differs


@pytest.mark.parametrize(
    ("pairs", "kappa"),
    [
        ([(1, 1), (5, 5)], 1.0),
        ([(1, 5), (5, 1)], -1.0),
        ([(1, 1), (1, 5), (5, 1), (5, 5)], 0.0),
        # by hand: labels 1 2 3, scores 1 2 2; found = 1/16; by chance = sum over cells of (l-s)^2/16 x n_l x n_s / 3
        ([(1, 1), (2, 2), (3, 2)], 1 - (1 / 16) / ((1 * 2 + 1 * 1 + 4 * 1 + 1 * 2) / 16 / 3)),
        ([(3, 1), (3, 5)], 0.0),
    ],
)
def test_kappa_is_what_it_is_by_hand(pairs, kappa):
    assert quadratic_kappa(pairs) == pytest.approx(kappa)


def test_labels_that_do_not_occur_do_not_change_the_scale():
    assert quadratic_kappa([(2, 2), (3, 3), (4, 3)]) == pytest.approx(quadratic_kappa([(1, 1), (2, 2), (3, 2)]))
    assert confusion([(2, 3)]) == ((0,) * 5, (0, 0, 1, 0, 0), (0,) * 5, (0,) * 5, (0,) * 5)


def test_equal_accuracy_may_have_unequal_kappa():
    near = [(5, 4), (1, 2), (3, 3), (5, 5), (1, 1)]
    far = [(5, 1), (1, 5), (3, 3), (5, 5), (1, 1)]
    assert agreement.exact(near) == agreement.exact(far) == 0.6
    assert quadratic_kappa(near) > 0.9
    assert quadratic_kappa(far) < 0.1


@pytest.mark.parametrize("pairs", [[], [(4, 4)], [(4, 4), (4, 4), (4, 4)]])
def test_kappa_is_undefined_where_nothing_varies(pairs):
    assert quadratic_kappa(pairs) is None


def test_the_other_measures_are_what_they_are_by_hand():
    pairs = [(1, 2), (2, 2), (3, 5), (5, 4)]
    assert agreement.mean_absolute_error(pairs) == 1.0
    assert agreement.bias(pairs) == 0.5
    assert agreement.within_one(pairs) == 0.75
    assert agreement.exact(pairs) == 0.25
    assert agreement.pearson([(1, 2), (2, 4), (3, 6)]) == pytest.approx(1.0)
    assert agreement.pearson([(1, 6), (2, 4), (3, 2)]) == pytest.approx(-1.0)
    assert agreement.pearson([(1, 3), (2, 3)]) is None
    assert agreement.mean_absolute_error([]) is None


def test_the_interval_draws_texts_and_not_their_scores():
    groups = [[(1, 1), (2, 2), (3, 3)], [(4, 4), (5, 5), (1, 1)], [(2, 5), (3, 1), (5, 1)]] * 5
    low, high = bootstrap(groups, quadratic_kappa, seed=1)
    whole = quadratic_kappa([pair for group in groups for pair in group])
    assert low < whole < high
    assert bootstrap(groups, quadratic_kappa, seed=1) == (low, high)
    alone = [[pair] for group in groups for pair in group]
    narrow = bootstrap(alone, quadratic_kappa, seed=1)
    assert narrow[1] - narrow[0] < high - low


def test_an_interval_of_undefined_values_is_undefined():
    assert bootstrap([[(4, 4)]] * 20, quadratic_kappa) is None
    assert bootstrap([[(4, 4)]], quadratic_kappa) is None


_RISES = Probe(10, 30, 0.1, 0.2, 0.3)
_STEADY = Probe(10, 30, 0.0, 0.0, 0.0)
_AGREEING = _texts([(score, score) for score in (1, 2, 3, 4, 5)] * 8)


@pytest.mark.parametrize(
    ("texts", "length", "holds"),
    [
        (_AGREEING, _STEADY, True),
        (_AGREEING, Probe(10, 30, -0.2, 0.0, 0.2), True),
        (_AGREEING, _RISES, False),
        (_AGREEING, None, False),
        (_AGREEING, Probe(9, 27, 0.0, 0.0, 0.0), False),  # too few made longer
        (_AGREEING[:15], _STEADY, False),  # too few to prove anything
        (_texts([(5, 5)] * 40), _STEADY, False),  # undefined
        (_texts([(score, 6 - score) for score in (1, 2, 3, 4, 5)] * 8), _STEADY, False),
        (_texts([(1, 2), (2, 4), (3, 3), (4, 4), (5, 3)] * 8), _STEADY, False),
    ],
)
def test_a_judge_gates_only_while_everything_holds(texts, length, holds):
    found = calibrate(texts, length=length)
    assert found.holds() is holds
    assert found.as_json()["gates"] is holds


def test_an_undefined_kappa_is_said_to_be_undefined():
    told = calibrate(_texts([(4, 4), (4, 4)])).as_json()
    assert (told["qwk"], told["qwk_undefined"], told["qwk_interval"]) == (None, True, None)
    assert told["mae"] == 0.0
    assert told["bar"] == BAR


def test_a_probe_counts_what_moved():
    found = probe([{"a": 3, "b": 4}, {"a": 1}], [{"a": 5, "b": 4}, {"a": 1}])
    assert (found.texts, found.scores) == (2, 3)
    assert found.mean_change == pytest.approx(2 / 3)
    assert found.share_raised == pytest.approx(1 / 3)
    assert found.rises
    assert probe([], []) is None


def test_a_padded_text_says_the_same_at_twice_the_length():
    text = "Split the bill. " * 10
    longer = padded(text)
    assert longer.startswith(text)
    assert len(longer) >= 2 * len(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Two words.", 2),
        ("One `inline` word", 3),
        ("Before it\n```python\nprint(1, 2, 3)\nx = 4\n```\nafter it", 4),
        ("Before\n~~~\nnot counted\n~~~\nafter", 2),
        ("Never closed\n```\nall of this is code", 2),
        ("````\n```\nstill code\n````\nfour words are here", 4),
        ("A `a` b\n    ```\nindented as code", 6),
        ("", 0),
    ],
)
def test_prose_words_leave_out_code_blocks(text, words):
    assert prose_words(text) == words


def test_overrated_is_the_share_of_high_scores_whose_hard_check_fails():
    graded = [
        ({"edge": 5, "raises": 4, "summary": 5}, {"edge": False, "raises": True}),
        ({"edge": 3, "raises": 5, "summary": 1}, {"edge": False, "raises": False}),
    ]
    assert overrated(graded) == pytest.approx(2 / 3)
    assert overrated([({"edge": 3}, {"edge": False})]) is None


def test_texts_without_a_score_for_a_label_count_as_one():
    (item,) = read_labels({"items": [{"labels": {"a": 5, "b": 1}, "scores": {"a": 5}}]})
    assert item.pairs == ((5, 5), (1, 1))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("labels", "are no JSON object"),
        ({}, "hold no text"),
        ({"pairs": []}, "hold no text"),
        ({"pairs": [[6, 1]]}, "pairs.0.label"),
        ({"pairs": [[1.5, 1]]}, "pairs.0.label"),
        ({"pairs": [[True, 1]]}, "pairs.0.label"),
        ({"pairs": [[1, 2, 3]]}, "pairs.0"),
        ({"items": [{"labels": {}}]}, "items.0.labels"),
        ({"items": [{"labels": {"a": 3}, "score": {"a": 3}}]}, "items.0.score: is no key here"),
    ],
)
def test_labels_of_another_form_are_refused_with_the_place(data, said):
    with pytest.raises(LabelsInvalid) as refused:
        read_labels(data)
    assert said in str(refused.value)


def test_a_bare_list_stands_for_pairs_or_items():
    assert [item.pairs for item in read_labels([[5, 4], {"label": 3, "score": 3}])] == [((5, 4),), ((3, 3),)]
    assert read_labels([{"labels": {"a": 2}, "scores": {"a": 2}}])[0].pairs == ((2, 2),)
