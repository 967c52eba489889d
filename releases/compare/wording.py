"""The conclusion of a comparison, as one sentence per repeat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.numerics.printed import coefficient

Json = Any
PLACES = {
    "as predicted": "agrees with the original as predicted",
    "better": "agrees better with the original than predicted",
    "worse": "agrees less with the original than predicted",
}
ORDER = ["worse", None, "as predicted", "better"]


def conclusion(result: Mapping[str, Json]) -> str:
    """Return the conclusion from the main figure of each outcome."""
    names = [run["name"] for run in result["runs"][1:]]
    return " ".join(_sentence(result["outcomes"], number, name, len(names)) for number, name in enumerate(names))


def _sentence(outcomes: list[Json], number: int, name: str, repeats: int) -> str:
    subject = "The repeat" if repeats == 1 else f"The repeat {name}"
    main = [(outcome, outcome["figures"][0], outcome["figures"][0]["repeats"][number]) for outcome in outcomes]
    defined = [each for each in main if each[2]["value"] is not None]
    if not defined:
        return f"{subject} cannot be compared with the original: {main[0][2]['reason']}."
    # The outcome that agrees least is named
    outcome, figure, value = min(defined, key=lambda each: (ORDER.index(each[2]["place"]), each[2]["value"]))
    of = f" for {outcome['name']}" if len(outcomes) > 1 else ""
    measured = f"{figure['label']}{of} is {coefficient(value['value'])}"
    if value["place"] is None:
        return f"{subject} cannot be compared with a prediction: {measured}."
    low, high = (coefficient(value["predicted"][end]) for end in ("low", "high"))
    if len(defined) > 1:
        inside = sum(each[2]["place"] != "worse" for each in defined)
        found = f"agrees with the original as predicted or better for {inside:,} of {len(defined):,} results"
        return f"{subject} {found}. The lowest: {measured}, predicted {low} to {high}."
    return f"{subject} {PLACES[value['place']]}: {measured}, predicted {low} to {high}."
