"""Forms for Prolific: the settings of a study, and submissions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import BoundField
from django.forms.models import fields_for_model

from accord_core.exchange.prolific import RejectionCategory
from annotate.models import Outcome, ProlificSettings
from annotate.prolific.services.rejections import LONGEST, SHORTEST
from annotate.server.refusals import Refused
from annotate.web.forms import ConsoleForm, TextUploadForm

SETTINGS = (
    *("hits_per_submission", "submissions_per_participant", "secured"),
    *("failed_gold", "screenout_reward", "needs_computer"),
)
CODES_TEXT = (
    "Add each code to the study on Prolific, or replace the codes with codes from Prolific. Participants without a "
    "code are asked to return their submission."
)


@dataclass(frozen=True)
class CodeKind:
    """The completion code for one outcome, with the settings that researchers select for the code on Prolific."""

    outcome: str
    code_type: str
    action: str


CODE_KINDS = (
    CodeKind(Outcome.COMPLETED, "Completed", "Manually review"),
    CodeKind(Outcome.NO_CONSENT, "No consent", "Request a return"),
    CodeKind(Outcome.SCREENED_OUT, "Screened out (fixed payment)", "Pay the fixed screen-out payment"),
    CodeKind(Outcome.FAILED_GOLD, "Failed attention check", "Manually review"),
    CodeKind(Outcome.INCOMPATIBLE_DEVICE, "Incompatible device", "Request a return"),
)


class ProlificForm(ConsoleForm):
    """The form for all Prolific settings, with one field for each completion code."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, stored: ProlificSettings) -> None:
        initial = {name: getattr(stored, name) for name in SETTINGS}
        initial |= {f"code_{outcome}": stored.code(outcome) for outcome in Outcome.values}
        super().__init__(data, initial=initial)
        fields = fields_for_model(ProlificSettings, fields=SETTINGS)
        self.fields |= {name: field for name, field in fields.items() if field}
        for kind in CODE_KINDS:
            label = f"Completion code: {Outcome(kind.outcome).label}"
            help_text = f"Type on Prolific: {kind.code_type}. Action on Prolific: {kind.action}."
            self.fields[f"code_{kind.outcome}"] = forms.CharField(
                required=False, max_length=40, label=label, help_text=help_text
            )
        self.fields["screenout_reward"].widget.attrs["step"] = "any"
        self._dress()

    def groups(self) -> list[tuple[str, str, list[BoundField]]]:
        """Return the page's headings, introductions and fields, in page order."""
        codes = [self[f"code_{kind.outcome}"] for kind in CODE_KINDS]
        return [
            ("Submissions", "", [self["hits_per_submission"], self["submissions_per_participant"], self["secured"]]),
            (
                "Completion codes",
                CODES_TEXT,
                codes,
            ),
            (
                "Participants who cannot finish",
                "",
                [self["failed_gold"], self["screenout_reward"], self["needs_computer"]],
            ),
        ]

    def values(self) -> dict[str, Any]:
        """Return the settings from the form for the service."""
        codes = {outcome: self.cleaned_data[f"code_{outcome}"] for outcome in Outcome.values}
        return {name: self.cleaned_data[name] for name in SETTINGS} | {"codes": codes}

    def refuse(self, refusal: Refused) -> None:
        """Show a service's errors. Errors in a completion code appear next to its field."""
        refusal.fields = {name.replace("codes.", "code_", 1): errors for name, errors in refusal.fields.items()}
        super().refuse(refusal)


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
