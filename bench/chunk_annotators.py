"""Evaluates majority, medoid and the model of chunk links on gold annotations that no method sees.

    CORPORA=folder python -m bench.chunk_annotators

CORPORA contains `ists/images.gold.wa`. Simulated annotators of different quality annotate the pairs of the file whose
gold annotation follows the 2015 guidelines. In the second table, the annotators divide the source chunks of 20% of
their links differently. The annotators miss links, move links to other chunks, add links, confuse types with similar
types, and give scores with a bias and an error. In the third table, some links mislead 7 of 10 annotators of any
quality, who then make the same error. The last table compares the estimated figures of annotators with the gold
annotations.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord_core.chunks.formats.ists import read_wa
from accord_core.chunks.formats.ists_guidelines import guideline_faults
from accord_core.chunks.numerics.aggregation import METHODS
from accord_core.chunks.numerics.chunks import TOP_SCORE, ChunkLink, IstsPair
from accord_core.chunks.numerics.link_cells import AnnotatedPair
from accord_core.chunks.numerics.modelled import aggregated, modelled
from accord_core.chunks.numerics.scores import MEASURES, ists_scores

SEEDS = 5
DIVIDED = 0.2
MISLED = 0.7
SIMILAR = {
    "EQUI": ("SPE1", "SPE2", "SIMI"),
    "OPPO": ("SIMI", "REL"),
    "SPE1": ("SIMI", "SPE2", "EQUI"),
    "SPE2": ("SIMI", "SPE1", "EQUI"),
    "SIMI": ("REL", "SPE1", "SPE2"),
    "REL": ("SIMI",),
}


class Quality(NamedTuple):
    """The probabilities of a missed link, a moved link, an additional link per chunk and another type, and the bias and
    the standard deviation of the scores.
    """

    missed: float
    moved: float
    added: float
    type: float
    bias: float
    error: float


GOOD, FAIR, POOR = (
    Quality(0.03, 0.01, 0.02, 0.08, 0.0, 0.4),
    Quality(0.1, 0.05, 0.08, 0.2, 0.3, 0.7),
    Quality(0.3, 0.2, 0.25, 0.45, -0.7, 1.2),
)
MIXED = (*[GOOD] * 3, *[FAIR] * 4, *[POOR] * 3)
GROUPS: dict[str, tuple[Sequence[Quality], int]] = {
    "2 fair": ([FAIR] * 2, 2),
    "1 good, 1 poor": ([GOOD, POOR], 2),
    "3 good": ([GOOD] * 3, 3),
    "3 fair": ([FAIR] * 3, 3),
    "1 good, 2 poor": ([GOOD, POOR, POOR], 3),
    "2 good, 3 poor": ([GOOD, GOOD, POOR, POOR, POOR], 5),
    "10 of mixed quality, 2 each": (MIXED, 2),
    "10 of mixed quality, 3 each": (MIXED, 3),
    "10 of mixed quality, 5 each": (MIXED, 5),
}


def main() -> None:
    path = Path(os.environ["CORPORA"]) / "ists" / "images.gold.wa"
    pairs = read_wa(path.read_bytes(), name=path.name)
    gold = [pair for pair in pairs if not guideline_faults(pair, many_to_many=False)]
    print(f"F1 of alignment, type, score, and type and score: mean of {SEEDS} simulations of {len(gold)} pairs")
    for divided in (0.0, DIVIDED):
        print(f"\n{divided:.0%} of the links with other chunks")
        for name, (qualities, each) in GROUPS.items():
            print_methods(gold, name, qualities, each, divided=divided)
    print("\nby the share of links that mislead 7 of 10 annotators of any quality")
    for hard in (0.05, 0.1, 0.2):
        for name, people in (("3 good", [GOOD] * 3), ("3 fair", [FAIR] * 3)):
            print_methods(gold, f"{name}, {hard:.0%}", people, 3, hard=hard)
    print("\nestimated figures of 10 annotators of mixed quality, compared with the gold annotations")
    for each in (2, 3, 5):
        print_annotators(gold, each)


def print_methods(
    gold: Sequence[IstsPair],
    name: str,
    qualities: Sequence[Quality],
    each: int,
    *,
    divided: float = 0.0,
    hard: float = 0.0,
) -> None:
    figures: dict[str, list[list[float]]] = {method: [] for method in METHODS}
    for seed in range(SEEDS):
        pairs = simulated(gold, qualities, each, seed, divided=divided, hard=hard)
        for method in METHODS:
            combined = aggregated(pairs, len(qualities), method, many_to_many=False)
            total = ists_scores(gold, [pair for pair in combined if pair is not None]).total
            figures[method].append([total.figures(measure).f1 for measure in MEASURES])
    means = {method: " ".join(f"{value:.3f}" for value in np.mean(of, axis=0)) for method, of in figures.items()}
    print(f"  {name:<28} {'   '.join(f'{method} {values}' for method, values in means.items())}", flush=True)


def print_annotators(gold: Sequence[IstsPair], each: int) -> None:
    errors: dict[str, list[float]] = {}
    covered: dict[str, list[bool]] = {}
    for seed in range(SEEDS):
        pairs = simulated(gold, MIXED, each, seed)
        rates = modelled(pairs, len(MIXED), many_to_many=False).annotators(seed=1)
        for one in range(len(MIXED)):
            true = _figures(
                [(true, pair.answers[one]) for true, pair in zip(gold, pairs, strict=True) if one in pair.answers]
            )
            for name, estimates, deviations in (
                ("precision", rates.precision, rates.precision_error),
                ("recall", rates.recall, rates.recall_error),
                ("type accuracy", rates.type_accuracy, rates.type_error),
            ):
                difference = float(estimates[one]) - true[name]
                errors.setdefault(name, []).append(difference)
                covered.setdefault(name, []).append(abs(difference) <= 1.96 * float(deviations[one]))
            errors.setdefault("score error", []).append(float(rates.score_sd[one]) - true["score error"])
    for name, differences in errors.items():
        within = f", within 1.96 standard errors {np.mean(covered[name]):.2f}" if name in covered else ""
        size = np.mean(np.abs(differences))
        print(f"  {each} each, {name}: mean error {np.mean(differences):+.3f}, mean absolute error {size:.3f}{within}")


def simulated(
    gold: Sequence[IstsPair],
    qualities: Sequence[Quality],
    each: int,
    seed: int,
    *,
    divided: float = 0.0,
    hard: float = 0.0,
) -> list[AnnotatedPair]:
    """Return the pairs, each annotated by `each` of the annotators.

    A share `hard` of the true links misleads annotators: 7 of 10 annotators do not draw half of these links, and give
    the same wrong type to the other half.
    """
    draw = np.random.default_rng(seed)
    pairs = []
    for pair in gold:
        who = draw.permutation(len(qualities))[:each].tolist()
        misleading = {link: draw.random() < 0.5 for link in pair.links if draw.random() < hard}
        answers = {one: _answer(pair, qualities[one], misleading, draw) for one in who}
        pairs.append(AnnotatedPair({one: _divided(answer, divided, draw) for one, answer in answers.items()}))
    return pairs


def _answer(
    gold: IstsPair, quality: Quality, misleading: Mapping[ChunkLink, bool], draw: np.random.Generator
) -> IstsPair:
    """Return a simulated annotation. `misleading` contains the misleading links, and whether annotators miss them."""
    sources, targets = gold.source_chunks, gold.target_chunks
    links: dict[int, ChunkLink] = {}
    taken: set[int] = set()
    for link in (link for link in gold.links if link.source and link.target and draw.random() >= quality.missed):
        target = targets.index(link.target)
        if draw.random() < quality.moved:
            target = int(draw.integers(len(targets)))
        misled = link in misleading and draw.random() < MISLED
        if misled and misleading[link]:
            continue
        kind = str(draw.choice(SIMILAR[link.type])) if draw.random() < quality.type else link.type
        kind = SIMILAR[link.type][0] if misled else kind
        rough = (4.4 if link.type == "EQUI" else link.score or 0) + quality.bias + draw.normal() * quality.error
        score = float(TOP_SCORE) if kind == "EQUI" else float(np.clip(np.round(rough), 0, TOP_SCORE - 1))
        if target not in taken:
            links[sources.index(link.source)] = ChunkLink(link.source, targets[target], kind, link.flags, score)
            taken.add(target)
    for place, chunk in enumerate(sources):
        free = [number for number in range(len(targets)) if number not in taken]
        if place not in links and free and draw.random() < quality.added:
            target = int(draw.choice(free))
            kind, score = str(draw.choice(["SIMI", "REL"])), float(draw.integers(1, TOP_SCORE - 1))
            links[place] = ChunkLink(chunk, targets[target], kind, score=score)
            taken.add(target)
    marks = {(link.source, link.target): link.type for link in gold.links if not (link.source and link.target)}
    alone = [(chunk, ()) for place, chunk in enumerate(sources) if place not in links]
    alone += [((), chunk) for place, chunk in enumerate(targets) if place not in taken]
    unlinked = [ChunkLink(source, target, marks.get((source, target), "NOALI")) for source, target in alone]
    return IstsPair(gold.id, gold.source, gold.target, (*links.values(), *unlinked))


def _divided(pair: IstsPair, share: float, draw: np.random.Generator) -> IstsPair:
    """Return the annotation with the first word of some linked chunks as a chunk of its own, marked as NOALI."""
    links: list[ChunkLink] = []
    for link in pair.links:
        if link.source and link.target and len(link.source) > 1 and draw.random() < share:
            links.append(ChunkLink(link.source[1:], link.target, link.type, link.flags, link.score))
            links.append(ChunkLink(link.source[:1], (), "NOALI"))
        else:
            links.append(link)
    return IstsPair(pair.id, pair.source, pair.target, tuple(links))


def _figures(annotated: Sequence[tuple[IstsPair, IstsPair]]) -> dict[str, float]:
    """Return the true precision, recall, type accuracy and score error of one annotator's annotations."""
    own_links, true_links, right, differences = 0, 0, [], []
    for true, own in annotated:
        correct = {(link.source, link.target): link for link in true.links if link.source and link.target}
        drawn = {(link.source, link.target): link for link in own.links if link.source and link.target}
        own_links, true_links = own_links + len(drawn), true_links + len(correct)
        for key in correct.keys() & drawn.keys():
            right.append(correct[key].type == drawn[key].type)
            if "EQUI" not in (correct[key].type, drawn[key].type):
                differences.append((drawn[key].score or 0) - (correct[key].score or 0))
    return {
        "precision": len(right) / own_links,
        "recall": len(right) / true_links,
        "type accuracy": float(np.mean(right)),
        "score error": float(np.std(differences)),
    }


if __name__ == "__main__":
    main()
