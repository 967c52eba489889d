"""Tests of paraphrase sets: the irregular file, clusters, purity and entropy, P compared with NP, and the bag-of-words
baseline.
"""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.exchange.faults import TableError
from accord_core.paraphrase.systems.formats.pham import read_paraphrase_sets, write_sentences
from accord_core.paraphrase.systems.numerics.cluster_intervals import cluster_intervals
from accord_core.paraphrase.systems.numerics.clustering import cluster_figures, entropy, purity, spherical_k_means
from accord_core.paraphrase.systems.numerics.para_nonpara import mean_by_kind, mean_by_sets, para_nonpara
from accord_core.paraphrase.systems.numerics.paraphrase_sets import paraphrase_set_scores, sums_of_words
from evaluation.cli.figures import figure_line

# Irregular in every way that the published sample is.
IRREGULAR = """(I)

1
P 7 31 A cook peels a carrot
P 7 31 A old cook peels a carrot
P 7 31 The cook peels a apple

S 7 31 A carrot peels a cook
S 7 31 A carrot peels no cook

D  7 31 No cook peels a carrot
SD 31 No carrot peels a cook

2\x20
P 140 9 A dog chases a ball
P 140 9 A puppy chases a ball
(II)
1
S 3 4 A ball chases a dog
"""
LABELS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40)


def read(text, name="sets.txt"):
    return read_paraphrase_sets(text.encode(), name=name)


class TestFile:
    def test_sentences_and_their_sets(self):
        sets = read(IRREGULAR)
        assert sets.keys == [("I", "1"), ("I", "2"), ("II", "1")]
        assert [each.kind for each in sets.sentences] == ["P", "P", "P", "S", "S", "D", "SD", "P", "P", "S"]
        assert sets.sentences[6][1:] == ("SD", ("31",), "No carrot peels a cook", 12)

    def test_every_oddity_by_its_line(self):
        assert [str(warning) for warning in read(IRREGULAR).warnings] == [
            "line 5: “A old” should probably have the article “an”. The sentence is read unchanged",
            "line 6: “a apple” should probably have the article “an”. The sentence is read unchanged",
            "line 9: the sentence is marked as S, but “no” suggests the kind D or SD",
            "line 11: the parts of the line must be separated by a single space",
            "line 12: the sentence has one number instead of two",
            "line 14: the line has whitespace after the text",
            "line 14: the set has no S, D or SD sentence to compare its P sentences with",
            "line 18: the set has no P sentence, so it has no paraphrases to compare",
        ]

    @pytest.mark.parametrize(
        ("text", "oddity"),
        [
            ("1\nP 1 2 A b\nP 1 2 A c\nS 1 2 C d\n", "line 1: the set has no heading such as (I) above it"),
            ("(I)\n1\np 1 2 A b\nP 1 2 A c\nS 1 2 C d", "line 3: p is read as P"),
            ("(I)\n1\nP A b\nP 1 2 A c\nS 1 2 C d", "line 3: the sentence has no number instead of two"),
            ("(I)\n1\nP 1 2 A b\nP 1 3 A c\nS 1 2 C d", "line 4: the numbers differ from 1 2 in the same set"),
            ("(I)\n1\nP 1 2 A b\nP 1 2 A b\nS 1 2 C d", "line 4: the sentence is the same as on line 3"),
            (
                "(I)\n1\nP 1 2 A b\nS 1 2 C d",
                "line 2: the set has only one P sentence, so it has no paraphrases to compare",
            ),
            (
                "(I)\n1\nP 1 2 A b\nS 1 2 C d\n1\nP 1 2 F",
                "line 5: the set is already on line 2. The two sets are read as one",
            ),
        ],
    )
    def test_other_oddities(self, text, oddity):
        assert [str(warning) for warning in read(text).warnings] == [oddity]

    def test_sets_without_any_numbers_are_regular(self):
        assert read("(I)\n1\nP A b\nP A c\nS C d").warnings == []

    @pytest.mark.parametrize("text", ["\ufeff" + IRREGULAR.replace("\n", "\r\n"), IRREGULAR.rstrip()])
    def test_byte_order_mark_and_line_ends_change_nothing(self, text):
        assert read(text).sentences == read(IRREGULAR).sentences

    def test_the_strict_form_says_the_same(self):
        sets = read(IRREGULAR)
        strict = "".join(write_sentences(sets.sentences))
        again = read(strict)
        assert [each[:4] for each in again.sentences] == [each[:4] for each in sets.sentences]
        assert "".join(write_sentences(again.sentences)) == strict
        assert not [warning for warning in again.warnings if "space" in warning.message]

    def test_what_cannot_be_understood_is_named_all_at_once(self):
        with pytest.raises(TableError) as raised:
            read("(I)\nP 1 2 Too early\n1\nX 1 2 What\nA man plays\n")
        lines = [(fault.line, fault.message[:20]) for fault in raised.value.faults]
        assert lines == [(2, "the sentence comes b"), (4, "the line must be a h"), (5, "the line must be a h")]
        with pytest.raises(TableError, match="no sentence is marked"):
            read("(I)\n1\n")


