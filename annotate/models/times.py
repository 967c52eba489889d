"""When a row was created or changed, by the database clock."""

from __future__ import annotations

from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.db import models

from annotate.server import clock


class DatabaseTimeField(models.DateTimeField):
    """A `DateTimeField` whose `auto_now_add` and `auto_now` use the database clock.

    The clocks of several machines differ, so that a list of rows from several tables would be in the wrong order.
    """

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        if self.auto_now or (self.auto_now_add and add):
            setattr(model_instance, self.attname, clock.now())
            return getattr(model_instance, self.attname)
        return super().pre_save(model_instance, add)

    def deconstruct(self) -> Any:
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.DateTimeField", arguments, options  # the column is no different


def is_time_zone(name: str) -> bool:
    """Return whether the text is a time zone name in the IANA database."""
    return name in _time_zones()


def validate_time_zone(name: str) -> None:
    """Raise `ValidationError` if the text is not a time zone name in the IANA database."""
    if not is_time_zone(name):
        raise ValidationError("must be the name of a time zone, such as Europe/Berlin or UTC")


@cache
def _time_zones() -> frozenset[str]:
    return frozenset(available_timezones())
