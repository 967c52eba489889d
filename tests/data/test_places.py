"""Tests of explanations that name the place of an item: tokens follow the order on the screen, and Accord warns about
fixed places.
"""

import zlib

import pytest

from annotate import tasktypes
from annotate.core.selectors.own_gold import disagreements, latest_stop
from annotate.core.services.answer import give_answer
from annotate.data.upload_contents import read_contents
from annotate.data.upload_source import Source
from annotate.gold.selectors.gold import gold_rows
from annotate.tasktypes import place_warning, with_places, with_texts
from tests.factories import do_hit, gold_in, make_annotator, make_study, raw_answer, take

TUPLE = {"items": ["a", "b", "c", "d"]}
PAIR = {"source": ["a"], "target": ["b"]}


def test_tokens_stand_for_the_places_on_the_screen() -> None:
    task = tasktypes.get("bws")
    text = "Pair {2} is about rain, unlike {1} and {9}."
    assert with_places(task, text, TUPLE, [3, 1, 0, 2]) == "Pair 2 is about rain, unlike 3 and {9}."
    assert with_places(task, text, TUPLE, []) == "Pair 2 is about rain, unlike 1 and {9}."
    assert with_places(tasktypes.get("words"), text, PAIR, []) == text, "the words of a sentence are not shuffled"


def test_tokens_stand_for_the_texts_where_no_places_are_shown() -> None:
    text = "{2} is certain, unlike {1}, {0} and {9}."
    texts = ["It may rain.", "It rains."]
    assert with_texts(text, texts) == "“It rains.” is certain, unlike “It may rain.”, {0} and {9}."
    assert with_texts(text, []) == text


@pytest.mark.parametrize(
    ("explanation", "named"),
    [
        ("Pair 2 is closer.", "Pair 2"),
        ("The first pair is about rain.", "first pair"),
        ("It is the sentence on the left.", "on the left"),
        ("#3 wins.", "#3"),
        ("Das zweite Paar passt besser.", "zweite Paar"),
        ("Die Wörter unten passen nicht.", "unten"),
        ("Pair {7} is closer.", "{7} refers to no item"),
        ("Pair {2} is closer than the last pair.", ""),
        ("Both are about music, which is right. It rained in the first place.", ""),
    ],
)
def test_fixed_places_are_recognised(explanation: str, named: str) -> None:
    warning = place_warning(tasktypes.get("bws"), explanation, TUPLE)
    assert warning.startswith(named) or f"“{named}” seems to refer to an item's position" in warning
    assert bool(warning) == bool(named)
    assert not place_warning(tasktypes.get("words"), explanation, PAIR)


def test_an_upload_with_fixed_places_can_be_imported_with_a_warning() -> None:
    task = tasktypes.get("paraphrase")
    header = "id,sentence,phrase,synonyms,random_words,explanation\n"
    row = "q1,They buy it.,buy,acquire|get|obtain,run|sing|bend,The second word fits.\n"
    limits = {"bytes": 10_000, "rows": 10, "cell": 2_000}
    source = Source(task, zlib.compress((header + row).encode()), "gold.csv", {}, limits, items={})
    contents = read_contents(source)
    assert (len(contents.questions), contents.faults) == (1, [])
    (warning,) = contents.warnings
    assert "question q1: “second word” seems to refer to an item's position" in str(warning)


@pytest.mark.django_db
def test_annotators_see_the_place_on_their_own_screen() -> None:
    study = make_study(items=12, gold=1)
    study.questions.filter(kind="gold").update(explanation="Pair {4} is about rain.")
    (answer,) = gold_in(take(make_annotator(study)))
    (feedback,) = give_answer(
        answer.participation_id, answer.assignment.public_id, answer.position, raw_answer(answer, right=False)
    ).feedback
    assert feedback.explanation == f"Pair {answer.shown.index(3) + 1} is about rain."
    assert gold_rows(study, [answer.question_id])[0].warning == ""
    study.questions.filter(kind="gold").update(explanation="Pair 4 is about rain.")
    assert "“Pair 4” seems to refer to an item's position" in gold_rows(study, [answer.question_id])[0].warning


@pytest.mark.django_db
def test_stopped_annotators_read_the_text_instead_of_the_place() -> None:
    study = make_study(items=12, gold=1, rule_minimum=1)
    study.questions.filter(kind="gold").update(explanation="{4} is about rain.")
    ann = make_annotator(study)
    do_hit(ann, right=False)
    stop = latest_stop(ann)
    assert stop is not None
    (missed,) = disagreements(ann, stop)
    fourth = study.questions.get(kind="gold").payload["items"][3]
    assert missed.explanation == f"“{study.items.get(key=fourth).content['text']}” is about rain."
