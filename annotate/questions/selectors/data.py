"""A study's data as plain rows, for reports and exports. Rows are read in batches, to limit memory use."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC
from typing import Any, TypeVar, overload

from django.db import connection, transaction
from django.db.models import QuerySet

from accord_core.numerics.gold_places import insert_gold
from annotate.messages.selectors import message_table
from annotate.models import Annotator, Answer, Assignment, Decision, GoldSetQuestion, HitQuestion, Question, Study
from annotate.recruiting.selectors import survey_facts
from annotate.tasktypes import REPEAT, AnswerRow, ItemDraft, QuestionDraft, SkippedRow, Stored, StudyData

ROWS = 5_000  # maximum number of items, questions or HITs in one query
PREREGISTERED = "preregistered"  # the verb of preregistrations in the log
ASSIGNMENTS = 200  # maximum number of assignments in a query for answers; with more, PostgreSQL reads all questions

Row = TypeVar("Row")


class Streamed(Sequence[Row]):
    """A sequence of rows that is read from the database again, in batches, each time it is iterated over.

    Reading the length or a single row loads all rows, which then stay in memory.
    """

    def __init__(self, read: Callable[[], Iterator[Row]]) -> None:
        self._read = read
        self._all: list[Row] | None = None

    def __iter__(self) -> Iterator[Row]:
        return iter(self._all) if self._all is not None else self._read()

    def __len__(self) -> int:
        return len(self._load())

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> list[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | list[Row]:
        return self._load()[place]

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def _load(self) -> list[Row]:
        if self._all is None:
            self._all = list(self._read())
        return self._all


class StreamedByName(Streamed[Row], Stored[Row]):
    """Items or questions that are streamed from the database. Individual items or questions can also be read by key or
    ref.
    """

    def __init__(self, read: Callable[[], Iterator[Row]], find: Callable[[Collection[str]], Iterator[Row]]) -> None:
        super().__init__(read)
        self._find = find

    def named(self, names: Collection[str]) -> Iterator[Row]:
        return self._find(names)


def study_data(study: Study, *, streamed: bool = False) -> StudyData:
    """Return the study's items, questions and answers, excluding try-outs, drafts and answers from programs.

    If `streamed` is true, rows are read during iteration. Use this for data that is read once or twice.
    """
    decisions = Decision.objects.filter(question__study=study)
    data = StudyData(
        facts=facts(study),
        items=StreamedByName(lambda: _items(study), lambda keys: _items(study, key__in=keys)),
        questions=StreamedByName(
            lambda: _questions(study, Question.Kind.REGULAR),
            lambda refs: _questions(study, Question.Kind.REGULAR, ref__in=refs),
        ),
        gold=Streamed(lambda: _questions(study, Question.Kind.GOLD)),
        answers=Streamed(lambda: _answers(study)),
        hits=Streamed(lambda: _hits(study)),
        skipped=Streamed(lambda: _skipped(study)),
        messages=Streamed(lambda: message_table(study)),
        decisions=dict(decisions.filter(keep_both=False).values_list("question__ref", "value")),
        keep_both=frozenset(decisions.filter(keep_both=True).values_list("question__ref", flat=True)),
        candidates=Streamed(lambda: _questions(study, Question.Kind.CANDIDATE)),
        published_hits=Streamed(lambda: published_hits(study)),
    )
    if streamed:
        return data
    return StudyData(
        facts=data.facts,
        items=list(data.items),
        questions=list(data.questions),
        gold=list(data.gold),
        answers=list(data.answers),
        hits=list(data.hits),
        skipped=list(data.skipped),
        messages=list(data.messages),
        decisions=data.decisions,
        keep_both=data.keep_both,
        candidates=list(data.candidates),
        published_hits=list(data.published_hits),
    )


@contextmanager
def one_snapshot() -> Iterator[None]:
    """Run all queries in the block in one PostgreSQL snapshot, unless a transaction is already open.

    On SQLite, a snapshot would block all writes, so the block runs without one.
    """
    if connection.vendor != "postgresql" or connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


def facts(study: Study) -> dict[str, Any]:
    """Return the facts about a study for use in reports and exported documents."""
    names = (
        "public_id",
        "title",
        "task_type",
        "state",
        "language",
        "direction",
        "instructions",
        "examples",
        "protocol_number",
        "eligibility",
        "currency",
        "judgements",
        "questions_per_hit",
        "gold_block",
        "seed",
        "options",
        "rule_measure",
        "rule_minimum",
        "rule_unit",
        "pilot_hits",
        "pilot_counts",
        "lease_minutes",
    )
    return {name: getattr(study, name) for name in names} | {
        "reward": str(study.reward),
        "rule_threshold": float(study.rule_threshold),
        "repeats_questions": Answer.objects.filter(replaces__isnull=False, participation__study=study).exists(),
        "simulated_annotators": sorted(study.participations.simulated().values_list("pseudonym", flat=True)),
        "survey": survey_facts(study),
        "earlier_guidelines": list(
            study.guidelines.filter(version__lt=study.guidelines_version)
            .order_by("version")
            .values("version", "instructions", "examples")
        ),
        "members_annotated": _members_among(study),
        "consent": study.consents.order_by("version").values_list("text", flat=True).last() or "",
        "preregistrations": preregistrations(study),
    }


def _members_among(study: Study) -> int:
    """Return how many members of the study's team have answered in it with their accounts."""
    accounts = [str(pk) for pk in study.memberships.values_list("user", flat=True)]
    members = study.annotators.filter(platform=Annotator.Platform.ACCOUNT, external_id__in=accounts)
    answered = Answer.objects.filter(participation__annotator__in=members, given_at__isnull=False)
    return answered.values("participation").distinct().count()


