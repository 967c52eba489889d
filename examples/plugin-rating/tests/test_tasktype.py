"""Tests of the task type: its options, files, answers and grades, and studies from their files to the results."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from accord_rating.options import read_scales
from accord_rating.tasktype import Rating
from django.core.management import call_command

from annotate import tasktypes
from annotate.tasktypes import InvalidAnswer, InvalidOptions, ItemDraft
from annotate.toolkit import testing

HERE = Path(__file__).parent
ITEMS, GOLD, ORDERED_GOLD = ((HERE / name).read_bytes() for name in ("items.csv", "gold.csv", "gold-order.csv"))
LIMITS = {"rows": 100, "bytes": 10_000, "cell": 2_000}
TWO = "Fluency: 1 = bad, 5 = good; Content: 0 = missing, 50 = partly, 100 = complete"
QUALITY = {"1": 0.9, "2": 0.5, "3": 0.1}  # by the last character of the item's key
TRUTH = {f"{group}{number}": quality for group in "abc" for number, quality in QUALITY.items()}
PAYLOAD = {"items": ["a1", "a2", "a3"], "context": ""}
TASK = Rating()


def options(**own: Any) -> dict[str, Any]:
    return TASK.clean_options(own)


RATING, RANKING, NO_TIES = options(), options(mode="ranking"), options(mode="ranking", ties=False)


# ── options and files ───────────────────────────────────────────────────────────────────────────────────────────────
def test_scales_have_names_and_anchors() -> None:
    fluency, content = read_scales(TWO)
    assert (fluency.name, fluency.low, fluency.high) == ("Fluency", 1, 5)
    assert content.anchors == ((0, "missing"), (50, "partly"), (100, "complete"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Enter a scale"),
        ("0 = bad, 1 = good", "has no name"),
        ("Quality: bad, good", "“bad” is no anchor"),
        ("Quality: 0 = bad", "at least two anchors"),
        ("Quality: 5 = good, 1 = bad", "increasing numbers"),
        ("Quality: 0 = bad, 5000 = good", "more than 1,001 values"),
        ("Quality: 0 = bad, 1 = good; quality: 0 = bad, 1 = good", "its own name"),
        (";".join(f"S{n}: 0 = a, 1 = b" for n in range(6)), "at most 5 scales"),
    ],
)
def test_errors_in_scales_are_described(text: str, message: str) -> None:
    with pytest.raises(InvalidOptions, match=message):
        options(scales=text)


def test_an_order_needs_two_items() -> None:
    with pytest.raises(InvalidOptions, match="at least two items"):
        options(mode="ranking", size=1)


def test_errors_in_a_file_have_a_line_and_a_column() -> None:
    rows = "id,set,context,text,gold_only\na,x,One.,A\na,x,Two.,,yes\nb,,Three.,B,\n"
    read = TASK.read_items(rows.replace(",A\n", ",A,\n").encode(), "items.csv", RATING, LIMITS)
    assert [str(fault) for fault in read.faults] == [
        "line 3, column id: the ID a is already in line 2; give each item its own ID",
        "line 3, column text: the cell is empty",
        "line 3, column context: the set x has another context in an earlier row",
        "line 3, column gold_only: all items of the set x need the same value",
        "line 4, column set: an item with a context needs a set",
    ]
    many = "id,set,text\n" + "".join(f"i{n},x,T\n" for n in range(10))
    assert "more than 9 items" in str(TASK.read_items(many.encode(), "items.csv", RATING, LIMITS).faults)


def test_gold_questions_have_one_row_per_item() -> None:
    read = TASK.read_gold(GOLD, "gold.csv", RATING, {})
    assert not read.faults
    assert [question.gold for question in read.questions] == [{"ratings": [[95], [5]]}, {"ratings": [[95]]}]
    assert read.questions[0].explanation.startswith("The first text")
    ordered = TASK.read_gold(ORDERED_GOLD, "gold.csv", RANKING, {})
    assert [question.gold for question in ordered.questions] == [{"ranks": [1, 2]}]
    wrong = TASK.read_gold(b"id,text,Quality\ng,A,101\n,B,\n", "gold.csv", RATING, {})
    assert [str(fault) for fault in wrong.faults] == [
        "line 3, column id: the cell is empty; give the question an ID",
        "line 2, column Quality: 101 is no number from 0 to 100",
        "line 3: the question  has no expected rating",
    ]


def test_each_item_is_in_one_question_per_round() -> None:
    items = [ItemDraft(f"i{n}", {"text": "T"}) for n in range(11)]
    questions = TASK.build_questions(items, options(rounds=3), 1, lambda *_: None).questions
    sizes = [len(question.payload["items"]) for question in questions]
    assert sorted(sizes) == [3] * 3 + [4] * 6
    assert sorted(key for question in questions for key in question.payload["items"]) == sorted(
        item.key for item in items for _ in range(3)
    )
    again = TASK.build_questions(items, options(rounds=3), 1, lambda *_: None).questions
    assert again == questions


# ── answers ─────────────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("settings", [RATING, RANKING, NO_TIES, options(scales=TWO)])
def test_answers_are_stored_in_the_order_of_the_payload(settings: dict[str, Any]) -> None:
    generator = np.random.default_rng(1)
    for _ in range(20):
        shown = TASK.shuffle(PAYLOAD, generator)
        raw = TASK.simulate(PAYLOAD, shown, TRUTH, settings, False, generator)
        value = TASK.clean(PAYLOAD, shown, raw, settings)
        assert TASK.reveal(PAYLOAD, shown, value) == raw
        (name,) = value
        assert [value[name][place] for place in shown] == raw[name]
        assert TASK.alike(PAYLOAD, value, value, settings) == 1
        assert TASK.grade(PAYLOAD, value, value, settings).passed


@pytest.mark.parametrize(
    ("settings", "raw"),
    [
        (RATING, None),
        (RATING, {"ratings": [[50], [50]]}),
        (RATING, {"ratings": [[50], [50], [None]]}),
        (RATING, {"ratings": [[50], [50], [101]]}),
        (RATING, {"ratings": [[50], [50], [True]]}),
        (RATING, {"ratings": [[50], [50], [50, 50]]}),
        (RATING, {"ranks": [1, 2, 3]}),
        (RANKING, {"ranks": [1, 2, None]}),
        (RANKING, {"ranks": [1, 3, 3]}),
        (RANKING, {"ranks": [0, 1, 2]}),
        (RANKING, {"ranks": [1, 2, 2.0]}),
        (NO_TIES, {"ranks": [1, 2, 2]}),
    ],
)
def test_incomplete_answers_are_refused(settings: dict[str, Any], raw: Any) -> None:
    with pytest.raises(InvalidAnswer):
        TASK.clean(PAYLOAD, [], raw, settings)


def test_ratings_pass_within_the_tolerance() -> None:
    gold = {"ratings": [[60], [None]]}
    for rating, passed in ((45, True), (75, True), (44, False), (76, False)):
        assert TASK.grade({}, gold, {"ratings": [[rating], [0]]}, RATING).passed is passed
    assert TASK.grade({}, gold, {"ratings": [[0], [0]]}, RATING).tally == {
        "right": 0,
        "wrong": 1,
        "near": 0,
        "parts": 1,
    }
    assert TASK.missed({}, gold).tally == TASK.grade({}, gold, {"ratings": [[0], [0]]}, RATING).tally


def test_orders_pass_if_every_expected_pair_is_in_order() -> None:
    gold = {"ranks": [1, 2, 2, None]}
    assert TASK.grade({}, gold, {"ranks": [1, 3, 2, 4]}, RANKING).passed
    half = TASK.grade({}, gold, {"ranks": [2, 1, 3, 4]}, RANKING)
    assert (half.passed, half.tally["near"], half.tally["parts"]) == (False, 1, 2)
    assert not TASK.grade({}, gold, {"ranks": [1, 1, 2, 3]}, RANKING).passed
    assert TASK.missed({}, gold).tally["parts"] == 2


def test_similarity_is_the_share_of_the_scale_or_of_the_pairs() -> None:
    assert TASK.alike({}, {"ratings": [[10], [0]]}, {"ratings": [[30], [0]]}, RATING) == pytest.approx(0.9)
    assert TASK.alike({}, {"ranks": [1, 2, 3]}, {"ranks": [3, 2, 1]}, RANKING) == 0
    assert TASK.alike({}, {"ranks": [1, 2, 3]}, {"ranks": [1, 1, 2]}, RANKING) == pytest.approx(1 - 0.5 / 3)


# ── studies ─────────────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.django_db
def test_a_study_of_ratings_from_its_files_to_its_results() -> None:
    study = testing.opened_study("rating", ITEMS, GOLD, judgements=4, questions_per_hit=2, gold_block=2)
    assert testing.answer_all(study, TRUTH, annotators=4) == 8
    report = testing.results_of(study)
    (scale,) = report.result["scales"]
    assert 0.5 < scale["agreement"]["low"] < report.result["headline"]["ends"][0]["value"] < scale["agreement"]["high"]
    for row in scale["items"]:
        assert row["low"] <= row["mean"] <= row["high"]
        assert row["mean"] == pytest.approx(100 * QUALITY[row["item"][1]], abs=25)
    assert all(person["gold_given"] == 2 for person in report.result["people"])
    page = testing.console_page(study, f"results/{report.number}/")
    assert "Krippendorff’s α, interval" in page
    assert "The ferry is often late." in page
    rows = list(csv.DictReader(testing.download(study, "scores.csv").decode().splitlines()))
    assert [row["item"] for row in rows] == [row["item"] for row in scale["items"]]
    assert float(rows[0]["mean"]) == pytest.approx(scale["items"][0]["mean"], rel=1e-5)
    raw = list(csv.DictReader(testing.download(study, "judgements.csv").decode().splitlines()))
    own = [float(row["value"]) for row in raw if row["item"] == rows[0]["item"]]
    assert np.mean(own) == pytest.approx(float(rows[0]["mean"]), rel=1e-5)


@pytest.mark.django_db
def test_a_study_of_orders_from_its_files_to_its_results() -> None:
    chosen = {"mode": "ranking", "ask": "Which summary is best?"}
    study = testing.opened_study("rating", ITEMS, ORDERED_GOLD, options=chosen, judgements=3, gold_block=5)
    testing.answer_all(study, TRUTH)
    report = testing.results_of(study)
    (scale,) = report.result["scales"]
    assert report.result["headline"]["name"] == "Kendall’s W"
    assert report.result["headline"]["ends"][0]["value"] > 0.8
    assert report.result["chance"] == pytest.approx(1 / 3)
    assert {row["item"][1] for row in scale["items"][:3]} == {"1"}
    assert all(row["mean"] == pytest.approx((3 - row["mean_rank"]) / 2, abs=1e-5) for row in scale["items"])
    assert "Mean rank" in testing.console_page(study, f"results/{report.number}/")
    assert testing.download(study, "scores.csv").decode().splitlines()[0].split(",")[-4:] == [
        "mean_rank",
        "borda",
        "low",
        "high",
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "own"), [("de", "Noch keine Position"), ("es", "Aún sin posición"), ("ar", "لا موضع بعد")]
)
def test_annotators_read_the_study_in_its_language(language: str, own: str) -> None:
    study = testing.opened_study("rating", ITEMS, language=language)
    assert len(read_scales(study.options["scales"])[0].anchors) == 3
    assert own in testing.work_page(testing.claimed(testing.new_annotator(study)))


@pytest.mark.django_db
def test_the_help_contains_the_guide(client: Any) -> None:
    assert "Rating and ranking" in client.get("/help/rating/").content.decode()


def test_each_text_for_annotators_is_translated() -> None:
    call_command("translations", check=True, package=Path(tasktypes.get("rating").package_folder()), verbosity=0)
