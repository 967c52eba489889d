"""Scoring systems: the published sample of paraphrase sets, figures of comparable programs, and speed.

    CORPORA=folder python -m bench.evaluation

CORPORA contains `iwcs2013/sample.txt`, the sample of sets that Pham et al. (2013) published. All other data is
simulated.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr
from sklearn.metrics.cluster import contingency_matrix

from accord_core.evaluation.numerics.correlation import spearman
from accord_core.evaluation.numerics.differences import paired_difference
from accord_core.evaluation.numerics.relatedness import relatedness_scores
from accord_core.paraphrase.systems.formats.pham import read_paraphrase_sets
from accord_core.paraphrase.systems.numerics.cluster_intervals import cluster_intervals
from accord_core.paraphrase.systems.numerics.clustering import cluster_figures, entropy, purity, spherical_k_means
from accord_core.paraphrase.systems.numerics.contrast import OutsidePattern, contrast_sentences
from accord_core.paraphrase.systems.numerics.para_nonpara import mean_by_sets, para_nonpara
from accord_core.paraphrase.systems.numerics.paraphrase_sets import sums_of_words
from paraphrase.systems.contrast_files import contrasts_of_file


def main() -> None:
    print_sample(Path(os.environ["CORPORA"]) / "iwcs2013" / "sample.txt")
    print_peers()
    print_coverage()
    print_speed()


def print_sample(path: Path) -> None:
    data = path.read_bytes()
    sets = read_paraphrase_sets(data, name=path.name)
    print(f"{path.name}: {len(sets.sentences)} sentences in {len(sets.keys)} sets, {len(sets.warnings)} oddities")
    for warning in sets.warnings:
        print(f"  {warning}")
    print_p_vs_np(sets.sentences)
    published = {each.text for each in sets.sentences if each.kind != "P"}
    variants, outside = set(), []
    for each in sets.sentences:
        try:
            variants |= {variant.text for variant in contrast_sentences(each.text)} if each.kind == "P" else set()
        except OutsidePattern as reason:
            outside.append(f"{each.text}: {reason}")
    print(
        f"  contrast sentences generated: {len(variants)}; of the {len(published)} published, "
        f"{len(variants & published)} are among"
    )
    print(f"  not generated: {sorted(published - variants)}; P sentences outside the pattern: {outside}")
    print(f"  as a file: {contrasts_of_file(data, name=path.name).variants} added")


def print_p_vs_np(sentences: list) -> None:
    """Compare P against NP for one-hot word vectors with the same figure from plain loops over sentences."""
    words = sorted({word for each in sentences for word in each.text.split()})
    one_hot = dict(zip(words, np.eye(len(words)), strict=True))
    rows = np.stack(sums_of_words([each.text for each in sentences], one_hot.get)[0])

    def cosine(a: int, b: int) -> float:
        return float(rows[a] @ rows[b] / np.sqrt((rows[a] @ rows[a]) * (rows[b] @ rows[b])))

    differences = []
    for n, each in enumerate(sentences):
        same = [m for m, other in enumerate(sentences) if other.set == each.set and m != n]
        para = [cosine(n, m) for m in same if sentences[m].kind == "P"]
        nonpara = [cosine(n, m) for m in same if sentences[m].kind != "P"]
        if each.kind == "P" and para and nonpara:
            differences.append(sum(para) / len(para) - sum(nonpara) / len(nonpara))
    number = {key: n for n, key in enumerate(dict.fromkeys(each.set for each in sentences))}
    comparison = para_nonpara(rows, [each.kind == "P" for each in sentences], [number[each.set] for each in sentences])
    loops = sum(differences) / len(differences)
    print(f"  P against NP of unchanged words: {mean_by_sets(comparison).value:.6f} (in plain loops {loops:.6f})")


def print_peers() -> None:
    generator = np.random.default_rng(1)
    greatest = np.zeros(3)
    for _ in range(200):
        n, q, k = generator.integers(5, 300), generator.integers(2, 20), generator.integers(2, 20)
        classes, clusters = generator.integers(0, q, n), generator.integers(0, k, n)
        classes[:2] = 0, 1
        table = contingency_matrix(classes, clusters).astype(float)
        shares = table / table.sum(axis=0)
        logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
        peer = -(table * logs).sum() / n / np.log(len(table))
        x, y = generator.integers(0, 30, n), generator.normal(size=n)
        apart = [
            purity(classes, clusters) - table.max(axis=0).sum() / n,
            entropy(classes, clusters) - peer,
            (spearman(x, y).value or 0) - spearmanr(x, y).statistic,
        ]
        greatest = np.maximum(greatest, np.abs(apart))
    print("greatest difference in 200 random cases: purity, entropy (scikit-learn's contingency), Spearman (scipy):")
    print("  " + ", ".join(f"{each:.1e}" for each in greatest))


def print_coverage() -> None:
    """Print how often the interval contains the true value, and how often p is below .05 for two equally good
    systems."""
    population, size, times = 200_000, 200, 400
    generator = np.random.default_rng(2)
    truth = generator.normal(size=population)
    systems = truth + 0.8 * generator.normal(size=(2, population))
    rho = spearmanr(truth, systems[0]).statistic
    covered = below = 0
    for _ in range(times):
        items = generator.integers(population, size=size)
        correlation = spearman(truth[items], systems[0, items], resamples=500)
        covered += (correlation.low or 0) <= rho <= (correlation.high or 0)
        difference = paired_difference(truth[items], *systems[:, items], resamples=0, permutations=499)
        below += difference["p"] < 0.05
    print(
        f"{times} collections of {size} items: the 95% interval contains the true correlation in "
        f"{covered / times:.1%}; "
    )
    print(f"  two equally good systems differ with p < .05 in {below / times:.1%}")


def print_speed() -> None:
    generator = np.random.default_rng(3)
    truth = generator.normal(size=5500)
    one, other = truth + generator.normal(size=(2, 5500))
    keys, groups = [f"i{n}" for n in range(5500)], [f"s{n % 9}" for n in range(5500)]
    vectors = generator.normal(size=(2000, 300)) + np.repeat(3 * generator.normal(size=(200, 300)), 10, axis=0)
    classes = np.repeat(np.arange(200), 10)
    print("seconds of CPU time:")
    for what, run in {
        "5,500 items: all, 5 folds, 9 sources, 1,000 resamples": lambda: relatedness_scores(keys, truth, one, groups),
        "difference of two systems, 1,000 resamples, 10,000 permutations": lambda: paired_difference(truth, one, other),
        "2,000 vectors of 300 in 200 clusters, 20 restarts": lambda: spherical_k_means(vectors, 200),
        "intervals of purity and entropy of these vectors": lambda: cluster_intervals(
            cluster_figures(classes, classes // 2), vectors, classes, classes
        ),
    }.items():
        print(f"  {what}: {seconds(run):.2f}", flush=True)


def seconds(run: Callable[[], object]) -> float:
    started = time.process_time()
    run()
    return time.process_time() - started


if __name__ == "__main__":
    main()
