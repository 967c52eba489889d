"""A function for each operation of the API. `script/client` writes this file."""

from __future__ import annotations

from typing import Literal

from accord_client.operation import Listing, Operation, segment

from . import models


def assignments_retrieve(assignment: str) -> Operation[models.AssignmentShape]:
    """Return an assignment with its questions, drafts and answers."""
    return Operation("GET", f"/api/v1/assignments/{segment(assignment)}", repeatable=True)


def assignments_answers_update(
    assignment: str, position: int, body: models.GiveShapeRequest | None = None
) -> Operation[models.GivenShape]:
    """Answer or skip a question. An ungraded answer can be changed until the HIT is submitted."""
    return Operation(
        "PUT", f"/api/v1/assignments/{segment(assignment)}/answers/{segment(position)}", body=body, repeatable=True
    )


def assignments_answers_acknowledgement_create(
    assignment: str, position: int, body: models.AcknowledgementShapeRequest | None = None
) -> Operation[None]:
    """Confirm that the annotator has read the feedback on a gold question, and optionally dispute the expected
    answer.
    """
    return Operation(
        "POST",
        f"/api/v1/assignments/{segment(assignment)}/answers/{segment(position)}/acknowledgement",
        body=body,
        repeatable=True,
    )


def assignments_answers_draft_update(
    assignment: str, position: int, body: models.DraftShapeRequest
) -> Operation[models.RevisionShape]:
    """Save a draft. Drafts are never graded. If the revision of a draft is out of date, the endpoint returns status
    409 (`stale`).
    """
    return Operation(
        "PUT",
        f"/api/v1/assignments/{segment(assignment)}/answers/{segment(position)}/draft",
        body=body,
        repeatable=True,
    )


def assignments_answers_remarks_create(
    assignment: str, position: int, body: models.RemarkShapeRequest
) -> Operation[None]:
    """Send the researchers a comment on a question, or report a problem with the question."""
    return Operation(
        "POST",
        f"/api/v1/assignments/{segment(assignment)}/answers/{segment(position)}/remarks",
        body=body,
        repeatable=True,
    )


def assignments_return_create(assignment: str, body: models.ReturnShapeRequest | None = None) -> Operation[None]:
    """Return an unsubmitted HIT, so that other annotators can claim it. The annotator gets the HIT back before any
    other HIT, unless the annotator puts the HIT aside.
    """
    return Operation("POST", f"/api/v1/assignments/{segment(assignment)}/return", body=body, repeatable=True)


def assignments_submission_create(
    assignment: str, body: models.SubmissionShapeRequest | None = None
) -> Operation[models.SubmittedShape]:
    """Submit the HIT. A repeated submission returns the same receipt."""
    return Operation("POST", f"/api/v1/assignments/{segment(assignment)}/submission", body=body, repeatable=True)


def claims_create() -> Operation[models.ClaimedShape]:
    """Claim the next assignment, or return the assignment in progress."""
    return Operation("POST", "/api/v1/claims", repeatable=True)


def guidelines_read_update(body: models.VersionShapeRequest) -> Operation[models.VersionShape]:
    """Confirm that the annotator has read a version of the guidelines."""
    return Operation("PUT", "/api/v1/guidelines-read", body=body, repeatable=True)


def pay_by_study(*, page: int | None = None, page_size: int | None = None) -> Listing[models.StudyPayShape]:
    """Return the pay in each of your studies that has earnings or payments."""
    return Listing("GET", "/api/v1/pay", query={"page": page, "page_size": page_size}, repeatable=True)


def resume_code_create() -> Operation[models.CodeShape]:
    """Create a code for continuing on another device. The annotator's previous code stops working."""
    return Operation("POST", "/api/v1/resume-code", repeatable=True)


def studies_list(
    *,
    page: int | None = None,
    page_size: int | None = None,
    search: str | None = None,
    state: Literal["archived", "closed", "draft", "open", "paused"] | None = None,
) -> Listing[models.StudyShape]:
    """Return your studies, newest first."""
    return Listing(
        "GET",
        "/api/v1/studies",
        query={"page": page, "page_size": page_size, "search": search, "state": state},
        repeatable=True,
    )


def studies_create(
    body: models.StudyDraftRequest, *, idempotency_key: str | None = None
) -> Operation[models.StudyShape]:
    """Create a draft study. You become its owner."""
    return Operation(
        "POST", "/api/v1/studies", body=body, idempotency_key=idempotency_key, repeatable=True, accepts_key=True
    )


def studies_retrieve(study: str) -> Operation[models.StudyShape]:
    """Return a study with its settings."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}", repeatable=True)


def studies_partial_update(
    study: str, body: models.PatchedStudyChangeRequest | None = None, *, if_match: str | None = None
) -> Operation[models.StudyShape]:
    """Change settings. Settings that affect answers are locked once the study has been opened (status 409,
    `locked`).
    """
    return Operation("PATCH", f"/api/v1/studies/{segment(study)}", body=body, if_match=if_match)


def studies_destroy(study: str, *, if_match: str | None = None) -> Operation[None]:
    """Delete a draft with its items, questions, files, named annotators and lists of people. You cannot undo this
    action.
    """
    return Operation("DELETE", f"/api/v1/studies/{segment(study)}", if_match=if_match)


def adjudication_list(
    study: str,
    *,
    order: Literal["agreement", "likely"] | None = None,
    page: int | None = None,
    page_size: int | None = None,
    search: str | None = None,
    show: Literal["all", "decided", "sample", "undecided"] | None = None,
) -> Listing[models.AdjudicationShape]:
    """Return the questions on which annotators disagree. By default, the list contains only undecided questions and
    starts with the lowest agreement.
    """
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/adjudication",
        query={"order": order, "page": page, "page_size": page_size, "search": search, "show": show},
        repeatable=True,
    )


def annotators_list(
    study: str, *, cursor: str | None = None, page_size: int | None = None
) -> Listing[models.AnnotatorShape]:
    """Return the annotators, including programs, with their standing and gold results. Programs have no gold
    results, because their answers are not graded.
    """
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/annotators",
        query={"cursor": cursor, "page_size": page_size},
        repeatable=True,
    )


def studies_annotators_csv_retrieve(study: str) -> Operation[bytes]:
    """Return the annotators as CSV, with their standing, gold accuracy, agreement and credit."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/annotators.csv", repeatable=True, returns_json=False)


def annotator_answers_list(
    study: str,
    pseudonym: str,
    *,
    page: int | None = None,
    page_size: int | None = None,
    show: Literal["excluded", "gold", "missed", "repeated", "skipped", "void"] | None = None,
) -> Listing[models.AnnotatorAnswerShape]:
    """Return one annotator's answers, newest first, with the agreement on each question and its usual answering
    time.
    """
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/annotators/{segment(pseudonym)}/answers",
        query={"page": page, "page_size": page_size, "show": show},
        repeatable=True,
    )


def studies_annotators_erase_create(
    study: str, pseudonym: str, body: models.ReasonShapeRequest
) -> Operation[models.ErasedShape]:
    """Remove an annotator's personal data from this study and from your other studies in which the same person
    takes part. If you are an administrator, “your studies” are all studies on the server. If the token is limited
    to one study, the data is removed only from that study. The answers stay.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/annotators/{segment(pseudonym)}/erase", body=body)


def studies_annotators_notes_create(study: str, pseudonym: str, body: models.NoteShapeRequest) -> Operation[None]:
    """Add a note about an annotator to the study's history. Annotators never see notes."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/annotators/{segment(pseudonym)}/notes", body=body)


def studies_annotators_restore_create(
    study: str, pseudonym: str, body: models.ReasonShapeRequest
) -> Operation[models.RestoredShape]:
    """Restore a stopped annotator, and return the number of HITs that count again."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/annotators/{segment(pseudonym)}/restore", body=body)


def studies_annotators_review_create(study: str, pseudonym: str, body: models.NoteShapeRequest) -> Operation[None]:
    """Record that you have reviewed an annotator's answers. The annotator is removed from the list of annotators
    who need review, and is listed again only if a later results report shows signs of careless answers.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/annotators/{segment(pseudonym)}/review", body=body)


