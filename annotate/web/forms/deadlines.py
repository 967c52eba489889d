"""Form fields for deadlines, which are entered and shown in the study's time zone."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.forms.utils import from_current_timezone
from django.utils import timezone

from annotate.core.services.limits import DEADLINES
from annotate.models.times import is_time_zone


class DeadlineField(forms.DateTimeField):
    """A field for a date and time in the time zone `zone`."""

    zone = "UTC"

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, datetime):
            return value
        return value.astimezone(ZoneInfo(self.zone)).replace(tzinfo=None).isoformat(timespec="seconds")


def offer_deadlines(fields: MutableMapping[str, forms.Field], zone: str) -> None:
    """Replace the deadline fields with fields that show times in this time zone."""
    for name in DEADLINES:
        plain = fields[name]
        field = DeadlineField(required=False, label=plain.label, help_text=plain.help_text)
        field.widget = forms.DateTimeInput(attrs={"type": "datetime-local"})
        field.zone = zone
        fields[name] = field


def zoned_deadlines(form: forms.Form, cleaned: Mapping[str, Any]) -> dict[str, datetime]:
    """Return the deadlines as times in the time zone selected in the form. Add an error to the form for a time that a
    clock change skips or repeats.
    """
    zone, deadlines = cleaned.get("time_zone", ""), {}
    for name in DEADLINES if is_time_zone(zone) else ():
        entered = cleaned.get(name)
        if entered:
            try:
                with timezone.override(ZoneInfo(zone)):
                    deadlines[name] = from_current_timezone(entered.replace(tzinfo=None))
            except ValidationError as error:
                form.add_error(name, error)
    return deadlines
