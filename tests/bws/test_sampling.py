"""Tests of the sampling of sentence pairs, compared with brute force over sets of words in small collections."""

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.bws.sampling.formats.sentences import read_sentences, read_synonyms
from accord_core.bws.sampling.numerics.partners import Partners, Window, first_choices
from accord_core.bws.sampling.numerics.sampling import (
    apportion,
    distinct_pairs,
    matched_pairs,
    percentile_buckets,
    random_pairs,
    score_bins,
    take,
)
from accord_core.evaluation.numerics.correlation import bin_scores
from accord_core.evaluation.numerics.overlap import (
    dice,
    idf_dice,
    inverse_document_frequency,
    share_of_first,
    word_sets,
    words,
)
from accord_core.exchange.tables import Limits, TableError

# Over 64 words, so that some are frequent enough for a bit and others have lists.
VOCABULARY = [f"w{n}" for n in range(90)]
sentence = st.lists(
    st.one_of(st.sampled_from(VOCABULARY), st.sampled_from(VOCABULARY[:6])), min_size=1, max_size=12
).map(" ".join)
collections = st.lists(sentence, min_size=2, max_size=24)
windows = st.builds(
    lambda low, width, difference: Window(low, low + width, difference),
    st.sampled_from([0, 0.1, 0.25, 1 / 3, 0.5]),
    st.sampled_from([0.25, 0.5, 1.1]),
    st.sampled_from([0, 0.25, 0.5, 1]),
)
seeds = st.integers(0, 10**6)


def draws(seed):
    return np.random.default_rng(seed)


def fits(first, second, window):
    """Apply the definition of the window to Python's sets."""
    x, y = set(words(first)), set(words(second))
    lengths = len(words(first)), len(words(second))
    return window.low <= len(x & y) / len(x) < window.high and abs(
        lengths[0] - lengths[1]
    ) <= window.length_difference * max(lengths)


def brute_first(texts, row, window, free):
    around = [*range(row + 1, len(texts)), *range(row)]
    return next((other for other in around if free[other] and fits(texts[row], texts[other], window)), None)


class TestOverlap:
    def test_words_are_lower_cased_and_punctuation_is_none(self):
        assert words("Well-known: the dog’s 2 bowls — don't!") == ["well-known", "the", "dog's", "2", "bowls", "don't"]
        assert words("Ähre, ÉTÉ ...") == ["ähre", "été"]

    @given(collections, seeds)
    def test_dice_and_share_by_sets(self, texts, seed):
        pairs = distinct_pairs(len(texts), 30, draws(seed))
        sets = word_sets(texts)
        by_sets = [(set(texts[a].split()), set(texts[b].split())) for a, b in pairs]
        assert dice(sets, *pairs.T) == pytest.approx([2 * len(x & y) / (len(x) + len(y)) for x, y in by_sets])
        assert share_of_first(sets, *pairs.T) == pytest.approx([len(x & y) / len(x) for x, y in by_sets])

    def test_idf_dice_by_hand(self):
        sets = word_sets(["the cat sat", "the cat ran", "the dog", "the the"])
        idf = inverse_document_frequency(sets)
        assert idf.tolist() == pytest.approx([0, math.log(2), math.log(4), math.log(4), math.log(4)])
        found = idf_dice(sets, np.array([0, 0, 3]), np.array([1, 2, 3]), idf)
        both = 2 * math.log(2) / (2 * (math.log(2) + math.log(4)))
        assert found.tolist() == pytest.approx([both, 0, 0])  # “the” occurs in every sentence and has a weight of 0

    def test_sentences_without_words_share_nothing(self):
        sets = word_sets(["?", "…", "a"])
        pair = np.array([0]), np.array([1])
        assert dice(sets, *pair) == share_of_first(sets, *pair) == [0]
        assert idf_dice(sets, *pair, inverse_document_frequency(sets)) == [0]

    def test_a_synonym_counts_as_the_same_word_and_is_replaced_once(self):
        sets = word_sets(["a large dog", "a big dog", "a huge dog"], {"large": "big", "big": "huge"})
        assert dice(sets, np.array([0, 1]), np.array([1, 2])).tolist() == pytest.approx([2 / 3, 1])
        assert sets.lengths.tolist() == [3, 3, 3]

    @given(collections, seeds)
    def test_rows_in_another_order_are_the_same_sentences(self, texts, seed):
        order = draws(seed).permutation(len(texts))
        sets = word_sets(texts)
        again = sets.rows(order)
        for place, row in enumerate(order):
            assert again.numbers[again.starts[place] : again.starts[place + 1]].tolist() == (
                sets.numbers[sets.starts[row] : sets.starts[row + 1]].tolist()
            )
            assert again.lengths[place] == sets.lengths[row]


