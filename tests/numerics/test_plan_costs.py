"""Tests of the cost, the hours and the days of a planned study."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.numerics.plan_costs import MOST_HITS, Terms, annotators_for, answers_for, costs_of, counted_careless

TERMS = Terms(
    price=Decimal("0.50"), per_hit=10, fee=0.2, gold=0.2, seconds=18, hours_per_day=2, annotators=5
)  # fmt: skip


def test_costs_include_gold_questions_the_fee_and_a_last_hit_that_is_not_full() -> None:
    costs = costs_of(801, TERMS)
    assert (costs.gold_answers, costs.hits) == (201, 101)
    assert costs.cost == Decimal("60.60")
    assert costs.hours == pytest.approx(1002 * 18 / 3600)
    assert costs.days == 1
    assert costs_of(8_000, TERMS).days == 5


def test_no_answers_cost_nothing() -> None:
    costs = costs_of(0, TERMS)
    assert (costs.hits, costs.cost, costs.days) == (0, 0, 0)


@given(
    st.decimals(0, 2_000, places=2),
    st.decimals("0.01", 3, places=2),
    st.integers(1, 12),
    st.sampled_from([0, 0.1, 0.5]),
)
def test_a_budget_pays_for_its_answers_and_not_for_one_more_hit(
    budget: Decimal, price: Decimal, per_hit: int, gold: float
) -> None:
    terms = Terms(price=price, per_hit=per_hit, gold=gold, fee=0.33)
    answers = answers_for(budget, terms)
    assert answers is not None
    assert costs_of(answers, terms).cost <= budget
    assert costs_of(answers + per_hit, terms).cost > budget


def test_answers_without_a_price_have_no_limit() -> None:
    assert answers_for(Decimal(10), Terms()) is None


def test_annotators_finish_within_the_days() -> None:
    needed = annotators_for(8_000, 2.5, TERMS)
    assert needed * 2.5 * 2 >= costs_of(8_000, TERMS).hours > (needed - 1) * 2.5 * 2


def test_replacements_of_stopped_annotators_can_be_careless_too() -> None:
    generator = np.random.default_rng(1)
    careless = generator.random(200_000) < 0.3
    stopped = careless & (generator.random(200_000) < 0.5)
    assert counted_careless(0.3, 0.5) == pytest.approx(careless[~stopped].mean(), abs=0.005)
    assert counted_careless(0.3, 0) == 0.3
    assert counted_careless(1, 1) == 0


@pytest.mark.parametrize("price", ["1e-9", "1e-15", "1e-300"])
def test_answers_for_tiny_prices_are_counted_at_once(price: str) -> None:
    terms = Terms(price=Decimal(price), per_hit=1000, gold=0.3, fee=0.4)
    answers = answers_for(Decimal(10**12), terms)
    assert answers == MOST_HITS * 700


@pytest.mark.parametrize(
    "wrong", [{"price": Decimal(-1)}, {"fee": -0.1}, {"gold": 1.0}, {"caught": 1.5}, {"seconds": 0}, {"per_hit": 0}]
)
def test_impossible_terms_are_refused(wrong: dict) -> None:
    with pytest.raises(ValueError, match="must"):
        Terms(**wrong)
