"""Questions and their answers for the console, as rows of the question list or as the answers to one question."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from annotate import tasktypes
from annotate.core.selectors.counts import GoldTotals, gold_totals
from annotate.models import Answer, Assignment, Item, Question, Study
from annotate.questions.selectors.data import why_not
from annotate.tasktypes.options import share_for_people

from .agreement import mean_similarity

SHOWN = (Question.Kind.REGULAR, Question.Kind.GOLD, Question.Kind.PRACTICE, Question.Kind.RETIRED)


def shown_kinds(study: Study) -> Sequence[str]:
    """Return the kinds of questions in the list of a study."""
    return (*SHOWN, Question.Kind.PROGRAM) if share_for_people(study.options) < 1 else SHOWN


@dataclass(frozen=True)
class ItemText:
    key: str
    texts: list[str]
    metadata: Mapping[str, str]


@dataclass(frozen=True)
class QuestionRow:
    """A question in the question list. `agreement` is None if the question has fewer than two judgements. `gold`
    contains the numbers of graded and of wrong answers to a gold question.
    """

    question: Question
    items: list[ItemText]
    judgements: int
    agreement: float | None
    gold: GoldTotals


def matching_questions(study: Study, *, kind: str = Question.Kind.REGULAR, search: str = "") -> Sequence[int]:
    """Return the primary keys of the questions whose ref, item keys, item texts or metadata contain `search`. An empty
    `kind` means all kinds.

    The keys are in design order. Without a search, they are read only when the result is sliced.
    """
    questions = (study.questions.filter(kind=kind) if kind else study.questions.all()).order_by("pk")
    term = search.strip()
    if not term:
        return questions.values_list("pk", flat=True)  # type: ignore[return-value]
    task = tasktypes.get(study.task_type)
    keys = _keys_containing(study, term)
    return [
        pk
        for pk, ref, payload in questions.values_list("pk", "ref", "payload").iterator(chunk_size=5_000)
        if term.lower() in ref.lower() or not keys.isdisjoint(task.item_keys(payload))
    ]


def _keys_containing(study: Study, term: str) -> set[str]:
    # SQLite escapes non-ASCII characters in stored JSON, but PostgreSQL does not.
    escaped = json.dumps(term)[1:-1]
    items = study.items.annotate(text=Cast("content", TextField()), facts=Cast("metadata", TextField()))
    matches = items.filter(
        Q(key__icontains=term)
        | Q(text__icontains=term)
        | Q(text__icontains=escaped)
        | Q(facts__icontains=term)
        | Q(facts__icontains=escaped)
    )
    return set(matches.values_list("key", flat=True))


def question_rows(study: Study, ids: Sequence[int]) -> list[QuestionRow]:
    """Return the rows for the questions with these primary keys, in the same order, in four queries."""
    task, graded = tasktypes.get(study.task_type), gold_totals(study)
    questions = study.questions.in_bulk(list(ids))
    ordered = [questions[pk] for pk in ids if pk in questions]
    items = item_texts(study, (key for question in ordered for key in task.item_keys(question.payload)))
    values: dict[int, list[Any]] = {}
    counted = answers_that_count(study).filter(question__in=ids).order_by("pk")
    for pk, value in counted.values_list("question", "value"):
        values.setdefault(pk, []).append(value)
    return [
        QuestionRow(
            question,
            [items[key] for key in task.item_keys(question.payload) if key in items],
            len(values.get(question.pk, [])),
            agreement(study, question, values.get(question.pk, [])),
            graded.get(question.pk, GoldTotals()),
        )
        for question in ordered
    ]


def answers_that_count(study: Study) -> QuerySet[Answer]:
    """Return the answers in completed assignments, including gold answers but excluding repeats and try-outs."""
    return Answer.objects.counting(with_gold=True).filter(participation__study=study)


def agreement(study: Study, question: Question, values: Sequence[Any]) -> float | None:
    """Return the mean similarity over all pairs of answers, as measured by the task type, or None for fewer than two
    answers.
    """
    return mean_similarity(tasktypes.get(study.task_type), question.payload, values, study.options)


def item_texts(study: Study, keys: Iterable[str]) -> dict[str, ItemText]:
    """Return the texts of these items by item key, in one query."""
    task = tasktypes.get(study.task_type)
    rows = Item.objects.filter(study=study, key__in=set(keys)).values_list("key", "content", "metadata")
    return {key: ItemText(key, task.texts(content), metadata) for key, content, metadata in rows}


# ── one question ──────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class GivenAnswer:
    """One annotator's answer. `words` describes the answer with the items in the question's original order. `reason` is
    empty for an answer that counts.
    """

    answer: Answer
    pseudonym: str
    words: str
    reason: str

    @property
    def counts(self) -> bool:
        return not self.reason


def given_answers(study: Study, question: Question) -> list[GivenAnswer]:
    """Return all answers to the question except try-outs and answers from programs, oldest first. Needs one query."""
    answers = (
        question.answers.filter(given_at__isnull=False)
        .exclude(assignment__kind__in=Assignment.NOT_BY_PEOPLE)
        .select_related("participation", "assignment", "assignment__hit")
        .order_by("given_at", "pk")
    )
    return [
        GivenAnswer(
            answer,
            answer.participation.pseudonym,
            in_words(study, question, answer.value),
            reason_not_counted(study, answer, question),
        )
        for answer in answers
    ]


def in_words(study: Study, question: Question, value: Any) -> str:
    """Describe a stored value in words, with the items in the question's original order. Empty for None."""
    if value is None:
        return ""
    return tasktypes.get(study.task_type).in_words(question.payload, [], value, study.options)


def marks(study: Study, question: Question, value: Any) -> list[tasktypes.Mark]:
    """Return the marks on individual items in a stored value, or an empty list if the value is None."""
    if value is None:
        return []
    return list(tasktypes.get(study.task_type).marks(question.payload, value, study.options))


def reason_not_counted(study: Study, answer: Answer, question: Question) -> str:
    """Return the reason why an answer does not count, or an empty string if it counts."""
    hit = answer.assignment.hit
    pilot = hit is not None and hit.number <= study.pilot_hits
    assignment = answer.assignment
    return why_not(
        question.kind,
        assignment.kind,
        assignment.state,
        assignment.reason,
        answer.repeat,
        bool(answer.excluded),
        pilot_excluded=pilot and not study.pilot_counts,
    )
