"""Tests of agreement coefficients, compared with independent libraries, with loops and by hand, and of undefined
coefficients.
"""

import itertools
import warnings
from functools import partial

import krippendorff
import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from accord_core.numerics.agreement import (
    agreement,
    count_profiles,
    fleiss_kappa,
    gwet_ac1,
    krippendorff_alpha,
    raw_agreement,
)
from accord_core.numerics.bootstrap import percentile_intervals
from accord_core.numerics.cohen import cohen_kappa_means
from accord_core.numerics.labels import Labels

KEYS = [
    "raw_agreement",
    "cohen_kappa_mean",
    "cohen_kappa_mean_by_items",
    "fleiss_kappa",
    "krippendorff_alpha_nominal",
    "gwet_ac1",
]


def labels_of(table, n_labels=None):
    """Return the labels of a table (items, annotators), with −1 for missing labels."""
    table = np.asarray(table)
    item, annotator = np.nonzero(table >= 0)
    label = table[item, annotator]
    return Labels(item, annotator, label, *table.shape, n_labels or int(table.max()) + 1)


def random_table(seed, items=40, annotators=6, q=4, missing=0.3):
    generator = np.random.default_rng(seed)
    truth = generator.integers(0, q, items)[:, None]
    noise = generator.integers(0, q, (items, annotators))
    table = np.where(generator.random((items, annotators)) < 0.6, truth, noise)
    table[generator.random(table.shape) < missing] = -1
    table[:q, 0] = np.arange(q)
    return table


def chance_corrected_by_loops(table, q, chance):
    """Calculate Fleiss' κ and AC1 for unequal numbers of labels, according to their definitions."""
    rows = [[label for label in row if label >= 0] for row in np.asarray(table).tolist()]
    rows = [row for row in rows if row]
    agreeing = []
    for row in rows:
        pairs = list(itertools.permutations(row, 2))
        if pairs:
            agreeing.append(sum(one == other for one, other in pairs) / len(pairs))
    observed = sum(agreeing) / len(agreeing)
    shares = [sum(row.count(label) / len(row) for row in rows) / len(rows) for label in range(q)]
    expected = chance(shares)
    return (observed - expected) / (1 - expected)


def fleiss_chance(shares):
    return sum(share * share for share in shares)


def gwet_chance(shares):
    return sum(share * (1 - share) for share in shares) / (len(shares) - 1)


def cohen_by_pairs(table):
    """Return (plain mean, mean by items, pairs, excluded pairs), calculated with scikit-learn's κ."""
    from sklearn.metrics import cohen_kappa_score  # a slow import

    kappas, shared = [], []
    annotators = [column for column in np.asarray(table).T if (column >= 0).any()]
    pairs = list(itertools.combinations(annotators, 2))
    for one, other in pairs:
        both = (one >= 0) & (other >= 0)
        if both.sum() < 2 or len({*one[both], *other[both]}) == 1:
            continue
        kappas.append(cohen_kappa_score(one[both], other[both]))
        shared.append(both.sum())
    return np.mean(kappas), np.average(kappas, weights=shared), len(kappas), len(pairs) - len(kappas)


