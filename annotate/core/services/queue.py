"""SQL queries on the queue of slots, which close the next slot, lease it, and read its HIT's questions.

The SQL is written by hand because the ORM cannot express it: one statement finds and closes a slot, a conflict needs no
savepoint, and the lease ends by the database's clock. Both databases use the same text, except for a few places that
check `connection.vendor`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import connection

from annotate.models import Annotator, Assignment, Participation, Question, Study
from annotate.server import clock

from .leases import unstarted_minutes

# A slot is suitable if it is open and the annotator has seen neither its HIT nor any of its questions. `fence` prevents
# PostgreSQL from joining all open slots with all answers, so that it reads the queue in order and stops at the first
# match. It also prevents PostgreSQL from reading all answers of the annotator for each slot: it looks each question up.
_SUITABLE = """
    FROM annotate_slot s WHERE s.{queue} AND s.open = {open}
    AND NOT EXISTS (SELECT 1 FROM annotate_hitquestion hq WHERE hq.hit_id = s.hit_id
        AND EXISTS (SELECT 1 FROM annotate_answer met
            WHERE met.question_id = hq.question_id AND met.participation_id = %(participation)s {fence}) {fence})
    AND NOT EXISTS (SELECT 1 FROM annotate_assignment taken
        WHERE taken.participation_id = %(participation)s AND taken.hit_id = s.hit_id {fence})
"""
# In a study with quotas, an annotator's queue contains only the slots of the annotator's group. An annotator without a
# group has no queue.
_QUEUE_OF_STUDY = "study_id = %(study)s"
_QUEUE_OF_GROUP = "group_id = %(group)s"
_OWN_NAME = "SELECT n.id FROM annotate_namedannotator n WHERE n.participation_id = %(participation)s"
# The named annotators whose reservations have no effect, selected as in NamedAnnotatorQuerySet.ended.
_ENDED_NAMES = """
    SELECT n.id FROM annotate_namedannotator n LEFT JOIN annotate_participation p ON p.id = n.participation_id
    WHERE n.study_id = %(study)s AND (n.name = '' OR p.standing IN ('stopped', 'withdrawn', 'done'))
"""
# Only the annotator with the reservation can take a reserved slot, and this annotator takes it before any other slot of
# the HIT.
_NAMED = """
    AND (s.reserved_for_id IN ({own_name})
    OR (s.reserved_for_id IS NULL OR s.reserved_for_id IN ({ended_names}))
    AND NOT EXISTS (SELECT 1 FROM annotate_slot own
        JOIN annotate_namedannotator n ON n.id = own.reserved_for_id
        WHERE own.hit_id = s.hit_id AND n.participation_id = %(participation)s {fence}))
"""
# When an annotator takes a slot, another annotator's reservation of that slot ends permanently.
_KEEP_OWN_RESERVATION = f", reserved_for_id = CASE WHEN reserved_for_id IN ({_OWN_NAME}) THEN reserved_for_id END"
_PILOT = "AND EXISTS (SELECT 1 FROM annotate_hit h WHERE h.id = s.hit_id AND h.number <= %(pilot)s)"
_WITHOUT_GOLD = " AND s.gold_set_id IS NULL"
# The gold sets whose questions are all new to the annotator.
_NEW_SETS = """
    FROM annotate_goldset g WHERE g.study_id = %(study)s
    AND NOT EXISTS (SELECT 1 FROM annotate_goldsetquestion gq WHERE gq.gold_set_id = g.id
        AND EXISTS (SELECT 1 FROM annotate_answer met
            WHERE met.question_id = gq.question_id AND met.participation_id = %(participation)s {fence}) {fence})
"""
# The next suitable slot with only new gold questions is usually close, because HITs get the sets in turn. The limit
# keeps the cost of the search constant.
_NEARBY = """
    AND s.place > %(cursor)s AND s.place <= (SELECT MAX(place) FROM (SELECT near.place FROM annotate_slot near
        WHERE near.{queue} AND near.open = 1 AND near.place > %(cursor)s
        ORDER BY near.place LIMIT {nearby}) nearby)
"""
_WITH_NEW_GOLD = """
    AND NOT EXISTS (SELECT 1 FROM annotate_goldsetquestion gq WHERE gq.gold_set_id = s.gold_set_id
        AND EXISTS (SELECT 1 FROM annotate_answer met
            WHERE met.question_id = gq.question_id AND met.participation_id = %(participation)s {fence}) {fence})
"""
NEARBY = 100  # open slots
_QUESTIONS = """
    SELECT q.id, q.ref, q.kind, q.payload, q.gold, q.explanation, hq.position AS place
    FROM annotate_hitquestion hq JOIN annotate_question q ON q.id = hq.question_id WHERE hq.hit_id = %(hit)s
