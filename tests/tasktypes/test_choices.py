"""The choices that answers consist of, and the test of copied answers on answers of each type."""

from __future__ import annotations

from typing import Any

import pytest

from accord_core.layouts.formats.fields import CHOICE, CHOICES, FLAG, NUMBER, TEXT, Choice, Field
from annotate import tasktypes
from annotate.tasktypes import Choices, ProgramFigures
from annotate.tasktypes.copied_answers import CopiedAnswers
from layouts.grading import choices as layout_choices

PAIR = {"source": ["a", "b"], "target": ["a", "c"]}


def labels(choices: Any) -> list[tuple[str, list[Any], int]]:
    return [(each.kind, list(each.labels), each.options) for each in choices]


def test_best_and_worst_items_are_choices() -> None:
    payload = {"items": ["a", "b", "c"]}
    answers = [{"best": "a", "worst": "c"}, {"best": "b", "worst": "c"}]
    choices = tasktypes.get("bws").choices(payload, answers, {})
    assert labels(choices) == [("best", ["a", "b"], 3), ("worst", ["c", "c"], 3)]
    assert not any(each.named for each in choices)


def test_each_vote_is_a_choice() -> None:
    choices = tasktypes.get("paraphrase").choices({}, [{"votes": [True, False]}, {"votes": [True, True]}], {})
    assert labels(choices) == [("vote", [True, True], 2), ("vote", [False, True], 2)]


def test_links_that_somebody_drew_are_choices() -> None:
    answers = [{"sure": [[0, 0], [1, 1]], "possible": []}, {"sure": [], "possible": [[1, 1]]}]
    options = {"ignore_identical": False}
    choices = tasktypes.get("words").choices(PAIR, answers, options)
    assert labels(choices) == [("link", ["sure", "absent"], 3), ("link", ["sure", "possible"], 3)]
    assert len(tasktypes.get("words").choices(PAIR, answers, {"ignore_identical": True})) == 1


def test_types_of_chunk_links_are_choices_and_scores_where_both_drew_the_link() -> None:
    chunks = {"source": [[0], [1]], "target": [[0], [1]]}
    link = {"source": 0, "target": 0, "type": "EQUI", "flags": [], "score": 5}
    other = {"source": 1, "target": 1, "type": "SIMI", "flags": [], "score": 3}
    answers = [{"chunks": chunks, "links": [link, other], "left": []}, {"chunks": chunks, "links": [link], "left": []}]
    assert labels(tasktypes.get("chunks").choices(PAIR, answers, {})) == [
        ("type", ["EQUI", "EQUI"], 7),
        ("score", [5, 5], 6),
        ("type", ["SIMI", "absent"], 7),
        ("score", [3, None], 6),
    ]


def test_fields_with_choices_are_choices() -> None:
    boxes = (Choice("x"), Choice("y"))
    fields = [
        Field("topic", CHOICE, 1, choices=(*boxes, Choice("z"))),
        Field("both", CHOICES, 2, choices=boxes),
        Field("ok", FLAG, 3),
        Field("why", TEXT, 4),
        Field("size", NUMBER, 5),
    ]
    answers = [{"fields": {"topic": "x", "both": ["y"], "ok": True, "why": "x"}}, {"fields": {"topic": ""}}]
    assert labels(layout_choices(fields, answers)) == [
        ("topic", ["x", None], 3),
        ("both", [False, False], 2),
        ("both", [True, False], 2),
        ("ok", [True, False], 2),
    ]


def test_other_task_types_compare_whole_answers() -> None:
    choices = tasktypes.TaskType.choices(tasktypes.get("bws"), {}, ["x", {"y": 1}, "x"], {})
    assert labels(choices) == [("answer", [0, 1, 0], 3)]


@pytest.mark.parametrize(("also", "kept"), [("absent", 1), ("sure", 2)])
def test_a_link_that_one_person_alone_drew_is_no_choice_of_that_person(also: str, kept: int) -> None:
    copied = CopiedAnswers()
    copied.add(["p", "q"], [Choices("link", ["sure", also, "absent"], 3, absent="absent")])
    assert len(copied._answers) == kept


def test_an_annotator_who_gives_the_programs_wrong_answers_comes_first() -> None:
    task, figures = tasktypes.get("paraphrase"), None
    figures = ProgramFigures(task, {}, ["program"])
    for number in range(90):
        truth = [number % 2 == 0, number % 3 == 0]
        wrong = number % 4 == 0
        program = [vote ^ wrong for vote in truth]
        slip = [truth[0] ^ (number % 10 == 1), truth[1] ^ (number % 15 == 2)]
        people = {"a": truth, "b": slip, "c": truth, "copier": program if number % 8 < 5 else truth}
        votes = {name: {"votes": value} for name, value in people.items()}
        figures.add({}, votes, {"program": {"votes": program}})
    result = figures.result(epsilon=0.1, fewest_questions=30, seed=1)
    ((name, tests),) = [(each["program"], each["annotators"]) for each in result["copying"]]
    assert name == "program"
    assert [each["annotator"] for each in tests if each["unusual"]] == ["copier"]
    assert tests[0]["annotator"] == "copier"
    assert tests[0]["units"] == 180
    assert tests[0]["low"] > 0.3
