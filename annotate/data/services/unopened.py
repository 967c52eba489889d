"""The service that updates the unopened questions of an open study, such as their suggested answers.

A question that an annotator has claimed never changes. The service locks the slots of the questions, and claims skip
locked slots. If a claim comes first, the service waits and then leaves the question unchanged. Only a try-out that
starts at the same moment can still show the earlier payload. Its answers never count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotate import tasktypes
from annotate.core.permissions import Action, Actor, refuse_state, require
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.data.selectors.additions import LEARNED, latest_learned, unopened_questions, updates_unopened
from annotate.models import Question, Slot, Study
from annotate.questions.selectors.data import study_data
from annotate.results.services import save_report
from annotate.server.refusals import Refused
from annotate.tasktypes import Progress, QuestionDraft, Update

AT_ONCE = 1_000  # questions per statement
SIDE = (Question.Kind.GOLD, Question.Kind.CANDIDATE)
CONFLICT = "The gold questions or the unopened questions have changed in the meantime. Try again."

Payloads = dict[str, Any]


def update_unopened(study_id: int, *, user: Actor, progress: Progress) -> int:
    """Update the gold questions and all questions that no annotator has opened. Return the number of updated questions,
    without gold questions.

    Raises `Refused` with the code `state` for a draft or an archived study, `no-unopened` if the task type cannot
    update questions or all questions have been opened, `cannot-build` with the reason, or `conflict`.
    """
    study = _permitted(Study.objects.get(pk=study_id), user)
    refuse_without_unopened(study)
    data = study_data(study, streamed=True)
    before = payloads_of_gold(study)
    unopened = [QuestionDraft(ref, payload) for ref, payload in unopened_questions(study).values_list("ref", "payload")]
    task = tasktypes.get(study.task_type)
    try:
        update = task.update_unopened(unopened, data, study.options, study.seed, progress)
    except tasktypes.CannotBuild as error:
        raise Refused("cannot-build", str(error), status=400) from error
    with write():
        # All code locks slots before the study.
        refs = [draft.ref for draft in unopened]
        for start in range(0, len(refs), AT_ONCE):
            slots = Slot.objects.filter(hit__questions__ref__in=refs[start : start + AT_ONCE], study=study)
            list(Slot.objects.select_for_update(no_key=True).filter(pk__in=slots.values("pk")).order_by("pk"))
        locked = Study.objects.select_for_update(no_key=True).get(pk=study_id)
        study = _permitted(locked, user)
        updated = _store_regular(study, {draft.ref: draft.payload for draft in unopened}, update.payloads)
        gold = store_update(study, before, update, user)
        record(
            study,
            "updated unopened questions",
            user=user,
            questions=updated,
            opened_meanwhile=len(unopened) - updated,
            gold=gold,
        )
    return updated


def refuse_without_unopened(study: Study) -> None:
    """Raise `Refused` (`no-unopened`) unless the study has questions that can be updated."""
    if not updates_unopened(study):
        raise Refused("no-unopened", "The study's current settings do not allow its questions to be updated.")
    if not unopened_questions(study).exists():
        raise Refused("no-unopened", "All questions in this study have been opened, so they cannot be changed.")


def payloads_of_gold(study: Study) -> Payloads:
    """Return the payloads of the study's gold questions and gold candidates, by ref."""
    return dict(study.questions.filter(kind__in=SIDE).values_list("ref", "payload"))


def store_update(study: Study, before: Payloads, update: Update, requester: Actor) -> int:
    """Store the new payloads of gold questions and gold candidates, and the task type's learned data. Return the number
    of gold questions and gold candidates.

    The caller has locked the study. Raises `Refused` (`conflict`) if the gold questions differ from `before`, on which
    the update is based.
    """
    questions = list(study.questions.select_for_update(no_key=True).filter(kind__in=SIDE).order_by("pk"))
    if any(before.get(question.ref) != question.payload for question in questions):
        raise Refused("conflict", CONFLICT)
    changed = [question for question in questions if question.ref in update.payloads]
    _save(changed, update.payloads)
    if update.learned is not None:
        save_report(
            study, kind=LEARNED, parameters={}, seed=study.seed, columns=None, result=update.learned, user=requester
        )
    return len(changed)


def prepared_gold(study: Study, drafts: Sequence[QuestionDraft]) -> tuple[list[QuestionDraft], int]:
    """Apply the study's updates to additional gold questions, and return the questions and the number of updates, for
    `refuse_updated`.
    """
    learned = latest_learned(study)
    if learned is None:
        return list(drafts), 0
    task = tasktypes.get(study.task_type)
    data = study_data(study, streamed=True)
    return task.prepare_gold(drafts, data, learned.result, study.options, study.seed), learned.number


def refuse_updated(study: Study, updates: int) -> None:
    """Raise `Refused` (`conflict`) if the study's questions have been updated since `prepared_gold`. The function locks
    the study until the transaction ends, so that no update starts in the meantime.
    """
    latest = latest_learned(Study.objects.select_for_update(no_key=True).get(pk=study.pk))
    if (latest.number if latest else 0) != updates:
        raise Refused("conflict", "The study's questions have been updated in the meantime. Try again.")


def _permitted(study: Study, user: Actor) -> Study:
    require(study, user, Action.UPDATE_UNOPENED)
    refuse_state(study, Action.UPDATE_UNOPENED)
    return study


def _store_regular(study: Study, before: Payloads, after: Mapping[str, Any]) -> int:
    """Store the new payloads of questions that are still unopened, and return the number of these questions."""
    refs, updated = list(before), 0
    for start in range(0, len(refs), AT_ONCE):
        chosen = study.questions.select_for_update(no_key=True).filter(ref__in=refs[start : start + AT_ONCE])
        questions = list(chosen.order_by("pk"))
        still_unopened = set(unopened_questions(study).filter(pk__in=[each.pk for each in questions]))
        unopened = [question for question in questions if question in still_unopened]
        if any(before[question.ref] != question.payload for question in unopened):
            raise Refused("conflict", CONFLICT)
        _save(unopened, after)
        updated += len(unopened)
    return updated


def _save(questions: Sequence[Question], payloads: Mapping[str, Any]) -> None:
    for question in questions:
        question.payload = payloads[question.ref]
    Question.objects.bulk_update(questions, ["payload"], batch_size=AT_ONCE)
