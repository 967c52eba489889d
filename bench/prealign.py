"""The built-in aligner on pairs of the Edinburgh corpus that were set aside before it was tuned, and its speed.

    CORPORA=folder python -m bench.prealign            the pairs in bench/edinburgh_held_out.txt
    CORPORA=folder python -m bench.prealign --tuning   the other pairs

CORPORA contains `edinburgh/gold.train.sure.json` and `gold.train.sure+poss.json`. The aligner never sees a link. As in
a study, it is trained on the sentences of the pairs that it aligns: on all 714 pairs, on the pairs set aside, and on
each pair alone. The benchmark compares it with three baselines that link identical words, ignoring case, each stronger
than the previous one: all occurrences, as in the release's `train.identical-words.wa`; the nth occurrence to the nth;
and only words in longest common runs.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np

from accord_core.pairs.formats.corpus import SentencePair
from accord_core.pairs.formats.jacana import read_jacana
from accord_core.pairs.numerics.hidden_markov import Pair
from accord_core.pairs.numerics.links import Alignment, Link, edits, identical_links, word_scores
from accord_core.pairs.numerics.prealign import prealign

HELD_OUT = Path(__file__).with_name("edinburgh_held_out.txt")
RESAMPLES = 2_000
LOWER, SECONDS = 0.06, 10.0

Links = Sequence[frozenset[Link]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tuning", action="store_true", help="score the pairs that the aligner was tuned on")
    tuning = parser.parse_args().tuning
    pairs, gold = read_corpus(Path(os.environ["CORPORA"]) / "edinburgh")
    set_aside = {line for line in HELD_OUT.read_text(encoding="utf-8").splitlines() if not line.startswith("#")}
    assert set_aside <= gold.keys()
    chosen = [key for key in gold if (key in set_aside) != tuning]
    print(f"{len(chosen)} pairs of {len(gold)}, {'tuned on' if tuning else 'set aside before tuning'}")

    every = dict(zip(pairs, prealign(list(pairs.values())), strict=True))
    methods: dict[str, Links] = {
        "nothing": [frozenset()] * len(chosen),
        "identical words": [identical_links(*pairs[key]) for key in chosen],
        "  the nth to the nth": [nth_to_nth(*pairs[key]) for key in chosen],
        "  in common runs": [common_runs(*pairs[key]) for key in chosen],
        f"aligner, all {len(gold)} pairs": [every[key] for key in chosen],
        f"aligner, the {len(chosen)} pairs": prealign([pairs[key] for key in chosen]),
        "aligner, each pair alone": [prealign([pairs[key]])[0] for key in chosen],
    }
    truth = [gold[key] for key in chosen]
    print(f"{'':<26}{'AER':>7}{'precision':>11}{'recall':>8}{'edits to all links':>20}{'to sure links':>15}  a pair")
    for name, links in methods.items():
        print_scores(name, truth, links)

    _, *baselines, aligner, _, _ = methods
    for name in baselines:
        print_difference(name.strip(), truth, methods[name], methods[aligner])
    print("AER of " + ", ".join(name.strip() for name in (*baselines, aligner)))
    for corpus in ("mtc", "novels", "news"):
        rows = [row for row, key in enumerate(chosen) if key.startswith(corpus)]
        rates = [
            aer([truth[row] for row in rows], [methods[name][row] for row in rows]) for name in (*baselines, aligner)
        ]
        print(f"  {corpus}, {len(rows)} pairs: " + ", ".join(f"{rate:.3f}" for rate in rates))
    for count in (1_000, 10_000):
        print_speed(list(pairs.values()), count)


def read_corpus(folder: Path) -> tuple[Mapping[str, Pair], dict[str, Alignment]]:
    """Return sentences and gold links by ID. One file has the sure links, the other has all links as if they were
    sure."""

    def read(name: str) -> Mapping[str, SentencePair]:
        return {str(pair.id): pair for pair in read_jacana((folder / name).read_bytes(), name=name).pairs}

    sure, every = read("gold.train.sure.json"), read("gold.train.sure+poss.json")
    sentences: dict[str, Pair] = {key: (pair.source or (), pair.target or ()) for key, pair in sure.items()}
    gold = {
        key: Alignment(pair.alignment.sure, every[key].alignment.sure - pair.alignment.sure)
        for key, pair in sure.items()
    }
    return sentences, gold


def print_scores(name: str, truth: Sequence[Alignment], links: Links) -> None:
    scores = word_scores((gold, Alignment(predicted)) for gold, predicted in zip(truth, links, strict=True))
    precision, recall = (scores.crossed[figure] for figure in ("precision", "recall"))
    to_all = np.mean([edits(predicted, gold.links) for gold, predicted in zip(truth, links, strict=True)])
    to_sure = np.mean([edits(predicted, gold.sure) for gold, predicted in zip(truth, links, strict=True)])
    shown = "–" if precision is None else f"{precision:.3f}"
    print(f"{name:<26}{scores.aer:>7.4f}{shown:>11}{recall:>8.3f}{to_all:>20.2f}{to_sure:>15.2f}")


def nth_to_nth(source: Sequence[str], target: Sequence[str]) -> frozenset[Link]:
    """Link the first occurrence of a word to the first one on the other side, the second to the second, and so on."""
    places: dict[str, list[int]] = {}
    for i, word in enumerate(source):
        places.setdefault(word.casefold(), []).append(i)
    waiting = {word: iter(positions) for word, positions in places.items()}
    links = ((next(waiting.get(word.casefold(), iter(())), None), j) for j, word in enumerate(target))
    return frozenset((i, j) for i, j in links if i is not None)


def common_runs(source: Sequence[str], target: Sequence[str]) -> frozenset[Link]:
    """Link the longest common run of words, then the longest run on either side of it, and so on, without crossings."""
    a, b = ([word.casefold() for word in side] for side in (source, target))
    blocks = SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
    return frozenset((block.a + k, block.b + k) for block in blocks for k in range(block.size))


def print_difference(name: str, truth: Sequence[Alignment], identical: Links, aligner: Links) -> None:
    """Print the difference in AER, with its interval over resampled pairs."""
    generator = np.random.default_rng(1)
    parts = np.array(
        [error_parts(gold, *predicted) for gold, *predicted in zip(truth, identical, aligner, strict=True)]
    )
    weights = generator.multinomial(len(truth), np.full(len(truth), 1 / len(truth)), size=RESAMPLES)
    hits, totals = np.moveaxis(np.tensordot(weights, parts, axes=1), 2, 0)
    low, high = np.quantile(hits[:, 1] / totals[:, 1] - hits[:, 0] / totals[:, 0], [0.025, 0.975])
    lower = aer(truth, identical) - aer(truth, aligner)
    target = f" (target {LOWER} at least)" if name == "identical words" else ""
    print(f"AER below {name}: {lower:.3f}, 95 % interval {low:.3f} to {high:.3f}{target}")


def error_parts(gold: Alignment, *systems: frozenset[Link]) -> list[tuple[int, int]]:
    """Return |A ∩ S| + |A ∩ P| and |A| + |S| of each pair, whose sums give the AER."""
    return [(len(a & gold.sure) + len(a & gold.links), len(a) + len(gold.sure)) for a in systems]


def aer(truth: Sequence[Alignment], links: Links) -> float:
    return word_scores((gold, Alignment(predicted)) for gold, predicted in zip(truth, links, strict=True)).aer


def print_speed(pairs: Sequence[Pair], count: int) -> None:
    """Return the corpus's pairs, repeated to `count`. The repetitions contain no new words, which saves some time."""
    repeated = [pairs[place % len(pairs)] for place in range(count)]
    started, processor = time.perf_counter(), time.process_time()
    prealign(repeated)
    seconds, computing = time.perf_counter() - started, time.process_time() - processor
    target = f" (target {SECONDS:.0f} s)" if count == 1_000 else ""
    print(f"{count:,} pairs: {seconds:.2f} s elapsed, {computing:.2f} s of CPU time{target}")


if __name__ == "__main__":
    main()
