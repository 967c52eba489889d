"""The declaration of personal data, for every text and JSON column of `annotate` and of the libraries. It states what
happens to the column when an annotator's personal data is removed, and where the annotator's own download contains it.

Rooms and applications with tables of their own declare them (`annotate.tasktypes.personal`). Accounts belong to people
and not to studies, so removing an annotator's data from studies leaves the account.
"""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db.models import CharField, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Cast

from annotate import models
from annotate.models import Annotator, Invitation
from annotate.prolific.selectors.submissions import imports_naming, reported_naming, reported_of, submissions_naming
from annotate.recruiting.selectors import entries_naming, screenings_naming
from annotate.tasktypes.personal import Table, declared, deleted, emptied, impersonal, kept

RANDOM = impersonal("random")
STUDY = impersonal("written by researchers for all annotators of the study")
RESEARCHER = impersonal("about a researcher or an account")
RESULT = impersonal("calculated from answers under pseudonyms")
STATE = impersonal("a state of the program")
FILE = impersonal("a file about items, or its name")
HASH = "a keyed hash that nobody can turn back"


def tables() -> list[Table]:
    """Return all declared tables in the order of removal. Rows that are found by an ID are removed before the ID."""
    return [*declared(), *REMOVED, *KEPT_UNDER_PSEUDONYMS, *IMPERSONAL]


def invitations_of(annotators: QuerySet[Annotator]) -> QuerySet[Invitation]:
    """Return the invitations to these annotators' studies that they received or accepted."""
    accounts = annotators.filter(platform=Annotator.Platform.ACCOUNT, study=OuterRef("study"))
    accepted = Q(external_id=Cast(OuterRef("accepted_by"), CharField()))
    same = accounts.filter(accepted | (Q(contact__iexact=OuterRef("email")) & ~Q(contact="")))
    return Invitation.objects.filter(Exists(same), role="")


