"""Triggers that make the database reject changes to final answers, log entries, consent texts, reports and pay entries,
and credit that a stop does not earn.

The triggers are SQL for both databases. Migrations create them. A migration that changes such a table drops the
triggers first and creates them last, because SQLite recreates the table. Tests that empty the database do the same.
"""

from __future__ import annotations

from django.db.backends.base.base import BaseDatabaseWrapper

from . import count_triggers

# A graded answer becomes final immediately, and only a new version of the expected answer can change its grade. An
# ungraded answer, and later changes to a graded answer, become final when the assignment is submitted.
_SUBMITTED = """EXISTS (
    SELECT 1 FROM annotate_assignment a WHERE a.id = OLD.assignment_id AND a.submitted_at IS NOT NULL)"""
_FROZEN = f"({{answered}}) AND (OLD.tally IS NOT NULL OR {_SUBMITTED})"
# Only one kind of answer can be deleted: answers in imported assignments that an undone import has already removed.
_REMOVED = """EXISTS (SELECT 1 FROM annotate_assignment a WHERE a.id = OLD.assignment_id AND a.source = 'mturk'
    AND a.state = 'void' AND a.submitted_at IS NULL AND a.reason = 'removed with its import')"""
_ANSWER_COLUMNS = (
    "value",
    "given_at",
    "feedback_version",
    "always_missed",
    "question_id",
    "assignment_id",
    "participation_id",
    "shown",
    "position",
    "seconds",
    "trace",
    "skipped",
    "skipped_at",
    "guidelines_version",
)
_GRADE_COLUMNS = ("tally", "passed", "graded_version")
_JSON_COLUMNS = ("value", "shown", "trace", "tally", "later")  # PostgreSQL's type `json` has no equality
_REGRADED = """NEW.tally IS NOT NULL AND NEW.graded_version > OLD.graded_version AND NEW.graded_version = (
    SELECT q.gold_version FROM annotate_question q WHERE q.id = OLD.question_id)"""
# The unique index on `open_at_stop` allows one such HIT for each annotator, and only the stop itself can choose it.
_UNEARNED = """OLD.state = 'void' AND (NEW.state = 'void' AND NEW.credited AND NOT OLD.credited AND NOT NEW.open_at_stop
    OR NEW.open_at_stop AND NOT OLD.open_at_stop)"""
_MESSAGES = {
    "annotate_assignment": "a stop earns no HIT other than the one that was open",
    "annotate_answer": "a graded or submitted answer never changes",
    "annotate_event": "the log is append-only",
    "annotate_report": "a report never changes and stays",
    "annotate_consent": "a consent text never changes; write a new version",
    "annotate_guidelines": "a version of the guidelines never changes; write a new version",
    "annotate_payment": "a payment never changes; add a correction",
    "annotate_payentry": "a pay entry never changes; add a correction",
}
_APPEND_ONLY = {
    "annotate_event": ("UPDATE", "DELETE"),
    "annotate_report": ("UPDATE", "DELETE"),
    "annotate_consent": ("UPDATE", "DELETE"),
    "annotate_guidelines": ("UPDATE", "DELETE"),
    "annotate_payment": ("UPDATE", "DELETE"),
    "annotate_payentry": ("UPDATE", "DELETE"),
}


def create(connection: BaseDatabaseWrapper) -> None:
    """Create the triggers on this connection's database.

    Older migrations call this function too, so columns and tables that later migrations add can be missing.
    """
    guard = _Guard(connection)
    _run(connection, guard.postgresql() if connection.vendor == "postgresql" else guard.sqlite())
    count_triggers.create(connection)


def drop(connection: BaseDatabaseWrapper) -> None:
    """Drop the triggers if they exist."""
    count_triggers.drop(connection)
    tables = connection.introspection.table_names()
    on = connection.vendor == "postgresql"
    _run(
        connection,
        [f"DROP TRIGGER IF EXISTS {name}{f' ON {table}' if on else ''}" for name, table in _names() if table in tables],
    )


