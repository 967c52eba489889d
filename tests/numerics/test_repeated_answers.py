"""The share of repeated questions with the same answer, and its intervals."""

import numpy as np
import pytest

from accord_core.numerics.group_agreement import kappa_of_sums
from accord_core.numerics.intervals import Z_95, t_quantile, wilson_interval
from accord_core.numerics.repeated_answers import agreement_of_repeats, share_of_repeats


def test_few_annotators_have_wilsons_interval_over_questions():
    share = share_of_repeats(np.array([1, 1, 0, 1, 1, 1, 1, 0, 1]), np.repeat([0, 4, 7], 3))
    assert share.value == pytest.approx(7 / 9)
    assert (share.low, share.high) == pytest.approx(wilson_interval(7, 9))
    assert share.over == "questions"


def test_annotators_who_differ_have_a_wider_interval():
    same, annotator = np.tile([1, 1, 1, 0], 30), np.arange(120) // 12
    alike = share_of_repeats(same, annotator)
    differing = share_of_repeats(np.sort(same), annotator)
    assert (alike.value, alike.over) == (differing.value, "annotators") == (0.75, "annotators")
    assert (alike.low, alike.high) == pytest.approx(wilson_interval(90, 120)), "annotators do not differ at all"
    assert differing.low < alike.low
    assert differing.high > alike.high


def test_the_effective_number_of_questions_follows_from_the_variance_between_annotators():
    """With clusters of equal size, the variance of the share is that of the mean of the annotators' shares."""
    generator = np.random.default_rng(4)
    chance = generator.beta(4, 1, size=12)
    same = (generator.random((12, 20)) < chance[:, None]).astype(np.int64)
    share = share_of_repeats(same.ravel(), np.repeat(np.arange(12), 20))
    variance = same.mean(axis=1).var(ddof=1) / 12
    effective = share.value * (1 - share.value) / variance * (Z_95 / t_quantile(11)) ** 2
    assert effective < 240
    assert (share.low, share.high) == pytest.approx(wilson_interval(share.value * effective, effective))


def test_the_same_answer_to_all_questions_still_has_an_interval():
    share = share_of_repeats(np.ones(40, dtype=np.int64), np.arange(40) % 8)
    assert (share.low, share.high) == pytest.approx(wilson_interval(40, 40))
    with pytest.raises(ValueError, match="no repeated questions"):
        share_of_repeats(np.array([], dtype=np.int64), np.array([], dtype=np.int64))


@pytest.mark.parametrize("annotators", [4, 5])
def test_the_task_types_figures_do_not_depend_on_the_units_of_the_interval(annotators):
    generator = np.random.default_rng(1)
    counts = generator.multinomial(6, [0.3, 0.1, 0.2, 0.4], size=40).astype(float)
    number = np.arange(40) % annotators
    raw, kappa = agreement_of_repeats(counts, number, kappa_of_sums, seed=1)
    expected = kappa_of_sums(counts.sum(axis=0, keepdims=True))[:, 0]
    assert [raw.value, kappa.value] == pytest.approx(expected.tolist())
    assert raw.low < raw.value < raw.high
