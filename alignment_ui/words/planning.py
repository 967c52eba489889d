"""Plans of word alignment studies: the form's fields, and the simulated studies of a design."""

from __future__ import annotations

from accord_core.exchange.plans import Wording
from accord_core.words.numerics.planning import USUAL, WRONG, WordStudies, word_studies
from alignment_ui.words.pilot import measured, pilot
from annotate.tasktypes.planning import AssumptionField, PlanInput, Planning


def model_of(plan: PlanInput) -> WordStudies:
    """Return a plan's simulated studies. The plan's pilot is a `Pilot` object. Raises ValueError for fewer than two
    pairs.
    """
    return word_studies(
        plan.items,
        annotators=plan.annotators,
        errors=plan.assumptions.get("errors"),
        wrong=plan.assumptions.get("wrong"),
        careless=plan.assumptions.get("careless"),
        overlooked=plan.assumptions.get("overlooked"),
        caught=plan.caught,
        pilot=plan.pilot,
        seed=plan.seed,
    )


def questions_of(plan: PlanInput) -> int:
    """Return the number of sentence pairs."""
    return plan.items


PLANNING = Planning(
    wording=Wording(
        per_question="annotators per pair",
        answers="alignments",
        questions="sentence pairs",
        items="sentence pairs",
        target="an F1 of the majority links",
    ),
    figures={
        "f1": "F1 between annotators (with identical words)",
        "f1_sure": "F1 of sure links",
        "c": "Chance-corrected agreement C",
        "majority_f1": "F1 of the majority links",
        "smallest_difference": "Smallest detectable difference",
    },
    assumptions=(
        AssumptionField(
            "errors",
            "error rates as a multiple of the usual rates",
            0.01,
            10,
            1.0,
            "Attentive annotators usually miss 5% of the links, choose the other kind for 6%, and move 3%.",
        ),
        AssumptionField("wrong", "share of wrong or missing initial links", 0, 1, WRONG),
        AssumptionField(
            "careless",
            "share of careless annotators",
            0,
            0.95,
            0.1,
            "Careless annotators do not change the initial links.",
        ),
        AssumptionField("overlooked", "share of wrong initial links that attentive annotators keep", 0, 1, USUAL),
    ),
    model=model_of,
    questions=questions_of,
    levels=(2, 3, 5),
    step=2,
    search_from=3,
    studies=100,
    pilot=pilot,
    measured=measured,
    seconds=90.0,
    largest_study=100_000,
    largest_plan=20_000_000,
)