REMOVED = (
    Table(
        models.ListedPerson,
        {"public_id kind": RANDOM, "hash": deleted(reason=HASH), "source": FILE},
        named=entries_naming,
    ),
    Table(
        Invitation,
        {"public_id": RANDOM, "email": deleted("invitations[].email"), "role": STATE},
        of=invitations_of,
        only=Q(role=""),  # an invitation with a role is for a researcher
    ),
    Table(
        models.WaitingPerson,
        {"public_id": RANDOM, "email": deleted(reason="deleted when the person joins")},
        of=lambda annotators: models.WaitingPerson.objects.none(),
    ),
    Table(
        models.NetworkSighting,
        {"hash": deleted(reason=HASH)},
        of="participation__annotator",
        study="participation__study",
    ),
    Table(
        models.Screening,
        {
            "public_id": RANDOM,
            "created_at": kept("screening.created_at"),
            "person_hash": emptied(reason=HASH),
            "answers": emptied("screening.answers"),
        },
        of="participation__annotator",
        named=screenings_naming,
        study="questionnaire__study",
    ),
    Table(
        models.SurveyResponse,
        {"public_id": RANDOM, "created_at": deleted("survey.created_at"), "answers": deleted("survey.answers")},
        of="participation__annotator",
        study="questionnaire__study",
    ),
    Table(
        models.ActivitySummary,
        {"pasted_length": deleted(reason="in the download beside its answer")},
        of="answer__participation__annotator",
        study="answer__participation__study",
    ),
    Table(
        models.IntegrityFigures,
        {
            "figures": deleted("integrity_signs.figures"),
            "answers": deleted("integrity_signs.answers"),
            "calculated_at": deleted("integrity_signs.calculated_at"),
        },
        of="participation__annotator",
        study="participation__study",
    ),
    Table(
        models.NamedAnnotator,
        {
            "public_id": RANDOM,
            "name": emptied("personal_link.name"),
            "email": emptied("personal_link.email"),
            "mail_state": kept("personal_link.mail_state"),
            "mail_fault": emptied("personal_link.mail_fault"),
            "mailed_at": kept("personal_link.mailed_at"),
        },
        of="participation__annotator",
    ),
    Table(
        models.ReportedSubmission,
        {
            "submission_id": deleted("reported_by_prolific[].submission_id"),
            "participant_id": deleted("reported_by_prolific[].participant_id"),
            "status": deleted("reported_by_prolific[].status"),
            "code": deleted("reported_by_prolific[].completion_code"),
            "started_at": deleted("reported_by_prolific[].started_at"),
            "completed_at": deleted("reported_by_prolific[].completed_at"),
            "reviewed_at": deleted("reported_by_prolific[].reviewed_at"),
            "seconds": deleted("reported_by_prolific[].seconds"),
            "rejection_category": deleted("reported_by_prolific[].rejection_category"),
            "rejection_message": deleted("reported_by_prolific[].rejection_message"),
        },
        of=reported_of,
        named=reported_naming,
    ),
    Table(
        models.SubmissionImport,
        {
            "public_id": RANDOM,
            "source filename": FILE,
            "rows": deleted(reason="a preview, deleted after a day"),
            "before": emptied(reason="earlier values of reported submissions, to undo the import"),
        },
        named=imports_naming,
        only=Q(imported_at=None),
    ),
    Table(
        models.ProlificSubmission,
        {
            "participant_id": emptied("prolific_submissions[].participant_id"),
            "prolific_study_id": kept("prolific_submissions[].study_id"),
            "submission_id": emptied("prolific_submissions[].submission_id"),
            "arrived_at": kept("prolific_submissions[].arrived_at"),
            "outcome": kept("prolific_submissions[].outcome"),
            "outcome_at": kept("prolific_submissions[].outcome_at"),
        },
        of="participation__annotator",
        named=submissions_naming,
    ),
    Table(
        models.Participation,
        {
            "public_id": RANDOM,
            "pseudonym": kept("you.pseudonym"),
            "group__name": kept("you.group"),
            "joined_at": kept("you.joined_at"),
            "standing": kept("you.standing"),
            "standing_reason": kept("you.standing_reason"),
            "resume_hash": emptied(reason=HASH),
            "tallies forgiven": kept(reason="would tell gold questions, which other annotators still answer"),
        },
        of="annotator",
    ),
    Table(
        models.Annotator,
        {
            "platform": kept("you.platform"),
            "external_id": emptied("you.platform_id"),
            "contact": emptied("you.contact"),
            "verified": emptied(reason="whether the ID was confirmed"),
        },
        of=lambda annotators: annotators,
    ),
)

# Texts by annotators, which remain under their pseudonyms. `own_data` shows it as they saw it.
KEPT_UNDER_PSEUDONYMS = (
    Table(
        models.Assignment,
        {
            "public_id": kept("assignments[].id"),
            "state": kept("assignments[].state"),
            "reason": kept("assignments[].reason"),
            "claimed_at": kept("assignments[].claimed_at"),
            "submitted_at": kept("assignments[].submitted_at"),
            "reward": kept("assignments[].reward"),
            "credited": kept("assignments[].credited"),
            "kind source": STATE,
            "external_id": kept(reason="the ID of the assignment at its host, which declares it"),
        },
        of="participation__annotator",
    ),
    Table(
        models.Answer,
        {
            "shown": kept("assignments[].answers[].question"),
            "value later": kept("assignments[].answers[].answer"),
            "draft": kept("assignments[].answers[].draft"),
            "skipped": kept("assignments[].answers[].reason_for_skipping"),
            "trace": kept("assignments[].answers[].earlier_answers"),
            "dispute_note": kept("assignments[].answers[].comment"),
            "tally": kept(reason="would tell gold questions, which other annotators still answer"),
            "excluded": kept(reason="a researcher's note on how the results were calculated"),
        },
    ),
    Table(
        models.Remark,
        {
            "public_id": RANDOM,
            "kind": kept("messages[].kind"),
            "text": kept("messages[].text"),
            "reply": kept("messages[].reply"),
        },
    ),
    Table(models.TeamMessage, {"public_id": RANDOM, "text": kept("messages_from_the_research_team[].text")}),
    Table(
        models.PayEntry,
        {
            "public_id": RANDOM,
            "kind": kept("bonuses_and_payments[].kind"),
            "reason": kept("bonuses_and_payments[].note"),
        },
    ),
    Table(models.Payment, {"reference": kept("bonuses_and_payments[].note")}),
    Table(
        models.Event,
        {"verb detail reason": kept(reason="the log, with which researchers account for their decisions")},
    ),
    Table(models.IdempotencyKey, {"key request_hash": RESEARCHER, "body": kept(reason="deleted after 24 hours")}),
)

