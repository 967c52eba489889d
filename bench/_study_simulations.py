"""Simulated studies and files for the intervals that are not in the other simulations."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import numpy as np

from accord_core.chunks.numerics.chunk_scores import chunk_scores
from accord_core.chunks.numerics.soft_scores import expected_f1
from accord_core.evaluation.measures import Ratio, measures_of_sums, precision_recall_f1
from accord_core.evaluation.numerics.differences import paired_mean_difference
from accord_core.numerics.agreement import agreement
from accord_core.numerics.labels import Labels
from accord_core.numerics.pace import hours_needed
from accord_core.pairs.numerics.links import Alignment
from accord_core.words.numerics.cells import AnnotatedPair
from accord_core.words.numerics.modelled import modelled
from accord_core.words.numerics.phrase_lists import Prediction, estimate, list_counts
from accord_core.words.numerics.phrases import atomic_phrase_pairs
from accord_core.words.numerics.soft_links import soft_counts
from accord_core.words.numerics.system_scores import GoldPair
from alignment_ui.words.anchoring import _suggested
from bench._interval_simulations import (
    RESAMPLES,
    SETTINGS,
    WORDS,
    Draw,
    Figure,
    Simulation,
    aligned,
    chunked,
    edited,
    true_chunks,
)

PATTERN = 1 + np.sin(np.arange(24) * np.pi / 12)  # the work of a day by the hour
PER_HOUR, DAYS_LEFT = 5.0, 4
PARTS = ("precision", "recall", "F1")
LINKS_KNOWN = (0.1, 0.2, 0.3)  # shares of errors of three annotators


def end_of_study(draw: Draw, hours: int) -> dict[str, Figure]:
    """The pace of the days differs. The true value is the hour in which the simulated study ends."""
    days = draw.gamma(6.0, 1 / 6, size=hours // 24 + 60)
    counts = draw.poisson(PER_HOUR * PATTERN[np.arange(24 * len(days)) % 24] * np.repeat(days, 24))
    remaining = int(PER_HOUR * 24 * DAYS_LEFT)
    future = counts[hours:].cumsum()
    truth = float(np.searchsorted(future, remaining) + 1)
    forecast = hours_needed(counts[:hours].tolist(), remaining)
    if forecast is None or forecast.low is None:
        return {}
    high = np.inf if forecast.high is None else forecast.high
    return {"end of the study, 90% interval": (forecast.expected or truth, forecast.low, high, truth)}


def fields(draw: Draw, questions: int) -> dict[str, Figure]:
    """Five annotators fill in a field with three choices and a field with numbers from 1 to 5."""
    centre, clear = draw.normal(3, 1.2, size=questions), draw.uniform(0.4, 1.5, size=questions)
    numbers = np.clip(np.round(centre[:, None] + clear[:, None] * draw.normal(size=(questions, 5))), 1, 5)
    item, annotator = (each.ravel() for each in np.indices(numbers.shape))
    figures: dict[str, Figure] = {}
    for name, values, labels in (
        ("choices", None, np.digitize(numbers.ravel(), [2.5, 3.5])),
        ("numbers", [1.0, 2.0, 3.0, 4.0, 5.0], numbers.ravel().astype(np.int64) - 1),
    ):
        each = Labels(item, annotator, labels, questions, 5, 3 if values is None else 5)
        level = "nominal" if values is None else "interval"
        found = agreement(each, resamples=RESAMPLES, seed=1, level=level, values=values)
        alpha = found[f"krippendorff_alpha_{level}"]
        figures[f"Krippendorff’s α of {name}"] = (alpha.value, alpha.low, alpha.high)
    return figures


def phrase_lists(draw: Draw, units: int) -> dict[str, Figure]:
    pairs, predicted = [], []
    for _ in range(units):
        source, target, links = aligned(draw)
        difficulty = draw.beta(2, 6)
        system = edited(draw, links, difficulty).links
        pairs.append(GoldPair(source, target, edited(draw, links, 0.0)))
        spans = sorted(atomic_phrase_pairs(system, WORDS, WORDS))
        predicted.append([Prediction(frozenset([span]), frozenset(("sure", "possible")), True) for span in spans])
    counts = list_counts(pairs, predicted, ignore_identical=True)
    names = [Ratio(f"{kind} {name}") for kind in ("sure", "all") for name in PARTS]
    return {
        each.name: (each.value, each.low, each.high) for each in measures_of_sums(names, counts, estimate, **SETTINGS)
    }


def soft_links(draw: Draw, units: int) -> dict[str, Figure]:
    answers, system = [], []
    for _ in range(units):
        _, _, links = aligned(draw)
        difficulty = draw.beta(2, 8)
        answers.append([edited(draw, links, difficulty) for _ in range(3)])
        system.append(edited(draw, links, difficulty + 0.1))
    found = measures_of_sums(
        [Ratio(name) for name in PARTS],
        soft_counts(answers, system),
        lambda sums: precision_recall_f1(*sums[:, [0, 1, 0, 2]].T),
        **SETTINGS,
    )
    return {f"expected {each.name}": (each.value, each.low, each.high) for each in found}


def soft_chunks(draw: Draw, units: int) -> dict[str, Figure]:
    answers, system = [], []
    for number in range(units):
        true, difficulty = true_chunks(draw), draw.beta(2, 8)
        answers.append([chunked(draw, number, difficulty, true) for _ in range(3)])
        system.append(chunked(draw, number, difficulty + 0.1, true).links)
    measures = expected_f1(answers, system, 2016, **SETTINGS)
    return {each.name: (each.value, each.low, each.high) for each in measures}


def chunkers(draw: Draw, units: int) -> dict[str, Figure]:
    sentences = []
    for _ in range(units):
        borders = [0, *np.flatnonzero(draw.random(WORDS - 1) < 0.4) + 1, WORDS]
        moved = [0, *(b for b in borders[1:-1] if draw.random() > draw.beta(2, 8)), WORDS]
        gold, system = ([tuple(range(*ends)) for ends in pairwise(each)] for each in (borders, moved))
        sentences.append(([f"w{n}" for n in range(WORDS)], gold, system))
    return {each.name: (each.value, each.low, each.high) for each in chunk_scores(sentences, **SETTINGS).measures}


def anchoring(draw: Draw, units: int) -> dict[str, Figure]:
    """One annotator aligns each pair with initial links, and another annotator aligns it without initial links."""
    pairs, shown, empty = [], [], []
    for number in range(units):
        _, _, links = aligned(draw)
        start = edited(draw, links, draw.beta(2, 6))
        with_links = number % 2 == 0
        pairs.append(SimpleNamespace(shown=start if with_links else None, withheld=None if with_links else start))
        kept = {link for link in sorted(start.links) if link in links or draw.random() < 0.3}
        drawn = Alignment.of(kept, set()) if with_links else edited(draw, links, 0.1)
        (shown if with_links else empty).append(SimpleNamespace(pair=number, alignment=drawn))
    found = _suggested(SimpleNamespace(pairs=pairs), shown, empty, RESAMPLES, 1)  # type: ignore[arg-type]
    names = ("share with initial links", "share without initial links", "difference")
    return {name: (each["value"], each["low"], each["high"]) for name, each in zip(names, found, strict=True)}


def link_rates(draw: Draw, units: int) -> dict[str, Figure]:
    """The ends are the estimate ± 1.96 standard errors. Two of three annotators align each pair."""
    pairs = []
    hits, drawn_links, true_links = np.zeros((3, 3))
    for number in range(units):
        source, target, links = aligned(draw)
        answers = {}
        for one in ((number % 3), (number + 1) % 3):
            answers[one] = edited(draw, links, LINKS_KNOWN[one])
            hits[one] += len(links & answers[one].links)
            drawn_links[one] += len(answers[one].links)
            true_links[one] += len(links)
        pairs.append(AnnotatedPair(source, target, answers))
    rates = modelled(pairs, 3).annotators(seed=1)
    figures: dict[str, Figure] = {}
    for name, values, errors, truth in (
        ("precision", rates.precision, rates.precision_error, hits / drawn_links),
        ("recall", rates.recall, rates.recall_error, hits / true_links),
    ):
        ends = values - 1.96 * errors, values + 1.96 * errors
        figures[f"{name} of an annotator"] = (values[0], ends[0][0], ends[1][0], truth[0])
    return figures


def set_differences(draw: Draw, units: int) -> dict[str, Figure]:
    set_of = np.repeat(np.arange(units), 5)
    common, spread = draw.normal(0.05, 0.1, size=units), draw.uniform(0.05, 0.2, size=units)
    one = draw.normal(size=5 * units)
    other = one - common[set_of] - spread[set_of] * draw.normal(size=5 * units)
    found = paired_mean_difference(one, other, set_of, permutations=1, **SETTINGS)
    return {"difference of P against NP": (found["value"], found["low"], found["high"])}


SIMULATIONS = (
    Simulation("overview of a study", "hours", end_of_study, (120, 336)),
    Simulation("report of layouts", "questions", fields, (50, 200)),
    Simulation("align score-phrases", "sentence pairs", phrase_lists, (50, 200), 0.5),
    Simulation("soft scores of links", "sentence pairs", soft_links, (50, 200), 0.5),
    Simulation("soft scores of chunks", "sentence pairs", soft_chunks, (50, 200), 0.5),
    Simulation("ists score-chunks", "sentences", chunkers, (50, 200)),
    Simulation("report of word alignment, suggested links", "sentence pairs", anchoring, (50, 200)),
    Simulation("align aggregate", "sentence pairs", link_rates, (50,), 0.5),
    Simulation("comparison of paraphrase sets", "sets", set_differences, (10, 20, 80)),
)