def preregistrations(study: Study) -> list[dict[str, Any]]:
    """Return the study's frozen preregistrations with their version, time and checksum, oldest first."""
    frozen = study.events.filter(verb=PREREGISTERED).order_by("pk").values_list("at", "detail")
    return [
        {"version": version, "at": at.astimezone(UTC).isoformat(), **detail}
        for version, (at, detail) in enumerate(frozen, start=1)
    ]


def _items(study: Study, **among: Any) -> Iterator[ItemDraft]:
    revealed = list(study.uploads.imported().values_list("pk", flat=True))
    rows = study.items.filter(upload__in=revealed, **among)
    for _, key, content, metadata, held_out in _batches(rows, "key", "content", "metadata", "held_out"):
        yield ItemDraft(key, content, metadata, held_out)


def _questions(study: Study, kind: str, **among: Any) -> Iterator[QuestionDraft]:
    rows = study.questions.filter(kind=kind, **among)
    for _, ref, payload, gold, explanation in _batches(rows, "ref", "payload", "gold", "explanation"):
        yield QuestionDraft(ref, payload, gold=gold, explanation=explanation)


def _batches(rows: QuerySet[Any], *columns: str) -> Iterator[tuple[Any, ...]]:
    """Yield rows in primary key order, with the primary key in the first column."""
    last, more = 0, True
    while more:
        batch = list(rows.filter(pk__gt=last).order_by("pk").values_list("pk", *columns)[:ROWS])
        yield from batch
        if more := len(batch) == ROWS:
            last = batch[-1][0]


def _hits(study: Study) -> Iterator[list[str]]:
    """Yield the refs of each HIT's questions."""
    for _numbers, hits in _batches_of_hits(study):
        yield from hits.values()


def published_hits(study: Study) -> Iterator[tuple[int, list[str]]]:
    """Yield each HIT's number and the refs of its questions, including the gold questions that everyone who takes the
    HIT gets, in order.
    """
    for numbers, hits in _batches_of_hits(study):
        gold: dict[int, list[tuple[int, str]]] = {}
        if study.gold_block:
            in_sets = GoldSetQuestion.objects.filter(
                question__kind=Question.Kind.GOLD, gold_set__hits__study=study, gold_set__hits__number__range=numbers
            ).order_by("position")
            for number, place, ref in in_sets.values_list("gold_set__hits__number", "position", "question__ref"):
                gold.setdefault(number, []).append((place, ref))
        for number, refs in hits.items():
            own = gold.get(number, [])
            yield number, insert_gold(refs, own, block=study.gold_block, seed=study.seed, first=refs[0])


