"""Tests of a system's figures over all items, over test folds and by source, compared with scipy."""

import hashlib
from itertools import pairwise

import numpy as np
import pytest
import scipy

from accord_core.evaluation.numerics.folds import test_folds as fold_numbers
from accord_core.evaluation.numerics.relatedness import relatedness_scores

SIZE = 103


@pytest.fixture(scope="module")
def data():
    """Return the keys, scores, predictions and sources of 103 items, sorted by score."""
    generator = np.random.default_rng(1)
    truth = np.sort(generator.normal(size=SIZE))
    keys = [f"pair-{n}" for n in range(SIZE)]
    return keys, truth, truth + 0.5 * generator.normal(size=SIZE), [("news", "wiki")[n % 2] for n in range(SIZE)]


def hashed_folds(keys, folds, seed):
    """Return the folds by the definition: keys are sorted by SHA-256 of the lengths and texts of their names."""

    def digest(key):
        names = (str(seed), "fold", key)
        return hashlib.sha256("".join(f"{len(name)}:{name}" for name in names).encode()).digest()[:8]

    order = sorted(keys, key=digest)
    sizes = [len(keys) // folds + (number < len(keys) % folds) for number in range(folds)]
    bounds = np.cumsum([0, *sizes]).tolist()
    return {key: number for number, (low, high) in enumerate(pairwise(bounds)) for key in order[low:high]}


def test_folds_come_from_a_hash_of_the_keys(data):
    keys, *_ = data
    expected = hashed_folds(keys, 5, 7)
    assert fold_numbers(keys, 5, 7).tolist() == [expected[key] for key in keys]
    assert sorted(np.bincount(fold_numbers(keys, 5, 7))) == [20, 20, 21, 21, 21]
    assert fold_numbers(keys, 5, 8).tolist() != fold_numbers(keys, 5, 7).tolist()


def test_mean_over_folds_and_by_source_within_folds_equals_scipy(data):
    keys, truth, predicted, sources = data
    found = relatedness_scores(keys, truth, predicted, sources, folds=4, seed=7, resamples=100)
    fold = np.array([hashed_folds(keys, 4, 7)[key] for key in keys])
    each = [scipy.stats.spearmanr(truth[fold == n], predicted[fold == n]).statistic for n in range(4)]
    assert found["folds"]["each"] == pytest.approx(each)
    assert found["folds"]["items"] == np.bincount(fold).tolist()
    assert found["folds"]["value"] == pytest.approx(np.mean(each))
    assert found["folds"]["low"] < found["folds"]["value"] < found["folds"]["high"]
    pooled = []
    for source in ("news", "wiki"):
        here = np.array(sources) == source
        parts = [here & (fold == n) for n in range(4)]
        figures = found["groups"][source]
        pooled.append(scipy.stats.spearmanr(truth[here], predicted[here]).statistic)
        assert figures["value"] == pytest.approx(pooled[-1])
        by_fold = [scipy.stats.spearmanr(truth[part], predicted[part]).statistic for part in parts]
        assert figures["folds"]["each"] == pytest.approx(by_fold)
        assert figures["folds"]["value"] == pytest.approx(np.mean(by_fold))
        assert figures["folds"]["low"] < figures["folds"]["value"] < figures["folds"]["high"]
    assert found["mean_of_groups"]["value"] == pytest.approx(np.mean(pooled))
    assert found["mean_of_groups"]["low"] < found["mean_of_groups"]["value"] < found["mean_of_groups"]["high"]


def test_the_order_of_the_rows_changes_no_figure(data):
    keys, truth, predicted, sources = data
    shuffled = np.random.default_rng(2).permutation(SIZE)
    columns = ([column[place] for place in shuffled] for column in (keys, truth, predicted, sources))
    one, other = relatedness_scores(*data, seed=3, resamples=50), relatedness_scores(*columns, seed=3, resamples=50)
    assert one == other
    assert one != relatedness_scores(*data, seed=4, resamples=50)


def test_a_small_group_or_fold_has_a_reason_instead_of_a_mean(data):
    keys, truth, predicted, _ = data
    sources = ["news"] * (SIZE - 2) + ["tiny"] * 2
    found = relatedness_scores(keys, truth, predicted, sources, resamples=0)
    tiny = found["groups"]["tiny"]
    assert (tiny["items"], tiny["value"], tiny["reason"]) == (2, None, "there are fewer than 3 items")
    assert tiny["folds"]["reason"] == "in test fold 1, there are fewer than 3 items"
    assert found["mean_of_groups"]["reason"] == "in the group tiny, there are fewer than 3 items"
    few = relatedness_scores(keys[:6], truth[:6], predicted[:6], folds=5, resamples=10)["folds"]
    assert (few["value"], few["each"]) == (None, None)


def test_refusals(data):
    keys, truth, predicted, sources = data
    with pytest.raises(ValueError, match="pair-0 occurs twice"):
        relatedness_scores(["pair-0", *keys[:-1]], truth, predicted)
    with pytest.raises(ValueError, match=r"number of groups \(102\)"):
        relatedness_scores(keys, truth, predicted, sources[:-1])
    with pytest.raises(ValueError, match="folds must be at least 2"):
        relatedness_scores(keys, truth, predicted, folds=1)
