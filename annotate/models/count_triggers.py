"""Definitions of the counts, used by the triggers that update the counts and by the statements that recalculate all
counts.

A trigger appends the difference between a row's contribution after and before a change. On PostgreSQL, the trigger
locks only the graded gold question, so that no grade is missed if the question is excluded at the same time.
Assignments that count are never deleted: an import that is undone first voids its assignments. The trigger for deleted
answers therefore only runs for graded answers, and subtracts their grades.

An import of many answers counts all its rows with one statement instead of once per row, see `in_bulk`.
"""

# ruff: noqa: S608 - all parts of these statements come from the code

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db.backends.base.base import BaseDatabaseWrapper

FIGURES = ("judgements", "hits", "submitted", "credit", "gold_given", "gold_right")
GOLD_FIGURES = ("given", "missed", "disputed")
_NAMES = {
    "annotate_count_assignment_insert": "annotate_assignment",
    "annotate_count_assignment_update": "annotate_assignment",
    "annotate_count_answer_insert": "annotate_answer",
    "annotate_count_answer_update": "annotate_answer",
    "annotate_count_answer_delete": "annotate_answer",
    "annotate_count_question_update": "annotate_question",
}


_BULK = "accord.counts_in_bulk"  # the setting of a PostgreSQL transaction that keeps inserted rows from being counted


@contextmanager
def in_bulk(connection: BaseDatabaseWrapper, study_id: int, inserted: str) -> Iterator[None]:
    """Count the assignments and answers that the block inserts in a study, using one statement at the end. `inserted`
    is an SQL query for the primary keys of the assignments.

    On SQLite, the triggers count each row. The caller must open a transaction, which must end if the block fails.
    """
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL {_BULK} = 'on'")
        yield
        cursor.execute(f"SET LOCAL {_BULK} = 'off'")
        for statement in _Sql(connection.vendor).of_inserted(study_id, inserted):
            cursor.execute(statement)


def statements(vendor: str) -> dict[str, tuple[str, list[str]]]:
    """Return the table and the statements of each trigger in this database's dialect."""
    sql = _Sql(vendor)
    return {name: (table, sql.trigger(name, table)) for name, table in _NAMES.items()}


def count_anew(connection: BaseDatabaseWrapper, study_id: int | None = None) -> None:
    """Recalculate the counts of one study or all studies from the current rows. The caller must open a transaction
    first.
    """
    sql = _Sql(connection.vendor)
    of_study = "" if study_id is None else f" AND {{}}.study_id = {int(study_id)}"
    with connection.cursor() as cursor:
        for statement in sql.whole(of_study):
            cursor.execute(statement)


