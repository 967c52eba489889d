"""Services that ask annotators a share of their own earlier questions again.

Each claim considers one more of the annotator's earlier HITs, oldest first, as soon as enough HITs and hours have
passed. A draw decides for each of its questions whether it is repeated. A repeated question takes the place
of a new question, so the HIT has the same length as any other, and the new question is asked again in another HIT.
Annotators therefore cannot recognise repeated questions except by remembering them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Exists, OuterRef

from accord_core.numerics.draws import draw
from annotate import tasktypes
from annotate.models import Answer, Assignment, Participation, Question

from .writing import database_now

ATTEMPTS = 10  # claims in which a question can find a place


@dataclass(frozen=True)
class Place:
    """A place in a HIT: the question that the annotator gets, and the question of the HIT that is left out for it."""

    question: Question
    left_out: Question | None = None


def with_repeats(participation: Participation, questions: Sequence[Question]) -> list[Place]:
    """Return the places of a HIT, some with a question that the annotator has answered before. The caller must lock the
    participation, and save its progress.
    """
    places = {question.pk: Place(question) for question in questions}
    for repeated, left_out in _chosen_places(participation, questions, _due(participation)).items():
        places[left_out.pk] = Place(repeated, left_out)
    return list(places.values())


def _due(participation: Participation) -> list[Question]:
    """Return the questions to repeat, oldest first: those from the earlier HIT that this claim considers, and those
    from HITs considered at previous claims that still have no place.
    """
    study = participation.study
    own = participation.assignments.filter(kind=Assignment.Kind.REGULAR, submitted_at__isnull=False)
    later = own.filter(pk__gt=participation.repeated_to).order_by("pk").values_list("pk", "submitted_at")
    next_ones = list(later[: study.repeat_after_hits])
    if len(next_ones) == study.repeat_after_hits:
        pk, submitted_at = next_ones[0]
        if submitted_at and submitted_at <= database_now() - timedelta(hours=study.repeat_after_hours):
            participation.repeated_to = pk
    considered = own.filter(pk__lte=participation.repeated_to).order_by("-pk").values("pk")[:ATTEMPTS]
    repeated = participation.answers.filter(question=OuterRef("question"), replaces__isnull=False)
    answers = Answer.objects.counting().filter(~Exists(repeated), assignment__in=considered)
    seeds = (study.seed, participation.seed, "repeat")
    questions = (answer.question for answer in answers.select_related("question").order_by("assignment", "position"))
    return [question for question in questions if draw(*seeds, question.ref) < study.repeat_share]


def _chosen_places(
    participation: Participation, questions: Sequence[Question], due: Sequence[Question]
) -> Mapping[Question, Question]:
    """Map each repeated question to the question of the HIT that is left out for it, drawn at random.

    A repeated question never adds a second occurrence of an item to a HIT without repeated items, because annotators
    would recognise the question by this item. A question without a suitable place waits for the next HITs. At most half
    of the HIT's questions are left out.
    """
    task, study = tasktypes.get(participation.study.task_type), participation.study
    items = {question.pk: frozenset(task.item_keys(question.payload)) for question in (*questions, *due)}
    shown = {question.pk for question in questions}
    distinct = len(frozenset[str]().union(*(items[pk] for pk in shown))) == sum(len(items[pk]) for pk in shown)
    regular = [question for question in questions if question.kind == Question.Kind.REGULAR]
    free = sorted(regular, key=lambda each: draw(study.seed, participation.seed, "repeat place", each.ref))
    chosen: dict[Question, Question] = {}
    most = -(-len(regular) // 2)
    for repeated in due:
        if len(chosen) == most:
            break
        left_out = next(
            (each for each in free if not distinct or _is_disjoint(items, shown - {each.pk}, repeated.pk)), None
        )
        if left_out is not None:
            free.remove(left_out)
            shown = shown - {left_out.pk} | {repeated.pk}
            chosen[repeated] = left_out
    return chosen


def _is_disjoint(items: Mapping[int, frozenset[str]], shown: set[int], repeated: int) -> bool:
    return all(items[repeated].isdisjoint(items[pk]) for pk in shown)
