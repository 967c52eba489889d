"""The choice of the sentence pairs for an adaptive round: those on which annotators differ most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from accord_core.numerics.draws import draw
from accord_core.numerics.labels import EQUAL
from annotate.tasktypes import Check, ReportResult


@dataclass(frozen=True)
class Disputes:
    """The sentence pairs of a study that all annotators of the design have answered, and the differences between them.

    `weights` maps the pairs without a decision of a researcher, by their names, to their amount of difference in
    links. `complete` and `pairs` are the numbers of answered pairs and of all pairs.
    """

    weights: Mapping[str, float]
    complete: int
    pairs: int
    judgements: int

    def chosen(self, parameters: Mapping[str, Any], seed: int, *, judgements_each: int) -> ReportResult:
        """Choose up to `questions` pairs for the adaptive round number `round`, those with the largest weights first.
        Ties are broken at random.
        """
        if not self.complete:
            return ReportResult(self.judgements, reason="No sentence pair has all judgements of the design yet.")
        order = sorted(
            (ref for ref, weight in self.weights.items() if weight > EQUAL),
            key=lambda ref: (-self.weights[ref], draw(seed, "round", int(parameters["round"]), ref)),
        )
        first = set(order[: int(parameters["questions"])])
        if not first:
            return ReportResult(self.judgements, reason="The annotators do not differ on any sentence pair.")
        own = {
            "again": [ref for ref in self.weights if ref in first],
            "judgements_each": judgements_each,
            "checks": [check.as_json() for check in self._checks(first)],
        }
        return ReportResult(self.judgements, own=own)

    def _checks(self, chosen: set[str]) -> list[Check]:
        of_chosen, of_all = sum(self.weights[ref] for ref in chosen), sum(self.weights.values())
        return [
            Check("Pairs with all judgements of the design", f"{self.complete:,}", f"of {self.pairs:,}"),
            Check("Differences in the chosen pairs", _amount(of_chosen), "in links"),
            Check("Differences in all pairs", _amount(of_all), "without pairs with a decision"),
        ]


def _amount(weight: float) -> str:
    return f"{weight:,.1f}".removesuffix(".0")
