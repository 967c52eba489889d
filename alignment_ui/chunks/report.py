"""Reports on chunk alignment: agreement between annotators on the official measures, and counts of types and scores."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from statistics import fmean
from typing import Any

from accord_core.chunks.numerics.agreement import ChunkAnnotation, chunk_agreement
from accord_core.chunks.numerics.chunks import RELATIONS, TYPES, UNLINKED, final_punctuation
from accord_core.chunks.numerics.gold_scores import FEWEST_QUESTIONS, GoldQuestion, method_scores
from accord_core.chunks.numerics.link_cells import AnnotatedPair
from alignment_ui.chunks.columns import Collected, collected
from alignment_ui.chunks.headline import headline
from alignment_ui.chunks.people import people
from alignment_ui.chunks.targets import attained
from alignment_ui.pairs.running_text import running_text
from annotate.tasktypes import Columns, Headline, Progress, ReportResult, rounds_figures

RESAMPLES = 1_000
QUICK_RESAMPLES = 200
MOST_DISAGREEMENTS = 500


def results(columns: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress) -> ReportResult:
    """Return the agreement on the four official measures, the link counts, the disagreements, and the figures for each
    annotator.
    """
    inputs = collected(columns)
    if not inputs.judgements:
        return ReportResult(0, 0, "No judgements count towards the results yet.")
    progress(0.1, "agreement between annotators")
    resamples = int(parameters.get("resamples", RESAMPLES))
    agreement = _agreement(inputs, resamples, seed)
    progress(0.6, "annotations of several annotators, combined")
    combined = _combined(inputs, resamples, seed)
    progress(0.8, "counts of links and types")
    disagreements = _disagreements(inputs)
    own = {
        "many_to_many": inputs.many_to_many,
        "agreement": agreement,
        "combined": combined,
        "said": counts(inputs),
        "disagreements": disagreements[:MOST_DISAGREEMENTS],
        "disagreements_in_all": len(disagreements),
        **rounds_figures(inputs.rounds),
    }
    return ReportResult(
        len(inputs.judgements),
        len({judgement.annotator for judgement in inputs.judgements}),
        headline=_headline(inputs, agreement, resamples),
        people=people(inputs),
        own=own,
    )


def progress_report(columns: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress) -> ReportResult:
    """Return the progress figures of an open study: the agreement on the four measures and the gold results."""
    inputs = collected(columns)
    own = {"gold_right": sum(graded.passed for graded in inputs.gold), "gold_given": len(inputs.gold)}
    if not inputs.judgements:
        return ReportResult(len(inputs.judgements), own=own)
    agreement = _agreement(inputs, RESAMPLES, seed)
    return ReportResult(len(inputs.judgements), headline=_headline(inputs, agreement, RESAMPLES), own=own)


def _headline(inputs: Collected, agreement: Mapping[str, Any], resamples: int) -> Headline:
    answers = inputs.design_answers
    figures = attained(agreement, sum(map(len, answers.values())), len(answers), len(inputs.compared), resamples)
    return headline(agreement).with_attained(figures)


def _agreement(inputs: Collected, resamples: int, seed: int) -> dict[str, Any]:
    annotations = [
        ChunkAnnotation(inputs.names[judgement.annotator], judgement.pair, inputs.asked[judgement.asked].dataset)
        for judgement in inputs.judgements
        if not judgement.round
    ]
    return dict(chunk_agreement(annotations, resamples=resamples, seed=seed))


def _combined(inputs: Collected, resamples: int, seed: int) -> dict[str, Any]:
    """Return the F1 values of the majority, medoid and model methods on the gold questions."""
    gold = [GoldQuestion(each.expected, AnnotatedPair(each.answers, each.initial)) for each in inputs.gold_pairs]
    found = method_scores(
        inputs.annotated, gold, len(inputs.names), many_to_many=inputs.many_to_many, resamples=resamples, seed=seed
    )
    return {
        "questions": found.questions,
        "fewest": FEWEST_QUESTIONS,
        "annotators": found.annotators,
        "methods": {
            method: {each.name: {"value": each.value, "low": each.low, "high": each.high} for each in measures}
            for method, measures in found.scores.items()
        },
    }


def counts(inputs: Collected) -> dict[str, Any]:
    """Count the links (by type and score), flags, chunks and unlinked chunks in the final annotations.

    Unlinked punctuation marks at the end of a sentence do not count: annotators need not link them.
    """
    types: Counter[str] = Counter()
    flags: Counter[str] = Counter()
    scores: dict[str, Counter[str]] = defaultdict(Counter)
    chunks = 0
    for pair in inputs.final.values():
        marks = [final_punctuation(sentence) for sentence in (pair.source, pair.target)]
        counted = [
            link
            for link in pair.links
            if link.type not in UNLINKED or not (marks[0].issuperset(link.source) and marks[1].issuperset(link.target))
        ]
        chunks += len({link.source for link in counted if link.source})
        chunks += len({link.target for link in counted if link.target})
        for link in counted:
            types[link.type] += 1
            flags.update(link.flags)
            if link.score is not None:
                scores[link.type][f"{link.score:g}"] += 1
    return {
        "pairs": len(inputs.final),
        "decided": sum(asked.is_decided for asked in inputs.asked),
        "kept": sum(asked.kept for asked in inputs.asked),
        "chunks": chunks,
        "links": sum(types[name] for name in RELATIONS),
        "left_over": sum(types[name] for name in UNLINKED),
        "types": {name: types[name] for name in TYPES},
        "flags": dict(sorted(flags.items())),
        "scores": {name: dict(sorted(scores[name].items())) for name in TYPES if scores[name]},
    }


def _disagreements(inputs: Collected) -> list[dict[str, Any]]:
    """Return the sentence pairs whose annotations differ, starting with the lowest mean F1."""
    rows = []
    for place, compared in inputs.compared.items():
        twos = [f1 for _, _, f1 in compared]
        answers = inputs.design_answers[place]
        if len({frozenset(judgement.pair.links) for judgement in answers}) > 1:
            asked = inputs.asked[place]
            rows.append(
                {
                    "ref": asked.ref,
                    "f1": fmean(twos),
                    "annotators": sorted(inputs.names[judgement.annotator] for judgement in answers),
                    "source": running_text(asked.source),
                    "target": running_text(asked.target),
                    "decided": asked.is_decided,
                    "kept": asked.kept,
                }
            )
    return sorted(rows, key=lambda row: (row["f1"], row["ref"]))
