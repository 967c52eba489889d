"""Learns the weights of the built-in aligner's network from pairs of the Edinburgh corpus.

    CORPORA=folder python -m bench.prealign_weights            the AER by cross-validation, and by source
    CORPORA=folder python -m bench.prealign_weights --curve    the same AER if the network learns from fewer pairs
    CORPORA=folder python -m bench.prealign_weights --write    write accord_core/pairs/numerics/link_network.json
    CORPORA=folder python -m bench.prealign_weights --files .  write train.tsv, train.pharaoh, test.tsv and test.pharaoh

The benchmark reads only the links of the 408 pairs that `bench/edinburgh_held_out.txt` does not list. The hidden Markov
model is trained on the sentences of all 714 pairs. See `accord_core/pairs/numerics/weight_training.py`.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from zlib import crc32

from accord_core.pairs.formats.corpus import SentencePair
from accord_core.pairs.formats.pharaoh import write_pharaoh
from accord_core.pairs.numerics.hidden_markov import Pair
from accord_core.pairs.numerics.link_network import FILE
from accord_core.pairs.numerics.links import Alignment, Link
from accord_core.pairs.numerics.prealign import links_of
from accord_core.pairs.numerics.weight_training import (
    FOLDS,
    Example,
    fold_networks,
    trained_network,
    training_examples,
)
from bench.prealign import HELD_OUT, aer, read_corpus

CURVE = (0.125, 0.25, 0.5, 1.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the weights of all tuning pairs")
    parser.add_argument("--curve", action="store_true", help="cross-validate networks that learn from fewer pairs")
    parser.add_argument("--files", type=Path, help="folder in which to write the pairs for accord align train")
    arguments = parser.parse_args()
    pairs, gold = read_corpus(Path(os.environ["CORPORA"]) / "edinburgh")
    set_aside = {line for line in HELD_OUT.read_text(encoding="utf-8").splitlines() if not line.startswith("#")}
    tuning = [key for key in pairs if key not in set_aside]
    if arguments.files:
        write_files(arguments.files / "train", tuning, pairs, gold)
        write_files(arguments.files / "test", [key for key in pairs if key in set_aside], pairs, gold)
        return
    examples = training_examples(pairs, {key: gold[key] for key in tuning})
    if arguments.write:
        FILE.write_text(trained_network(examples).as_json(), encoding="utf-8")
        return
    folds = [str(crc32(key.encode()) % FOLDS) for key in tuning]
    if arguments.curve:
        for share in CURVE:
            print_cross(f"folds, {share:.0%} of the other pairs", folds, tuning, gold, examples, share)
        return
    print_cross("folds", folds, tuning, gold, examples)
    print_cross("sources", [key.split("-")[0] for key in tuning], tuning, gold, examples)


def write_files(path: Path, keys: Sequence[str], pairs: Mapping[str, Pair], gold: Mapping[str, Alignment]) -> None:
    """Write the sentence pairs as PATH.tsv, and their sure and possible links as PATH.pharaoh."""
    sentences = ("\t".join(" ".join(side) for side in pairs[key]) + "\n" for key in keys)
    path.with_suffix(".tsv").write_text("".join(sentences), encoding="utf-8")
    links = write_pharaoh((SentencePair(None, None, None, gold[key]) for key in keys), possible="?")
    path.with_suffix(".pharaoh").write_text("".join(links), encoding="utf-8")


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
    learned_from = [several if _place(key) < share else [] for key, several in zip(keys, examples, strict=True)]
    for rows, network in fold_networks(learned_from, groups):
        for row in rows:
            example = examples[row][0]
            links[keys[row]] = links_of(network.probability(example.features), example.equal)
        rate = aer([gold[keys[row]] for row in rows], [links[keys[row]] for row in rows])
        print(f"{name}: {groups[rows[0]]}, {len(rows)} pairs: AER {rate:.4f}", flush=True)
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
