"""Tests of the agreement on alignments: the chance model compared with enumeration and a GLM, C by hand, intervals, and
undefined figures.
"""

import itertools
import random
from functools import partial
from math import comb, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.pairs.numerics.links import Alignment, identical_links
from accord_core.words.numerics.agreement import AlignedPair, phrase_agreement, word_agreement
from accord_core.words.numerics.chance import (
    LEAST,
    atoms,
    edit_fit,
    overlap,
    sampled_link_overlap,
    sampled_phrase_overlap,
)
from accord_core.words.numerics.phrases import atomic_phrase_pairs, without_identical

words = partial(word_agreement, seed=1, resamples=0)
phrases = partial(phrase_agreement, seed=1, resamples=0)


def pair_of(first, second, prealignment=None, size=4):
    source, target = [f"s{i}" for i in range(size)], [f"t{j}" for j in range(size)]
    return AlignedPair(source, target, first, second, prealignment)


def changed(links, n, m, chance, draw):
    return frozenset(
        cell for cell in itertools.product(range(n), range(m)) if (cell in links) != (draw.random() < chance)
    )


def simulated(pairs, draw, *, chances=(0.08, 0.05), vocabulary=12):
    """Return pairs of 6 to 14 tokens with some identical words and links near the diagonal, which two annotators change
    at random.
    """
    for _ in range(pairs):
        n, m = draw.randint(6, 14), draw.randint(6, 14)
        links = frozenset((i, min(i, m - 1)) for i in range(n) if draw.random() < 0.8)
        source, target = ([f"w{draw.randrange(vocabulary)}" for _ in range(size)] for size in (n, m))
        first, second = (Alignment(changed(links, n, m, chance, draw)) for chance in chances)
        yield AlignedPair(source, target, first, second, links)


# The chance model


def test_overlap_is_over_the_smaller_set():
    both, a, b = np.array([[2, 0, 0, 0, 3], [4, 2, 0, 0, 3], [2, 3, 0, 5, 3]])
    assert overlap(both, a, b).tolist() == [1.0, 0.0, 1.0, 0.0, 1.0]


def test_the_edit_line_is_that_of_a_binomial_regression_with_identity_link():
    """The expected result comes from Fisher scoring: iterated least squares that weight each share of cells by its
    inverse variance.
    """
    draw = np.random.default_rng(3)
    sizes = draw.integers(8, 40, size=(300, 2))
    length, cells = sizes.sum(axis=1), sizes.prod(axis=1)
    edited = draw.binomial(cells, 0.005 + 0.0002 * length)
    design, chance = np.stack([np.ones(300), length], axis=1), np.full(300, 0.01)
    for _ in range(50):
        weight = np.sqrt(cells / (chance * (1 - chance)))
        line = np.linalg.lstsq(weight[:, None] * design, weight * edited / cells)[0]
        chance = design @ line
    fit = edit_fit(sizes.tolist(), edited.tolist())
    assert [fit.intercept, fit.slope] == pytest.approx(line.tolist(), rel=1e-5)


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9), st.floats(0, 1)), min_size=1, max_size=6))
def test_no_line_that_stays_a_probability_is_likelier(matrices):
    sizes = [(n, m) for n, m, _ in matrices]
    edited = [round(share * n * m) for n, m, share in matrices]
    fit = edit_fit(sizes, edited)

    def likelihood(probability):
        chances = [probability(n + m) for n, m in sizes]
        return sum(k * log(p) + (n * m - k) * log(1 - p) for k, (n, m), p in zip(edited, sizes, chances, strict=True))

    shortest, longest = min(map(sum, sizes)), max(map(sum, sizes))
    best = likelihood(lambda length: min(max(fit.intercept + fit.slope * length, LEAST), 1 - LEAST))
    grid = [LEAST, 0.01, *np.linspace(0.1, 0.9, 9), 0.99, 1 - LEAST]
    for low, high in itertools.product(grid, grid):
        far = (high - low) / max(longest - shortest, 1)
        if shortest < longest or low == high:
            assert best >= likelihood(lambda length, low=low, far=far: low + far * (length - shortest)) - 1e-4


def test_the_chance_of_an_edit_never_reaches_0_or_1():
    assert edit_fit([(4, 4), (5, 7)], [0, 0]).probability(4, 4) == LEAST
    assert edit_fit([(4, 4), (5, 7)], [16, 35]).probability(5, 7) == pytest.approx(1 - LEAST)
    assert edit_fit([(10, 10), (20, 20)], [1, 40]).probability(1, 1) == LEAST
    assert edit_fit([(4, 4), (2, 6)], [1, 1]).probability(4, 4) == pytest.approx(2 / 28), "one length: no slope"


