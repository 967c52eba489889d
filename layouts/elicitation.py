"""How a study with a layout asks for answers, in the terms of the Human Evaluation Datasheet."""

from __future__ import annotations

from accord_core.layouts.formats.fields import CHOICE, CHOICES, FLAG, HIDDEN, KINDS, NUMBER, Field
from accord_core.layouts.formats.layout import Layout
from annotate.tasktypes.elicitation import CHECK_BOXES, LABELLING, MULTIPLE_CHOICE, OTHER, Elicitation

ALONE: dict[tuple[str, ...], str] = {(CHOICE,): MULTIPLE_CHOICE, (CHOICES,): CHECK_BOXES, (FLAG,): CHECK_BOXES}


def elicitation(layout: Layout) -> Elicitation:
    """Return the declaration for a study with this layout. Only the layout's authors know what its form asks."""
    fields = [field for field in layout.fields if field.kind != HIDDEN]
    kinds = tuple(kind for kind in KINDS if any(field.kind == kind for field in fields))
    return Elicitation(
        criterion=", ".join(field.name for field in fields),
        size="; ".join(f"{field.name}: {_size(field)}" for field in fields),
        values="; ".join(f"{field.name}: {_values(field)}" for field in fields),
        presented=ALONE.get(kinds, f"{OTHER}: {', '.join(KINDS[kind] for kind in kinds)}"),
        form=LABELLING if {CHOICE, CHOICES, FLAG}.intersection(kinds) else "",
        intervals="Intervals for agreement come from resampled questions.",
    )


def _size(field: Field) -> str:
    if field.kind == FLAG:
        return "2"
    if field.choices:
        return f"{len(field.choices)}"
    return "continuous" if field.kind == NUMBER else "N/A"


def _values(field: Field) -> str:
    if field.kind == FLAG:
        return "ticked, not ticked"
    return ", ".join(choice.value for choice in field.choices) or KINDS[field.kind]