IMPERSONAL = (
    Table(
        models.Study,
        {
            "public_id join_token": RANDOM,
            "task_type state target_figure admission recruitment order gold_exhausted rule_unit rule_measure": STATE,
            "title protocol_number privacy_notice contact": STUDY,
            "instructions examples eligibility currency payment_terms language direction time_zone": STUDY,
            "options excluded_studies admitted_studies": STUDY,
            "identity_parameter return_url completion_code": STUDY,
        },
    ),
    Table(models.Consent, {"text": STUDY}),
    Table(models.Guidelines, {"instructions examples": STUDY}),
    Table(models.AnnotatorGroup, {"public_id": RANDOM, "name": STUDY}),
    Table(models.AnnotatorBatch, {"public_id answers_sha256": RANDOM}),
    Table(models.Questionnaire, {"purpose introduction ending timing questions": STUDY, "totals": RESULT}),
    Table(models.Question, {"public_id": RANDOM, "ref kind payload gold explanation": FILE}),
    Table(models.GoldJudgement, {"value explanation": RESEARCHER}),
    Table(models.Decision, {"value note": RESEARCHER}),
    Table(models.Upload, {"public_id": RANDOM, "purpose filename content sha256 layout preview": FILE}),
    Table(models.Item, {"key content metadata": FILE}),
    Table(
        models.Report,
        {"public_id": RANDOM, "kind parameters versions input input_sha256 columns_sha256 result by_group": RESULT},
    ),
    Table(models.ReportShare, {"public_id hash": RANDOM}),
    Table(models.Job, {"public_id": RANDOM, "kind parameters state message error": STATE}),
    Table(models.ProlificSettings, {"codes failed_gold": STUDY}),
    Table(models.ProlificStudy, {"prolific_id": STUDY}),
    Table(models.BonusList, {"state prolific_id error": STATE}),
    Table(models.Membership, {"role mailed_todo": RESEARCHER}),
    Table(models.ApiToken, {"public_id name hash scope": RESEARCHER}),
    Table(models.SignInEvent, {"kind address detail": RESEARCHER}),
    Table(models.User, {"password public_id email name": RESEARCHER}),
    Table(EmailAddress, {"email": RESEARCHER}),
    Table(EmailConfirmation, {"key": RESEARCHER}),
    Table(Authenticator, {"type data": RESEARCHER}),
    Table(SocialAccount, {"provider uid extra_data": RESEARCHER}),
    Table(SocialApp, {"provider provider_id name client_id secret key settings": STATE}),
    Table(SocialToken, {"token token_secret": RESEARCHER}),
    Table(LogEntry, {"object_id object_repr change_message": RESEARCHER}),
    Table(Session, {"session_key session_data": RESEARCHER}),
    Table(Group, {"name": STATE}),
    Table(Permission, {"name codename": STATE}),
    Table(ContentType, {"app_label model": STATE}),
)


def sections(annotators: QuerySet[Annotator]) -> dict[str, Any]:
    """Return the sections of the download that are columns of tables. A section is a list if its name ends in `[]`, and
    otherwise one row, or None without a row.
    """
    data: dict[str, Any] = {}
    for table in tables():
        downloads = [column.download for column in table.by_name.values() if column.download and table.of]
        for name in dict.fromkeys(download.rpartition(".")[0] for download in downloads):
            rows = table.section(annotators, name)
            if name.endswith("[]"):
                data[name.removesuffix("[]")] = rows
            else:
                data[name] = {**(data.get(name) or {}), **rows[0]} if rows else data.get(name)
    return data
