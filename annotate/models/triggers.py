"""Triggers that make the database reject changes to final answers, log entries, consent texts and reports.

The triggers are SQL for both databases. Migrations create them. A migration that changes such a table drops the
triggers first and creates them last, because SQLite recreates the table. Tests that empty the database do the same.
"""

from __future__ import annotations

from django.db.backends.base.base import BaseDatabaseWrapper

from . import count_triggers

# A graded answer becomes final immediately. An ungraded answer becomes final when the assignment is submitted.
_FROZEN = """OLD.value IS NOT NULL AND (OLD.tally IS NOT NULL OR EXISTS (
    SELECT 1 FROM annotate_assignment a WHERE a.id = OLD.assignment_id AND a.submitted_at IS NOT NULL))"""
_ANSWER_COLUMNS = (
    "value",
    "given_at",
    "tally",
    "passed",
    "question_id",
    "assignment_id",
    "participation_id",
    "shown",
    "position",
    "seconds",
    "trace",
)
_MESSAGES = {
    "annotate_answer": "a graded or submitted answer never changes",
    "annotate_event": "the log is append-only",
    "annotate_report": "a report never changes and stays",
    "annotate_consent": "a consent text never changes; write a new version",
}
_APPEND_ONLY = {
    "annotate_event": ("UPDATE", "DELETE"),
    "annotate_report": ("UPDATE", "DELETE"),
    "annotate_consent": ("UPDATE", "DELETE"),
}


def create(connection: BaseDatabaseWrapper) -> None:
    """Create the triggers on this connection's database."""
    _run(connection, _postgresql() if connection.vendor == "postgresql" else _sqlite())
    count_triggers.create(connection)


def drop(connection: BaseDatabaseWrapper) -> None:
    """Drop the triggers if they exist."""
    count_triggers.drop(connection)
    on = connection.vendor == "postgresql"
    _run(
        connection,
        [f"DROP TRIGGER IF EXISTS {name}{f' ON {table}' if on else ''}" for name, table in _names()],
    )


def _run(connection: BaseDatabaseWrapper, statements: list[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _names() -> list[tuple[str, str]]:
    pairs = [(f"annotate_answer_no_{event.lower()}", "annotate_answer") for event in ("UPDATE", "DELETE")]
    return pairs + [(f"{t}_no_{event.lower()}", t) for t, events in _APPEND_ONLY.items() for event in events]


def _changed(operator: str) -> str:
    return " OR ".join(f"NEW.{column} {operator} OLD.{column}" for column in _ANSWER_COLUMNS)


def _sqlite() -> list[str]:
    def trigger(table: str, event: str, when: str) -> str:
        return (
            f"CREATE TRIGGER {table}_no_{event.lower()} BEFORE {event} ON {table} {when} "
            f"BEGIN SELECT RAISE(ABORT, '{_MESSAGES[table]}'); END"
        )

    statements = [
        trigger("annotate_answer", "UPDATE", f"WHEN ({_FROZEN}) AND ({_changed('IS NOT')})"),
        trigger("annotate_answer", "DELETE", f"WHEN {_FROZEN}"),
    ]
    return statements + [trigger(t, event, "") for t, events in _APPEND_ONLY.items() for event in events]


def _postgresql() -> list[str]:
    def function(table: str) -> str:
        return (
            f"CREATE OR REPLACE FUNCTION {table}_refuse() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '{_MESSAGES[table]}' USING ERRCODE = 'integrity_constraint_violation'; END $$"
        )

    answer = f"""CREATE OR REPLACE FUNCTION annotate_answer_guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF ({_FROZEN}) THEN
            IF TG_OP = 'DELETE' OR ({_changed("IS DISTINCT FROM")}) THEN
                RAISE EXCEPTION '{_MESSAGES["annotate_answer"]}' USING ERRCODE = 'integrity_constraint_violation';
            END IF;
        END IF;
        IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
        RETURN NEW;
    END $$"""
    statements = [answer, *(function(table) for table in _APPEND_ONLY)]
    # Updates and deletions need separate triggers, because a DELETE has no NEW row to compare.
    statements += [
        f"CREATE TRIGGER {name} BEFORE {name.rsplit('_', 1)[1].upper()} ON {table} FOR EACH ROW "
        f"EXECUTE FUNCTION {'annotate_answer_guard' if table == 'annotate_answer' else table + '_refuse'}()"
        for name, table in _names()
    ]
    return statements