class TestAgainstLibraries:
    @pytest.mark.parametrize("seed", range(10))
    @pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
    def test_krippendorff_with_missing_values(self, seed, level):
        table = random_table(seed)
        data = np.where(table < 0, np.nan, table).T
        expected = krippendorff.alpha(reliability_data=data, level_of_measurement=level)
        assert krippendorff_alpha(labels_of(table), level).value == pytest.approx(expected, abs=1e-9)

    @pytest.mark.parametrize("seed", range(5))
    def test_krippendorff_by_values_of_the_labels(self, seed):
        table = random_table(seed)
        values = np.array([-1.5, 1000.0, 1000.25, 1003.0])
        data = np.where(table < 0, np.nan, values[table]).T
        expected = krippendorff.alpha(reliability_data=data, level_of_measurement="interval")
        found = krippendorff_alpha(labels_of(table), "interval", values=values).value
        assert found == pytest.approx(expected, abs=1e-9)

    @pytest.mark.parametrize("seed", range(10))
    def test_fleiss_with_equal_numbers(self, seed):
        from statsmodels.stats import inter_rater  # a slow import

        table = random_table(seed, missing=0)
        expected = inter_rater.fleiss_kappa(inter_rater.aggregate_raters(table)[0])
        assert fleiss_kappa(labels_of(table)).value == pytest.approx(expected, abs=1e-9)

    @pytest.mark.parametrize("seed", range(10))
    @pytest.mark.parametrize("missing", [0, 0.3, 0.8])
    def test_cohen(self, seed, missing):
        table = random_table(seed, missing=missing)
        plain, by_items = cohen_kappa_means(labels_of(table))
        expected = cohen_by_pairs(table)
        assert (plain.value, by_items.value) == pytest.approx(expected[:2], abs=1e-9)
        assert (plain.pairs, plain.pairs_left_out) == expected[2:]
        assert (by_items.pairs, by_items.pairs_left_out) == expected[2:]

    @pytest.mark.parametrize("seed", range(10))
    @pytest.mark.parametrize("missing", [0, 0.3, 0.8])
    def test_unequal_numbers_by_loops(self, seed, missing):
        table = random_table(seed, missing=missing)
        labels = labels_of(table)
        expected = chance_corrected_by_loops(table, 4, fleiss_chance)
        assert fleiss_kappa(labels).value == pytest.approx(expected, abs=1e-12)
        expected = chance_corrected_by_loops(table, 4, gwet_chance)
        assert gwet_ac1(labels).value == pytest.approx(expected, abs=1e-12)


class TestIrrCAC:
    """The output of irrCAC 0.4.4 for eleven items of one to four labels has five digits, and a dot stands for a missing
    label.
    """

    TABLE = ("aab.", "bb.b", "ccca", "a..a", "bcb.", "aaaa", "..cc", "ab.b", "c...", "bbba", ".aa.")
    LABELS = labels_of([[".abc".index(label) - 1 for label in row] for row in TABLE])

    @pytest.mark.parametrize(
        ("coefficient", "printed"),
        [(fleiss_kappa, 0.54379), (gwet_ac1, 0.55304), (krippendorff_alpha, 0.49477), (raw_agreement, 0.7)],
    )
    def test_to_the_digits_that_it_prints(self, coefficient, printed):
        assert round(coefficient(self.LABELS).value, 5) == printed


class TestByHand:
    """The three items have three labels (a, a, b), two labels (a, b) and one label (a)."""

    LABELS = labels_of([[0, 0, 1], [0, 1, -1], [0, -1, -1]])

    def test_raw(self):
        assert raw_agreement(self.LABELS).value == pytest.approx((1 / 3 + 0) / 2)

    def test_fleiss(self):
        a, b = (2 / 3 + 1 / 2 + 1) / 3, (1 / 3 + 1 / 2) / 3
        chance = a * a + b * b
        assert fleiss_kappa(self.LABELS).value == pytest.approx((1 / 6 - chance) / (1 - chance))

    def test_gwet(self):
        a, b = 13 / 18, 5 / 18
        chance = a * (1 - a) + b * (1 - b)
        assert gwet_ac1(self.LABELS).value == pytest.approx((1 / 6 - chance) / (1 - chance))

    def test_krippendorff(self):
        # Of five comparable labels three are a. Observed: the first item 4 unequal ordered pairs / 2, the second 2 / 1.
        assert krippendorff_alpha(self.LABELS).value == pytest.approx(1 - (2 + 2) / (2 * 3 * 2 / 4))

    def test_cohen(self):
        # Only the first two annotators share two items, with the labels a, a and a, b.
        plain, by_items = cohen_kappa_means(self.LABELS)
        assert (plain.value, by_items.value) == (0, 0)
        assert (plain.pairs, plain.pairs_left_out) == (1, 2)

    def test_cohen_by_shared_items(self):
        table = [[0, 0, 0], [1, 1, 0], [0, 0, -1], [1, 1, -1]]
        plain, by_items = cohen_kappa_means(labels_of(table))
        assert plain.value == pytest.approx((1 + 0 + 0) / 3)
        assert by_items.value == pytest.approx((4 * 1 + 2 * 0 + 2 * 0) / 8)