class TestFirstPartner:
    @given(collections, windows, seeds)
    def test_it_is_the_first_by_brute_force(self, texts, window, seed):
        free = draws(seed).random(len(texts)) < 0.8
        search = Partners(word_sets(texts), window)
        for row in range(len(texts)):
            assert search.first(row, free) == brute_first(texts, row, window, free)

    def test_it_is_found_beyond_many_stretches(self):
        """A thousand sentences share no words with the first sentence, and the only partner is last or precedes the
        first sentence.
        """
        texts = ["alpha beta gamma delta", *(f"x{n} y{n} z{n} u{n}" for n in range(1000)), "alpha beta one two"]
        search = Partners(word_sets(texts), Window())
        assert search.first(0, np.ones(len(texts), bool)) == 1001
        assert search.first(1001, np.ones(len(texts), bool)) == 0
        assert search.first(500, np.ones(len(texts), bool)) is None

    def test_sentences_of_hundreds_of_words(self):
        one, other = (" ".join(f"{name}{n}" for n in range(300)) for name in "ab")
        texts = [one, f"{other} a1", " ".join([*one.split()[:290], "z"])]
        assert Partners(word_sets(texts), Window(0.9, 1)).first(0, np.ones(3, bool)) == 2

    @given(collections, windows, st.integers(1, 15))
    def test_without_reuse_each_takes_the_first_that_is_left(self, texts, window, wanted):
        free, expected, tried = [True] * len(texts), [], 0
        for row in range(len(texts)):
            if free[row] and len(expected) < wanted:
                tried += 1
                partner = brute_first(texts, row, window, [ok and place != row for place, ok in enumerate(free)])
                if partner is not None:
                    expected.append([row, partner])
                    free[row] = free[partner] = False
        found, looked = first_choices(wanted, word_sets(texts), window, reuse=False)
        assert (found.tolist(), looked) == (expected, tried)
        assert len(set(found.ravel().tolist())) == 2 * len(found)

    @given(collections, windows)
    def test_with_reuse_no_two_sentences_meet_twice(self, texts, window):
        expected, met = [], set()
        for row in range(len(texts)):
            free = [frozenset((row, other)) not in met for other in range(len(texts))]
            partner = brute_first(texts, row, window, free)
            if partner is not None:
                expected.append([row, partner])
                met.add(frozenset((row, partner)))
        found, _ = first_choices(len(texts), word_sets(texts), window, reuse=True)
        assert found.tolist() == expected


