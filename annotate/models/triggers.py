"""Triggers that make the database reject changes to final answers, log entries, consent texts, reports and pay entries,
and credit that a stop does not earn.

The triggers are SQL for both databases. `installed_triggers.py` creates them.
"""

from __future__ import annotations

# A graded answer becomes final immediately, and only a new version of the expected answer can change its grade. An
# ungraded answer, and later changes to a graded answer, become final when the assignment is submitted.
_SUBMITTED = """EXISTS (
    SELECT 1 FROM annotate_assignment a WHERE a.id = OLD.assignment_id AND a.submitted_at IS NOT NULL)"""
_FROZEN = f"(OLD.value IS NOT NULL OR OLD.skipped <> '') AND (OLD.tally IS NOT NULL OR {_SUBMITTED})"
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
_APPEND_ONLY = ("event", "report", "consent", "guidelines", "payment", "payentry")


def statements(vendor: str) -> dict[str, tuple[str, list[str]]]:
    """Return the table and the statements of each trigger in this database's dialect."""
    refused = {
        "annotate_answer_no_update": ("annotate_answer", "UPDATE", f"{_FROZEN} AND ({_changed(vendor)})"),
        "annotate_answer_no_delete": ("annotate_answer", "DELETE", f"{_FROZEN} AND NOT {_REMOVED}"),
        "annotate_assignment_no_credit": ("annotate_assignment", "UPDATE", _UNEARNED),
    }
    for table in _APPEND_ONLY:
        for event in ("UPDATE", "DELETE"):
            refused[f"annotate_{table}_no_{event.lower()}"] = (f"annotate_{table}", event, "TRUE")
    write = _postgresql if vendor == "postgresql" else _sqlite
    return {name: (table, write(name, table, event, when)) for name, (table, event, when) in refused.items()}


def _sqlite(name: str, table: str, event: str, when: str) -> list[str]:
    action = f"SELECT RAISE(ABORT, '{_MESSAGES[table]}')"
    return [f"CREATE TRIGGER {name} BEFORE {event} ON {table} WHEN {when} BEGIN {action}; END"]


def _postgresql(name: str, table: str, event: str, when: str) -> list[str]:
    # The function checks the condition, because PostgreSQL allows no subquery in the condition of a trigger.
    action = f"RAISE EXCEPTION '{_MESSAGES[table]}' USING ERRCODE = 'integrity_constraint_violation'"
    body = f"BEGIN IF {when} THEN {action}; END IF; RETURN {'OLD' if event == 'DELETE' else 'NEW'}; END"
    return [
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$",
        f"CREATE TRIGGER {name} BEFORE {event} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()",
    ]


def _changed(vendor: str) -> str:
    """Return the SQL condition for changes to a final answer other than a permitted new grade."""

    def compared(column: str) -> str:
        if vendor == "sqlite":
            return f"NEW.{column} IS NOT OLD.{column}"
        cast = "::jsonb" if column in _JSON_COLUMNS else ""
        return f"NEW.{column}{cast} IS DISTINCT FROM OLD.{column}{cast}"

    values, grades = (" OR ".join(map(compared, columns)) for columns in (_ANSWER_COLUMNS, _GRADE_COLUMNS))
    return f"{values} OR ({grades}) AND NOT ({_REGRADED}) OR {compared('later')} AND {_SUBMITTED}"
