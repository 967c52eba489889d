"""The cheapest of several designs that reaches a target, and the best of several designs for a budget. The designs are,
for example, best–worst designs with different tuple factors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from .plan_costs import Costs, Terms, costs_of
from .planning import Forecast, Needed, Progress, StudyModel, answers_needed, expected_figures


@dataclass(frozen=True)
class Candidate:
    """A design of a planned study, with its number of questions and its simulated studies."""

    design: Mapping[str, Any]
    questions: int
    model: StudyModel


@dataclass(frozen=True)
class SearchedDesign:
    """The smallest number of answers per question with which a design reaches the target, and the costs at this number.

    If the design does not reach the target, the costs are those of the largest number of answers.
    """

    design: Mapping[str, Any]
    questions: int
    needed: Needed
    costs: Costs

    @property
    def reaches(self) -> bool:
        return self.needed.answers is not None


def search_designs(
    candidates: Sequence[Candidate],
    forecasted: Forecast,
    target: float,
    terms: Terms,
    *,
    seed: int = 1,
    fewest: int = 2,
    step: int = 1,
    largest: int | None = None,
    progress: Progress | None = None,
) -> list[SearchedDesign]:
    """Return the number of answers that each of the candidates needs to reach the target.

    `forecasted` belongs to the first candidate and estimates the parameters for all candidates. The search simulates
    studies of at most `largest` answers. `progress(done, candidates)` is called after each candidate.
    """
    searched = []
    for number, each in enumerate(candidates):
        known = forecasted if number == 0 else replace(forecasted, levels=())
        most = None if largest is None else max(fewest, largest // each.questions)
        needed = answers_needed(each.model, known, target, seed=seed, fewest=fewest, step=step, most=most)
        answers = (needed.answers or needed.most) * each.questions
        searched.append(SearchedDesign(each.design, each.questions, needed, costs_of(answers, terms)))
        if progress is not None:
            progress(number + 1, len(candidates))
    return searched


def cheapest(searched: Sequence[SearchedDesign]) -> SearchedDesign | None:
    """Return the design that reaches the target at the lowest cost, or None if no design reaches the target. Among
    equally expensive designs, the function prefers fewer answers, and then a higher figure.
    """
    reaching = [each for each in searched if each.reaches]
    return min(reaching, key=lambda each: (each.costs.cost, each.costs.answers, -each.needed.value), default=None)


@dataclass(frozen=True)
class BudgetDesign:
    """A design that a budget covers, with its answers per question, costs and expected figures."""

    design: Mapping[str, Any]
    questions: int
    per_question: int
    costs: Costs
    figures: Mapping[str, float]


def designs_for_budget(
    candidates: Sequence[tuple[Candidate, int]], forecasted: Forecast, terms: Terms, *, seed: int = 1
) -> list[BudgetDesign]:
    """Return the figures of the candidates with their numbers of answers per question. `forecasted` estimates the
    parameters for all candidates.
    """
    values = {name: estimate.value for name, estimate in forecasted.estimates.items()}
    return [
        BudgetDesign(
            each.design,
            each.questions,
            answers,
            costs_of(answers * each.questions, terms),
            expected_figures(each.model, values, answers, seed=seed),
        )
        for each, answers in candidates
    ]


def best_for_budget(designs: Sequence[BudgetDesign], figure: str, *, lowest: bool = False) -> BudgetDesign | None:
    """Return the design with the highest or the lowest figure, or None if the figure is undefined in all designs."""
    defined = [each for each in designs if isfinite(each.figures[figure])]
    return min(defined, key=lambda each: each.figures[figure] * (1 if lowest else -1), default=None)
