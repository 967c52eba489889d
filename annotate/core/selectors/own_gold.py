"""An annotator's own results on gold questions, which the annotators' pages call check questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Coalesce

from accord_core.numerics.printed import percent_reached
from annotate import tasktypes
from annotate.models import Annotator, Answer, Assignment, Event, Item, Participation, Question, Study

from .expected_answers import CHANGED, expected_as_seen


@dataclass(frozen=True)
class GoldStanding:
    """An annotator's gold results since joining or since the latest restoration.

    `share` is the accuracy by the study's measure, from 0 to 1. `progress` and `minimum` count gold answers or
    submitted sets, depending on the unit of the quality rule. `regraded` counts answers whose expected answer changed
    after the annotator was stopped.
    """

    graded: int
    right: int
    skipped: int
    share: float | None
    measure: str
    threshold: float
    minimum: int
    progress: int
    by_sets: bool
    regraded: int = 0

    @property
    def has_rule(self) -> bool:
        return self.threshold > 0

    @property
    def missing(self) -> int:
        """The number of gold answers or sets still needed before the quality rule applies."""
        return max(0, self.minimum - self.progress)

    @property
    def percent(self) -> int | None:
        return None if self.share is None else percent_reached(self.share)

    @property
    def is_counted(self) -> bool:
        """Return whether the share is simply the number of correct answers divided by the number of graded answers.

        Under a measure with partial scores, an answer can be as expected without a score of 100%. The page then shows
        the share first, because the count would contradict the share.
        """
        return self.share is None or abs(self.share - self.right / self.graded) < 1e-9

    @property
    def pass_mark(self) -> float:
        """The pass mark as a percentage, without superfluous decimals."""
        return pass_mark(self.threshold)


def pass_mark(threshold: float | Decimal) -> float:
    """Return the threshold of a quality rule as a percentage, without superfluous decimals."""
    percent = round(float(threshold) * 100, 1)
    return int(percent) if percent == int(percent) else percent


def own_gold_standing(participation: Participation) -> GoldStanding | None:
    """Return the annotator's current standing, or None if the study has no gold questions.

    Only submitted sets without skipped questions are included. Otherwise, the figures would change with each answer or
    skipped question, and reveal which questions are gold questions.
    """
    study = participation.study
    if not study.gold_block or participation.annotator.platform == Annotator.Platform.TRY:
        return None
    return _standing(participation, _in_shown_sets(_graded(participation)), None)


@dataclass(frozen=True)
class ShownCounts:
    """Numbers of graded and correct gold answers that an annotator can see."""

    graded: int
    right: int


def shown_counts(participation: Participation) -> ShownCounts:
    """Return the counts for the same answers as `own_gold_standing`."""
    counts = _in_shown_sets(_graded(participation)).aggregate(
        graded=Count("pk"), right=Count("pk", filter=Q(passed=True))
    )
    return ShownCounts(**counts)


def own_counts(participation: Participation) -> ShownCounts | None:
    """Return the counts, or None if the study has no gold questions or the annotator tries out the study."""
    if not participation.study.gold_block or participation.annotator.platform == Annotator.Platform.TRY:
        return None
    return shown_counts(participation)


def _in_shown_sets(answers: QuerySet[Answer]) -> QuerySet[Answer]:
    return answers.filter(assignment__submitted_at__isnull=False, assignment__skipped=0)


def latest_stop(participation: Participation) -> Event | None:
    """Return the log entry for the annotator's latest stop."""
    return participation.events.filter(verb="stopped").order_by("-at", "-pk").first()


def standing_at_stop(participation: Participation, stop: Event) -> GoldStanding:
    """Return the figures for the answers that led to the stop, using their current grades. Answers that arrived after
    the stop are not included.
    """
    graded = _graded(participation, until=stop.at)
    regraded = graded.filter(question__ref__in=_changed_since(stop)).count()
    return replace(_standing(participation, graded, stop.at), regraded=regraded)


def _changed_since(stop: Event) -> set[str]:
    """Return the refs of gold questions whose expected answer, rather than only the explanation, changed after the
    stop.
    """
    changes = Event.objects.filter(study=stop.study_id, verb=CHANGED, pk__gt=stop.pk).values_list("detail", flat=True)
    return {detail["question"] for detail in changes if detail["gold"][0] != detail["gold"][1]}


