"""The questions that can get more judgements, and the price of these judgements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from django.db.models import Min

from annotate.core.selectors.sizes import hits_of, questions_of
from annotate.models import HitQuestion, Question, Study

from .adjudication import Order, Queue, Show


class Scope(StrEnum):
    """The questions that get more judgements. `disputed` means the undecided questions on which annotators
    disagree.
    """

    ALL = "all"
    DISPUTED = "disputed"
    CHOSEN = "chosen"


@dataclass(frozen=True)
class Price:
    """The number of questions, the number of additional assignments, and their cost without platform fees."""

    questions: int
    assignments: int
    cost: Decimal


def price_for_all(study: Study, per_question: int = 1) -> Price:
    """Return the price of more judgements for each question."""
    numbers = first_hits(study)
    hits = hits_of(study) if numbers is None else len(numbers)
    return _price(study, questions_of(study, Question.Kind.REGULAR), hits * per_question)


def price_for_questions(study: Study, questions: int, per_question: int = 1) -> Price:
    """Return the price of more judgements for each of `questions` questions, which are grouped into new HITs."""
    return _price(study, questions, -(-questions // study.questions_per_hit) * per_question)


def _price(study: Study, questions: int, assignments: int) -> Price:
    return Price(questions, assignments, study.reward * assignments)


def first_hits(study: Study) -> list[int] | None:
    """Return the numbers of all HITs in which a question appears for the first time. Together, these HITs contain all
    questions. Later HITs repeat some of these questions.

    The result is None if these are all HITs, because the study has only the HITs of its design.
    """
    if study.design and study.design.result["hits"] == hits_of(study):
        return None
    first = HitQuestion.objects.filter(hit__study=study).values("question").annotate(number=Min("hit__number"))
    return sorted(set(first.values_list("number", flat=True)))


def disputed_questions(study: Study) -> list[int]:
    """Return the primary keys of the undecided questions on which annotators disagree, lowest agreement first.

    The stored agreement must be current.
    """
    return list(Queue(study, Show.UNDECIDED, order=Order.AGREEMENT).ordered.values_list("question", flat=True))


def disputed_number(study: Study) -> int:
    """Return the number of undecided questions on which annotators disagree. The stored agreement must be current."""
    return Queue(study, Show.UNDECIDED, order=Order.AGREEMENT).rows.count()


def chosen_questions(study: Study, names: Sequence[str], *, by: str = "public_id") -> list[int]:
    """Return the primary keys of the study's regular questions with these public IDs (or refs if `by="ref"`), in design
    order.
    """
    questions = study.questions.filter(kind=Question.Kind.REGULAR, **{f"{by}__in": list(names)})
    return list(questions.order_by("pk").values_list("pk", flat=True))