def studies_annotators_stop_create(study: str, pseudonym: str, body: models.ReasonShapeRequest) -> Operation[None]:
    """Stop an annotator. The annotator's answers no longer count, and the annotator's slots reopen for others."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/annotators/{segment(pseudonym)}/stop", body=body)


def annotators_needing_a_look(
    study: str, *, page: int | None = None, page_size: int | None = None
) -> Listing[models.NeedsLookShape]:
    """Return the annotators who show signs of careless answers, starting with the strongest evidence. These signs
    are based on the latest results report and on gold answers. The list excludes stopped annotators, and
    annotators
    whose answers a researcher has reviewed since that report.
    """
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/annotators/needing-a-look",
        query={"page": page, "page_size": page_size},
        repeatable=True,
    )


def answers_list(
    study: str, *, cursor: str | None = None, page_size: int | None = None, programs: bool | None = None
) -> Listing[models.AnswerShape]:
    """Return people's answers and skipped questions with the annotators' pseudonyms, or programs' answers. For a
    skipped question, `skipped` contains the annotator's reason, and `value` is empty.
    """
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/answers",
        query={"cursor": cursor, "page_size": page_size, "programs": programs},
        repeatable=True,
    )


def studies_answers_exclude_create(
    study: str, assignment: str, position: int, body: models.ReasonShapeRequest
) -> Operation[None]:
    """Exclude one answer. The answer is kept but no longer counts, and another annotator gets the question."""
    return Operation(
        "POST", f"/api/v1/studies/{segment(study)}/answers/{segment(assignment)}/{segment(position)}/exclude", body=body
    )


def studies_answers_include_create(
    study: str, assignment: str, position: int, body: models.ReasonShapeRequest
) -> Operation[models.IncludedShape]:
    """Include an excluded answer in the study again. The additional slot for the question is closed unless an
    annotator has already claimed it.
    """
    return Operation(
        "POST", f"/api/v1/studies/{segment(study)}/answers/{segment(assignment)}/{segment(position)}/include", body=body
    )


def assignments_list(
    study: str, *, cursor: str | None = None, page_size: int | None = None, programs: bool | None = None
) -> Listing[models.AssignmentRow]:
    """Return the assignments of people or of programs without try-outs, in the order of their claims."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/assignments",
        query={"cursor": cursor, "page_size": page_size, "programs": programs},
        repeatable=True,
    )


def studies_assisted_retrieve(study: str) -> Operation[models.AssistedShape]:
    """Return the latest program-assisted figures of a study in which people answer a random part of the questions
    (option `people_share`).
    """
    return Operation("GET", f"/api/v1/studies/{segment(study)}/assisted", repeatable=True)


def studies_assisted_create(study: str, body: models.AssistedRequestRequest) -> Operation[models.JobShape]:
    """Request program-assisted figures of the study and of all its systems. A job calculates them."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/assisted", body=body)


def bonus_lists_list(
    study: str, *, page: int | None = None, page_size: int | None = None
) -> Listing[models.BonusListShape]:
    """Return the bonus lists, newest first."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/bonus-lists",
        query={"page": page, "page_size": page_size},
        repeatable=True,
    )


def studies_bonus_lists_create(study: str, *, idempotency_key: str | None = None) -> Operation[models.BonusListShape]:
    """Create a list of all amounts that must be paid as bonuses. Each amount is in at most one list that is not
    cancelled.
    """
    return Operation(
        "POST",
        f"/api/v1/studies/{segment(study)}/bonus-lists",
        idempotency_key=idempotency_key,
        repeatable=True,
        accepts_key=True,
    )


def studies_bonus_lists_csv_retrieve(study: str, number: int) -> Operation[bytes]:
    """Return a bonus list as a file for Prolific's bulk bonus payments."""
    return Operation(
        "GET",
        f"/api/v1/studies/{segment(study)}/bonus-lists/{segment(number)}.csv",
        repeatable=True,
        returns_json=False,
    )


def studies_bonus_lists_cancel_create(study: str, number: int) -> Operation[models.BonusListShape]:
    """Cancel a bonus list not paid on Prolific, so that its amounts can be added to a new one."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/bonus-lists/{segment(number)}/cancel")


def studies_bonus_lists_paid_create(
    study: str, number: int, body: models.PaidDraftRequest | None = None
) -> Operation[models.BonusListShape]:
    """Record that a bonus list has been paid on Prolific, and record the payment in Accord."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/bonus-lists/{segment(number)}/paid", body=body)


def studies_bonus_lists_pay_create(study: str, number: int) -> Operation[models.JobShape]:
    """Pay a bonus list on Prolific, using a background job. Accord sends the payment request at most once."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/bonus-lists/{segment(number)}/pay")


def bonuses_list(study: str, *, page: int | None = None, page_size: int | None = None) -> Listing[models.EntryShape]:
    """Return all bonuses with their corrections, oldest first."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/bonuses",
        query={"page": page, "page_size": page_size},
        repeatable=True,
    )


def studies_bonuses_create(
    study: str, body: models.BonusDraftRequest, *, idempotency_key: str | None = None
) -> Operation[models.EntryShape]:
    """Give an annotator a bonus. A bonus above the budget cap is rejected (status 409, `budget`)."""
    return Operation(
        "POST",
        f"/api/v1/studies/{segment(study)}/bonuses",
        body=body,
        idempotency_key=idempotency_key,
        repeatable=True,
        accepts_key=True,
    )


def studies_comparison_retrieve(study: str) -> Operation[models.RepeatComparisonShape]:
    """Return the latest comparison with a repeat: the agreement of final results, the predicted intervals, the
    agreement between annotators, and the settings that differ.
    """
    return Operation("GET", f"/api/v1/studies/{segment(study)}/comparison", repeatable=True)


def studies_comparison_create(
    study: str, body: models.RepeatComparisonRequestRequest | None = None
) -> Operation[models.JobShape]:
    """Request the comparison with another study that you can see, or with a release. A job calculates it."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/comparison", body=body, has_file=True)


def studies_copies_create(
    study: str, body: models.CopyRequestRequest | None = None, *, idempotency_key: str | None = None
) -> Operation[models.CopyShape]:
    """Copy a study's settings (except deadlines), consent text, groups and questionnaires to a new draft. You
    become the owner of the draft.

    A background job copies the items and the gold questions.
    """
    return Operation(
        "POST",
        f"/api/v1/studies/{segment(study)}/copies",
        body=body,
        idempotency_key=idempotency_key,
        repeatable=True,
        accepts_key=True,
    )


def decisions_list(
    study: str, *, page: int | None = None, page_size: int | None = None
) -> Listing[models.DecisionShape]:
    """Return the current decisions in question order."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/decisions",
        query={"page": page, "page_size": page_size},
        repeatable=True,
    )


def studies_decisions_update(
    study: str, ref: str, body: models.DecisionDraftRequest | None = None
) -> Operation[models.DecisionShape]:
    """Record the decision on a question. The order of items in the decision must match the order in the question's
    payload. With `keep_both`, the decision records that all answers are acceptable, and the results use the
    annotators' answers. The new decision replaces any previous decision.
    """
    return Operation("PUT", f"/api/v1/studies/{segment(study)}/decisions/{segment(ref)}", body=body, repeatable=True)


def studies_decisions_destroy(study: str, ref: str) -> Operation[None]:
    """Withdraw the decision on a question, if any."""
    return Operation("DELETE", f"/api/v1/studies/{segment(study)}/decisions/{segment(ref)}")


def decisions_undo(study: str, ref: str) -> Operation[models.DecisionShape | None]:
    """Undo the latest decision on a question. If the latest decision replaced an earlier one, the earlier decision
    is restored with its reason and author, and is returned. If there was no earlier decision, the question has no
    decision again.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/decisions/{segment(ref)}/undo")


def studies_design_retrieve(study: str) -> Operation[models.ReportShape]:
    """Return the report on the current design. Its checks include a comparison of the current gold questions with
    the other questions.
    """
    return Operation("GET", f"/api/v1/studies/{segment(study)}/design", repeatable=True)


def studies_design_create(study: str) -> Operation[models.JobShape]:
    """Rebuild the questions from the items. A background job builds the questions."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/design")


def extension_plan(study: str) -> Operation[models.ExtensionShape | models.PendingExtension]:
    """Return the number of questions, HITs and slots that the newly imported items would add, and the cost.

    Nothing is added yet. A background job calculates the size for large studies, and for word
    alignment studies whose built-in aligner learns from finished alignments (status 202).
    """
    return Operation("GET", f"/api/v1/studies/{segment(study)}/design/extension", repeatable=True)


