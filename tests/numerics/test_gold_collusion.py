"""How many gold questions annotators recognise by comparing screens, checked by drawing gold sets at random."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.numerics.gold_collusion import hits_until_recognised, recognised_share


@pytest.mark.parametrize(("sets", "hits", "annotators"), [(10, 3, 2), (20, 12, 3), (7, 2, 5)])
def test_the_share_equals_a_simulation(sets: int, hits: int, annotators: int) -> None:
    generator = np.random.default_rng(1)
    seen = np.zeros((4_000, sets), dtype=int)
    for draw in seen:
        for _ in range(annotators):
            draw[generator.permutation(sets)[:hits]] += 1
    assert recognised_share(sets, hits, annotators) == pytest.approx((seen >= 2).mean(), abs=0.01)


@given(st.integers(1, 300), st.integers(2, 8))
def test_half_of_the_gold_is_recognised_after_this_many_hits_and_not_before(sets: int, annotators: int) -> None:
    hits = hits_until_recognised(sets, annotators)
    assert recognised_share(sets, hits, annotators) >= 0.5
    assert hits == 1 or recognised_share(sets, hits - 1, annotators) < 0.5


def test_two_annotators_recognise_nothing_with_one_hit_each_unless_there_is_only_one_set() -> None:
    assert recognised_share(1, 1, 2) == 1
    assert recognised_share(100, 1, 2) == pytest.approx(0.0001)
    assert recognised_share(0, 5, 2) == 0
