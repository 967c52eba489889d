"""Figures for each annotator in a word alignment study: gold results, agreement with other annotators, edits and
time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean, median

import numpy as np

from accord_core.numerics.careless import Agreement, upper_tail
from accord_core.pairs.numerics.links import Alignment, edits, identical_links, pair_f1
from accord_core.words.numerics.modelled import FEWEST_PAIRS
from alignment_ui.words.columns import Collected, Judgement, Pair
from annotate.tasktypes import Flag, Person, chance_figures

# The minimum number of pairs with initial links that an annotator must have aligned before being flagged.
FEWEST = 10
UNTOUCHED = 0.9


def people(inputs: Collected) -> list[Person]:
    """Return a row of figures for each annotator."""
    agreements: dict[int, list[float]] = defaultdict(list)
    for pair, first, second in inputs.compared:
        f1 = compared_f1(inputs, pair, first, second)
        agreements[first.annotator].append(f1)
        agreements[second.annotator].append(f1)
    against_chance = chance_agreements(inputs, agreements)
    tested = chance_figures(against_chance)
    own: dict[int, list[Judgement]] = defaultdict(list)
    for judgement in inputs.judgements:
        own[judgement.annotator].append(judgement)
    rates = modelled_rates(inputs)
    untouched = {number: _untouched(inputs, answers) for number, answers in own.items()}
    rows = []
    for number, (name, with_others) in enumerate(zip(inputs.names, against_chance, strict=True)):
        answers, gold = own[number], [graded for graded in inputs.gold if graded.annotator == number]
        seconds = [judgement.seconds for judgement in answers if judgement.seconds is not None]
        links = sum(len(judgement.alignment.links) for judgement in answers)
        rows.append(
            Person(
                name,
                judgements=len(answers),
                gold_given=len(gold),
                gold_right=sum(graded.passed for graded in gold),
                agreement=_mean(agreements[number]),
                shared=with_others.questions if with_others else 0,
                median_seconds=round(median(seconds), 1) if seconds else None,
                flags=[*tested[number].flags, *_accepts(number, untouched)],
                own={
                    **tested[number].own,
                    "gold_f1": _mean([graded.f1 for graded in gold]),
                    "links_a_pair": _share(links, len(answers)),
                    "possible_links": _share(sum(len(judgement.alignment.possible) for judgement in answers), links),
                    "edits_a_pair": _mean(
                        [edits_of(inputs.pairs[judgement.pair], judgement.alignment) for judgement in answers]
                    ),
                    **rates[number],
                },
            )
        )
    return rows


def modelled_rates(inputs: Collected) -> list[dict[str, float | None]]:
    """Return each annotator's precision and recall under the model, with standard errors.

    The figures are None if fewer than 20 pairs were aligned, or if no pair was aligned by several annotators.
    """
    names = ("model_precision", "model_recall", "model_wrong_kept", "model_precision_error", "model_recall_error")
    if len(inputs.answers) < FEWEST_PAIRS or not inputs.compared:
        return [dict.fromkeys(names) for _ in inputs.names]
    columns = inputs.modelled.annotators(seed=1)
    return [
        {
            name: None if np.isnan(column[number]) else round(float(column[number]), 4)
            for name, column in zip(names, columns, strict=True)
        }
        for number in range(len(inputs.names))
    ]


def compared_f1(inputs: Collected, pair: Pair, first: Judgement, second: Judgement) -> float:
    """Return the F1 between two answers to the same pair. If the study ignores identical words, links between identical
    words are excluded.
    """
    ignored = identical_links(pair.source, pair.target) if inputs.ignore_identical else frozenset()
    return pair_f1(first.alignment, second.alignment, ignored)


def chance_agreements(inputs: Collected, agreements: Mapping[int, Sequence[float]]) -> list[Agreement | None]:
    """Return each annotator's agreement with the others, and the chance agreement of an annotator who does not read the
    sentences. An annotator who does not read is assumed to place as many links at random or along the diagonal,
    whichever gives higher agreement. Each pair counts as one question, however many annotators answered it.
    """
    random_links: dict[int, list[float]] = defaultdict(list)
    diagonal: dict[int, list[float]] = defaultdict(list)
    shared: dict[int, set[str]] = defaultdict(set)
    for pair, first, second in inputs.compared:
        along = _diagonal(len(pair.source), len(pair.target))
        for judgement, other in ((first, second), (second, first)):
            ignored = identical_links(pair.source, pair.target) if inputs.ignore_identical else frozenset()
            cells = len(pair.source) * len(pair.target) - len(ignored)
            own_links, other_links = (len(one.alignment.links - ignored) for one in (judgement, other))
            both = own_links * other_links / cells if cells else 0.0
            random_links[judgement.annotator].append(2 * both / max(own_links + other_links, 1))
            diagonal[judgement.annotator].append(pair_f1(along, other.alignment, ignored))
            shared[judgement.annotator].add(pair.ref)
    return [
        Agreement(
            fmean(agreements[number]), max(fmean(random_links[number]), fmean(diagonal[number])), len(shared[number])
        )
        if shared[number]
        else None
        for number in range(len(inputs.names))
    ]


def _diagonal(n: int, m: int) -> Alignment:
    """Return sure links along the diagonal of an n × m word matrix."""
    longer = max(n, m)
    return Alignment.of({(place * n // longer, place * m // longer) for place in range(longer)})


def edits_of(pair: Pair, drawn: Alignment) -> int:
    """Return the number of matrix cells in which the answer differs from the initial links."""
    return edits(pair.shown.links if pair.shown else frozenset(), drawn.links)


def _untouched(inputs: Collected, answers: Sequence[Judgement]) -> tuple[int, int]:
    """Return the number of pairs with unchanged initial links, and the number of all pairs with initial links."""
    began = [(inputs.pairs[judgement.pair].shown, judgement.alignment) for judgement in answers]
    with_links = [(shown, drawn) for shown, drawn in began if shown is not None and shown.links]
    return sum(shown == drawn for shown, drawn in with_links), len(with_links)


def _accepts(number: int, untouched: dict[int, tuple[int, int]]) -> list[Flag]:
    """Return a flag for an annotator who accepts nearly all pre-alignments unchanged when other annotators do not."""
    left, of = untouched.get(number, (0, 0))
    if of < FEWEST or left < UNTOUCHED * of:
        return []
    others = [pair for other, pair in untouched.items() if other != number]
    others_left, others_of = (sum(column) for column in zip(*others, strict=True)) if others else (0, 0)
    if not others_of or others_left >= UNTOUCHED * others_of:
        return []
    return [
        Flag(
            "Accepts suggested links",
            f"This annotator left {left:,} of {of:,} pre-alignments unchanged. The other annotators left "
            f"{100 * others_left / others_of:.0f}% of pre-alignments unchanged.",
            p=upper_tail(left / of, others_left / others_of, of),
        )
    ]


def _mean(values: Sequence[float]) -> float | None:
    return round(fmean(values), 4) if values else None


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 4) if whole else None
