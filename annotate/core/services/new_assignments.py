"""Services that fill new assignments with questions: a HIT with gold questions, practice questions, or a try-out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Exists, OuterRef

from accord_core.numerics.draws import generator
from accord_core.numerics.gold_places import insert_gold
from annotate import tasktypes
from annotate.models import Answer, Assignment, GoldSet, GoldSetQuestion, Hit, HitQuestion, Participation, Question
from annotate.models.compiled import insert_all

from .qualification import next_practice_questions
from .queue import questions_of
from .repeats import Place
from .writing import database_now

PRACTICE_DAYS = 30


def all_gold_known(participation: Participation) -> bool:
    """Return whether the annotator has seen at least one question of each gold set in the study."""
    shown = Answer.objects.filter(participation=participation, question_id=OuterRef("question"))
    known = GoldSetQuestion.objects.filter(Exists(shown), gold_set=OuterRef("pk"))
    sets = GoldSet.objects.filter(study=participation.study_id, questions__kind=Question.Kind.GOLD)
    return sets.exists() and not sets.filter(~Exists(known)).exists()


def with_gold(participation: Participation, hit_id: int, gold_set_id: int | None) -> list[Question]:
    """Insert the gold questions of the HIT's gold set at positions drawn from the study's seed, and return the
    questions. All annotators get the same gold questions at the same positions, except those they have already seen.
    """
    study, questions = participation.study, questions_of(hit_id, gold_set_id, participation)
    if not study.gold_block:
        return questions.regular
    gold = [(question.place, question) for question in questions.gold]
    first = questions.regular[0].ref
    return insert_gold(questions.regular, gold, block=study.gold_block, seed=study.seed, first=first)


def practice_assignment(participation: Participation) -> Assignment | None:
    """Return an assignment with the practice questions for the annotator's next attempt. Return None if no questions or
    attempts are left.
    """
    questions = next_practice_questions(participation)
    if not questions:
        return None
    return _unslotted(participation, Assignment.Kind.PRACTICE, None, questions)


def tryout_assignment(participation: Participation) -> Assignment | None:
    """Return the next HIT as annotators will see it, so that a researcher can try it. Its answers never count."""
    return _next_hit(participation, Assignment.Kind.TRY)


def practice_to_try(participation: Participation) -> Assignment | None:
    """Return the practice questions for a researcher who tries the study. They are part of the try-out, so that no
    practice answer comes from a researcher.
    """
    questions = next_practice_questions(participation)
    return _unslotted(participation, Assignment.Kind.TRY, None, questions) if questions else None


def program_assignment(participation: Participation) -> Assignment | None:
    """Return the next HIT for a program that joined through the API. The HIT remains available to people, because the
    assignment holds no slot. After all HITs, the program gets the questions that people do not answer.
    """
    return _next_hit(participation, Assignment.Kind.PROGRAM) or _only_for_programs(participation)


def fill(assignment: Assignment, participation: Participation, places: Sequence[Place]) -> list[Answer]:
    """Create empty answers in question order. Each answer stores the annotator's order of the items, which is drawn
    anew for a repeated question.
    """
    task = tasktypes.get(participation.study.task_type)
    kinds = (Question.Kind.REGULAR, Question.Kind.PROGRAM)
    regular = [place.question.payload for place in places if place.question.kind in kinds]
    seeds = (participation.study.seed, participation.seed)
    return insert_all(
        [
            Answer(
                assignment=assignment,
                participation=participation,
                question=place.question,
                position=position,
                shown=task.arrange(
                    place.question.payload,
                    regular,
                    generator(*seeds, "shown again" if place.left_out else "shown", place.question.ref),
                ),
                repeat=place.left_out is not None,
                replaces=place.left_out,
            )
            for position, place in enumerate(places, start=1)
        ]
    )


def _next_hit(participation: Participation, kind: str) -> Assignment | None:
    """Return an assignment, without a slot, for the first HIT with only new questions for the annotator. If there is no
    such HIT, return None.
    """
    seen = Answer.objects.filter(participation=participation).values("question")
    seen_in_hit = HitQuestion.objects.filter(hit=OuterRef("pk"), question__in=seen)
    hits = Hit.objects.filter(~Exists(seen_in_hit), study_id=participation.study_id)
    hit = hits.order_by("number").first()
    if hit is None:
        return None
    return _unslotted(participation, kind, hit, with_gold(participation, hit.pk, hit.gold_set_id))


def _only_for_programs(participation: Participation) -> Assignment | None:
    """Return an assignment with the next questions that only programs answer, as many as a HIT has, or None."""
    seen = Answer.objects.filter(participation=participation, question=OuterRef("pk"))
    questions = participation.study.questions.filter(~Exists(seen), kind=Question.Kind.PROGRAM).order_by("pk")
    next_questions = list(questions[: participation.study.questions_per_hit])
    return _unslotted(participation, Assignment.Kind.PROGRAM, None, next_questions) if next_questions else None


def _unslotted(participation: Participation, kind: str, hit: Hit | None, questions: Sequence[Question]) -> Assignment:
    assignment = Assignment.objects.create(
        study_id=participation.study_id,
        participation=participation,
        kind=kind,
        hit=hit,
        lease_until=database_now() + timedelta(days=PRACTICE_DAYS),
    )
    fill(assignment, participation, [Place(question) for question in questions])
    return assignment