def _batches_of_hits(study: Study) -> Iterator[tuple[tuple[int, int], dict[int, list[str]]]]:
    """Yield ranges of HIT numbers, with the refs of each HIT's questions by number."""
    per_query = max(1, ROWS // study.questions_per_hit)
    last = study.hits.order_by("number").values_list("number", flat=True).last() or 0
    for first in range(1, last + 1, per_query):
        numbers = (first, first + per_query - 1)
        rows = HitQuestion.objects.filter(hit__study=study, hit__number__range=numbers)
        hits: dict[int, list[str]] = {}
        for number, ref in rows.order_by("hit__number", "position").values_list("hit__number", "question__ref"):
            hits.setdefault(number, []).append(ref)
        yield numbers, hits


def _answers(study: Study) -> Iterator[AnswerRow]:
    """Yield answers grouped by assignment, in claiming order.

    Assignments are read in a separate query, because PostgreSQL would read all assignments for each batch of a join.
    """
    assignment_columns = ("participation__pseudonym", "hit__number", "state", "reason", "kind")
    columns = (
        "assignment",
        "question__ref",
        "question__kind",
        "value",
        "shown",
        "position",
        "seconds",
        "given_at",
        "repeat",
        "passed",
        "tally",
        "guidelines_version",
        "excluded",
        "question__payload",
        "question__adaptive_round__number",
    )
    included = study.assignments.exclude(participation__excludes_answers=True)
    claimed = included.exclude(kind__in=Assignment.NOT_BY_PEOPLE).order_by("pk").values_list("pk", flat=True)
    keys, round_of_hit = array("q", claimed.iterator(chunk_size=ROWS)), _round_of_hit(study)
    for first in range(0, len(keys), ASSIGNMENTS):
        batch = keys[first : first + ASSIGNMENTS]
        assignments = {
            pk: row for pk, *row in Assignment.objects.filter(pk__in=batch).values_list("pk", *assignment_columns)
        }
        answers = Answer.objects.filter(assignment__in=batch, given_at__isnull=False)
        for row in answers.order_by("assignment", "pk").values_list(*columns):
            assignment, ref, kind, value, shown, position, seconds, at, repeat, passed, tally, *further = row
            version, excluded, payload, adaptive_round = further
            who, hit, state, reason, work = assignments[assignment]
            pilot = hit is not None and hit <= study.pilot_hits
            why = why_not(
                kind, work, state, reason, repeat, bool(excluded), pilot_excluded=pilot and not study.pilot_counts
            )
            yield AnswerRow(
                ref=ref,
                kind=kind,
                value=value,
                shown=shown,
                pseudonym=who,
                hit=hit,
                position=position,
                seconds=seconds,
                given_at=at,
                counts=not why,
                reason=why,
                passed=passed,
                tally=tally,
                pilot=pilot,
                guidelines=version,
                payload=payload,
                round=adaptive_round or round_of_hit(hit),
            )


def _round_of_hit(study: Study) -> Callable[[int | None], int]:
    """Return a function that returns the number of the adaptive round that added a HIT, or 0 for all other HITs."""
    ranges = list(study.rounds.values_list("number", "first_hit", "last_hit"))

    def round_of_hit(hit: int | None) -> int:
        return next((number for number, first, last in ranges if hit is not None and first <= hit <= last), 0)

    return round_of_hit


def _skipped(study: Study) -> Iterator[SkippedRow]:
    """Yield the skipped questions in the claiming order of their assignments, using one query."""
    columns = (
        "question__ref",
        "question__kind",
        "participation__pseudonym",
        "assignment__hit__number",
        "position",
        "skipped",
        "shown",
        "seconds",
        "skipped_at",
        "guidelines_version",
        "question__adaptive_round__number",
    )
    rows = Answer.objects.filter(
        participation__study=study, participation__excludes_answers=False, skipped_at__isnull=False
    )
    rows = rows.exclude(assignment__kind__in=Assignment.NOT_BY_PEOPLE).order_by("assignment", "position")
    for row in rows.values_list(*columns):
        ref, kind, who, hit, position, text, shown, seconds, at, version, adaptive_round = row
        pilot = hit is not None and hit <= study.pilot_hits
        yield SkippedRow(
            ref=ref,
            kind=kind,
            pseudonym=who,
            hit=hit,
            position=position,
            text=text,
            shown=shown,
            seconds=seconds,
            skipped_at=at,
            pilot=pilot,
            guidelines=version,
            round=adaptive_round or 0,
        )


def why_not(
    kind: str, work: str, state: str, reason: str, repeat: bool, excluded: bool, *, pilot_excluded: bool
) -> str:
    """Return the reason why an answer does not count towards results, or an empty string if it counts."""
    if kind != Question.Kind.REGULAR or work != Assignment.Kind.REGULAR:
        return kind if kind != Question.Kind.REGULAR else work
    if state != Assignment.State.DONE:
        return f"{state}: {reason}" if reason else state
    if excluded:
        return "excluded"
    if repeat:
        return REPEAT
    return "pilot" if pilot_excluded else ""
