"""The figures of a paper about a word-alignment study."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.tasktypes import PaperFigure, agreement_by_annotator, bars_figure, labelled_figure

LINKS = {"sure": "sure", "possible": "possible"}


def paper_figures(result: Mapping[str, Any]) -> list[PaperFigure]:
    """Return the F1 between annotators by subcorpus, the numbers of links, and the agreement by annotator."""
    if "words" not in result:
        return []
    f1 = {row["subcorpus"] or "all pairs": row["och_ney"]["f1"] for row in result["words"]}
    everything = result["aligned"][-1] if result["aligned"] else {}
    links = {text: everything[name] for name, text in LINKS.items() if name in everything}
    agreement = "F1 of word links between annotators, with 95% confidence intervals."
    return [
        *labelled_figure("agreement", agreement, "F1", f1),
        *bars_figure("links", "Links in the final alignments.", "links", links),
        *agreement_by_annotator(result),
    ]
