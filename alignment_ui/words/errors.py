"""The expected number of wrong links in each final alignment."""

from __future__ import annotations

from alignment_ui.words.columns import collected
from annotate.tasktypes import Columns, LikelyErrors


def repairs(columns: Columns) -> dict[str, float]:
    """Return the expected number of links changed by a decision, by the refs of annotated, undecided pairs.

    The model of the annotators' errors also learns from their answers to gold questions.
    """
    inputs = collected(columns)
    final = {place: links for place, links in inputs.final.items() if not inputs.pairs[place].is_decided}
    return {inputs.pairs[place].ref: wrong for place, wrong in inputs.modelled_with_gold().wrong_links(final).items()}


ERRORS = LikelyErrors(repairs)