def studies_design_extension_create(study: str) -> Operation[models.JobShape]:
    """Add questions, HITs and slots for items that were imported after the study was opened. A background job adds
    the questions. Existing questions remain unchanged.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/design/extension")


def studies_design_extension_destroy(study: str) -> Operation[models.RemovedQuestions]:
    """Remove the most recently added questions, unless an annotator has started one of their HITs (status 409,
    `claimed`). The items stay imported.
    """
    return Operation("DELETE", f"/api/v1/studies/{segment(study)}/design/extension")


def unopened_questions(study: str) -> Operation[models.UnopenedShape]:
    """Return the numbers of questions that an update would change and would not change. Nothing changes."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/design/unopened", repeatable=True)


def update_unopened_questions(study: str) -> Operation[models.JobShape]:
    """Update the questions that no annotator has opened. In a word alignment study, the built-in aligner learns
    from the finished pairs and suggests new initial links. A background job updates the questions. Questions that
    have been opened do not change.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/design/unopened")


def error_sample(study: str) -> Operation[models.ErrorSampleShape]:
    """Return the latest sample of final labels, with the bound on the share of wrong labels."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/error-sample", repeatable=True)


def error_sample_draw(study: str, body: models.ErrorSampleDraftRequest) -> Operation[models.ErrorSampleShape]:
    """Draw the labels that reviewers check to bound the share of wrong final labels. A new sample replaces the
    previous one. With `dry_run`, only the number of labels is returned.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/error-sample", body=body)


def events_list(study: str, *, cursor: str | None = None, page_size: int | None = None) -> Listing[models.EventShape]:
    """Return the study's audit log, newest entries first."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/events",
        query={"cursor": cursor, "page_size": page_size},
        repeatable=True,
    )


def studies_exports_list(study: str) -> Operation[list[models.ExportRow]]:
    """Return the names and descriptions of the study's export files."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/exports", repeatable=True)


def studies_exports_retrieve(study: str, filename: str) -> Operation[bytes]:
    """Return one of the study's export files."""
    return Operation(
        "GET", f"/api/v1/studies/{segment(study)}/exports/{segment(filename)}", repeatable=True, returns_json=False
    )


def gold_list(study: str, *, page: int | None = None, page_size: int | None = None) -> Listing[models.GoldShape]:
    """Return the gold questions with their most frequent wrong answers, starting with doubtful questions."""
    return Listing(
        "GET", f"/api/v1/studies/{segment(study)}/gold", query={"page": page, "page_size": page_size}, repeatable=True
    )


def candidates_list(
    study: str, *, page: int | None = None, page_size: int | None = None
) -> Listing[models.CandidateShape]:
    """Return the gold candidates, which become gold questions if their authors agree."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/gold-candidates",
        query={"page": page, "page_size": page_size},
        repeatable=True,
    )


def studies_gold_candidates_create(
    study: str, body: models.DrawRequestRequest | None = None, *, idempotency_key: str | None = None
) -> Operation[models.DrawnShape]:
    """Draw gold candidates at random. A candidate never duplicates a question in the study."""
    return Operation(
        "POST",
        f"/api/v1/studies/{segment(study)}/gold-candidates",
        body=body,
        idempotency_key=idempotency_key,
        repeatable=True,
        accepts_key=True,
    )


def studies_gold_candidates_answer_update(
    study: str, question: str, body: models.CandidateAnswerRequest
) -> Operation[models.CandidateShape]:
    """Answer a gold candidate, or replace your earlier answer. The response contains the other authors' answers."""
    return Operation(
        "PUT",
        f"/api/v1/studies/{segment(study)}/gold-candidates/{segment(question)}/answer",
        body=body,
        repeatable=True,
    )


def studies_gold_candidates_promotion_create(
    study: str, body: models.PromotionRequestRequest | None = None
) -> Operation[models.PromotedShape]:
    """Turn candidates into gold questions if enough authors agree on them."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/gold-candidates/promotion", body=body)


def gold_rule(
    study: str,
    *,
    accuracy: float | None = None,
    false_stops: float | None = None,
    hits: int | None = None,
    minimum: int | None = None,
    survivors: float | None = None,
    threshold: float | None = None,
    window: int | None = None,
) -> Operation[models.GoldRuleShape]:
    """Return how often the quality rule stops careful and careless annotators on the study's gold questions. By
    default, this is the study's own rule. Use the query parameters to describe another rule.
    """
    return Operation(
        "GET",
        f"/api/v1/studies/{segment(study)}/gold-rule",
        query={
            "accuracy": accuracy,
            "false_stops": false_stops,
            "hits": hits,
            "minimum": minimum,
            "survivors": survivors,
            "threshold": threshold,
            "window": window,
        },
        repeatable=True,
    )


def studies_gold_exclude_create(
    study: str, question: str, body: models.ReasonShapeRequest
) -> Operation[models.ExcludedGoldShape]:
    """Exclude a gold question whose expected answer is wrong. Annotators no longer get the question, and its
    grades no longer count. Stopped annotators are not restored.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/gold/{segment(question)}/exclude", body=body)


def gold_change_expected_answer(
    study: str, question: str, body: models.ExpectedAnswerDraftRequest
) -> Operation[models.EffectsShape]:
    """Change the expected answer to a gold question, and regrade all answers to that question. The quality rule
    then stops annotators whose accuracy has fallen below the pass mark. With `dry_run`, nothing changes.

    This operation does not accept the header `Idempotency-Key`. Send the current `version`, so that a repeated
    request is rejected with `changed`.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/gold/{segment(question)}/expected-answer", body=body)


def gold_keep_expected_answer(
    study: str, question: str, body: models.KeepRequestRequest | None = None
) -> Operation[models.KeptShape]:
    """Settle the disputes about a gold question: its expected answer remains, and no grade changes."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/gold/{segment(question)}/keep", body=body)


def gold_reopen_disputes(study: str, question: str) -> Operation[None]:
    """Open the settled disputes about a gold question again."""
    return Operation("DELETE", f"/api/v1/studies/{segment(study)}/gold/{segment(question)}/keep")


def groups_list(study: str, *, page: int | None = None, page_size: int | None = None) -> Listing[models.GroupShape]:
    """Return the annotator groups with their links."""
    return Listing(
        "GET", f"/api/v1/studies/{segment(study)}/groups", query={"page": page, "page_size": page_size}, repeatable=True
    )


def studies_groups_create(study: str, body: models.GroupDraftRequest) -> Operation[models.GroupShape]:
    """Add a group. People who join through its link become members of the group."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/groups", body=body)


def studies_groups_partial_update(
    study: str, group: str, body: models.PatchedGroupChangeRequest | None = None
) -> Operation[models.GroupShape]:
    """Change the quota of a group in a draft, or the group's share of the population. Build the design again after
    a change of the quota.
    """
    return Operation("PATCH", f"/api/v1/studies/{segment(study)}/groups/{segment(group)}", body=body)


def studies_groups_destroy(study: str, group: str) -> Operation[None]:
    """Revoke the link for a group. Annotators in the group can continue."""
    return Operation("DELETE", f"/api/v1/studies/{segment(study)}/groups/{segment(group)}")


def guidelines_list(
    study: str, *, page: int | None = None, page_size: int | None = None
) -> Listing[models.GuidelinesShape]:
    """Return the versions of the guidelines, newest first. The first version is stored when the guidelines change
    after the study has been opened.
    """
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/guidelines",
        query={"page": page, "page_size": page_size},
        repeatable=True,
    )


def studies_host_files_retrieve(study: str, filename: str) -> Operation[bytes]:
    """Return a file with worker IDs for the host: payment decisions, workers to qualify or exclude, or bonuses."""
    return Operation(
        "GET", f"/api/v1/studies/{segment(study)}/host-files/{segment(filename)}", repeatable=True, returns_json=False
    )


def studies_host_files_mturk_results_csv_retrieve(study: str) -> Operation[bytes]:
    """Return the study's results in Mechanical Turk format, with pseudonyms instead of worker IDs."""
    return Operation(
        "GET", f"/api/v1/studies/{segment(study)}/host-files/mturk-results.csv", repeatable=True, returns_json=False
    )