class TestPurityAndEntropy:
    @given(LABELS)
    def test_against_the_contingency_table_of_scikit_learn(self, pairs):
        from sklearn.metrics.cluster import contingency_matrix  # a slow import

        classes, clusters = np.array(pairs).T
        table = contingency_matrix(classes, clusters).astype(float)  # a row a class, a column a cluster
        assert purity(classes, clusters) == pytest.approx(table.max(axis=0).sum() / len(pairs))
        shares = table / table.sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            of_cluster = -np.nansum(shares * np.log(shares), axis=0) / np.log(len(table))
        expected = (table.sum(axis=0) / len(pairs)) @ of_cluster
        assert entropy(classes, clusters) == pytest.approx(expected, nan_ok=True)

    def test_by_hand(self):
        # Two clusters: {a, a, b} and {b}. Purity 3/4; entropy 3/4 · h(1/3) with two classes.
        h = -(np.log2(1 / 3) / 3 + 2 * np.log2(2 / 3) / 3)
        assert purity([0, 0, 1, 1], [5, 5, 5, 9]) == 0.75
        assert entropy([0, 0, 1, 1], [5, 5, 5, 9]) == pytest.approx(0.75 * h)

    def test_one_class_has_no_entropy(self):
        found = cluster_figures([1, 1], [0, 1])["entropy"]
        assert (found.value, found.reason) == (None, "there is only one class")

    @pytest.mark.nightly
    def test_the_width_of_intervals_includes_the_variation_of_the_clusters(self):
        generator = np.random.default_rng(3)
        values, widths = [], []
        for number in range(60):
            classes = np.repeat(np.arange(20), 5)
            centres, spread = generator.normal(size=(20, 10)), generator.uniform(0.3, 1.2, size=(20, 1))
            rows = centres[classes] + spread[classes] * generator.normal(size=(100, 10))
            figures = cluster_figures(classes, spherical_k_means(rows, 20, restarts=5).cluster_of)
            values.append([each.value for each in figures.values()])
            if number < 5:
                figures = cluster_intervals(figures, rows, classes, classes)
                assert all(0 <= each.low < each.value < each.high <= 1 for each in figures.values())
                widths.append([each.high - each.low for each in figures.values()])
        # With fixed clusters, the ratio was about 0.6.
        ratio = np.mean(widths, axis=0) / (2 * 1.96 * np.std(values, axis=0))
        assert (ratio > 0.85).all()
        assert (ratio < 1.8).all()

    def test_few_sets_have_no_interval_and_a_reason(self):
        rows, classes = np.random.default_rng(1).normal(size=(18, 4)), np.arange(18) // 2
        found = cluster_intervals(cluster_figures(classes, classes), rows, classes, classes)["purity"]
        assert (found.value, found.low, found.reason) == (1, None, "there are fewer than 10 sets with P sentences")
        assert figure_line("purity", found.as_figure()).endswith(f"1.000  (no interval: {found.reason})\n")


