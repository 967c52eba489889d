"""The expected number of wrong links between chunks in each final annotation."""

from __future__ import annotations

from alignment_ui.chunks.columns import collected
from annotate.tasktypes import Columns, LikelyErrors


def repairs(columns: Columns) -> dict[str, float]:
    """Return the expected number of links changed by a decision, by the refs of annotated, undecided pairs.

    The model of the annotators' errors also learns from their answers to gold questions.
    """
    inputs = collected(columns)
    final = {place: pair for place, pair in inputs.final.items() if not inputs.asked[place].is_decided}
    return {inputs.asked[place].ref: wrong for place, wrong in inputs.modelled_with_gold().wrong_links(final).items()}


ERRORS = LikelyErrors(repairs)
