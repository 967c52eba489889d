"""The final alignment of a sentence pair: what a researcher decided, or else what its annotators drew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from alignment_ui.pairs.numerics.links import Alignment


def final_alignment(decided: Alignment | None, drawn: Sequence[Alignment]) -> Alignment | None:
    """A decision stands. One annotator's links are final as they are; of several, what most agree on.

    A link that more than half have drawn, of whichever kind, is in: sure if all of them call it sure, and possible
    otherwise. Of two annotators that is what both have drawn. None where nobody has aligned the pair.
    """
    if decided is not None or not drawn:
        return decided
    times = Counter(link for alignment in drawn for link in alignment.links)
    kept = {link for link, count in times.items() if 2 * count > len(drawn)}
    sure = {link for link in kept if all(link in alignment.sure for alignment in drawn)}
    return Alignment.of(sure, kept - sure)