class _Sql:
    """The SQL statements for the counts, in one database's dialect. `row` is an alias for a table row, such as OLD or
    NEW in a trigger.
    """

    def __init__(self, vendor: str) -> None:
        self.postgresql = vendor == "postgresql"

    # ── the triggers ──────────────────────────────────────────────────────────────────────────────────────────────
    def trigger(self, name: str, table: str) -> list[str]:
        """Return the statements that create one trigger."""
        event = name.rsplit("_", 1)[1]
        when, body = {
            "annotate_count_assignment_insert": (self._singly(self._counts_at_once()), [self._assignment_inserted()]),
            "annotate_count_assignment_update": (
                self._changed("state", "kind", "credited", "reward", "submitted_at"),
                [self._assignment_updated()],
            ),
            "annotate_count_answer_insert": (self._singly(_counted("NEW")), self._answer("NEW", ("NEW", 1))),
            "annotate_count_answer_update": (self._answer_changed(), self._answer("NEW", ("OLD", -1), ("NEW", 1))),
            "annotate_count_answer_delete": ("OLD.tally IS NOT NULL", self._answer("OLD", ("OLD", -1))),
            "annotate_count_question_update": (self._changed("kind"), [self._question_updated()]),
        }[name]
        start = f"CREATE TRIGGER {name} AFTER {event.upper()} ON {table} FOR EACH ROW WHEN ({when})"
        if not self.postgresql:
            return [f"{start} BEGIN {'; '.join(body)}; END"]
        row = "OLD" if event == "delete" else "NEW"
        lock = f"PERFORM 1 FROM annotate_question WHERE id = {row}.question_id FOR SHARE; "
        graded = f"IF {row}.tally IS NOT NULL THEN {lock} END IF; " if table == "annotate_answer" else ""
        function = (
            f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN {graded}{'; '.join(body)}; RETURN NULL; END $$"
        )
        return [function, f"{start} EXECUTE FUNCTION {name}()"]

    def _counts_at_once(self) -> str:
        return "NEW.kind = 'regular' AND (NEW.credited OR NEW.state IN ('done', 'surplus', 'void'))"

    def _singly(self, condition: str) -> str:
        """Return the condition for counting an inserted row by itself."""
        if not self.postgresql:
            return condition
        return f"({condition}) AND current_setting('{_BULK}', true) IS DISTINCT FROM 'on'"

    def _answer_changed(self) -> str:
        columns = self._changed("given_at", "passed", "repeat", "disputed", "excluded")
        return f"{columns} OR (OLD.tally IS NULL) <> (NEW.tally IS NULL)"

    def _changed(self, *columns: str) -> str:
        differs = "IS DISTINCT FROM" if self.postgresql else "IS NOT"
        return " OR ".join(f"OLD.{column} {differs} NEW.{column}" for column in columns)

    def _assignment_inserted(self) -> str:
        return self._append("NEW.study_id, NEW.participation_id", [self._assignment("NEW", 1)])

    def _assignment_updated(self) -> str:
        """Append a row of counts if the submission, credit or state changes, or if the assignment's answers start or
        stop counting.
        """
        change = f"({_done('NEW')} - {_done('OLD')})"
        answers = (
            f"SELECT {self._hour('r.given_at')}, {change}, 0, 0, 0, 0, 0 FROM annotate_answer r "
            f"JOIN annotate_question q ON q.id = r.question_id WHERE r.assignment_id = NEW.id AND {change} <> 0 "
            f"AND r.given_at IS NOT NULL AND {_included('r')} AND q.kind = 'regular'"
        )
        parts = [self._assignment("OLD", -1), self._assignment("NEW", 1), answers]
        return self._append("NEW.study_id, NEW.participation_id", parts)

    def _answer(self, whose: str, *rows: tuple[str, int]) -> list[str]:
        study = f"(SELECT study_id FROM annotate_assignment WHERE id = {whose}.assignment_id)"
        hours = [
            f"SELECT {self._hour(f'{row}.given_at')}, {self._judgement(row, sign)}, 0, 0, 0, "
            f"{_gold(row, sign, 'gold')}, {_gold(row, sign, 'gold', f'{row}.passed')} {_around(row)} "
            f"AND {row}.given_at IS NOT NULL"
            for row, sign in rows
        ]
        gold = " UNION ALL ".join(
            f"SELECT {row}.question_id, {_gold(row, sign, 'gold', 'retired')} AS given, "
            f"{_missed(row, sign)} AS missed, {_disputed(row, sign)} AS disputed {_around(row)}"
            for row, sign in rows
        )
        return [self._append(f"{study}, {whose}.participation_id", hours), self._append_gold(gold)]

    def _question_updated(self) -> str:
        """Subtract the grades of a gold question excluded by a reviewer."""
        regular, gold = (f"({_is('NEW', kind)} - {_is('OLD', kind)})" for kind in ("regular", "gold"))
        counts = f"a.state = 'done' AND a.kind = 'regular' AND {_included('r')}"
        graded = f"r.tally IS NOT NULL AND {_BY_PEOPLE}"
        return (
            f"{_INTO} SELECT a.study_id, r.participation_id, {self._hour('r.given_at')}, "
            f"SUM(CASE WHEN {counts} THEN {regular} ELSE 0 END), 0, 0, 0, "
            f"SUM(CASE WHEN {graded} THEN {gold} ELSE 0 END), "
            f"SUM(CASE WHEN {graded} AND r.passed THEN {gold} ELSE 0 END), "
            f"{self._no} FROM annotate_answer r JOIN annotate_assignment a ON a.id = r.assignment_id "
            f"WHERE r.question_id = NEW.id AND r.given_at IS NOT NULL AND ({regular} <> 0 OR {gold} <> 0) "
            f"GROUP BY a.study_id, r.participation_id, {self._hour('r.given_at')}"
        )

    # ── many rows at once ─────────────────────────────────────────────────────────────────────────────────────────
    def whole(self, of_study: str) -> list[str]:
        """Return the statements that empty and refill both tables of counts. `of_study` is an additional condition on
        `{}.study_id`.
        """
        questions = f"SELECT id FROM annotate_question WHERE 1 = 1{of_study.format('annotate_question')}"
        counts, gold_counts = self._of_assignments(of_study, self._yes)
        return [
            f"DELETE FROM annotate_hourcount WHERE 1 = 1{of_study.format('annotate_hourcount')}",
            counts,
            f"DELETE FROM annotate_goldcount WHERE question_id IN ({questions})",
            gold_counts,
        ]

    def of_inserted(self, study_id: int, inserted: str) -> list[str]:
        """Return the statements that append the counts of inserted assignments. Like the triggers, the first statement
        locks the gold questions.
        """
        gold = f"study_id = {int(study_id)} AND kind = 'gold'"
        locked = f"SELECT 1 FROM annotate_question WHERE {gold} ORDER BY id FOR SHARE"
        return [locked, *self._of_assignments(f" AND {{}}.id IN ({inserted})", self._no)]

    def _of_assignments(self, chosen: str, summed: str) -> list[str]:
        """Return the statements that append the counts of assignments and of their gold questions. `chosen` is an
        additional condition, in which `{}` stands for the assignment's table.
        """
        hour = self._hour("r.given_at")
        figures = (
            f"SELECT x.study_id, x.participation_id, {self._hour('COALESCE(x.submitted_at, x.claimed_at)')} AS hour, "
            f"0 AS judgements, {_done('x')} AS hits, {_submitted('x')} AS submitted, {_credit('x')} AS credit, "
            f"0 AS gold_given, 0 AS gold_right FROM annotate_assignment x WHERE x.kind = 'regular'{chosen.format('x')} "
            f"UNION ALL SELECT a.study_id, r.participation_id, {hour}, {self._judgement('r', 1)}, 0, 0, 0, "
            f"{_gold('r', 1, 'gold')}, {_gold('r', 1, 'gold', 'r.passed')} "
            f"FROM annotate_answer r JOIN annotate_assignment a ON a.id = r.assignment_id "
            f"JOIN annotate_question q ON q.id = r.question_id "
            f"WHERE r.given_at IS NOT NULL{chosen.format('a')}"
        )
        sums, gold_sums = (", ".join(f"SUM({name})" for name in names) for names in (FIGURES, GOLD_FIGURES))
        gold = (
            f"SELECT r.question_id, {_gold('r', 1, 'gold', 'retired')} AS given, {_missed('r', 1)} AS missed, "
            f"{_disputed('r', 1)} AS disputed FROM annotate_answer r "
            f"JOIN annotate_question q ON q.id = r.question_id JOIN annotate_assignment a ON a.id = r.assignment_id "
            f"WHERE r.tally IS NOT NULL{chosen.format('a')}"
        )
        return [
            f"{_INTO} SELECT study_id, participation_id, hour, {sums}, {summed} FROM ({figures}) c {_BY_HOUR}",
            f"{_INTO_GOLD} SELECT question_id, {gold_sums}, {summed} FROM ({gold}) c {_BY_QUESTION}",
        ]

    # ── parts ─────────────────────────────────────────────────────────────────────────────────────────────────────
    @property
    def _no(self) -> str:
        return "false" if self.postgresql else "0"

    @property
    def _yes(self) -> str:
        return "true" if self.postgresql else "1"

    def _hour(self, time: str) -> str:
        """Return an SQL expression for the start of the hour in UTC. SQLite stores times as text."""
        return f"date_trunc('hour', {time}, 'UTC')" if self.postgresql else f"substr({time}, 1, 13) || ':00:00'"

    def _assignment(self, row: str, sign: int) -> str:
        hour = self._hour(f"COALESCE({row}.submitted_at, {row}.claimed_at)")
        return (
            f"SELECT {hour} AS hour, 0 AS judgements, {sign} * {_done(row)} AS hits, "
            f"{sign} * {_submitted(row)} AS submitted, {sign} * {_credit(row)} AS credit, 0 AS gold_given, "
            "0 AS gold_right"
        )

    def _judgement(self, row: str, sign: int) -> str:
        counts = f"a.state = 'done' AND a.kind = 'regular' AND q.kind = 'regular' AND {_included(row)}"
        return _when(counts, sign)

    def _append(self, whose: str, parts: list[str]) -> str:
        named = f"SELECT NULL AS hour, {', '.join(f'0 AS {name}' for name in FIGURES)} WHERE 1 = 0"
        if self.postgresql:
            named = named.replace("NULL AS", "NULL::timestamptz AS").replace("0 AS credit", "0::numeric AS credit")
        sums = ", ".join(f"SUM({name})" for name in FIGURES)
        return (
            f"{_INTO} SELECT {whose}, hour, {sums}, {self._no} FROM ({' UNION ALL '.join([named, *parts])}) c "
            f"GROUP BY hour HAVING {_any(FIGURES)}"
        )

    def _append_gold(self, parts: str) -> str:
        sums = ", ".join(f"SUM({name})" for name in GOLD_FIGURES)
        return (
            f"{_INTO_GOLD} SELECT question_id, {sums}, {self._no} FROM ({parts}) c GROUP BY question_id "
            f"HAVING {_any(GOLD_FIGURES)}"
        )


