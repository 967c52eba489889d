"""Word alignment: the official scorer's figures, phrase extraction compared with nltk, and agreement with its chance
model.

    CORPORA=folder python -m bench.alignment

CORPORA contains the folder `edinburgh` with the released files `gold.train.sure.json` and `gold.train.sure+poss.json`,
and with three more files: `train.gold.wa`, the same links in one file; `train.identical-words.wa`, a baseline that
links identical words; and `expected.tsv`, the output of the shared tasks' scorer for these files. All other data is
simulated. Times are CPU time of this process: the best of three runs for Accord, and one run for nltk.
"""

from __future__ import annotations

import csv
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from nltk.translate.phrase_based import phrase_extraction

from accord_core.pairs.formats.joining import joined
from accord_core.pairs.formats.registry import read_alignments
from accord_core.pairs.numerics.links import Alignment, Link, word_scores
from accord_core.words.numerics.agreement import AlignedPair, phrase_agreement, word_agreement
from accord_core.words.numerics.phrases import atomic_phrase_pairs, phrase_pairs
from bench._timing import best_of_three, seconds_of

LENGTH = 30
COLLECTIONS = 12


def main() -> None:
    folder = Path(os.environ["CORPORA"]) / "edinburgh"
    print_official_scores(folder)
    print_joined(folder)
    print_extraction()
    print_agreement()
    print_chance()


def print_official_scores(folder: Path) -> None:
    gold, system = (read_links(folder / f"train.{name}.wa") for name in ("gold", "identical-words"))
    keys = sorted(gold.keys() | system.keys())
    scores = word_scores((gold[key], system[key]) for key in keys).as_dict()
    ours = {
        f"{printed} {figure.replace('f1', 'F1')}": scores[kind][figure]
        for kind, printed in (("sure", "sure"), ("possible", "probable"))
        for figure in ("precision", "recall", "f1")
    } | {"AER": scores["och_ney"]["aer"]}
    with (folder / "expected.tsv").open(encoding="utf-8", newline="") as file:
        expected = {row["measure"]: row["value"] for row in csv.DictReader(file, delimiter="\t")}
    assert {measure: f"{value:.4f}" for measure, value in ours.items()} == expected
    print(
        f"{len(keys)} pairs of the Edinburgh corpus, identical words against gold, compared with the official scorer:"
    )
    print("  " + ", ".join(f"{measure} {value:.4f}" for measure, value in ours.items()))


def print_joined(folder: Path) -> None:
    """Join the two released files, and compare the sure and possible links with `train.gold.wa`."""
    gold = read_links(folder / "train.gold.wa")
    halves = [
        read_alignments((folder / name).read_bytes(), name=name)
        for name in ("gold.train.sure.json", "gold.train.sure+poss.json")
    ]
    pairs, _ = joined(*halves)
    assert [pair.alignment for pair in pairs] == [gold[str(number)] for number, _ in enumerate(pairs, start=1)]
    sure, possible = (sum(len(getattr(pair.alignment, kind)) for pair in pairs) for kind in ("sure", "possible"))
    print(f"{len(pairs)} pairs joined from the two released files: {sure:,} sure and {possible:,} possible links,")
    print("  the same as in train.gold.wa")


def read_links(path: Path) -> defaultdict[str, Alignment]:
    """Return the alignments by sentence pair from a file with lines `pair source target S|P`, counted from 1."""
    links: dict[str, dict[str, set[Link]]] = defaultdict(lambda: {"S": set(), "P": set()})
    for line in path.read_text(encoding="utf-8").splitlines():
        pair, source, target, kind = line.split()
        links[pair][kind].add((int(source) - 1, int(target) - 1))
    return defaultdict(Alignment, {pair: Alignment.of(kinds["S"], kinds["P"]) for pair, kinds in links.items()})


def print_extraction() -> None:
    generator = np.random.default_rng(1)
    people = [near_diagonal(LENGTH, LENGTH, generator) for _ in range(1_000)]
    monotone = frozenset((i, i) for i in range(LENGTH))
    print_extraction_of("near the diagonal, as annotators link", people)
    print_extraction_of("word by word, which gives the most phrase pairs", [monotone] * 1_000)


