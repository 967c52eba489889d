"""The figures of `accord evaluate relatedness` for several systems: their differences and the JSON object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.exchange.compared_systems import add_corrected

DICE = "word overlap (Dice)"
Figures = dict[str, Any]


def comparisons(
    scores: Sequence[float],
    predicted: Mapping[str, Sequence[float]],
    pairs: Sequence[tuple[str, str]],
    overlap: Sequence[float] | None,
    **resampling: int,
) -> list[Figures]:
    """Return the difference between each pair of systems, and between each system and the word `overlap` if it is
    known.

    Comparisons between systems form one family of tests, and comparisons with the word overlap form another.
    """
    between = [_difference(scores, predicted, one, other, resampling) for one, other in pairs]
    add_corrected(between)
    if overlap is None:
        return between
    with_overlap = {**predicted, DICE: overlap}
    of_overlap = [_difference(scores, with_overlap, name, DICE, resampling) for name in predicted]
    add_corrected(of_overlap)
    return between + of_overlap


def as_object(
    by_system: Mapping[str, Figures], differences: Sequence[Figures], dice: Figures | None, by: str | None
) -> Figures:
    """Return the JSON object. The figures of a single system are at the top level, and the figures of several systems
    are in the object `systems`.
    """
    first = next(iter(by_system.values()))
    figures: Figures = dict(first) if len(by_system) == 1 else {"items": first["items"], "systems": dict(by_system)}
    figures |= {} if by is None else {"by": by}
    figures |= {} if dice is None else {"dice": dice}
    return figures | {"differences": list(differences)}


def _difference(
    scores: Sequence[float],
    predicted: Mapping[str, Sequence[float]],
    one: str,
    other: str,
    resampling: Mapping[str, int],
) -> Figures:
    from accord_core.evaluation.numerics.differences import paired_difference
    from accord_core.evaluation.numerics.power import detectable_difference

    difference = paired_difference(scores, predicted[one], predicted[other], **resampling)
    detectable = detectable_difference(scores, predicted[one], predicted[other])
    return {"one": one, "other": other, **difference, "detectable": detectable}
