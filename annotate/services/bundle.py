"""What an assignment holds: the HIT's questions with gold among them, the practice questions, or a try-out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Exists, OuterRef

from annotate import tasktypes
from annotate.models import Answer, Assignment, Hit, Participation, Question
from annotate.models.compiled import insert_all
from annotate.numerics.draws import draw, generator

from .queue import questions_of
from .writing import database_now

PRACTICE_DAYS = 30


def all_gold_seen(participation: Participation) -> bool:
    """Whether the annotator has answered or been shown every gold question of the study."""
    seen = Answer.objects.filter(participation=participation, question_id=OuterRef("pk"))
    gold = Question.objects.filter(study_id=participation.study_id, kind=Question.Kind.GOLD)
    return not gold.filter(~Exists(seen)).exists()


def with_gold(participation: Participation, hit_id: int) -> list[Question]:
    """The HIT's questions with one gold in each block, at a place that the seeds fix.

    All HITs show the same number of questions: a HIT that has fewer is filled up with further gold while there is
    some, so that nothing gives the gold away.
    """
    study, found = participation.study, questions_of(hit_id, participation)
    if not study.gold_block:
        return found.regular
    blocks = [found.regular[at : at + study.gold_block] for at in range(0, len(found.regular), study.gold_block)]
    for number, question in enumerate(found.gold):
        block = blocks[number % len(blocks)]
        # Named by a question's ref: a primary key would differ when the same study is made again.
        place = draw(study.seed, participation.seed, "gold place", found.regular[0].ref, number)
        block.insert(int(place * (len(block) + 1)), question)
    return [question for block in blocks for question in block]


def practice(participation: Participation) -> Assignment | None:
    """All practice questions in one assignment, once; None where there are none or they are done."""
    if participation.assignments.filter(kind=Assignment.Kind.PRACTICE).exists():
        return None
    questions = list(
        Question.objects.filter(study_id=participation.study_id, kind=Question.Kind.PRACTICE).order_by("ref")
    )
    if not questions:
        return None
    return _unslotted(participation, Assignment.Kind.PRACTICE, None, questions)


def tryout(participation: Participation) -> Assignment | None:
    """The next HIT as annotators will see it, for a researcher; nothing of it ever counts."""
    hits = Hit.objects.filter(study_id=participation.study_id)
    # Try-outs of a former design have no HIT any more, and NOT IN is true of nothing where there is a NULL.
    tried = participation.assignments.filter(kind=Assignment.Kind.TRY, hit__isnull=False)
    hit = hits.exclude(pk__in=tried.values("hit_id")).order_by("number").first()
    if hit is None:
        return None
    questions = with_gold(participation, hit.pk)
    return _unslotted(participation, Assignment.Kind.TRY, hit, questions)


def fill(assignment: Assignment, participation: Participation, questions: Sequence[Question]) -> list[Answer]:
    """Create empty answers in order, each with the screen positions that this annotator sees."""
    task = tasktypes.get(participation.study.task_type)
    seeds = (participation.study.seed, participation.seed, "shown")
    return insert_all(
        [
            Answer(
                assignment=assignment,
                participation=participation,
                question=question,
                position=position,
                shown=task.shuffle(question.payload, generator(*seeds, question.ref)),
            )
            for position, question in enumerate(questions, start=1)
        ]
    )


def _unslotted(participation: Participation, kind: str, hit: Hit | None, questions: Sequence[Question]) -> Assignment:
    assignment = Assignment.objects.create(
        study_id=participation.study_id,
        participation=participation,
        kind=kind,
        hit=hit,
        lease_until=database_now() + timedelta(days=PRACTICE_DAYS),
    )
    fill(assignment, participation, questions)
    return assignment
