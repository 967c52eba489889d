"""Measures how well the initial links distinguish gold questions from the regular questions beside them.

    CORPORA=folder python -m bench.gold_links
    CORPORA=folder python -m bench.gold_links --orders 5

The study has pairs of the Edinburgh corpus in a random order. In the first comparison, 100 gold questions are imported
into a study of 400 pairs before the study is opened. In the others, annotators finish 250 pairs, and 100 pairs are
added. The annotators never link the most frequent words, so the aligner learns a convention of the study. The table
contains the area under the ROC curve of three figures of each pair: 0.5 means that a figure does not distinguish gold
questions from regular questions, and 0 or 1 means that it distinguishes them perfectly.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from accord_core.pairs.numerics.links import Alignment, Link
from alignment_ui.words.finished import FinishedPair
from alignment_ui.words.gold import TEACHERS
from alignment_ui.words.suggesting import Words, suggest
from bench.prealign import read_corpus

GOLD, ADDED, FINISHED, DESIGN, FREQUENT = 100, 100, 250, 400, 20
Figure = Callable[[Words, frozenset[Link]], float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orders", type=int, default=3, help="the number of random orders")
    arguments = parser.parse_args()
    corpus, gold_links = read_corpus(Path(os.environ["CORPORA"]) / "edinburgh")
    keys = list(corpus)
    times = Counter(word.casefold() for pair in corpus.values() for side in pair for word in side)
    frequent = {word for word, _ in times.most_common(FREQUENT)}
    figures: dict[str, Figure] = {
        "links per word": lambda words, links: len(links) / sum(map(len, words)),
        "links between different words": lambda words, links: _share(
            links, lambda i, j: words[0][i].casefold() != words[1][j].casefold()
        ),
        "links of frequent words": lambda words, links: _share(links, lambda i, j: words[0][i].casefold() in frequent),
    }
    areas: dict[str, list[list[float]]] = {}
    for seed in range(arguments.orders):
        drawn = np.random.default_rng(seed).permutation(len(keys)).tolist()
        ordered = [keys[place] for place in drawn[: GOLD + ADDED + DESIGN]]
        words = [corpus[key] for key in ordered]
        gold, added, design = words[:GOLD], words[GOLD : GOLD + ADDED], words[GOLD + ADDED :]
        finished = [
            FinishedPair(key, *corpus[key], _without_frequent(gold_links[key], corpus[key], frequent))
            for key in ordered[GOLD + ADDED :][:FINISHED]
        ]
        first = suggest([*gold, *design[:TEACHERS]], (), _ignore).links[:GOLD]
        learned = suggest([*gold, *added], finished, _ignore)
        later = suggest(gold, finished[:TEACHERS], _ignore, learned.network).links
        compared = {
            "first round": (first, design, suggest(design, (), _ignore).links),
            "added pairs, gold of the first round": (first, added, learned.links[GOLD:]),
            "added pairs, gold of the same round": (learned.links[:GOLD], added, learned.links[GOLD:]),
            "added pairs, gold imported later": (later, added, learned.links[GOLD:]),
        }
        for name, (of_gold, pairs, links) in compared.items():
            areas.setdefault(name, []).append(
                [
                    _area(
                        [figure(pair, each.links) for pair, each in zip(gold, of_gold, strict=True)],
                        [figure(pair, each.links) for pair, each in zip(pairs, links, strict=True)],
                    )
                    for figure in figures.values()
                ]
            )
    print(f"{'area under the ROC curve':<40}" + "".join(f"{name:>32}" for name in figures))
    for name, rows in areas.items():
        print(f"{name:<40}" + "".join(f"{value:>32.2f}" for value in np.mean(rows, axis=0)))


def _without_frequent(alignment: Alignment, words: Words, frequent: set[str]) -> Alignment:
    """Return the links without those of frequent words."""

    def kept(links: frozenset[Link]) -> frozenset[Link]:
        return frozenset((i, j) for i, j in links if not {words[0][i].casefold(), words[1][j].casefold()} & frequent)

    return Alignment(kept(alignment.sure), kept(alignment.possible))


def _share(links: frozenset[Link], chosen: Callable[[int, int], bool]) -> float:
    return sum(chosen(i, j) for i, j in links) / max(len(links), 1)


def _area(of_gold: Sequence[float], of_regular: Sequence[float]) -> float:
    """Return the probability that the figure of a gold question is higher. Ties count as one half."""
    difference = np.array(of_gold)[:, None] - np.array(of_regular)
    return float(np.mean(np.sign(difference)) / 2 + 0.5)


def _ignore(share: float) -> None:
    """Ignore the progress."""


if __name__ == "__main__":
    main()