class TestUndefined:
    @pytest.mark.parametrize(("q", "reason"), [(1, "only one possible label"), (2, "equal")])
    def test_all_labels_equal(self, q, reason):
        found = agreement(labels_of(np.zeros((5, 3), int), q), resamples=20)
        assert found["raw_agreement"].value == 1
        for name in ("fleiss_kappa", "krippendorff_alpha_nominal", "cohen_kappa_mean", "cohen_kappa_mean_by_items"):
            assert (found[name].value, found[name].low, found[name].high) == (None, None, None)
            assert found[name].reason
        assert reason in found["fleiss_kappa"].reason
        assert reason in found["krippendorff_alpha_nominal"].reason
        assert found["cohen_kappa_mean"].pairs_left_out == 3

    def test_gwet_needs_a_second_label_to_choose_from_though_not_one_given(self):
        equal = np.zeros((5, 3), int)
        assert gwet_ac1(labels_of(equal, 1)).value is None
        assert "only one possible label" in gwet_ac1(labels_of(equal, 1)).reason
        assert gwet_ac1(labels_of(equal, 2)).value == 1

    @pytest.mark.parametrize("table", [[[0, -1], [-1, 1]], [[-1, -1]]])
    def test_nothing_to_compare(self, table):
        for name, found in agreement(labels_of(table, 2), resamples=20).items():
            assert found.value is None, name
            assert "two" in found.reason

    @pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
    def test_alpha_where_only_single_labels_differ(self, level):
        labels = labels_of([[0, 0], [0, 0], [1, -1]])
        found = krippendorff_alpha(labels, level, resamples=10)
        assert (found.value, found.low) == (None, None)
        assert "equal" in found.reason
        assert fleiss_kappa(labels).value is not None

    def test_without_items(self):
        empty = Labels(*np.zeros((3, 0), int), 0, 0, 2)
        assert {found.value for found in agreement(empty, resamples=20).values()} == {None}

    def test_resamples_that_are_undefined_are_counted(self):
        labels = labels_of([[0, 0], [0, 0], [1, 1]])
        found = fleiss_kappa(labels, resamples=400)
        assert found.value == 1
        # A share of (2/3)³ + (1/3)³ of the resamples contains only one label.
        assert found.undefined_resamples == pytest.approx(400 / 3, abs=40)

    @given(st.lists(st.lists(st.integers(-1, 2), min_size=3, max_size=3), min_size=1, max_size=6))
    def test_no_table_makes_numpy_warn(self, table):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = agreement(labels_of(table, 3), resamples=5)
        assert list(found) == KEYS
        for each in found.values():
            assert (each.value is None) == (each.reason is not None)
            assert each.value is None or each.value <= 1 + 1e-9

    @pytest.mark.parametrize("values", [[1.0], [0.0, np.nan]])
    def test_values_that_do_not_fit(self, values):
        with pytest.raises(ValueError, match="2 finite numbers"):
            krippendorff_alpha(labels_of([[0, 1]]), "interval", values=values)


