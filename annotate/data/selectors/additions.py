"""Extensions of an open study's design: items imported later, adaptive rounds, and updates of unopened questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Sum

from annotate import tasktypes
from annotate.core.selectors.sizes import items_imported
from annotate.models import AdaptiveRound, Answer, Assignment, Decision, HitQuestion, Question, Report, Study, Upload
from annotate.questions.selectors.questions import answers_that_count
from annotate.tasktypes import ROUND

PLAN = "extension"  # the kind of a report that plans an extension


def added_files(study: Study) -> QuerySet[Upload]:
    """Return the item files that were imported after the study was opened and are not in the design, oldest first."""
    files = study.uploads.imported().filter(purpose=Upload.Purpose.ITEMS)
    if study.opened_at is None or study.design is None:
        return files.none()
    in_design = study.design.parameters.get("added_files", [])
    return files.filter(revealed_at__gt=study.opened_at).exclude(public_id__in=in_design).order_by("pk")


def items_to_add(study: Study) -> int:
    """Return the number of items that can be added to the design, in one query."""
    sums = added_files(study).aggregate(rows=Sum("rows"), held_out=Sum("held_out"))
    return (sums["rows"] or 0) - (sums["held_out"] or 0)


def removable_files(study: Study) -> set[int]:
    """Return the primary keys of the imported item files that can be removed from the study."""
    files = study.uploads.imported() if study.is_draft else added_files(study)
    return set(files.values_list("pk", flat=True))


def file_ids(study: Study) -> list[str]:
    return list(added_files(study).values_list("public_id", flat=True))


def stored_plan(study: Study) -> Report | None:
    """Return the latest plan for adding exactly these files to the design, or None if there is none."""
    plan = study.reports.filter(kind=PLAN).order_by("-number").first()
    current = plan is not None and plan.parameters == plan_parameters(study)
    return plan if current else None


def plan_parameters(study: Study) -> dict[str, Any]:
    """Return the part of a study's state that affects plans."""
    design = study.design.number if study.design else 0
    return {"files": file_ids(study), "design": design, "judgements": study.judgements, "options": study.options}


def latest_extension(study: Study) -> dict[str, Any] | None:
    """Return the latest extension of the current design, with the numbers of items, questions, HITs and slots, and the
    first and last HIT.
    """
    extension: dict[str, Any] | None = study.design.result.get("extension") if study.design else None
    return extension


MOST_QUESTIONS = 10_000


@dataclass(frozen=True)
class RoundRow:
    """A round of a study: its questions, its HITs, and the number of judgements that count."""

    number: int
    report: int
    questions: int
    first_hit: int
    last_hit: int
    judgements: int
    created_at: datetime


@dataclass(frozen=True)
class RoundPlan:
    """The next round as a report has chosen it. `cost` is the cost of the `assignments` of the HITs without platform
    fees. Without questions, `reason` states what is missing. `outdated` is true if the study has
    changed, so that this round cannot be added any more.
    """

    report: int
    number: int
    questions: int
    hits: int
    assignments: int
    cost: Decimal
    checks: Sequence[dict[str, Any]]
    reason: str
    outdated: bool
    judgements: int
    created_at: datetime


def rounds_of(study: Study) -> list[RoundRow]:
    """Return the adaptive rounds of the study, in three queries."""
    rounds = list(study.rounds.select_related("report").defer("report__input", "report__result", "report__people"))
    if not rounds:
        return []
    first = min(each.first_hit for each in rounds)
    questions = _by_hit(HitQuestion.objects.filter(hit__study=study, hit__number__gte=first), "hit__number")
    counted = answers_that_count(study).filter(assignment__hit__number__gte=first, question__kind=Question.Kind.REGULAR)
    judgements = _by_hit(counted, "assignment__hit__number")
    return [
        RoundRow(
            each.number,
            each.report.number,
            _within(questions, each),
            each.first_hit,
            each.last_hit,
            _within(judgements, each),
            each.created_at,
        )
        for each in sorted(rounds, key=lambda each: each.number)
    ]


def _by_hit(rows: QuerySet[Any], number: str) -> dict[int, int]:
    return dict(rows.values_list(number).annotate(count=Count("pk")).order_by())


