"""Gold questions for the console: which of them need a look, their results, and the agreement between authors."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from django.db.models import Count, QuerySet, TextField
from django.db.models.functions import Cast

from accord_core.numerics.intervals import wilson_rank
from accord_core.numerics.printed import share_of
from annotate import tasktypes
from annotate.core.selectors.counts import GoldTotals, gold_totals
from annotate.gold.selectors.disputes import disputes_by_question
from annotate.models import Answer, Assignment, GoldJudgement, Question, Study, User
from annotate.questions.selectors.questions import ItemText, in_words, item_texts, marks

FEWEST_ON_GOLD = 5  # minimum number of answers before a gold question counts as missed by most
WRONG_SHOWN = 5  # wrong answers per question
LINE = 160  # characters of a question in a list


@dataclass(frozen=True)
class WrongAnswer:
    """A wrong answer in words, with the number of annotators who gave it."""

    words: str
    annotators: int


@dataclass(frozen=True)
class GoldRow:
    """A gold question with its expected answer in words. `missed` is the share of wrong answers, or None if the
    question has no answers. `disputes` is the number of open disputes, and `wrong` contains the most frequent wrong
    answers. `doubtful` is True if the expected answer may be wrong. `warning` describes a problem with the explanation,
    such as an item position that may differ between annotators.
    """

    question: Question
    items: list[ItemText]
    expected: str
    marks: list[tasktypes.Mark]
    answered: int
    missed: float | None
    wrong_answers: int
    disputes: int = 0
    wrong: list[WrongAnswer] = field(default_factory=list)
    doubtful: bool = False
    warning: str = ""
    own_texts: Sequence[str] = ()  # of a question without items

    @property
    def text(self) -> str:
        """The beginning of the question's texts, for one line."""
        return " – ".join([*(text for item in self.items for text in item.texts), *self.own_texts])[:LINE]

    @property
    def missed_by_most(self) -> bool:
        return missed_by_most(self.answered, self.wrong_answers)


@dataclass(frozen=True)
class CandidateRow:
    """A gold candidate as shown to one author. Other authors' answers are included only after the author has
    answered.
    """

    question: Question
    items: list[ItemText]
    authors: int
    own: str
    marks: list[tasktypes.Mark]
    own_explanation: str
    others: list[tuple[str, str, str]]
    agreement: str
    agreed: bool


@dataclass(frozen=True)
class AuthorAgreement:
    """The raw agreement between authors: the share of identical answers among all pairs of answers to the same
    candidate.
    """

    questions: int
    pairs: int
    equal: int

    @property
    def share(self) -> float | None:
        return self.equal / self.pairs if self.pairs else None


def missed_by_most(given: int, missed: int) -> bool:
    """Return whether at least five annotators answered a gold question and most of them answered incorrectly."""
    return given >= FEWEST_ON_GOLD and missed > given / 2


@dataclass(frozen=True)
class GoldHealth:
    """All gold questions of a study by primary key, those that need a look first. A question can be `disputed`,
    `missed` by most annotators (with its results), and have a `misleading` explanation. Questions with `few` answers,
    and `unanswered` questions, cannot be assessed yet.
    """

    keys: list[int]
    disputed: Counter[int]
    missed: Mapping[int, GoldTotals]
    misleading: set[int]
    few: set[int]
    unanswered: set[int]

    @property
    def to_look_at(self) -> int:
        return len(self.disputed.keys() | self.missed.keys() | self.misleading)

    @property
    def working(self) -> int:
        return len(set(self.keys) - self.disputed.keys() - self.missed.keys() - self.misleading - self.few)

    @property
    def unclear(self) -> int:
        """The number of questions without a known problem, but with too few answers for an assessment."""
        return len(self.few - self.disputed.keys() - self.missed.keys() - self.misleading)