_INTO = f"INSERT INTO annotate_hourcount (study_id, participation_id, hour, {', '.join(FIGURES)}, summed)"
_INTO_GOLD = f"INSERT INTO annotate_goldcount (question_id, {', '.join(GOLD_FIGURES)}, summed)"
_BY_PEOPLE = "a.kind NOT IN ('try', 'program')"


def _around(row: str) -> str:
    """Return the part of a query that joins an answer to its assignment and question."""
    return (
        f"FROM annotate_assignment a JOIN annotate_question q ON q.id = {row}.question_id "
        f"WHERE a.id = {row}.assignment_id"
    )


def _counted(row: str) -> str:
    """Return the SQL condition for an answer that affects counts. An unanswered gold question in a batch has no time,
    but counts as missed.
    """
    return f"{row}.given_at IS NOT NULL OR {row}.tally IS NOT NULL"


def _included(row: str) -> str:
    """Return the SQL condition for an answer that is neither repeated nor excluded by a researcher."""
    return f"NOT {row}.repeat AND {row}.excluded = ''"


def _when(condition: str, sign: int = 1, value: str = "1") -> str:
    return f"CASE WHEN {condition} THEN {sign} * {value} ELSE 0 END"


def _done(row: str) -> str:
    return _when(f"{row}.state = 'done' AND {row}.kind = 'regular'")


