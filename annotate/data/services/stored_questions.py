"""Services that compare a file of gold or practice questions with its study's, and change or remove questions when a
corrected file is imported.

In a draft, questions can change completely. After the study has been opened, only the expected answers and explanations
of gold questions can change, and the answers to these questions are regraded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from annotate import tasktypes
from annotate.core.permissions import Action, Actor, require
from annotate.core.services.regrading import (
    Effects,
    NewAnswer,
    Regraded,
    apply_rule_to,
    lock_annotators,
    preview_answers,
    store_answers,
)
from annotate.data.known_rows import KnownRows, Lock, StoredRow, question_row, stored_question
from annotate.data.services.removal import delete_questions
from annotate.data.upload_preview import Preview
from annotate.models import Participation, Question, Study, Upload
from annotate.server.refusals import Refused
from annotate.tasktypes import QuestionDraft

from .stored_items import CONFLICT, count_again

KINDS = {Upload.Purpose.GOLD: Question.Kind.GOLD, Upload.Purpose.PRACTICE: Question.Kind.PRACTICE}
FROM_FILES = (Question.Kind.GOLD, Question.Kind.PRACTICE, Question.Kind.RETIRED)


@dataclass
class KnownQuestions:
    """The stored questions in a corrected file: their new contents, and the IDs of unchanged and absent ones."""

    changed: list[QuestionDraft] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)


@dataclass
class ChangedQuestions:
    """The number of stored questions updated from the file, and their regraded answers."""

    rows: int = 0
    answers: Sequence[NewAnswer] = ()
    regraded: Regraded = field(default_factory=Regraded)

    def apply_rule(self, annotators: Sequence[Participation]) -> list[str]:
        """Apply the quality rule after the import. Return the pseudonyms of stopped annotators."""
        return apply_rule_to([each.question for each in self.answers], annotators, self.regraded)


def stored_questions(study: Study, purpose: str) -> tuple[dict[str, StoredRow], dict[str, StoredRow | None]]:
    """Return the study's questions of the file's kind for a comparison, by ID, and its other questions. Only the
    contents of gold and practice questions are compared.
    """
    own = {KINDS[Upload.Purpose(purpose)]}
    if Question.Kind.GOLD in own:
        own.add(Question.Kind.RETIRED)
    task = tasktypes.get(study.task_type)
    regular = study.questions.filter(kind=Question.Kind.REGULAR)
    stored, others = {}, dict.fromkeys(regular.values_list("ref", flat=True))
    for question in study.questions.exclude(kind=Question.Kind.REGULAR).order_by("pk").iterator():
        draft = QuestionDraft(question.ref, question.payload, gold=question.gold, explanation=question.explanation)
        if question.kind in own:
            row = question_row(task, draft)
            stored[question.ref] = stored_question(row, lock=_lock(study, question), file=question.upload_id or 0)
        else:
            compared = question.kind in KINDS.values()
            others[question.ref] = stored_question(question_row(task, draft)) if compared else None
    return stored, others


def lock_annotators_of(study: Study, changed: Sequence[QuestionDraft]) -> list[Participation]:
    """Lock the annotators who answered these questions. The function must be called before the study is locked."""
    questions = study.questions.filter(ref__in=[draft.ref for draft in changed], kind=Question.Kind.GOLD)
    return lock_annotators(list(questions.values_list("pk", flat=True)))


def change_questions(
    upload: Upload,
    study: Study,
    known: KnownQuestions,
    choice: KnownRows,
    *,
    annotators: Sequence[Participation],
    requester: Actor,
) -> ChangedQuestions:
    """Change and remove stored questions. The caller has locked the annotators and then the study.

    Raises `Refused` (`conflict`) if a question has been locked or removed since the file was compared with the study.
    """
    if choice not in (KnownRows.UPDATE, KnownRows.REPLACE):
        return ChangedQuestions()
    removed = known.absent if choice == KnownRows.REPLACE else []
    moved = known.unchanged if choice == KnownRows.REPLACE and (known.changed or removed) else []
    kind = KINDS[Upload.Purpose(upload.purpose)]
    locked = study.questions.select_for_update(no_key=True).filter(kind=kind).order_by("pk")
    questions = {each.ref: each for each in locked.filter(ref__in=[*(draft.ref for draft in known.changed), *removed])}
    if len(questions) != len(known.changed) + len(removed):
        raise Refused("conflict", CONFLICT)
    regraded: list[tuple[Question, QuestionDraft]] = []
    rewritten: list[tuple[Question, QuestionDraft]] = []
    for draft in known.changed:
        question = questions[draft.ref]
        question.study = study
        same = _same_content(study, question, draft) and kind == Question.Kind.GOLD
        (regraded if same else rewritten).append((question, draft))
    if not study.is_draft and (rewritten or removed):
        raise Refused("conflict", CONFLICT)
    files = set(
        study.questions.filter(ref__in=[*questions, *moved], upload__isnull=False).values_list("upload", flat=True)
    )
    if removed:
        delete_questions(study.questions.filter(kind=kind, ref__in=removed))
    _rewrite(rewritten)
    if regraded:
        require(study, requester, Action.CHANGE_EXPECTED_ANSWERS)
    changes = [NewAnswer(question, draft.gold, draft.explanation) for question, draft in regraded]
    result = store_answers(changes, annotators, requester=requester, reason=f"Imported {upload.filename}.")
    refs = [*(draft.ref for draft in known.changed), *moved]
    rows = study.questions.filter(kind__in=FROM_FILES, ref__in=refs).update(upload=upload)
    count_again(files - {upload.pk})
    return ChangedQuestions(rows, changes, result)


def effects_on_grades(upload: Upload, preview: Preview) -> Effects | None:
    """Return how the expected answers in a file change the grades of an opened study, or None if they change no gold
    question.
    """
    answers = preview.known["answers"] if preview.known else {}
    if not answers:
        return None
    questions = upload.study.questions.filter(kind=Question.Kind.GOLD, ref__in=answers).select_related("study")
    return preview_answers([NewAnswer(each, answers[each.ref], each.explanation) for each in questions])


def _lock(study: Study, question: Question) -> Lock:
    if question.kind == Question.Kind.RETIRED:
        return Lock.EXCLUDED
    if study.is_draft:
        return Lock.FREE
    return Lock.ASKED if question.kind == Question.Kind.GOLD else Lock.PRACTICE


def _same_content(study: Study, question: Question, draft: QuestionDraft) -> bool:
    task = tasktypes.get(study.task_type)
    return bool(task.question_content(question.payload) == task.question_content(draft.payload))


def _rewrite(rewritten: Sequence[tuple[Question, QuestionDraft]]) -> None:
    """Store new contents for a draft's questions. A question already tried by a researcher remains readable under
    another ID, and a new question replaces it.
    """
    for question, draft in rewritten:
        if question.answers.exists():
            delete_questions(Question.objects.filter(pk=question.pk))
            question = Question(study=question.study, ref=question.ref, kind=question.kind)
        question.payload, question.gold, question.explanation = draft.payload, draft.gold, draft.explanation
        question.save()
