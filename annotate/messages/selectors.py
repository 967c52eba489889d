"""Messages in a study: annotators' messages and other feedback, and the research team's messages.

Each kind of entry comes from the table that stores it. The number of queries does not depend on the number of entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeAlias

from django.db.models import BigIntegerField, CharField, Count, F, Q, QuerySet, Value

from annotate.core.selectors.remarks import UNANSWERED, is_answered
from annotate.models import Annotator, Answer, Assignment, Event, Participation, Question, Remark, Study, TeamMessage
from annotate.tasktypes import MessageRow

ROWS = 1_000  # maximum number of entries in one query of `message_table`


class Kind(StrEnum):
    """The kinds of entries, in the order of the filters."""

    OBJECTION = "objection"
    PROBLEM = "problem"
    COMMENT = "comment"
    SKIP = "skip"
    DISPUTE = "dispute"
    RETURN = "return"
    WITHDRAWAL = "withdrawal"


REMARKS = (Kind.OBJECTION, Kind.PROBLEM, Kind.COMMENT)
ANSWERS = {Kind.SKIP: "skipped_at", Kind.DISPUTE: "acknowledged_at"}
EVENTS = {Kind.RETURN: "returned HIT", Kind.WITHDRAWAL: "withdrew"}

# An entry's key: its kind, its primary key in the table for this kind, and its time.
Key: TypeAlias = tuple[str, int, datetime]


@dataclass(frozen=True)
class Message:
    """An entry in the list of messages. `id` is empty for entries that are not messages, because such entries cannot
    have a reply.

    `text` is the message, the reason for skipping a question, or the comment on a disputed gold answer.
    """

    kind: str
    id: str
    participation: Participation
    question: Question | None
    hit: int | None
    at: datetime
    text: str
    state: str
    reply: str = ""
    replied_by: str = ""
    replied_at: datetime | None = None


@dataclass(frozen=True)
class Counts:
    """The number of entries of each kind, and the number of messages without a reply."""

    kinds: dict[str, int]
    unanswered: int

    def matching(self, kind: str, *, unanswered: bool) -> int:
        """Return the number of list entries that match these filters."""
        if unanswered:
            return self.unanswered
        return self.kinds[kind] if kind in self.kinds else sum(self.kinds.values())


def message_keys(
    study: Study,
    *,
    kind: str = "",
    unanswered: bool = False,
    annotator: Participation | None = None,
    exported: bool = False,
) -> QuerySet[Any, Key]:
    """Return the keys of the entries, newest first. An unknown `kind` means all kinds.

    If `unanswered` is true, only messages without a reply are included. If `exported` is true, entries from annotators
    who have excluded their answers are omitted.
    """
    kinds = [Kind(kind)] if kind in set(Kind) else list(Kind)
    remarks = study.remarks.filter(kind__in=[each for each in kinds if each in REMARKS])
    parts = [_keyed(_of(remarks.filter(UNANSWERED) if unanswered else remarks, annotator), F("kind"), "sent_at")]
    if not unanswered:
        parts += [
            _keyed(_of(_answers(study, each), annotator), _word(each), ANSWERS[each])
            for each in kinds
            if each in ANSWERS
        ]
        parts += [_keyed(_of(_events(study, each), annotator), _word(each), "at") for each in kinds if each in EVENTS]
    if exported:
        parts = [part.filter(participation__excludes_answers=False) for part in parts]
    first, *others = [part.values_list("entry_kind", "entry_pk", "entry_at") for part in parts]
    united = first.union(*others, all=True) if others else first
    return united.order_by("-entry_at", "-entry_pk", "entry_kind")


def message_counts(study: Study, annotator: Participation | None = None) -> Counts:
    """Return the number of entries of each kind. Four queries are needed."""
    kinds: dict[str, int] = dict.fromkeys(Kind, 0)
    unanswered = 0
    remarks = _of(study.remarks.all(), annotator).order_by().values("kind")
    rows: Any = remarks.annotate(sent=Count("pk"), waiting=Count("pk", filter=UNANSWERED))
    for row in rows:
        kinds[row["kind"]], unanswered = row["sent"], unanswered + row["waiting"]
    for kind in ANSWERS:
        kinds[kind] = _of(_answers(study, kind), annotator).count()
    verbs = {verb: kind for kind, verb in EVENTS.items()}
    events = _of(study.events.filter(verb__in=verbs), annotator).order_by().values("verb")
    for event in events.annotate(number=Count("pk")):
        kinds[verbs[event["verb"]]] = event["number"]
    return Counts(kinds, unanswered)


def messages(keys: Sequence[Key]) -> list[Message]:
    """Return the entries with these keys in the same order, in three queries."""
    wanted: dict[str, list[int]] = {}
    for kind, pk, _ in keys:
        wanted.setdefault(kind, []).append(pk)
    remarks = Remark.objects.select_related(
        "participation", "replied_by", "answer__question", "answer__assignment__hit"
    ).in_bulk([pk for kind in REMARKS for pk in wanted.get(kind, [])])
    answers = Answer.objects.select_related("participation", "question", "assignment__hit").in_bulk(
        [pk for kind in ANSWERS for pk in wanted.get(kind, [])]
    )
    events = Event.objects.select_related("participation").in_bulk(
        [pk for kind in EVENTS for pk in wanted.get(kind, [])]
    )
    entries = []
    for kind, pk, at in keys:
        if kind in REMARKS:
            entries.append(_remark(remarks[pk]))
        elif kind in EVENTS:
            entries.append(_event(kind, events[pk]))
        else:
            entries.append(_answer(kind, answers[pk], at))
    return entries


def message_table(study: Study) -> Iterator[MessageRow]:
    """Yield the rows for exports in batches, newest first. Entries from annotators who have excluded their answers are
    omitted.
    """
    keys = list(message_keys(study, exported=True))
    for first in range(0, len(keys), ROWS):
        for entry in messages(keys[first : first + ROWS]):
            yield MessageRow(
                kind=entry.kind,
                id=entry.id,
                pseudonym=entry.participation.pseudonym,
                ref=entry.question.ref if entry.question else "",
                hit=entry.hit,
                at=entry.at,
                text=entry.text,
                state=entry.state,
                reply=entry.reply,
                replied_by=entry.replied_by,
                replied_at=entry.replied_at,
            )


def _answers(study: Study, kind: str) -> QuerySet[Answer]:
    """Return the skipped or disputed answers that their annotators have not excluded from the study."""
    chosen = Q(skipped_at__isnull=False) if kind == Kind.SKIP else Q(disputed=True, acknowledged_at__isnull=False)
    return Answer.objects.filter(chosen, participation__study=study, participation__excludes_answers=False)


def _events(study: Study, kind: Kind) -> QuerySet[Event]:
    return study.events.filter(verb=EVENTS[kind], participation__isnull=False)


def _of(rows: QuerySet[Any], annotator: Participation | None) -> QuerySet[Any]:
    """Return the rows of one annotator, or of all annotators except try-outs and programs."""
    if annotator is not None:
        return rows.filter(participation=annotator)
    people = rows.exclude(participation__annotator__platform=Annotator.Platform.TRY)
    return people.exclude(participation__annotator__is_program=True)


def _keyed(rows: QuerySet[Any], kind: Any, time: str) -> QuerySet[Any]:
    return rows.order_by().annotate(
        entry_kind=kind,
        entry_pk=Value(0, BigIntegerField()) + F("pk"),
        entry_at=F(time),
    )


def _word(kind: str) -> Value:
    return Value(str(kind), CharField())


def _remark(remark: Remark) -> Message:
    answer = remark.answer
    hit = answer.assignment.hit if answer else None
    return Message(
        kind=remark.kind,
        id=remark.public_id,
        participation=remark.participation,
        question=answer.question if answer else None,
        hit=hit.number if hit else None,
        at=remark.sent_at,
        text=remark.text,
        state="answered" if is_answered(remark) else "unanswered",
        reply=remark.reply,
        replied_by=str(remark.replied_by) if remark.replied_by else "",
        replied_at=remark.replied_at,
    )


def _answer(kind: str, answer: Answer, at: datetime) -> Message:
    hit = answer.assignment.hit
    return Message(
        kind=kind,
        id="",
        participation=answer.participation,
        question=answer.question,
        hit=hit.number if hit else None,
        at=at,
        text=answer.skipped if kind == Kind.SKIP else answer.dispute_note,
        state=_state_of_skip(answer) if kind == Kind.SKIP else _state_of_dispute(answer),
    )


def _state_of_skip(answer: Answer) -> str:
    if answer.tally is not None:
        return "counts as missed"
    if answer.assignment.submitted_at is None:
        return "not submitted"
    regular = answer.question.kind == Question.Kind.REGULAR and answer.assignment.kind == Assignment.Kind.REGULAR
    return "asked again" if regular and not answer.repeat else "not counted"


def _state_of_dispute(answer: Answer) -> str:
    return "question excluded" if answer.question.kind == Question.Kind.RETIRED else "question in use"


def _event(kind: str, event: Event) -> Message:
    kept = "answers kept" if event.detail.get("keep_answers") else "answers excluded"
    return Message(
        kind=kind,
        id="",
        participation=event.participation,  # type: ignore[arg-type]  # `_events` omits events without a participation
        question=None,
        hit=event.detail.get("hit"),
        at=event.at,
        text="",
        state="not paid" if kind == Kind.RETURN else kept,
    )


def own_messages(participation: Participation) -> list[Remark]:
    """Return the annotator's messages and objections, newest first, each with the question that it concerns."""
    return list(participation.remarks.select_related("answer__assignment").order_by("-sent_at", "-pk"))


def received(participation: Participation) -> QuerySet[TeamMessage]:
    """Return this annotator's messages and the messages sent to all annotators since this annotator joined, newest
    first.
    """
    to_all = Q(participation=None, sent_at__gte=participation.joined_at)
    messages = TeamMessage.objects.filter(Q(participation=participation) | to_all, study=participation.study_id)
    return messages.select_related("sent_by").order_by("-sent_at", "-pk")


def sent(study: Study) -> QuerySet[TeamMessage]:
    """Return all messages from the research team, newest first."""
    return study.team_messages.select_related("sent_by", "participation").order_by("-sent_at", "-pk")