@dataclass(frozen=True)
class Disagreement:
    """An answer to a gold question that differs from the expected answer, as described to the annotator.

    `percent` is the score of the answer by the study's measure, or None if the answer has no score.
    """

    assignment_id: int
    position: int
    percent: int | None
    question: Sequence[str]
    given: Sequence[tasktypes.AnswerPart]
    expected: Sequence[tasktypes.AnswerPart]
    explanation: str
    message: str
    disputed: bool
    expects_other: bool  # whether the expected answer has changed since the annotator saw it


def disagreements(participation: Participation, stop: Event) -> list[Disagreement]:
    """Return the gold answers that led to the stop, in chronological order. These are all missed answers and all
    answers with a score below 100% under the study's measure.

    Skipped gold questions are not included, because annotators see no feedback on them.
    """
    study = participation.study
    task = tasktypes.get(study.task_type)
    graded = _graded(participation, until=stop.at).filter(value__isnull=False).select_related("question")
    missed = [
        answer
        for answer in graded.order_by("assignment_id", "position")
        if not answer.passed or _lowers_result(study, task, answer)
    ]
    contents = _contents(study, task, missed)
    return [_disagreement(study, task, answer, contents) for answer in missed]


def _graded(participation: Participation, *, until: datetime | None = None) -> QuerySet[Answer]:
    """Return the gold answers that were graded since the annotator was last restored. A skipped gold question is graded
    when its set is submitted.
    """
    graded = participation.answers.filter(question__kind=Question.Kind.GOLD, tally__isnull=False)
    graded = graded.annotate(graded_at=Coalesce("given_at", "acknowledged_at"))
    if participation.restored_at:
        graded = graded.filter(graded_at__gt=participation.restored_at)
    return graded.filter(graded_at__lte=until) if until else graded


def _standing(participation: Participation, answers: QuerySet[Answer], until: datetime | None) -> GoldStanding:
    study = participation.study
    rows = list(answers.values_list("tally", "passed", "skipped_at"))
    tallies: Counter[str] = Counter()
    for tally, _passed, _skipped in rows:
        tallies.update(tally or {})
    task = tasktypes.get(study.task_type)
    by_sets = study.rule_unit == Study.RuleUnit.HITS
    return GoldStanding(
        graded=len(rows),
        right=sum(bool(passed) for _tally, passed, _skipped in rows),
        skipped=sum(skipped is not None for _tally, _passed, skipped in rows),
        share=task.accuracy(tallies, study.rule_measure),
        measure=task.describe_measure(study.rule_measure),
        threshold=float(study.rule_threshold),
        minimum=study.rule_minimum,
        progress=_submitted(participation, until) if by_sets else len(rows),
        by_sets=by_sets,
    )


def _submitted(participation: Participation, until: datetime | None) -> int:
    submitted = participation.assignments.filter(kind=Assignment.Kind.REGULAR, submitted_at__isnull=False)
    if participation.restored_at:
        submitted = submitted.filter(submitted_at__gt=participation.restored_at)
    return (submitted.filter(submitted_at__lte=until) if until else submitted).count()


def _lowers_result(study: Study, task: tasktypes.TaskType, answer: Answer) -> bool:
    score = task.accuracy(answer.tally or {}, study.rule_measure)
    return score is not None and score < 1 - 1e-9


def _contents(study: Study, task: tasktypes.TaskType, answers: Sequence[Answer]) -> dict[str, Any]:
    keys = {key for answer in answers for key in task.item_keys(answer.question.payload)}
    return dict(Item.objects.filter(study=study, key__in=keys).values_list("key", "content"))


def _disagreement(study: Study, task: tasktypes.TaskType, answer: Answer, contents: Mapping[str, Any]) -> Disagreement:
    question, options = answer.question, study.options
    given, expected = task.differing_parts(question.payload, answer.value, question.gold, contents, options)
    score = task.accuracy(answer.tally or {}, study.rule_measure)
    return Disagreement(
        assignment_id=answer.assignment_id,
        position=answer.position,
        percent=None if score is None else percent_reached(score),
        question=task.question_texts(question.payload, contents),
        given=given,
        expected=expected,
        explanation=tasktypes.with_texts(question.explanation, task.place_texts(question.payload, contents)),
        message=task.grade(question.payload, question.gold, answer.value, options).message,
        disputed=answer.disputed,
        expects_other=expected_as_seen(answer).gold != question.gold,
    )
