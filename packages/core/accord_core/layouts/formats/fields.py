"""The form fields in a layout, with their kinds, their choices, and the checks on an annotator's answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

CHOICE, CHOICES, FLAG, NUMBER, TEXT, HIDDEN = "choice", "choices", "flag", "number", "text", "hidden"
KINDS = {
    CHOICE: "one choice",
    CHOICES: "several choices",
    FLAG: "checkbox",
    NUMBER: "number",
    TEXT: "text",
    HIDDEN: "hidden field",
}
PLACEHOLDER = re.compile(r"\$\{([^}]*)\}")
WHOLE_NUMBER, FEWEST_STEPS = re.compile(r"-?[0-9]{1,9}", re.ASCII), 3
LONGEST_TEXT, MOST_CHOICES = 20_000, 500
_QUOTED = re.compile(r"""'([^']*)'|"([^"]*)\"""")

Json = Any


class InvalidField(ValueError):
    """Error raised for a value that is not valid for a field. `field` is the name of the field."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class Choice:
    """One choice of a field. `column` is the choice's results column if the choice has its own."""

    value: str
    column: str = ""


@dataclass(frozen=True)
class Field:
    """A form field in a layout, with the line on which it begins.

    `suffix` is the last part of the field's results column, such as `label` in `Answer.topic.label`. `value` is the
    fixed value of a hidden field, or the value that a ticked checkbox submits. `listed` contains choices in one
    attribute, as in `categories="['yes', 'no']"`. Choices, `listed` and `value` can contain placeholders.
    """

    name: str
    kind: str
    line: int
    required: bool = False
    choices: tuple[Choice, ...] = ()
    listed: str = ""
    value: str = ""
    suffix: str = ""
    minimum: float | None = None
    maximum: float | None = None

    @property
    def placeholders(self) -> list[str]:
        """Return the columns that the field's choices and fixed value depend on."""
        texts = [self.listed, self.value, *(choice.value for choice in self.choices)]
        return [name for text in texts for name in PLACEHOLDER.findall(text)]

    @property
    def is_scale(self) -> bool:
        """Return whether the choices are three or more consecutive whole numbers, such as the steps of a rating."""
        steps = sorted(int(choice.value) for choice in self.choices if WHOLE_NUMBER.fullmatch(choice.value))
        are_all = self.kind == CHOICE and len(steps) == len(self.choices) >= FEWEST_STEPS
        return are_all and steps == list(range(steps[0], steps[0] + len(steps)))

    def for_row(self, row: Mapping[str, str]) -> Field:
        """Return the field with the placeholders in its choices replaced by a row's cells."""
        if not self.placeholders and not self.listed:
            return self
        choices = self.choices
        if self.listed:
            # If a list is stored in a single cell, it is split only after the cell is known. Other cells can contain
            # quotation marks.
            whole = PLACEHOLDER.fullmatch(self.listed.strip())
            choices = tuple(map(Choice, listed_values(filled(self.listed, row) if whole else self.listed)))
        choices = tuple(replace(choice, value=filled(choice.value, row)) for choice in choices)
        return replace(self, choices=choices, listed="", value=filled(self.value, row))

    def clean(self, value: Json) -> Json:
        """Return a submitted value in stored form. Raise `InvalidField` for a value that is not valid for the field."""
        return _CLEAN[self.kind](self, value)

    def is_empty(self, value: Json) -> bool:
        """Return whether a stored value means that the annotator left the field empty."""
        return value is None or value == "" or value == []


def filled(text: str, row: Mapping[str, str]) -> str:
    """Return the text with its placeholders replaced by a row's cells. Unknown placeholders are not replaced."""
    return PLACEHOLDER.sub(lambda match: row.get(match[1].strip(), match[0]), text)


def listed_values(text: str) -> list[str]:
    """Return the values in an attribute such as `['yes', 'no']`, without repetitions. Text without quotation marks is
    split at commas.
    """
    inner = text.strip().removeprefix("[").removesuffix("]")
    quoted = [single or double for single, double in _QUOTED.findall(inner)]
    values = quoted or [part.strip() for part in inner.split(",")]
    return list(dict.fromkeys(value for value in values if value))


def in_words(value: Json) -> str:
    """Return a stored value as text for tables."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(value)
    return "" if value is None else str(value)


def _clean_choice(field: Field, value: Json) -> str:
    text = _text(field, value)
    if text and text not in {choice.value for choice in field.choices}:
        raise InvalidField(field.name, f"The field “{field.name}” does not have the choice “{text[:80]}”.")
    return text


def _clean_choices(field: Field, value: Json) -> list[str]:
    values = [] if value in (None, "") else [value] if isinstance(value, str) else value
    if not isinstance(values, list) or len(values) > MOST_CHOICES:
        raise InvalidField(field.name, f"The field “{field.name}” must be a list of choices.")
    chosen = {_clean_choice(field, each) for each in values}
    return [choice for choice in dict.fromkeys(choice.value for choice in field.choices) if choice in chosen]


def _clean_flag(field: Field, value: Json) -> bool:
    if value is not None and not isinstance(value, bool):
        raise InvalidField(field.name, f"The field “{field.name}” must be true or false.")
    return bool(value)


def _clean_number(field: Field, value: Json) -> float | None:
    if value in (None, ""):
        return None
    try:
        if isinstance(value, bool):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise InvalidField(field.name, f"The field “{field.name}” must be a number.") from None
    if number != number or abs(number) == float("inf"):
        raise InvalidField(field.name, f"The field “{field.name}” must be a finite number.")
    if field.minimum is not None and number < field.minimum:
        raise InvalidField(field.name, f"The field “{field.name}” must be at least {field.minimum:g}.")
    if field.maximum is not None and number > field.maximum:
        raise InvalidField(field.name, f"The field “{field.name}” must be at most {field.maximum:g}.")
    return int(number) if number.is_integer() else number


def _text(field: Field, value: Json) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidField(field.name, f"The field “{field.name}” must be text.")
    if len(value) > LONGEST_TEXT:
        message = f"The field “{field.name}” has {len(value):,} characters, but the limit is {LONGEST_TEXT:,}."
        raise InvalidField(field.name, message)
    if "\x00" in value:
        raise InvalidField(field.name, f"The field “{field.name}” contains a NUL character.")
    return value


_CLEAN = {
    CHOICE: _clean_choice,
    CHOICES: _clean_choices,
    FLAG: _clean_flag,
    NUMBER: _clean_number,
    TEXT: _text,
    HIDDEN: _text,
}
