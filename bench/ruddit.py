"""Real judgements of 6,000 comments: the published scores, and their split-half reliability.

    CORPORA=folder python -m bench.ruddit

CORPORA contains `ruddit/annotations.csv` and `ruddit/scores.csv` of the Ruddit release (Hada et al., 2021). Rows are
used unchanged: some name one item as best and worst, and some repeat the gold comment.
"""

from __future__ import annotations

import csv
import os
import time
from pathlib import Path

import numpy as np

from accord_core.bws.numerics.reliability import judgements_needed, reliability_by_judgements, split_half_reliability
from accord_core.bws.numerics.scoring import (
    Judgements,
    consistent,
    counting_scores,
    counting_standard_errors,
    tuple_index,
)

PUBLISHED = {"judgements": "published .847 ± .003, Pearson .876 ± .002", "tuples": "no published figure"}


def main() -> None:
    folder = Path(os.environ["CORPORA"]) / "ruddit"
    names, judgements = read_judgements(folder / "annotations.csv")
    print_scores(names, judgements, folder / "scores.csv")
    for unit, published in PUBLISHED.items():
        started = time.perf_counter()
        result = split_half_reliability(judgements, splits=100, unit=unit)
        seconds = time.perf_counter() - started
        print(
            f"100 splits of {unit}: Spearman {result.spearman_mean:.4f} ± {result.spearman_sd:.4f}, Pearson "
            f"{result.pearson_mean:.4f} ± {result.pearson_sd:.4f} in {seconds:.2f} s ({published})"
        )
    needed = judgements_needed(result.spearman_mean, 0.95, len(judgements))
    print(f"forecast: {needed:,} judgements needed for .95, of which exist {len(judgements):,}")
    for result in reliability_by_judgements(judgements, splits=100):
        print(
            f"{result.judgements_per_tuple:.0f} judgements per tuple: "
            f"{result.spearman_mean:.3f} ({result.tuples:,} tuples)"
        )


def read_judgements(path: Path) -> tuple[list[str], Judgements]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = np.array(list(csv.reader(file))[1:])
    names, cells = np.unique(rows, return_inverse=True)
    cells = cells.reshape(rows.shape)
    return names.tolist(), Judgements(cells[:, :-2], cells[:, -2], cells[:, -1], len(names))


def print_scores(names: list[str], judgements: Judgements, path: Path) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        published = {row["comment_id"]: row["offensiveness_score"] for row in csv.DictReader(file)}
    started = time.perf_counter()
    scores = counting_scores(judgements).score
    seconds = time.perf_counter() - started
    ours = {name: f"{score:.3f}" for name, score in zip(names, scores, strict=True)}
    equal = sum(float(ours[name]) == float(score) for name, score in published.items())
    print(
        f"{len(judgements):,} judgements of {tuple_index(judgements).max() + 1:,} tuples, "
        f"{(~consistent(judgements)).sum()} with the same item as best and worst"
    )
    print(f"scores equal to the published ones at three decimals: {equal:,} of {len(published):,} ({seconds:.3f} s)")
    errors = counting_standard_errors(judgements)
    print(f"standard error of a score, by tuples: median {np.nanmedian(errors):.3f}")


if __name__ == "__main__":
    main()
