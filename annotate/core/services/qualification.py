"""Services for the qualification, in which annotators must answer enough practice questions correctly before their
first HIT.

The practice questions are divided among the tries, so that no try repeats a question whose expected answer the
annotator has already seen. Responses to annotators never contain the pass mark, and contain expected answers only after
the annotator has answered.
"""

from __future__ import annotations

from collections.abc import Collection
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import override

from accord_core.numerics.printed import with_noun
from annotate.core.selectors.qualification import has_qualification, practice_questions, tries_begun, tries_left
from annotate.models import Answer, Assignment, Participation, PayEntry, Question, Study
from annotate.models.annotator import NOT_QUALIFIED

from .log import record
from .standing import stop_unqualified


def judge_practice(participation: Participation, answers: Collection[Answer]) -> None:
    """Let the annotator start work after the practice questions. If the annotator's answers do not reach the study's
    pass mark, the annotator gets another attempt, or is stopped after the last one. The caller must lock the
    participation first.
    """
    study = participation.study
    if not has_qualification(study):
        _begin_work(participation, "")
        return
    right = sum(bool(answer.passed) for answer in answers)
    result = f"{right} of {with_noun(len(answers), 'practice question')}"
    if reaches_mark(study.qualification_mark, right, len(answers)):
        _begin_work(participation, f"qualified: {result} answered as expected")
        record(study, "qualified", participation=participation, right=right, answers=len(answers))
    elif not tries_left(participation):
        _fail(participation, f"{NOT_QUALIFIED}{result} answered as expected in the last try")


def begin_without_practice(participation: Participation) -> bool:
    """Let an annotator who has no practice questions left start work. Return False if the annotator has already begun
    an attempt without passing the qualification. Such an annotator is stopped.
    """
    if has_qualification(participation.study) and tries_begun(participation):
        _fail(participation, f"{NOT_QUALIFIED}no tries are left")
        return False
    _begin_work(participation, "")
    return True


def lacking_practice(study: Study) -> str:
    """Return the reason why annotators cannot qualify, or an empty string if they can."""
    questions = study.questions.filter(kind=Question.Kind.PRACTICE).count()
    if not has_qualification(study) or questions >= study.qualification_tries:
        return ""
    return (
        f"The qualification has {with_noun(study.qualification_tries, 'try,tries')}, but the study has only "
        f"{with_noun(questions, 'practice question')}. Import practice questions on the Gold questions "
        "page, or remove the pass mark of the qualification."
    )


def next_practice_questions(participation: Participation) -> list[Question]:
    """Return the practice questions for the next attempt. If there is no pass mark, the only attempt contains all
    questions.
    """
    left = tries_left(participation)
    questions = list(practice_questions(participation)) if left else []
    return questions[: -(-len(questions) // left)] if left else []


def reaches_mark(mark: Decimal | None, right: int, answers: int) -> bool:
    """Return whether the share of correct answers reaches the pass mark. The product is calculated in decimal, because
    28% of 25 answers would be more than 7 in binary floating point.
    """
    return right >= (mark or 0) * answers


def _begin_work(participation: Participation, reason: str) -> None:
    participation.standing, participation.standing_reason = Participation.Standing.ACTIVE, reason
    participation.save(update_fields=["standing", "standing_reason"])


def _fail(participation: Participation, reason: str) -> None:
    study = participation.study
    if study.qualification_pay:
        with override(study.language):
            note = _("Payment for the practice questions")
        PayEntry.objects.create(
            study=study,
            participation=participation,
            kind=PayEntry.Kind.BONUS,
            amount=study.qualification_pay,
            reason=note,
        )
    stop_unqualified(participation, reason)


def asks_for_another_try(participation: Participation, assignment: Assignment) -> bool:
    """Return whether the annotator has just failed an attempt at the qualification and can try again."""
    return assignment.kind == Assignment.Kind.PRACTICE and participation.standing == Participation.Standing.PRACTISING
