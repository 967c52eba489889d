"""Tests of the properties of the example study on which its pairs, its gold questions and its simulation depend."""

from __future__ import annotations

import tomllib
from collections import Counter

import numpy as np
import pytest

from accord_core.pairs.formats.corpus import Links
from alignment_ui.words.tasktype import Words
from annotate.tasktypes import ItemDraft
from tests.word_study import EXAMPLE, rows, truth

TASK = Words()
ITEMS = {row["id"]: row for row in rows("items.csv")}
GOLD, PRACTICE = rows("gold.csv"), rows("practice.csv")
GIVEN = tomllib.loads((EXAMPLE / "study.toml").read_text(encoding="utf-8"))
OPTIONS = TASK.clean_options(GIVEN["options"])


def read():
    limits = {"rows": 1_000, "bytes": 1 << 20, "cell": 2_000}
    return TASK.read_items((EXAMPLE / "items.csv").read_bytes(), "items.csv", OPTIONS, limits)


def known(name):
    items = {item.key: item for item in read().items}
    return TASK.read_gold((EXAMPLE / name).read_bytes(), name, OPTIONS, items).questions


def test_there_are_fourteen_pairs_of_each_of_three_kinds_and_fourteen_held_out():
    found = read()
    assert (found.faults, found.warnings) == ([], [])
    assert Counter(item.metadata["subcorpus"] for item in found.items if not item.held_out) == {
        "news": 14,
        "stories": 14,
        "guides": 14,
    }
    assert {item.key for item in found.items if item.held_out} == {row["id"] for row in GOLD + PRACTICE}
    assert (len(GOLD), len(PRACTICE)) == (10, 4)
    assert all(8 <= len(item.content[side]) <= 30 for item in found.items for side in ("source", "target"))


def test_no_pair_says_the_same_with_the_same_words():
    for row in ITEMS.values():
        source, target = (set(row[side].lower().split()) for side in ("source", "target"))
        assert len(source & target) <= 0.85 * min(len(source), len(target)), row["id"]


@pytest.mark.parametrize("key", sorted(ITEMS))
def test_the_truth_links_words_that_there_are_and_nearly_all_of_them(key):
    sizes = tuple(len(ITEMS[key][side].split()) for side in ("source", "target"))
    faults = []
    links = Links(faults, sizes=sizes)
    links.add_notation(truth()[key], line=None, column=None)
    assert not faults
    aligned = links.alignment()
    for side, size in enumerate(sizes):
        assert len({link[side] for link in aligned.links}) >= 0.6 * size


def test_sure_links_are_the_rule():
    links = " ".join(truth().values())
    assert links.count("-") > 2 * links.count("?")


def test_gold_is_the_truth_of_its_pair_and_explained():
    for row in GOLD + PRACTICE:
        assert row["gold"] == truth()[row["id"]]
        assert len(row["explanation"]) > 60


def test_who_takes_over_what_is_suggested_is_stopped_and_who_aligns_is_not():
    """The careless annotator passes fewer than six in ten gold questions and fails the study's rule."""
    passed = Counter()
    for question in known("gold.csv"):
        for seed in range(20):
            for careless in (True, False):
                raw = TASK.simulate(question.payload, [], truth(), OPTIONS, careless, np.random.default_rng(seed))
                passed[careless] += TASK.grade(question.payload, question.gold, raw, OPTIONS).passed
    shares = {careless: count / (20 * len(GOLD)) for careless, count in passed.items()}
    threshold = GIVEN["settings"]["rule_threshold"]
    assert shares[True] < threshold - 0.1
    assert shares[False] > 0.9


def test_the_design_holds_what_the_settings_say():
    items = [ItemDraft(item.key, item.content, item.metadata) for item in read().items if not item.held_out]
    design = TASK.build_questions(items, OPTIONS, 2022, lambda share, text: None)
    assert all(check.state == "ok" for check in design.report.checks)
    assert Counter(question.judgements for question in design.questions) == {2: 24, 1: 18}
