"""Filters and sort orders for the question list, such as state, text, metadata, annotator, agreement, time and gold
errors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, overload

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from accord_core.numerics.intervals import wilson_rank
from annotate import tasktypes
from annotate.core.selectors.counts import GoldTotals, gold_totals
from annotate.models import Answer, Assignment, Decision, Question, QuestionFigures, Slot, Study
from annotate.questions.selectors.questions import matching_questions

SORTS = {
    "": "Order of the design",
    "agreement": "Lowest agreement",
    "seconds": "Longest time",
    "missed": "Most missed gold",
}
STATES = {
    "": "All states",
    "open": "Needs judgements",
    "complete": "Has all judgements",
    "disputed": "Disputed and not decided",
    "decided": "Decided",
}
GOLD_KINDS = (Question.Kind.GOLD, Question.Kind.RETIRED)
SAMPLE = 200  # first items from which the suggested names of metadata columns are read


@dataclass(frozen=True)
class QuestionFilter:
    """The filters and sort order of the question list. An empty filter has no effect.

    `annotator` is a pseudonym. `column` and `value` are the name and the value of a metadata column of an item.
    """

    kind: str = Question.Kind.REGULAR
    search: str = ""
    state: str = ""
    annotator: str = ""
    column: str = ""
    value: str = ""
    sort: str = ""

    @property
    def only_kind(self) -> bool:
        """Return whether the list contains all questions of a kind, so that their number is already known."""
        omits = self.sort in ("seconds", "missed")
        return not any([self.search, self.state, self.annotator, self.column and self.value, omits])

    @property
    def needs_figures(self) -> bool:
        """Return whether the list depends on each question's stored agreement and time."""
        return self.sort in ("agreement", "seconds") or self.state == "disputed"


def filtered_questions(study: Study, wanted: QuestionFilter) -> Sequence[int]:
    """Return the primary keys of the matching questions, in the requested order.

    The number of queries does not depend on the number of questions. In the order by agreement, questions without
    agreement come last. In the order by time, questions without a time are omitted. Keys are read only when the result
    is sliced, unless the list depends on texts, metadata or missed gold.
    """
    questions = study.questions.filter(kind=wanted.kind) if wanted.kind else study.questions.all()
    questions = _in_state(_answered_by(questions, study, wanted.annotator), wanted.state)
    if wanted.search.strip():
        questions = questions.filter(pk__in=matching_questions(study, kind=wanted.kind, search=wanted.search))
    if wanted.column and wanted.value:
        questions = questions.filter(pk__in=_with_metadata(study, wanted))
    if wanted.sort == "missed":
        return _most_missed(study, questions)
    if wanted.sort == "agreement":
        return Joined(_by_figure(study, questions, wanted), _without_agreement(questions))
    if wanted.sort == "seconds":
        return _by_figure(study, questions, wanted)  # type: ignore[return-value]
    return questions.order_by("pk").values_list("pk", flat=True)  # type: ignore[return-value]


def metadata_columns(study: Study) -> list[str]:
    """Return the names of the metadata columns that the page suggests.

    The names come from the first items of the study and from the first item of each file, so that the page does not
    read all items. All rows of a table have the same columns, but later lines of a JSON file can have other names.
    """
    first_in_file = study.items.filter(upload=OuterRef("pk")).order_by("pk").values("metadata")[:1]
    files = study.uploads.annotate(columns=Subquery(first_in_file)).order_by("pk").values_list("columns", flat=True)
    items = study.items.order_by("pk").values_list("metadata", flat=True)[:SAMPLE]
    columns: dict[str, None] = {}
    for metadata in [*items, *files]:
        columns |= dict.fromkeys(metadata or ())
    return list(columns)


def _answered_by(questions: QuerySet[Question], study: Study, pseudonym: str) -> QuerySet[Question]:
    if not pseudonym:
        return questions
    by_annotator = Answer.objects.filter(participation__study=study, participation__pseudonym=pseudonym)
    return questions.filter(pk__in=by_annotator.filter(given_at__isnull=False).values("question"))


def _in_state(questions: QuerySet[Question], state: str) -> QuerySet[Question]:
    of_question = {"hit__hit_questions__question": OuterRef("pk")}
    lacking = Exists(Slot.objects.filter(**of_question, open=1)) | Exists(
        Assignment.objects.filter(**of_question, state=Assignment.State.LEASED, slot__isnull=False)
    )
    decided = Exists(Decision.objects.filter(question=OuterRef("pk")))
    conditions = {
        "open": Q(lacking),
        "complete": ~Q(lacking) & Exists(Slot.objects.filter(**of_question)),
        "disputed": Q(figures__agreement__lt=1) & ~Q(decided),
        "decided": Q(decided),
    }
    return questions.filter(conditions[state]) if state in conditions else questions


def _with_metadata(study: Study, wanted: QuestionFilter) -> list[int]:
    """Return the questions that contain an item with exactly this metadata value."""
    rows = study.items.values_list("key", "metadata").iterator(chunk_size=5_000)
    keys = {key for key, metadata in rows if metadata.get(wanted.column) == wanted.value}
    task = tasktypes.get(study.task_type)
    questions = study.questions.filter(kind=wanted.kind) if wanted.kind else study.questions.all()
    rows_of = questions.order_by("pk").values_list("pk", "payload").iterator(chunk_size=5_000)
    return [pk for pk, payload in rows_of if not keys.isdisjoint(task.item_keys(payload))]


class Joined(Sequence[int]):
    """A list that joins lists of primary keys. Keys are read only when the list is sliced or iterated."""

    def __init__(self, *parts: QuerySet[Any, int]) -> None:
        self.parts = parts

    def __len__(self) -> int:
        return sum(part.count() for part in self.parts)

    def __iter__(self) -> Iterator[int]:
        return chain(*self.parts)

    @overload
    def __getitem__(self, place: int) -> int: ...

    @overload
    def __getitem__(self, place: slice) -> list[int]: ...

    def __getitem__(self, place: int | slice) -> int | list[int]:
        if isinstance(place, int):
            return self[place : place + 1][0]
        start, end = place.start or 0, len(self) if place.stop is None else place.stop
        keys: list[int] = []
        for part in self.parts:
            keys += part[start:end]
            if len(keys) == end - start:
                break
            size = part.count()
            start, end = max(0, start - size), max(0, end - size)
        return keys


def _without_agreement(questions: QuerySet[Question]) -> QuerySet[Any, int]:
    return questions.filter(figures__agreement__isnull=True).order_by("pk").values_list("pk", flat=True)


def _by_figure(study: Study, questions: QuerySet[Question], wanted: QuestionFilter) -> QuerySet[Any, int]:
    rows = QuestionFigures.objects.filter(study=study, **{f"{wanted.sort}__isnull": False})
    rows = rows.filter(question__kind=wanted.kind) if wanted.kind else rows
    if not replace(wanted, sort="").only_kind:
        rows = rows.filter(question__in=questions.values("pk"))
    order = ("-seconds", "-question") if wanted.sort == "seconds" else ("agreement", "question")
    return rows.order_by(*order).values_list("question", flat=True)


def _most_missed(study: Study, questions: QuerySet[Question]) -> list[int]:
    """Return the questions with graded answers, ranked by the share of wrong answers."""
    counted = gold_totals(study)
    keys = [pk for pk in questions.order_by("pk").values_list("pk", flat=True) if counted.get(pk, GoldTotals()).given]
    return sorted(keys, key=lambda pk: wilson_rank(counted[pk].missed, counted[pk].given), reverse=True)