class TestClusters:
    def rays(self, k=6, each=9, noise=0.05, d=8):
        generator = np.random.default_rng(2)
        centres = generator.normal(size=(k, d))
        rows = np.repeat(centres, each, axis=0) + noise * generator.normal(size=(k * each, d))
        return rows * generator.uniform(0.01, 100, size=(k * each, 1)), np.repeat(np.arange(k), each)

    def test_finds_directions_whatever_their_length(self):
        rows, classes = self.rays()
        assert purity(classes, spherical_k_means(rows, 6).cluster_of) == 1

    def test_no_other_division_is_better(self):
        unit = np.random.default_rng(5).normal(size=(8, 3))
        unit /= np.linalg.norm(unit, axis=1, keepdims=True)
        found = spherical_k_means(5 * unit, 3)

        def objective(of):
            return sum(np.linalg.norm(unit[of == cluster].sum(axis=0)) for cluster in range(3))

        every = (np.array(of) for of in itertools.product(range(3), repeat=8))
        assert found.objective == pytest.approx(max(map(objective, every)))

    def test_no_cluster_is_empty_even_among_equal_vectors(self):
        assert sorted(spherical_k_means(np.ones((4, 2)), 4).cluster_of) == [0, 1, 2, 3]
        assert sorted(set(spherical_k_means([[1, 0], [-1, 0], [1, 0]], 2).cluster_of)) == [0, 1]

    def test_seeded(self):
        rows = np.random.default_rng(1).normal(size=(40, 4))
        assert (spherical_k_means(rows, 5, seed=9).cluster_of == spherical_k_means(rows, 5, seed=9).cluster_of).all()

    def test_refusals(self):
        with pytest.raises(ValueError, match="2 vectors cannot be divided into 3 clusters"):
            spherical_k_means([[1, 0], [0, 1]], 3)
        with pytest.raises(ValueError, match="Vector 2 has no direction"):
            spherical_k_means([[1, 0], [0, 0]], 1)


class TestParaphrasesAgainstOthers:
    # Unit vectors at angles, so that a cosine is that of a difference: set 0 has P at 0°, 60°, 90° and NP at 90°, 180°.
    def vectors(self, *degrees):
        radians = np.radians(degrees)
        return np.stack([np.cos(radians), np.sin(radians)], axis=1) * [[3.0]]

    def test_by_hand(self):
        rows = self.vectors(0, 60, 90, 90, 180)
        found = para_nonpara(rows, [True, True, True, False, False], [0] * 5)
        first = (0.5 + 0) / 2 - (0 - 1) / 2
        second = (0.5 + np.cos(np.radians(30))) / 2 - (np.cos(np.radians(30)) - 0.5) / 2
        third = (0 + np.cos(np.radians(30))) / 2 - (1 + 0) / 2
        assert found.difference == pytest.approx([first, second, third])
        assert mean_by_sets(found).value == pytest.approx((first + second + third) / 3)
        assert mean_by_sets(found).low is None

    def test_each_kind_alone(self):
        """Set 0 has P at 0° and 60°, S at 90° and D at 180°. Set 1 has the same P sentences, and S at 0°."""
        rows = self.vectors(0, 60, 90, 180, 0, 60, 0)
        kinds = ["P", "P", "S", "D", "P", "P", "S"]
        found = para_nonpara(rows, [kind == "P" for kind in kinds], [0] * 4 + [1] * 3, kinds=kinds)
        cos30 = np.cos(np.radians(30))
        assert found.para == pytest.approx([0.5] * 4)
        assert found.nonpara == pytest.approx([-0.5, (cos30 - 0.5) / 2, 1, 0.5])
        assert found.against["S"] == pytest.approx([0.5, 0.5 - cos30, -0.5, 0])
        assert found.against["D"] == pytest.approx([1.5, 1, np.nan, np.nan], nan_ok=True)
        means = mean_by_kind(found)
        assert {kind: (number, mean.value) for kind, (number, mean) in means.items()} == {
            "S": (4, pytest.approx((0.5 - cos30) / 4)),
            "D": (2, pytest.approx(1.25)),
        }
        assert (means["S"][1].low is None, means["D"][1].low is None) == (False, True)  # two sets and one set

    @given(st.integers(0, 10_000))
    def test_the_kinds_average_to_the_whole(self, seed):
        generator = np.random.default_rng(seed)
        kinds = ["P", "P", *generator.choice(["S", "D", "SD"], size=5)]
        found = para_nonpara(generator.normal(size=(7, 3)), [kind == "P" for kind in kinds], [0] * 7, kinds=kinds)
        shares = {kind: kinds.count(kind) / 5 for kind in found.against}
        assert sum(shares[kind] * found.against[kind] for kind in shares) == pytest.approx(found.difference)

    def test_with_the_sentence_itself(self):
        rows = self.vectors(0, 60, 90)
        found = para_nonpara(rows, [True, True, False], [0] * 3, include_self=True)
        assert found.difference == pytest.approx([0.75 - 0, 0.75 - np.cos(np.radians(30))])

    @pytest.mark.parametrize("include_self", [False, True])
    def test_who_is_left_out(self, include_self):
        rows = np.random.default_rng(1).normal(size=(7, 3))
        kinds = [True, False, True, True, True, True, False]
        found = para_nonpara(rows, kinds, [0, 0, 1, 1, 2, 2, 2], include_self=include_self)
        assert found.sentence.tolist() == [4, 5]
        assert (found.without_second, found.without_nonpara) == (1, 2)

    def test_nothing_left(self):
        found = mean_by_sets(para_nonpara([[1, 0]], [True], [0]))
        assert (found.value, found.reason) == (None, "no set has two P sentences and an NP sentence")


