"""Pairs from a million sentences: time, peak memory, and the overlap of the sampled pairs compared with the request.

    python -m bench.sampling                          1,000,000 sentences with word frequencies as in English
    CORPORA=folder python -m bench.sampling           also those of the Edinburgh paraphrase corpus

Every strategy runs in a separate process, so that its peak memory is measured separately. Times include reading the
file and writing the items. CORPORA contains `edinburgh/gold.train.sure.json`.
"""

from __future__ import annotations

import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from accord_core.bws.sampling.numerics.partners import Partners, Window
from accord_core.evaluation.numerics.overlap import word_sets, words

SENTENCES = 1_000_000
VOCABULARY = 200_000
SOURCES = ("news", "reviews", "captions", "forum")
MINUTES, GIGABYTES = 5, 2
TOPICS, OF_TOPIC = 2_000, 0.3
LOOPS = 100
RUNS = {
    "overlap, 500 pairs per source": ["--strategy", "overlap", "--pairs", "500"],
    "overlap, 5,000 pairs per source": ["--strategy", "overlap", "--pairs", "5000"],
    "buckets by IDF-weighted Dice": [
        "--strategy",
        "buckets",
        "--measure",
        "idf-dice",
        "--pairs",
        "1000",
        "--examine",
        "1000000",
    ],
    "random": ["--strategy", "random", "--pairs", "1000"],
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sentences.csv"
        write_sentences(path, SENTENCES)
        print(f"{SENTENCES:,} sentences, {path.stat().st_size / 2**20:.0f} MiB")
        for name, options in RUNS.items():
            run(name, path, options, aims=True)
        beside_loops(path)
    if "CORPORA" in os.environ:
        edinburgh(Path(os.environ["CORPORA"]) / "edinburgh")


def beside_loops(path: Path) -> None:
    """Compare the first partners of some sentences of one source with those of the paper's loops over all sentences."""
    with path.open(encoding="utf-8", newline="") as stream:
        texts = [row["text"] for row in csv.DictReader(stream) if row["source"] == SOURCES[0]]
    window, free = Window(), np.ones(len(texts), bool)
    started = time.process_time()
    partners = Partners(word_sets(texts), window)
    indexed = time.process_time()
    partners_of_rows = [partners.first(row, free) for row in range(LOOPS)]
    ours = time.process_time() - indexed
    sets = [(set(words(text)), len(words(text))) for text in texts]
    looped = time.process_time()
    expected = [first_by_loop(sets, row, window) for row in range(LOOPS)]
    theirs = time.process_time() - looped
    assert partners_of_rows == expected
    print(
        f"\nthe first partners of {LOOPS} among {len(texts):,} sentences, "
        f"{partners_of_rows.count(None)} of which have none: "
        f"{1e3 * ours / LOOPS:.1f} ms each (the index once {indexed - started:.1f} s), by loops over sets "
        f"{1e3 * theirs / LOOPS:.0f} ms each; the same partners"
    )


def first_by_loop(sets: list[tuple[set[str], int]], row: int, window: Window) -> int | None:
    one, length = sets[row]
    for other in (*range(row + 1, len(sets)), *range(row)):
        two, its_length = sets[other]
        if window.low <= len(one & two) / len(one) < window.high and (
            abs(length - its_length) <= window.length_difference * max(length, its_length)
        ):
            return other
    return None


def edinburgh(corpus: Path) -> None:
    pairs_of_corpus = json.loads((corpus / "gold.train.sure.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        sentences, pairs = Path(folder) / "sentences.csv", Path(folder) / "pairs.csv"
        with sentences.open("w", newline="") as alone, pairs.open("w", newline="") as both:
            one, two = csv.writer(alone), csv.writer(both)
            one.writerow(["id", "text", "source"])
            two.writerow(["id", "sentence1", "sentence2", "source"])
            for row in pairs_of_corpus:
                source = row["id"].partition(":")[0].partition("-")[0]
                one.writerows([[f"{row['id']}-{side}", row[side], source] for side in ("source", "target")])
                two.writerow([row["id"], row["source"], row["target"], source])
        run("Edinburgh sentences by overlap", sentences, ["--strategy", "overlap", "--pairs", "100"])
        run(
            "Edinburgh paraphrases, 20 even buckets",
            pairs,
            "--strategy buckets --buckets 20 --base 1 --pairs 100".split(),
        )


def run(name: str, path: Path, options: list[str], *, aims: bool = False) -> None:
    """Run `accord sample pairs` in a separate process. Return its report, elapsed seconds and peak memory."""
    items = path.with_name("items.csv")
    command = ["sample", "pairs", str(path), *options, "-o", str(items), "--report", str(items.with_suffix(".json"))]
    program = (
        "import resource, sys; from annotate.commands.main import main; main(sys.argv[1:], standalone_mode=False);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    started = time.perf_counter()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-c", program, *command], check=True, capture_output=True, text=True)
    seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    computing = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    # A process inherits its parent's peak memory, which small runs never exceed.
    memory = f", at most {int(done.stdout) / 2**20:.2f} GiB (aim {60 * MINUTES} s, {GIGABYTES} GiB)" if aims else ""
    print(f"\n{name}: {seconds:.1f} s elapsed, {computing:.1f} s CPU time{memory}")
    print(*(line for line in done.stderr.splitlines() if "to choose from" not in line), sep="\n")


def write_sentences(path: Path, count: int) -> None:
    """Return sentences of 4 to 30 words (mean 14), drawn by Zipf's law, with three in ten words from the topic."""
    generator = np.random.default_rng(20)
    lengths = np.clip(generator.poisson(14, count), 4, 30)
    share = 1 / np.arange(1, VOCABULARY + 1)
    words = generator.choice(VOCABULARY, lengths.sum(), p=share / share.sum())
    topics = np.repeat(generator.integers(TOPICS, size=count), lengths)
    of_topic = generator.random(len(words)) < OF_TOPIC
    words = np.where(of_topic, 300 + topics * 90 + generator.integers(90, size=len(words)), words)
    names = [f"w{number}" for number in range(VOCABULARY)]
    with path.open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["id", "text", "source"])
        start = 0
        for number, length in enumerate(lengths.tolist()):
            text = " ".join(names[word] for word in words[start : start + length].tolist())
            rows.writerow([f"s{number}", text, SOURCES[number % len(SOURCES)]])
            start += length


if __name__ == "__main__":
    main()
