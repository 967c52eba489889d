"""The figures of a paper about a best–worst study."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.tasktypes import PaperFigure, Point, agreement_by_annotator

SERIES = {"within": "splits within tuples", "whole": "splits by whole tuples"}


def paper_figures(result: Mapping[str, Any]) -> list[PaperFigure]:
    """Return the scores with their intervals, the reliability by judgements, and the agreement by annotator."""
    return [*_scores(result), *_reliability(result), *agreement_by_annotator(result)]


def _scores(result: Mapping[str, Any]) -> list[PaperFigure]:
    """Return the scores from 0 to 1 with one standard error to each side."""
    scores = result.get("scores", {"unit": (), "standard_error": ()})
    points = [
        # The standard errors are those of scores from −1 to 1.
        Point(unit) if error is None else Point(unit, unit - error / 2, unit + error / 2)
        for unit, error in zip(scores["unit"], scores["standard_error"], strict=True)
        if unit is not None
    ]
    caption = "Scores of all items in ascending order. Lines show one standard error to each side."
    figure = PaperFigure("scores", caption, "ranked", {"": points}, "rank", "score", limits=(0, 1))
    return [figure] if points else []


def _reliability(result: Mapping[str, Any]) -> list[PaperFigure]:
    series = {
        label: [Point(row[name], x=row["judgements"]) for row in result.get("by_amount", ()) if row[name] is not None]
        for name, label in SERIES.items()
    }
    drawn = {label: points for label, points in series.items() if len(points) > 1}
    figure = PaperFigure(
        "reliability",
        "Split-half reliability (Spearman) after each part of the judgements.",
        "lines",
        drawn,
        "judgements",
        "split-half reliability",
    )
    return [figure] if drawn else []
