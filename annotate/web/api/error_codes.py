"""The codes of all API errors, with their statuses and meanings, for the API reference."""

from __future__ import annotations

from rest_framework import serializers

from annotate.tasktypes import extensions
from annotate.tasktypes.extensions import ErrorCode

CODES = [
    ErrorCode("archived", (409,), "The study is archived, so it cannot be changed."),
    ErrorCode("authentication_failed", (401,), "The token is unknown or has expired."),
    ErrorCode("budget", (409,), "The amount exceeds the study's budget cap."),
    ErrorCode("busy", (409, 503), "Another job or request must finish first. Try again later."),
    ErrorCode("cannot-build", (400,), "The task type cannot build questions from the items."),
    ErrorCode("changed", (409, 412), "The data has changed since your program read it. Read the data again."),
    ErrorCode(
        "claimed", (409,), "Annotators have already started HITs with the added items, so the items cannot be removed."
    ),
    ErrorCode("conflict", (409,), "Another request changed the same data at the same time. Try again."),
    ErrorCode("consent", (403,), "The annotator must accept the current consent text first."),
    ErrorCode("draft", (409,), "The action is possible only after the study has been opened."),
    ErrorCode("empty", (400,), "The text or list in the request is empty."),
    ErrorCode("ended", (409,), "The named annotator gets no more HITs."),
    ErrorCode("faults", (400,), "The file contains errors, so nothing was imported. `fields` lists their positions."),
    ErrorCode("graded", (409,), "The answer has been graded and can no longer be changed."),
    ErrorCode("group", (403,), "Groups have quotas, and the person belongs to no group with a quota."),
    ErrorCode("imported", (409,), "The file has already been imported."),
    ErrorCode(
        "in-use",
        (409,),
        "The items or answers cannot be removed, because gold questions, practice questions or messages refer to them.",
    ),
    ErrorCode("incomplete", (409,), "Some questions in the HIT have no answer."),
    ErrorCode("internal", (500,), "An internal error occurred. The server log contains the details."),
    ErrorCode("invalid", (400,), "The request contains invalid values. `fields` lists the invalid fields."),
    ErrorCode("joined", (409,), "The named annotator has joined the study, and can no longer be removed."),
    ErrorCode("key-reused", (422,), "The `Idempotency-Key` has already been used for a different request."),
    ErrorCode("kind", (409,), "The action is not possible for this kind of question."),
    ErrorCode("known-id", (409,), "Another annotator of the study already has this ID."),
    ErrorCode("last-owner", (409,), "The member is the only owner of the study."),
    ErrorCode("later-hits", (409,), "The study has newer HITs, so the added items cannot be removed."),
    ErrorCode("linked", (409,), "This study is already linked to a study on Prolific."),
    ErrorCode("locked", (409,), "The setting or data is locked, because the study has been opened."),
    ErrorCode("mail", (409, 503), "The e-mail could not be sent, or the server is not set up to send e-mail."),
    ErrorCode("member", (409,), "The person is already a member of the study."),
    ErrorCode("memory", (400,), "Reading the file requires too much memory. Split the file into smaller files."),
    ErrorCode("method_not_allowed", (405,), "The URL does not support this HTTP method."),
    ErrorCode(
        "no-api", (409,), "This study is not allowed to use Prolific's API, or is not linked to a study on Prolific."
    ),
    ErrorCode("no-design", (404, 409), "The study has no design yet."),
    ErrorCode("no-extension", (409,), "No items have been added to the design since the study was opened."),
    ErrorCode("no-rows", (409,), "The study already contains all items in the file."),
    ErrorCode("no-items", (409,), "All items are already in the design."),
    ErrorCode("no-labels", (409,), "Only studies whose answers are labels can have a sample of final labels."),
    ErrorCode("no-measure", (409,), "The task type does not support scoring or comparing systems."),
    ErrorCode("no-reason", (400,), "A reason is required."),
    ErrorCode("no-report", (409,), "The study's results have not been calculated yet."),
    ErrorCode("no-skip", (409,), "Questions in this study cannot be skipped."),
    ErrorCode(
        "no-undo",
        (409,),
        "The latest decision has already been undone, or the audit log does not contain the complete earlier decision.",
    ),
    ErrorCode("no-unopened", (409,), "None of the study's questions can be updated."),
    ErrorCode("not-allowed", (403,), "Your role does not allow this action."),
    ErrorCode("not-counted", (409,), "The answer does not count, so it cannot be excluded."),
    ErrorCode("not-excluded", (409,), "The answer is not excluded."),
    ErrorCode("not-failed", (409,), "Only a failed job can be restarted."),
    ErrorCode("not-imported", (409,), "The file has not been imported, so there is nothing to remove."),
    ErrorCode("not-latest", (409,), "Only the latest import can be undone."),
    ErrorCode("not-leased", (409,), "The lease on the HIT has already ended."),
    ErrorCode("not-read", (409,), "The background job has not read the file yet. Wait until the job has finished."),
    ErrorCode("nothing-to-check", (409,), "Reviewers have decided all final labels."),
    ErrorCode("not-ready", (409,), "The study lacks something that it needs. `fields` lists the unmet requirements."),
    ErrorCode("not-stopped", (409,), "The annotator is not stopped."),
    ErrorCode("not_acceptable", (406,), "The `Accept` header does not permit JSON."),
    ErrorCode("not_authenticated", (401,), "The request contains no token."),
    ErrorCode("not_found", (404,), "The URL does not exist, or your role does not allow access to it."),
    ErrorCode("nothing-due", (409,), "There is currently no amount to pay or record."),
    ErrorCode("off", (409,), "The study does not collect activity summaries."),
    ErrorCode("one-answer", (409,), "The question has fewer than two answers that count."),
    ErrorCode("parse_error", (400,), "The request does not contain valid JSON."),
    ErrorCode("people", (409,), "The study contains answers from people, so annotators cannot be simulated."),
    ErrorCode("permission_denied", (403,), "The token does not permit this request."),
    ErrorCode("practice", (409,), "Practice questions cannot be returned."),
    ErrorCode("prolific", (409,), "Prolific did not carry out the request. The message gives the reason."),
    ErrorCode("put-aside", (409,), "The annotator cannot put aside any more HITs."),
    ErrorCode("people-share", (409,), "People answer a random part of the questions, so items cannot be added."),
    ErrorCode("quotas", (409,), "Groups of the study have quotas, which do not allow this."),
    ErrorCode("repeated", (400,), "The request contains two answers to the same question."),
    ErrorCode("returned", (409,), "The annotator has returned the HIT."),
    ErrorCode("screening", (403,), "The person has not passed the current screening questions."),
    ErrorCode("settings", (409,), "The two systems were scored with different settings."),
    ErrorCode("stale", (409,), "A newer version exists. Read the data again, or recalculate the results."),
    ErrorCode("state", (409,), "The action is not possible in the study's current state."),
    ErrorCode("stopped", (409,), "The annotator's work has ended."),
    ErrorCode("submitted", (409,), "The HIT has been submitted."),
    ErrorCode("task-type", (409,), "The two studies have different task types."),
    ErrorCode("throttled", (429,), "Too many requests. The `Retry-After` header contains the waiting time in seconds."),
    ErrorCode("time", (400,), "Reading the file takes too much CPU time. Split the file into smaller files."),
    ErrorCode("too-few", (400,), "The study has fewer phrase pairs than the requested sample."),
    ErrorCode("too-large", (400, 413), "The request, file or text exceeds its size limit."),
    ErrorCode("too-many", (409, 429), "The maximum number of tokens, links, messages or similar objects is reached."),
    ErrorCode("unacknowledged", (409,), "The annotator has not read the expected answer to a gold question."),
    ErrorCode("unavailable", (503,), "The database is currently unavailable. The request may not have been stored."),
    ErrorCode("unchanged", (400,), "The new values are the same as before."),
    ErrorCode("ungraded", (400,), "The question has no expected answer to acknowledge."),
    ErrorCode("unknown", (404,), "The object does not exist in this study."),
    ErrorCode("unknown-question", (400,), "The form contains an answer to a question that does not exist."),
    ErrorCode("unknown-report", (400,), "The task type has no report of this kind."),
    ErrorCode("unsupported_media_type", (415,), "The `Content-Type` header is missing or not supported."),
]
# The error codes above and those of extensions.
ALL_CODES = [*CODES, *(code for extension in extensions.registered() for code in extension.error_codes)]


class ErrorShape(serializers.Serializer):
    code = serializers.ChoiceField([each.code for each in ALL_CODES], help_text="Machine-readable error code.")
    message = serializers.CharField(help_text="Human-readable error message.")
    fields = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))  # type: ignore[assignment]


# Errors that operations can return. The schema omits errors that an operation cannot return (see openapi.py).
ERRORS = dict.fromkeys((400, 401, 403, 404, 406, 409, 412, 413, 415, 422, 429, 503), ErrorShape)
