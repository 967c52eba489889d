"""The adjudication queue, with its order, its filters, and the neighbours of a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.expressions import OrderBy

from annotate import tasktypes
from annotate.models import Answer, Assignment, Decision, Question, QuestionFigures, Slot, Study
from annotate.tasktypes import RESULTS

from .error_sample import sampled_questions
from .questions import matching_questions


class Show(StrEnum):
    """The questions in the queue."""

    UNDECIDED = "undecided"
    DECIDED = "decided"
    ALL = "all"
    SAMPLE = "sample"  # the undecided questions of the latest sample of final labels


class Order(StrEnum):
    """The order of the queue."""

    LIKELY = "likely"
    AGREEMENT = "agreement"


@dataclass(frozen=True)
class Place:
    """A question's position in the queue, with its number (starting at 1) and its neighbouring questions, if any. The
    number is None if the question is not in the queue.
    """

    number: int | None
    before: int | None
    after: int | None


LEAST_REPAIRS = 0.1


class Queue:
    """The regular questions with stored figures, sorted by decreasing repairs per minute if a results report has
    estimated them, and otherwise by increasing agreement. Equal questions are listed in design order.

    Only questions where annotators disagree need a decision. Decided questions stay in the queue even if their
    annotators agree or only one answer counts. While the study is open, undecided questions with missing judgements
    appear only in the whole queue, because another answer can change the decision. In the order by repairs, the queue
    also contains questions whose annotators agree, if a decision is expected to make at least `LEAST_REPAIRS` repairs.
    A sample is in design order.
    """

    def __init__(self, study: Study, show: str = Show.UNDECIDED, search: str = "", order: str = "") -> None:
        self.study = study
        self.has_repairs = QuestionFigures.objects.filter(study=study, repairs_per_minute__gt=0).exists()
        self.order = Order.LIKELY if self.has_repairs and order != Order.AGREEMENT else Order.AGREEMENT
        self.show = Show(show) if show in set(Show) else Show.UNDECIDED
        self.search = search.strip()
        if self.show == Show.SAMPLE:
            rows = QuestionFigures.objects.filter(study=study, question__ref__in=sampled_questions(study))
        else:
            rows = _figures(study).filter(_condition(self.show, study, self.order))
        if self.search:
            rows = rows.filter(question__in=matching_questions(study, search=self.search))
        self.rows: QuerySet[QuestionFigures] = rows

    @property
    def ordered(self) -> QuerySet[QuestionFigures]:
        return self.rows.order_by(self._key, "question")

    @property
    def _key(self) -> OrderBy:
        if self.show == Show.SAMPLE:
            return F("question").asc()
        if self.order == Order.AGREEMENT:
            return F("agreement").asc(nulls_last=True)
        return F("repairs_per_minute").desc()

    def entries(self, start: int, end: int) -> Sequence[QuestionFigures]:
        """Return the slice `start:end` of the queue, with the questions and decisions, in two queries.

        The first query reads only the index, so that later pages of large studies do not need to read the questions of
        earlier pages.
        """
        questions = list(self.ordered.values_list("question", flat=True)[start:end])
        rows = QuestionFigures.objects.filter(question__in=questions).select_related("question", "question__decision")
        return sorted(rows, key=lambda row: questions.index(row.question_id))

    def first(self) -> int | None:
        """Return the primary key of the first question in the queue."""
        return self.ordered.values_list("question", flat=True).first()

    def place(self, question: Question) -> Place:
        """Return the question's position in the queue. A question that does not match the filters has the neighbours
        that it would have if it matched.
        """
        figures = QuestionFigures.objects.filter(question=question).first()
        if figures is None:
            return Place(None, None, self.first())
        if self.show == Show.SAMPLE:
            earlier, later, equal = Q(pk__in=[]), Q(pk__in=[]), Q()
        elif self.order == Order.LIKELY:
            value = figures.repairs_per_minute
            earlier, later = Q(repairs_per_minute__gt=value), Q(repairs_per_minute__lt=value)
            equal = Q(repairs_per_minute=value)
        elif figures.agreement is None:
            earlier, later, equal = Q(agreement__isnull=False), Q(pk__in=[]), Q(agreement__isnull=True)
        else:
            value = figures.agreement
            earlier, later = Q(agreement__lt=value), Q(agreement__gt=value) | Q(agreement__isnull=True)
            equal = Q(agreement=value)
        before = self.rows.filter(earlier | equal & Q(question__lt=question.pk))
        after = self.rows.filter(later | equal & Q(question__gt=question.pk))
        return Place(
            before.count() + 1 if self.rows.filter(question=question).exists() else None,
            before.order_by(self._key, "question").values_list("question", flat=True).last(),
            after.order_by(self._key, "question").values_list("question", flat=True).first(),
        )


_DISPUTED = Q(agreement__lt=1)


def _figures(study: Study) -> QuerySet[QuestionFigures]:
    """Return the figures for the study's regular questions.

    Other questions and decisions are excluded by subqueries instead of joins, because a join would read every question.
    """
    others = [kind for kind in Question.Kind if kind != Question.Kind.REGULAR]
    other_questions = study.questions.filter(kind__in=others).values("pk")
    return QuestionFigures.objects.filter(study=study).exclude(question__in=other_questions)


def _condition(show: Show, study: Study, order: Order) -> Q:
    likely = Q(expected_repairs__gte=LEAST_REPAIRS, agreement__isnull=False)
    listed = _DISPUTED | likely if order == Order.LIKELY else _DISPUTED
    decided = Q(question__in=Decision.objects.filter(question__study=study).values("question"))
    undecided = listed & ~decided & ~_unfinished(study)
    return {Show.UNDECIDED: undecided, Show.DECIDED: decided, Show.ALL: listed | decided}[show]


def _unfinished(study: Study) -> Q:
    """Match questions that need more judgements and have a slot that is open or in use. A design can give a question
    fewer judgements than the study's number.
    """
    if study.state not in (Study.State.OPEN, Study.State.PAUSED):
        return Q(pk__in=[])
    own = OuterRef("question")
    opened = Exists(Slot.objects.filter(study=study, open=1, hit__hit_questions__question=own))
    in_use = Exists(Answer.objects.filter(question=own, assignment__state=Assignment.State.LEASED))
    return Q(judgements__lt=study.judgements) & (Q(opened) | Q(in_use))


def latest_report(study: Study) -> int | None:
    """Return the number of the results report that has estimated the repairs."""
    return study.reports.filter(kind=RESULTS).order_by("-number").values_list("number", flat=True).first()


def decisions_needed(study: Study) -> int:
    """Return the number of disagreements that reviewers should decide. Scores and majority labels need no decisions."""
    return undecided(study) if reviewers_decide(study) else 0


def reviewers_decide(study: Study) -> bool:
    """Return whether reviewers are expected to decide every disagreement in the study."""
    return tasktypes.get(study.task_type).reviewers_decide(study.options, study.judgements)


def undecided(study: Study) -> int:
    """Return the number of undecided questions on which annotators disagree, in one query."""
    return _figures(study).filter(_condition(Show.UNDECIDED, study, Order.AGREEMENT)).count()


def unfinished(study: Study) -> int:
    """Return the number of disagreements on questions that still need judgements."""
    decided = Decision.objects.filter(question__study=study).values("question")
    return _figures(study).filter(_DISPUTED & _unfinished(study)).exclude(question__in=decided).count()