def _run(connection: BaseDatabaseWrapper, statements: list[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _names() -> list[tuple[str, str]]:
    pairs = [(f"annotate_answer_no_{event.lower()}", "annotate_answer") for event in ("UPDATE", "DELETE")]
    pairs.append(("annotate_assignment_no_credit", "annotate_assignment"))
    return pairs + [(f"{t}_no_{event.lower()}", t) for t, events in _APPEND_ONLY.items() for event in events]


class _Guard:
    """The statements that create the triggers for the tables and columns in the database."""

    def __init__(self, connection: BaseDatabaseWrapper) -> None:
        tables = connection.introspection.table_names()
        self.is_postgresql = connection.vendor == "postgresql"
        with connection.cursor() as cursor:
            columns, assignment_columns = (
                {column.name for column in connection.introspection.get_table_description(cursor, table)}
                for table in ("annotate_answer", "annotate_assignment")
            )
        self.columns = [column for column in _ANSWER_COLUMNS if column in columns]
        self.append_only = {table: events for table, events in _APPEND_ONLY.items() if table in tables}
        self.grades = [column for column in _GRADE_COLUMNS if column in columns]
        self.has_versions = "graded_version" in columns
        self.has_later = "later" in columns
        self.has_open_at_stop = "open_at_stop" in assignment_columns
        answered = "OLD.value IS NOT NULL OR OLD.skipped <> ''" if "skipped" in columns else "OLD.value IS NOT NULL"
        self.frozen = _FROZEN.format(answered=answered)

    def sqlite(self) -> list[str]:
        def trigger(table: str, event: str, when: str) -> str:
            return (
                f"CREATE TRIGGER {table}_no_{event.lower()} BEFORE {event} ON {table} {when} "
                f"BEGIN SELECT RAISE(ABORT, '{_MESSAGES[table]}'); END"
            )

        statements = [
            trigger("annotate_answer", "UPDATE", f"WHEN ({self.frozen}) AND ({self._changed('IS NOT')})"),
            trigger("annotate_answer", "DELETE", f"WHEN {self.frozen} AND NOT {_REMOVED}"),
        ]
        if self.has_open_at_stop:
            statements.append(
                "CREATE TRIGGER annotate_assignment_no_credit BEFORE UPDATE ON annotate_assignment "
                f"WHEN {_UNEARNED} BEGIN SELECT RAISE(ABORT, '{_MESSAGES['annotate_assignment']}'); END"
            )
        return statements + [trigger(t, event, "") for t, events in self.append_only.items() for event in events]

    def postgresql(self) -> list[str]:
        def function(table: str) -> str:
            return (
                f"CREATE OR REPLACE FUNCTION {table}_refuse() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$ BEGIN RAISE EXCEPTION '{_MESSAGES[table]}' USING ERRCODE = 'integrity_constraint_violation'; "
                "END $$"
            )

        answer = f"""CREATE OR REPLACE FUNCTION annotate_answer_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF TG_OP = 'DELETE' THEN
                IF ({self.frozen}) AND NOT {_REMOVED} THEN
                    RAISE EXCEPTION '{_MESSAGES["annotate_answer"]}' USING ERRCODE = 'integrity_constraint_violation';
                END IF;
                RETURN OLD;
            END IF;
            IF ({self.frozen}) AND ({self._changed("IS DISTINCT FROM")}) THEN
                RAISE EXCEPTION '{_MESSAGES["annotate_answer"]}' USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN NEW;
        END $$"""
        statements = [answer, *(function(table) for table in self.append_only)]
        # Updates and deletions need separate triggers, because a DELETE has no NEW row for comparison.
        statements += [
            f"CREATE TRIGGER {name} BEFORE {name.rsplit('_', 1)[1].upper()} ON {table} FOR EACH ROW EXECUTE FUNCTION "
            f"{'annotate_answer_guard' if table == 'annotate_answer' else table + '_refuse'}()"
            for name, table in _names()
            if table == "annotate_answer" or table in self.append_only
        ]
        if self.has_open_at_stop:
            statements.append(function("annotate_assignment"))
            statements.append(
                "CREATE TRIGGER annotate_assignment_no_credit BEFORE UPDATE ON annotate_assignment FOR EACH ROW "
                f"WHEN ({_UNEARNED}) EXECUTE FUNCTION annotate_assignment_refuse()"
            )
        return statements

    def _changed(self, operator: str) -> str:
        def compared(column: str) -> str:
            cast = "::jsonb" if self.is_postgresql and column in _JSON_COLUMNS else ""
            return f"NEW.{column}{cast} {operator} OLD.{column}{cast}"

        values, grades = (" OR ".join(map(compared, columns)) for columns in (self.columns, self.grades))
        later = f" OR {compared('later')} AND {_SUBMITTED}" if self.has_later else ""
        grades = f"({grades}) AND NOT ({_REGRADED})" if self.has_versions else grades
        return f"{values} OR {grades}{later}"
