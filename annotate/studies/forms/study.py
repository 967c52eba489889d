"""The form for one page of a study's settings with the options of its task type."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.forms.models import fields_for_model
from django.urls import reverse
from django.utils import translation
from django.utils.html import format_html
from django.utils.text import capfirst, get_text_list
from django.utils.translation import gettext as _

from annotate.core.services.consent_terms import admits_strangers
from annotate.core.setting_steps import CONSENT, NEEDS, STEPS, TASK, SettingStep
from annotate.models import Study
from annotate.server.languages import FALLBACK, available
from annotate.studies.forms.shown import SettingGroup, SettingRow, is_in_use, unit_of
from annotate.studies.forms.wording import HELP, LABELS
from annotate.studies.services.settings import LISTS, LOCKED_ONCE_OPEN, setting_field
from annotate.tasktypes import TaskType
from annotate.web.forms import ConsoleForm, offer_deadlines, option_field, zoned_deadlines

LOCKED_JUDGEMENTS = "You can add judgements on Overview, under ⋯ (More actions)."
SUM_OF_QUOTAS = "The sum of the quotas under Recruit, Groups."
LOCKED_LINKS = "Some of these studies belong to another owner. Only this owner can change the list."
# The possible answers to the question about the consent text, with the stored values.
PROMISES = {"": None, "yes": True, "no": False}
# Texts that are optional in a form, but needed to open the study. A small team needs only the first one.
NEEDED = ("instructions", "privacy_notice", "contact")
FRACTIONS = ("rule_threshold", "repeat_share", "target_value", "qualification_mark", "qualification_pay")
WIDE = frozenset(
    [
        *("title", "excluded_studies", "admitted_studies", "instructions", "examples", "privacy_notice", "eligibility"),
        *("consent", "consent_pays_stopped", "payment_terms", "contact"),
    ]
)
# Values that turn a setting off, so that they need not be shown.
OFF = {"rule_threshold": (Decimal(0),), "repeat_share": (Decimal(0),)}
ROWS = {"instructions": 5, "examples": 4, "consent": 4, "privacy_notice": 4, "eligibility": 2, "payment_terms": 3}


def setting_label(name: str) -> str:
    """Return the label of a setting."""
    return capfirst(str(setting_field(name).verbose_name))


def suggested_sentences(language: str) -> str:
    """Return the sentences in the study's language if Accord is translated into it, or otherwise in English."""
    with translation.override(available(language) or FALLBACK):
        return _(
            "With each answer, this study collects a summary of your activity on the page: how often and for how long "
            "another window is in use, the number and approximate length of pasted texts, the number and timing of key "
            "presses and clicks, how straight the pointer moves, and whether a program creates these events. The keys "
            "you press and the texts you paste are not stored. The research team compares these summaries, "
            "and the times and patterns of your answers, with those of other annotators to find careless and automated "
            "answers. The summaries are deleted together with your personal data."
        )


def languages_help() -> str:
    """Return help text with the languages of annotators' pages and of the default texts."""
    names = dict(settings.LANGUAGES)
    offered = get_text_list(list(names.values()), "and")
    unreviewed = get_text_list([names[code] for code in settings.UNREVIEWED_LANGUAGES], "and")
    return f"Annotators’ pages and unchanged texts follow it, in {offered}. No speaker has reviewed {unreviewed} yet."


