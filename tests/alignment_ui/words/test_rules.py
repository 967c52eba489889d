"""Tests of grammar rules with gaps: by hand, by brute force over all cells, and by the command."""

import json
from itertools import combinations, product

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from accord_core.words.numerics.rules import Limits, Rule, derivations_of, rule_counts
from annotate.commands.main import main

SIZE = 5
links = st.frozensets(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)), min_size=1, max_size=7)
limits = st.builds(
    Limits, st.integers(1, 6), st.integers(1, 6), st.integers(0, 2), st.integers(1, 2), st.booleans(), st.booleans()
)


def brute_force(linked, limit):
    """Return the phrase pairs and their gaps from the definitions, with all rectangles of the alignment matrix."""
    bounds = list(combinations(range(SIZE + 1), 2))

    def cells(box):
        return {link for link in linked if box[0] <= link[0] < box[1] and box[2] <= link[1] < box[3]}

    def is_phrase(box):
        inside = cells(box)
        rows, columns = {link[0] for link in inside}, {link[1] for link in inside}
        touching = {k for k in linked if box[0] <= k[0] < box[1] or box[2] <= k[1] < box[3]}
        edges = inside and {box[0], box[1] - 1} <= rows and {box[2], box[3] - 1} <= columns
        return edges and touching == inside

    boxes = [(*rows, *columns) for rows, columns in product(bounds, bounds) if rows[1] - rows[0] <= limit.span]
    phrases = [box for box in boxes if is_phrase(box)]
    found = {}
    for box in phrases:
        smaller = [
            gap
            for gap in phrases
            if gap != box and box[0] <= gap[0] and gap[1] <= box[1] and box[2] <= gap[2] and gap[3] <= box[3]
            if gap[1] - gap[0] >= limit.shortest_gap
        ]
        found[box] = set()
        for number in range(limit.gaps + 1):
            for gaps in combinations(sorted(smaller), number):
                rows = [row for row in range(box[0], box[1]) if not any(gap[0] <= row < gap[1] for gap in gaps)]
                columns = [j for j in range(box[2], box[3]) if not any(gap[2] <= j < gap[3] for gap in gaps)]
                covered = sum(gap[1] - gap[0] for gap in gaps), sum(gap[3] - gap[2] for gap in gaps)
                if (len(rows) + covered[0], len(columns) + covered[1]) != (box[1] - box[0], box[3] - box[2]):
                    continue  # two gaps overlap
                if number == 2 and gaps[0][1] == gaps[1][0] and not limit.adjacent:
                    continue
                left = {(i, j) for i, j in linked if i in rows and j in columns}
                if len(rows) + number <= limit.symbols and (left if limit.aligned else rows or columns):
                    found[box].add(gaps)
    return found


@given(links, limits)
def test_derivations_equal_those_of_brute_force(linked, limit):
    found = list(derivations_of(linked, SIZE, SIZE, limit))
    as_sets = {tuple(phrase): {tuple(map(tuple, gaps)) for gaps in every} for phrase, every in found}
    assert as_sets == brute_force(linked, limit)
    assert sum(len(every) for _, every in found) == sum(map(len, as_sets.values()))


@given(links, limits)
def test_weights_share_one_phrase_pair_each(linked, limit):
    words = [f"w{number}" for number in range(SIZE)]
    counts = rule_counts([(words, words, linked)], limit)
    with_rules = sum(bool(every) for _, every in derivations_of(linked, SIZE, SIZE, limit))
    assert sum(counts.weight.values()) == pytest.approx(with_rules)
    assert counts.phrase_pairs >= with_rules


def test_the_rules_of_a_swap_by_hand():
    """The links are a-d, b-c: the whole phrase pair, two words, and one rule for each word with the other as a gap."""
    counts = rule_counts([(["a", "b"], ["c", "d"], {(0, 1), (1, 0)})])
    assert dict(counts.count) == {
        Rule(("a",), ("d",)): 1,
        Rule(("b",), ("c",)): 1,
        Rule(("a", "b"), ("c", "d")): 1,
        Rule(("a", "[X,1]"), ("[X,1]", "d")): 1,
        Rule(("[X,1]", "b"), ("c", "[X,1]")): 1,
    }
    assert counts.weight[Rule(("a", "b"), ("c", "d"))] == pytest.approx(1 / 3)
    adjacent = rule_counts([(["a", "b"], ["c", "d"], {(0, 1), (1, 0)})], Limits(adjacent=True, aligned=False))
    assert set(adjacent.count) == set(counts.count)  # two gaps alone are not a rule


def test_the_published_example_of_a_relative_clause():
    """Chiang (2007) derives <yu X1 you X2, have X2 with X1> from the phrases of this sentence."""
    source, target = "yu Beihan you bangjiao".split(), "have diplomatic relations with North Korea".split()
    linked = {(0, 3), (1, 4), (1, 5), (2, 0), (3, 1), (3, 2)}
    counts = rule_counts([(source, target, linked)])
    assert counts.count[Rule(("yu", "[X,1]", "you", "[X,2]"), ("have", "[X,2]", "with", "[X,1]"))] == 1


def test_limits_out_of_range():
    with pytest.raises(ValueError, match="out of range"):
        Limits(gaps=3)


def test_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pair = {"id": "1", "source": "we saw Anna today", "target": "today we met Anna", "possibleAlign": "",
            "sureAlign": "0-1 1-2 2-3 3-0"}  # fmt: skip
    (tmp_path / "gold.json").write_text(json.dumps([pair]))
    (tmp_path / "links").write_text("0-0\n")
    done = CliRunner().invoke(main, ["align", "rules", "gold.json", "--ignore-identical"])
    assert done.exit_code == 0
    header, *rows = (line.split("\t") for line in done.stdout.splitlines())
    assert header == ["count", "weight", "gaps", "source", "target"]
    assert [row[2:] for row in rows if row[3].startswith("we saw [X")] == [
        ["1", "we saw [X,1]", "we met [X,1]"],
        ["1", "we saw [X,1] today", "today we met [X,1]"],
    ]
    assert ["0", "Anna", "Anna"] not in [row[2:] for row in rows]
    assert "phrase pairs (" in done.stderr
    few = CliRunner().invoke(main, ["align", "rules", "gold.json", "--gaps", "0", "--max-span", "1"]).stdout
    assert few.count("\n") == 5
    done = CliRunner().invoke(main, ["align", "rules", "links"])
    assert (done.exit_code, "Use --sentences" in done.stderr) == (2, True)