def test_edits_without_cells_are_refused():
    for sizes, edited in (([], []), ([(2, 2)], [5])):
        with pytest.raises(ValueError, match="at least one matrix is required"):
            edit_fit(sizes, edited)


@given(st.integers(1, 9), st.integers(1, 9), st.floats(0.02, 0.6), st.integers(0, 999))
def test_atoms_of_many_matrices_are_those_of_each(n, m, density, seed):
    matrices = np.random.default_rng(seed).random((7, n, m)) < density
    found = [set() for _ in matrices]
    for which, first, last, low, high in zip(*(part.tolist() for part in atoms(matrices)), strict=True):
        found[which].add((first, last + 1, low, high + 1))
    for mine, matrix in zip(found, matrices, strict=True):
        links = set(zip(*(index.tolist() for index in np.nonzero(matrix)), strict=True))
        assert sorted(mine) == atomic_phrase_pairs(links, n, m)


@pytest.mark.parametrize("ignore_identical", [True, False])
@pytest.mark.parametrize("sampled", [sampled_link_overlap, sampled_phrase_overlap])
def test_the_sampled_mean_is_that_of_all_alignments_by_their_probability(sampled, ignore_identical):
    """For 2 × 3 words, there are 64 alignments and 4,096 pairs of alignments, each weighted by its probability."""
    source, target = ["the", "cat"], ["The", "dog", "cat"]
    cells = list(itertools.product(range(2), range(3)))
    before, chances = frozenset({(0, 0), (1, 1)}), (0.3, 0.2)
    identical = identical_links(source, target)
    alignments = []
    for chosen in itertools.product([False, True], repeat=6):
        links = frozenset(itertools.compress(cells, chosen))
        if sampled is sampled_link_overlap:
            compared = links - identical if ignore_identical else links
        else:
            found = atomic_phrase_pairs(links, 2, 3)
            compared = set(without_identical(found, source, target) if ignore_identical else found)
        alignments.append((len(links ^ before), compared))
    expected = variance = 0.0
    for (k, a), (h, b) in itertools.product(alignments, alignments):
        (p, q) = chances
        probability = p**k * (1 - p) ** (6 - k) * q**h * (1 - q) ** (6 - h)
        least = min(len(a), len(b))
        share = len(a & b) / least if least else float(len(a) == len(b))
        expected += probability * share
        variance += probability * share**2
    variance -= expected**2
    mean = sampled(
        before,
        source,
        target,
        chances,
        samples=20_000,
        generator=np.random.default_rng(5),
        ignore_identical=ignore_identical,
    )
    assert abs(mean - expected) < 4 * (variance / 20_000) ** 0.5


@pytest.mark.nightly
@pytest.mark.parametrize("agreement", [words, phrases])
def test_annotators_who_differ_only_by_chance_agree_no_better_than_chance(agreement):
    """The mean over collections differs from 0 by less than four standard errors, which are small enough for a
    meaningful test.
    """
    found = []
    for seed in range(12):
        row = agreement(list(simulated(40, random.Random(seed))), seed=seed, samples=20)
        found.append([row[kind]["c"]["value"] for kind in ("sure", "possible")])
    mean, error = np.mean(found, axis=0), np.std(found, axis=0, ddof=1) / len(found) ** 0.5
    assert (error < 0.02).all()
    assert (np.abs(mean) < 4 * error).all()


def test_annotators_who_make_the_same_changes_agree_better_than_chance():
    same = [
        AlignedPair(pair.source, pair.target, pair.first, pair.first, pair.prealignment)
        for pair in simulated(30, random.Random(1))
    ]
    for agreement in (words, phrases):
        c = agreement(same)["sure"]["c"]
        assert c["chance"] < 0.9
        assert c["value"] == pytest.approx(1)


# The figures


def test_the_figures_of_words_by_hand():
    first = Alignment.of({(0, 0), (1, 1), (2, 2)}, {(3, 3)})
    second = Alignment.of({(0, 0), (1, 1)}, {(2, 2), (3, 2)})
    row = words([pair_of(first, second)])
    assert {name: figure["value"] for name, figure in row["possible"].items() if name != "c"} == {
        "precision": 0.75,
        "recall": 0.75,
        "f1": 0.75,
    }
    assert [row["sure"][name]["value"] for name in ("precision", "recall", "f1")] == pytest.approx([2 / 3, 1, 0.8])
    assert [row["och_ney"][name]["value"] for name in ("precision", "recall", "f1")] == [1, 1, 1]
    assert (row["pairs"], row["without_prealignment"]) == (1, 1)


