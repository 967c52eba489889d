"""Gold as the console shows it: how each question fares, what annotators dispute, and what authors agree on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from django.db.models import QuerySet

from annotate import tasktypes
from annotate.models import Annotator, Answer, GoldJudgement, Question, Study, User

from .counts import GoldTotals, gold_totals
from .questions import ItemText, in_words, item_texts, marks


@dataclass(frozen=True)
class Dispute:
    pseudonym: str
    given: str
    note: str


@dataclass(frozen=True)
class GoldRow:
    """A gold question with its key in words; `missed` is a share, None before anybody has answered."""

    question: Question
    items: list[ItemText]
    expected: str
    marks: list[tasktypes.Mark]
    answered: int
    missed: float | None
    disputes: list[Dispute] = field(default_factory=list)


@dataclass(frozen=True)
class CandidateRow:
    """A candidate as one author sees it: others' answers and their agreement only after one's own."""

    question: Question
    items: list[ItemText]
    authors: int
    own: str
    marks: list[tasktypes.Mark]
    own_explanation: str
    others: list[tuple[str, str, str]]
    agreement: float | None
    agreed: bool


@dataclass(frozen=True)
class AuthorAgreement:
    """Raw agreement of authors: the share of pairs of answers to the same candidate that are equal."""

    questions: int
    pairs: int
    equal: int

    @property
    def share(self) -> float | None:
        return self.equal / self.pairs if self.pairs else None


def gold_of(study: Study) -> list[int]:
    """Primary keys of gold questions, sorted by disputes, then by wrong answers, then by creation.

    Two queries.
    """
    counted = gold_totals(study)
    known = {pk: (counted[pk].disputed, counted[pk].missed) for pk in counted}
    keys = study.questions.filter(kind=Question.Kind.GOLD).order_by("pk").values_list("pk", flat=True)
    return sorted(keys, key=lambda pk: known.get(pk, (0, 0)), reverse=True)


def gold_rows(study: Study, keys: Sequence[int]) -> list[GoldRow]:
    """Rows for the questions with these primary keys, in four queries."""
    by_pk = study.questions.in_bulk(list(keys))
    questions = [by_pk[pk] for pk in keys]
    items, counted = _items(study, questions), gold_totals(study)
    graded = Answer.objects.filter(question__in=questions, tally__isnull=False).exclude(
        participation__annotator__platform=Annotator.Platform.TRY
    )
    disputes: dict[int, list[Dispute]] = {}
    for answer in graded.filter(disputed=True).select_related("participation").order_by("-acknowledged_at"):
        given = in_words(study, by_pk[answer.question_id], answer.value)
        disputes.setdefault(answer.question_id, []).append(
            Dispute(answer.participation.pseudonym, given, answer.dispute_note)
        )
    rows = []
    for question in questions:
        fared = counted.get(question.pk, GoldTotals())
        rows.append(
            GoldRow(
                question, items[question.pk], in_words(study, question, question.gold),
                marks(study, question, question.gold), fared.given,
                fared.missed / fared.given if fared.given else None, disputes.get(question.pk, []),
            )
        )  # fmt: skip
    return rows


def candidates_of(study: Study) -> QuerySet[Question]:
    return study.questions.filter(kind=Question.Kind.CANDIDATE).order_by("pk")


def candidate_rows(study: Study, user: User, questions: Sequence[Question]) -> list[CandidateRow]:
    """Rows for these candidates as `user` may see them, in three queries."""
    task = tasktypes.get(study.task_type)
    items = _items(study, questions)
    judgements: dict[int, list[GoldJudgement]] = {}
    given = GoldJudgement.objects.filter(question__in=questions).select_related("user").order_by("pk")
    for judgement in given:
        judgements.setdefault(judgement.question_id, []).append(judgement)
    rows = []
    for question in questions:
        there = judgements.get(question.pk, [])
        own = next((judgement for judgement in there if judgement.user_id == user.pk), None)
        values = [judgement.value for judgement in there]
        rows.append(
            CandidateRow(
                question=question,
                items=items[question.pk],
                authors=len(there),
                own=in_words(study, question, own.value) if own else "",
                marks=marks(study, question, own.value) if own else [],
                own_explanation=own.explanation if own else "",
                others=[
                    (str(judgement.user), in_words(study, question, judgement.value), judgement.explanation)
                    for judgement in there
                    if own and judgement is not own
                ],
                agreement=_raw(values)[2] if own and len(values) > 1 else None,
                agreed=own is not None and task.agreed(values) is not None,
            )
        )
    return rows


def next_candidate(study: Study, user: User, after: int = 0) -> Question | None:
    """The next candidate that this author has not answered, from `after` on and around."""
    waiting = candidates_of(study).exclude(judgements__user=user)
    return waiting.filter(pk__gt=after).first() or waiting.first()


def author_agreement(study: Study) -> AuthorAgreement:
    """Over all questions of the study that two or more authors answered, those that became gold among them."""
    values: dict[int, list[Any]] = {}
    for pk, value in GoldJudgement.objects.filter(question__study=study).values_list("question", "value"):
        values.setdefault(pk, []).append(value)
    judged = [_raw(each) for each in values.values() if len(each) > 1]
    return AuthorAgreement(len(judged), sum(pairs for pairs, _, _ in judged), sum(equal for _, equal, _ in judged))


def promotable(study: Study) -> Counter[int]:
    """How many candidates would become gold if at least so many authors had to agree, by that number."""
    task = tasktypes.get(study.task_type)
    found: Counter[int] = Counter()
    for question in candidates_of(study).prefetch_related("judgements"):
        values = [judgement.value for judgement in question.judgements.all()]
        if values and task.agreed(values) is not None:
            for authors in range(1, len(values) + 1):
                found[authors] += 1
    return found


def own_answer(study: Study, question: Question, user: User) -> tuple[Any, str]:
    """An author's answer as the module reads it, and the explanation; (None, "") before there is one."""
    judgement = question.judgements.filter(user=user).first()
    if judgement is None:
        return None, ""
    return tasktypes.get(study.task_type).reveal(question.payload, [], judgement.value), judgement.explanation


def _items(study: Study, questions: Iterable[Question]) -> dict[int, list[ItemText]]:
    task = tasktypes.get(study.task_type)
    keys = {question.pk: list(task.item_keys(question.payload)) for question in questions}
    texts = item_texts(study, (key for each in keys.values() for key in each))
    return {pk: [texts[key] for key in each if key in texts] for pk, each in keys.items()}


def _raw(values: Sequence[Any]) -> tuple[int, int, float | None]:
    """(pairs, equal pairs, their share) of the answers to one question."""
    pairs = list(combinations(values, 2))
    equal = sum(one == other for one, other in pairs)
    return len(pairs), equal, equal / len(pairs) if pairs else None
