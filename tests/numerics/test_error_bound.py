"""The upper bound on the number of wrong labels: its coverage, by brute force, and its width."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import hypergeom

from accord_core.numerics.error_bound import Stratum, most_wrong, mover_bound
from accord_core.numerics.error_sample import draw_sample, planned_sample, remaining_share

STUDIES = [((50,), (20,)), ((30, 30), (10, 10)), ((10, 40), (4, 20)), ((12, 12), (11, 11)), ((20, 60), (20, 15))]


def strata_of(sizes, checked, wrong):
    return [Stratum(*each) for each in zip(sizes, checked, wrong, strict=True)]


@pytest.mark.parametrize(("sizes", "checked"), STUDIES)
def test_the_bound_covers_and_is_no_wider_than_the_mover_bound(sizes, checked):
    """Sum the probability of all results whose bound is high enough, for all numbers of wrong labels."""
    results = list(product(*(range(each + 1) for each in checked)))
    bounds = np.array([most_wrong(strata_of(sizes, checked, wrong)) for wrong in results])
    chances = [
        [hypergeom.pmf(np.arange(n + 1), size, wrong, n) for wrong in range(size + 1)]
        for size, n in zip(sizes, checked, strict=True)
    ]
    for true in product(*(range(size + 1) for size in sizes)):
        chance = np.ones(1)
        for stratum, wrong in zip(chances, true, strict=True):
            chance = np.multiply.outer(chance, stratum[wrong]).ravel()
        assert chance[bounds >= sum(true)].sum() >= 0.95 - 1e-9
    for wrong, bound in zip(results, bounds, strict=True):
        strata = strata_of(sizes, checked, wrong)
        sampled = [each for each in strata if not each.is_complete]
        complete = sum(each.wrong for each in strata if each.is_complete)
        if all(2 * each.wrong <= each.checked for each in sampled):
            assert bound <= complete + mover_bound(sampled) + 1e-9


def test_one_stratum_has_the_exact_hypergeometric_bound():
    for size, checked, wrong in ((200, 59, 0), (200, 59, 7), (1_000, 40, 3), (30, 29, 29)):
        numbers = np.arange(wrong, size - checked + wrong + 1)
        possible = numbers[hypergeom.cdf(wrong, size, numbers, checked) > 0.05]
        assert most_wrong([Stratum(size, checked, wrong)]) == possible.max()


def test_equal_shares_of_two_strata_without_errors_are_one_sample():
    """Without wrong labels, the strata are as good as one sample, while MOVER adds a bound of its own for each."""
    both = [Stratum(500, 30, 0), Stratum(500, 30, 0)]
    assert most_wrong(both) <= most_wrong([Stratum(1_000, 60, 0)]) + 1
    assert mover_bound(both) > 1.3 * most_wrong(both)


def test_intervals_make_a_large_bound_slightly_larger():
    strata = [Stratum(900, 30, 6), Stratum(3_000, 60, 1)]
    exact = most_wrong(strata, steps=1_000)
    assert exact <= most_wrong(strata, steps=50) <= exact + 900 / 50


def test_complete_strata_are_known():
    assert most_wrong([Stratum(10, 10, 4), Stratum(20, 20, 1)]) == 5
    rest = Stratum(300, 50, 2)
    assert most_wrong([Stratum(10, 10, 4), rest]) == 4 + most_wrong([rest])
    assert most_wrong([]) == 0


def test_impossible_strata_are_refused():
    with pytest.raises(ValueError, match="cannot have 5 checked and 6 wrong"):
        Stratum(10, 5, 6)
    with pytest.raises(ValueError, match="at most two incomplete strata, not 3"):
        most_wrong([Stratum(10, 5, 1)] * 3)


def test_repaired_labels_do_not_count():
    strata = [Stratum(50, 50, 20), Stratum(150, 60, 3)]
    assert remaining_share(strata) == (most_wrong(strata) - 23) / 200
    assert remaining_share(strata, right=200) == remaining_share(strata) / 2


class TestPlan:
    def wrong(self, size=1_000):
        return np.random.default_rng(2).beta(0.2, 2, size)

    def test_strata_divide_the_labels_by_their_expected_errors(self):
        wrong = self.wrong()
        plan = planned_sample(wrong, 0.08)
        first, second = plan.strata
        assert wrong[first].min() >= wrong[second].max()
        assert wrong[first].sum() == pytest.approx(wrong.sum() / 2, abs=1)
        assert sorted([*first, *second]) == list(range(1_000))

    @pytest.mark.parametrize("wanted", [0.02, 0.05, 0.1])
    def test_the_plan_is_about_as_large_as_the_bound_needs(self, wanted):
        wrong = self.wrong()
        plan = planned_sample(wrong, wanted)
        shares = [wrong[places].mean() for places in plan.strata]
        strata = [
            Stratum(len(places), drawn, round(drawn * share))
            for places, drawn, share in zip(plan.strata, plan.drawn, shares, strict=True)
        ]
        assert plan.bound <= wanted
        assert remaining_share(strata) == pytest.approx(wanted, abs=0.15 * wanted)

    def test_strict_bounds_need_more_decisions_and_none_needs_all(self):
        sizes = [planned_sample(self.wrong(), wanted).labels for wanted in (0.2, 0.1, 0.05, 0.01, 0)]
        assert sizes == sorted(sizes)
        assert sizes[-1] == 1_000
        assert planned_sample(self.wrong(), 0.05, right=2_000).labels < planned_sample(self.wrong(), 0.05).labels

    def test_equal_probabilities_need_no_strata(self):
        assert len(planned_sample(np.full(400, 0.05), 0.1).strata) == 1

    def test_draws_are_reproducible_and_within_the_strata(self):
        plan = planned_sample(self.wrong(), 0.08)
        drawn = draw_sample(plan, 7)
        assert drawn == draw_sample(plan, 7) != draw_sample(plan, 8)
        for places, own, number in zip(plan.strata, drawn, plan.drawn, strict=True):
            assert len(set(own)) == len(own) == number
            assert set(own) <= set(places.tolist())

    def test_refused(self):
        with pytest.raises(ValueError, match="at least 0 and below 1"):
            planned_sample(self.wrong(), 1)
        with pytest.raises(ValueError, match="no labels to check"):
            planned_sample(np.zeros(0), 0.1)
