"""Tests of the properties of the example study on which its design, its gold questions and its simulation depend."""

from __future__ import annotations

import csv
import itertools
import re
import tomllib
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest
import scipy

from annotate.models import Study

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "relatedness"
SOURCES = {"captions", "news", "reviews", "forums", "wiki", "paraphrase"}
PLACES = ["Item1", "Item2", "Item3", "Item4"]


def rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


ITEMS = {row["id"]: row for row in rows("items.csv")}
TRUTH = {row["id"]: float(row["relatedness"]) for row in rows("truth.csv")}
GOLD = rows("gold.csv")
PRACTICE = rows("practice.csv")
HELD_OUT = {key for key, row in ITEMS.items() if row["gold_only"] == "yes"}
DESIGN = ITEMS.keys() - HELD_OUT


def words(sentence: str) -> set[str]:
    return set(re.findall(r"\w+(?:['’]\w+)*", sentence.lower()))


def shared(item: dict[str, str]) -> tuple[set[str], set[str], set[str]]:
    first, second = words(item["sentence1"]), words(item["sentence2"])
    return first, second, first & second


def dice(item: dict[str, str]) -> float:
    first, second, both = shared(item)
    return 2 * len(both) / (len(first) + len(second))


def members(question: dict[str, str]) -> list[str]:
    return [question[place] for place in PLACES]


def position(question: dict[str, str], column: str) -> int:
    return members(question).index(question[column])


def test_there_are_96_items_to_judge_and_48_held_out() -> None:
    assert len(rows("items.csv")) == len(ITEMS) == 144
    assert (len(DESIGN), len(HELD_OUT)) == (96, 48)
    assert {row["gold_only"] for row in ITEMS.values()} == {"yes", ""}


def test_every_source_is_there_equally_often() -> None:
    assert Counter(ITEMS[key]["source"] for key in DESIGN) == dict.fromkeys(SOURCES, 16)
    assert Counter(ITEMS[key]["source"] for key in HELD_OUT) == dict.fromkeys(SOURCES, 8)


def test_ids_tell_the_source_and_nothing_else() -> None:
    """The IDs of the items must reveal neither gold questions nor the relatedness of pairs."""
    assert all(re.fullmatch(r"[a-z]{2}-\d{4}", key) for key in ITEMS)
    numbers = [int(key[3:]) for key in ITEMS]
    assert len(set(numbers)) == len(numbers)
    assert abs(scipy.stats.spearmanr(numbers, [TRUTH[key] for key in ITEMS])[0]) < 0.2
    assert abs(scipy.stats.spearmanr(numbers, [key in HELD_OUT for key in ITEMS])[0]) < 0.2


def test_no_sentence_occurs_twice() -> None:
    sentences = [row[column].casefold() for row in ITEMS.values() for column in ("sentence1", "sentence2")]
    assert [text for text, times in Counter(sentences).items() if times > 1] == []


@pytest.mark.parametrize("column", ["sentence1", "sentence2"])
def test_sentences_have_5_to_25_words(column: str) -> None:
    outside = [key for key, row in ITEMS.items() if not 5 <= len(row[column].split()) <= 25]
    assert outside == []


def test_sentences_are_clean_text() -> None:
    """The texts contain no superfluous spaces, and no first character that a spreadsheet would interpret as
    a formula.
    """
    for row in ITEMS.values():
        for sentence in (row["sentence1"], row["sentence2"]):
            assert sentence == " ".join(sentence.split())
            assert sentence[0] not in "=+-@|"


def test_files_exercise_what_readers_trip_over() -> None:
    text = (FOLDER / "items.csv").read_text(encoding="utf-8")
    assert '"""' in text  # a cell that begins with a quotation mark
    assert all(character in text for character in "’'ŁøÅé°")


def test_a_pair_is_called_overlap_where_a_quarter_of_the_first_sentence_returns() -> None:
    for key, row in ITEMS.items():
        first, _, both = shared(row)
        if row["strategy"] == "paraphrase":
            assert TRUTH[key] >= 0.75, key
        else:
            assert row["strategy"] == ("overlap" if 4 * len(both) >= len(first) else "random"), key
    assert min(Counter(ITEMS[key]["strategy"] for key in DESIGN).values()) >= 20


def test_the_truth_covers_every_item_and_the_whole_range() -> None:
    assert list(TRUTH) == list(ITEMS)
    assert all(re.fullmatch(r"[01]\.\d\d", row["relatedness"]) for row in rows("truth.csv"))
    assert all(0 <= value <= 1 for value in TRUTH.values())
    tenths = Counter(min(int(TRUTH[key] * 10), 9) for key in DESIGN)
    assert all(tenths[tenth] >= 5 for tenth in range(10))
    assert max(tenths.values()) <= 15


def test_shared_words_do_not_give_relatedness_away() -> None:
    """STR-2021 §6 reports .57 for the Dice overlap, and the example must stay clearly below .6."""
    for keys in (list(ITEMS), sorted(DESIGN)):
        assert abs(scipy.stats.spearmanr([dice(ITEMS[key]) for key in keys], [TRUTH[key] for key in keys])[0]) < 0.6
    alike_but_apart = [key for key in DESIGN if dice(ITEMS[key]) >= 0.4 and TRUTH[key] <= 0.25]
    close_without_words = [key for key in DESIGN if dice(ITEMS[key]) <= 0.15 and TRUTH[key] >= 0.7]
    assert len(alike_but_apart) >= 12
    assert len(close_without_words) >= 10