def integrity_signs_list(
    study: str, *, page: int | None = None, page_size: int | None = None
) -> Listing[models.AnnotatorSignsShape]:
    """Return each annotator's most recently calculated integrity indicators, starting with the most unusual
    annotator. The list is empty if the study does not collect activity summaries.
    """
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/integrity-signs",
        query={"page": page, "page_size": page_size},
        repeatable=True,
    )


def integrity_signs_calculate(study: str) -> Operation[models.JobShape]:
    """Start the calculation of the integrity indicators. A background job calculates the indicators."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/integrity-signs")


def invitations_list(
    study: str, *, page: int | None = None, page_size: int | None = None
) -> Listing[models.InvitationShape]:
    """Return the invitations that have not been accepted, including expired ones."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/invitations",
        query={"page": page, "page_size": page_size},
        repeatable=True,
    )


def studies_invitations_create(study: str, body: models.InvitationDraftRequest) -> Operation[models.InvitationShape]:
    """Invite a colleague by e-mail. If no mail server is configured, the response contains the personal link, which
    you must send to the invited person yourself. A new invitation replaces a pending invitation for the same
    address.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/invitations", body=body)


def studies_invitations_destroy(study: str, invitation: str) -> Operation[None]:
    """Withdraw an invitation that has not been accepted yet. The link in the invitation no longer works."""
    return Operation("DELETE", f"/api/v1/studies/{segment(study)}/invitations/{segment(invitation)}")


def items_list(study: str, *, page: int | None = None, page_size: int | None = None) -> Listing[models.ItemShape]:
    """Return the study's items, in import order."""
    return Listing(
        "GET", f"/api/v1/studies/{segment(study)}/items", query={"page": page, "page_size": page_size}, repeatable=True
    )


def jobs_list(study: str, *, page: int | None = None, page_size: int | None = None) -> Listing[models.JobShape]:
    """Return jobs, newest first."""
    return Listing(
        "GET", f"/api/v1/studies/{segment(study)}/jobs", query={"page": page, "page_size": page_size}, repeatable=True
    )


def studies_jobs_retrieve(study: str, job: str) -> Operation[models.JobShape]:
    """Return a job with its progress."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/jobs/{segment(job)}", repeatable=True)


def studies_jobs_again_create(study: str, job: str) -> Operation[models.JobShape]:
    """Restart a failed job as a new job. Your role must allow the action that the job performs."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/jobs/{segment(job)}/again")


def studies_judgements_create(
    study: str, body: models.JudgementsDraftRequest, *, idempotency_key: str | None = None
) -> Operation[models.JudgementsShape]:
    """Add judgements to every question, every disputed question or every chosen question, and return the
    price. With `dry_run`, nothing changes.
    """
    return Operation(
        "POST",
        f"/api/v1/studies/{segment(study)}/judgements",
        body=body,
        idempotency_key=idempotency_key,
        repeatable=True,
        accepts_key=True,
    )


def studies_leaderboard_retrieve(study: str) -> Operation[models.LeaderboardShape]:
    """Return the heading and URL of the public leaderboard."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/leaderboard", repeatable=True)


def studies_leaderboard_update(
    study: str, body: models.LeaderboardDraftRequest, *, if_match: str | None = None
) -> Operation[models.LeaderboardShape]:
    """Publish the leaderboard, or change its heading. The leaderboard shows only systems that are public."""
    return Operation(
        "PUT", f"/api/v1/studies/{segment(study)}/leaderboard", body=body, if_match=if_match, repeatable=True
    )


def studies_leaderboard_destroy(study: str, *, if_match: str | None = None) -> Operation[None]:
    """Make the leaderboard private again."""
    return Operation("DELETE", f"/api/v1/studies/{segment(study)}/leaderboard", if_match=if_match)


def members_list(study: str, *, page: int | None = None, page_size: int | None = None) -> Listing[models.MemberShape]:
    """Return the members of the study with their roles."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/members",
        query={"page": page, "page_size": page_size},
        repeatable=True,
    )


def studies_members_partial_update(
    study: str, member: str, body: models.PatchedRoleShapeRequest | None = None
) -> Operation[models.MemberShape]:
    """Change a member's role. Only owners can change roles, and a study always needs an owner."""
    return Operation("PATCH", f"/api/v1/studies/{segment(study)}/members/{segment(member)}", body=body)


def studies_members_destroy(study: str, member: str) -> Operation[None]:
    """Remove a member from the study. The history continues to show the member's actions."""
    return Operation("DELETE", f"/api/v1/studies/{segment(study)}/members/{segment(member)}")


def messages_list(
    study: str,
    *,
    annotator: str | None = None,
    kind: Literal["comment", "dispute", "objection", "problem", "return", "skip", "withdrawal"] | None = None,
    page: int | None = None,
    page_size: int | None = None,
    unanswered: bool | None = None,
) -> Listing[models.MessageShape]:
    """Return annotators' feedback, newest first: objections, problems, comments, skipped questions, disputed gold
    answers, returned HITs and withdrawals.
    """
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/messages",
        query={"annotator": annotator, "kind": kind, "page": page, "page_size": page_size, "unanswered": unanswered},
        repeatable=True,
    )


def studies_messages_reply_create(
    study: str, message: str, body: models.ReplyShapeRequest
) -> Operation[models.MessageShape]:
    """Reply to a message. A new reply replaces the previous one. Annotators see the reply on their overview page
    for the study.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/messages/{segment(message)}/reply", body=body)


def studies_methods_retrieve(study: str) -> Operation[models.MethodsShape]:
    """Return the methods section of a paper about the study, from the latest results report and the current
    answers.
    """
    return Operation("GET", f"/api/v1/studies/{segment(study)}/methods", repeatable=True)


def studies_mturk_results_create(
    study: str, body: models.BatchResultsDraftRequest | None = None
) -> Operation[models.BatchResultsShape]:
    """Import the results of a Mechanical Turk batch or, with `dry_run`, only check them. If the file contains
    errors, the error `faults` lists them, and nothing is imported. The error `changes` lists assignments that
    have
    changed since they were imported. Accord does not store the file, because it contains worker IDs.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/mturk-results", body=body, has_file=True)


def named_annotators_list(
    study: str, *, page: int | None = None, page_size: int | None = None
) -> Listing[models.NamedShape]:
    """Return the named annotators with their personal links and progress."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/named-annotators",
        query={"page": page, "page_size": page_size},
        repeatable=True,
    )


def studies_named_annotators_create(
    study: str, body: models.NamesShapeRequest | None = None
) -> Operation[list[models.NamedShape]]:
    """Add named annotators, each with a personal link, to a study whose setting `admission` is `named`."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/named-annotators", body=body)


def studies_named_annotators_destroy(study: str, named: str) -> Operation[None]:
    """Remove a named annotator who has not joined yet. The personal link no longer works."""
    return Operation("DELETE", f"/api/v1/studies/{segment(study)}/named-annotators/{segment(named)}")


def studies_named_annotators_reservations_create(
    study: str, named: str, body: models.ReservationShapeRequest | None = None
) -> Operation[models.ReservedShape]:
    """Reserve one open slot in each of these HITs for the annotator. The service skips HITs that the annotator
    already has and HITs without a free slot.
    """
    return Operation(
        "POST", f"/api/v1/studies/{segment(study)}/named-annotators/{segment(named)}/reservations", body=body
    )


def studies_named_annotators_reservations_destroy(study: str, named: str) -> Operation[models.ReservedShape]:
    """End the annotator's reservations for HITs not yet started."""
    return Operation("DELETE", f"/api/v1/studies/{segment(study)}/named-annotators/{segment(named)}/reservations")


def studies_named_annotators_mail_create(study: str) -> Operation[models.JobShape]:
    """Start a job that e-mails personal links to all named annotators who have an address, have not joined and have
    not been sent their link.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/named-annotators/mail")


def open_hits_list(
    study: str, *, page: int | None = None, page_size: int | None = None
) -> Listing[models.OpenHitShape]:
    """Return a study's open HITs, starting with the HIT that has been inactive longest."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/open-hits",
        query={"page": page, "page_size": page_size},
        repeatable=True,
    )


def studies_open_hits_end_create(study: str, assignment: str) -> Operation[models.EndedShape]:
    """End the lease on an open HIT, so that another annotator can claim the HIT. The first annotator can still
    finish the HIT, and is then paid.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/open-hits/{segment(assignment)}/end")


def pay_list(
    study: str,
    *,
    page: int | None = None,
    page_size: int | None = None,
    search: str | None = None,
    show: Literal["nothing", "overpaid", "owed", "paid"] | None = None,
) -> Listing[models.PayShape]:
    """Return each annotator's earnings and payments, sorted by pseudonym."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/pay",
        query={"page": page, "page_size": page_size, "search": search, "show": show},
        repeatable=True,
    )


