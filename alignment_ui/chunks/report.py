"""Reports on chunk alignment: agreement of annotators in the official measures, and counts of types and scores."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from statistics import fmean, median
from typing import Any

from alignment_ui.chunks.columns import Collected, collected
from alignment_ui.chunks.numerics.agreement import ChunkAnnotation, chunk_agreement
from alignment_ui.chunks.numerics.chunks import RELATIONS, TYPES, UNLINKED
from annotate.numerics.printed import interval
from annotate.tasktypes import Columns, End, Headline, Person, Progress, ReportResult

HEADLINE = "F1 of type and score between annotators"
RESAMPLES = 1_000
QUICK_RESAMPLES = 200
MOST_DISAGREEMENTS = 500


def results(columns: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress) -> ReportResult:
    """Return agreement in the four official measures, counts of links, disagreements and figures for annotators."""
    found = collected(columns)
    if not found.given:
        return ReportResult(0, 0, "No judgements count towards the results yet.")
    progress(0.1, "agreement between annotators")
    agreement = _agreement(found, int(parameters.get("resamples", RESAMPLES)), seed)
    progress(0.8, "counts of links and types")
    disagreements = _disagreements(found)
    own = {
        "many_to_many": found.many_to_many,
        "agreement": agreement,
        "said": _said(found),
        "disagreements": disagreements[:MOST_DISAGREEMENTS],
        "disagreements_in_all": len(disagreements),
    }
    return ReportResult(
        len(found.given),
        len({given.annotator for given in found.given}),
        headline=headline(agreement),
        people=_people(found),
        own=own,
    )


def progress_report(columns: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress) -> ReportResult:
    """Return agreement in the four measures and the gold results, for progress while a study is open."""
    found = collected(columns)
    own = {"gold_right": sum(graded.passed for graded in found.gold), "gold_given": len(found.gold)}
    if not any(len(answers) > 1 for answers in found.answers.values()):
        return ReportResult(len(found.given), own=own)
    return ReportResult(len(found.given), headline=headline(_agreement(found, QUICK_RESAMPLES, seed)), own=own)


def headline(agreement: Mapping[str, Any]) -> Headline:
    """Return the headline of a report: F1 of type and score between annotators."""
    figure = agreement["overall"]["f1_typ_sco"]
    ends = interval(figure["low"], figure["high"])
    return Headline(
        HEADLINE,
        [End("f1_typ_sco", "mean over pairs of annotators", figure["value"])],
        unit="judgements, as pairs annotated twice",
        doubt=f"95% confidence interval {ends}, from resampled sentence pairs." if figure["low"] is not None else "",
        caption="Two annotators are compared with the official measure of 2016. Their order does not matter.",
    )


def _agreement(found: Collected, resamples: int, seed: int) -> dict[str, Any]:
    annotations = [
        ChunkAnnotation(found.names[given.annotator], given.pair, found.asked[given.asked].dataset)
        for given in found.given
    ]
    return dict(chunk_agreement(annotations, resamples=resamples, seed=seed))


def _said(found: Collected) -> dict[str, Any]:
    """Count the links by type and score, flags, chunks and unlinked chunks of the final annotations."""
    types: Counter[str] = Counter()
    flags: Counter[str] = Counter()
    scores: dict[str, Counter[str]] = defaultdict(Counter)
    chunks = 0
    for pair in found.final.values():
        chunks += len(pair.source_chunks) + len(pair.target_chunks)
        for link in pair.links:
            types[link.type] += 1
            flags.update(link.flags)
            if link.score is not None:
                scores[link.type][f"{link.score:g}"] += 1
    return {
        "pairs": len(found.final),
        "decided": sum(asked.decided is not None for asked in found.asked),
        "chunks": chunks,
        "links": sum(types[name] for name in RELATIONS),
        "left_over": sum(types[name] for name in UNLINKED),
        "types": {name: types[name] for name in TYPES},
        "flags": dict(sorted(flags.items())),
        "scores": {name: dict(sorted(scores[name].items())) for name in TYPES if scores[name]},
    }


def _disagreements(found: Collected) -> list[dict[str, Any]]:
    """Return the pairs with different annotations, with the lowest mean F1 first."""
    rows = []
    for place, compared in found.compared.items():
        twos = [f1 for _, _, f1 in compared]
        if min(twos) < 1:
            asked = found.asked[place]
            rows.append(
                {
                    "ref": asked.ref,
                    "f1": fmean(twos),
                    "annotators": [found.names[given.annotator] for given in found.answers[place]],
                    "source": " ".join(asked.source),
                    "target": " ".join(asked.target),
                    "decided": asked.decided is not None,
                }
            )
    return sorted(rows, key=lambda row: (row["f1"], row["ref"]))


def _people(found: Collected) -> list[Person]:
    """Return one row of figures per annotator."""
    agreements: dict[int, list[float]] = defaultdict(list)
    for compared in found.compared.values():
        for one, other, f1 in compared:
            agreements[one.annotator].append(f1)
            agreements[other.annotator].append(f1)
    rows = []
    for number, name in enumerate(found.names):
        own = [given for given in found.given if given.annotator == number]
        gold = [graded for graded in found.gold if graded.annotator == number]
        links = [link for given in own for link in given.pair.links if link.source and link.target]
        seconds = [given.seconds for given in own if given.seconds is not None]
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