class StudyForm(ConsoleForm):
    """The form for the settings of one step. On the page about the task, they include the title and the task type's
    options. Locked settings are disabled.
    """

    seen = forms.CharField(widget=forms.HiddenInput, required=False)
    title = forms.CharField(max_length=200, label="Title", help_text="Annotators see the title.")

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        task: TaskType,
        study: Study,
        step: SettingStep,
        linkable: Sequence[Study] = (),
    ) -> None:
        """`linkable` contains the owner's other studies. This study can exclude or admit their participants."""
        self.task, self.study, self.step = task, study, step
        self.usual = {**_values(Study(), task), **task.begins_with(study.language)}
        self.needs = {**NEEDS, **{f"option_{option.name}": () for option in task.options if option.is_quiet}}
        if len(task.measures) == 1:
            self.needs["rule_measure"] = ()
        self.settings = ["title", *_stored_settings()]
        fields = fields_for_model(Study, fields=self.settings[1:])
        super().__init__(data, initial=_values(study, task))
        self.fields |= {
            **{f"option_{option.name}": option_field(option) for option in task.options},
            **{name: field for name, field in fields.items() if field},
            "consent": forms.CharField(
                required=False,
                widget=forms.Textarea,
                label="Consent text",
                strip=False,
                help_text="You can use Markdown. Every annotator must accept the text before starting. If you change "
                "it, Accord stores the new text as a further version, which annotators must accept. Accord also stores "
                "when each annotator accepts which version.",
            ),
            "consent_pays_stopped": forms.ChoiceField(
                required=False,
                choices=[
                    ("", "The text does not mention this case"),
                    ("yes", "Yes, the text promises payment"),
                    ("no", "No, the text excludes payment"),
                ],
                label="Does this text promise to pay stopped annotators for the HIT in progress?",
                help_text="The promise in the consent text takes precedence over the setting for stopped annotators. "
                "Accord does not open a study whose consent text contradicts the setting for stopped annotators. "
                "If you change this answer, Accord stores a new version of the consent text, which annotators must "
                "accept.",
            ),
            "consent_names_activity": forms.BooleanField(
                required=False,
                label="The consent text states that the study collects activity summaries",
                help_text="Suggested sentences: “"
                + suggested_sentences(study.language)
                + "” Accord collects summaries only from annotators who have accepted a text that mentions them.",
            ),
            "rule_measure": forms.ChoiceField(
                choices=list(task.measures.items()),
                label=setting_label("rule_measure"),
                initial="accuracy",
                help_text=task.rule_help,
            ),
            "target_figure": forms.ChoiceField(
                required=False,
                choices=[
                    ("", "None, only planned judgements"),
                    *((figure.name, figure.label) for figure in task.reports.targets),
                ],
                label=setting_label("target_figure"),
                help_text=" ".join(figure.help for figure in task.reports.targets),
            ),
        }
        if study.rule_unit == Study.RuleUnit.HITS:
            self.fields["rule_minimum"].label = "Minimum submitted HITs before the rule applies"
        offer_deadlines(self.fields, study.time_zone)
        for name in LISTS:
            self._offer_studies(name, linkable)
        self._dress()
        for name in fields.keys() & self.fields.keys():
            self._apply_model_bounds(name)
        for name, label in LABELS.items():
            self.fields[name].label = label
        for name, text in HELP.items():
            self.fields[name].help_text = text
        self.fields["privacy_notice"].help_text = format_html(
            'Start from the <a href="{}" target="_blank" rel="noopener">template</a>. You can use Markdown.',
            reverse("help:privacy-notice"),
        )
        for name, rows in ROWS.items():
            self.fields[name].widget.attrs["rows"] = rows
        for name in ("reward", "planned_hourly_wage", "minimum_hourly_wage", "budget_cap", *FRACTIONS):
            self.fields[name].widget.attrs["step"] = "any"
        if study.is_draft:
            self.fields["language"].help_text += f" {languages_help()}"
        if item := study.items.visible().order_by("pk").first() if study.is_draft else None:
            for name, text in task.helps_for_items(item.content).items():
                self.fields[f"option_{name}"].help_text = text
        texts = NEEDED if admits_strangers(study) else NEEDED[:1]
        self.needed = (*texts, f"option_{task.needed}") if task.needed else texts
        self.recommended = () if study.admission == Study.Admission.NAMED else ("consent",)
        if study.has_quotas:
            self.fields["judgements"].disabled = True
        if not study.is_draft:
            self._lock()
        self._keep(_names_on(task, step))

    def clean_currency(self) -> str:
        currency: str = self.cleaned_data["currency"].upper()
        if len(currency) != 3 or not currency.isascii() or not currency.isalpha():
            raise forms.ValidationError("Enter a three-letter code, such as USD or EUR.")
        return currency

    def clean(self) -> dict[str, Any]:
        """Reject a form that was opened before another member changed the settings, but keep the input."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("seen") != fingerprint(self.study, self.task, self.step):
            self.data = {
                **{name: self.data.get(name) for name in self.data},
                "seen": fingerprint(self.study, self.task, self.step),
            }
            raise forms.ValidationError(
                "Another member has changed the settings since you opened this page. Your input is still in the form. "
                "Check your input, and save it again to replace the changes of the other member."
            )
        return cleaned | zoned_deadlines(self, cleaned)

    def clean_consent_pays_stopped(self) -> bool | None:
        return PROMISES[self.cleaned_data["consent_pays_stopped"]]

    def setting_values(self) -> dict[str, Any]:
        """Return the unlocked settings as arguments for the service."""
        values = {name: self.cleaned_data[name] for name in self.settings if not self.fields[name].disabled}
        if values.get("pilot_hits", self.study.pilot_hits) != self.study.pilot_hits:
            values["piloting"] = values["pilot_hits"] > 0  # a pilot begins with its HITs only
        return values

    def option_values(self) -> dict[str, Any]:
        values = {option.name: self.cleaned_data.get(f"option_{option.name}") for option in self.task.options}
        return {name: value for name, value in values.items() if f"option_{name}" in self.fields}

    # ── for the template ──────────────────────────────────────────────────────────────────────────────────────
    def groups(self) -> list[SettingGroup]:
        """Return the groups of settings that can be changed."""
        groups = [(group.heading, group.names) for group in self.step.groups]
        if self.step.slug == TASK:
            groups = [(self.task.name, ("title", *(f"option_{option.name}" for option in self.task.options))), *groups]
        return [SettingGroup(heading, rows) for heading, names in groups if (rows := self._rows(names))]

    def locked(self) -> SettingGroup:
        """Return the settings that cannot be changed."""
        return SettingGroup("Locked", self._rows([field.name for field in self.visible_fields()], are_locked=True))

    def hides(self) -> bool:
        """Return whether the page hides a setting."""
        return any(row.is_hidden for group in (*self.groups(), self.locked()) for row in group.rows)

    def _rows(self, names: Sequence[str], *, are_locked: bool = False) -> list[SettingRow]:
        by_quotas = self.study.is_draft and self.study.has_quotas
        reasons = {
            "judgements": SUM_OF_QUOTAS if by_quotas else LOCKED_JUDGEMENTS,
            **dict.fromkeys(LISTS, LOCKED_LINKS),
        }
        return [
            SettingRow(
                field=self[name],
                unit=unit_of(self.study, name),
                why=reasons.get(name, ""),
                is_wide=name in WIDE or isinstance(self.fields[name].widget, forms.CheckboxInput | forms.Textarea),
                needs=self._needs(name),
                is_used=is_in_use(self, self.needs.get(name, ())),
            )
            for name in names
            if name in self.fields and self.fields[name].disabled is are_locked
        ]

    def _needs(self, name: str) -> str | None:
        """Return the settings that decide whether a setting with its usual value is shown, or None if it always is."""
        needs = self.needs.get(name)
        usual = (self.usual.get(name), *OFF.get(name, ()))
        is_usual = name == "seed" or self.initial.get(name) in usual
        if needs is None or not is_usual or self[name].errors:
            return None
        can_end = any(not self.fields[need.partition("=")[0]].disabled for need in needs)
        return None if is_in_use(self, needs) and not can_end else " ".join(needs)

    def _keep(self, names: Sequence[str]) -> None:
        """Remove all fields except those in `names` and the fingerprint."""
        self.settings = [name for name in self.settings if name in names]
        for name in self.fields.keys() - {*names, "seen"}:
            del self.fields[name]

    def _offer_studies(self, name: str, linkable: Sequence[Study]) -> None:
        """Add a checkbox for each study that can be linked. Remove the field if no study can be linked."""
        titles = {other.public_id: other.title for other in linkable}
        linked = getattr(self.study, name)
        foreign = [public_id for public_id in linked if public_id not in titles]
        if not titles and not foreign:
            del self.fields[name]
            self.settings.remove(name)
            return
        choices = [*titles.items(), *((public_id, "A study of another owner") for public_id in foreign)]
        self.fields[name] = forms.MultipleChoiceField(
            required=False,
            choices=choices,
            widget=forms.CheckboxSelectMultiple,
            label=setting_label(name),
            help_text=setting_field(name).help_text,
            disabled=bool(foreign),
        )

    def _apply_model_bounds(self, name: str) -> None:
        """Also apply the limits of the model's fields to the form, so that it shows all errors at once."""
        field = self.fields[name]
        for validator in getattr(Study._meta.get_field(name), "validators", ()):
            if isinstance(validator, MinValueValidator | MaxValueValidator):
                field.validators.append(validator)
                bound = "min" if isinstance(validator, MinValueValidator) else "max"
                field.widget.attrs[bound] = validator.limit_value

    def _lock(self) -> None:
        locked = {*LOCKED_ONCE_OPEN, "judgements"} & self.fields.keys()
        for name in locked | {f"option_{option.name}" for option in self.task.options if option.is_locked_once_open}:
            self.fields[name].disabled = True


