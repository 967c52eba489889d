"""Plans of best–worst studies: the form's fields, and the simulated studies of a design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

from accord_core.bws.numerics.planning import SPREAD, BestWorstStudies, best_worst_studies
from accord_core.exchange.plans import Wording
from annotate.tasktypes.drafts import ItemDraft
from annotate.tasktypes.planning import AssumptionField, PlanInput, Planning
from bws.options import OPTIONS
from bws.pilot import measured, pilot

DESIGN = tuple(option for option in OPTIONS if option.name in ("size", "factor"))
PER_TUPLE = (2, 3, 4, 6, 8)
FACTOR = DESIGN[-1]


def model_of(plan: PlanInput) -> BestWorstStudies:
    """Return a plan's simulated studies, with a `Judgements` object as the pilot. Raises DesignError for impossible
    designs.
    """
    return best_worst_studies(
        plan.items,
        size=plan.design["size"],
        factor=plan.design["factor"],
        annotators=plan.annotators,
        spread=plan.assumptions.get("spread"),
        careless=plan.assumptions.get("careless"),
        caught=plan.caught,
        pilot=plan.pilot,
        seed=plan.seed,
    )


def questions_of(plan: PlanInput) -> int:
    """Return the number of tuples."""
    return round(plan.items * plan.design["factor"])


def designs_for(plan: PlanInput, judgements: int) -> list[tuple[dict[str, Any], int]]:
    """Return designs that divide this number of judgements between more tuples per item and more judgements per tuple.
    Designs with fewer judgements per tuple have more tuples.
    """
    designs = []
    for per_tuple in PER_TUPLE:
        factor = judgements // per_tuple * 100 // plan.items / 100
        if (FACTOR.minimum or 0) <= factor <= (FACTOR.maximum or inf):
            designs.append(({**plan.design, "factor": factor}, per_tuple))
    return designs


def design_of(items: Sequence[ItemDraft], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tuple size and the factor in the study's settings."""
    return {option.name: options[option.name] for option in DESIGN}


PLANNING = Planning(
    wording=Wording(
        per_question="judgements per question",
        answers="judgements",
        questions="questions",
        items="items",
        target="a reliability",
    ),
    figures={
        "reliability": "Reliability of the scores (splits within tuples)",
        "correlation_with_truth": "Correlation with the true values",
        "standard_error": "Standard error of a score from −1 to 1",
        "smallest_difference": "Smallest detectable difference",
    },
    assumptions=(
        AssumptionField(
            "spread",
            "spread of the utilities",
            0.01,
            20,
            SPREAD,
            "Standard deviation of the items’ utilities in logits. Larger values mean clearer differences.",
        ),
        AssumptionField(
            "careless", "share of careless annotators", 0, 0.95, 0.1, "Careless annotators answer at random."
        ),
    ),
    model=model_of,
    questions=questions_of,
    levels=(2, 4, 6, 8),
    design=DESIGN,
    alternatives={"factor": (1.5, 2.0, 3.0, 4.0)},
    for_budget=designs_for,
    best={"reliability": "highest", "correlation_with_truth": "highest", "standard_error": "lowest"},
    best_note="The halves of a split-half reliability share their tuples, so this reliability favours designs with few "
    "tuples. The correlation with the true values and the standard error do not.",
    defaults=design_of,
    pilot=pilot,
    measured=measured,
)
