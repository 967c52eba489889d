"""One annotator's answers for the console and the API, with figures that help researchers to assess each answer. The
number of queries does not depend on the number of answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from statistics import fmean, median
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Coalesce

from annotate import tasktypes
from annotate.models import Annotator, Answer, Assignment, Item, Participation, Question, Study
from annotate.questions.selectors.questions import ItemText, answers_that_count, reason_not_counted

GOLD = (Question.Kind.GOLD, Question.Kind.RETIRED)  # without practice questions
REMOVED = (Assignment.State.VOID, Assignment.State.SURPLUS)


class Show(StrEnum):
    """The filters for the list, in page order."""

    ALL = ""
    GOLD = "gold"
    MISSED = "missed"
    SKIPPED = "skipped"
    EXCLUDED = "excluded"
    REPEATED = "repeated"
    VOID = "void"


_CONDITIONS = {
    Show.ALL: Q(),
    Show.GOLD: Q(question__kind__in=GOLD),
    Show.MISSED: Q(question__kind__in=GOLD, passed=False),
    Show.SKIPPED: Q(skipped_at__isnull=False),
    Show.EXCLUDED: ~Q(excluded=""),
    Show.REPEATED: Q(repeat=True),
    Show.VOID: Q(question__kind=Question.Kind.REGULAR, assignment__state__in=REMOVED),
}


@dataclass(frozen=True)
class ShownAnswer:
    """One answer by an annotator. `words` and `expected` describe the answer and the expected answer in words, with the
    items in the order shown to the annotator.

    `agreement` is the mean similarity to the `others` answers that count, and `usual_seconds` is the median time of the
    question. Both are None for gold questions, and if no other annotator has answered the question. `reason` says why
    the answer does not count, and is empty for an answer that counts. `picture` is what the task type's module draws,
    and is None for an answer without a value.
    """

    answer: Answer
    items: list[ItemText]
    words: str
    expected: str
    reason: str
    agreement: float | None
    others: int
    usual_seconds: float | None
    picture: dict[str, Any] | None
    remarks: list[str]

    @property
    def counts(self) -> bool:
        return not self.reason

    @property
    def at(self) -> datetime | None:
        """The time when the question was answered or skipped. For an unanswered gold question, this is when the HIT
        ended.
        """
        return self.answer.given_at or self.answer.skipped_at or self.answer.acknowledged_at

    @property
    def graded(self) -> bool:
        return self.answer.passed is not None


def answers_of(participation: Participation, show: str = Show.ALL) -> QuerySet[Answer]:
    """Return the annotator's answers, skipped questions and unanswered gold questions, newest first."""
    chosen = Show(show) if show in set(Show) else Show.ALL
    given = Q(given_at__isnull=False) | Q(skipped_at__isnull=False) | Q(tally__isnull=False)
    return (
        participation.answers.filter(given, _CONDITIONS[chosen])
        .annotate(at=Coalesce("given_at", "skipped_at", "acknowledged_at"))
        .order_by("-at", "-pk")
    )


def answer_counts(participation: Participation) -> dict[str, int]:
    """Return the number of answers that match each filter, in one query."""
    counts = {f"number_{show.name}": Count("pk", filter=condition) for show, condition in _CONDITIONS.items()}
    row = answers_of(participation).order_by().aggregate(**counts)
    return {show.value: row[f"number_{show.name}"] for show in Show}


def answer_rows(study: Study, participation: Participation, answers: Sequence[Answer]) -> list[ShownAnswer]:
    """Return one row for each of these answers, in four queries."""
    task = tasktypes.get(study.task_type)
    loaded = participation.answers.select_related("question", "assignment__hit").in_bulk([each.pk for each in answers])
    ordered = [loaded[each.pk] for each in answers]
    keys = {key for answer in ordered for key in task.item_keys(answer.question.payload)}
    rows = Item.objects.filter(study=study, key__in=keys).values_list("key", "content", "metadata")
    items = {key: (content, ItemText(key, task.texts(content), metadata)) for key, content, metadata in rows}
    contents = {key: content for key, (content, _) in items.items()}
    # A gold question can have answers from all annotators, so its answers have a grade instead of an agreement figure.
    regular = {answer.question_id for answer in ordered if answer.question.kind == Question.Kind.REGULAR}
    others = _answers_of_others(study, participation, regular)
    remarks = _remarks(participation, ordered)
    return [
        ShownAnswer(
            answer=answer,
            items=[items[key][1] for key in task.keys_on_screen(answer.question.payload, answer.shown) if key in items],
            words=_on_screen(study, answer, answer.value),
            expected=_on_screen(study, answer, answer.question.gold),
            reason=_reason(study, answer),
            agreement=_agreement(study, answer, [value for value, _ in others.get(answer.question_id, [])]),
            others=len(others.get(answer.question_id, [])),
            usual_seconds=_median([seconds for _, seconds in others.get(answer.question_id, [])]),
            picture=_picture(study, answer, contents),
            remarks=remarks.get(answer.pk, []),
        )
        for answer in ordered
    ]


def _answers_of_others(
    study: Study, participation: Participation, questions: set[int]
) -> dict[int, list[tuple[Any, float | None]]]:
    """Return the values and times of other annotators' counted answers, grouped by question."""
    others: dict[int, list[tuple[Any, float | None]]] = {}
    answers = answers_that_count(study).filter(question__in=questions).exclude(participation=participation)
    answers = answers.exclude(participation__annotator__platform=Annotator.Platform.TRY)
    for question, value, seconds in answers.order_by("pk").values_list("question", "value", "seconds"):
        others.setdefault(question, []).append((value, seconds))
    return others


def _agreement(study: Study, answer: Answer, values: Sequence[Any]) -> float | None:
    if answer.value is None or not values:
        return None
    task = tasktypes.get(study.task_type)
    return fmean(task.alike(answer.question.payload, answer.value, value, study.options) for value in values)


def _median(seconds: Sequence[float | None]) -> float | None:
    known = [each for each in seconds if each is not None]
    return median(known) if known else None


def _picture(study: Study, answer: Answer, contents: Mapping[str, Any]) -> dict[str, Any] | None:
    if answer.value is None:
        return None
    task, payload = tasktypes.get(study.task_type), answer.question.payload
    return {
        "content": task.present(payload, answer.shown, contents, study.options),
        "value": task.reveal(payload, answer.shown, answer.value),
    }


def _on_screen(study: Study, answer: Answer, value: Any) -> str:
    """Describe a value in words, with the items in the order shown to the annotator. Empty for None."""
    if value is None:
        return ""
    return tasktypes.get(study.task_type).in_words(answer.question.payload, answer.shown, value, study.options)


def _reason(study: Study, answer: Answer) -> str:
    return "skipped" if answer.skipped_at else reason_not_counted(study, answer, answer.question)


def _remarks(participation: Participation, answers: Sequence[Answer]) -> dict[int | None, list[str]]:
    """Return the annotator's comments and reported problems, grouped by answer, in one query."""
    remarks: dict[int | None, list[str]] = {}
    own = participation.remarks.filter(answer__in=[answer.pk for answer in answers])
    for pk, text in own.order_by("pk").values_list("answer", "text"):
        remarks.setdefault(pk, []).append(text)
    return remarks
