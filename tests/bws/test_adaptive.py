"""The tuples of an adaptive round: their properties, and which items they compare."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.bws.numerics.adaptive import MOST_OF_MEAN, adaptive_tuples, fit_for_round, rank_uncertainty
from accord_core.bws.numerics.design import DesignError, best_worst_design
from accord_core.bws.numerics.maxdiff import maxdiff_scores
from accord_core.bws.numerics.repeated_pairs import pair_codes
from accord_core.bws.numerics.scoring import Judgements, spearman
from accord_core.bws.numerics.simulation import simulate_judgements
from bws.scores import item_scores, scores_of


def collected(tuples: np.ndarray, truth: np.ndarray, *, per_tuple: int = 2, seed: int = 1) -> Judgements:
    return simulate_judgements(tuples, truth, per_tuple=per_tuple, seed=seed)


# Larger designs are built in milliseconds. The search for small designs without repeated pairs can take seconds.
@pytest.mark.nightly
@given(
    n_items=st.integers(60, 90),
    size=st.integers(3, 5),
    share=st.floats(0.1, 1.5),
    seed=st.integers(0, 99),
)
def test_a_round_has_different_tuples_and_balanced_positions(n_items: int, size: int, share: float, seed: int) -> None:
    design = best_worst_design(n_items, size=size, factor=1, seed=seed)
    judgements = collected(design, np.random.default_rng(seed).normal(0, 2, n_items), seed=seed)
    wanted = max(1, round(share * n_items))
    added = adaptive_tuples(judgements, design, wanted, seed=seed)
    assert np.array_equal(added, adaptive_tuples(judgements, design, wanted, seed=seed))
    assert added.shape == (wanted, size)

    sets = [frozenset(row) for row in [*design.tolist(), *added.tolist()]]
    assert all(len(each) == size for each in sets)
    assert len(set(sets)) == len(sets)
    appearances = np.bincount(added.ravel(), minlength=n_items)
    assert appearances.max() <= max(1, np.ceil(MOST_OF_MEAN * wanted * size / n_items)) + 1
    places = np.stack([np.bincount(column, minlength=n_items) for column in added.T])
    assert (places.max(axis=0) - places.min(axis=0)).max() <= 1


def test_a_round_can_be_larger_than_the_number_of_disjoint_tuples() -> None:
    # Nine items form only one tuple of five items per pass, so ten tuples need ten passes.
    design = best_worst_design(9, size=5, factor=1, seed=1)
    judgements = collected(design, np.zeros(9), seed=1)
    assert adaptive_tuples(judgements, design, 10, seed=1).shape == (10, 5)


def test_a_round_compares_uncertain_items_with_items_of_similar_utility() -> None:
    """Half of the items lie close together, so their ranks are uncertain. The other items lie far apart."""
    truth = np.concatenate([np.linspace(-0.2, 0.2, 30), np.linspace(2, 20, 15), np.linspace(-20, -2, 15)])
    design = best_worst_design(60, seed=1)
    judgements = collected(design, truth)
    added = adaptive_tuples(judgements, design, 60, seed=3)
    appearances = np.bincount(added.ravel(), minlength=60)
    assert appearances[:30].mean() > 1.5 * appearances[30:].mean()
    uncertainty = rank_uncertainty(fit_for_round(judgements), np.random.default_rng(1))
    assert spearman(uncertainty, appearances) > 0.6
    spread = np.abs(np.ptp(truth[added], axis=1)).mean()
    assert spread < 0.5 * np.abs(np.ptp(truth[design], axis=1)).mean()


def test_a_round_repeats_fewer_pairs_than_random_tuples_of_neighbours() -> None:
    truth = np.random.default_rng(1).normal(0, 1.5, 200)
    design = best_worst_design(200, seed=1)
    added = adaptive_tuples(collected(design, truth), design, 100, seed=1)
    _, counts = np.unique(pair_codes(np.vstack([design, added]), 200), return_counts=True)
    assert (counts > 1).sum() <= 0.02 * 600


def test_a_round_needs_a_judgement_of_each_item_and_a_positive_size() -> None:
    design = best_worst_design(20, seed=1)
    judgements = collected(design, np.arange(20.0))
    with pytest.raises(DesignError, match="at least one tuple"):
        adaptive_tuples(judgements, design, 0, seed=1)
    without = judgements.take((judgements.items != 7).all(axis=1))
    with pytest.raises(DesignError, match="1 of 20 items have no judgements"):
        adaptive_tuples(without, design, 5, seed=1)
    few = best_worst_design(5, factor=1, seed=1)
    with pytest.raises(DesignError, match="similar items already exist"):
        adaptive_tuples(collected(few, np.arange(5.0)), few, 5, seed=1)


def test_scores_with_rounds_come_from_the_model_and_not_from_counting() -> None:
    truth = np.random.default_rng(2).normal(0, 1.5, 80)
    design = best_worst_design(80, factor=1.5, seed=1)
    random = collected(design, truth)
    added = adaptive_tuples(random, design, 160, seed=1)
    further = collected(added, truth, per_tuple=1, seed=2)
    both = Judgements(
        np.vstack([random.items, further.items]),
        np.concatenate([random.best, further.best]),
        np.concatenate([random.worst, further.worst]),
        80,
    )
    rounds = np.repeat([0, 1], [len(random), len(further)])
    scores = scores_of(both, rounds)
    assert (scores.score.min(), scores.score.max()) == (-1, 1)
    assert spearman(scores.score, maxdiff_scores(both).utility) == pytest.approx(1)
    assert spearman(scores.score, truth) > spearman(scores_of(random, rounds[: len(random)]).score, truth)
    columns = item_scores([str(item) for item in range(80)], both, rounds)
    assert sum(columns["appearances"]) == 4 * len(both)
    assert columns["unit"] == pytest.approx((scores.score + 1) / 2, abs=1e-5)
