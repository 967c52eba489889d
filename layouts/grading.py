"""Functions that grade answers to gold questions by comparing each expected field with the same field in the answer."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from accord_core.layouts.formats.fields import CHOICE, CHOICES, FLAG, HIDDEN, Field
from accord_core.numerics.gold_measures import RIGHT, Ratio
from annotate.tasktypes import Choices, Grade

Json = Any
MEASURES = {
    "accuracy": "share of gold questions with all fields as expected",
    "fields": "share of expected fields answered as expected",
}
RATIOS = {"accuracy": (RIGHT,), "fields": (Ratio(("fields_right",), ("fields",)),)}


def expected_fields(fields: Mapping[str, Field], gold: Json, *, scripts: bool) -> dict[str, Json]:
    """Return the expected values by field. Empty fields and hidden fields with a fixed value are not graded."""
    return {
        name: value
        for name, value in gold["fields"].items()
        if value not in (None, "", []) and not (not scripts and name in fields and fields[name].kind == HIDDEN)
    }


def grade(expected: Mapping[str, Json], value: Json) -> Grade:
    """Return an answer's grade. The answer passes if all expected fields have their expected values."""
    right = sum(matches(each, value["fields"].get(name)) for name, each in expected.items())
    return Grade.of(right == len(expected), fields_right=right, fields=len(expected))


def missed(expected: Mapping[str, Json]) -> Grade:
    """Return the grade for a gold question without an answer."""
    return Grade.of(False, fields_right=0, fields=len(expected))


def matches(expected: Json, given: Json) -> bool:
    """Return whether a value is as expected. In text fields, case and spaces do not matter, and `|` separates accepted
    texts.
    """
    if isinstance(expected, str) and isinstance(given, str):
        return plain(given) in {plain(text) for text in expected.split("|")} or plain(given) == plain(expected)
    return bool(expected == given)


def plain(text: str) -> str:
    """Return a text without differences in case and spaces."""
    return " ".join(text.casefold().split())


def alike(one: Json, other: Json, texts: Collection[str]) -> float:
    """Return the share of fields on which two answers agree. Fields with free text (`texts`) count only if the answers
    have no other fields.
    """
    everything = one["fields"].keys() | other["fields"].keys()
    names = everything - set(texts) or everything
    if not names:
        return 1.0
    return sum(one["fields"].get(name) == other["fields"].get(name) for name in names) / len(names)


def choices(fields: Sequence[Field], values: Sequence[Json]) -> Sequence[Choices]:
    """Return the choices in fields that offer choices. Each box of a field with several choices counts as a separate
    choice. Texts and numbers do not count.
    """
    found: list[Choices] = []
    for field in fields:
        given = [value["fields"].get(field.name) for value in values]
        if field.kind == CHOICE:
            found.append(Choices(field.name, [each or None for each in given], len(field.choices)))
        elif field.kind == FLAG:
            found.append(Choices(field.name, [bool(each) for each in given], 2))
        elif field.kind == CHOICES:
            boxes = [box.value for box in field.choices]
            found += [Choices(field.name, [box in (each or ()) for each in given], 2) for box in boxes]
    return found