def _within(counts: dict[int, int], adaptive_round: AdaptiveRound) -> int:
    hits = range(adaptive_round.first_hit, adaptive_round.last_hit + 1)
    return sum(count for hit, count in counts.items() if hit in hits)


def next_round(study: Study) -> int:
    """Return the number of the next adaptive round."""
    return (study.rounds.aggregate(last=Max("number"))["last"] or 0) + 1


def round_parameters(study: Study, questions: int) -> dict[str, Any]:
    """Return the parameters of the report that chooses the next round."""
    design = study.design.number if study.design else 0
    return {"questions": questions, "round": next_round(study), "design": design}


def is_outdated(study: Study, report: Report) -> bool:
    """Return whether items or another round were added to the study after the report had chosen a round."""
    current = round_parameters(study, 0)
    return any(report.parameters.get(name) != current[name] for name in ("round", "design"))


def latest_plan(study: Study) -> RoundPlan | None:
    """Return the latest chosen round that was not added to the study, or None."""
    report = study.reports.filter(kind=ROUND).order_by("-number").defer("input", "people").first()
    if report is None or AdaptiveRound.objects.filter(report=report).exists():
        return None
    questions, hits = size_of(report.result), hits_of_round(study, report.result)
    assignments = hits * report.result.get("judgements_each", 1)
    return RoundPlan(
        report.number,
        report.parameters.get("round", 0),
        questions,
        hits,
        assignments,
        study.reward * assignments,
        report.result.get("checks", []),
        report.result.get("reason", ""),
        is_outdated(study, report),
        report.result["judgements"],
        report.created_at,
    )


def size_of(result: Mapping[str, Any]) -> int:
    """Return the number of questions in a chosen round, from the result of its report."""
    return len(result.get("questions") or result.get("again") or ())


def hits_of_round(study: Study, result: Mapping[str, Any]) -> int:
    """Return the number of HITs in a chosen round, from the result of its report."""
    return -(-size_of(result) // study.questions_per_hit)


def suggested_questions(study: Study) -> int:
    """Return the suggested number of questions in the next round, which fills whole HITs."""
    size, rounds = study.questions_per_hit, tasktypes.get(study.task_type).rounds
    per_item = rounds.per_item if rounds else 0
    wanted = round(per_item * items_imported(study, in_design=True))
    return min(MOST_QUESTIONS, max(1, -(-wanted // size)) * size)


def offers_rounds(study: Study) -> bool:
    """Return whether the study can have adaptive rounds. Studies with quotas cannot, because the questions of a round
    get one judgement each.
    """
    return tasktypes.get(study.task_type).rounds is not None and not study.has_quotas


LEARNED = "learned"  # the kind of a report that stores what the task type has learned


@dataclass(frozen=True)
class UnopenedCounts:
    """The numbers of regular questions: unopened, opened, and with a counted answer or a decision."""

    unopened: int
    opened: int
    finished: int


def unopened_questions(study: Study) -> QuerySet[Question]:
    """Return the regular questions that no person has opened or decided on, in design order. A question is opened when
    an annotator claims it. A program could open all questions in a few seconds, so programs do not open questions.
    """
    regular = study.questions.filter(kind=Question.Kind.REGULAR)
    by_people = Answer.objects.exclude(assignment__kind=Assignment.Kind.PROGRAM)
    return regular.filter(~_opened(by_people), ~_decided()).order_by("pk")


def unopened_counts(study: Study) -> UnopenedCounts:
    regular = study.questions.filter(kind=Question.Kind.REGULAR)
    unopened = unopened_questions(study).count()
    finished = regular.filter(Q(_opened(Answer.objects.counting())) | Q(_decided()))
    return UnopenedCounts(unopened, regular.count() - unopened, finished.count())


def updates_unopened(study: Study) -> bool:
    """Return whether the study's unopened questions can be updated."""
    return not study.is_draft and tasktypes.get(study.task_type).updates_unopened(study.options)


def latest_learned(study: Study) -> Report | None:
    """Return the task type's learned data from the last update of the study's questions, or None if they were never
    updated.
    """
    return study.reports.filter(kind=LEARNED).order_by("-number").first()


def _opened(answers: QuerySet[Answer]) -> Exists:
    return Exists(answers.filter(question=OuterRef("pk")))


def _decided() -> Exists:
    return Exists(Decision.objects.filter(question=OuterRef("pk"), keep_both=False))
