"""The accuracy of an annotator on quality-control candidates, over all HITs so far (Pavlick et al., 2015, §3).

The paper says “below 50% accuracy”, but does not define the accuracy. Here, every candidate counts once: (chosen
synonyms + rejected random words) / all candidates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


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
    """Return (chosen synonyms + rejected random words) / all candidates from the summed tallies, or None without
    candidates.
    """
    everything = tallies.get("synonyms", 0) + tallies.get("random_words", 0)
    if not everything:
        return None
    left = tallies["random_words"] - tallies["random_chosen"]
    return (tallies["synonyms_chosen"] + left) / everything


def balanced_accuracy(tallies: Mapping[str, float]) -> float | None:
    """Return the mean of two shares: the share of chosen synonyms and the share of rejected random words. The accuracy
    is ½ if an annotator chooses all candidates or no candidates.

    If the annotator has seen only one of the two kinds, the accuracy is the share for this kind. The accuracy is None
    before the first candidate.
    """
    shares = []
    if tallies.get("synonyms"):
        shares.append(tallies["synonyms_chosen"] / tallies["synonyms"])
    if tallies.get("random_words"):
        shares.append(1 - tallies["random_chosen"] / tallies["random_words"])
    return sum(shares) / len(shares) if shares else None
