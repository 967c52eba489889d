"""The final alignment of a sentence pair: a researcher's decision or, if there is none, the links of the annotators."""

from __future__ import annotations

from collections.abc import Sequence

from alignment_ui.pairs.numerics.links import Alignment
from alignment_ui.words.numerics.aggregation import majority


def final_alignment(decided: Alignment | None, drawn: Sequence[Alignment]) -> Alignment | None:
    """Return the researcher's decision, the links of the only annotator, or the links that most annotators drew
    (`majority`). The result is None if the pair has no annotation.
    """
    return decided if decided is not None or not drawn else majority(drawn)
