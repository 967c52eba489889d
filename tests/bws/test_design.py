"""Tests of every property of a best–worst design, counted in a simple way over a grid that includes the
smallest sizes.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord_core.bws.numerics.design import DesignError, best_worst_design, describe_design
from accord_core.bws.numerics.difference_families import develop_one_class
from accord_core.bws.numerics.positions import balance_positions
from accord_core.bws.numerics.small_designs import least_pair_excess
from bws.design_report import design_report

TABLES = (Path(__file__).resolve().parents[2] / "docs" / "designs.md").read_text(encoding="utf-8")

GRID = [
    (n, size, factor)
    for size in (3, 4, 5, 6)
    for n in (size, size + 1, size + 2, 9, 200, 301)
    for factor in (0.5, 0.7, 1, 1.3, 2, 2.5)
    if n >= size and (n > 150 or size * factor < 9)
]


def possible(n: int, size: int, factor: float) -> bool:
    tuples = round(factor * n)
    return -(-(n - 1) // (size - 1)) <= tuples <= math.comb(n, size)


def balanced_after_every_row(rows: list[list], everything: list) -> bool:
    """Go through the list row by row with the number of items at each count, and check that no two counts differ by
    two.
    """
    count = dict.fromkeys(everything, 0)
    at_count = Counter({0: len(everything)})
    for row in rows:
        for value in row:
            at_count[count[value]] -= 1
            if not at_count[count[value]]:
                del at_count[count[value]]
            count[value] += 1
            at_count[count[value]] += 1
        if max(at_count) - min(at_count) > 1:
            return False
    return True


def test_the_check_of_prefixes_can_fail():
    assert balanced_after_every_row([[0, 1], [2, 3], [0, 2]], [0, 1, 2, 3])
    assert not balanced_after_every_row([[0, 1], [0, 2], [2, 3], [1, 3]], [0, 1, 2, 3])


def check_promises(design: np.ndarray, n: int, size: int, factor: float) -> None:
    rows = design.tolist()
    tuples = round(factor * n)
    assert design.shape == (tuples, size)
    assert design.dtype == np.int64
    assert all(len(set(row)) == size for row in rows), "an item twice in a tuple"
    assert len({frozenset(row) for row in rows}) == tuples, "a tuple twice"
    appearances = Counter(item for row in rows for item in row)
    assert set(appearances) == set(range(n))
    assert set(appearances.values()) <= {tuples * size // n, -(-tuples * size // n)}
    standing = np.zeros((n, size), dtype=int)
    for row in rows:
        for place, item in enumerate(row):
            standing[item, place] += 1
    assert standing.max() - standing.min() <= (0 if tuples * size % (n * size) == 0 else 1)
    assert (standing.max(axis=1) - standing.min(axis=1)).max() <= 1
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(pair for row in rows for pair in combinations(row, 2))
    assert nx.is_connected(graph)
    assert balanced_after_every_row(rows, list(range(n)))
    places = [[(item, place) for place, item in enumerate(row)] for row in rows]
    assert balanced_after_every_row(places, [(item, place) for item in range(n) for place in range(size)])


def repeated_pairs(design: np.ndarray) -> int:
    pairs = Counter(frozenset(pair) for row in design.tolist() for pair in combinations(row, 2))
    return sum(count > 1 for count in pairs.values())


@pytest.mark.parametrize(
    ("n", "size", "factor"),
    [
        pytest.param(*cell, marks=pytest.mark.nightly if number % 5 else ())
        for number, cell in enumerate(cell for cell in GRID if possible(*cell))
    ],
)
def test_every_promise_holds_over_the_grid(n, size, factor):
    check_promises(best_worst_design(n, size=size, factor=factor, seed=7), n, size, factor)


@settings(derandomize=True)
@given(n=st.integers(150, 400), size=st.integers(3, 6), factor=st.floats(0.6, 2.0), seed=st.integers(0, 2**40))
def test_every_promise_holds_for_any_settings(n, size, factor, seed):
    check_promises(best_worst_design(n, size=size, factor=factor, seed=seed), n, size, factor)


@pytest.mark.parametrize(
    ("n", "size"), [(4, 3), (5, 3), (6, 3), (7, 3), (5, 4), (6, 4), (7, 4), (6, 5), (7, 5), (7, 6)]
)
def test_all_subsets_can_be_asked_for_and_one_more_names_the_largest_factor(n, size):
    subsets = math.comb(n, size)
    check_promises(best_worst_design(n, size=size, factor=subsets / n), n, size, subsets / n)
    with pytest.raises(DesignError, match="largest possible factor") as refusal:
        best_worst_design(n, size=size, factor=(subsets + 1) / n)
    named = float(re.search(r"largest possible factor is ([\d.]+?)\.?$", str(refusal.value))[1])
    assert len(best_worst_design(n, size=size, factor=named)) == subsets


@pytest.mark.parametrize(("n", "size"), [(4, 4), (5, 4), (9, 4), (10, 4), (11, 3), (13, 5), (16, 6), (50, 4), (100, 3)])
def test_as_few_tuples_as_can_connect_the_items_do_and_fewer_are_refused(n, size):
    fewest = -(-(n - 1) // (size - 1))
    check_promises(best_worst_design(n, size=size, factor=fewest / n), n, size, fewest / n)
    with pytest.raises(DesignError, match=rf"{fewest - 1} tuples of size {size} cannot connect {n} items") as refusal:
        best_worst_design(n, size=size, factor=max((fewest - 1) / n, 0.01))
    named = float(re.search(r"smallest possible factor is ([\d.]+?)\.?$", str(refusal.value))[1])
    assert len(best_worst_design(n, size=size, factor=named)) == fewest


@pytest.mark.parametrize(
    ("n", "settings_", "message"),
    [
        (3, {}, "Tuples of size 4 require at least 4 items, but the number of items is 3"),
        (0, {}, "Tuples of size 4 require at least 4 items, but the number of items is 0"),
        (50, {"size": 2}, "A tuple must have 3 to 6 items, not 2"),
        (50, {"size": 7}, "A tuple must have 3 to 6 items, not 7"),
        (50, {"factor": 0}, "The factor must be a positive number"),
        (50, {"factor": -1}, "The factor must be a positive number"),
        (50, {"factor": math.nan}, "The factor must be a positive number"),
        (50, {"factor": math.inf}, "The factor must be a positive number"),
        (50, {"factor": 1e308}, "The factor must be a positive number"),
        (50, {"seed": -1}, "The seed must be 0 or a positive integer"),
        (5500, {"factor": 10_000}, "at most 20000000 tuples. The largest possible factor is 3636.3636"),
    ],
)
def test_impossible_settings_are_refused_with_the_reason(n, settings_, message):
    with pytest.raises(DesignError, match=re.escape(message)):
        best_worst_design(n, **settings_)


def test_the_seed_decides():
    first = best_worst_design(200, seed=5)
    assert np.array_equal(first, best_worst_design(200, seed=5))
    assert not np.array_equal(first, best_worst_design(200, seed=6))
    developed, annealed = best_worst_design(36, seed=2), best_worst_design(17, seed=2)
    assert np.array_equal(developed, best_worst_design(36, seed=2))
    assert np.array_equal(annealed, best_worst_design(17, seed=2))


@pytest.mark.parametrize("n", [*range(40, 52, 3), 333, pytest.param(1000, marks=pytest.mark.nightly)])
def test_no_pair_meets_twice_at_forty_items_or_more(n):
    for seed in (1, 11):
        assert repeated_pairs(best_worst_design(n, seed=seed)) == 0


@pytest.mark.nightly
def test_the_study_of_5500_items():
    design = best_worst_design(5500)
    check_promises(design, 5500, 4, 2)
    assert repeated_pairs(design) == 0


@pytest.mark.nightly
@pytest.mark.parametrize(("n", "classes", "size"), [(28, 8, 4), (36, 8, 4), (18, 6, 3)])
def test_a_difference_family_gives_partitions_without_a_repeated_pair(n, classes, size):
    for seed in range(3):
        developed = develop_one_class(n, classes, size, np.random.default_rng(seed))
        if developed is not None:
            break
    assert all(sorted(row) == list(range(n)) for row in developed.reshape(classes, n).tolist())
    assert repeated_pairs(developed.reshape(-1, size)) == 0


@pytest.mark.nightly
def test_more_classes_than_pairs_allow_have_no_difference_family():
    assert develop_one_class(12, 5, 4, np.random.default_rng(1)) is None


@settings(derandomize=True)
@given(st.data())
def test_places_balance_for_any_list_of_tuples(data):
    """The property holds not only for designs, because items can appear any number of times."""
    size = data.draw(st.integers(3, 6))
    n = data.draw(st.integers(size, 15))
    row = st.lists(st.integers(0, n - 1), min_size=size, max_size=size, unique=True)
    tuples = np.array(data.draw(st.lists(row, min_size=1, max_size=40)))
    balanced = balance_positions(tuples, n, np.random.default_rng(data.draw(st.integers(0, 9))))
    assert np.array_equal(np.sort(balanced, axis=1), np.sort(tuples, axis=1))
    for item in range(n):
        own = (balanced == item).sum(axis=0)
        assert own.max() - own.min() <= 1


def brute_least_excess(n: int, tuples: int, size: int) -> int:
    """Distribute the pairs in tuples evenly over all existing pairs."""
    pairs = [0] * math.comb(n, 2)
    for deal in range(tuples * math.comb(size, 2)):
        pairs[deal % len(pairs)] += 1
    return sum(math.comb(count, 2) for count in pairs)


@pytest.mark.parametrize(("n", "tuples", "size"), [(6, 12, 4), (13, 26, 4), (25, 50, 4), (40, 10, 3), (7, 21, 5)])
def test_the_bound_on_pair_counts(n, tuples, size):
    assert least_pair_excess(n, tuples, size) == brute_least_excess(n, tuples, size)


def test_the_report_counts_what_it_says():
    """The list of four tuples contains each fault at least once."""
    report = describe_design([[0, 1, 2], [2, 1, 0], [0, 1, 1], [4, 5, 6]], 8, seed=3)
    assert report.as_dict() == {
        "items": 8,
        "tuples": 4,
        "size": 3,
        "seed": 3,
        "appearances": {"min": 0, "max": 4},
        "repeated_pairs": 3,
        "max_pair_count": 4,
        "duplicate_tuples": 1,
        "positions": {"min": 0, "max": 3},
        "components": 4,
        "tuples_with_item_twice": 1,
        "pairs_shown": 11,
        "sum_of_squared_pair_counts": 16 + 4 + 4 + 3,
        "prefix_imbalance": 4,
        "prefix_position_imbalance": 3,
        "max_steps_apart": None,
        "appearance_counts": {"0": 2, "1": 3, "2": 1, "3": 1, "4": 1},
        "place_counts": {"0": 15, "1": 7, "2": 1, "3": 1},
    }


@pytest.mark.nightly
@pytest.mark.parametrize(("n", "size", "factor"), [(10, 4, 2), (60, 3, 1.5), (41, 5, 0.7), (1100, 4, 2)])
def test_the_report_of_a_design_agrees_with_plain_counting(n, size, factor):
    design = best_worst_design(n, size=size, factor=factor)
    report = describe_design(design, n, seed=1)
    pairs = Counter(frozenset(pair) for row in design.tolist() for pair in combinations(row, 2))
    graph = nx.Graph([tuple(pair) for pair in pairs])
    assert report.repeated_pairs == repeated_pairs(design)
    assert report.max_pair_count == max(pairs.values())
    assert report.sum_of_squared_pair_counts == sum(count**2 for count in pairs.values())
    assert report.max_steps_apart == nx.diameter(graph)
    assert report.components == 1
    assert report.prefix_imbalance == report.prefix_position_imbalance == 1
    assert json.loads(json.dumps(report.as_dict()))["positions"]["max"] == report.positions.max


@pytest.mark.parametrize("tuples", [[], [[]], [[0, 1, 9]], [[0, -1, 2]], [[0.5, 1, 2]]])
def test_what_is_no_design_is_not_described(tuples):
    with pytest.raises(ValueError, match="A design"):
        describe_design(tuples, 9, seed=1)


def table(heading: str) -> list[list[str]]:
    """Return the cells of the rows below the table header that starts with `heading`."""
    lines = TABLES.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(f"| {heading} |"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


GRID_TABLE = [(int(k), float(f), int(bound), int(every), also) for k, f, bound, every, also in table("size")]


@pytest.mark.nightly
@pytest.mark.parametrize(("size", "factor", "bound", "every", "also"), GRID_TABLE)
def test_the_published_grid(size, factor, bound, every, also):
    """The bound equals its definition, and there are no repeated pairs inside the grid and, for sizes 3 and 4, at its
    edge.
    """

    def may_be_free(n: int) -> bool:
        return -(-round(factor * n) * size // n) * (size - 1) <= n - 1

    assert may_be_free(bound)
    assert not any(may_be_free(n) for n in range(size, bound))
    sizes = [every + every // 4, 3 * every] + ([every] if size <= 4 and factor <= 2 else [])
    for n in sizes:
        assert repeated_pairs(best_worst_design(n, size=size, factor=factor, seed=1)) == 0
    assert all(bound <= int(n) < every for n in re.findall(r"\d+", also))


@pytest.mark.parametrize("row", [row for row in table("items") if int(row[0]) in {6, 8, 10, 16, 18}])
def test_the_published_table_of_small_numbers(row):
    n, tuples, repeated, most, squares, least = (int(cell) for cell in row[:6])
    report = describe_design(best_worst_design(n), n, seed=1)
    assert (report.tuples, report.repeated_pairs, report.max_pair_count) == (tuples, repeated, most)
    assert report.sum_of_squared_pair_counts == squares
    assert least == 2 * brute_least_excess(n, tuples, 4) + tuples * 6


def test_the_report_compares_repeated_pairs_with_all_pairs_of_items():
    """20 items form 190 pairs. 40 tuples of 4 show 240, so at least 50 pairs are in two tuples."""
    checks = {
        check.name: check for check in design_report(describe_design(best_worst_design(20), 20, seed=1), []).checks
    }
    again = checks["Pairs shown again"]
    assert (again.value, again.detail) == ("50", "of 190 pairs of items, the fewest that Accord found")
    assert checks["Comparisons connected"].detail == "any two items at most 1 step apart"


@pytest.mark.nightly
def test_a_few_repeated_pairs_are_no_reason_for_advice():
    """A single pair in three tuples where each pair could be in one is a reason."""
    design = best_worst_design(30, seed=1)
    described = describe_design(design, 30, seed=1)
    again = {check.name: check for check in design_report(described, []).checks}["Pairs shown again"]
    assert described.repeated_pairs > 0
    assert (again.state, again.value) == ("ok", str(described.repeated_pairs))
    uneven = describe_design([[0, 1, 2], [0, 1, 3], [0, 1, 4]], 9, seed=1)
    assert {check.name: check.state for check in design_report(uneven, []).checks}["Pairs shown again"] == "advice"