def gold_health(study: Study) -> GoldHealth:
    """Return the gold questions. Disputed questions come first, followed by those that most annotators missed, and
    those with misleading explanations. Questions in doubt for the same reasons are ranked by their share of wrong
    answers, and then by creation time.

    This needs three queries, and up to two more for disputes and explanations.
    """
    keys = study.questions.filter(kind=Question.Kind.GOLD).order_by("pk").values_list("pk", flat=True)
    totals = gold_totals(study)
    counted = {pk: totals.get(pk, GoldTotals()) for pk in keys}
    disputes = disputes_by_question(study)
    missed = {pk: each for pk, each in counted.items() if missed_by_most(each.given, each.missed)}
    misleading = {question.pk for question in _misleading(study)}

    def doubt(pk: int) -> tuple[int, bool, bool, float]:
        return disputes[pk], pk in missed, pk in misleading, wilson_rank(counted[pk].missed, counted[pk].given)

    return GoldHealth(
        sorted(counted, key=doubt, reverse=True),
        disputes,
        missed,
        misleading,
        {pk for pk, each in counted.items() if each.given < FEWEST_ON_GOLD},
        {pk for pk, each in counted.items() if not each.given},
    )


def with_place_warning(study: Study) -> list[str]:
    """Return the refs of gold questions whose explanations may refer to an item by the wrong position. This needs two
    queries.
    """
    return [question.ref for question in _misleading(study)]


def _misleading(study: Study) -> list[Question]:
    gold = study.questions.filter(kind=Question.Kind.GOLD).order_by("pk")
    explained = gold.exclude(explanation="").values_list("pk", "explanation")
    mentioned = [pk for pk, explanation in explained if tasktypes.mentions_place(explanation)]
    task = tasktypes.get(study.task_type)
    return [
        question
        for question in (gold.filter(pk__in=mentioned) if mentioned else ())
        if tasktypes.place_warning(task, question.explanation, question.payload)
    ]


def gold_rows(study: Study, keys: Sequence[int]) -> list[GoldRow]:
    """Return the rows for the questions with these primary keys, in five queries."""
    by_pk = study.questions.in_bulk(list(keys))
    questions = [by_pk[pk] for pk in keys]
    items, counted = _items(study, questions), gold_totals(study)
    disputes = disputes_by_question(study)
    wrong, task = _wrong_answers(study, by_pk), tasktypes.get(study.task_type)
    rows = []
    for question in questions:
        totals = counted.get(question.pk, GoldTotals())
        rows.append(
            GoldRow(
                question,
                items[question.pk],
                in_words(study, question, question.gold),
                marks(study, question, question.gold),
                totals.given,
                totals.missed / totals.given if totals.given else None,
                totals.missed,
                disputes[question.pk],
                wrong.get(question.pk, []),
                question.pk in disputes or missed_by_most(totals.given, totals.missed),
                tasktypes.place_warning(task, question.explanation, question.payload),
                () if task.item_keys(question.payload) else task.question_texts(question.payload, {}),
            )
        )
    return rows


def _wrong_answers(study: Study, by_pk: Mapping[int, Question]) -> dict[int, list[WrongAnswer]]:
    """Return the most frequent wrong answers to each question, in one query."""
    wrong = Answer.objects.filter(question__in=list(by_pk), passed=False, value__isnull=False).exclude(
        assignment__kind__in=Assignment.NOT_BY_PEOPLE
    )
    by_text = wrong.annotate(text=Cast("value", TextField())).values_list("question", "text")
    values: dict[int, Counter[str]] = {}
    for pk, text, number in by_text.annotate(number=Count("pk")).order_by("question", "text"):
        values.setdefault(pk, Counter())[json.dumps(json.loads(text), sort_keys=True)] += number
    return {
        pk: [
            WrongAnswer(in_words(study, by_pk[pk], json.loads(value)), number)
            for value, number in counted.most_common(WRONG_SHOWN)
        ]
        for pk, counted in values.items()
    }


def candidates_of(study: Study) -> QuerySet[Question]:
    return study.questions.filter(kind=Question.Kind.CANDIDATE).order_by("pk")