"""
_GOLD = """
    UNION ALL SELECT q.id, q.ref, q.kind, q.payload, q.gold, q.explanation, gq.position AS place
    FROM annotate_goldsetquestion gq JOIN annotate_question q ON q.id = gq.question_id
    WHERE gq.gold_set_id = %(gold_set)s AND q.kind = 'gold' AND NOT EXISTS (
        SELECT 1 FROM annotate_answer met WHERE met.participation_id = %(participation)s AND met.question_id = q.id)
"""


class Taken(NamedTuple):
    """A slot that this transaction closed for an annotator."""

    slot: int
    hit: int
    place: int
    gold_set: int | None


def take_slot_with_new_gold(participation: Participation) -> Taken | None:
    """Close and return the first suitable slot of a HIT whose gold questions are all new to the annotator, or None.

    See `take_slot`.
    """
    suitable = _suitable(participation)
    return _first_taken([_nearby_with_new_gold(suitable, participation), _first_with_new_gold(suitable)], participation)


def take_slot(participation: Participation, *, without_gold: bool = False) -> Taken | None:
    """Close and return the first suitable slot after the cursor or, if there is none, the first suitable slot in the
    queue.

    If `without_gold` is true, HITs with gold questions are not suitable.

    Return None if no slot is suitable. The search skips slots that other transactions have locked, so claims do not
    wait for each other.
    """
    suitable = _suitable(participation) + (_WITHOUT_GOLD if without_gold else "")
    searches = [_in_queue(suitable, "s.place > %(cursor)s")]
    if participation.cursor:
        searches.append(_in_queue(suitable, "s.place <= %(cursor)s"))
    return _first_taken(searches, participation)


def _first_taken(searches: list[str], participation: Participation) -> Taken | None:
    return next((taken for search in searches if (taken := _take(search, participation)) is not None), None)


def suitable_hits(participation: Participation, *, at_most: int) -> int:
    """Return how many HITs have a suitable open slot. The count stops at `at_most`."""
    hits = f"SELECT DISTINCT s.hit_id {_suitable(participation)} LIMIT %(at_most)s"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*) FROM ({hits}) hits", {**_names(participation), "at_most": at_most})  # noqa: S608
        return int(cursor.fetchone()[0])


def anything_left(participation: Participation, *, new_gold_only: bool = False) -> bool:
    """Return whether a suitable slot is open, including slots that other transactions have locked.

    If `new_gold_only` is true, HITs with a gold question that the annotator knows are not suitable.
    """
    suitable = _suitable(participation)
    sql = f"EXISTS (SELECT 1 {suitable})"
    if new_gold_only:
        in_new_set = f"EXISTS (SELECT 1 {suitable} AND s.gold_set_id = g.id)"
        sql = (
            f"EXISTS (SELECT 1 {suitable} {_WITHOUT_GOLD}) "
            f"OR EXISTS (SELECT 1 {_NEW_SETS.format(fence=_fence())} AND {in_new_set})"
        )
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {sql}", _names(participation))
        return bool(cursor.fetchone()[0])


def held_assignments(participation: Participation, *, new_gold_only: bool) -> list[int]:
    """Return the keys of other annotators' open assignments whose slots the annotator could take if they came free.

    If `new_gold_only` is true, HITs with a gold question that the annotator knows are not suitable.
    """
    suitable = _suitable(participation, is_open=False)
    if new_gold_only:
        suitable += _WITH_NEW_GOLD.format(fence=_fence())
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT held.id FROM annotate_assignment held WHERE held.study_id = %(study)s AND held.state = 'leased' "  # noqa: S608
            f"AND EXISTS (SELECT 1 {suitable} AND s.id = held.slot_id)",
            _names(participation),
        )
        return [key for (key,) in cursor.fetchall()]


def lease(taken: Taken, participation: Participation, source: str) -> Assignment | None:
    """Create an assignment that holds the slot with a short lease, because the HIT has not been started.

    Returns None if another assignment already holds the slot, according to the unique index.
    """
    study = participation.study
    assignment = Assignment(
        study=study,
        participation=participation,
        hit_id=taken.hit,
        slot_id=taken.slot,
        source=source,
        lease_until=clock.now() + timedelta(minutes=unstarted_minutes(study)),
        # Simulated annotators earn nothing, so that they do not affect pay totals or use any budget.
        reward=Decimal(0) if participation.annotator.platform == Annotator.Platform.SIMULATED else study.reward,
    )
    fields = [field for field in Assignment._meta.concrete_fields if not field.primary_key]
    values = [field.get_db_prep_save(field.pre_save(assignment, add=True), connection) for field in fields]
    places = ["%s"] * len(fields)
    if connection.vendor == "postgresql":  # web processes on several machines must agree on the end of a lease
        at = next(number for number, field in enumerate(fields) if field.name == "lease_until")
        places[at], values[at] = "clock_timestamp() + make_interval(mins => %s)", unstarted_minutes(study)
    columns = ", ".join(f'"{field.column}"' for field in fields)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO annotate_assignment ({columns}) VALUES ({', '.join(places)}) "  # noqa: S608
            "ON CONFLICT DO NOTHING RETURNING id, lease_until",
            values,
        )
        row = cursor.fetchone()
    if row is None:
        return None
    assignment.pk = row[0]
    if connection.vendor == "postgresql":
        assignment.lease_until = row[1]
    assignment._state.adding = False
    return assignment


@dataclass(frozen=True)
class HitQuestions:
    """A HIT's regular questions in order, and its gold questions that are new to the annotator, with their `place` in
    the gold set.
    """

    regular: list[Question]
    gold: list[Any]


def questions_of(hit_id: int, gold_set_id: int | None, participation: Participation) -> HitQuestions:
    """Return the questions of the HIT and of its gold set in one query."""
    sql, names = _QUESTIONS, dict[str, Any](hit=hit_id)
    if participation.study.gold_block and gold_set_id is not None:
        sql += _GOLD
        names |= {"gold_set": gold_set_id, "participation": participation.pk}
    rows: list[Any] = sorted(Question.objects.raw(sql, names), key=attrgetter("place"))
    return HitQuestions(
        [row for row in rows if row.kind == Question.Kind.REGULAR],
        [row for row in rows if row.kind != Question.Kind.REGULAR],
    )


def _take(search: str, participation: Participation) -> Taken | None:
    reservation = _KEEP_OWN_RESERVATION if participation.study.admission == Study.Admission.NAMED else ""
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE annotate_slot SET open = 0{reservation} WHERE id = ({search}) "  # noqa: S608
            "RETURNING id, hit_id, place, gold_set_id",
            _names(participation),
        )
        row = cursor.fetchone()
    return Taken(*row) if row else None


def _in_queue(suitable: str, where: str) -> str:
    return f"SELECT s.id {suitable} AND {where} ORDER BY s.place LIMIT 1 {_skip_locked()}"


def _nearby_with_new_gold(suitable: str, participation: Participation) -> str:
    return _in_queue(
        suitable,
        "s.gold_set_id IS NOT NULL"
        + _NEARBY.format(nearby=NEARBY, queue=_queue(participation.study))
        + _WITH_NEW_GOLD.format(fence=_fence()),
    )


def _first_with_new_gold(suitable: str) -> str:
    """Return a search in the open slots of each gold set. The index on gold sets avoids a scan."""

    def of_set(where: str) -> str:
        return f"(SELECT s.id {suitable} AND s.gold_set_id = g.id AND {where} ORDER BY s.place LIMIT 1)"

    first = f"COALESCE({of_set('s.place > %(cursor)s')}, {of_set('s.place <= %(cursor)s')})"
    return (
        f"SELECT s.id FROM annotate_slot s WHERE s.id IN (SELECT {first} {_NEW_SETS.format(fence=_fence())}) "  # noqa: S608
        f"AND s.open = 1 ORDER BY s.place <= %(cursor)s, s.place LIMIT 1 {_skip_locked()}"
    )


def _suitable(participation: Participation, *, is_open: bool = True) -> str:
    study, fence = participation.study, _fence()
    sql = _SUITABLE.format(fence=fence, open=int(is_open), queue=_queue(study))
    if study.admission == Study.Admission.NAMED:
        sql += _NAMED.format(fence=fence, own_name=_OWN_NAME, ended_names=_ENDED_NAMES)
    if study.piloting:
        sql += _PILOT
    return sql


def _queue(study: Study) -> str:
    return _QUEUE_OF_GROUP if study.has_quotas else _QUEUE_OF_STUDY


def _fence() -> str:
    return "OFFSET 0" if connection.vendor == "postgresql" else ""


def _skip_locked() -> str:
    return "FOR NO KEY UPDATE OF s SKIP LOCKED" if connection.vendor == "postgresql" else ""


def _names(participation: Participation) -> Mapping[str, Any]:
    study = participation.study
    return {
        "study": study.pk,
        "group": participation.group_id,
        "participation": participation.pk,
        "cursor": participation.cursor,
        "pilot": study.pilot_hits,
    }