def studies_pay_entries_correction_create(
    study: str, entry: str, body: models.CorrectionDraftRequest
) -> Operation[models.EntryShape]:
    """Set a bonus, or an annotator's share of a payment, to a corrected amount. Recorded entries never change."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/pay-entries/{segment(entry)}/correction", body=body)


def studies_pay_csv_retrieve(study: str) -> Operation[bytes]:
    """Return all annotators' balances as a CSV file."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/pay.csv", repeatable=True, returns_json=False)


def payments_list(study: str, *, page: int | None = None, page_size: int | None = None) -> Listing[models.PaymentRow]:
    """Return the recorded payments, newest first."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/payments",
        query={"page": page, "page_size": page_size},
        repeatable=True,
    )


def studies_payments_create(
    study: str, body: models.PaymentDraftRequest, *, idempotency_key: str | None = None
) -> Operation[models.PaymentShape]:
    """Record a payment that you made outside Accord. If any balance has changed in the meantime, no payment is
    recorded (status 409, `changed`).
    """
    return Operation(
        "POST",
        f"/api/v1/studies/{segment(study)}/payments",
        body=body,
        idempotency_key=idempotency_key,
        repeatable=True,
        accepts_key=True,
    )


def studies_payments_csv_retrieve(study: str) -> Operation[bytes]:
    """Return all recorded payments, bonuses and corrections as a CSV file."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/payments.csv", repeatable=True, returns_json=False)


def studies_payments_xlsx_retrieve(study: str) -> Operation[bytes]:
    """Return the rows of payments.csv as an Excel workbook, with amounts as numbers."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/payments.xlsx", repeatable=True, returns_json=False)


def studies_payments_retrieve(study: str, number: int) -> Operation[models.PaymentShape]:
    """Return a payment with each annotator's share and all corrections."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/payments/{segment(number)}", repeatable=True)


def studies_payments_undo_create(
    study: str, number: int, body: models.ReasonShapeRequest
) -> Operation[models.PaymentShape]:
    """Set all annotators' shares in a payment to 0, so that they are owed the money again."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/payments/{segment(number)}/undo", body=body)


def studies_people_lists_list(study: str) -> Operation[list[models.PeopleListShape]]:
    """Return the lists of excluded and admitted people. The response contains no IDs or addresses, because only
    keyed hashes of them are stored.
    """
    return Operation("GET", f"/api/v1/studies/{segment(study)}/people-lists", repeatable=True)


def studies_people_lists_create(study: str, kind: str, body: models.ListedShapeRequest) -> Operation[models.AddedShape]:
    """Add people to the list `exclude` or `admit`. Annotators who have already joined are not stopped."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/people-lists/{segment(kind)}", body=body)


def studies_people_lists_destroy(study: str, kind: str) -> Operation[None]:
    """Delete all people from a list."""
    return Operation("DELETE", f"/api/v1/studies/{segment(study)}/people-lists/{segment(kind)}")


def phrase_samples_list(study: str) -> Operation[list[models.SampleSummaryShape]]:
    """Return the phrase-pair samples of a word alignment study, newest first."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/phrase-samples", repeatable=True)


def studies_phrase_samples_create(
    study: str, body: models.SampleDraftRequest | None = None
) -> Operation[models.SampleShape]:
    """Draw a random sample of phrase pairs from the final alignments of a word alignment study."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/phrase-samples", body=body)


def phrases_list(
    study: str, number: int, *, page: int | None = None, page_size: int | None = None
) -> Listing[models.PhraseShape]:
    """Return the phrase pairs in a sample, with your own verdicts."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/phrase-samples/{segment(number)}",
        query={"page": page, "page_size": page_size},
        repeatable=True,
    )


def studies_phrase_samples_verdicts_retrieve(study: str, number: int) -> Operation[models.PhraseReviewShape]:
    """Return how often each verdict was given on a sample, and the agreement between the reviewers."""
    return Operation(
        "GET", f"/api/v1/studies/{segment(study)}/phrase-samples/{segment(number)}/verdicts", repeatable=True
    )


def studies_phrase_samples_verdicts_update(
    study: str, number: int, body: models.VerdictsDraftRequest, *, if_match: str | None = None
) -> Operation[models.SavedShape]:
    """Save your verdicts on phrase pairs. A new verdict replaces your previous one."""
    return Operation(
        "PUT",
        f"/api/v1/studies/{segment(study)}/phrase-samples/{segment(number)}/verdicts",
        body=body,
        if_match=if_match,
        repeatable=True,
    )


def plans_list(
    study: str, *, page: int | None = None, page_size: int | None = None
) -> Listing[models.PlanSummaryShape]:
    """Return the stored plans of a study, newest first."""
    return Listing(
        "GET", f"/api/v1/studies/{segment(study)}/plans", query={"page": page, "page_size": page_size}, repeatable=True
    )


def studies_plans_create(study: str, body: models.PlanDraftRequest | None = None) -> Operation[models.RequestedPlan]:
    """Calculate a plan. If a plan with the same parameters is stored, the response contains this plan. Otherwise,
    the response contains the job that calculates the plan.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/plans", body=body)


def studies_plans_retrieve(study: str, number: int) -> Operation[models.PlanShape]:
    """Return a stored plan with its figures."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/plans/{segment(number)}", repeatable=True)


def studies_plans_use_create(
    study: str, number: int, body: models.UsePlanDraftRequest
) -> Operation[models.PlanSummaryShape]:
    """Choose a stored plan's design as the study's plan. In a draft, `change_study` copies the design to the
    study’s settings.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/plans/{segment(number)}/use", body=body)


def studies_plans_comparison_retrieve(study: str) -> Operation[models.PlanComparison]:
    """Return the study's plan, compared with the study so far. `comparison` is null if the study uses no plan."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/plans/comparison", repeatable=True)


def preregistrations_list(study: str) -> Operation[list[models.PreregistrationShape]]:
    """Return the study's preregistrations, oldest first."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/preregistrations", repeatable=True)


def studies_preregistrations_create(
    study: str, body: models.PreregistrationDraftRequest
) -> Operation[models.PreregistrationShape]:
    """Freeze a preregistration. It cannot be changed, but later versions can be frozen."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/preregistrations", body=body)


def studies_programs_list(study: str) -> Operation[list[models.ProgramRow]]:
    """Return the study's programs, in the order of joining."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/programs", repeatable=True)


def studies_programs_create(study: str, body: models.ProgramDraftRequest) -> Operation[models.ProgramShape]:
    """Add a program to an open study as an annotator, and return its token for the annotation endpoints. A
    program's answers never count, and programs are not paid.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/programs", body=body)


def studies_programs_comparison_retrieve(study: str) -> Operation[models.ComparisonShape]:
    """Return the latest comparison of programs with people: the agreement between people and programs, and the
    alternative annotator test.
    """
    return Operation("GET", f"/api/v1/studies/{segment(study)}/programs/comparison", repeatable=True)


def studies_programs_comparison_create(
    study: str, body: models.ComparisonRequestRequest | None = None
) -> Operation[models.JobShape]:
    """Request a new comparison of programs with people. A job calculates it."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/programs/comparison", body=body)


def progress(study: str) -> Operation[models.ProgressShape]:
    """Return a study's progress, current pace and expected end date. The overview guide describes the forecast."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/progress", repeatable=True)


def studies_prolific_retrieve(study: str) -> Operation[models.ProlificShape]:
    """Return a study's Prolific settings, with the URL to enter on Prolific."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/prolific", repeatable=True)


def studies_prolific_partial_update(
    study: str, body: models.PatchedProlificChangeRequest | None = None, *, if_match: str | None = None
) -> Operation[models.ProlificShape]:
    """Change a study's Prolific settings."""
    return Operation("PATCH", f"/api/v1/studies/{segment(study)}/prolific", body=body, if_match=if_match)


