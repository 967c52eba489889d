"""The answer to a layout question, with the values of the form fields.

{"fields": {"topic": "politics", "certain": true, "score": 4, "comment": ""}}
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from accord_core.layouts.formats.fields import CHOICES, FLAG, HIDDEN, LONGEST_TEXT, Field, InvalidField
from accord_core.layouts.formats.layout import Layout
from annotate.tasktypes import InvalidAnswer

Json = Any
LARGEST = 200_000  # characters of an answer
MOST_FURTHER = 200  # fields that scripts add to the form
LONGEST_NAME = 200


def clean_answer(layout: Layout, row: Mapping[str, str], raw: Json, *, scripts: bool) -> dict[str, Json]:
    """Return an answer in its stored form. Raises `InvalidAnswer` for a value that the form cannot submit.

    The scripts of a layout can add fields and change hidden fields. Without scripts, a hidden field always has the
    value in the layout, and required fields must have a value.
    """
    sent = raw.get("fields") if isinstance(raw, Mapping) else None
    if not isinstance(sent, Mapping):
        raise InvalidAnswer("fields", "The answer must be an object with `fields`, an object of fields by name.")
    if len(json.dumps(sent)) > LARGEST:
        raise InvalidAnswer("fields", f"The answer has more than {LARGEST:,} characters.")
    fields = {field.name: field for field in layout.fields_for(row)}
    try:
        values = {name: _value(field, sent.get(name), scripts) for name, field in fields.items()}
    except InvalidField as error:
        raise InvalidAnswer(f"fields.{error.field}", str(error)) from error
    values |= _further_fields({name: value for name, value in sent.items() if name not in fields}, scripts)
    if not scripts:
        _refuse_missing(list(fields.values()), values)
    _refuse_empty(fields, values, scripts)
    return {"fields": values}


def _value(field: Field, sent: Json, scripts: bool) -> Json:
    if field.kind == HIDDEN and (not scripts or sent is None):
        return field.value
    return field.clean(sent)


def _further_fields(sent: Mapping[str, Json], scripts: bool) -> dict[str, Json]:
    """Return the fields that scripts added to the form. Their values are texts."""
    if sent and not scripts:
        raise InvalidAnswer("fields", f"The layout has no field “{str(next(iter(sent)))[:80]}”.")
    if len(sent) > MOST_FURTHER:
        raise InvalidAnswer(
            "fields", f"The answer has {len(sent):,} additional fields, but the limit is {MOST_FURTHER}."
        )
    values = {}
    for name, value in sent.items():
        text = "|".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)
        if not 0 < len(name) <= LONGEST_NAME or len(text) > LONGEST_TEXT or "\x00" in name + text:
            raise InvalidAnswer("fields", f"The field “{name[:80]}” is too long, or contains a NUL character.")
        values[name] = text
    return values


def _refuse_missing(fields: Sequence[Field], values: Mapping[str, Json]) -> None:
    for field in fields:
        value = values[field.name]
        if field.required and (field.is_empty(value) or value is False):
            raise InvalidAnswer(f"fields.{field.name}", _("Answer the field “%(name)s”.") % {"name": field.name})


def _refuse_empty(fields: Mapping[str, Field], values: Mapping[str, Json], scripts: bool) -> None:
    """Refuse an answer without any values, unless the form has checkboxes, all of which can be left empty on
    purpose.
    """
    entered = [name for name in values if scripts or fields[name].kind != HIDDEN]
    can_be_empty = any(field.kind in (FLAG, CHOICES) for field in fields.values())
    if not can_be_empty and all(values[name] in (None, "", []) for name in entered):
        raise InvalidAnswer("fields", _("Answer at least one field of the form."))
