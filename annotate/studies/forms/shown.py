"""The parts of a settings page: groups of fields, each with its value in words, and the locked settings."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django import forms
from django.forms import BoundField
from django.utils.text import Truncator

from annotate.models import Study
from annotate.web.forms import IntegerOptionField

LONGEST = 160  # characters of a text in a table of settings
NO_VALUE = "not set"
EMPTY = (None, "", False)
MINUTES = ("lease_minutes", "break_minutes")
AMOUNTS = ("reward", "planned_hourly_wage", "minimum_hourly_wage", "budget_cap")


@dataclass(frozen=True)
class SettingRow:
    """A setting with the unit of its number. `why` is the reason why the setting is locked, if it differs from the
    usual one.

    `needs` contains the settings on which this one depends, or is None if the page always shows it. `is_used` says
    whether one of them is in use.
    """

    field: BoundField
    unit: str
    why: str
    is_wide: bool
    needs: str | None = None
    is_used: bool = False

    @property
    def value(self) -> str:
        """The value in words, with its unit."""
        value = in_words(self.field)
        return f"{value} {self.unit}".strip() if value != NO_VALUE else value

    @property
    def is_hidden(self) -> bool:
        return self.needs is not None and not self.is_used


@dataclass(frozen=True)
class SettingGroup:
    """Settings under a common heading."""

    heading: str
    rows: Sequence[SettingRow]

    @property
    def is_hidden(self) -> bool:
        return all(row.is_hidden for row in self.rows)


def is_in_use(form: forms.Form, needs: Collection[str]) -> bool:
    """Return whether one of these settings of the form has a value, or the value behind the equals sign."""
    for need in needs:
        name, _, wanted = need.partition("=")
        value = form[name].value() if name in form.fields else None
        if (str(value) == wanted) if wanted else (value not in EMPTY and not _is_zero(value)):
            return True
    return False


def _is_zero(value: object) -> bool:
    try:
        return float(str(value)) == 0
    except ValueError:
        return False


def in_words(bound: BoundField) -> str:
    """Return the value of a field in words, without its unit."""
    field, value = bound.field, bound.value()
    if isinstance(field, forms.BooleanField):
        return "yes" if value else "no"
    if isinstance(field, forms.MultipleChoiceField):
        return ", ".join(str(title) for key, title in field.widget.choices if key in (value or [])) or NO_VALUE
    if isinstance(field, forms.ChoiceField):
        return next((str(title) for key, title in field.widget.choices if key == value), str(value))
    if value in (None, "") or (isinstance(field, IntegerOptionField) and value == field.unset):
        return NO_VALUE
    text = re.sub(r"(?m)^#+ |\*\*", "", str(value)) if isinstance(field.widget, forms.Textarea) else str(value)
    return Truncator(text).chars(LONGEST)


def unit_of(study: Study, name: str) -> str:
    """Return the unit to show in the field of a number, or an empty string if the label contains the unit."""
    if name in MINUTES:
        return "minutes"
    if name == "retention_days":
        return "days"
    return study.currency if name in AMOUNTS else ""
