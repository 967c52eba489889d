"""Tests of expected F1 values, against the official scores for each annotator."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.chunks.numerics.score_sums import f1_of_sums, sums_by_pair
from accord_core.chunks.numerics.scores import VERSIONS, ists_scores
from accord_core.chunks.numerics.soft_scores import held_out_sums, soft_sums
from tests.ists_pairs import link, pair, pairs


@st.composite
def several(draw, least=1):
    """Return several annotations of the same sentence pair."""
    first = draw(pairs())
    return [first, *draw(st.lists(pairs(source=first.source, target=first.target), min_size=least - 1, max_size=3))]


def official(gold, system, version):
    return sums_by_pair(ists_scores([gold], [system], version=version), [gold.id])[0]


@given(several(least=2), st.sampled_from(VERSIONS))
def test_the_sums_are_means_of_the_official_sums_over_annotators(annotations, version) -> None:
    system, *answers = annotations
    expected = np.mean([official(each, system, version) for each in answers], axis=0)
    assert soft_sums([answers], [system.links], version)[0] == pytest.approx(expected)


@given(several(), st.sampled_from(VERSIONS))
def test_a_held_out_annotator_is_scored_on_the_other_annotators(annotations, version) -> None:
    [sums] = held_out_sums([annotations], version)
    twos = [(one, other) for one in range(len(annotations)) for other in range(len(annotations)) if one != other]
    of_two = [official(annotations[other], annotations[one], version) for one, other in twos]
    assert sums == pytest.approx(np.mean(of_two, axis=0) if of_two else np.zeros(10))


def test_a_system_gets_the_share_of_the_annotators_who_agree() -> None:
    with_link = pair(link([0], [0], "EQUI", 5.0), source="a", target="p")
    without = replace(with_link, links=(link([0], [], "NOALI", None), link([], [0], "NOALI", None)))
    sums = soft_sums([[with_link, with_link, without]], [with_link.links], 2016)
    precision, recall = 2 / 3, 1.0
    assert f1_of_sums(sums)[0] == pytest.approx(2 * precision * recall / (precision + recall))
    assert soft_sums([[]], [with_link.links], 2016).tolist() == [[0.0] * 10], "pairs without annotators do not count"
