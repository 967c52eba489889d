"""Plans of studies with labels: the form's fields, and the simulated studies of a design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord_core.exchange.plans import Wording
from accord_core.paraphrase.numerics.planning import ATTENTIVE, DIFFICULTY, LabelStudies, label_studies
from annotate.tasktypes import ItemDraft, Option
from annotate.tasktypes.planning import AssumptionField, PlanInput, Planning
from paraphrase.pilot import measured, pilot

DESIGN = (
    Option("possible_labels", "Possible labels", 2, "integer", minimum=2, maximum=100),
    Option(
        "labels_per_question",
        "Labels per question",
        1.0,
        "number",
        minimum=1,
        maximum=1000,
        help="Number of candidates per question. Each candidate gets a label of its own.",
    ),
)


def model_of(plan: PlanInput) -> LabelStudies:
    """Return a plan's simulated studies, with a `Labels` object as the pilot. Raises ValueError for fewer than two
    labelled candidates.
    """
    return label_studies(
        round(plan.items * plan.design["labels_per_question"]),
        n_labels=plan.design["possible_labels"],
        annotators=plan.annotators,
        accuracy=plan.assumptions.get("accuracy"),
        difficulty=plan.assumptions.get("difficulty"),
        careless=plan.assumptions.get("careless"),
        frequent=plan.assumptions.get("frequent"),
        caught=plan.caught,
        pilot=plan.pilot,
    )


def questions_of(plan: PlanInput) -> int:
    """Return the number of questions, which equals the number of items."""
    return plan.items


def design_of(items: Sequence[ItemDraft], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return two possible labels, and the mean number of candidates of the study's items."""
    candidates = [len(item.content["paraphrases"]) for item in items]
    mean = sum(candidates) / len(candidates) if candidates else 1.0
    return {"possible_labels": 2, "labels_per_question": max(1.0, round(mean, 2))}


PLANNING = Planning(
    wording=Wording(
        per_question="labels per item",
        answers="labels",
        questions="items",
        items="items",
        target="an accuracy of the majority labels",
    ),
    figures={
        "alpha": "Krippendorff’s α",
        "label_accuracy": "Accuracy of the majority labels",
        "undecided": "Share of undecided items",
        "smallest_difference": "Smallest detectable difference",
    },
    assumptions=(
        AssumptionField(
            "accuracy",
            "accuracy of attentive annotators",
            0.01,
            0.999,
            ATTENTIVE,
            "Probability that an attentive annotator chooses the right label for a typical item.",
        ),
        AssumptionField(
            "difficulty",
            "spread of the items' difficulty",
            0.01,
            10,
            DIFFICULTY,
            "Standard deviation of the items’ difficulty in logits.",
        ),
        AssumptionField(
            "careless", "share of careless annotators", 0, 0.95, 0.1, "Careless annotators choose labels at random."
        ),
        AssumptionField(
            "frequent",
            "share of the most frequent label",
            0,
            1,
            None,
            "Share of items whose true label is the most frequent label. If this field is empty, all labels are "
            "equally frequent.",
        ),
    ),
    model=model_of,
    questions=questions_of,
    levels=(3, 5, 7, 9),
    # Even numbers of labels have ties, so the search for a target uses odd numbers.
    fewest=3,
    step=2,
    search_from=3,
    design=DESIGN,
    defaults=design_of,
    pilot=pilot,
    measured=measured,
)
