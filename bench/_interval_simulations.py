"""Simulated collections of files and systems, for the coverage of their intervals (see `coverage`).

Each function draws one collection with a number of units and returns each figure with the ends of its interval. All
units come from one population, so the mean of a figure over many collections is its true value, unless the figure
contains another true value. The units differ in difficulty, because intervals of equal units would be too easy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from accord_core.chunks.numerics.agreement import ChunkAnnotation, chunk_agreement
from accord_core.chunks.numerics.chunks import ChunkLink, IstsPair
from accord_core.chunks.numerics.score_sums import f1_measures
from accord_core.chunks.numerics.scores import ists_scores
from accord_core.evaluation.formats.label_predictions import Predictions
from accord_core.evaluation.numerics.differences import paired_difference
from accord_core.evaluation.numerics.relatedness import relatedness_scores
from accord_core.evaluation.numerics.soft_scores import Collected
from accord_core.numerics.corrected_precision import corrected_precision
from accord_core.numerics.error_bound import Stratum
from accord_core.numerics.error_sample import draw_sample, planned_sample, remaining_share
from accord_core.numerics.intervals import wilson_interval
from accord_core.numerics.label_errors import wrong_probabilities
from accord_core.numerics.labels import Labels
from accord_core.numerics.soft_labels import fitted
from accord_core.pairs.numerics.links import Alignment
from accord_core.paraphrase.systems.formats.pham import ParaphraseSets, SetSentence
from accord_core.paraphrase.systems.numerics.paraphrase_sets import paraphrase_set_scores
from accord_core.paraphrase.systems.numerics.paraphrase_tables import table_scores
from accord_core.paraphrase.systems.numerics.thresholds import threshold_figures
from accord_core.words.numerics.agreement import AlignedPair, phrase_agreement, word_agreement
from accord_core.words.numerics.system_scores import GoldPair, counts_by_pair, system_differences, system_figures
from bench.label_errors import draw as draw_votes
from evaluation.label_scores import baselines, system_measures
from evaluation.label_scores import system_differences as label_differences
from evaluation.perspective_scores import Perspectives

Figure = tuple[float | None, ...]
"""The value, the lower end and the upper end, followed by the true value if it is known."""

Draw = np.random.Generator

RESAMPLES = 400
WORDS = 12
TYPES = ("EQUI", "SIMI", "SPE1", "REL")
SETTINGS: Mapping[str, Any] = {"resamples": RESAMPLES, "seed": 1}


class Simulation(NamedTuple):
    """One kind of intervals: the simulated command, the resampled units, and the share of the collections to draw."""

    command: str
    unit: str
    draw: Callable[[Draw, int], dict[str, Figure]]
    sizes: tuple[int, ...] = (50, 200)
    share: float = 1.0


def of(figures: Mapping[str, Any], prefix: str = "") -> dict[str, Figure]:
    """Return the figures that have a value and ends, by name."""
    return {
        f"{prefix}{name}": (each["value"], each["low"], each["high"])
        for name, each in figures.items()
        if isinstance(each, Mapping) and "low" in each
    }


def aligned(draw: Draw) -> tuple[tuple[str, ...], tuple[str, ...], set[tuple[int, int]]]:
    """Return a pair of sentences with different words, and its true links along the diagonal."""
    links = {(i, i) for i in range(WORDS)} | {(i, i + 1) for i in range(WORDS - 1) if draw.random() < 0.15}
    return tuple(f"s{i}" for i in range(WORDS)), tuple(f"t{i}" for i in range(WORDS)), links


def edited(draw: Draw, links: set[tuple[int, int]], error: float) -> Alignment:
    """Return the links of an annotator or system that misses and adds links with the probability `error`."""
    missed = {link for link in sorted(links) if draw.random() < error}
    added = {(int(draw.integers(WORDS)), int(draw.integers(WORDS))) for _ in range(draw.binomial(WORDS, error))}
    drawn = sorted((links - missed) | added)
    possible = {link for link in drawn if draw.random() < 0.2}
    return Alignment.of(set(drawn) - possible, possible)


def link_scores(draw: Draw, units: int) -> dict[str, Figure]:
    pairs, one, other = [], [], []
    for _ in range(units):
        source, target, links = aligned(draw)
        difficulty = draw.beta(2, 6)
        pairs.append(GoldPair(source, target, edited(draw, links, 0.0)))
        one.append(edited(draw, links, difficulty))
        other.append(edited(draw, links, difficulty + 0.05))
    first, second = (counts_by_pair(pairs, each, phrases=True, ignore_identical=True) for each in (one, other))
    parts = system_figures(first, **SETTINGS)
    differences = system_differences(first, second, permutations=1, **SETTINGS)["och_ney"]
    return {
        **{name: figure for part, each in parts.items() for name, figure in of(each, f"{part} ").items()},
        **of(differences, "difference, "),
    }


def link_agreement(draw: Draw, units: int) -> dict[str, Figure]:
    pairs = []
    for _ in range(units):
        source, target, links = aligned(draw)
        difficulty = draw.beta(2, 8)
        begun = edited(draw, links, 0.25).links
        pairs.append(
            AlignedPair(source, target, edited(draw, links, difficulty), edited(draw, links, difficulty), begun)
        )
    figures = {}
    for name, measure in (("words", word_agreement), ("phrases", phrase_agreement)):
        parts = measure(pairs, samples=100, **SETTINGS)
        for kind in ("possible", "sure"):
            figures |= of(parts[kind], f"{name} {kind} ")
    return figures


def chunked(draw: Draw, number: int, error: float, true: list[tuple[str, float]]) -> IstsPair:
    """Return a pair of four chunks per sentence. The annotation differs from the true types with chance `error`."""
    links = []
    for place, (kind, score) in enumerate(true):
        source, target = (2 * place, 2 * place + 1), (2 * place, 2 * place + 1)
        if draw.random() < error:
            links += [ChunkLink(source, (), "NOALI"), ChunkLink((), target, "NOALI")]
            continue
        if draw.random() < error:
            kind, score = str(draw.choice(TYPES[1:])), float(draw.integers(1, 5))
        links.append(ChunkLink(source, target, kind, score=score))
    words = tuple(f"w{n}" for n in range(8))
    return IstsPair(str(number), words, words, tuple(links))


def true_chunks(draw: Draw) -> list[tuple[str, float]]:
    kinds = draw.choice(TYPES, size=4)
    return [(str(kind), 5.0 if kind == "EQUI" else float(draw.integers(1, 5))) for kind in kinds]


def chunk_scores(draw: Draw, units: int) -> dict[str, Figure]:
    gold, system = [], []
    for number in range(units):
        true, difficulty = true_chunks(draw), draw.beta(2, 5)
        gold.append(chunked(draw, number, 0.0, true))
        system.append(chunked(draw, number, difficulty, true))
    measures = f1_measures(ists_scores(gold, system), **SETTINGS)
    return {each.name: (each.value, each.low, each.high) for each in measures}


def agreement_on_chunks(draw: Draw, units: int) -> dict[str, Figure]:
    annotations = []
    for number in range(units):
        true, difficulty = true_chunks(draw), draw.beta(2, 8)
        annotations += [ChunkAnnotation(name, chunked(draw, number, difficulty, true)) for name in ("a", "b", "c")]
    return of(chunk_agreement(annotations, **SETTINGS)["overall"])  # type: ignore[arg-type]


def tables(draw: Draw, units: int) -> dict[str, Figure]:
    labels, scores, listed = {}, {}, []
    for number in range(units):
        share = draw.beta(2, 2)
        for place in range(int(draw.integers(2, 9))):
            pair = (f"p{number}", f"q{place}")
            good = draw.random() < share
            labels[pair] = "good" if good else "bad"
            scores[pair] = float(draw.normal(1.0 if good else 0.0))
            if draw.random() < (0.7 if good else 0.3):
                listed.append(pair)
    figures = of(table_scores({"domain": labels}, {"domain": listed}, **SETTINGS)["domains"]["domain"])
    threshold = threshold_figures(labels, scores, **SETTINGS)
    figures["average precision"] = of(threshold)["average_precision"]
    return figures | of(threshold["cross_validated"], "cross-validated ")


def sets(draw: Draw, units: int) -> dict[str, Figure]:
    sentences, vectors = [], []
    for number in range(units):
        centre, spread = draw.normal(size=10), draw.uniform(0.3, 1.2)
        for kind, count in (("P", 5), ("S", 4)):
            for _ in range(count):
                sentences.append(SetSentence(("I", str(number)), kind, (), "a sentence", 0))
                vectors.append(centre + spread * draw.normal(size=10) + (0.5 if kind == "S" else 0.0))
    figures = paraphrase_set_scores(ParaphraseSets(sentences), np.array(vectors), **SETTINGS)
    return {name: (figures[name], *figures["intervals"][name]) for name in ("purity", "entropy", "p_vs_np")}


def correlations(draw: Draw, units: int) -> dict[str, Figure]:
    true = draw.normal(size=units)
    scores = true + 0.4 * draw.normal(size=units)
    one, other = (true + noise * draw.standard_t(5, size=units) for noise in (0.7, 1.0))
    sources = [f"source {n % 4}" for n in range(units)]
    keys = [f"i{n}" for n in range(units)]
    figures = relatedness_scores(keys, scores, one, sources, **SETTINGS)
    found = of({"Spearman, all": figures["spearman"], "mean of test folds": figures["folds"]})
    found |= of({"one source": figures["groups"]["source 0"], "mean of the sources": figures["mean_of_groups"]})
    difference = paired_difference(scores, one, other, permutations=1, **SETTINGS)
    return found | of({"difference": difference})


def soft_labels(draw: Draw, units: int) -> dict[str, Figure]:
    share = draw.beta(0.8, 0.8, size=units)
    votes = draw.binomial(1, share[:, None], size=(units, 7)).astype(np.int64)
    item, annotator = (each.ravel() for each in np.indices(votes.shape))
    labels = Labels(item, annotator, votes.ravel(), units, 7, 2)
    estimates = fitted(labels, "one_coin")
    collected = Collected(labels.counts, estimates.posterior, labels, estimates, positions=(0.0, 1.0))
    predicted = np.clip(share + 0.2 * draw.normal(size=units), 0.02, 0.98)
    predictions = Predictions(np.stack([1 - predicted, predicted], axis=1), probabilities=True, further=0, zeros=0)
    measures = system_measures(collected, predictions, None, **SETTINGS)
    found: dict[str, Figure] = {each.name: (each.value, each.low, each.high) for each in measures}
    other = np.clip(share + 0.3 * draw.normal(size=units), 0.02, 0.98)
    less = Predictions(np.stack([1 - other, other], axis=1), probabilities=True, further=0, zeros=0)
    differences = label_differences(collected, predictions, less, None, permutations=1, **SETTINGS)
    held_out = baselines(collected, None, **SETTINGS)[0].measures
    found |= {f"difference, {each.name}": (each.value, each.low, each.high) for each in differences}
    return found | {f"held-out, {each.name}": (each.value, each.low, each.high) for each in held_out}


def perspectives(draw: Draw, units: int) -> dict[str, Figure]:
    """Ratings from 1 to 5 by the same five annotators, which one system predicts better than the other."""
    middle = draw.normal(3, 1, size=units)
    item, annotator = (each.ravel() for each in np.indices((units, 5)))
    rated = middle[item] + np.linspace(-0.6, 0.6, 5)[annotator]
    given, better, worse = (
        np.clip(np.rint(rated + draw.normal(0, spread, size=len(item))), 1, 5).astype(np.int64) - 1
        for spread in (0.7, 0.7, 1.4)
    )
    labels = Labels(item, annotator, given, units, 5, 5)
    scored = Perspectives(labels, [better, worse], [1.0, 2.0, 3.0, 4.0, 5.0], 5)
    found = {each.name: (each.value, each.low, each.high) for each in scored.measures(0, **SETTINGS)}
    differences = scored.differences(0, 1, permutations=1, **SETTINGS)
    found |= {f"difference, {each.name}": (each.value, each.low, each.high) for each in differences}
    majority = scored.baseline(**SETTINGS).measures
    return found | {f"majority, {each.name}": (each.value, each.low, each.high) for each in majority}


def corrected(draw: Draw, units: int) -> dict[str, Figure]:
    share = draw.beta(4, 3, size=units)
    positives = draw.integers(2, 15, size=units)
    true = draw.binomial(positives, share)
    judged = [float(draw.random() < chance) for chance in [0.3] * 48 + [0.9] * 48]
    counts = np.stack([true, positives], axis=1).astype(np.float64)
    found = corrected_precision(counts, judged[:48], judged[48:], **SETTINGS)
    return {
        name: (each.value, each.low, each.high)
        for name, each in (("precision", found.precision), ("corrected", found.corrected), ("judged", found.judged))
    }


def shares(draw: Draw, units: int) -> dict[str, Figure]:
    figures: dict[str, Figure] = {}
    for true in (0.5, 0.8, 0.95):
        right = int(draw.binomial(units, true))
        low, high = wilson_interval(right, units) or (None, None)
        figures[f"a share of {true:.0%}"] = (right / units, low, high, true)
    return figures


def checked_labels(draw: Draw, units: int) -> dict[str, Figure]:
    """Draw votes of 20 annotators on `units` labels, and check the sample that is expected to reach each bound."""
    figures: dict[str, Figure] = {}
    for wanted in (0.05, 0.1):
        drawn = draw_votes(draw, units, 20, 3, 2, varying=True)
        final = drawn.labels.counts.argmax(axis=1)
        wrong = final != drawn.truth
        plan = planned_sample(wrong_probabilities(drawn.labels, final), wanted)
        chosen = draw_sample(plan, int(draw.integers(2**31)))
        strata = [
            Stratum(len(places), len(own), int(wrong[own].sum()))
            for places, own in zip(plan.strata, chosen, strict=True)
        ]
        found = sum(stratum.wrong for stratum in strata)
        estimate = sum(stratum.size * stratum.wrong / stratum.checked for stratum in strata)
        bound = remaining_share(strata)
        figures[f"wrong labels, planned for {wanted:.0%}"] = (
            (estimate - found) / units, 0.0, bound, (wrong.sum() - found) / units
        )  # fmt: skip
    return figures


SIMULATIONS = (
    Simulation("evaluate relatedness", "items", correlations, (50, 200, 1000)),
    Simulation("evaluate labels", "items", soft_labels),
    Simulation("evaluate perspectives", "items", perspectives),
    Simulation("evaluate paraphrase-sets", "sets", sets, (10, 20, 80)),
    Simulation("evaluate paraphrase-tables", "phrases", tables),
    Simulation("align score", "sentence pairs", link_scores, share=0.5),
    Simulation("align agreement", "sentence pairs", link_agreement, share=0.4),
    Simulation("align corrected-precision", "sentence pairs and judgements", corrected),
    Simulation("ists score", "sentence pairs", chunk_scores),
    Simulation("report of chunk alignment", "sentence pairs", agreement_on_chunks, share=0.5),
    Simulation("accuracy on gold questions", "answers", shares, (10, 50, 200), share=10.0),
    Simulation("sample of final labels", "labels", checked_labels, (100, 500, 2000), share=5.0),
)