class TestIntervals:
    def test_same_seed_same_interval(self):
        labels = labels_of(random_table(1))
        first, again = (agreement(labels, resamples=200, seed=7) for _ in range(2))
        other = agreement(labels, resamples=200, seed=8)
        for name in KEYS:
            assert first[name] == again[name]
            assert (first[name].low, first[name].high) != (other[name].low, other[name].high)
            assert first[name].low < first[name].value < first[name].high

    def test_alone_as_together(self):
        labels = labels_of(random_table(2))
        together = agreement(labels, resamples=100, seed=3)
        assert fleiss_kappa(labels, resamples=100, seed=3) == together["fleiss_kappa"]
        assert gwet_ac1(labels, resamples=100, seed=3) == together["gwet_ac1"]
        assert krippendorff_alpha(labels, resamples=100, seed=3) == together["krippendorff_alpha_nominal"]
        assert raw_agreement(labels, resamples=100, seed=3) == together["raw_agreement"]

    @pytest.mark.nightly
    @pytest.mark.parametrize(
        "coefficient",
        [
            raw_agreement,
            fleiss_kappa,
            gwet_ac1,
            krippendorff_alpha,
            partial(krippendorff_alpha, level="ordinal"),
            partial(krippendorff_alpha, level="interval"),
        ],
    )
    def test_against_drawing_items_one_by_one(self, coefficient):
        table = random_table(4, items=30)
        found = coefficient(labels_of(table), resamples=3000)
        generator = np.random.default_rng(1)
        drawn = [coefficient(labels_of(table[generator.integers(0, 30, 30)], 4)).value for _ in range(1000)]
        low, high = np.percentile(drawn, [2.5, 97.5])
        assert (found.low, found.high) == (pytest.approx(low, abs=0.025), pytest.approx(high, abs=0.025))

    @pytest.mark.nightly
    def test_cohen_against_drawing_items_one_by_one(self):
        table = random_table(4, items=30)
        generator = np.random.default_rng(1)
        drawn = [cohen_kappa_means(labels_of(table[generator.integers(0, 30, 30)], 4)) for _ in range(1000)]
        for number, found in enumerate(cohen_kappa_means(labels_of(table), resamples=1000)):
            means = np.array([each[number].value for each in drawn])
            low, high = np.percentile(means - means.mean() + found.value, [2.5, 97.5])
            assert (found.low, found.high) == (pytest.approx(low, abs=0.025), pytest.approx(high, abs=0.025))

    @pytest.mark.nightly
    def test_against_drawing_clusters_one_by_one(self):
        table = np.repeat(random_table(4, items=30), 2, axis=0)
        table[::2, 1] = 0
        clusters = np.arange(60) // 4
        found = agreement(labels_of(table), resamples=3000, clusters=clusters)
        generator = np.random.default_rng(1)
        drawn = []
        for _ in range(500):
            rows = np.concatenate([np.flatnonzero(clusters == each) for each in generator.integers(0, 15, 15)])
            labels = labels_of(table[rows], 4)
            drawn.append((fleiss_kappa(labels).value, cohen_kappa_means(labels)[0].value))
        for name, values in zip(("fleiss_kappa", "cohen_kappa_mean"), np.transpose(drawn), strict=True):
            # The interval of Cohen's κ is shifted to the reported value.
            shift = found[name].value - values.mean() if name == "cohen_kappa_mean" else 0
            low, high = np.percentile(values + shift, [2.5, 97.5])
            assert (found[name].low, found[name].high) == pytest.approx((low, high), abs=0.03)

    def test_one_unit_has_no_interval(self):
        labels = labels_of([[0, 1, 1], [0, 0, 1]])
        for found in agreement(labels, resamples=20, clusters=[3, 3]).values():
            assert (found.low, found.high) == (None, None)

    @pytest.mark.parametrize("times", [[3, 4, 5], [1, 1, 1, 1]])
    def test_blocks_do_not_change_what_is_drawn(self, times, monkeypatch):
        times = np.array(times)

        def second_unit(weights):
            return weights[None, :, 1]

        whole = percentile_intervals(second_unit, times, resamples=50, seed=1)
        monkeypatch.setattr("accord_core.numerics.bootstrap.BLOCK", 7)
        assert percentile_intervals(second_unit, times, resamples=50, seed=1) == whole

    @pytest.mark.nightly
    @pytest.mark.parametrize("n", [8, 20, 200])
    def test_expanded_intervals_of_a_mean_are_those_of_students_t(self, n):
        values = np.random.default_rng(6).normal(size=n)
        plain, expanded = (
            percentile_intervals(
                lambda weights: (weights @ values / n)[None],
                np.ones(n, dtype=np.int64),
                resamples=20_000,
                seed=1,
                expanded=each,
            )
            for each in (False, True)
        )

        def width(intervals):
            return intervals[0].high - intervals[0].low

        half = scipy.stats.t.ppf(0.975, n - 1) * values.std(ddof=1) / n**0.5
        assert width(expanded) == pytest.approx(2 * half, rel=0.1)
        assert width(expanded) > width(plain)

    def test_the_mean_of_cohens_kappas_is_within_its_interval_with_many_small_pairs(self):
        generator = np.random.default_rng(1)
        table = np.full((300, 60), -1)
        truth = generator.integers(0, 2, 300)
        for row, true in zip(table, truth, strict=True):
            who = generator.choice(60, 5, replace=False)
            row[who] = np.where(generator.random(5) < 0.85, true, 1 - true)
        for found in cohen_kappa_means(labels_of(table), resamples=200):
            assert found.low < found.value < found.high


def test_counts_beyond_one_number_are_told_apart():
    """With many labels the counts of an item do not fit a single integer key."""
    table = random_table(5, items=50, annotators=6, q=40, missing=0.1)
    counts, times, row = count_profiles(labels_of(table))
    rows, expected = np.unique(labels_of(table).counts, axis=0, return_counts=True)
    order = np.lexsort(counts.T[::-1])
    assert (counts[order] == rows).all()
    assert (times[order] == expected).all()
    assert (counts[row] == labels_of(table).counts).all()