class TestRandomPairs:
    @given(st.integers(0, 40), st.integers(1, 50), seeds)
    def test_without_reuse_nobody_comes_twice_and_as_many_as_there_are(self, n, wanted, seed):
        pairs = random_pairs(n, wanted, draws(seed), reuse=False)
        assert len(pairs) == min(wanted, n // 2)
        assert len(np.unique(pairs)) == pairs.size

    @given(st.integers(0, 12), seeds)
    def test_all_distinct_pairs_are_all_pairs(self, n, seed):
        pairs = distinct_pairs(n, 10**6, draws(seed))
        assert {tuple(sorted(pair)) for pair in pairs.tolist()} == set(combinations(range(n), 2))
        assert len(pairs) == n * (n - 1) // 2

    def test_a_million_sentences_have_pairs_from_end_to_end(self):
        pairs = distinct_pairs(10**6, 1000, draws(1))
        assert 0 <= pairs.min() < pairs.max() < 10**6
        assert (pairs[:, 0] != pairs[:, 1]).all()
        assert abs(pairs.mean() - 5e5) < 4 * 10**6 / math.sqrt(12 * 2000)


class TestBuckets:
    @given(st.lists(st.floats(0, 1), min_size=1, max_size=80), st.integers(1, 20), st.floats(0.5, 3))
    def test_every_pair_is_in_the_bucket_whose_bounds_hold_it(self, scores, buckets, base):
        scores = np.array(scores)
        labels, edges, weights = percentile_buckets(scores, buckets, base)
        assert len(weights) == len(edges) - 1 <= buckets
        assert weights.sum() == pytest.approx(sum(base**b for b in range(buckets)) / base ** (buckets - 1))
        for label, score in zip(labels, scores, strict=True):
            last = label == len(weights) - 1
            assert edges[label] <= score <= edges[label + 1]
            assert last or score < edges[label + 1]
        assert set(labels) == set(range(len(weights)))  # no bucket is empty, so that every one can give

    def test_different_scores_make_equal_buckets_with_growing_weights(self):
        labels, _, weights = percentile_buckets(np.arange(100) / 100, 5, 1.1)
        assert max(Counter(labels.tolist()).values()) - min(Counter(labels.tolist()).values()) <= 1
        assert (weights[1:] / weights[:-1]).tolist() == pytest.approx([1.1] * 4)

    def test_a_score_that_fills_several_buckets_gets_their_weights_together(self):
        labels, edges, weights = percentile_buckets(np.array([0.0] * 60 + list(np.arange(1, 41) / 40)), 10, 1.0)
        assert weights.tolist() == [6, 1, 1, 1, 1]
        assert (labels == 0).sum() == 60
        assert edges.tolist()[:2] == [0, 1 / 40]

    def test_bins_of_an_outside_score_contain_their_upper_bound_as_in_the_paper(self):
        scores = [0, 0.9, 1, 1.001, 2, 2.5, 3, 3.1, -1]
        labels, edges, weights = score_bins(np.array(scores), [0, 1, 2, 3])
        assert labels.tolist() == [0, 0, 0, 1, 1, 2, 2, -1, -1]
        assert weights.tolist() == [1, 1, 1]
        evaluated = bin_scores(range(9), range(9), scores, edges.tolist(), resamples=0)
        assert [each["items"] for each in evaluated] == np.bincount(labels[labels >= 0]).tolist()

    @given(st.integers(0, 500), st.lists(st.floats(0.01, 50), min_size=1, max_size=30))
    def test_apportioned_numbers_add_up_and_are_within_one(self, total, weights):
        weights = np.array(weights)
        counts = apportion(total, weights)
        assert counts.sum() == total
        assert (np.abs(counts - total * weights / weights.sum()) < 1 + 1e-6).all()

    @given(
        st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(-1, 3)), max_size=60),
        st.lists(st.integers(0, 8), min_size=4, max_size=4),
        seeds,
        st.booleans(),
    )
    def test_what_is_taken_fills_every_bucket_as_far_as_it_goes(self, candidates, wanted, seed, reuse):
        table = np.array([c for c in candidates if c[0] != c[1]], np.int64).reshape(-1, 3)
        pairs, labels = table[:, :2], table[:, 2]
        taken = take(pairs, labels, np.array(wanted), draws(seed), reuse=reuse)
        assert len(set(taken.tolist())) == len(taken)
        made = Counter(labels[taken].tolist())
        used = set(pairs[taken].ravel().tolist())
        if not reuse:
            assert len(used) == 2 * len(taken)
        for bucket, count in enumerate(wanted):
            assert made[bucket] <= count
            if made[bucket] < count:  # then no more pairs were available
                rest = [p for r, p in enumerate(pairs.tolist()) if labels[r] == bucket and r not in set(taken.tolist())]
                assert not rest if reuse else all(used & set(pair) for pair in rest)
        assert made[-1] == 0


