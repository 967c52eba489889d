"""What can be said of each annotator of word alignments: gold, agreement with others, edits, time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean, median
from typing import Any

from alignment_ui.pairs.numerics.links import Alignment, edits, identical_links, paper_scores, without
from alignment_ui.words.columns import Collected, Given, Pair

# Too few to tell anything of somebody's habits.
FEWEST = 10
UNTOUCHED = 0.9


def people(found: Collected) -> list[dict[str, Any]]:
    """A row for each annotator, with the keys that the console reads (`docs/task-types.md`)."""
    agreements: dict[int, list[float]] = defaultdict(list)
    for pair, first, second in found.compared:
        f1 = compared_f1(found, pair, first, second)
        agreements[first.annotator].append(f1)
        agreements[second.annotator].append(f1)
    own: dict[int, list[Given]] = defaultdict(list)
    for given in found.given:
        own[given.annotator].append(given)
    untouched = {number: _untouched(found, answers) for number, answers in own.items()}
    rows = []
    for number, name in enumerate(found.names):
        answers, gold = own[number], [graded for graded in found.gold if graded.annotator == number]
        seconds = [given.seconds for given in answers if given.seconds is not None]
        links = sum(len(given.alignment.links) for given in answers)
        rows.append(
            {
                "pseudonym": name,
                "judgements": len(answers),
                "gold_given": len(gold),
                "gold_right": sum(graded.passed for graded in gold),
                "gold_f1": _mean([graded.f1 for graded in gold]),
                "agreement": _mean(agreements[number]),
                "shared": len(agreements[number]),
                "median_seconds": round(median(seconds), 1) if seconds else None,
                "links_a_pair": _share(links, len(answers)),
                "possible_links": _share(sum(len(given.alignment.possible) for given in answers), links),
                "edits_a_pair": _mean([edits_of(found.pairs[given.pair], given.alignment) for given in answers]),
                "flag": _flag(number, untouched),
            }
        )
    return rows


def compared_f1(found: Collected, pair: Pair, first: Given, second: Given) -> float:
    """F1 of two answers' links as Table 3 has it, for one pair: 1 where neither has a link that is compared.

    Where the figure is undefined otherwise, one of the two has no sure link that is compared: 0.
    """
    one, other = first.alignment, second.alignment
    if found.ignore_identical:
        identical = identical_links(pair.source, pair.target)
        one, other = without(one, identical), without(other, identical)
    f1 = paper_scores([(one, other)])["f1"]
    return float(one == other) if f1 is None else f1


def edits_of(pair: Pair, drawn: Alignment) -> int:
    """Cells of the matrix that differ from what the annotator began from."""
    return edits(pair.shown.links if pair.shown else frozenset(), drawn.links)


def _untouched(found: Collected, answers: Sequence[Given]) -> tuple[int, int]:
    """How many pairs that came with links were left as they were, kinds and all, and how many there were."""
    began = [(found.pairs[given.pair].shown, given.alignment) for given in answers]
    with_links = [(shown, drawn) for shown, drawn in began if shown is not None and shown.links]
    return sum(shown == drawn for shown, drawn in with_links), len(with_links)


def _flag(number: int, untouched: dict[int, tuple[int, int]]) -> dict[str, str] | None:
    """A remark on somebody who leaves nearly every pair as it was suggested, where others do not."""
    left, of = untouched.get(number, (0, 0))
    if of < FEWEST or left < UNTOUCHED * of:
        return None
    others = [pair for other, pair in untouched.items() if other != number]
    others_left, others_of = (sum(column) for column in zip(*others, strict=True)) if others else (0, 0)
    if not others_of or others_left >= UNTOUCHED * others_of:
        return None
    return {
        "title": "Takes over what is suggested",
        "detail": f"Left {left:,} of {of:,} pairs exactly as the pre-alignment has them, the others "
        f"{100 * others_left / others_of:.0f} % of theirs.",
    }


def _mean(values: Sequence[float]) -> float | None:
    return round(fmean(values), 4) if values else None


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 4) if whole else None
