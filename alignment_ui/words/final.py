"""The final alignment of a sentence pair: a researcher's decision or, if there is none, the links of the annotators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from alignment_ui.pairs.numerics.links import Alignment


def final_alignment(decided: Alignment | None, drawn: Sequence[Alignment]) -> Alignment | None:
    """Return the researcher's decision, the links of the only annotator, or the links that most annotators drew.

    With several annotators, a link is final if more than half of the annotators drew the link, as a sure or a possible
    link. The final link is sure if all annotators drew it as a sure link, and possible otherwise. With two annotators,
    both must have drawn the link. The result is None if the pair has no annotation.
    """
    if decided is not None or not drawn:
        return decided
    times = Counter(link for alignment in drawn for link in alignment.links)
    majority = {link for link, count in times.items() if 2 * count > len(drawn)}
    sure = {link for link in majority if all(link in alignment.sure for alignment in drawn)}
    return Alignment.of(sure, majority - sure)
