"""The figures of a paper about a chunk-alignment study."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.tasktypes import PaperFigure, agreement_by_annotator, bars_figure, labelled_figure

MEASURES = {"f1_ali": "links", "f1_type": "type", "f1_score": "score", "f1_typ_sco": "type and score"}


def paper_figures(result: Mapping[str, Any]) -> list[PaperFigure]:
    """Return the F1 between annotators by measure, the numbers of types, and the agreement by annotator."""
    if "said" not in result:
        return []
    f1 = {text: result["agreement"]["overall"][name] for name, text in MEASURES.items()}
    agreement = "F1 between annotators on the official measures, with 95% confidence intervals."
    return [
        *labelled_figure("agreement", agreement, "F1", f1),
        *bars_figure("types", "Types in the final annotations.", "links and unlinked chunks", result["said"]["types"]),
        *agreement_by_annotator(result),
    ]
