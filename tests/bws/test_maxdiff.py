"""Tests of MaxDiff, compared with an explicit likelihood over pairs, scipy's optimiser, choix and a
numerical Hessian.
"""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from accord_core.bws.numerics.design import best_worst_design
from accord_core.bws.numerics.lbfgs import minimise
from accord_core.bws.numerics.maxdiff import maxdiff_scores, maxdiff_with_reliabilities, min_max
from accord_core.bws.numerics.scoring import Judgements, counting_scores, spearman
from accord_core.bws.numerics.simulation import simulate_judgements
from tests.bws.test_scoring import N_ITEMS, judgements_as_found


def log_likelihood(u, judgements: Judgements, reliability=None, penalty: float = 0.05) -> float:
    """Calculate the likelihood row by row and pair by pair over the different items of each row."""
    total = -penalty * float(u @ u)
    for row, (items, best, worst) in enumerate(zip(judgements.items, judgements.best, judgements.worst, strict=True)):
        if best == worst:
            continue
        pairs = list(permutations(set(items.tolist()), 2))
        share = math.exp(u[best] - u[worst]) / sum(math.exp(u[i] - u[j]) for i, j in pairs)
        if reliability is not None:
            a = reliability[judgements.annotator[row]]
            share = a * share + (1 - a) / len(pairs)
        total += math.log(share)
    return total


def shown_in_consistent_rows(judgements: Judgements) -> np.ndarray:
    return np.unique(judgements.items[judgements.best != judgements.worst])


@given(judgements_as_found())
def test_utilities_are_where_scipy_finds_the_maximum(judgements):
    fit = maxdiff_scores(judgements)
    found = scipy.optimize.minimize(lambda u: -log_likelihood(u, judgements), np.zeros(N_ITEMS), method="BFGS").x
    shown = shown_in_consistent_rows(judgements)
    assert fit.converged
    assert fit.dropped == (judgements.best == judgements.worst).sum()
    np.testing.assert_allclose(fit.utility[shown], found[shown] - (found[shown].mean() if len(shown) else 0), atol=2e-3)
    assert np.flatnonzero(~np.isnan(fit.utility)).tolist() == shown.tolist()
    assert np.flatnonzero(~np.isnan(fit.standard_error)).tolist() == shown.tolist()


@pytest.mark.nightly
def test_standard_errors_are_those_of_a_numerical_hessian():
    judgements = simulate_judgements(best_worst_design(12), np.linspace(-1, 1, 12), per_tuple=3)
    fit = maxdiff_scores(judgements)

    def gradient(u):
        return scipy.optimize.approx_fprime(u, lambda v: log_likelihood(v, judgements), 1e-5)

    step = 1e-3 * np.eye(12)
    curvature = [-(gradient(fit.utility + h)[i] - gradient(fit.utility - h)[i]) / 2e-3 for i, h in enumerate(step)]
    np.testing.assert_allclose(fit.standard_error, 1 / np.sqrt(curvature), rtol=2e-3)


@pytest.mark.nightly
def test_errors_with_reliabilities_are_those_of_the_observed_information():
    judgements = simulate_judgements(
        best_worst_design(12), np.linspace(-1.5, 1.5, 12), per_tuple=6, annotators=8, careless=0.25
    )
    fit, reliability = maxdiff_with_reliabilities(judgements)

    def penalised(u):
        return log_likelihood(u, judgements, reliability)

    gradient = scipy.optimize.approx_fprime(fit.utility, penalised, 1e-6)
    assert np.abs(gradient).max() < 0.05
    middle, h = penalised(fit.utility), 1e-3
    for item in range(12):
        step = h * np.eye(12)[item]
        curvature = -(penalised(fit.utility + step) - 2 * middle + penalised(fit.utility - step)) / h**2
        assert fit.standard_error[item] == pytest.approx(1 / math.sqrt(curvature), rel=0.01)


def test_pairs_are_bradley_terrys_model_with_twice_the_difference():
    """If a tuple has two items, P = σ(2(u_i − u_j)), which choix fits with the utilities 2u."""
    import choix  # a slow import

    generator = np.random.default_rng(2)
    pairs = [tuple(generator.choice(6, 2, replace=False)) for _ in range(200)]
    won = [(a, b) if generator.random() < 1 / (1 + math.exp(0.5 * (b - a))) else (b, a) for a, b in pairs]
    judgements = Judgements(np.array(pairs), [a for a, _ in won], [b for _, b in won], 6)
    expected = choix.opt_pairwise(6, won, alpha=0.05 / 4)
    np.testing.assert_allclose(2 * maxdiff_scores(judgements).utility, expected - expected.mean(), atol=1e-3)


@given(judgements_as_found(), st.randoms(use_true_random=False))
def test_utilities_follow_items_whatever_the_order_of_rows_and_the_labels(judgements, random):
    rows = np.array(random.sample(range(len(judgements)), len(judgements)))
    label = np.array(random.sample(range(N_ITEMS), N_ITEMS))
    moved = Judgements(
        label[judgements.items[rows]], label[judgements.best[rows]], label[judgements.worst[rows]], N_ITEMS
    )
    one, other = maxdiff_scores(judgements), maxdiff_scores(moved)
    np.testing.assert_allclose(one.utility, other.utility[label], atol=2e-3)
    np.testing.assert_allclose(one.standard_error, other.standard_error[label], atol=2e-3)


