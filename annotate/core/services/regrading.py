"""Services that change the expected answers to gold questions, and regrade the answers to these questions.

The answers themselves do not change, and neither does the feedback that annotators have seen. Changing an expected
answer back is a further change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import F, QuerySet

from annotate import tasktypes
from annotate.core.permissions import Action, Actor, require
from annotate.core.selectors.expected_answers import CHANGED
from annotate.core.services import standing
from annotate.core.services.gold_sets import GOLD_SUMS, recount
from annotate.core.services.jobs import request_job
from annotate.core.services.locks import locked_participation
from annotate.core.services.log import record
from annotate.core.services.texts import required_reason
from annotate.core.services.writing import write
from annotate.models import Answer, Participation, Question, Study
from annotate.server.refusals import Refused, invalid
from annotate.tasktypes import Progress

AT_ONCE = 500  # answers per statement
MOST_IN_REQUEST = 50  # annotators to stop or restore; a job stops and restores more annotators


@dataclass(frozen=True)
class Effects:
    """The effects of a new expected answer on grades and on annotators, who are identified by their pseudonyms.

    `graded` is the number of graded answers, and `changed` is the number of grades that change. `stopped` contains the
    annotators whom the quality rule stops. `restorable` contains stopped annotators who reach the pass mark again, and
    `restored` contains those whom the researcher restored. If `job` is not empty, the job with this ID is still
    stopping and restoring these annotators.
    """

    version: int
    graded: int
    changed: int
    now_correct: int
    now_wrong: int
    stopped: list[str] = field(default_factory=list)
    restorable: list[str] = field(default_factory=list)
    restored: list[str] = field(default_factory=list)
    job: str = ""


@dataclass(frozen=True)
class NewAnswer:
    """The new expected answer to a gold question, in stored form, and the new explanation."""

    question: Question
    gold: Any
    explanation: str


@dataclass
class Regraded:
    """Answers with their new grades, and the annotators whose grade sums change. `changed` contains the answers whose
    grades change. Nothing is saved yet.
    """

    answers: list[Answer] = field(default_factory=list)
    changed: list[Answer] = field(default_factory=list)
    now_correct: int = 0
    now_wrong: int = 0
    annotators: list[Participation] = field(default_factory=list)
    stopped: list[Participation] = field(default_factory=list)
    restorable: list[Participation] = field(default_factory=list)

    def effects(self, version: int) -> Effects:
        stopped, restorable = (
            sorted(annotator.pseudonym for annotator in each) for each in (self.stopped, self.restorable)
        )
        graded, changed = len(self.answers), len(self.changed)
        return Effects(version, graded, changed, self.now_correct, self.now_wrong, stopped, restorable)


def preview_expected_answer(question_id: int, raw: Any, *, user: Actor) -> Effects:
    """Return the effects of a new expected answer without changing anything. Raises `Refused` like
    `change_expected_answer`.
    """
    question = Question.objects.select_related("study").get(pk=question_id)
    require(question.study, user, Action.CHANGE_EXPECTED_ANSWERS)
    require_kind(question, Question.Kind.GOLD)
    return preview_answers([NewAnswer(question, _cleaned(question, raw), question.explanation)])


def preview_answers(changes: Sequence[NewAnswer]) -> Effects:
    """Return the effects of new expected answers to questions of one study, without changing anything."""
    answers = _answers_to(changes)
    regraded = _regrade(changes, answers, _annotators(answers).select_related("study", "annotator"))
    return regraded.effects(max((each.question.gold_version for each in changes), default=0) + 1)


def change_expected_answer(
    question_id: int,
    raw: Any,
    *,
    user: Actor,
    reason: str,
    explanation: str | None = None,
    restore: Collection[str] = (),
    seen: int | None = None,
) -> Effects:
    """Change the expected answer to a gold question, and regrade all answers to that question.

    `raw` must have the order of the payload. The explanation does not change if it is None. The quality rule then
    stops annotators whose accuracy has fallen below the pass mark. Stopped annotators who reach the pass mark again are
    restored if `restore` contains their pseudonyms. A job stops and restores more than `MOST_IN_REQUEST` annotators,
    because a request would take minutes.

    Raises `Refused` with the code `no-reason`, `kind` if the question is not a gold question, `invalid` for an
    impossible value, and `changed` if `seen` is not the current version of the expected answer, and `unchanged` if
    nothing changes.
    """
    required_reason(reason)
    with write():
        unlocked = Question.objects.select_related("study").get(pk=question_id)
        require(unlocked.study, user, Action.CHANGE_EXPECTED_ANSWERS)
        annotators = lock_annotators([question_id])
        question = _locked(question_id, seen)
        gold = _cleaned(question, raw)
        explanation = question.explanation if explanation is None else explanation.strip()
        if (gold, explanation) == (question.gold, question.explanation):
            raise Refused("unchanged", "The new expected answer and explanation are the same as before.", status=400)
        regraded = store_answers([NewAnswer(question, gold, explanation)], annotators, requester=user, reason=reason)
        effects = regraded.effects(question.gold_version)
        chosen = [annotator for annotator in regraded.restorable if annotator.pseudonym in restore]
        why = f"{question.ref}: {reason.strip()}"
        if len(regraded.stopped) + len(chosen) > MOST_IN_REQUEST:
            names = [annotator.pseudonym for annotator in chosen]
            effects = replace(effects, restored=names, job=_request_job(question, effects.stopped, names, why, user))
            regraded.stopped = []
    stopped = apply_rule_to([question], annotators, regraded)
    if effects.job:
        return replace(effects, stopped=sorted({*effects.stopped, *stopped}))
    restored = [each.pseudonym for each in chosen if _restore(each, why, user)]
    return replace(effects, stopped=sorted(stopped), restored=restored)


def _request_job(question: Question, stop: list[str], restore: list[str], reason: str, user: Actor) -> str:
    parameters = {"stop": stop, "restore": restore, "reason": reason}
    return request_job(question.study, f"regrade:{question.public_id}", parameters=parameters, user=user).public_id


def stop_and_restore(
    study: Study, stop: Collection[str], restore: Collection[str], *, reason: str, user: Actor, progress: Progress
) -> None:
    """Apply the quality rule to the annotators in `stop`, and restore the stopped annotators in `restore`, who are
    identified by their pseudonyms. Each annotator has a transaction of its own, so a job can start over after an
    interruption.
    """
    require(study, user, Action.CHANGE_EXPECTED_ANSWERS)
    total = len(stop) + len(restore)
    for done, annotator in enumerate(study.participations.filter(pseudonym__in=stop).order_by("pk"), start=1):
        _apply_rule([annotator])
        progress(done / total, f"{done:,} of {len(stop):,} annotators checked")
    for done, annotator in enumerate(study.participations.filter(pseudonym__in=restore).order_by("pk"), start=1):
        _restore(annotator, reason, user)
        progress((len(stop) + done) / total, f"{done:,} of {len(restore):,} annotators restored")


def lock_annotators(question_ids: Sequence[int]) -> list[Participation]:
    """Lock the annotators of these questions until the transaction ends. Services that grade answers also lock the
    annotator before the question.
    """
    return list(_annotators(Answer.objects.filter(question__in=question_ids)).locked().order_by("pk"))


def store_answers(
    changes: Sequence[NewAnswer], annotators: Sequence[Participation], *, requester: Actor, reason: str
) -> Regraded:
    """Store new versions of expected answers in the caller's transaction, which has locked the annotators and the
    questions. After the transaction, the caller calls `apply_rule_to`.
    """
    regraded = _regrade(changes, _answers_to(changes), annotators)
    graded, changed = (
        Counter(answer.question_id for answer in answers) for answers in (regraded.answers, regraded.changed)
    )
    for change in changes:
        _store(change, graded[change.question.pk], changed[change.question.pk], requester, reason)
    _save([change.question for change in changes], regraded)
    return regraded


def apply_rule_to(questions: Sequence[Question], known: Iterable[Participation], regraded: Regraded) -> list[str]:
    """Apply the quality rule after new expected answers to these questions have been stored. Return the pseudonyms of
    stopped annotators.

    `known` contains the annotators who were locked while the expected answers changed.
    """
    if not questions:
        return []
    _wait_for_new_annotators(questions, known)
    return [*_apply_rule(regraded.stopped), *regrade_late_answers(questions[0].study)]


def regrade_late_answers(study: Study) -> list[str]:
    """Regrade answers whose stored grades are based on an earlier version of the expected answer. Return the pseudonyms
    of the annotators that the quality rule stops as a result.

    An annotator can claim and answer a gold question while another transaction changes its expected answer. Such an
    answer is graded with the earlier version, and stored after the other transaction has read the answers.
    """
    graded = Answer.objects.filter(question__study=study, question__kind=Question.Kind.GOLD, tally__isnull=False)
    late = graded.filter(question__gold_version__gt=1, graded_version__lt=F("question__gold_version"))
    stopped = []
    while questions := sorted(set(late.values_list("question", flat=True))):
        for question_id in questions:
            with write():
                late_here = late.filter(question=question_id)
                annotators = list(_annotators(late_here).locked().order_by("pk"))
                question = _locked(question_id)
                regraded = _regrade([NewAnswer(question, question.gold, "")], late_here, annotators)
                _save([question], regraded)
            stopped += _apply_rule(regraded.stopped)
    return stopped


def _wait_for_new_annotators(questions: Sequence[Question], known: Iterable[Participation]) -> None:
    """Wait for the transactions of annotators who claimed a question after the known annotators were locked.

    These transactions can grade an answer with the earlier expected answer, and hold the lock on the annotator.
    """
    asked = Answer.objects.filter(question__in=questions)
    unanswered = asked.filter(given_at=None, skipped_at=None, repeat=False)
    new = set(unanswered.values_list("participation", flat=True)) - {each.pk for each in known}
    if new:
        with write():
            list(Participation.objects.locked().filter(pk__in=new).order_by("pk"))


def _regrade(changes: Sequence[NewAnswer], answers: QuerySet[Answer], annotators: Iterable[Participation]) -> Regraded:
    """Grade these answers against the new expected answers, and update the affected annotators' grade sums in memory.

    The number of queries does not depend on the number of annotators or questions.
    """
    by_question = {change.question.pk: change for change in changes}
    annotators = list(annotators)
    known = {each.pk for each in annotators}
    # An answer can arrive after the annotators were locked. The annotator's sums must not change without a lock, so the
    # answer keeps its grade until `regrade_late_answers` regrades it.
    graded = answers.filter(tally__isnull=False).order_by("pk")
    result = Regraded(answers=[answer for answer in graded if answer.participation_id in known])
    tallies, affected = {}, set()
    for answer in result.answers:
        change = by_question[answer.question_id]
        question, gold = change.question, change.gold
        if gold == question.gold and answer.graded_version == question.gold_version:
            continue  # a new explanation changes no grade
        grade = _grade(question, gold, answer)
        if (grade.tally, grade.passed) != (answer.tally, answer.passed):
            result.changed.append(answer)
            result.now_correct += grade.passed and not answer.passed
            result.now_wrong += bool(answer.passed) and not grade.passed
            tallies[answer.pk] = grade.tally
            affected.add(answer.participation_id)
        answer.tally, answer.passed = grade.tally, grade.passed
    result.annotators = [each for each in annotators if each.pk in affected]
    failed = standing.failing(result.annotators)
    recount(result.annotators, tallies)
    fail = standing.failing(result.annotators)
    result.stopped = [each for each in result.annotators if each.pk in fail and not each.has_ended]
    result.restorable = standing.stopped_by_rule([each for each in result.annotators if each.pk in failed - fail])
    return result


def _grade(question: Question, gold: Any, answer: Answer) -> tasktypes.Grade:
    """Return the grade of a stored answer. A gold question that was skipped too often has no value."""
    study = question.study
    task = tasktypes.get(study.task_type)
    if answer.value is None or answer.always_missed:
        return task.missed(question.payload, gold)
    return task.grade(question.payload, gold, answer.value, study.options)


def _store(change: NewAnswer, graded: int, changed: int, user: Actor, reason: str) -> None:
    """Store a new version of the expected answer. The log entry contains both the earlier and the new version."""
    question, version = change.question, change.question.gold_version + 1
    record(
        question.study,
        CHANGED,
        user=user,
        reason=reason.strip(),
        question=question.ref,
        version=version,
        gold=[question.gold, change.gold],
        explanation=[question.explanation, change.explanation],
        answers=graded,
        changed_grades=changed,
    )
    question.gold, question.explanation, question.gold_version = change.gold, change.explanation, version
    question.save(update_fields=["gold", "explanation", "gold_version"])


def _save(questions: Sequence[Question], regraded: Regraded) -> None:
    versions = {question.pk: question.gold_version for question in questions}
    for answer in regraded.answers:
        answer.graded_version = versions[answer.question_id]
        # If an answer is now correct, feedback that the annotator has not read yet no longer applies to it. As after a
        # correct answer, the time shows that the annotator has not seen any feedback.
        answer.acknowledged_at = answer.acknowledged_at or (answer.given_at if answer.passed else None)
    Answer.objects.bulk_update(
        regraded.answers, ["tally", "passed", "graded_version", "acknowledged_at"], batch_size=AT_ONCE
    )
    Participation.objects.bulk_update(regraded.annotators, GOLD_SUMS, batch_size=AT_ONCE)


def _apply_rule(annotators: Iterable[Participation]) -> list[str]:
    """Apply the quality rule in one transaction per annotator, as after each answer. Return the pseudonyms of stopped
    annotators.
    """
    stopped = []
    for each in annotators:
        with write():
            annotator = locked_participation(each.pk)
            if standing.apply_rule(annotator):
                stopped.append(annotator.pseudonym)
    return stopped


def _restore(annotator: Participation, reason: str, user: Actor) -> bool:
    """Restore an annotator, unless another researcher has already done so."""
    with write():
        if locked_participation(annotator.pk).standing != Participation.Standing.STOPPED:
            return False
        standing.restore(annotator.pk, reason=reason, user=user)
        return True


def _answers_to(changes: Sequence[NewAnswer]) -> QuerySet[Answer]:
    return Answer.objects.filter(question__in=[change.question.pk for change in changes])


def _annotators(answers: QuerySet[Answer]) -> Any:
    """Return the participations that these answers belong to."""
    return Participation.objects.filter(pk__in=answers.values("participation"))


def _locked(question_id: int, seen: int | None = None) -> Question:
    locked = Question.objects.select_for_update(no_key=True, of=("self",)).select_related("study")
    question = locked.get(pk=question_id)
    require_kind(question, Question.Kind.GOLD)
    if seen is not None and seen != question.gold_version:
        raise Refused(
            "changed",
            f"Another researcher has changed the expected answer to question {question.ref}. Check the new expected "
            f"answer first.",
        )
    return question


def _cleaned(question: Question, raw: Any) -> Any:
    """Return the expected answer in stored form."""
    task = tasktypes.get(question.study.task_type)
    try:
        value = task.clean(question.payload, [], raw, question.study.options)
    except tasktypes.InvalidAnswer as error:
        raise invalid(f"value.{error.path}", str(error)) from error
    return task.agreed([value])


def require_kind(question: Question, kind: str) -> None:
    """Raise `Refused` (`kind`) unless the question is of this kind."""
    if question.kind != kind:
        raise Refused(
            "kind",
            f"Question {question.ref} is of kind “{question.kind}”, but this action requires a question of kind "
            f"“{kind}”.",
        )
