"""Tests of the properties of the paraphrase example on which its results and its quality control depend."""

from __future__ import annotations

import csv
import tomllib
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

from accord_core.exchange.tables import Limits, iter_table
from accord_core.paraphrase.formats.items import read_items
from accord_core.paraphrase.formats.quality_control import read_quality_control
from annotate import tasktypes
from annotate.models import Study

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "paraphrase"


def table(name: str):
    return iter_table((FOLDER / name).read_bytes(), name=name, limits=Limits())


ITEMS, FAULTS, WARNINGS = read_items(table("items.jsonl"))
GOLD, PRACTICE = (read_quality_control(table(name)) for name in ("gold.csv", "practice.csv"))
GIVEN = tomllib.loads((FOLDER / "study.toml").read_text(encoding="utf-8"), parse_float=Decimal)


def test_the_items_are_read_without_a_word() -> None:
    assert (FAULTS, WARNINGS) == ([], [])
    assert 30 <= len(ITEMS) <= 40


def test_every_phrase_but_one_stands_in_both_domains_with_the_same_candidates() -> None:
    lists: dict[str, dict[str, frozenset[str]]] = {}
    for item in ITEMS:
        lists.setdefault(item.content["phrase"], {})[item.metadata["domain"]] = frozenset(item.content["paraphrases"])
    alone = {phrase for phrase, domains in lists.items() if set(domains) != {"general", "biology"}}
    assert alone == {"line"}
    assert all(len(set(domains.values())) == 1 for domains in lists.values())


def test_one_list_is_long_and_the_others_are_not() -> None:
    sizes = sorted(len(item.content["paraphrases"]) for item in ITEMS)
    assert sizes[-1] >= 40
    assert 6 <= sizes[0] <= sizes[-2] <= 10


def test_quality_control_has_as_many_candidates_as_other_questions() -> None:
    usual = Counter(len(item.content["paraphrases"]) for item in ITEMS).most_common(1)[0][0]
    assert {len(row.synonyms) + len(row.random_words) for row in GOLD} == {usual}


def test_no_sentence_comes_twice_and_quality_control_has_its_own() -> None:
    sentences = [item.content["sentence"] for item in ITEMS] + [row.sentence for row in [*GOLD, *PRACTICE]]
    assert [text for text, times in Counter(sentences).items() if times > 1] == []


def test_the_truth_is_the_share_of_good_candidates_which_come_first() -> None:
    with (FOLDER / "truth.csv").open(encoding="utf-8", newline="") as rows:
        truth = {row["item"]: float(row["share_good"]) for row in csv.DictReader(rows)}
    assert list(truth) == [item.key for item in ITEMS]
    for item in ITEMS:
        good = truth[item.key] * len(item.content["paraphrases"])
        assert good == pytest.approx(round(good), abs=0.01)
        assert 1 <= round(good) < len(item.content["paraphrases"])


def test_quality_control_outlasts_the_study_and_every_question_is_explained() -> None:
    hits = -(-len(ITEMS) // GIVEN["settings"]["questions_per_hit"])
    assert GIVEN["settings"]["gold_block"] <= GIVEN["settings"]["questions_per_hit"]
    assert len(GOLD) >= max(hits, 10)
    assert len(PRACTICE) >= 2
    assert all(row.explanation for row in [*GOLD, *PRACTICE])


def test_the_settings_are_fields_and_options_of_a_study() -> None:
    given = GIVEN | GIVEN["settings"]
    assert given["consent_pays_stopped"] is given["pay_stopped"]
    assert given["consent_names_activity"] is given["activity_summaries"]
    names = given.keys() - {"settings", "options", "simulation", "consent_pays_stopped", "consent_names_activity"}
    for name in names:
        Study._meta.get_field(name).clean(given[name], None)
    task = tasktypes.get("paraphrase")
    assert task.clean_options(GIVEN["options"]).items() >= GIVEN["options"].items()
    assert GIVEN["settings"]["rule_measure"] in task.measures


def test_the_pay_agrees_with_the_wage_and_with_the_consent() -> None:
    seconds = GIVEN["reward"] / GIVEN["planned_hourly_wage"] * 3600
    assert 30 <= seconds / (GIVEN["settings"]["questions_per_hit"] + 1) <= 60
    consent = " ".join((FOLDER / "consent.md").read_text(encoding="utf-8").split())
    assert f"{GIVEN['reward']} US dollars" in consent
    assert f"about {GIVEN['planned_hourly_wage'].to_integral()} dollars an hour" in consent
