"""Learns the weights of the built-in aligner's network from pairs of the Edinburgh corpus.

    CORPORA=folder python -m bench.prealign_weights            the AER by cross-validation, and by source
    CORPORA=folder python -m bench.prealign_weights --curve    the same AER if the network learns from fewer pairs
    CORPORA=folder python -m bench.prealign_weights --write    write alignment_ui/pairs/numerics/link_network.json

The benchmark reads only the links of the 408 pairs that `bench/edinburgh_held_out.txt` does not list. The network
learns from each pair with a hidden Markov model that was trained on the sentences of all 714 pairs. It also learns from
one third of the pairs with models that were trained on studies of 50 pairs, and from another third with models that
were trained on each pair alone. In this way, the network suits studies of any size. The target is 1 for sure links, 1/2
for possible links and 0 for other cells. Cells that the model finds impossible are sampled and weighted. The network is
the mean of several small networks with different random starts.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from alignment_ui.pairs.numerics.cells import Cells
from alignment_ui.pairs.numerics.hidden_markov import Pair, train
from alignment_ui.pairs.numerics.link_network import FILE, Network
from alignment_ui.pairs.numerics.links import Alignment, Link
from alignment_ui.pairs.numerics.network_training import Examples, averaged, fitted, link_targets, new_network, tuned
from alignment_ui.pairs.numerics.prealign import links_of
from bench.prealign import HELD_OUT, aer, read_corpus

HIDDEN, MEMBERS, FOLDS = 16, 4, 5
CURVE = (0.125, 0.25, 0.5, 1.0)
SMALL_STUDY = 50
EASY_LOG_ODDS, EASY_SHARE = -4.0, 0.12
"""Cells whose log odds (feature 1) are lower are easy. This share of the easy cells without a link is used."""


class Example(NamedTuple):
    """The cells of one pair, from a model that was trained on one selection of sentences."""

    features: NDArray[np.float32]
    target: NDArray[np.float64]
    equal: NDArray[np.bool_]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the weights of all tuning pairs")
    parser.add_argument("--curve", action="store_true", help="cross-validate networks that learn from fewer pairs")
    arguments = parser.parse_args()
    pairs, gold = read_corpus(Path(os.environ["CORPORA"]) / "edinburgh")
    set_aside = {line for line in HELD_OUT.read_text(encoding="utf-8").splitlines() if not line.startswith("#")}
    tuning = [key for key in pairs if key not in set_aside]
    examples = all_examples(pairs, {key: gold[key] for key in tuning})
    if arguments.write:
        FILE.write_text(learned([example for several in examples for example in several]).as_json(), encoding="utf-8")
        return
    folds = [str(crc32(key.encode()) % FOLDS) for key in tuning]
    if arguments.curve:
        for share in CURVE:
            print_cross(f"folds, {share:.0%} of the other pairs", folds, tuning, gold, examples, share)
        return
    print_cross("folds", folds, tuning, gold, examples)
    print_cross("sources", [key.split("-")[0] for key in tuning], tuning, gold, examples)


def all_examples(pairs: Mapping[str, Pair], gold: Mapping[str, Alignment]) -> list[list[Example]]:
    """Return the examples of each pair in `gold`. The first example of each pair is from the model of all pairs."""
    thirds: list[list[str]] = [[], [], []]
    for key in sorted(gold, key=lambda key: crc32(f"study {key}".encode())):
        thirds[crc32(f"third {key}".encode()) % 3].append(key)
    small = [thirds[0][start : start + SMALL_STUDY] for start in range(0, len(thirds[0]), SMALL_STUDY)]
    found: dict[str, list[Example]] = {key: [] for key in gold}
    for study in (list(pairs), *small, *([key] for key in thirds[1])):
        cells = Cells([pairs[key] for key in study])
        for place, posterior in train([pairs[key] for key in study], lambda share: None):
            if (key := study[place]) in gold:
                features = cells.features(place, posterior)
                found[key].append(Example(features, link_targets(gold[key], features.shape[:2]), cells.equal(place)))
    return list(found.values())


def learned(examples: Sequence[Example]) -> Network:
    """Return the network that is trained on the examples."""
    generator = np.random.default_rng(1)
    features = np.concatenate([example.features.reshape(-1, example.features.shape[-1]) for example in examples])
    linked = np.concatenate([example.target.ravel() for example in examples])
    easy = (features[:, 1] < EASY_LOG_ODDS) & (linked == 0)
    used = ~easy | (generator.random(len(easy)) < EASY_SHARE)
    chosen = Examples(features[used], linked[used], np.where(easy, 1 / EASY_SHARE, 1.0)[used])
    return averaged(
        [tuned(fitted(new_network(chosen.features, HIDDEN, seed), chosen), chosen) for seed in range(MEMBERS)]
    )


def print_cross(
    name: str,
    groups: Sequence[str],
    keys: Sequence[str],
    gold: Mapping[str, Alignment],
    examples: Sequence[Sequence[Example]],
    share: float = 1.0,
) -> None:
    """Print the AER of pairs in each group, whose network was trained on a `share` of the pairs in other groups."""
    links: dict[str, frozenset[Link]] = {}
    for group in sorted(set(groups)):
        rows = [row for row, other in enumerate(groups) if other == group]
        others = [row for row, other in enumerate(groups) if other != group and _place(keys[row]) < share]
        network = learned([example for row in others for example in examples[row]])
        for row in rows:
            example = examples[row][0]
            links[keys[row]] = links_of(network.probability(example.features), example.equal)
        rate = aer([gold[keys[row]] for row in rows], [links[keys[row]] for row in rows])
        print(f"{name}: {group}, {len(rows)} pairs: AER {rate:.4f}", flush=True)
    rate = aer([gold[key] for key in keys], [links[key] for key in keys])
    print(f"{name}: all {len(keys)} pairs: AER {rate:.4f}", flush=True)
    print_missed([gold[key] for key in keys], [links[key] for key in keys])


def print_missed(truth: Sequence[Alignment], links: Sequence[frozenset[Link]]) -> None:
    """Print how many sure links are missing, separately for links between two words without other links."""
    single: list[bool] = []
    several: list[bool] = []
    for alignment, found in zip(truth, links, strict=True):
        sources, targets = (Counter(link[side] for link in alignment.links) for side in (0, 1))
        for link in alignment.sure:
            alone = sources[link[0]] == targets[link[1]] == 1
            (single if alone else several).append(link not in found)
    print(
        f"  missing: {sum(single):,} of {len(single):,} sure links between words without other links, "
        f"{sum(several):,} of {len(several):,} sure links of words with several links",
        flush=True,
    )


def _place(key: str) -> float:
    """Return a number from 0 to 1 that selects the pairs of smaller training sets."""
    return crc32(f"curve {key}".encode()) / 2**32


if __name__ == "__main__":
    main()
