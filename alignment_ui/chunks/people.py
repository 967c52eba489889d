"""Figures for each annotator in a chunk alignment study: gold results, agreement with other annotators, links and
time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean, median

import numpy as np

from accord_core.chunks.numerics.aggregation import pair_f1
from accord_core.chunks.numerics.annotator_rates import AnnotatorRates
from accord_core.chunks.numerics.chunks import ChunkLink, IstsPair
from accord_core.chunks.numerics.modelled import FEWEST_PAIRS
from accord_core.numerics.careless import Agreement, upper_tail
from accord_core.numerics.draws import generator
from alignment_ui.chunks.columns import Collected, Judgement
from annotate.tasktypes import Flag, Person, chance_figures

# An annotator is flagged from this many links, and from this share of links with the same type and score.
FEWEST_LINKS, NEARLY_ALL = 50, 0.95


def people(inputs: Collected) -> list[Person]:
    """Return a row of figures for each annotator."""
    agreements: dict[int, list[float]] = defaultdict(list)
    for compared in inputs.compared.values():
        for one, other, f1 in compared:
            agreements[one.annotator].append(f1)
            agreements[other.annotator].append(f1)
    against_chance = chance_agreements(inputs, agreements)
    tested = chance_figures(against_chance)
    labels = {number: _labels(inputs, number) for number in range(len(inputs.names))}
    rates = modelled_rates(inputs)
    rows = []
    for number, (name, with_others) in enumerate(zip(inputs.names, against_chance, strict=True)):
        own = [judgement for judgement in inputs.judgements if judgement.annotator == number]
        gold = [graded for graded in inputs.gold if graded.annotator == number]
        links = [link for judgement in own for link in judgement.pair.links if link.source and link.target]
        seconds = [judgement.seconds for judgement in own if judgement.seconds is not None]
        rows.append(
            Person(
                name,
                judgements=len(own),
                gold_given=len(gold),
                gold_right=sum(graded.passed for graded in gold),
                agreement=fmean(agreements[number]) if agreements[number] else None,
                shared=with_others.questions if with_others else 0,
                median_seconds=round(median(seconds), 1) if seconds else None,
                flags=[*tested[number].flags, *_one_label(number, labels)],
                own={
                    **tested[number].own,
                    "gold_f1": fmean(graded.f1 for graded in gold) if gold else None,
                    "links_a_pair": len(links) / len(own) if own else None,
                    "mean_score": fmean(link.score or 0 for link in links) if links else None,
                    **rates[number],
                },
            )
        )
    return rows


def modelled_rates(inputs: Collected) -> list[dict[str, float | None]]:
    """Return each annotator's precision, recall, type accuracy and scores under the model, with standard errors.

    The figures are None if fewer than 20 pairs were annotated, or if no pair has several annotators.
    """
    names = [f"model_{name}" for name in AnnotatorRates._fields]
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


def chance_agreements(inputs: Collected, agreements: Mapping[int, Sequence[float]]) -> list[Agreement | None]:
    """Return each annotator's agreement with the others. Also return the chance agreement, which an annotator with the
    same chunks and number of links would reach without reading the sentences. To calculate the chance agreement, the
    chunks of each answer are linked at random. The types and scores are drawn at random from the annotator's other
    links.
    """
    own_links = {number: _links_of(inputs, number) for number in range(len(inputs.names))}
    observed: dict[int, list[float]] = defaultdict(list)
    shared: dict[int, set[int]] = defaultdict(set)
    for place, compared in inputs.compared.items():
        for one, other, _ in compared:
            for judgement, its_other in ((one, other), (other, one)):
                shuffled = _shuffled(judgement, own_links[judgement.annotator])
                observed[judgement.annotator].append(pair_f1(shuffled, its_other.pair))
                shared[judgement.annotator].add(place)
    return [
        Agreement(fmean(agreements[number]), fmean(observed[number]), len(shared[number])) if shared[number] else None
        for number in range(len(inputs.names))
    ]


def _shuffled(judgement: Judgement, own_links: Sequence[ChunkLink]) -> IstsPair:
    """Return the answer with its chunks linked at random. The same answer always produces the same result."""
    pair = judgement.pair
    draw = generator("chance", judgement.asked, judgement.annotator)
    linked = [link for link in pair.links if link.source and link.target]
    sources, targets = ([list(chunks)[n] for n in draw.permutation(len(chunks))] for chunks in _chunks(pair))
    labels = [own_links[n] for n in draw.integers(len(own_links), size=len(linked))] if linked else []
    links = [
        ChunkLink(source, target, label.type, label.flags, label.score)
        for source, target, label in zip(sources, targets, labels, strict=False)
    ]
    return replace(pair, links=tuple(links))


def _chunks(pair: IstsPair) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    return pair.source_chunks, pair.target_chunks


def _links_of(inputs: Collected, number: int) -> list[ChunkLink]:
    own = (judgement.pair for judgement in inputs.judgements if judgement.annotator == number)
    return [link for pair in own for link in pair.links if link.source and link.target]


def _labels(inputs: Collected, number: int) -> Counter[tuple[str, float | None]]:
    return Counter((link.type, link.score) for link in _links_of(inputs, number))


def _one_label(number: int, labels: Mapping[int, Counter[tuple[str, float | None]]]) -> list[Flag]:
    """Return a flag for an annotator who gives nearly all links the same type and score when other annotators do
    not.
    """
    total = labels[number].total()
    if total < FEWEST_LINKS:
        return []
    label, times = labels[number].most_common(1)[0]
    others = [counted for other, counted in labels.items() if other != number]
    others_total = sum(counted.total() for counted in others)
    if times < NEARLY_ALL * total or not others_total:
        return []
    share = sum(counted[label] for counted in others) / others_total
    if share >= NEARLY_ALL:
        return []
    return [
        Flag(
            "One label for nearly all links",
            f"This annotator gave {times:,} of {total:,} links the type {label[0]} and the score {label[1] or 0:g}. "
            f"Other annotators gave this type and score to {share:.0%} of their links.",
            p=upper_tail(times / total, share, total),
        )
    ]
