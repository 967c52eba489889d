"""The figures of a paper about a study with a layout."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.tasktypes import PaperFigure, agreement_by_annotator, bars_figure, labelled_figure
from layouts.report import INTERVAL, NOMINAL

MOST_FIELDS = 4  # fields with a figure of their answers


def paper_figures(result: Mapping[str, Any]) -> list[PaperFigure]:
    """Return the agreement by field, the answers of the first fields with agreement, and the agreement by annotator."""
    fields = [row for row in result.get("fields", ()) if "agreement" in row]
    alphas = {
        row["name"]: row["agreement"].get(INTERVAL, row["agreement"].get(NOMINAL, {"value": None})) for row in fields
    }
    agreement = "Krippendorff’s alpha of each field, with 95% confidence intervals."
    figures = labelled_figure("agreement", agreement, "Krippendorff’s alpha", alphas)
    for number, row in enumerate(fields[:MOST_FIELDS], start=1):
        caption = f"Answers to the field “{row['name']}”."
        figures += bars_figure(f"answers-{number}", caption, "answers", {str(label): n for label, n in row["labels"]})
    return [*figures, *agreement_by_annotator(result)]
