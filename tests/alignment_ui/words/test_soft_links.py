"""Tests of expected precision and recall, against the mean over the annotators of each pair."""

import numpy as np
import pytest

from accord_core.pairs.numerics.links import Alignment
from accord_core.words.numerics.soft_links import held_out_counts, soft_counts


def drawn(generator: np.random.Generator) -> Alignment:
    links = {(int(i), int(j)) for i, j in generator.integers(0, 3, size=(4, 2))}
    sure = {link for link in links if generator.random() < 0.7}
    return Alignment.of(sure, links - sure)


def test_the_counts_are_means_over_the_annotators_of_each_pair() -> None:
    generator = np.random.default_rng(2)
    answers = [[drawn(generator) for _ in range(people)] for people in (1, 2, 3, 5)]
    system = [drawn(generator) for _ in answers]
    expected = [
        [
            np.mean([len(one.links & each.links) for each in people]),
            len(one.links),
            np.mean([len(each.links) for each in people]),
        ]
        for people, one in zip(answers, system, strict=True)
    ]
    assert soft_counts(answers, system) == pytest.approx(np.array(expected))
    held_out = held_out_counts(answers)
    assert held_out[0].tolist() == [0, 0, 0]
    for row, people in zip(held_out[1:], answers[1:], strict=True):
        pairs = [(one, other) for one in range(len(people)) for other in range(len(people)) if one != other]
        assert row[0] == pytest.approx(np.mean([len(people[a].links & people[b].links) for a, b in pairs]))
        assert row[1] == row[2] == pytest.approx(np.mean([len(each.links) for each in people]))


def test_pairs_without_annotators_do_not_count() -> None:
    assert soft_counts([[]], [Alignment.of([(0, 0)])]).tolist() == [[0, 0, 0]]
