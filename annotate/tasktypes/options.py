"""Options, which are the settings of a task type, as used by forms, by the API and for validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from accord_core.exchange.numbers import read_number, read_whole

Json = Any


class InvalidOptions(ValueError):
    """Options with invalid values. `errors` contains a message for each invalid option."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {message}" for name, message in errors.items()))
        self.errors = dict(errors)


@dataclass(frozen=True)
class Option:
    """A task type's setting, as shown in the console and in the API reference."""

    name: str
    label: str
    default: Json
    kind: str = "text"  # text | document | integer | number | choice | boolean. A document is a long text
    choices: Sequence[tuple[str, str]] = ()
    minimum: float | None = None
    maximum: float | None = None
    help: str = ""
    locked: bool = False  # affects the questions, so it cannot change after the study has been opened
    gives_meaning: bool = False  # affects what an answer means, so it cannot change after the study has been opened
    of_items: bool = False  # affects how items are read, so a change also applies to the imported items of a draft
    unset: int | None = None  # the integer that means no value, which tables of settings show in words
    is_quiet: bool = False  # its default suits almost every study, so the page shows it only on request

    @property
    def is_locked_once_open(self) -> bool:
        """Return whether the option is fixed once the study has been opened."""
        return self.locked or self.gives_meaning


PEOPLE_SHARE = Option(
    "people_share",
    "Share of questions for people, in %",
    100,
    "integer",
    minimum=1,
    maximum=100,
    help="People answer a random part of the questions. A program answers all.",
    locked=True,
    is_quiet=True,
)


def share_for_people(options: Mapping[str, Json]) -> float:
    """Return the probability with which a question is drawn for people. It is 1 in most studies."""
    return float(options.get(PEOPLE_SHARE.name, PEOPLE_SHARE.default)) / 100


def clean_options(options: Sequence[Option], raw: Mapping[str, Json]) -> dict[str, Json]:
    """Return the validated options, with defaults for missing options. Raise `InvalidOptions` for invalid values."""
    errors: dict[str, str] = {}
    known = {option.name: option for option in options}
    for name in raw.keys() - known.keys():
        errors[name] = f"The task type has no option with this name. Available options: {', '.join(known) or 'none'}."
    cleaned: dict[str, Json] = {}
    for option in options:
        try:
            cleaned[option.name] = _clean_option(option, raw.get(option.name, option.default))
        except ValueError as error:
            errors[option.name] = str(error)
    if errors:
        raise InvalidOptions(errors)
    return cleaned


def _clean_option(option: Option, value: Json) -> Json:
    if option.kind in ("integer", "number"):
        number = _number(value, is_integer=option.kind == "integer")
        if option.minimum is not None and not number >= option.minimum:
            raise ValueError(f"The value must be at least {option.minimum:g}.")
        if option.maximum is not None and not number <= option.maximum:
            raise ValueError(f"The value must be at most {option.maximum:g}.")
        return number
    if option.kind == "boolean":
        if isinstance(value, bool):
            return value
        return str(value).lower() in ("true", "on", "yes", "1")
    text = str(value)
    if option.kind == "choice" and text not in dict(option.choices):
        raise ValueError(f"The value must be one of {', '.join(dict(option.choices))}.")
    return text


def _number(value: Json, *, is_integer: bool) -> float:
    """Return the finite number. Raises ValueError for other values, such as 4.5 for an integer."""
    wrong = f"The value must be {'an integer' if is_integer else 'a number'}, not {value!r}."
    try:
        if isinstance(value, str):
            value = read_whole(value) if is_integer else read_number(value)
        number = int(value) if is_integer else float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(wrong) from None
    if (isinstance(value, float) and number != value) or (isinstance(number, float) and not isfinite(number)):
        raise ValueError(wrong)
    return number
