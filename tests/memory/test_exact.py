"""Exact search finds what a plain loop over every vector finds, and orders equals by their ids."""

import math

import numpy as np
import pytest

from memory.exact import Hit, nearest


def unit(*numbers: float) -> np.ndarray:
    vector = np.array(numbers, dtype=np.float32)
    return vector / np.linalg.norm(vector)


def test_the_most_similar_come_first_and_no_more_than_asked():
    matrix = np.stack([unit(0, 1), unit(1, 0), unit(1, 1)])
    hits = nearest(unit(1, 0), ["7", "8", "9"], matrix, 2)
    assert [hit.id for hit in hits] == ["8", "9"]
    assert [hit.similarity for hit in hits] == pytest.approx([1.0, math.sqrt(0.5)], abs=1e-6)


def test_an_opposite_vector_has_a_similarity_of_minus_one():
    assert nearest(unit(1, 0), ["1"], np.stack([unit(-1, 0)]), 1) == [Hit("1", -1.0)]


def test_equal_vectors_come_in_the_order_of_their_numbers_wherever_the_cut_falls():
    ids = ["10", "9", "100", "2"]
    matrix = np.stack([unit(3, 4)] * 4)
    for n in (1, 2, 3, 4):
        assert [hit.id for hit in nearest(unit(3, 4), ids, matrix, n)] == ["2", "9", "10", "100"][:n]


def test_the_order_of_the_rows_does_not_matter():
    random = np.random.default_rng(20261130)
    matrix = random.normal(size=(400, 384)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    matrix[200:] = matrix[:200]  # every vector twice
    ids = [str(number) for number in range(400)]
    turned = random.permutation(400)
    straight = nearest(matrix[3], ids, matrix, 25)
    assert nearest(matrix[3], [ids[place] for place in turned], matrix[turned], 25) == straight
    assert [hit.id for hit in straight[:2]] == ["3", "203"]


def test_it_finds_what_a_plain_loop_finds():
    random = np.random.default_rng(7)
    matrix = random.normal(size=(300, 384)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    for asked in matrix[:5] + 0.1:
        vector = (asked / np.linalg.norm(asked)).astype(np.float32)
        cosines = {
            str(row): math.fsum(float(a) * float(b) for a, b in zip(vector, matrix[row], strict=True))
            for row in range(300)
        }
        best = sorted(cosines, key=lambda identity: -cosines[identity])[:10]
        assert [hit.id for hit in nearest(vector, list(cosines), matrix, 10)] == best


@pytest.mark.parametrize("n", [0, -1])
def test_nothing_is_found_when_nothing_is_asked_for(n: int):
    assert nearest(unit(1, 0), ["1"], np.stack([unit(1, 0)]), n) == []


def test_nothing_is_found_among_nothing():
    assert nearest(unit(1, 0), [], np.zeros((0, 2), dtype=np.float32), 3) == []


@pytest.mark.parametrize("shape", [(2, 2), (1, 3), (0, 2)])
def test_shapes_that_do_not_fit_are_refused(shape: tuple[int, int]):
    with pytest.raises(ValueError, match="cannot hold 1 vectors of 2 numbers"):
        nearest(unit(1, 0), ["1"], np.zeros(shape, dtype=np.float32), 1)