class TestScores:
    def test_the_keys_and_the_counts(self):
        sets = read(IRREGULAR)
        rows = np.random.default_rng(1).normal(size=(len(sets.sentences), 4))
        found = paraphrase_set_scores(sets, rows, resamples=50)
        assert (found["sentences"], found["sets"], found["paraphrases"], found["clusters"]) == (10, 3, 5, 2)
        assert found["left_out"] == {"without_second_p": 0, "without_np": 2}
        expected = para_nonpara(rows[:7], [True] * 3 + [False] * 4, [0] * 7).difference.mean()
        assert found["p_vs_np"] == pytest.approx(expected)
        assert found["intervals"]["p_vs_np"] is None

    def test_groups_are_the_roman_numerals(self):
        sets = read(IRREGULAR)
        rows = np.random.default_rng(1).normal(size=(10, 4))
        found = paraphrase_set_scores(sets, rows, level="group", resamples=0)
        assert (found["clusters"], found["purity"], found["entropy"]) == (1, 1, None)
        assert found["reasons"]["entropy"] == "there is only one class"

    def test_a_perfect_system_against_the_sum_of_words(self):
        sets = read(
            IRREGULAR.replace("(II)\n1\nS 3 4 A ball chases a dog\n", "")
            + "S 140 9 A ball chases a dog\nS 140 9 A ball chases a puppy\n"
        )
        places = [[3.0, 0, 0], [0, 2.0, 0]]
        perfect = [places[each.set[1] == "2"] if each.kind == "P" else [0, 0, 1.0] for each in sets.sentences]
        words = sorted({word for each in sets.sentences for word in each.text.lower().split()})
        one_hot = dict(zip(words, np.eye(len(words)), strict=True))
        bag, unknown = sums_of_words([each.text for each in sets.sentences], one_hot.get)
        found = paraphrase_set_scores(sets, perfect, np.stack(bag), resamples=50, permutations=50)
        assert not unknown
        assert (found["purity"], found["entropy"], found["p_vs_np"]) == pytest.approx((1, 0, 1))
        assert found["difference"]["value"] == pytest.approx(1 - found["baseline"]["p_vs_np"])
        assert found["baseline"]["p_vs_np"] < 0.2

    def test_words_as_they_stand_then_in_lower_case(self):
        known = {"A": np.array([1.0]), "a": np.array([2.0]), "cat": np.array([10.0])}
        sums, unknown = sums_of_words(["A Cat", "a dog", "x"], known.get)
        assert [None if total is None else float(total[0]) for total in sums] == [11.0, 2.0, None]
        assert unknown == {"dog", "x"}
