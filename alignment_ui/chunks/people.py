"""Figures for each annotator of chunk alignments: gold results, agreement with other annotators, links and time."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean, median

from alignment_ui.chunks.columns import Collected
from annotate.tasktypes import Person


def people(inputs: Collected) -> list[Person]:
    """Return a row of figures for each annotator."""
    agreements: dict[int, list[float]] = defaultdict(list)
    for compared in inputs.compared.values():
        for one, other, f1 in compared:
            agreements[one.annotator].append(f1)
            agreements[other.annotator].append(f1)
    rows = []
    for number, name in enumerate(inputs.names):
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
                shared=len(agreements[number]),
                median_seconds=round(median(seconds), 1) if seconds else None,
                own={
                    "gold_f1": fmean(graded.f1 for graded in gold) if gold else None,
                    "links_a_pair": len(links) / len(own) if own else None,
                    "mean_score": fmean(link.score or 0 for link in links) if links else None,
                },
            )
        )
    return rows