def _submitted(row: str) -> str:
    ended = f"{row}.state IN ('done', 'surplus', 'void') AND {row}.submitted_at IS NOT NULL"
    return _when(f"{row}.kind = 'regular' AND {ended}")


def _credit(row: str) -> str:
    return _when(f"{row}.kind = 'regular' AND {row}.credited", value=f"{row}.reward")


def _gold(row: str, sign: int, *conditions: str) -> str:
    kinds = [name for name in conditions if name in ("gold", "retired")]
    further = "".join(f" AND {name}" for name in conditions if name not in kinds)
    listed = ", ".join(f"'{kind}'" for kind in kinds)
    return _when(f"q.kind IN ({listed}) AND {row}.tally IS NOT NULL AND {_BY_PEOPLE}{further}", sign)


def _missed(row: str, sign: int) -> str:
    return _gold(row, sign, "gold", "retired", f"NOT {row}.passed")


def _disputed(row: str, sign: int) -> str:
    # A dispute is settled if a new expected answer makes the annotator's answer correct.
    return _gold(row, sign, "gold", "retired", f"{row}.disputed", f"NOT {row}.passed")


def _is(row: str, kind: str) -> str:
    return _when(f"{row}.kind = '{kind}'")


def _any(names: tuple[str, ...]) -> str:
    return " OR ".join(f"SUM({name}) <> 0" for name in names)


_BY_HOUR = f"GROUP BY study_id, participation_id, hour HAVING {_any(FIGURES)}"
_BY_QUESTION = f"GROUP BY question_id HAVING {_any(GOLD_FIGURES)}"
