"""Edits per pair while a study's finished alignments teach the built-in aligner.

    CORPORA=folder python -m bench.prealign_learning            test pairs from bench/edinburgh_held_out.txt
    CORPORA=folder python -m bench.prealign_learning --orders 5

The study has all 714 pairs of the Edinburgh corpus. In each random order, 100 pairs of those that were set aside are
the test pairs, which are never finished. The finished pairs are the first of the other pairs of the order. The network
that comes with Accord has learned from the 408 pairs that were not set aside, so the network knows this kind of study.
With --new, the finished pairs are only pairs that were set aside, which the network has never seen. The edits of a test
pair are the cells that differ between the suggested links and all gold links. The intervals are 95% intervals over
resampled test pairs of all orders.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accord_core.pairs.numerics.links import edits
from accord_core.pairs.numerics.prealign import prealign
from bench.prealign import HELD_OUT, RESAMPLES, aer, read_corpus

FINISHED = (0, 25, 50, 100, 200, 400)
TEST = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orders", type=int, default=3, help="the number of random orders")
    parser.add_argument("--new", action="store_true", help="finish only pairs that were set aside")
    arguments = parser.parse_args()
    pairs, gold = read_corpus(Path(os.environ["CORPORA"]) / "edinburgh")
    keys = list(pairs)
    set_aside = {line for line in HELD_OUT.read_text(encoding="utf-8").splitlines() if not line.startswith("#")}
    needed: dict[int, list[NDArray[np.int64]]] = {}
    rates: dict[int, list[float]] = {}
    for seed in range(arguments.orders):
        order = np.random.default_rng(seed).permutation(len(keys)).tolist()
        unseen = [place for place in order if keys[place] in set_aside]
        test = unseen[:TEST]
        others = unseen[TEST:] if arguments.new else [place for place in order if place not in set(test)]
        truth = [gold[keys[place]] for place in test]
        for count in FINISHED:
            if count > len(others):
                continue
            finished = {place: gold[keys[place]] for place in others[:count]}
            found = prealign(list(pairs.values()), finished=finished)
            links = [found[place] for place in test]
            needed.setdefault(count, []).append(
                np.array([edits(suggested, one.links) for suggested, one in zip(links, truth, strict=True)])
            )
            rates.setdefault(count, []).append(aer(truth, links))
    print(f"{TEST} test pairs in each of {arguments.orders} orders of {len(keys)} pairs")
    print(f"{'finished':>8}{'AER':>8}{'edits a pair':>14}{'interval':>16}{'saved':>8}{'interval':>16}")
    for count, by_order in needed.items():
        now, before = np.concatenate(by_order), np.concatenate(needed[0])
        print(
            f"{count:>8}{np.mean(rates[count]):>8.4f}{now.mean():>14.2f}{interval(now):>16}"
            f"{(before - now).mean():>8.2f}{interval(before - now):>16}"
        )


def interval(values: Sequence[float] | NDArray[np.int64]) -> str:
    drawn = np.random.default_rng(1).choice(np.asarray(values), size=(RESAMPLES, len(values)))
    low, high = np.quantile(drawn.mean(axis=1), [0.025, 0.975])
    return f"{low:.2f} to {high:.2f}"


if __name__ == "__main__":
    main()
