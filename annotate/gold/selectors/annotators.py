"""Models of careful and careless annotators on a study's gold questions."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db.models import Count, TextField
from django.db.models.functions import Cast

from accord_core.numerics.draws import generator
from accord_core.numerics.gold_annotators import (
    ASSUMED_ACCURACY,
    GoldAnnotator,
    Outcome,
    Outcomes,
    at_accuracy,
    careful_annotator,
)
from annotate import tasktypes
from annotate.core.selectors.counts import gold_totals
from annotate.models import Answer, Assignment, Participation, Question, Study

CACHED_SECONDS = 24 * 3600
FORMAT = 1  # increase this number when the cached grades change their form
GROWTH = 1.02  # with fewer than about 50 gold answers, every answer changes the state
EXPECTED = "expected answer"
Graded = tuple[dict[str, float], bool]


def estimation_state(study: Study) -> list[Any]:
    """Return a JSON value that changes when the models must be estimated again. This is the case when the quality
    rule's measure, an option, a gold question or the set of stopped annotators changes, or when there are 2% more gold
    answers.
    """
    gold = study.questions.filter(kind=Question.Kind.GOLD).order_by("pk")
    stopped = study.participations.filter(standing=Participation.Standing.STOPPED).order_by("pk")
    totals = gold_totals(study).values()
    return [
        study.rule_measure,
        study.options,
        list(gold.values_list("pk", "gold_version")),
        list(stopped.values_list("pk", flat=True)),
        _steps(sum(each.given for each in totals)),
        _steps(sum(each.missed for each in totals)),
    ]


def _steps(answers: int) -> int:
    return int(math.log(answers, GROWTH)) if answers else -1


@dataclass(frozen=True)
class GoldModels:
    """Models of how annotators answer a study's gold questions. `others` contains additional kinds of careless
    annotators, by name.

    `estimated` is the number of gold answers used to estimate the accuracy of a careful annotator.
    """

    careful: GoldAnnotator
    guesser: GoldAnnotator
    others: Mapping[str, GoldAnnotator]
    estimated: int


def gold_models(study: Study, accuracy: float | None = None) -> GoldModels:
    """Return models of annotators on all gold questions of a study, which must have gold questions. This needs two
    queries.

    The model of the careful annotator is estimated from the answers of annotators who have not been stopped. With few
    answers, the accuracy is close to an assumed accuracy of 90%. If `accuracy` is not None, the careful annotator has
    this accuracy, and the difficulties of the questions are still estimated. Raises `InvalidAnswer` if the task type
    cannot simulate careless answers to a question.
    """
    questions = list(study.questions.filter(kind=Question.Kind.GOLD).order_by("pk"))
    ratios = tasktypes.get(study.task_type).measure_ratios[study.rule_measure]
    best, careless = _known_outcomes(study, questions)
    models = {name: GoldAnnotator(each, ratios) for name, each in careless.items()}
    expected, guesser = GoldAnnotator(best, ratios), models.pop(tasktypes.GUESSER)
    observed = _observed(questions)
    careful = careful_annotator(observed, best=expected, guesser=guesser, assumed=accuracy or ASSUMED_ACCURACY)
    if accuracy is not None:
        careful = at_accuracy(careful, accuracy, best=expected, guesser=guesser)
    estimated = int(sum(each.weight for outcomes in observed for each in outcomes))
    return GoldModels(careful, guesser, models, estimated)


def _known_outcomes(study: Study, questions: Sequence[Question]) -> tuple[list[Outcomes], dict[str, list[Outcomes]]]:
    """Return the grade of the expected answer to each question, and the grades of careless annotators by name.

    Grading hundreds of answers takes time, so the result is cached until a gold question or an option changes.
    """
    versions = [(question.pk, question.gold_version) for question in questions]
    content = json.dumps([FORMAT, versions, study.options], sort_keys=True)
    key = f"gold-grades:{study.pk}:{hashlib.sha256(content.encode()).hexdigest()}"
    grades: dict[str, list[list[Graded]]] | None = cache.get(key)
    if grades is None:
        grades = _grade_all(study, questions)
        cache.set(key, grades, CACHED_SECONDS)
    outcomes: dict[str, list[Outcomes]] = {
        name: [[Outcome(tally, passed) for tally, passed in each] for each in by_question]
        for name, by_question in grades.items()
    }
    return outcomes.pop(EXPECTED), outcomes


def _grade_all(study: Study, questions: Sequence[Question]) -> dict[str, list[list[Graded]]]:
    """Return the grades by kind of answer and question, as plain data."""
    task = tasktypes.get(study.task_type)
    grades: dict[str, list[list[Graded]]] = {}
    for question in questions:
        draws = generator(study.seed, "careless answers", question.ref)
        careless = task.careless_answers(question.payload, study.options, draws)
        for name, values in {EXPECTED: [question.gold], **careless}.items():
            graded = (task.grade(question.payload, question.gold, value, study.options) for value in values)
            grades.setdefault(name, []).append([(grade.tally, grade.passed) for grade in graded])
    return grades


def _observed(questions: Sequence[Question]) -> list[Outcomes]:
    """Return each question's grades from annotators who have not been stopped, weighted by frequency."""
    rows: Any = (
        Answer.objects.filter(question__in=questions, tally__isnull=False)
        .exclude(assignment__kind__in=Assignment.NOT_BY_PEOPLE)
        .exclude(participation__standing=Participation.Standing.STOPPED)
        .annotate(text=Cast("tally", TextField()))  # PostgreSQL cannot group JSON
        .values_list("question", "text", "passed")
        .annotate(Count("pk"))
        .order_by("question", "text", "passed")
    )
    outcomes: dict[int, list[Outcome]] = {question.pk: [] for question in questions}
    for question, tally, passed, number in rows:
        outcomes[question].append(Outcome(json.loads(tally), bool(passed), number))
    return [outcomes[question.pk] for question in questions]
