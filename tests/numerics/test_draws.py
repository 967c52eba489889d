"""Tests of draws that hash seeds and names: the draws are reproducible, evenly distributed and distinct."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from accord_core.numerics.draws import derived_seed, draw, generator

names = st.lists(st.one_of(st.integers(), st.text()), min_size=1, max_size=4)


@given(names)
def test_the_same_names_give_the_same_draw_in_range(parts):
    assert draw(*parts) == draw(*parts)
    assert 0 <= draw(*parts) < 1
    assert generator(*parts).random() == generator(*parts).random()
    assert 0 <= derived_seed(*parts) < 2**53


@given(names, names)
def test_other_names_give_another_draw(one, other):
    if [str(part) for part in one] != [str(part) for part in other]:
        assert draw(*one) != draw(*other)


def test_where_one_name_ends_matters():
    assert draw("a", "bc") != draw("ab", "c")
    assert draw("1", "2:x") != draw("1", "2", "x")
    assert draw(1, 23) != draw(12, 3)


def test_draws_are_even():
    values = np.array([draw("even", number) for number in range(20_000)])
    counts, _ = np.histogram(values, bins=20, range=(0, 1))
    chi2 = ((counts - 1_000) ** 2 / 1_000).sum()
    assert chi2 < 43.8  # 0.1 % of fair draws exceed it, 19 degrees of freedom
    assert abs(np.corrcoef(values[:-1], values[1:])[0, 1]) < 0.03


def test_the_digits_stay_from_version_to_version():
    assert draw(1, "gold", "g1") == 0.4979711936631046
    assert derived_seed(1, "candidates", 0) == 5701852614152009