def studies_prolific_draft_create(study: str, body: models.DraftSizesRequest) -> Operation[models.JobShape]:
    """Create a draft of the study on Prolific, using a background job. The draft is not visible to participants."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/prolific-draft", body=body)


def studies_prolific_study_update(
    study: str, body: models.ProlificLinkShapeRequest
) -> Operation[models.ProlificLinkShape]:
    """Store the ID of the linked study on Prolific, so that Accord can use Prolific's API."""
    return Operation("PUT", f"/api/v1/studies/{segment(study)}/prolific-study", body=body, repeatable=True)


def prolific_submissions_list(
    study: str,
    *,
    next_step: Literal["approve", "ask_return", "bonus", "contact", "none", "wait"] | None = None,
    page: int | None = None,
    page_size: int | None = None,
) -> Listing[models.SubmissionShape]:
    """Return each submission with its status on Prolific, its work in Accord and its next step."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/prolific-submissions",
        query={"next_step": next_step, "page": page, "page_size": page_size},
        repeatable=True,
    )


def studies_prolific_submissions_rejection_update(
    study: str, submission: str, body: models.RejectionDraftRequest
) -> Operation[models.SubmissionShape]:
    """Mark a submission for rejection. Accord adds the submission to the list of rejections, but sends nothing to
    Prolific.
    """
    return Operation(
        "PUT",
        f"/api/v1/studies/{segment(study)}/prolific-submissions/{segment(submission)}/rejection",
        body=body,
        repeatable=True,
    )


def studies_prolific_submissions_rejection_destroy(study: str, submission: str) -> Operation[models.SubmissionShape]:
    """Remove the rejection mark from a submission."""
    return Operation("DELETE", f"/api/v1/studies/{segment(study)}/prolific-submissions/{segment(submission)}/rejection")


def studies_prolific_submissions_approve_create(study: str) -> Operation[models.JobShape]:
    """Approve all submissions whose next step is approval, using a background job."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/prolific-submissions/approve")


def studies_prolific_submissions_fetch_create(study: str) -> Operation[models.JobShape]:
    """Import the submissions from Prolific, using a background job."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/prolific-submissions/fetch")


def studies_prolific_submissions_files_retrieve(study: str, filename: str) -> Operation[bytes]:
    """Return one of the files `prolific-submissions.csv`, `prolific-approve.txt`, `prolific-reject.txt` and
    `prolific-bonuses.csv` (the latest unpaid bonus list).
    """
    return Operation(
        "GET",
        f"/api/v1/studies/{segment(study)}/prolific-submissions/files/{segment(filename)}",
        repeatable=True,
        returns_json=False,
    )


def studies_prolific_submissions_imports_create(
    study: str, body: models.ImportDraftRequest | None = None
) -> Operation[models.ImportShape]:
    """Import Prolific's export of submissions or, with `dry_run`, only report the effects. An import changes only
    the statuses that the file reports.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/prolific-submissions/imports", body=body, has_file=True)


def studies_prolific_submissions_imports_undo_create(study: str, number: str) -> Operation[None]:
    """Undo the latest import, and restore the previous statuses."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/prolific-submissions/imports/{segment(number)}/undo")


def studies_prolific_submissions_rewards_create(
    study: str, *, idempotency_key: str | None = None
) -> Operation[models.PaymentShape]:
    """Record a payment for the rewards that Prolific paid when submissions were approved."""
    return Operation(
        "POST",
        f"/api/v1/studies/{segment(study)}/prolific-submissions/rewards",
        idempotency_key=idempotency_key,
        repeatable=True,
        accepts_key=True,
    )


def studies_questionnaires_retrieve(study: str, questionnaire: str) -> Operation[models.QuestionnaireShape]:
    """Return the latest version of a questionnaire, and the number of people who answered it."""
    return Operation(
        "GET", f"/api/v1/studies/{segment(study)}/questionnaires/{segment(questionnaire)}", repeatable=True
    )


def studies_questionnaires_partial_update(
    study: str,
    questionnaire: str,
    body: models.PatchedQuestionnaireChangeShapeRequest | None = None,
    *,
    if_match: str | None = None,
) -> Operation[models.QuestionnaireShape]:
    """Change the questions or texts of a questionnaire. If people have already answered the questionnaire, Accord
    stores the change as a new version.
    """
    return Operation(
        "PATCH",
        f"/api/v1/studies/{segment(study)}/questionnaires/{segment(questionnaire)}",
        body=body,
        if_match=if_match,
    )


def studies_questionnaires_answers_csv_retrieve(study: str, questionnaire: str) -> Operation[bytes]:
    """Return the stored answers to a questionnaire as a CSV file without pseudonyms."""
    return Operation(
        "GET",
        f"/api/v1/studies/{segment(study)}/questionnaires/{segment(questionnaire)}/answers.csv",
        repeatable=True,
        returns_json=False,
    )


def questions_list(
    study: str,
    *,
    annotator: str | None = None,
    column: str | None = None,
    kind: Literal["regular", "gold", "practice", "candidate", "retired", "program", "tried"] | None = None,
    page: int | None = None,
    page_size: int | None = None,
    search: str | None = None,
    sort: Literal["agreement", "seconds", "missed"] | None = None,
    state: Literal["open", "complete", "disputed", "decided"] | None = None,
    value: str | None = None,
) -> Listing[models.QuestionShape]:
    """Return the study's questions, with the same filters and sort orders as the console. Without a filter, the
    list contains all kinds of questions in design order. Gold questions include their expected answers.
    """
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/questions",
        query={
            "annotator": annotator,
            "column": column,
            "kind": kind,
            "page": page,
            "page_size": page_size,
            "search": search,
            "sort": sort,
            "state": state,
            "value": value,
        },
        repeatable=True,
    )


def releases_list(study: str) -> Operation[list[models.ReleaseShape]]:
    """Return the study's latest 100 releases, newest first."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/releases", repeatable=True)


def studies_releases_create(study: str, body: models.ReleaseDraftRequest | None = None) -> Operation[bytes]:
    """Create a release from the latest results report, and return it as a zip file. The error `stale` means that
    answers have changed since the report was calculated.

    If gold questions are sealed, the header `Release-Key` contains the key. Keep it, because Accord does not.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/releases", body=body, returns_json=False)


def studies_repeat_retrieve(study: str) -> Operation[models.RepeatShape]:
    """Return the release that this study repeats, and the differences between the two studies."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/repeat", repeatable=True)


def report_documents_list(study: str) -> Operation[list[models.ReportDocumentShape]]:
    """Return the checklists and datasheets about the study, with their open questions."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/report-documents", repeatable=True)


def studies_report_form_retrieve(study: str) -> Operation[models.AuthorAnswersShape]:
    """Return the authors’ answers about the study, which documents and releases contain."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/report-form", repeatable=True)


def studies_report_form_partial_update(
    study: str, body: models.PatchedAuthorAnswersShapeRequest | None = None, *, if_match: str | None = None
) -> Operation[models.AuthorAnswersShape]:
    """Change some answers. All other answers stay, and an empty string removes an answer."""
    return Operation("PATCH", f"/api/v1/studies/{segment(study)}/report-form", body=body, if_match=if_match)


def reports_list(study: str, *, page: int | None = None, page_size: int | None = None) -> Listing[models.ReportRow]:
    """Return all reports without their results, newest first."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/reports",
        query={"page": page, "page_size": page_size},
        repeatable=True,
    )


def studies_reports_create(study: str, body: models.ReportRequestRequest | None = None) -> Operation[models.JobShape]:
    """Request a report. A job calculates it."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/reports", body=body)


def studies_reports_retrieve(study: str, kind: str, number: int) -> Operation[models.ReportShape]:
    """Return a report with its parameters, seed, versions, input checksum and results."""
    return Operation(
        "GET", f"/api/v1/studies/{segment(study)}/reports/{segment(kind)}/{segment(number)}", repeatable=True
    )


def studies_reports_results_comparison_list(
    study: str, number: int, other: int, *, study_in_query: str | None = None
) -> Operation[list[models.ComparedTableShape]]:
    """Return the main figures of two results reports of the same task type, and the differences between them."""
    return Operation(
        "GET",
        f"/api/v1/studies/{segment(study)}/reports/results/{segment(number)}/comparison/{segment(other)}",
        query={"study": study_in_query},
        repeatable=True,
    )


def report_files_list(study: str, number: int) -> Operation[list[models.ReportFileShape]]:
    """Return the names and descriptions of a results report's files."""
    return Operation(
        "GET", f"/api/v1/studies/{segment(study)}/reports/results/{segment(number)}/files", repeatable=True
    )


