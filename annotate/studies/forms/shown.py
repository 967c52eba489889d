"""A page of settings as it is shown: groups of fields, each with its value in words, and the locked settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django import forms
from django.forms import BoundField
from django.utils.text import Truncator

from annotate.models import Study

RARE = "Rarely changed"
LONGEST = 160  # characters of a text in a table of settings
NO_VALUE = "not set"
MINUTES = ("lease_minutes", "break_minutes")
AMOUNTS = ("reward", "planned_hourly_wage", "minimum_hourly_wage", "budget_cap")


@dataclass(frozen=True)
class SettingRow:
    """A setting with the unit of its number. `why` says why the setting is locked, if the reason is a special one."""

    field: BoundField
    unit: str
    why: str
    is_wide: bool

    @property
    def value(self) -> str:
        """The value as a reader says it."""
        value = in_words(self.field)
        return f"{value} {self.unit}".strip() if value != NO_VALUE else value


@dataclass(frozen=True)
class SettingGroup:
    """Settings under a common heading. `changed` counts the settings whose values are not the usual ones."""

    heading: str
    rows: Sequence[SettingRow]
    changed: int = 0

    @property
    def is_rare(self) -> bool:
        return self.heading == RARE

    @property
    def has_errors(self) -> bool:
        return any(row.field.errors for row in self.rows)


def in_words(bound: BoundField) -> str:
    """Return the value of a field in words, without its unit."""
    field, value = bound.field, bound.value()
    if isinstance(field, forms.BooleanField):
        return "yes" if value else "no"
    if isinstance(field, forms.MultipleChoiceField):
        return ", ".join(str(title) for key, title in field.widget.choices if key in (value or [])) or NO_VALUE
    if isinstance(field, forms.ChoiceField):
        return next((str(title) for key, title in field.widget.choices if key == value), str(value))
    if value in (None, ""):
        return NO_VALUE
    return Truncator(str(value)).chars(LONGEST)


def unit_of(study: Study, name: str) -> str:
    """Return the unit that stands in the field of a number, or an empty text if the label says what is counted."""
    if name in MINUTES:
        return "minutes"
    return study.currency if name in AMOUNTS else ""


def is_usual(study: Study, name: str) -> bool:
    """Return True if this field of the study has its default value."""
    return bool(getattr(study, name) == getattr(Study(), name))
