"""Figures of a report for which a study can have a target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class TargetFigure:
    """A figure that improves as judgements are added. `name` is the name of the figure in `Headline.attained`.

    A reliability reaches a target if the reliability is at least as high. The width of an interval and a standard error
    reach a target if they are at most as large. `label` names the figure, `help` describes it, and `usual` is an
    example of a target. `fewest` is the smallest number of judgements per question with which the prediction works.
    """

    name: str
    label: str
    kind: Literal["reliability", "width", "error"]
    help: str
    usual: float
    fewest: int = 2

    @property
    def direction(self) -> str:
        return "at least" if self.kind == "reliability" else "at most"

    def reaches(self, value: float, target: float) -> bool:
        return value >= target if self.kind == "reliability" else value <= target