def report_zip(study: str, number: int) -> Operation[bytes]:
    """Return a zip archive with all files from a results report."""
    return Operation(
        "GET",
        f"/api/v1/studies/{segment(study)}/reports/results/{segment(number)}/files.zip",
        repeatable=True,
        returns_json=False,
    )


def report_zip_with_figures(study: str, number: int, body: models.FiguresShapeRequest) -> Operation[bytes]:
    """Return a zip archive with all files from a results report and the chart images from the request. Browsers
    draw a report's charts, so the request must contain the images.
    """
    return Operation(
        "POST",
        f"/api/v1/studies/{segment(study)}/reports/results/{segment(number)}/files.zip",
        body=body,
        returns_json=False,
    )


def studies_reports_results_files_retrieve(study: str, number: int, filename: str) -> Operation[bytes]:
    """Return a file from a results report. The file's contents never change."""
    return Operation(
        "GET",
        f"/api/v1/studies/{segment(study)}/reports/results/{segment(number)}/files/{segment(filename)}",
        repeatable=True,
        returns_json=False,
    )


def studies_reports_results_shares_list(study: str, number: int) -> Operation[list[models.ShareShape]]:
    """Return the active links to a results report, newest first."""
    return Operation(
        "GET", f"/api/v1/studies/{segment(study)}/reports/results/{segment(number)}/shares", repeatable=True
    )


def studies_reports_results_shares_create(
    study: str, number: int, body: models.ShareRequestRequest | None = None
) -> Operation[models.CreatedShareShape]:
    """Create a link that lets anyone read the main figures of a results report, without pseudonyms."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/reports/results/{segment(number)}/shares", body=body)


def studies_reports_results_shares_destroy(study: str, number: int, share: str) -> Operation[None]:
    """Revoke a link to a report."""
    return Operation(
        "DELETE", f"/api/v1/studies/{segment(study)}/reports/results/{segment(number)}/shares/{segment(share)}"
    )


def result_imports_list(
    study: str, *, page: int | None = None, page_size: int | None = None
) -> Listing[models.ResultImportShape]:
    """Return the study's results files without their contents, newest first."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/result-imports",
        query={"page": page, "page_size": page_size},
        repeatable=True,
    )


def studies_result_imports_create(
    study: str, body: models.ResultFileDraftRequest | None = None, *, idempotency_key: str | None = None
) -> Operation[models.ResultImportShape]:
    """Upload a results file and preview its import. Nothing is imported yet. If a file is large, a background job
    reads it, and the response has status 202. If the file contains errors, the error `faults` lists them, and the
    file is not stored.
    """
    return Operation(
        "POST",
        f"/api/v1/studies/{segment(study)}/result-imports",
        body=body,
        idempotency_key=idempotency_key,
        has_file=True,
        repeatable=True,
        accepts_key=True,
    )


def studies_result_imports_retrieve(study: str, result_import: str) -> Operation[models.ResultImportShape]:
    """Return the preview of a results file or the outcome of its import, together with its latest job."""
    return Operation(
        "GET", f"/api/v1/studies/{segment(study)}/result-imports/{segment(result_import)}", repeatable=True
    )


def result_imports_import(
    study: str, result_import: str, body: models.ImportOptionsRequest | None = None
) -> Operation[models.ResultImportShape]:
    """Import all assignments in a results file, or none. If a file is large, a background job imports it, and the
    response has status 202.

    If assignments have changed since they were imported, the error `changes` lists them. Choose `take` or `keep`.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/result-imports/{segment(result_import)}", body=body)


def studies_result_imports_destroy(study: str, result_import: str) -> Operation[models.ResultImportShape]:
    """Undo an import, which removes all its assignments and answers, or delete a file that has not been imported.

    If a worker has already been paid for the assignments, the error `paid` names the annotator. A background job
    undoes imports of large files (status 202).
    """
    return Operation("DELETE", f"/api/v1/studies/{segment(study)}/result-imports/{segment(result_import)}")


def studies_rounds_retrieve(study: str) -> Operation[models.RoundsShape]:
    """Return the adaptive rounds of the study, and the chosen round that was not added yet."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/rounds", repeatable=True)


def studies_rounds_create(
    study: str, body: models.ChosenRoundRequest, *, idempotency_key: str | None = None
) -> Operation[models.RoundShape]:
    """Add the questions of a chosen round to the study, with new HITs after all others."""
    return Operation(
        "POST",
        f"/api/v1/studies/{segment(study)}/rounds",
        body=body,
        idempotency_key=idempotency_key,
        repeatable=True,
        accepts_key=True,
    )


def studies_rounds_plan_create(study: str, body: models.RoundDraftRequest) -> Operation[models.JobShape]:
    """Choose the questions of the next adaptive round from the answers so far. A background job chooses them, and
    nothing is added to the study.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/rounds/plan", body=body)


def studies_settings_import_create(
    study: str, body: models.SettingsImportRequestRequest
) -> Operation[models.SettingsImportShape]:
    """Import settings from another study with the same task type. The title, the random seed and the deadlines do
    not change.

    Settings that existing answers depend on do not change after the study has been opened. The response lists
    these settings under `locked`.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/settings-import", body=body)


def studies_shares_create(study: str) -> Operation[models.ReservedShape]:
    """Reserve all free slots for the named annotators, so that every annotator has about the same number of
    HITs.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/shares")


def studies_simulations_create(
    study: str, body: models.SimulationDraftRequest | None = None
) -> Operation[models.JobShape]:
    """Simulate annotators who answer the HITs of an open study. A background job simulates the annotators."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/simulations", body=body)


def studies_spend_retrieve(study: str) -> Operation[models.SpendShape]:
    """Return the study's spending and budget cap, and the annotators' actual hourly wage."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/spend", repeatable=True)


def studies_split_retrieve(study: str) -> Operation[models.SplitShape]:
    """Return the settings of the train, dev and test splits."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/split", repeatable=True)


def studies_split_update(
    study: str, body: models.SplitShapeRequest | None = None, *, if_match: str | None = None
) -> Operation[models.SplitShape]:
    """Divide the items into train, dev and test. Releases contain each item's split in `data/splits.csv` and in the
    `split` column of the other tables.
    """
    return Operation("PUT", f"/api/v1/studies/{segment(study)}/split", body=body, if_match=if_match, repeatable=True)


def studies_split_destroy(study: str, *, if_match: str | None = None) -> Operation[None]:
    """Remove the parts. Later releases contain no splits, and systems are scored on all items."""
    return Operation("DELETE", f"/api/v1/studies/{segment(study)}/split", if_match=if_match)


def studies_state_update(study: str, body: models.StateShapeRequest) -> Operation[models.StudyShape]:
    """Open, pause, close or archive the study. The error `not-ready` lists all requirements that the study does not
    meet.
    """
    return Operation("PUT", f"/api/v1/studies/{segment(study)}/state", body=body, repeatable=True)


def systems_list(study: str, *, page: int | None = None, page_size: int | None = None) -> Listing[models.SystemRow]:
    """Return the study's systems with their latest measures, newest first."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/systems",
        query={"page": page, "page_size": page_size},
        repeatable=True,
    )


def studies_systems_create(
    study: str, body: models.SystemDraftRequest, *, idempotency_key: str | None = None
) -> Operation[models.SystemShape]:
    """Add a system with the file that contains its output. A background job scores the system. The error `faults`
    lists all errors in the file.
    """
    return Operation(
        "POST",
        f"/api/v1/studies/{segment(study)}/systems",
        body=body,
        idempotency_key=idempotency_key,
        has_file=True,
        repeatable=True,
        accepts_key=True,
    )


def studies_systems_retrieve(study: str, number: int) -> Operation[models.SystemShape]:
    """Return a system with its latest score and latest scoring job."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/systems/{segment(number)}", repeatable=True)


def studies_systems_partial_update(
    study: str, number: int, body: models.PatchedSystemChangeRequest | None = None, *, if_match: str | None = None
) -> Operation[models.SystemShape]:
    """Add a system to the public leaderboard, or remove it."""
    return Operation(
        "PATCH", f"/api/v1/studies/{segment(study)}/systems/{segment(number)}", body=body, if_match=if_match
    )