class TestMatch:
    VALUES = ("trump", "clinton", "abortion")
    KINDS = ("for", "against")

    @given(
        st.lists(st.tuples(st.sampled_from(VALUES), st.sampled_from(KINDS)), max_size=50),
        st.lists(st.integers(0, 9), min_size=3, max_size=3),
        seeds,
        st.booleans(),
    )
    def test_values_match_kinds_are_as_named_and_quotas_hold(self, rows, quotas, seed, reuse):
        values, kinds = [value for value, _ in rows], [kind for _, kind in rows]
        wanted = dict(zip([("for", "for"), ("against", "against"), ("for", "against")], quotas, strict=True))
        pairs, of_kind = matched_pairs(values, kinds, wanted, draws(seed), reuse=reuse)
        for (first, second), kind in zip(pairs.tolist(), of_kind, strict=True):
            assert first != second
            assert (values[first], kinds[first], kinds[second]) == (values[second], *kind)
        assert len({frozenset(pair) for pair in pairs.tolist()}) == len(pairs)
        made = Counter(of_kind)
        assert all(made[kind] <= count for kind, count in wanted.items())
        for kind in wanted:
            if made[kind] < wanted[kind]:  # then no more pairs of this kind were available
                met = {frozenset(pair) for pair in pairs.tolist()}
                used = set() if reuse else set(pairs.ravel().tolist())
                assert not any(
                    values[a] == values[b]
                    and kind in ((kinds[a], kinds[b]), (kinds[b], kinds[a]))
                    and frozenset((a, b)) not in met
                    and not {a, b} & used
                    for a, b in combinations(range(len(rows)), 2)
                )

    def test_values_and_kinds_take_turns(self):
        rows = [(value, kind) for value in self.VALUES for kind in self.KINDS for _ in range(20)]
        wanted = {("for", "for"): 9, ("against", "against"): 9, ("for", "against"): 9}
        pairs, kinds = matched_pairs(*zip(*rows, strict=True), wanted, draws(3), reuse=False)
        spread = Counter((rows[first][0], kind) for first, kind in zip(pairs[:, 0].tolist(), kinds, strict=True))
        assert set(spread.values()) == {3}  # nine of each kind, three of each target


def sentences(text, **limits):
    return read_sentences(text.encode(), name="s.csv", limits=Limits(**limits))


class TestFiles:
    def test_a_table_with_columns_of_its_own(self):
        found = sentences("Text;ID;source;subset\nHe left.;a;news;x\nShe stayed.;b;web;\n")
        assert (found.ids, found.texts, found.lines) == (["a", "b"], (["He left.", "She stayed."],), [2, 3])
        assert found.columns == {"source": ["news", "web"], "subset": ["x", ""]}
        assert found.column("SOURCE") == ["news", "web"]

    def test_pairs_in_json_lines_may_lack_a_column(self):
        found = sentences('{"sentence1": "a", "sentence2": "b"}\n{"sentence1": "c", "sentence2": "d", "score": 2.5}\n')
        assert found.are_pairs
        assert found.texts == (["a", "c"], ["b", "d"])
        assert found.ids == ["line-1", "line-2"]
        assert found.columns == {"score": ["", "2.5"]}

    def test_tabs_and_plain_lines(self):
        assert sentences("id\ttext\n1\tHe, too\n").texts == (["He, too"],)
        plain = sentences('He, too, left.\n\nShe said "no"\n')
        assert plain.texts == (["He, too, left.", 'She said "no"'],)
        assert plain.ids == ["line-1", "line-3"]

    def test_every_fault_is_named_by_its_line(self):
        with pytest.raises(TableError) as found:
            sentences("id,text\na,He left.\na,She left.\n,It left.\nd,\ne,f,g\n")
        assert [(f.line, f.column) for f in found.value.faults] == [
            (3, "id"),
            (4, "id"),
            (5, "text"),
            (6, "3"),
        ]
        with pytest.raises(TableError, match="must have the column text or sentence"):
            sentences("id,words\n1,He left.\n")
        with pytest.raises(TableError, match=r"line 3.*more than 2"):
            sentences("one a\ntwo a\nthree a\n", rows=2)
        with pytest.raises(TableError, match=r"the file has no column stance\. The columns are target"):
            sentences("text,target\nHe left.,x\n").column("stance")

    def test_synonyms(self):
        assert read_synonyms(b"word,synonym\nLarge,big\nhuge,big\n", name="s") == {"large": "big", "huge": "big"}
        assert read_synonyms("don’t\tnot\n".encode(), name="s") == {"don't": "not"}
        with pytest.raises(TableError) as found:
            read_synonyms(b"a,b\na,c\nvery big,large\nlonely\n", name="s")
        assert [(f.line, f.column) for f in found.value.faults] == [(2, "1"), (3, "1"), (4, None)]