def test_c_is_formed_from_the_means_over_pairs():
    """The annotators agree fully on one pair and half on the other pair. The chance agreement comes from the model's
    samples.
    """
    links = frozenset({(0, 0), (1, 1)})
    same, other = Alignment(links), Alignment.of({(0, 0), (1, 2)})
    row = words([pair_of(same, same, links), pair_of(same, other, links)])
    c = row["sure"]["c"]
    assert c["observed"] == 0.75
    assert c["value"] == pytest.approx((0.75 - c["chance"]) / (1 - c["chance"]))


def test_links_between_identical_words_count_only_if_asked():
    source, target = ["The", "cat"], ["the", "dog"]
    pair = AlignedPair(source, target, Alignment.of({(0, 0), (1, 1)}), Alignment.of({(0, 0)}, {(1, 1)}), None)
    assert words([pair])["sure"]["precision"]["value"] == 0
    assert words([pair], ignore_identical=False)["sure"]["precision"]["value"] == 0.5
    assert phrases([pair], ignore_identical=False)["sure"]["precision"]["value"] == 0.5


def test_a_change_of_kind_edits_the_sure_matrix_only():
    links = frozenset({(0, 0), (1, 1)})
    doubted = pair_of(Alignment.of({(0, 0)}, {(1, 1)}), Alignment(links), links)
    row = words([doubted])
    assert row["possible"]["c"]["value"] is None, "neither changed a cell of P"
    assert row["sure"]["c"]["chance"] < 1


def test_pairs_without_a_prealignment_count_in_all_figures_but_c():
    links = frozenset({(0, 0), (1, 1)})
    started = pair_of(Alignment(links), Alignment.of({(0, 0), (1, 2)}), links)
    fresh = pair_of(Alignment.of({(2, 2)}), Alignment.of({(3, 3)}))
    for agreement in (words, phrases):
        row, alone = agreement([started, fresh]), agreement([started])
        assert row["without_prealignment"] == 1
        assert row["sure"]["c"] == alone["sure"]["c"]
        assert row["sure"]["precision"]["value"] < alone["sure"]["precision"]["value"]


@pytest.mark.nightly
def test_the_annotators_exchanged_precision_is_recall_and_pi_the_same():
    pairs = list(simulated(20, random.Random(4)))
    turned = [AlignedPair(p.source, p.target, p.second, p.first, p.prealignment) for p in pairs]
    for agreement in (words, phrases):
        row, other = agreement(pairs)["sure"], agreement(turned)["sure"]
        assert row["precision"]["value"] == other["recall"]["value"]
        assert row["f1"]["value"] == pytest.approx(other["f1"]["value"])
        assert row["c"]["observed"] == other["c"]["observed"]
        assert row["c"]["chance"] == pytest.approx(other["c"]["chance"], abs=0.03)


def test_the_same_seed_gives_the_same_row():
    pairs = list(simulated(8, random.Random(2)))
    row = word_agreement(pairs, seed=3, resamples=50, samples=10)
    assert word_agreement(pairs, seed=3, resamples=50, samples=10) == row
    assert word_agreement(pairs, seed=4, resamples=50, samples=10) != row


def test_the_interval_of_a_precision_is_the_percentiles_of_its_exact_bootstrap():
    """The annotators agree on six of ten pairs with one link each, so the resampled precision is binomial."""
    pairs = [pair_of(Alignment.of({(0, 0)}), Alignment.of({(0, int(k >= 6))})) for k in range(10)]
    figure = word_agreement(pairs, seed=1, resamples=4000)["sure"]["precision"]
    assert figure["value"] == 0.6
    upto = np.cumsum([comb(10, k) * 0.6**k * 0.4 ** (10 - k) for k in range(11)])
    assert figure["low"] == pytest.approx(np.searchsorted(upto, 0.025) / 10)
    assert figure["high"] == pytest.approx(np.searchsorted(upto, 0.975) / 10)


