"""A study's settings as one form: for a new study, and for changing one. The task type's own options come with it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.forms import BoundField
from django.forms.models import fields_for_model

from annotate.models import Study
from annotate.services.recruitment import LISTS
from annotate.services.study import LOCKED_ONCE_OPEN
from annotate.tasktypes import Option, TaskType

from .looks import ConsoleForm

LOCKED = "Locked since the study was opened: answers that are in depend on it."
LOCKED_JUDGEMENTS = "Locked since the study was opened. More judgements can be asked for on the overview."

# Heading, what stands under it, and the settings there, in the order of the page. "consent" is a text with versions.
GROUPS = (
    (
        "What annotators read", "Instructions and examples are Markdown; they stay a key away while annotators work.",
        ("instructions", "examples", "language", "direction"),
    ),
    (
        "What makes it publishable", "Kept with the study and printed with its results.",
        (
            "consent", "privacy_notice", "retention_days", "protocol_number", "eligibility", "reward", "currency",
            "planned_hourly_wage",
        ),
    ),
    (
        "How work is handed out", "",
        ("judgements", "questions_per_hit", "order", "lease_minutes", "hits_per_annotator"),
    ),
    (
        "Recruitment", "The source of annotators, and who can join.",
        ("recruitment", "admission", "excluded_studies", "admitted_studies", "network_check"),
    ),
    (
        "Gold and the quality rule", "Gold questions look like all others; whoever misses one is told at once and why.",
        (
            "gold_block", "gold_exhausted", "rule_threshold", "rule_minimum", "rule_unit", "rule_measure",
            "pay_stopped",
        ),
    ),
    ("Practice and pilot", "", ("practice", "pilot_hits", "piloting", "pilot_counts")),
)  # fmt: skip

LABELS = {
    "language": "Language of the texts",
    "direction": "Direction of writing",
    "instructions": "Instructions",
    "examples": "Worked examples",
    "protocol_number": "Protocol number",
    "privacy_notice": "Privacy notice",
    "retention_days": "Days until personal data is removed",
    "eligibility": "Who may take part",
    "reward": "Reward",
    "currency": "Currency",
    "planned_hourly_wage": "Planned hourly wage",
    "judgements": "Judgements a question",
    "questions_per_hit": "Questions in a HIT",
    "order": "Order in which work goes out",
    "recruitment": "Source of annotators",
    "admission": "Who can join",
    "excluded_studies": "Exclude people who took part in these studies",
    "admitted_studies": "Admit only people who took part in these studies",
    "network_check": "Mark annotators on the same network as a stopped annotator",
    "lease_minutes": "Minutes that a HIT is kept",
    "hits_per_annotator": "HITs an annotator, at most",
    "gold_block": "Questions to each gold question",
    "gold_exhausted": "Who has seen all gold",
    "rule_threshold": "Stopped below an accuracy of",
    "rule_minimum": "First looked at after",
    "rule_unit": "Counted in",
    "rule_measure": "Accuracy is",
    "pay_stopped": "Pay stopped annotators for the HIT in progress",
    "practice": "Begin with the practice questions, where there are any",
    "pilot_hits": "HITs in the pilot",
    "piloting": "Hand out the pilot alone for now",
    "pilot_counts": "Answers of the pilot enter the scores",
}
HELP = {
    "instructions": "Markdown. The study cannot open without them.",
    "examples": "Markdown.",
    "recruitment": (
        "With Prolific, the join page reads PROLIFIC_PID from the link and asks everyone without it to open the study "
        "from Prolific. With your own links, the parameter is ignored."
    ),
    "network_check": (
        "State in the consent text that the study stores a keyed hash of the network address for 30 days to "
        "detect people who join twice. Only annotators who join from now on are compared. People in a lab or "
        "household share a network, so a match is not proof."
    ),
    "rule_unit": "",
    "currency": "Three letters, such as USD or EUR.",
    "planned_hourly_wage": "Shown with the cost: how long a HIT may take at this wage.",
    "rule_minimum": "Fewer answers stop good annotators by bad luck; the gold page shows how many.",
    "rule_threshold": "A share, such as 0.7; 0 stops nobody.",
    "pilot_hits": "The first HITs; 0 for none.",
    "piloting": "",
    "practice": "",
    "pay_stopped": "Submitted HITs are always paid, even after a stop.",
    "pilot_counts": "",
}
WIDE = frozenset(
    ["excluded_studies", "admitted_studies", "instructions", "examples", "consent", "privacy_notice", "eligibility"]
)
ROWS = {"instructions": 10, "examples": 8, "consent": 8, "privacy_notice": 8, "eligibility": 2}


LINKED_HELP = {
    "excluded_studies": (
        "People who took part in one of these studies cannot join this study or get new HITs in it. Accord can only "
        "recognize people who have accounts, not people who joined through an open link."
    ),
    "admitted_studies": (
        "Only people who took part in one of these studies can join this study. "
        "The study must require accounts. If no study is selected, everyone can join."
    ),
}
LOCKED_LINKS = "Some of these studies belong to another owner. Only that owner can change this list."


class StudyForm(ConsoleForm):
    """Title, the task type's options and every setting. With a study, its values; what is locked is shown disabled."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False)
    title = forms.CharField(max_length=200, label="Title", help_text="Annotators see it.")

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, task: TaskType, study: Study | None = None,
        linkable: Sequence[Study] = (),
    ) -> None:  # fmt: skip
        """`linkable` contains the owner's other studies, whose people can be excluded or admitted."""
        self.task, self.study = task, study
        names = [name for _, _, group in GROUPS for name in group]
        self.settings = ["title", *(name for name in names if name != "consent")]
        if study:
            self.settings.append("seed")
        fields = fields_for_model(Study, fields=self.settings[1:], labels=LABELS, help_texts=HELP)
        super().__init__(data, initial=_values(study, task) if study else task.begins_with())
        self.fields |= {
            **{f"option_{option.name}": option_field(option) for option in task.options},
            **{name: field for name, field in fields.items() if field},
            "consent": forms.CharField(
                required=False, widget=forms.Textarea, label="Consent text", strip=False,
                help_text="Markdown. Every annotator accepts it first; which version, and when, is kept.",
            ),
            "rule_measure": forms.ChoiceField(
                choices=list(task.measures.items()), label=LABELS["rule_measure"], initial="accuracy",
                help_text=task.rule_help,
            ),
        }  # fmt: skip
        for name in LISTS:
            self._offer_studies(name, linkable)
        self._dress()
        for name in fields.keys() & self.fields.keys():
            self._keep_the_models_bounds(name)
        for name, rows in ROWS.items():
            self.fields[name].widget.attrs["rows"] = rows
        for name in ("reward", "planned_hourly_wage", "rule_threshold"):
            self.fields[name].widget.attrs["step"] = "any"
        if study and not study.is_draft:
            self._lock()

    def clean_currency(self) -> str:
        currency: str = self.cleaned_data["currency"].upper()
        if len(currency) != 3 or not currency.isascii() or not currency.isalpha():
            raise forms.ValidationError("Three letters, such as USD or EUR.")
        return currency

    def clean_consent(self) -> str:
        return self.cleaned_data["consent"].replace("\r\n", "\n")

    def clean(self) -> dict[str, Any]:
        """Refuse a form that was opened before somebody else changed the settings; the input stays."""
        cleaned = super().clean() or self.cleaned_data
        if self.study and cleaned.get("seen") != fingerprint(self.study, self.task):
            self.data = {
                **{name: self.data.get(name) for name in self.data},
                "seen": fingerprint(self.study, self.task),
            }
            raise forms.ValidationError(
                "Somebody has changed the settings since you opened this page. Your input is still here: "
                "look at it once more, and save again if it should replace theirs."
            )
        return cleaned

    def setting_values(self) -> dict[str, Any]:
        """What goes to the service, without what is locked."""
        return {name: self.cleaned_data[name] for name in self.settings if not self.fields[name].disabled}

    def option_values(self) -> dict[str, Any]:
        return {option.name: self.cleaned_data[f"option_{option.name}"] for option in self.task.options}

    # ── for the template ──────────────────────────────────────────────────────────────────────────────────────
    def option_rows(self) -> list[tuple[BoundField, str, bool]]:
        return [self._row(f"option_{option.name}") for option in self.task.options]

    def groups(self) -> Iterator[tuple[str, str, list[tuple[BoundField, str, bool]]]]:
        """(heading, text, rows); a row is (bound field, why it is locked, whether it takes the whole width)."""
        for heading, text, names in GROUPS:
            yield heading, text, [self._row(name) for name in names if name in self.fields]

    def seed_row(self) -> tuple[BoundField, str, bool]:
        return self._row("seed")

    def _row(self, name: str) -> tuple[BoundField, str, bool]:
        reasons = {"judgements": LOCKED_JUDGEMENTS, **dict.fromkeys(LISTS, LOCKED_LINKS)}
        why = reasons.get(name, LOCKED) if self.fields[name].disabled else ""
        wide = name in WIDE or isinstance(self.fields[name].widget, forms.CheckboxInput)
        return self[name], why, wide

    def _offer_studies(self, name: str, linkable: Sequence[Study]) -> None:
        """Add a checkbox per study that can be linked. Remove the field if there are no such studies."""
        titles = {other.public_id: other.title for other in linkable}
        linked = getattr(self.study, name) if self.study else []
        foreign = [public_id for public_id in linked if public_id not in titles]
        if not titles and not foreign:
            del self.fields[name]
            self.settings.remove(name)
            return
        choices = [*titles.items(), *((public_id, "A study of another owner") for public_id in foreign)]
        self.fields[name] = forms.MultipleChoiceField(
            required=False, choices=choices, widget=forms.CheckboxSelectMultiple, label=LABELS[name],
            help_text=LINKED_HELP[name], disabled=bool(foreign),
        )  # fmt: skip

    def _keep_the_models_bounds(self, name: str) -> None:
        """Bounds of the model hold in the form already, so that every fault is named in one go."""
        field = self.fields[name]
        for validator in getattr(Study._meta.get_field(name), "validators", ()):
            if isinstance(validator, MinValueValidator | MaxValueValidator):
                field.validators.append(validator)
                bound = "min" if isinstance(validator, MinValueValidator) else "max"
                field.widget.attrs[bound] = validator.limit_value

    def _lock(self) -> None:
        locked = {*LOCKED_ONCE_OPEN, "judgements"} & self.fields.keys()
        for name in locked | {f"option_{option.name}" for option in self.task.options if option.locked}:
            self.fields[name].disabled = True