def fingerprint(study: Study, task: TaskType, step: SettingStep) -> str:
    """Return a hash of the current settings of one step. A form is out of date if this hash has changed since the form
    was opened.
    """
    values, names = _values(study, task), _names_on(task, step)
    text = json.dumps({name: values[name] for name in names}, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _names_on(task: TaskType, step: SettingStep) -> list[str]:
    """Return the names of the form fields on the page of one step."""
    of_task = ["title", *(f"option_{option.name}" for option in task.options)] if step.slug == TASK else []
    return [*of_task, *(name for name in step.names if name not in step.hidden)]


def _stored_settings() -> list[str]:
    """Return the settings that are fields of the study."""
    return [name for step in STEPS for name in step.names if name not in CONSENT]


def _values(study: Study, task: TaskType) -> dict[str, Any]:
    consent = study.consents.order_by("-version").first() if study.pk else None
    return {
        **{name: _plain(getattr(study, name)) for name in ("title", *_stored_settings())},
        **{f"option_{option.name}": study.options.get(option.name, option.default) for option in task.options},
        "consent": consent.text if consent else "",
        "consent_pays_stopped": _answer_of(consent.pays_stopped if consent else None),
        "consent_names_activity": consent is not None and consent.names_activity,
    }


def _answer_of(pays_stopped: bool | None) -> str:
    return next(answer for answer, promise in PROMISES.items() if promise is pays_stopped)


def _plain(value: Any) -> Any:
    """Return decimals without trailing zeros, such as 0.5 instead of 0.5000."""
    return Decimal(f"{value.normalize():f}") if isinstance(value, Decimal) else value
