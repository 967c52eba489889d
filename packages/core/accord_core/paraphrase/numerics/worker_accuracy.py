"""An annotator's accuracy on quality-control candidates, over all HITs so far (Pavlick et al., 2015, §3).

The paper says “below 50% accuracy”, but does not define the accuracy. Here, every candidate counts once: (chosen
synonyms + rejected random words) / all candidates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from accord_core.numerics.gold_measures import Ratio, accuracy_of

MEASURES = {
    "accuracy": (Ratio(("synonyms_chosen", "random_words", "-random_chosen"), ("synonyms", "random_words")),),
    "balanced": (
        Ratio(("synonyms_chosen",), ("synonyms",)),
        Ratio(("random_chosen",), ("random_words",), complement=True),
    ),
}


def tally(expected: Sequence[bool], votes: Sequence[bool]) -> dict[str, float]:
    """Count the correct and wrong votes for one question. `expected` is true for synonyms and false for random words.
    `votes` contains the annotator's vote on each candidate.
    """
    synonyms = [chosen for good, chosen in zip(expected, votes, strict=True) if good]
    random_words = [chosen for good, chosen in zip(expected, votes, strict=True) if not good]
    return {
        "synonyms_chosen": sum(synonyms),
        "synonyms": len(synonyms),
        "random_chosen": sum(random_words),
        "random_words": len(random_words),
    }


def plain_accuracy(tallies: Mapping[str, float]) -> float | None:
    """Return (chosen synonyms + rejected random words) / all candidates from the summed tallies, or None if there are
    no candidates.
    """
    return accuracy_of(tallies, MEASURES["accuracy"])


def balanced_accuracy(tallies: Mapping[str, float]) -> float | None:
    """Return the mean of the share of chosen synonyms and the share of rejected random words. The accuracy is ½ if an
    annotator chooses either all candidates or none.

    If the annotator has seen only one of the two kinds, the accuracy is the share for this kind. The accuracy is None
    before the first candidate.
    """
    return accuracy_of(tallies, MEASURES["balanced"])
