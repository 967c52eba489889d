"""Serializers for Prolific submissions, their imports, and bonus lists."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from accord_core.exchange.prolific import RejectionCategory, Status
from annotate.models import BonusList, Outcome, Participation
from annotate.pay.shapes import MONEY
from annotate.prolific.advice import Match, Step
from annotate.prolific.services.rejections import LONGEST, SHORTEST
from annotate.web.api.shapes import FileDraft


def _choices(names: Any) -> list[tuple[str, str]]:
    return [(str(name), str(name)) for name in names]


class SubmissionShape(serializers.Serializer):
    submission_id = serializers.CharField(help_text="Prolific's ID for the submission.")
    participant_id = serializers.CharField(help_text="Prolific's ID for the participant.")
    status = serializers.ChoiceField(
        _choices(Status),
        allow_blank=True,
        help_text="Status on Prolific, or an empty string if Prolific has not reported the submission.",
    )
    code = serializers.CharField(help_text="The completion code that the participant entered, or `NOCODE`.")
    started_at = serializers.DateTimeField(source="reported.started_at", default=None, allow_null=True)
    completed_at = serializers.DateTimeField(source="reported.completed_at", default=None, allow_null=True)
    seconds = serializers.IntegerField(source="reported.seconds", default=None, allow_null=True)
    match = serializers.ChoiceField(_choices(Match), help_text="How the submission was matched with a participant.")
    annotator = serializers.CharField(source="participation.pseudonym", default=None, allow_null=True)
    standing = serializers.ChoiceField(
        Participation.Standing.choices, source="participation.standing", default=None, allow_null=True
    )
    outcome = serializers.ChoiceField(Outcome.choices, allow_blank=True, help_text="Empty during the work.")
    hits = serializers.IntegerField(help_text="Number of HITs completed in this Prolific submission.")
    hit_seconds = serializers.FloatField(
        source="seconds", help_text="Total time of all HITs that the annotator submitted."
    )
    gold_right = serializers.IntegerField(help_text="Number of the annotator's correct gold answers.")
    gold_given = serializers.IntegerField(help_text="Number of the annotator's graded gold answers.")
    bonus_due = serializers.DecimalField(source="due", help_text="The amount to pay as a bonus on Prolific.", **MONEY)
    next_step = serializers.ChoiceField(_choices(Step), source="step")
    instruction = serializers.CharField()
    rejection_category = serializers.ChoiceField(
        _choices(RejectionCategory), source="reported.rejection_category", default="", allow_blank=True
    )


class ImportDraft(FileDraft):
    dry_run = serializers.BooleanField(default=False, help_text="Return the numbers without importing anything.")


class ImportShape(serializers.Serializer):
    id = serializers.CharField(
        allow_null=True, help_text="ID for undoing the import, or `null` if the import changed nothing."
    )
    added = serializers.IntegerField(help_text="Number of new submissions.")
    changed = serializers.IntegerField(help_text="Number of submissions with a new status, code or time.")
    unchanged = serializers.IntegerField()
    unmatched = serializers.IntegerField(help_text="Number of submissions without a participant in Accord.")


class RejectionDraft(serializers.Serializer):
    category = serializers.ChoiceField(_choices(RejectionCategory), help_text="The reason for Prolific.")
    participant_message = serializers.CharField(
        max_length=LONGEST,
        help_text=f"Prolific shows this message to the participant. At least {SHORTEST} characters.",
    )


class BonusShareShape(serializers.Serializer):
    annotator = serializers.CharField(source="participation.pseudonym")
    amount = serializers.DecimalField(**MONEY)


class BonusListShape(serializers.Serializer):
    number = serializers.IntegerField()
    state = serializers.ChoiceField(BonusList.State.choices)
    error = serializers.CharField(help_text="The reason why Prolific refused the payment, or an empty string.")
    payment = serializers.IntegerField(
        source="payment.number", default=None, allow_null=True, help_text="Number of the recorded payment."
    )
    created_at = serializers.DateTimeField()
    shares = BonusShareShape(many=True)


class PaidDraft(serializers.Serializer):
    paid_on = serializers.DateField(required=False, help_text="The default is today.")
