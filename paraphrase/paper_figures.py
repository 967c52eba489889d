"""The figures of a paper about a paraphrase study."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.tasktypes import PaperFigure, agreement_by_annotator, bars_figure, labelled_figure

COEFFICIENTS = {
    "raw_agreement": "raw agreement",
    "fleiss_kappa": "Fleiss’ kappa",
    "krippendorff_alpha_nominal": "Krippendorff’s alpha",
    "gwet_ac1": "Gwet’s AC1",
}
LABELS = {"good": "appropriate", "bad": "not appropriate", "undecided": "no label"}


def paper_figures(result: Mapping[str, Any]) -> list[PaperFigure]:
    """Return the numbers of labels, the agreement coefficients, and the agreement by annotator."""
    if "counts" not in result:
        return []
    labels = {text: result["counts"][name] for name, text in LABELS.items()}
    coefficients = {text: result["agreement"][name] for name, text in COEFFICIENTS.items()}
    agreement = "Agreement between annotators, with 95% confidence intervals."
    return [
        *bars_figure("labels", "Labels of the candidates.", "candidates", labels),
        *labelled_figure("agreement", agreement, "coefficient", coefficients),
        *agreement_by_annotator(result),
    ]
