"""Plans of chunk alignment studies: the form's fields, and the simulated studies of a design."""

from __future__ import annotations

from accord_core.chunks.numerics.planning import ChunkStudies, chunk_studies
from accord_core.exchange.plans import Wording
from alignment_ui.chunks.pilot import measured, pilot
from annotate.tasktypes.planning import AssumptionField, PlanInput, Planning


def model_of(plan: PlanInput) -> ChunkStudies:
    """Return a plan's simulated studies. The plan's pilot is a `Pilot` object. Raises ValueError for fewer than two
    pairs.
    """
    return chunk_studies(
        plan.items,
        annotators=plan.annotators,
        errors=plan.assumptions.get("errors"),
        careless=plan.assumptions.get("careless"),
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
        answers="annotations",
        questions="sentence pairs",
        items="sentence pairs",
        target="an F1 of the links",
    ),
    figures={
        "f1_ali": "F1 between two annotators: links",
        "f1_type": "F1 between two annotators: links and types",
        "f1_score": "F1 between two annotators: links and scores",
        "f1_typ_sco": "F1 between two annotators: links, types and scores",
        "smallest_difference": "Smallest detectable difference",
    },
    assumptions=(
        AssumptionField(
            "errors",
            "error rates as a multiple of the usual rates",
            0.01,
            7,
            1.0,
            "Attentive annotators usually miss 7% of the links, choose another type for 12%, and choose another "
            "score for 20%.",
        ),
        AssumptionField(
            "careless", "share of careless annotators", 0, 0.95, 0.1, "Careless annotators draw random links."
        ),
    ),
    model=model_of,
    questions=questions_of,
    levels=(2, 3),
    studies=100,
    pilot=pilot,
    measured=measured,
    seconds=120.0,
    largest_study=100_000,
    largest_plan=20_000_000,
)