def test_gold_and_practice_have_items_of_their_own() -> None:
    gold = {key for question in GOLD for key in members(question)}
    practice = {key for question in PRACTICE for key in members(question)}
    assert gold | practice == HELD_OUT
    assert not gold & practice


@pytest.mark.parametrize("questions", [GOLD, PRACTICE], ids=["gold", "practice"])
def test_best_and_worst_are_clear(questions: list[dict[str, str]]) -> None:
    for question in questions:
        keys = sorted(members(question), key=TRUTH.__getitem__, reverse=True)
        assert len(set(keys)) == 4, question["id"]
        assert (keys[0], keys[3]) == (question["BestItem"], question["WorstItem"]), question["id"]
        first, second, third, last = (TRUTH[key] for key in keys)
        assert round(first - second, 2) >= 0.25, question["id"]
        assert round(third - last, 2) >= 0.25, question["id"]


def test_there_are_24_gold_and_3_practice_questions() -> None:
    assert (len(GOLD), len(PRACTICE)) == (24, 3)
    assert len({question["id"] for question in GOLD + PRACTICE}) == 27


def test_no_two_items_meet_twice_and_none_is_worn_out() -> None:
    met = Counter(pair for question in GOLD + PRACTICE for pair in itertools.combinations(sorted(members(question)), 2))
    assert set(met.values()) == {1}
    uses = Counter(Counter(key for question in GOLD for key in members(question)).values())
    assert set(uses) == {2, 3}
    assert uses[2] > uses[3]


def test_gold_answers_fall_on_each_pair_of_positions_equally_often() -> None:
    """Each of the twelve (best, worst) cells occurs twice, so a preference for a position has no advantage."""
    cells = Counter((position(question, "BestItem"), position(question, "WorstItem")) for question in GOLD)
    assert cells == dict.fromkeys(itertools.permutations(range(4), 2), 2)
    assert len({position(question, "BestItem") for question in PRACTICE}) == 3


def test_going_by_shared_words_fails_gold() -> None:
    """An annotator who chooses the greatest overlap as most related and the smallest overlap as least related must not
    pass the 70% rule.
    """
    misses = [
        question["id"]
        for question in GOLD
        if max(members(question), key=lambda key: dice(ITEMS[key])) != question["BestItem"]
    ]
    traps = [
        question["id"]
        for question in GOLD
        if max(members(question), key=lambda key: dice(ITEMS[key])) == question["WorstItem"]
    ]
    assert len(misses) > 0.5 * len(GOLD)
    assert len(traps) >= 8


@pytest.mark.parametrize("question", GOLD + PRACTICE, ids=lambda question: question["id"])
def test_explanations_are_short_and_speak_of_content(question: dict[str, str]) -> None:
    """Explanations must not contain numbers or positions, because the page shuffles the pairs."""
    text = question["Explanation"]
    assert 1 <= len(re.findall(r"[.!?](?=\s|$)", text)) <= 2
    assert 60 <= len(text) <= 280
    assert not re.search(
        r"\d|\b(pair|option|item) (one|two|three|four)\b|\b(third|fourth|last) pair\b", text, re.IGNORECASE
    )
    for column in ("BestItem", "WorstItem"):
        stems = {word[:4] for sentence in shared(ITEMS[question[column]])[:2] for word in sentence if len(word) > 3}
        assert stems & {word[:4] for word in words(text)}, f"{question['id']} says nothing of its {column}"


def test_the_settings_are_fields_of_a_study() -> None:
    study = tomllib.loads((FOLDER / "study.toml").read_text(encoding="utf-8"), parse_float=Decimal)
    given = study | study["settings"]
    fields = {field.name for field in Study._meta.get_fields()}
    assert given["consent_pays_stopped"] is given["pay_stopped"]
    names = given.keys() - {"settings", "options", "simulation", "consent_pays_stopped"}
    assert names <= fields
    for name in names:
        Study._meta.get_field(name).clean(given[name], None)


def test_the_pay_agrees_with_the_wage_and_with_the_consent() -> None:
    study = tomllib.loads((FOLDER / "study.toml").read_text(encoding="utf-8"), parse_float=Decimal)
    questions = study["settings"]["questions_per_hit"] + 1
    seconds = study["reward"] / study["planned_hourly_wage"] * 3600
    assert 15 <= seconds / questions <= 40
    consent = (FOLDER / "consent.md").read_text(encoding="utf-8")
    assert f"{study['reward']} US dollars" in " ".join(consent.split())
    assert f"about {study['planned_hourly_wage'].to_integral()} dollars an hour" in " ".join(consent.split())


@pytest.mark.parametrize("name", ["instructions.md", "examples.md", "consent.md"])
def test_texts_use_no_sentence_that_will_be_judged(name: str) -> None:
    text = " ".join((FOLDER / name).read_text(encoding="utf-8").split()).casefold()
    assert text
    for row in ITEMS.values():
        assert row["sentence1"].casefold() not in text
        assert row["sentence2"].casefold() not in text


def test_instructions_name_the_keys_and_the_gold() -> None:
    text = (FOLDER / "instructions.md").read_text(encoding="utf-8")
    assert all(f"`{key}`" in text for key in ("1", "4", "Shift", "Enter", "I", "P"))
    assert "Questions with known answers" in text