def print_extraction_of(name: str, alignments: Sequence[frozenset[Link]]) -> None:
    words = " ".join(f"w{i}" for i in range(LENGTH))

    def ours() -> int:
        return sum(len(phrase_pairs(links, LENGTH, LENGTH)) for links in alignments)

    def nltks() -> int:
        return sum(len(phrase_extraction(words, words, sorted(links))) for links in alignments)

    def stored() -> int:
        return len([phrase_pairs(links, LENGTH, LENGTH) for links in alignments])

    def atoms() -> int:
        return sum(len(atomic_phrase_pairs(links, LENGTH, LENGTH)) for links in alignments)

    print(f"1,000 pairs of {LENGTH} tokens, {name}: {ours():,} phrase pairs, {atoms():,} atoms", flush=True)
    print(
        f"  ours {best_of_three(ours):.2f} s (target 0.3 s), {best_of_three(stored):.2f} s with all pairs in memory; ",
        end="",
    )
    print(f"atoms {best_of_three(atoms):.2f} s; nltk {seconds_of(nltks):.1f} s", flush=True)
    for links in alignments[:100]:
        rows, columns = {i for i, _ in links}, {j for _, j in links}
        expected = {
            (*source, *target)
            for source, target, *_ in phrase_extraction(words, words, sorted(links))
            if {source[0], source[1] - 1} <= rows and {target[0], target[1] - 1} <= columns
        }
        assert set(phrase_pairs(links, LENGTH, LENGTH)) == expected
    print("  the first 100 pairs equal nltk's without phrase pairs that begin or end with an unaligned word")


def print_agreement() -> None:
    pairs = list(simulated(300, np.random.default_rng(2), length=LENGTH, chances=(0.01, 0.01)))
    for name, agreement in (("words", word_agreement), ("phrases", phrase_agreement)):
        seconds = best_of_three(lambda agreement=agreement: agreement(pairs, seed=1))
        print(
            f"agreement of 300 pairs of about {LENGTH} tokens in {name}, 1,000 resamples, 100 samples: {seconds:.1f} s"
        )


def print_chance() -> None:
    """Print C for annotators who change the pre-alignment at random, and for some who also share nine of ten
    changes."""
    print(f"C over {COLLECTIONS} simulated studies of 100 pairs of about 12 tokens, mean ± its standard error")
    for name, shared in (("changes at random", 0.0), ("nine of ten changes in common", 0.9)):
        for unit, agreement in (("words", word_agreement), ("phrases", phrase_agreement)):
            coefficients = []
            for seed in range(COLLECTIONS):
                pairs = simulated(100, np.random.default_rng(seed), length=12, chances=(0.08, 0.08), shared=shared)
                coefficients.append(agreement(list(pairs), seed=seed, resamples=0)["sure"]["c"]["value"])
            error = np.std(coefficients, ddof=1) / COLLECTIONS**0.5
            print(f"  {name}, {unit}: {np.mean(coefficients):+.3f} ± {error:.3f}", flush=True)


def simulated(
    pairs: int, generator: np.random.Generator, *, length: int, chances: tuple[float, float], shared: float = 0.0
) -> Iterator[AlignedPair]:
    """Return two annotators' links: both change cells by `chances`, and the second copies some of the first's cells."""
    for _ in range(pairs):
        n, m = generator.integers(length - 5, length + 6, size=2).tolist()
        start = near_diagonal(n, m, generator)
        matrix = np.zeros((n, m), dtype=bool)
        matrix[tuple(zip(*start, strict=True))] = True
        first, second = (matrix ^ (generator.random((n, m)) < chance) for chance in chances)
        second = np.where(generator.random((n, m)) < shared, first, second)
        source, target = ([f"w{k}" for k in generator.integers(100, size=size)] for size in (n, m))
        yield AlignedPair(source, target, alignment_of(first), alignment_of(second), start)


def alignment_of(matrix: np.ndarray) -> Alignment:
    return Alignment.of(map(tuple, np.argwhere(matrix).tolist()))


def near_diagonal(n: int, m: int, generator: np.random.Generator) -> frozenset[Link]:
    """Return links in which most words have one link near the same position and some have another link anywhere."""
    beside = generator.choice([0, 0, 0, 0, 1, -1], size=n)
    links = {(i, min(m - 1, max(0, i + beside[i]))) for i in range(n) if generator.random() < 0.85}
    links |= {(i, int(generator.integers(m))) for i in range(n) if generator.random() < 0.1}
    return frozenset((int(i), int(j)) for i, j in links)


if __name__ == "__main__":
    main()
