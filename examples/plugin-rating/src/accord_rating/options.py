"""The options of a study, and the scales that one of them describes.

A scale is written as `Fluency: 0 = hard to read, 50 = readable, 100 = reads well`. Semicolons separate scales. The
first and the last anchor are the ends of the scale, and every whole number between them is a possible rating.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from annotate.tasktypes import InvalidOptions, Option

RATING, RANKING = "rating", "ranking"
MOST_ITEMS = 9  # of a question, because the keys 1 to 9 choose an item
MOST_SCALES, MOST_VALUES = 5, 1001
_ANCHOR = re.compile(r"\s*([+-]?\d{1,4})\s*=\s*(.*\S)\s*")

OPTIONS = (
    Option(
        "mode",
        "Answers",
        RATING,
        "choice",
        choices=((RATING, "a rating of each item"), (RANKING, "an order of the items")),
        locked=True,
    ),
    Option("ask", "Question", "How good is each text?", gives_meaning=True),
    Option(
        "scales",
        "Scales",
        "Quality: 0 = very bad, 50 = acceptable, 100 = very good",
        help="For ratings. Each anchor is a number and its meaning. Separate scales with semicolons.",
        gives_meaning=True,
    ),
    Option("ties", "Allow ties in an order", True, "boolean", locked=True),
    Option(
        "size",
        "Items per question",
        4,
        "integer",
        minimum=1,
        maximum=MOST_ITEMS,
        help="For items without the column `set`. An order needs at least two.",
        locked=True,
    ),
    Option(
        "rounds",
        "Questions per item",
        1,
        "integer",
        minimum=1,
        maximum=20,
        help="With more than one, each round mixes the items into other questions.",
        locked=True,
        is_quiet=True,
    ),
    Option(
        "tolerance",
        "Tolerance for gold questions, in % of the scale",
        15,
        "number",
        minimum=0,
        maximum=50,
        is_quiet=True,
    ),
)


@dataclass(frozen=True)
class Scale:
    """A scale from `low` to `high` with the names of some of its values, in increasing order."""

    name: str
    anchors: tuple[tuple[int, str], ...]

    @property
    def low(self) -> int:
        return self.anchors[0][0]

    @property
    def high(self) -> int:
        return self.anchors[-1][0]

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "low": self.low, "high": self.high, "anchors": [list(each) for each in self.anchors]}


def scales_of(options: Mapping[str, Any]) -> list[Scale]:
    """Return the scales of a study, or an empty list if annotators order the items."""
    return [] if options["mode"] == RANKING else list(read_scales(options["scales"]))


@cache
def read_scales(text: str) -> tuple[Scale, ...]:
    """Return the scales that a text describes. Raises ValueError with a sentence about the first error."""
    scales = tuple(_read_scale(part) for part in text.split(";") if part.strip())
    if not scales:
        raise ValueError("Enter a scale, such as: Quality: 0 = very bad, 100 = very good")
    if len(scales) > MOST_SCALES:
        raise ValueError(f"A study can have at most {MOST_SCALES} scales.")
    if len({scale.name.casefold() for scale in scales}) < len(scales):
        raise ValueError("Give each scale its own name.")
    return scales


def check_options(options: Mapping[str, Any]) -> None:
    """Raise `InvalidOptions` if the scales cannot be read, or if a question would order a single item."""
    errors = {}
    try:
        read_scales(options["scales"])
    except ValueError as error:
        errors["scales"] = str(error)
    if options["mode"] == RANKING and options["size"] < 2:
        errors["size"] = "An order needs at least two items per question."
    if errors:
        raise InvalidOptions(errors)


def _read_scale(text: str) -> Scale:
    name, colon, anchors = text.partition(":")
    if not colon or not name.strip():
        raise ValueError(f"“{text.strip()}” has no name. Write the name and a colon before the anchors.")
    read = []
    for part in anchors.split(","):
        match = _ANCHOR.fullmatch(part)
        if match is None:
            raise ValueError(
                f"“{part.strip()}” is no anchor. Write a whole number, = and its meaning, such as 0 = bad."
            )
        read.append((int(match[1]), match[2]))
    values = [value for value, _ in read]
    if len(values) < 2 or any(later <= earlier for earlier, later in pairwise(values)):
        raise ValueError(f"The scale “{name.strip()}” needs at least two anchors with increasing numbers.")
    if values[-1] - values[0] >= MOST_VALUES:
        raise ValueError(f"The scale “{name.strip()}” has more than {MOST_VALUES:,} values.")
    return Scale(name.strip(), tuple(read))
