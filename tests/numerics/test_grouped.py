"""Tests of agreement within groups of annotators and over all groups, against single groups and brute force."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from accord_core.numerics.agreement import agreement
from accord_core.numerics.generalising import agreement_over
from accord_core.numerics.grouped import agreement_by_group
from accord_core.numerics.labels import Labels

SIZES, QUESTIONS = (4, 6), 60


def labelled(seed: int = 1) -> tuple[Labels, np.ndarray]:
    """Return labels of two groups, of four careful and six careless annotators."""
    generator = np.random.default_rng(seed)
    group = np.repeat(range(len(SIZES)), SIZES)
    truth = generator.random(QUESTIONS) < 0.4
    wrong = generator.random((QUESTIONS, len(group))) < np.where(group == 0, 0.1, 0.3)
    item, annotator = (each.ravel() for each in np.indices(wrong.shape))
    label = (truth[:, None] ^ wrong).astype(np.int64).ravel()
    return Labels(item, annotator, label, QUESTIONS, len(group), 2), group


def of(labels: Labels, annotators: np.ndarray) -> Labels:
    """Return the labels from these annotators alone, numbered anew."""
    chosen = np.isin(labels.annotator, annotators)
    numbers = np.searchsorted(annotators, labels.annotator[chosen])
    return Labels(labels.item[chosen], numbers, labels.label[chosen], labels.n_items, len(annotators), 2)


def test_each_group_has_the_agreement_of_its_annotators_alone() -> None:
    labels, group = labelled()
    found = agreement_by_group(labels, group, (1, 1))
    for number, within in enumerate(found.within):
        alone = agreement_over(of(labels, np.flatnonzero(group == number)), over="annotators").coefficients
        for name, coefficient in alone.items():
            own = within[name]
            assert [own.value, own.low, own.high] == pytest.approx(
                [coefficient.value, coefficient.low, coefficient.high]
            )
    assert found.annotators == list(SIZES)


@pytest.mark.parametrize("weights", [(1, 1), (70, 30), (0.2, 0.8)])
def test_the_overall_interval_is_that_of_a_stratified_mean(weights: tuple[float, float]) -> None:
    labels, group = labelled()
    found = agreement_by_group(labels, group, weights)
    share = np.array(weights) / sum(weights)
    value, parts = 0.0, []
    for number, size in enumerate(SIZES):
        members = np.flatnonzero(group == number)
        value += share[number] * agreement(of(labels, members))["fleiss_kappa"].value
        left = [agreement(of(labels, np.delete(members, at)))["fleiss_kappa"].value for at in range(size)]
        parts.append(share[number] ** 2 * (size - 1) ** 2 / size * np.var(left, ddof=1))
    freedom = sum(parts) ** 2 / sum(part**2 / (size - 1) for part, size in zip(parts, SIZES, strict=True))
    half = stats.t.ppf(0.975, freedom) * np.sqrt(sum(parts)) / (1 - value**2)
    overall = found.overall["fleiss_kappa"]
    assert overall.value == pytest.approx(value)
    expected = np.tanh(np.arctanh(value) + np.array([-half, half]))
    assert [overall.low, overall.high] == pytest.approx(expected.tolist(), abs=2e-3)


def test_the_weights_of_the_population_replace_those_of_the_sample() -> None:
    labels, group = labelled()
    one, other = (agreement_by_group(labels, group, weights) for weights in ((99, 1), (1, 99)))
    careful, careless = (within["raw_agreement"].value for within in one.within)
    assert one.overall["raw_agreement"].value == pytest.approx(0.99 * careful + 0.01 * careless)
    assert other.overall["raw_agreement"].value == pytest.approx(0.01 * careful + 0.99 * careless)


def test_two_annotators_have_a_figure_without_an_interval() -> None:
    labels, group = labelled()
    group = np.where(np.arange(len(group)) < 2, -1, group)
    found = agreement_by_group(labels, group, (1, 1))
    assert found.annotators == [2, 6]
    within, overall = found.within[0]["raw_agreement"], found.overall["raw_agreement"]
    assert within.value == agreement(of(labels, np.array([2, 3])))["raw_agreement"].value
    assert (within.low, overall.low) == (None, None)
    assert found.within[1]["raw_agreement"].low is not None
    with pytest.raises(ValueError, match="positive"):
        agreement_by_group(labels, group, (1, 0))


def test_a_group_without_shared_questions_leaves_no_overall_figure() -> None:
    labels, group = labelled()
    found = agreement_by_group(labels, np.where(group == 0, np.where(np.arange(10) == 0, 0, -1), 1), (1, 1))
    assert (found.within[0]["raw_agreement"].value, found.overall["raw_agreement"].value) == (None, None)
    assert found.overall["raw_agreement"].reason == "undefined in a group"