def studies_systems_file_retrieve(study: str, number: int) -> Operation[bytes]:
    """Return a system's file exactly as uploaded."""
    return Operation(
        "GET", f"/api/v1/studies/{segment(study)}/systems/{segment(number)}/file", repeatable=True, returns_json=False
    )


def studies_systems_score_create(study: str, number: int) -> Operation[models.JobShape]:
    """Rescore a system on the current annotations. The previous score remains until the job has finished."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/systems/{segment(number)}/score")


def systems_compare(study: str, *, first: int, second: int) -> Operation[list[models.DifferenceShape]]:
    """Return the differences between two systems on the current annotations, with intervals and p-values."""
    return Operation(
        "GET",
        f"/api/v1/studies/{segment(study)}/systems/comparison",
        query={"first": first, "second": second},
        repeatable=True,
    )


def team_messages_list(
    study: str, *, page: int | None = None, page_size: int | None = None
) -> Listing[models.TeamMessageShape]:
    """Return the research team's messages to annotators, newest first."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/team-messages",
        query={"page": page, "page_size": page_size},
        repeatable=True,
    )


def studies_team_messages_create(
    study: str, body: models.TeamMessageDraftRequest, *, idempotency_key: str | None = None
) -> Operation[models.TeamMessageShape]:
    """Send a message to one annotator or to all annotators of the study. Annotators see the message on their
    overview page for the study.
    """
    return Operation(
        "POST",
        f"/api/v1/studies/{segment(study)}/team-messages",
        body=body,
        idempotency_key=idempotency_key,
        repeatable=True,
        accepts_key=True,
    )


def studies_templates_csv_retrieve(study: str, purpose: str) -> Operation[bytes]:
    """Return a CSV file with the columns for this kind of upload (`items`, `gold` or `practice`) and an example
    row.
    """
    return Operation(
        "GET", f"/api/v1/studies/{segment(study)}/templates/{segment(purpose)}.csv", repeatable=True, returns_json=False
    )


def todo_list(study: str) -> Operation[list[models.TodoShape]]:
    """Return everything in a study that currently needs attention, most urgent entries first."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/todo", repeatable=True)


def studies_todo_mail_update(study: str, body: models.TodoMailShapeRequest) -> Operation[models.TodoMailShape]:
    """Turn on or off the e-mails that you receive about new entries in the study's to-do list. Accord sends you at
    most one e-mail per day for all your studies.
    """
    return Operation("PUT", f"/api/v1/studies/{segment(study)}/todo-mail", body=body, repeatable=True)


def studies_try_outs_create(study: str) -> Operation[models.TryOutShape]:
    """Start a try-out, in which you answer the study's HITs like an annotator, even before the study is open. The
    answers never count.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/try-outs")


def studies_unarchive_create(study: str) -> Operation[models.StudyShape]:
    """Unarchive a study. The study returns to its previous state, which is draft or closed."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/unarchive")


def uploads_list(study: str, *, page: int | None = None, page_size: int | None = None) -> Listing[models.UploadRow]:
    """Return the study's uploads without their contents, newest first."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/uploads",
        query={"page": page, "page_size": page_size},
        repeatable=True,
    )


def studies_uploads_create(
    study: str, body: models.UploadDraftRequest, *, idempotency_key: str | None = None
) -> Operation[models.UploadShape | models.PendingUpload]:
    """Upload a file and preview its import. Nothing is imported yet. If a file is large, a background job reads it,
    and the response has status 202.
    """
    return Operation(
        "POST",
        f"/api/v1/studies/{segment(study)}/uploads",
        body=body,
        idempotency_key=idempotency_key,
        has_file=True,
        repeatable=True,
        accepts_key=True,
    )


def studies_uploads_retrieve(study: str, upload: str) -> Operation[models.UploadShape | models.PendingUpload]:
    """Return the preview of an upload, or the job that reads the file if the preview is not ready (status 202)."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/uploads/{segment(upload)}", repeatable=True)


def studies_uploads_update(
    study: str, upload: str, body: models.LayoutShapeRequest | None = None
) -> Operation[models.UploadShape | models.PendingUpload]:
    """Change the settings for reading a table, and return a new preview. The list of errors includes the lines that
    you can skip.
    """
    return Operation("PUT", f"/api/v1/studies/{segment(study)}/uploads/{segment(upload)}", body=body, repeatable=True)


def studies_uploads_import_create(
    study: str, upload: str, body: models.ImportShapeRequest | None = None
) -> Operation[models.UploadShape | models.PendingUpload]:
    """Import all rows of an upload or, if it contains errors, import nothing (status 400, `faults`). If a file is
    large, a background job imports it, and the response has status 202.

    If the study already contains some of the items or questions, choose in `known` what to do with them.
    """
    return Operation("POST", f"/api/v1/studies/{segment(study)}/uploads/{segment(upload)}/import", body=body)


def studies_uploads_import_destroy(study: str, upload: str) -> Operation[models.RemovedShape]:
    """Remove the items or questions that were imported from the upload. The upload can be imported again.

    Items and questions can be removed only from a draft. Removing items also removes the design.
    """
    return Operation("DELETE", f"/api/v1/studies/{segment(study)}/uploads/{segment(upload)}/import")


def waiting_list(study: str, *, page: int | None = None, page_size: int | None = None) -> Listing[models.WaitingShape]:
    """Return the people on the waiting list, in order."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/waiting-list",
        query={"page": page, "page_size": page_size},
        repeatable=True,
    )


def studies_waiting_list_destroy(study: str, person: str) -> Operation[None]:
    """Remove a person from the waiting list."""
    return Operation("DELETE", f"/api/v1/studies/{segment(study)}/waiting-list/{segment(person)}")


def webhooks_list(study: str) -> Operation[list[models.WebhookShape]]:
    """Return the study's webhooks without their secrets."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/webhooks", repeatable=True)


def studies_webhooks_create(study: str, body: models.WebhookDraftRequest) -> Operation[models.NewWebhookShape]:
    """Add a webhook. The response contains the secret for verifying signatures, which Accord shows only once."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/webhooks", body=body)


def studies_webhooks_retrieve(study: str, webhook: str) -> Operation[models.WebhookShape]:
    """Return a webhook without its secret."""
    return Operation("GET", f"/api/v1/studies/{segment(study)}/webhooks/{segment(webhook)}", repeatable=True)


def studies_webhooks_partial_update(
    study: str, webhook: str, body: models.PatchedWebhookChangeRequest | None = None, *, if_match: str | None = None
) -> Operation[models.WebhookShape]:
    """Change a webhook's URL or events, or turn the webhook on or off."""
    return Operation(
        "PATCH", f"/api/v1/studies/{segment(study)}/webhooks/{segment(webhook)}", body=body, if_match=if_match
    )


def studies_webhooks_destroy(study: str, webhook: str, *, if_match: str | None = None) -> Operation[None]:
    """Delete a webhook and its deliveries."""
    return Operation("DELETE", f"/api/v1/studies/{segment(study)}/webhooks/{segment(webhook)}", if_match=if_match)


def studies_webhooks_secret_create(study: str, webhook: str) -> Operation[models.SecretShape]:
    """Replace a webhook's secret. All later deliveries are signed with the new secret."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/webhooks/{segment(webhook)}/secret")


def studies_webhooks_test_create(study: str, webhook: str) -> Operation[models.DeliveryShape]:
    """Send a test event to a webhook. The list of deliveries shows the result a few seconds later."""
    return Operation("POST", f"/api/v1/studies/{segment(study)}/webhooks/{segment(webhook)}/test")


def deliveries_list(
    study: str, *, cursor: str | None = None, page_size: int | None = None
) -> Listing[models.DeliveryShape]:
    """Return all deliveries to the study's webhooks in the last 30 days, newest first."""
    return Listing(
        "GET",
        f"/api/v1/studies/{segment(study)}/webhooks/deliveries",
        query={"cursor": cursor, "page_size": page_size},
        repeatable=True,
    )


def studies_repeat_create(
    body: models.RepeatDraftRequest, *, idempotency_key: str | None = None
) -> Operation[models.RepeatedStudyShape]:
    """Create a draft that repeats the study in a release. You become its owner. The draft has the same items,
    questions, HITs, gold sets, texts and settings, and the response lists the differences.
    """
    return Operation(
        "POST",
        "/api/v1/studies/repeat",
        body=body,
        idempotency_key=idempotency_key,
        has_file=True,
        repeatable=True,
        accepts_key=True,
    )
