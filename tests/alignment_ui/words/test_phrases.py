"""Tests of the phrase pairs that follow from links, compared with their definition by brute force and with nltk's
extraction.
"""

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.pairs.numerics.links import Alignment
from accord_core.words.numerics.phrases import (
    PhrasePair,
    atomic_phrase_pairs,
    phrase_counts,
    phrase_pairs,
    phrase_scores,
    without_identical,
)

MATRICES = st.tuples(st.integers(0, 6), st.integers(0, 6)).flatmap(
    lambda size: st.tuples(
        st.sets(st.sampled_from(list(product(range(size[0]), range(size[1]))) or [(0, 0)]))
        if all(size)
        else st.just(set()),
        st.just(size[0]),
        st.just(size[1]),
    )
)


def random_matrices(count):
    draw = random.Random(20)
    for _ in range(count):
        n, m, density = draw.randint(1, 7), draw.randint(1, 7), draw.choice([0.05, 0.15, 0.3, 0.6])
        yield {cell for cell in product(range(n), range(m)) if draw.random() < density}, n, m


def by_definition(links, n, m):
    """Return every rectangle of cells that contains a link, has no link beside, above or below it, and has a link in
    each outermost row and column.
    """
    boxes = product(range(n), range(1, n + 1), range(m), range(1, m + 1))
    return [PhrasePair(*box) for box in boxes if box[0] < box[1] and box[2] < box[3] and is_phrase_pair(links, box)]


def is_phrase_pair(links, box):
    start, end, low, high = box
    inside = {(i, j) for i, j in links if start <= i < end and low <= j < high}
    touching = {(i, j) for i, j in links if start <= i < end or low <= j < high}
    source, target = {i for i, _ in inside}, {j for _, j in inside}
    return inside == touching and {start, end - 1} <= source and {low, high - 1} <= target


def smallest_around(link, pairs):
    around = [pair for pair in pairs if pair[0] <= link[0] < pair[1] and pair[2] <= link[1] < pair[3]]
    return min(around, key=lambda pair: (pair[1] - pair[0]) * (pair[3] - pair[2]))


def test_phrase_pairs_and_atoms_are_as_defined_on_400_matrices():
    for links, n, m in random_matrices(400):
        expected = by_definition(links, n, m)
        assert phrase_pairs(links, n, m) == expected
        atoms = {smallest_around(link, expected) for link in links}
        assert atomic_phrase_pairs(links, n, m) == sorted(atoms)


@pytest.mark.nightly
def test_phrase_pairs_are_nltks_less_those_with_an_unaligned_word_on_a_boundary():
    from nltk.translate.phrase_based import phrase_extraction  # a slow import

    for links, n, m in random_matrices(400):
        source, target = " ".join(f"s{i}" for i in range(n)), " ".join(f"t{j}" for j in range(m))
        extracted = {(*rows, *columns) for rows, columns, _, _ in phrase_extraction(source, target, sorted(links))}
        aligned, reached = {i for i, _ in links}, {j for _, j in links}
        expected = {box for box in extracted if {box[0], box[1] - 1} <= aligned and {box[2], box[3] - 1} <= reached}
        assert set(phrase_pairs(links, n, m)) == expected


def test_the_phrases_of_the_papers_figure():
    """In “and reached an” and “and arrived at”, “reached” is linked to “arrived” and to “at”, and “an” has no link."""
    links = {(0, 0), (1, 1), (1, 2)}
    assert phrase_pairs(links, 3, 3) == [(0, 1, 0, 1), (0, 2, 0, 3), (1, 2, 1, 3)]
    assert atomic_phrase_pairs(links, 3, 3) == [(0, 1, 0, 1), (1, 2, 1, 3)]


def test_an_atom_may_lie_within_another():
    """The middle words are linked only to each other, and are part of a phrase that needs them."""
    links = {(0, 0), (0, 2), (2, 2), (1, 1)}
    assert atomic_phrase_pairs(links, 3, 3) == [(0, 3, 0, 3), (1, 2, 1, 2)]


def test_a_link_outside_the_sentences_is_refused():
    for extract in (phrase_pairs, atomic_phrase_pairs):
        with pytest.raises(ValueError, match=r"link \(2, 0\) is outside a pair of 2 and 3 tokens"):
            extract({(2, 0)}, 2, 3)
        with pytest.raises(ValueError, match=r"link \(0, -1\) is outside"):
            extract({(0, -1)}, 2, 3)


@given(MATRICES)
def test_atoms_are_phrase_pairs_and_hold_every_link(matrix):
    links, n, m = matrix
    pairs, atoms = phrase_pairs(links, n, m), atomic_phrase_pairs(links, n, m)
    assert set(atoms) <= set(pairs)
    assert all(any(a <= i < b and c <= j < d for a, b, c, d in atoms) for i, j in links)
    assert bool(links) == bool(pairs)


@given(MATRICES)
def test_with_source_and_target_exchanged_every_phrase_pair_is_turned_round(matrix):
    links, n, m = matrix
    transposed = {(j, i) for i, j in links}
    for extract in (phrase_pairs, atomic_phrase_pairs):
        assert extract(links, n, m) == sorted((c, d, a, b) for a, b, c, d in extract(transposed, m, n))


def test_identical_phrases_are_dropped_whatever_their_case():
    source, target = "The cat sat".split(), "the cat slept".split()
    pairs = phrase_pairs({(0, 0), (1, 1), (2, 2)}, 3, 3)
    assert without_identical(pairs, source, target) == [(0, 3, 0, 3), (1, 3, 1, 3), (2, 3, 2, 3)]


def test_tokens_are_compared_one_by_one():
    assert without_identical([PhrasePair(0, 2, 0, 1)], ["a", "b"], ["a b"]) == [(0, 2, 0, 1)]


def test_a_block_is_held_against_the_words_it_is_made_of():
    """A links a block of two by two words, and B links word by word. B's atoms are not phrase pairs of A, and A's atom
    is a phrase pair of B.
    """
    source, target = "p q".split(), "x y".split()
    a, b = {(0, 0), (0, 1), (1, 0), (1, 1)}, {(0, 0), (1, 1)}
    assert phrase_counts(source, target, a, b) == (1, 1, 0, 2, 0)
    scores = phrase_scores([(source, target, Alignment.of(b), Alignment.of(a))])
    assert scores["sure"] == scores["possible"] == {"precision": 1.0, "recall": 0.0, "f1": 0.0}


def test_sure_links_alone_and_all_links_give_phrases_of_their_own():
    source, target = "p q".split(), "x y".split()
    gold, system = Alignment.of({(0, 0)}, {(1, 1)}), Alignment.of({(0, 0), (1, 1)})
    scores = phrase_scores([(source, target, gold, system)])
    assert scores["sure"] == {"precision": 0.5, "recall": 1.0, "f1": pytest.approx(2 / 3)}
    assert scores["possible"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}


def test_identical_phrases_are_dropped_from_the_atoms_only_after_extraction():
    """“the” is linked and identical, so the pair does not count, but “cat” alone is an atom because “the” has its own
    link.
    """
    source, target = "the cat".split(), "the dog".split()
    links = {(0, 0), (1, 1)}
    assert phrase_counts(source, target, links, links) == (1, 1, 1, 1, 1)
    assert phrase_counts(source, target, links, links, ignore_identical=False) == (2, 2, 2, 2, 2)
    assert phrase_scores([(source[:1], target[:1], Alignment.of({(0, 0)}), Alignment())])["sure"]["recall"] is None


def test_no_sentence_pairs_no_figures():
    assert phrase_scores([])["possible"] == {"precision": None, "recall": None, "f1": None}
