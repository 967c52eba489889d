"""Figures for each annotator, such as quality control, agreement with others, share of yes votes, and time."""

from __future__ import annotations

from typing import Any

import numpy as np

from accord_core.numerics.careless import Agreement, lower_tail, upper_tail
from accord_core.numerics.intervals import wilson_interval
from accord_core.numerics.labels import Bools, Floats, Ints, Labels
from accord_core.paraphrase.numerics.worker_accuracy import balanced_accuracy, plain_accuracy
from annotate.tasktypes import Columns, Flag, Person, chance_figures
from paraphrase.columns import Collected

# The minimum number of votes before annotators who nearly always give the same vote are flagged. This flag is needed
# because an annotator who chooses every candidate can pass the quality rule.
FEWEST_VOTES, NEARLY_ALL = 50, 0.95


def annotator_figures(columns: Columns, data: Collected, estimated: Floats | None) -> list[Person]:
    """Return one row for each annotator who has quality-control answers or counted votes. Undefined figures are None.

    `estimated` is the accuracy that the one-coin model gives each annotator.
    """
    answers = columns["answer_annotator"]
    alike, compared = agreement_with_others(data.labels)
    against_chance = chance_agreements(data)
    tested = chance_figures(against_chance)
    share_of_all = float(np.concatenate([data.labels.label, data.quality.label]).mean()) if len(data.labels) else 0.5
    tallies = quality_tallies(data)
    rows = []
    for number, name in enumerate(data.names):
        own = answers == number
        graded = columns["gold_annotator"] == number
        if not own.any() and not graded.any():
            continue
        regular_votes = data.labels.label[data.labels.annotator == number]
        with_others = against_chance[number]
        quality_votes = data.quality.label[data.quality.annotator == number]
        seconds = columns["answer_seconds"][own]
        seconds = seconds[np.isfinite(seconds)]
        rows.append(
            Person(
                name,
                judgements=int(own.sum()),
                gold_given=int(graded.sum()),
                gold_right=int(columns["gold_passed"][graded].sum()),
                agreement=_share(alike[number], compared[number]),
                shared=with_others.questions if with_others else 0,
                median_seconds=round(float(np.median(seconds)), 1) if len(seconds) else None,
                flags=[
                    *tested[number].flags,
                    *_one_answer(np.concatenate([regular_votes, quality_votes]), share_of_all),
                ],
                own={
                    **tested[number].own,
                    "quality_candidates": len(quality_votes),
                    "accuracy": _rounded(plain_accuracy(tallies[number])),
                    "balanced_accuracy": _rounded(balanced_accuracy(tallies[number])),
                    "estimated_accuracy": _rounded(float(estimated[number]))
                    if own.any() and estimated is not None
                    else None,
                    "yes_share": _share(int(regular_votes.sum()), len(regular_votes)),
                },
            )
        )
    return rows


def worker_accuracy(data: Collected) -> dict[str, Any]:
    """Return the quality-control accuracy of annotators whose votes count, both overall and by annotator.

    `low` and `high` are the ends of Wilson's interval for the share, which treats candidates as independent.
    """
    counted = set(np.unique(data.labels.annotator).tolist())
    tallies = [tally for number, tally in enumerate(quality_tallies(data)) if number in counted]
    total = {name: sum(tally[name] for tally in tallies) for name in tallies[0]} if tallies else {}
    candidates = int(total.get("synonyms", 0) + total.get("random_words", 0))
    accuracy = plain_accuracy(total)
    ends = wilson_interval(round(accuracy * candidates), candidates) if accuracy is not None else None
    own = [share for tally in tallies if (share := plain_accuracy(tally)) is not None]
    return {
        "accuracy": _rounded(accuracy),
        "low": _rounded(ends[0]) if ends else None,
        "high": _rounded(ends[1]) if ends else None,
        "balanced": _rounded(balanced_accuracy(total)),
        "candidates": candidates,
        "annotators": len(own),
        "lowest": _rounded(min(own, default=None)),
    }


def quality_tallies(data: Collected) -> list[dict[str, float]]:
    """Return each annotator's quality-control counts, which the quality rule adds up."""
    quality, people = data.quality, len(data.names)
    good = data.expected[quality.item] == 1
    chosen = quality.label == 1

    def count(which: Any) -> Ints:
        return np.bincount(quality.annotator[which], minlength=people)

    names = ("synonyms_chosen", "synonyms", "random_chosen", "random_words")
    columns = (count(good & chosen), count(good), count(~good & chosen), count(~good))
    return [dict(zip(names, row, strict=True)) for row in np.stack(columns, axis=1).tolist()]


def agreement_with_others(labels: Labels) -> tuple[Ints, Ints]:
    """Return each annotator's number of votes that match the others' majority, and number of votes with such a
    majority.

    Candidates on which the other annotators are tied or have not voted are excluded.
    """
    clear, majority = _majority_of_others(labels)
    alike = clear & (majority == (labels.label == 1))
    people = labels.n_annotators
    return (
        np.bincount(labels.annotator[alike], minlength=people),
        np.bincount(labels.annotator[clear], minlength=people),
    )


def chance_agreements(data: Collected) -> list[Agreement | None]:
    """Return each annotator's agreement with the majority of the other annotators. Also return the chance agreement,
    which an annotator would reach by giving the same number of yes votes to randomly chosen candidates. The figure
    counts questions instead of candidates, because annotators vote on all candidates in a question together.
    """
    labels = data.labels
    clear, majority = _majority_of_others(labels)
    agreements: list[Agreement | None] = []
    for number in range(labels.n_annotators):
        own = clear & (labels.annotator == number)
        if not own.any():
            agreements.append(None)
            continue
        yes, others = float(labels.label[own].mean()), float(majority[own].mean())
        observed = float((majority[own] == (labels.label[own] == 1)).mean())
        chance = yes * others + (1 - yes) * (1 - others)
        agreements.append(Agreement(observed, chance, len(np.unique(data.question[labels.item[own]]))))
    return agreements


def _majority_of_others(labels: Labels) -> tuple[Bools, Bools]:
    """For each vote, return whether the other annotators have a majority on the candidate, and whether this majority is
    “yes”.
    """
    others = labels.counts[labels.item]
    others[np.arange(len(labels)), labels.label] -= 1
    return others[:, 0] != others[:, 1], others[:, 1] > others[:, 0]


def _one_answer(votes: Ints, share_of_all: float) -> list[Flag]:
    """Return a flag for an annotator who gives the same vote to nearly all candidates."""
    if len(votes) < FEWEST_VOTES:
        return []
    share = float(votes.mean())
    if 1 - NEARLY_ALL < share < NEARLY_ALL:
        return []
    word, tail = ("everything", upper_tail) if share > 0.5 else ("nothing", lower_tail)
    return [
        Flag(
            f"Chooses nearly {word}",
            f"The annotator answered “yes” for {share:.0%} of {len(votes):,} candidates, including quality-control "
            f"candidates. With three "
            f"synonyms and three random words, an annotator who always chooses {word} answers exactly half of the "
            f"candidates correctly and passes.",
            p=tail(share, share_of_all, len(votes)),
        )
    ]


def _share(part: int, whole: int) -> float | None:
    return round(int(part) / int(whole), 4) if whole else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(float(value), 4)
