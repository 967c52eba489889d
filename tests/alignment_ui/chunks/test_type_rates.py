"""Tests of the error rates of link types in simulated repeats."""

from __future__ import annotations

import numpy as np
import pytest

from accord_core.chunks.numerics.repeat_links import draw_type_rates
from accord_core.chunks.numerics.type_model import TYPES

LINKS = 20.0


def test_drawn_rates_have_the_mean_and_the_uncertainty_of_the_annotators():
    # Each annotator gave 20 links of each type. Half of the annotators made no errors.
    errors = np.array([0.0, 0.2] * 5)
    votes = LINKS * np.stack([np.full((TYPES, TYPES), rate / (TYPES - 1)) for rate in errors])
    votes[:, range(TYPES), range(TYPES)] = LINKS * (1 - errors[:, None])
    generator = np.random.default_rng(1)
    drawn = np.array([1 - draw_type_rates(votes, generator)[:, range(TYPES), range(TYPES)] for _ in range(1_000)])
    assert drawn.mean() == pytest.approx(0.1, abs=0.005)
    own = drawn.mean(axis=(0, 2))
    assert own == pytest.approx((2 * errors + 0.1) / 3, abs=0.01)  # 20 links of the annotator, and the weight 10
    # The Bayesian bootstrap gives the mean of A annotators the variance of the annotators, divided by A + 1
    spread = drawn.mean(axis=(1, 2)).std()
    assert spread == pytest.approx(errors.std() / np.sqrt(11) / 3, rel=0.1)


def test_rates_without_links_are_defined():
    rates = draw_type_rates(np.zeros((3, TYPES, TYPES)), np.random.default_rng(1))
    assert rates.sum(axis=2) == pytest.approx(np.ones((3, TYPES)))
    assert rates[:, range(TYPES), range(TYPES)] == pytest.approx(0.8)
