"""The final alignment of a sentence pair: a researcher's decision or, if there is none, based on the annotators'
links.
"""

from __future__ import annotations

from collections.abc import Sequence

from accord_core.pairs.numerics.links import Alignment
from accord_core.words.numerics.aggregation import majority


def final_alignment(decided: Alignment | None, drawn: Sequence[Alignment]) -> Alignment | None:
    """Return the researcher's decision, the only annotator's links, or the links that most annotators drew
    (`majority`). The result is None if the pair has no annotation.
    """
    return decided if decided is not None or not drawn else majority(drawn)