def candidate_rows(study: Study, user: User, questions: Sequence[Question]) -> list[CandidateRow]:
    """Return the rows for these candidates, with all data that the author `user` may see, in three queries."""
    task = tasktypes.get(study.task_type)
    items = _items(study, questions)
    judgements: dict[int, list[GoldJudgement]] = {}
    stored = GoldJudgement.objects.filter(question__in=questions).select_related("user").order_by("pk")
    for judgement in stored:
        judgements.setdefault(judgement.question_id, []).append(judgement)
    rows = []
    for question in questions:
        all_answers = judgements.get(question.pk, [])
        own = next((judgement for judgement in all_answers if judgement.user_id == user.pk), None)
        values = [judgement.value for judgement in all_answers]
        pairs, equal = _raw(values)
        rows.append(
            CandidateRow(
                question=question,
                items=items[question.pk],
                authors=len(all_answers),
                own=in_words(study, question, own.value) if own else "",
                marks=marks(study, question, own.value) if own else [],
                own_explanation=own.explanation if own else "",
                others=[
                    (str(judgement.user), in_words(study, question, judgement.value), judgement.explanation)
                    for judgement in all_answers
                    if own and judgement is not own
                ],
                agreement=share_of(equal, pairs) if own and pairs else "",
                agreed=own is not None and task.agreed(values) is not None,
            )
        )
    return rows


def answered_candidates(study: Study, user: User) -> list[CandidateRow]:
    """Return the candidates that this author has answered, in three queries."""
    return candidate_rows(study, user, list(candidates_of(study).filter(judgements__user=user)))


def unanswered_candidates(study: Study, user: User) -> QuerySet[Question]:
    """Return the candidates that this author has not answered."""
    return candidates_of(study).exclude(judgements__user=user)


def next_candidate(study: Study, user: User, after: int) -> Question | None:
    """Return the next candidate after `after` that this author has not answered. If there is no later candidate, return
    the first unanswered one.
    """
    waiting = unanswered_candidates(study, user)
    return waiting.filter(pk__gt=after).first() or waiting.first()


def author_agreement(study: Study) -> AuthorAgreement:
    """Return the agreement on all questions that at least two authors answered, including promoted candidates."""
    values: dict[int, list[Any]] = {}
    for pk, value in GoldJudgement.objects.filter(question__study=study).values_list("question", "value"):
        values.setdefault(pk, []).append(value)
    judged = [_raw(each) for each in values.values() if len(each) > 1]
    return AuthorAgreement(len(judged), sum(pairs for pairs, _ in judged), sum(equal for _, equal in judged))


def promotable(study: Study) -> Counter[int]:
    """Return the number of candidates that can be promoted, for each minimum number of agreeing authors."""
    task = tasktypes.get(study.task_type)
    candidates: Counter[int] = Counter()
    for question in candidates_of(study).prefetch_related("judgements"):
        values = [judgement.value for judgement in question.judgements.all()]
        if values and task.agreed(values) is not None:
            for authors in range(1, len(values) + 1):
                candidates[authors] += 1
    return candidates


def own_answer(study: Study, question: Question, user: User) -> tuple[Any, str]:
    """Return an author's answer in the format of the task type's module, and the author's explanation. Return (None,
    "") if the author has not answered the candidate.
    """
    judgement = question.judgements.filter(user=user).first()
    if judgement is None:
        return None, ""
    return tasktypes.get(study.task_type).reveal(question.payload, [], judgement.value), judgement.explanation


def _items(study: Study, questions: Iterable[Question]) -> dict[int, list[ItemText]]:
    task = tasktypes.get(study.task_type)
    keys = {question.pk: list(task.item_keys(question.payload)) for question in questions}
    texts = item_texts(study, (key for each in keys.values() for key in each))
    return {pk: [texts[key] for key in each if key in texts] for pk, each in keys.items()}


def _raw(values: Sequence[Any]) -> tuple[int, int]:
    """Return the number of pairs of answers to the same question, and the number of pairs with equal answers."""
    pairs = list(combinations(values, 2))
    return len(pairs), sum(one == other for one, other in pairs)