def fingerprint(study: Study, task: TaskType) -> str:
    """Of the settings as they are now: a form that carries another one is stale."""
    text = json.dumps(_values(study, task), sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _values(study: Study, task: TaskType) -> dict[str, Any]:
    consent = study.consents.order_by("-version").first()
    names = [name for _, _, group in GROUPS for name in group if name != "consent"]
    return {
        **{name: _plain(getattr(study, name)) for name in ("title", "seed", *names)},
        **{f"option_{option.name}": study.options.get(option.name, option.default) for option in task.options},
        "consent": consent.text if consent else "",
    }


def _plain(value: Any) -> Any:
    """Decimals as one writes them: 0.5, not 0.5000."""
    return Decimal(f"{value.normalize():f}") if isinstance(value, Decimal) else value


def option_field(option: Option) -> forms.Field:
    shared: dict[str, Any] = {"label": option.label, "help_text": option.help, "initial": option.default}
    if option.kind == "integer":
        return forms.IntegerField(min_value=_whole(option.minimum), max_value=_whole(option.maximum), **shared)
    if option.kind == "number":
        return forms.FloatField(
            min_value=option.minimum, max_value=option.maximum,
            widget=forms.NumberInput(attrs={"step": "any"}), **shared,
        )  # fmt: skip
    if option.kind == "choice":
        return forms.ChoiceField(choices=list(option.choices), **shared)
    if option.kind == "boolean":
        return forms.BooleanField(required=False, **shared)
    return forms.CharField(required=option.default != "", max_length=2_000, **shared)  # empty may mean: none


def _whole(bound: float | None) -> int | None:
    return None if bound is None else int(bound)
