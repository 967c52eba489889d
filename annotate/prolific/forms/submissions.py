"""Forms for Prolific submissions."""

from __future__ import annotations

from django import forms

from annotate.exchange.prolific import RejectionCategory
from annotate.prolific.services.prolific_rejections import LONGEST, SHORTEST
from annotate.web.forms.looks import ConsoleForm
from annotate.web.forms.text_files import TextUploadForm

CATEGORIES = {
    RejectionCategory.TOO_QUICKLY: "Completed exceptionally fast",
    RejectionCategory.TOO_SLOWLY: "Completed exceptionally slowly",
    RejectionCategory.FAILED_INSTRUCTIONS: "Did not follow the instructions",
    RejectionCategory.INCOMP_LONGITUDINAL: "Did not complete all parts of a longitudinal study",
    RejectionCategory.FAILED_CHECK: "Failed a fair attention check",
    RejectionCategory.LOW_EFFORT: "Low effort",
    RejectionCategory.MALINGERING: "Untruthful answers about eligibility",
    RejectionCategory.NO_CODE: "No completion code",
    RejectionCategory.BAD_CODE: "Wrong completion code",
    RejectionCategory.NO_DATA: "No data",
    RejectionCategory.UNSUPP_DEVICE: "Unsupported device",
    RejectionCategory.OTHER: "Other reason",
}


class SubmissionsForm(TextUploadForm):
    """A submission export from Prolific."""


class RejectionForm(ConsoleForm):
    category = forms.ChoiceField(
        label="Reason for Prolific", choices=[(str(category), label) for category, label in CATEGORIES.items()]
    )
    participant_message = forms.CharField(
        label="Message to the participant",
        widget=forms.Textarea(attrs={"rows": 4, "minlength": SHORTEST, "maxlength": LONGEST}),
        help_text=f"Prolific shows this message to the participant and requires at least {SHORTEST} characters.",
    )


class LinkForm(ConsoleForm):
    prolific_id = forms.CharField(
        label="Study ID on Prolific",
        max_length=64,
        help_text="The last part of the study’s URL on Prolific.",
    )


class DraftForm(ConsoleForm):
    minutes = forms.IntegerField(
        label="Estimated minutes per submission", min_value=1, max_value=1440, widget=forms.NumberInput()
    )
    places = forms.IntegerField(label="Number of participants", min_value=1, max_value=20_000)