def test_every_interval_is_around_its_value():
    pairs = list(simulated(40, random.Random(7)))
    for agreement in (word_agreement, phrase_agreement):
        row = agreement(pairs, seed=1, resamples=200, samples=20)
        for part in ("possible", "sure"):
            for figure in row[part].values():
                assert figure["low"] < figure["value"] < figure["high"]


# What is undefined


def reasons(row, part):
    assert all((figure["value"] is None) == ("reason" in figure) for figure in row[part].values())
    assert all(figure["low"] is figure["high"] is None for figure in row[part].values() if "reason" in figure)
    return {name: figure["reason"] for name, figure in row[part].items() if "reason" in figure}


@pytest.mark.parametrize("agreement", [word_agreement, phrase_agreement])
def test_without_sentence_pairs_nothing_is_defined(agreement):
    row = agreement([], seed=1)
    assert set(reasons(row, "sure").values()) == {"there are no sentence pairs"}
    assert len(reasons(row, "possible")) == 4


def test_where_an_annotator_has_no_links_it_is_said_who():
    row = word_agreement([pair_of(Alignment.of(possible={(0, 0)}), Alignment.of({(0, 0)}))], seed=1)
    missing = "the first annotator has no sure links to compare"
    nothing = "no sentence pair has a pre-alignment"
    assert reasons(row, "sure") == {"precision": missing, "f1": missing, "c": nothing}
    assert reasons(row, "possible") == {"c": nothing}
    assert row["sure"]["recall"]["value"] == 0
    row = phrase_agreement([pair_of(Alignment.of({(0, 0)}), Alignment.of(possible={(0, 0)}))], seed=1)
    assert reasons(row, "sure")["recall"] == "the second annotator has no phrase pairs of sure links to compare"


@pytest.mark.parametrize("agreement", [word_agreement, phrase_agreement])
def test_c_is_undefined_where_neither_changed_the_prealignment(agreement):
    links = frozenset({(0, 0), (1, 1)})
    row = agreement([pair_of(Alignment(links), Alignment(links), links)] * 3, seed=1)
    assert reasons(row, "sure") == {"c": "the chance agreement is 1"}
    assert (row["sure"]["c"]["observed"], row["sure"]["c"]["chance"]) == (1, 1)


def test_without_samples_there_is_no_c():
    links = frozenset({(0, 0)})
    row = words([pair_of(Alignment(links), Alignment.of({(0, 1)}), links)], samples=0)
    assert reasons(row, "sure") == {"c": "the chance agreement is unknown, because no alignments were sampled"}


def test_where_nothing_is_merely_possible_both_kinds_have_the_same_figures():
    pairs = list(simulated(5, random.Random(8)))
    for agreement in (words, phrases):
        row = agreement(pairs)
        assert row["sure"] == row["possible"]


def test_an_empty_prealignment_is_one():
    row = words([pair_of(Alignment.of({(0, 0)}), Alignment.of({(0, 0)}), frozenset())])
    assert row["without_prealignment"] == 0
    assert row["sure"]["c"]["chance"] < 0.5


def test_an_empty_sentence_is_refused():
    with pytest.raises(ValueError, match="a sentence has no tokens"):
        AlignedPair(["a"], [], Alignment(), Alignment(), None)


def test_a_link_outside_the_sentences_is_refused():
    for links in ((Alignment.of({(4, 0)}), Alignment()), (Alignment(), Alignment.of(possible={(4, 0)}))):
        with pytest.raises(ValueError, match=r"link \(4, 0\) is outside a pair of 4 and 4 tokens"):
            pair_of(*links)
    with pytest.raises(ValueError, match="outside"):
        pair_of(Alignment(), Alignment(), frozenset({(0, 9)}))


@pytest.mark.nightly
def test_the_interval_of_c_includes_the_random_error_of_the_samples():
    """The pairs are equal, so that their values of C differ only by the samples. The intervals from ten samples contain
    the value from very many samples about as often as they should.
    """
    source, target = "a b c d e".split(), "v w x y z".split()
    before = frozenset((n, n) for n in range(5))
    first, second = (Alignment(before ^ changes) for changes in ({(0, 1)}, {(3, 4)}))
    pair = AlignedPair(source, target, first, second, before)
    exact = word_agreement([pair], seed=1, resamples=0, samples=40_000)["possible"]["c"]["value"]
    contained = 0
    for seed in range(60):
        c = word_agreement([pair] * 20, seed=seed, resamples=200, samples=10)["possible"]["c"]
        assert c["low"] < c["high"]
        contained += c["low"] <= exact <= c["high"]
    assert contained >= 50