def test_swapping_best_and_worst_turns_the_scale_round():
    judgements = simulate_judgements(best_worst_design(40), np.linspace(-2, 2, 40))
    turned = Judgements(judgements.items, judgements.worst, judgements.best, 40)
    np.testing.assert_allclose(maxdiff_scores(judgements).utility, -maxdiff_scores(turned).utility, atol=1e-4)


def test_the_model_recovers_the_truth_better_than_counting_and_its_errors_cover_it():
    better, coverage = 0, []
    for seed in range(1, 6):
        truth = np.random.default_rng(seed).normal(0, 1.5, 400)
        judgements = simulate_judgements(best_worst_design(400, seed=seed), truth, per_tuple=2, seed=seed)
        fit = maxdiff_scores(judgements)
        better += spearman(fit.utility, truth) > spearman(counting_scores(judgements).score, truth)
        coverage.append(np.mean(np.abs(fit.utility - truth + truth.mean()) < 1.96 * fit.standard_error))
    assert better == 5
    assert 0.85 < np.mean(coverage) < 0.97


def test_reliabilities_find_those_who_choose_at_random_and_save_the_scores():
    truth = np.random.default_rng(1).normal(0, 1.5, 400)
    judgements = simulate_judgements(best_worst_design(400), truth, per_tuple=3, annotators=40, careless=0.25)
    fit, reliability = maxdiff_with_reliabilities(judgements)
    assert fit.converged
    assert reliability.shape == (40,)
    assert reliability[:10].max() < reliability[10:].min()
    assert reliability[10:].mean() > 0.9
    assert spearman(fit.utility, truth) > spearman(maxdiff_scores(judgements).utility, truth) + 0.01


def test_reliabilities_are_unknown_for_whoever_gave_no_consistent_judgement():
    judgements = Judgements([[0, 1, 2], [0, 1, 2], [1, 2, 3]], [0, 1, 1], [2, 1, 3], 4, [3, 1, 3])
    fit, reliability = maxdiff_with_reliabilities(judgements)
    assert fit.dropped == 1
    assert np.isnan(reliability).tolist() == [True, True, True, False]
    assert np.isfinite(fit.utility).all()


def test_rounds_that_end_at_their_limit_say_so():
    judgements = simulate_judgements(best_worst_design(60), np.linspace(-2, 2, 60), careless=0.25)
    assert not maxdiff_with_reliabilities(judgements, limit=1)[0].converged
    assert not maxdiff_scores(judgements, limit=1).converged


def test_no_judgements_have_no_utilities():
    nothing = Judgements(np.zeros((0, 4), dtype=int), [], [], 3, np.zeros(0, dtype=int))
    assert np.isnan(maxdiff_scores(nothing).utility).all()
    fit, reliability = maxdiff_with_reliabilities(nothing)
    assert np.isnan(fit.standard_error).all()
    assert reliability.shape == (0,)


def test_what_cannot_be_fitted_is_refused():
    judgements = Judgements([[0, 1, 2]], [0], [2], 3)
    for penalty in (0.0, -1.0, math.nan):
        with pytest.raises(ValueError, match="penalty must be positive"):
            maxdiff_scores(judgements, penalty=penalty)
    with pytest.raises(ValueError, match="do not name their annotators"):
        maxdiff_with_reliabilities(judgements)


def test_min_max_spans_from_0_to_1():
    np.testing.assert_array_equal(min_max([-2.0, math.nan, 0.0, 2.0]), [0.0, math.nan, 0.5, 1.0])
    assert np.isnan(min_max([1.0, 1.0, math.nan])).all()
    assert np.isnan(min_max([])).all()


@given(st.integers(1, 8), st.integers(0, 2**32 - 1))
def test_the_search_finds_the_minimum_of_any_convex_loss_as_scipy_does(n, seed):
    generator = np.random.default_rng(seed)
    rows, target = generator.normal(size=(3 * n, n)), generator.normal(size=n)

    def loss(x):
        fitted = rows @ x
        value = np.logaddexp(0, fitted).sum() - target @ x + 0.05 * x @ x
        return float(value), rows.T @ (1 / (1 + np.exp(-fitted))) - target + 0.1 * x

    found = minimise(loss, np.zeros(n), tolerance=1e-6, limit=500)
    expected = scipy.optimize.minimize(
        loss, np.zeros(n), jac=True, method="L-BFGS-B", options={"gtol": 1e-8, "ftol": 1e-15}
    )
    assert found.converged
    np.testing.assert_allclose(found.at, expected.x, atol=1e-4)


def test_a_search_that_cannot_descend_says_so():
    flat = minimise(lambda x: (0.0, np.ones_like(x)), np.zeros(3), tolerance=1e-6, limit=10)
    assert not flat.converged
    assert flat.at.tolist() == [0.0, 0.0, 0.0]
