"""Tests of train, dev and test parts: no leak, no effect of the order, and stable parts when items are added."""

from collections import Counter

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from accord_core.evaluation.numerics.splits import PARTS, score_bins, shared_texts, split_items
from annotate.commands.main import main

SHARES = (0.8, 0.1, 0.1)
datasets = st.lists(
    st.tuples(st.lists(st.sampled_from("abcdefghijkl"), max_size=2), st.sampled_from(["news", "fiction"])),
    min_size=1,
    max_size=40,
)


def split(keys, texts=None, strata=None, **options):
    texts = [[] for _ in keys] if texts is None else texts
    return split_items(keys, texts, strata or [""] * len(keys), seed=options.pop("seed", 1), **options)


@given(datasets, st.randoms(use_true_random=False), st.integers(0, 99))
def test_no_text_leaks_and_the_order_has_no_effect(rows, random, seed):
    keys = [f"k{n}" for n in range(len(rows))]
    texts, strata = [list(texts) for texts, _ in rows], [stratum for _, stratum in rows]
    found = split(keys, texts, strata, seed=seed)
    assert set(found.parts) <= set(PARTS)
    assert shared_texts(found.parts, texts) == []
    order = list(range(len(rows)))
    random.shuffle(order)
    again = split([keys[n] for n in order], [texts[n] for n in order], [strata[n] for n in order], seed=seed)
    assert [found.parts[n] for n in order] == again.parts
    assert [found.groups[n] for n in order] == again.groups


@given(st.integers(1, 150), st.integers(1, 30), st.integers(0, 99))
def test_added_items_change_only_items_near_the_borders(size, added, seed):
    keys = [f"k{n}" for n in range(size)]
    before = split(keys, seed=seed).parts
    larger = split([*keys, *(f"new{n}" for n in range(added))], seed=seed).parts[:size]
    assert sum(one != other for one, other in zip(before, larger, strict=True)) <= 3 * (added + 1)


@given(datasets, datasets, st.integers(0, 99))
def test_an_earlier_assignment_is_kept(rows, more, seed):
    keys = [f"k{n}" for n in range(len(rows))]
    texts, strata = [list(texts) for texts, _ in rows], [stratum for _, stratum in rows]
    earlier = dict(zip(keys, split(keys, texts, strata, seed=seed).parts, strict=True))
    every = [*texts, *(list(here) for here, _ in more)]
    found = split(
        [*keys, *(f"new{n}" for n in range(len(more)))],
        every,
        [*strata, *(stratum for _, stratum in more)],
        seed=seed,
        earlier=earlier,
    )
    changed = [(earlier[key], part) for key, part in zip(keys, found.parts, strict=False) if earlier[key] != part]
    assert len(changed) == found.moved
    assert all(PARTS.index(now) < PARTS.index(then) for then, now in changed)
    assert shared_texts(found.parts, every) == []
    if not any(set(here) & {text for there in texts for text in there} for here, _ in more):
        assert not changed


def test_proportions_hold_in_every_stratum():
    strata = ["news"] * 200 + ["fiction"] * 50
    found = split([f"k{n}" for n in range(250)], strata=strata)
    for stratum, size in (("news", 200), ("fiction", 50)):
        counts = Counter(part for part, of in zip(found.parts, strata, strict=True) if of == stratum)
        assert [abs(counts[part] - share * size) <= 1 for part, share in zip(PARTS, SHARES, strict=True)] == [True] * 3


def test_small_strata_have_the_proportions_together():
    keys = [f"k{n}" for n in range(600)]
    sizes = split(keys, strata=[str(n // 2) for n in range(600)]).sizes
    assert 440 <= sizes["train"] <= 520
    assert 30 <= sizes["dev"] <= 90
    assert 30 <= sizes["test"] <= 90


def test_a_new_item_between_train_and_test_moves_the_test_item():
    earlier = {"a": "train", "b": "test"}
    found = split(["a", "b", "c"], [["one"], ["two"], ["One ", "two"]], earlier=earlier)
    assert (found.parts, found.moved, found.largest_group) == (["train"] * 3, 1, 3)


def test_bins_of_equal_width():
    assert score_bins([0.0, 0.19, 0.2, 0.99, 1.0], 5) == ["1", "1", "2", "5", "5"]
    assert score_bins([2.0, 2.0], 5) == ["1", "1"]
    assert score_bins([-1.7e308, -1e308, 0.0, 1.7e308], 4) == ["1", "1", "3", "4"]


@pytest.mark.parametrize("wrong", [(-1.0, 1.0, 1.0), (0.0, 0.0, 0.0)])
def test_errors(wrong):
    with pytest.raises(ValueError, match="must not be negative"):
        split(["a"], proportions=wrong)
    with pytest.raises(ValueError, match="occurs twice"):
        split(["a", "a"])


def test_command(tmp_path):
    rows = [f"i{n},the cat {n // 2},a dog {n},s{n % 2},{n / 40}" for n in range(40)]
    items, parts, more = (tmp_path / name for name in ("items.csv", "splits.csv", "more.csv"))
    items.write_text("\n".join(["item,sentence1,sentence2,source,score", *rows]))

    def run(*arguments):
        return CliRunner().invoke(main, ["evaluate", "split", *map(str, arguments)])

    options = ["--stratify", "source", "--score", "score", "--proportions", "50,25,25"]
    result = run(items, *options, "-o", parts)
    assert result.exit_code == 0
    assert "note: no text in the columns sentence1, sentence2 occurs in two parts" in result.stderr
    cells = [line.split(",") for line in parts.read_text().splitlines()]
    assert cells[0] == ["item", "split", "group", "stratum"]
    assert all(one[1] == other[1] for one, other in zip(cells[1::2], cells[2::2], strict=True))
    more.write_text(
        "\n".join(["item,sentence1,sentence2,source,score", *rows, *(f"n{n},x{n},y,s0,1" for n in range(9))])
    )
    (tmp_path / "system.csv").write_text("\n".join(["item,score", *(f"i{n},{n}" for n in range(40))]))
    arguments = ["relatedness", str(items), str(tmp_path / "system.csv"), "--split", "test", "--splits", str(parts)]
    scored = CliRunner().invoke(main, ["evaluate", *arguments, "--resamples", "0"]).stdout
    assert scored.startswith(f"Spearman's correlation, {sum(row[1] == 'test' for row in cells)} items\nsystem\n  all ")
    kept = run(more, *options, "--keep", parts)
    assert [line.split(",")[:2] for line in kept.stdout.splitlines()[1:41]] == [row[:2] for row in cells[1:]]
    assert "9 of 49 items are linked" not in kept.stderr
    for wrong in ("80,10", "nan,50,50", "120,-30,10"):
        assert "sum to 100" in run(items, "--proportions", wrong).stderr
    more.write_text(items.read_text().replace(",0.5\n", ",nan\n"))
    assert "column score: i20: “nan” is not a number" in run(more, "--score", "score").stderr
    assert "column sentence1: i0: “the cat 0” is not a number" in run(items, "--score", "sentence1").stderr
    assert run(items, "--link", "text").exit_code != 0
