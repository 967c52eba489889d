"""Tests of every property of an extended best–worst design, counted in a simple way, and of its report."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.bws.numerics.design import DesignError, best_worst_design
from accord_core.bws.numerics.extension import extend_design, new_items_per_tuple
from annotate.tasktypes import CannotBuild, ItemDraft
from bws.design import extend

OPTIONS = {"size": 4, "factor": 2.0}


def ignore(share: float, text: str) -> None:
    """Ignore the progress."""


def cyclic_design(n_items: int, size: int) -> np.ndarray:
    """Return a connected design in which every item is in `size` tuples."""
    return (np.arange(n_items)[:, None] + np.arange(size)) % n_items


@given(
    n_old=st.integers(12, 60),
    n_new=st.integers(1, 50),
    size=st.integers(3, 6),
    factor=st.sampled_from([1.0, 1.5, 2.0]),
    seed=st.integers(0, 99),
)
def test_an_extension_is_connected_even_and_mixed(n_old: int, n_new: int, size: int, factor: float, seed: int) -> None:
    old = cyclic_design(n_old, size)
    added = extend_design(old, n_old, n_new, factor=factor, seed=seed)
    assert np.array_equal(added, extend_design(old, n_old, n_new, factor=factor, seed=seed))

    rows = added.tolist()
    assert all(len(set(row)) == size for row in rows)
    assert len({frozenset(row) for row in rows}) == len(rows)
    assert all(min(row) < n_old <= max(row) for row in rows)
    assert {sum(item >= n_old for item in row) for row in rows} == {new_items_per_tuple(n_new, size)}

    counts = Counter(item for row in rows for item in row)
    of_new = [counts[n_old + item] for item in range(n_new)]
    assert max(of_new) - min(of_new) <= 1
    assert min(of_new) >= math.floor(factor * size)
    before = Counter(item for row in old.tolist() for item in row)
    of_old = [before[item] + counts[item] for item in range(n_old)]
    assert max(of_old) - min(of_old) <= 2  # repeated tuples of a few items may force one more appearance

    graph = nx.Graph()
    graph.add_nodes_from(range(n_old + n_new))
    graph.add_edges_from(pair for row in [*old.tolist(), *rows] for pair in combinations(row, 2))
    assert nx.is_connected(graph)

    at = Counter((item, place) for row in rows for place, item in enumerate(row))
    for item in range(n_old + n_new):
        places = [at[item, place] for place in range(size)]
        assert max(places) - min(places) <= 1


def test_few_pairs_are_repeated_if_there_are_enough_items() -> None:
    old = best_worst_design(200, size=4, factor=2, seed=1)
    added = extend_design(old, 200, 60, factor=2, seed=1)
    assert len(added) == 160
    pairs = Counter(frozenset(pair) for row in [*old.tolist(), *added.tolist()] for pair in combinations(row, 2))
    assert sum(count > 1 for count in pairs.values()) <= 5


def test_designs_that_cannot_be_extended_are_refused() -> None:
    apart = np.array([[0, 1, 2, 3], [4, 5, 6, 7]])
    with pytest.raises(DesignError, match="not connected"):
        extend_design(apart, 8, 4, factor=2, seed=1)
    with pytest.raises(DesignError, match="at least one new item"):
        extend_design(cyclic_design(8, 4), 8, 0, factor=2, seed=1)
    with pytest.raises(DesignError, match="cannot form 8 different tuples"):
        extend_design(np.array([[0, 1, 2, 3]]), 4, 1, factor=2, seed=1)


def items(first: int, count: int) -> list[ItemDraft]:
    return [ItemDraft(f"i{n}", {"text": f"Text {n}."}, {}) for n in range(first, first + count)]


def test_the_report_gives_the_appearances_of_old_and_new_items() -> None:
    payloads = [{"items": [f"i{item}" for item in row]} for row in cyclic_design(30, 4).tolist()]
    extended = extend(items(30, 9), items(0, 30), payloads, OPTIONS, 1, ignore)
    assert [question.ref for question in extended.questions] == [f"tuple-{number}" for number in range(31, 55)]
    checks = {check.name: check for check in extended.report.checks}
    assert {check.state for check in checks.values()} <= {"ok", "advice"}
    assert (checks["Appearances of new items"].value, checks["Appearances of earlier items"].value) == ("8", "4–5")
    assert checks["Appearances of earlier items"].detail == "4 before the addition"
    assert checks["Comparisons connected"].value == "1 part"
    assert checks["Old and new items mixed"].value == "24"
    with pytest.raises(CannotBuild, match="not connected"):
        extend(items(30, 9), items(0, 30), payloads[:3], OPTIONS, 1, ignore)
