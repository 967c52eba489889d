"""Integrity indicators for researchers, which compare each annotator with the study's other annotators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from accord_core.numerics.printed import count, percent
from accord_core.numerics.signs import SHOWN, less_unusual
from annotate.models import IntegrityFigures, Study

UNUSUAL = 0.99  # the share of other annotators who must have a less unusual value
FEWEST = 100  # annotators; in a smaller study, somebody would be unusual in every indicator by chance


@dataclass(frozen=True)
class SignText:
    """The texts about an indicator: its name, the unit of its value, and the comparison with other annotators."""

    title: str
    unit: str  # share or number
    comparison: str


TEXTS: Mapping[str, SignText] = {
    "missing_summaries": SignText("Answers without a valid activity summary", "share", "A larger share than"),
    "webdriver": SignText("Answers from a browser that a program controls", "share", "A larger share than"),
    "time_away": SignText("Answers with at least 5 seconds in another window", "share", "A larger share than"),
    "focus_losses": SignText("Changes to another window per answer", "number", "More changes than"),
    "pasted_text": SignText("Answers with a pasted text of more than 20 characters", "share", "A larger share than"),
    "straight_paths": SignText("Straightness of pointer paths (a straight line is 1)", "number", "Straighter than"),
    "even_presses": SignText("Variation of the time between clicks", "number", "Less variation than"),
    "even_keys": SignText("Variation of the time between key presses", "number", "Less variation than"),
    "short_times": SignText(
        "Time per question divided by the usual time for questions of this length", "number", "Faster than"
    ),
    "even_times": SignText("Variation of the time per question", "number", "Less variation than"),
    "repeated_answers": SignText("Answers that repeat a pattern of positions", "share", "A larger share than"),
    "low_agreement": SignText(
        "Lowest agreement with other annotators in one third of the answers",
        "share",
        "Lower agreement than",
    ),
}


@dataclass(frozen=True)
class Sign:
    """One annotator's value for an integrity indicator. `others` is the number of other annotators, and `less_unusual`
    is how many of them have a less unusual value.
    """

    name: str
    value: float
    less_unusual: int
    others: int

    @property
    def text(self) -> SignText:
        return TEXTS[self.name]

    @property
    def shown_value(self) -> str:
        return percent(self.value) if self.text.unit == "share" else f"{self.value:.2f}"

    @property
    def share(self) -> float:
        """Return the share of other annotators who have a less unusual value."""
        return self.less_unusual / self.others if self.others else 0.0

    @property
    def comparison(self) -> str:
        """Return the base rate in words, such as “Faster than 99% of the 240 other annotators”.

        The share is rounded down, so that the words never claim too much. The text is empty if no other annotator has a
        less unusual value.
        """
        if not self.less_unusual:
            return ""
        whole = f"the {count(self.others)} other annotators"
        share = (
            f"all {whole[4:]}"
            if self.less_unusual == self.others
            else f"{self.less_unusual * 100 // self.others}% of {whole}"
        )
        return f"{self.text.comparison} {share}"

    @property
    def unusual(self) -> bool:
        """Return whether there are enough other annotators, and nearly all of them have a less unusual value."""
        return self.others >= FEWEST - 1 and self.share >= UNUSUAL


@dataclass(frozen=True)
class Signs:
    """One annotator's displayed indicators, most unusual first, and the number of answers from which they were
    calculated.

    `over_time` contains the agreement with other annotators in the first, middle and last thirds of the answers, or
    nothing if it is unknown.
    """

    signs: list[Sign]
    over_time: list[float]
    answers: int
    calculated_at: datetime

    @property
    def unusual(self) -> list[Sign]:
        return [sign for sign in self.signs if sign.unusual]


def integrity_signs(study: Study) -> dict[int, Signs]:
    """Return the displayed indicators by the participation's primary key, in one query.

    The result is empty if the study does not collect activity summaries. Indicators without a value are omitted.
    """
    if not study.activity_summaries:
        return {}
    rows = list(IntegrityFigures.objects.filter(participation__study=study).order_by("participation"))
    signs: dict[int, list[Sign]] = {row.participation_id: [] for row in rows}
    for name in sorted(SHOWN):
        values = [row.figures.get(name) for row in rows]
        counts, known = less_unusual(name, [np.nan if value is None else value for value in values])
        for row, value, fewer in zip(rows, values, counts.tolist(), strict=True):
            if value is not None:
                signs[row.participation_id].append(Sign(name, value, fewer, known - 1))
    return {
        row.participation_id: Signs(
            sorted(signs[row.participation_id], key=lambda sign: -sign.share),
            [value for value in row.figures.get("agreement_over_time", []) if value is not None],
            row.answers,
            row.calculated_at,
        )
        for row in rows
    }
