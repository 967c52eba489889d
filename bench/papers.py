"""Prints the main figures of the papers in docs/papers.md, except for figures that another benchmark prints.

    CORPORA=folder python -m bench.papers

CORPORA contains `swords/votes.csv` and the `edinburgh` corpus.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from accord_core.evaluation.measures import precision_recall_f1
from accord_core.exchange.labels import read_labels
from accord_core.numerics.generalising import agreement_over
from accord_core.pairs.numerics.links import Alignment
from accord_core.pairs.numerics.prealign import prealign
from accord_core.words.numerics.system_scores import GoldPair, counts_by_pair, system_figures
from bench.prealign import HELD_OUT, read_corpus


def main() -> None:
    print_example()
    corpora = Path(os.environ["CORPORA"])
    print_swords((corpora / "swords" / "votes.csv").read_bytes())
    print_edinburgh(corpora / "edinburgh")


def print_example() -> None:
    """Print the figures of Cohn et al. (2008) for |A_S ∩ B_P| = |A_S| = 4, |A_P ∩ B_S| = 4 and |B_S| = 5 (Figure 2)."""
    figures = precision_recall_f1(*(np.array([count], dtype=np.float64) for count in (4, 4, 4, 5)))[:, 0]
    print("Figure 2 of Cohn et al.: precision, recall, F1 " + ", ".join(f"{figure:.3f}" for figure in figures))


def print_swords(votes: bytes) -> None:
    """Print Fleiss' κ with votes UNSURE counted as no vote, for resampled sentences and for resampled candidates."""
    columns = {"item": ("id", "paraphrase"), "annotator": ("vote",)}
    file = read_labels(votes, name="votes.csv", missing=["UNSURE"], cluster="id", columns=columns)
    assert file.clusters is not None
    number = {name: place for place, name in enumerate(dict.fromkeys(file.clusters))}
    for unit, clusters in (("sentences", [number[name] for name in file.clusters]), ("candidates", None)):
        kappa = agreement_over(file.labels, over="questions", clusters=clusters).coefficients["fleiss_kappa"]
        print(
            f"Swords, {len(file.items):,} candidates: Fleiss' κ {kappa.value:.3f} [{kappa.low:.3f}, {kappa.high:.3f}]"
            f" over {unit}"
        )


def print_edinburgh(folder: Path) -> None:
    """Print the precision and recall of the built-in aligner's phrase pairs, as Table 5 does for GIZA++.

    Only the pairs in `bench/edinburgh_held_out.txt` are scored, because the aligner's network has learned from the
    links of the other pairs.
    """
    sentences, gold = read_corpus(folder)
    pairs = [GoldPair(*sentences[key], gold[key]) for key in sentences]
    links = [Alignment.of(found) for found in prealign(list(sentences.values()))]
    set_aside = set(HELD_OUT.read_text(encoding="utf-8").splitlines())
    subcorpora = {
        name or "all": [place for place, key in enumerate(sentences) if key in set_aside and key.startswith(name)]
        for name in ("", "mtc", "novels", "news")
    }
    counts = counts_by_pair(pairs, links, phrases=True, ignore_identical=True)
    for name, places in subcorpora.items():
        figures = system_figures(counts[places], resamples=1000, seed=1)["phrases sure"]
        shown = ", ".join(
            f"{figure} {each['value']:.3f} [{each['low']:.3f}, {each['high']:.3f}]" for figure, each in figures.items()
        )
        print(f"phrase pairs of the aligner against sure phrase pairs, {name}, {len(places)} pairs: {shown}")


if __name__ == "__main__":
    main()
