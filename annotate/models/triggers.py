"""Triggers with which the database protects its rows. They reject changes to final answers, log entries, consent texts,
reports, pay entries and batches of annotators, unearned credit after a stop, and slots held by annotators of another
group.

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
    "replaces_id",
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
# Quotas are exact only if each slot with a group is held by an annotator in this group.
_FOREIGN_GROUP = """NEW.state IN ('leased', 'done') AND EXISTS (
    SELECT 1 FROM annotate_slot s JOIN annotate_participation p ON p.id = NEW.participation_id
    WHERE s.id = NEW.slot_id AND s.group_id IS NOT NULL AND s.group_id <> COALESCE(p.group_id, 0))"""
_GROUP_MESSAGE = "a slot of a group belongs to annotators in the group"
_OTHER_GROUPS_BATCH = """NEW.batch_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM annotate_annotatorbatch b WHERE b.id = NEW.batch_id AND b.group_id = NEW.group_id)"""
_BATCH_COLUMNS = ("public_id", "group_id", "number", "answers_sha256", "created_at")
_MESSAGES = {
    "annotate_assignment": "a stop earns no HIT other than the one that was open",
    "annotate_answer": "a graded or submitted answer never changes",
    "annotate_event": "the log is append-only",
    "annotate_report": "a report never changes and stays",
    "annotate_consent": "a consent text never changes; write a new version",
    "annotate_guidelines": "a version of the guidelines never changes; write a new version",
    "annotate_payment": "a payment never changes; add a correction",
    "annotate_payentry": "a pay entry never changes; add a correction",
    "annotate_assignment_group_insert": _GROUP_MESSAGE,
    "annotate_assignment_group_update": _GROUP_MESSAGE,
    "annotate_slot": "a slot never moves to another group",
    "annotate_participation": "an annotator never moves to another group",
    "annotate_participation_no_other_batch": "an annotator never moves to a batch of others",
    "annotate_annotatorbatch": "a batch never changes, and a removed batch stays removed",
}
_APPEND_ONLY = ("event", "report", "consent", "guidelines", "payment", "payentry")


def statements(vendor: str) -> dict[str, tuple[str, list[str]]]:
    """Return the table and the statements of each trigger in this database's dialect."""
    other_group = _compared(vendor, "group_id")
    refused = {
        "annotate_answer_no_update": ("annotate_answer", "UPDATE", f"{_FROZEN} AND ({_changed(vendor)})"),
        "annotate_answer_no_delete": ("annotate_answer", "DELETE", f"{_FROZEN} AND NOT {_REMOVED}"),
        "annotate_assignment_no_credit": ("annotate_assignment", "UPDATE", _UNEARNED),
        "annotate_assignment_group_insert": ("annotate_assignment", "INSERT", _FOREIGN_GROUP),
        "annotate_assignment_group_update": (
            "annotate_assignment",
            "UPDATE OF state, slot_id, participation_id",
            _FOREIGN_GROUP,
        ),
        "annotate_slot_no_other_group": ("annotate_slot", "UPDATE OF group_id", other_group),
        "annotate_participation_no_other_group": ("annotate_participation", "UPDATE OF group_id", other_group),
        "annotate_participation_no_other_batch": (
            "annotate_participation",
            "UPDATE OF batch_id",
            f"OLD.batch_id IS NOT NULL AND {_compared(vendor, 'batch_id')} OR {_OTHER_GROUPS_BATCH}",
        ),
        "annotate_annotatorbatch_no_update": (
            "annotate_annotatorbatch",
            "UPDATE",
            " OR ".join(
                [
                    f"OLD.removed_at IS NOT NULL AND {_compared(vendor, 'removed_at')}",
                    *(_compared(vendor, column) for column in _BATCH_COLUMNS),
                ]
            ),
        ),
        "annotate_annotatorbatch_no_delete": ("annotate_annotatorbatch", "DELETE", "TRUE"),
    }
    for table in _APPEND_ONLY:
        for event in ("UPDATE", "DELETE"):
            refused[f"annotate_{table}_no_{event.lower()}"] = (f"annotate_{table}", event, "TRUE")
    write = _postgresql if vendor == "postgresql" else _sqlite
    return {name: (table, write(name, table, event, when)) for name, (table, event, when) in refused.items()}


def _sqlite(name: str, table: str, event: str, when: str) -> list[str]:
    action = f"SELECT RAISE(ABORT, '{_message(name, table)}')"
    return [f"CREATE TRIGGER {name} BEFORE {event} ON {table} WHEN {when} BEGIN {action}; END"]


def _postgresql(name: str, table: str, event: str, when: str) -> list[str]:
    # The function checks the condition, because PostgreSQL allows no subquery in the condition of a trigger.
    action = f"RAISE EXCEPTION '{_message(name, table)}' USING ERRCODE = 'integrity_constraint_violation'"
    body = f"BEGIN IF {when} THEN {action}; END IF; RETURN {'OLD' if event == 'DELETE' else 'NEW'}; END"
    return [
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$",
        f"CREATE TRIGGER {name} BEFORE {event} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()",
    ]


def _message(name: str, table: str) -> str:
    return _MESSAGES.get(name) or _MESSAGES[table]


def _changed(vendor: str) -> str:
    """Return the SQL condition for changes to a final answer other than a permitted new grade."""
    values, grades = (
        " OR ".join(_compared(vendor, column) for column in columns) for columns in (_ANSWER_COLUMNS, _GRADE_COLUMNS)
    )
    return f"{values} OR ({grades}) AND NOT ({_REGRADED}) OR {_compared(vendor, 'later')} AND {_SUBMITTED}"


def _compared(vendor: str, column: str) -> str:
    """Return the SQL condition for a change to the column."""
    if vendor == "sqlite":
        return f"NEW.{column} IS NOT OLD.{column}"
    cast = "::jsonb" if column in _JSON_COLUMNS else ""
    return f"NEW.{column}{cast} IS DISTINCT FROM OLD.{column}{cast}"
