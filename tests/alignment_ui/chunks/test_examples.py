"""Tests that the example study of chunk alignment follows its own guidelines."""

from __future__ import annotations

import csv
import tomllib
from collections import Counter
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from accord_core.chunks.formats.ists import read_wa, write_wa
from accord_core.chunks.formats.ists_check import check_wa
from accord_core.chunks.formats.ists_guidelines import guideline_faults
from accord_core.chunks.numerics.chunks import TYPES, IstsPair
from alignment_ui.chunks.gold import links_of
from alignment_ui.chunks.simulation import truth_of
from alignment_ui.chunks.tasktype import Chunks
from annotate.core.permissions import SYSTEM
from annotate.management.commands.demo import create_example
from annotate.models import Participation
from annotate.results.services import make_report
from tests.factories import UserFactory

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "chunks"
TASK = Chunks()
GIVEN = tomllib.loads((EXAMPLE / "study.toml").read_text(encoding="utf-8"), parse_float=Decimal)
OPTIONS = TASK.clean_options(GIVEN["options"])
READ = TASK.read_items((EXAMPLE / "items.jsonl").read_bytes(), "items.jsonl", OPTIONS, {"rows": 999, "bytes": 1 << 20})
ITEMS = {item.key: item for item in READ.items}


def table(name):
    with (EXAMPLE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


TRUTH = {row["id"]: row["links"] for row in table("truth.csv")}


def true_pair(key):
    content = ITEMS[key].content
    links, broken = links_of(TRUTH[key])
    assert not broken
    return IstsPair(key, tuple(content["source"]), tuple(content["target"]), links)


def known():
    names = ("gold.wa", "practice.csv")
    read = [TASK.read_gold((EXAMPLE / name).read_bytes(), name, OPTIONS, ITEMS) for name in names]
    assert not any(found.faults for found in read)
    return [found.questions for found in read]


def test_there_are_eighteen_captions_and_eighteen_headlines_and_thirteen_pairs_held_out():
    assert (READ.faults, READ.warnings) == ([], [])
    asked = Counter(item.metadata["dataset"] for item in READ.items if not item.held_out)
    assert asked == {"images": 18, "headlines": 18}
    gold, practice = known()
    held_out = {item.key for item in READ.items if item.held_out}
    assert {question.ref for question in gold + practice} == {f"known-{key}" for key in held_out}
    assert (len(gold), len(practice)) == (10, 3)
    assert all(5 <= len(item.content[side]) <= 16 for item in READ.items for side in ("source", "target"))


@pytest.mark.parametrize("key", sorted(ITEMS))
def test_the_truth_keeps_the_guidelines_and_the_chunks_that_annotators_are_given(key):
    pair = true_pair(key)
    assert guideline_faults(pair, many_to_many=False) == []
    for side, chunks in (("source", pair.source_chunks), ("target", pair.target_chunks)):
        assert [list(chunk) for chunk in chunks] == ITEMS[key].content["chunks"][side]


@pytest.mark.parametrize("key", sorted(ITEMS))
def test_chunks_of_the_same_words_are_equal_and_equal_ones_are_not_more_specific(key):
    pair = true_pair(key)
    for link in (link for link in pair.links if link.source and link.target):
        source, target = (
            " ".join(sentence[token] for token in tokens).lower()
            for sentence, tokens in ((pair.source, link.source), (pair.target, link.target))
        )
        if source == target:
            assert (link.type, link.score) == ("EQUI", 5)
        # Words are added on the side that says more.
        if set(source.split()) < set(target.split()):
            assert link.type in ("SPE2", "EQUI"), (source, target)
        if set(target.split()) < set(source.split()):
            assert link.type in ("SPE1", "EQUI"), (source, target)


def test_every_type_and_both_flags_occur_in_what_is_asked_and_in_gold():
    for keys in ([key for key in ITEMS if not ITEMS[key].held_out], [pair.id for pair in gold_pairs()]):
        links = [link for key in keys for link in true_pair(key).links]
        assert {link.type for link in links} == set(TYPES)
        assert set().union(*(link.flags for link in links)) == {"FACT", "POL"}


def gold_pairs():
    return read_wa((EXAMPLE / "gold.wa").read_bytes(), name="gold.wa")


def test_gold_is_the_truth_and_a_file_that_the_official_checker_accepts():
    text = (EXAMPLE / "gold.wa").read_text(encoding="utf-8")
    found = check_wa(text, strict=True)
    assert (found.malformed, found.against_guidelines) == ([], [])
    assert "".join(write_wa(gold_pairs())) == text
    assert {pair.id: truth_of(pair) for pair in gold_pairs()} == {pair.id: TRUTH[pair.id] for pair in gold_pairs()}


def test_practice_is_the_truth_and_explained():
    for row in table("practice.csv"):
        assert row["links"] == TRUTH[row["id"]]
        assert len(row["explanation"]) > 100
    assert all(question.explanation for question in known()[1])


def test_who_links_anything_with_anything_is_stopped_and_who_reads_is_not():
    """The careless annotator answers fewer than six in ten gold questions correctly and fails the study's rule."""
    gold, passed = known()[0], Counter()
    for question in gold:
        for seed in range(20):
            for careless in (True, False):
                raw = TASK.simulate(question.payload, [], TRUTH, OPTIONS, careless, np.random.default_rng(seed))
                value = TASK.clean(question.payload, [], raw, OPTIONS)
                passed[careless] += TASK.grade(question.payload, question.gold, value, OPTIONS).passed
    shares = {careless: count / (20 * len(gold)) for careless, count in passed.items()}
    threshold = float(GIVEN["settings"]["rule_threshold"])
    assert shares[True] < threshold - 0.25
    assert shares[False] > threshold + 0.25


def test_pay_is_what_the_consent_promises():
    questions = GIVEN["settings"]["questions_per_hit"] + 1
    consent = (EXAMPLE / "consent.md").read_text(encoding="utf-8")
    assert questions == 5
    assert "five pairs" in consent
    assert f"{GIVEN['reward']} US dollars" in consent
    minutes = 60 * GIVEN["reward"] / GIVEN["planned_hourly_wage"]
    assert abs(timedelta(minutes=float(minutes)) - questions * timedelta(seconds=75)) < timedelta(seconds=10)


@pytest.mark.nightly
@pytest.mark.django_db
def test_the_demonstration_stops_the_careless_one_and_tells_agreement_by_dataset():
    study = create_example(UserFactory(), EXAMPLE, GIVEN)
    assert all(check["state"] == "ok" for check in study.design.result["checks"])
    standings = Counter(study.participations.values_list("standing", flat=True))
    assert standings == {Participation.Standing.ACTIVE: 5, Participation.Standing.STOPPED: 1}
    report = make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)
    agreement = report.result["agreement"]
    assert set(agreement["datasets"]) == {"images", "headlines"}
    assert 0.8 < agreement["overall"]["f1_ali"]["value"] < 1
    assert agreement["overall"]["f1_typ_sco"]["value"] < agreement["overall"]["f1_type"]["value"]
    assert {name for name, count in report.result["said"]["types"].items() if count} == set(TYPES)
