"""Tests of aggregation methods: majority, votes weighted by gold accuracy, one-coin and Dawid–Skene, with ties,
warnings and invalid arrays.
"""

import numpy as np
import pytest

from accord_core.numerics.em import dawid_skene, one_coin
from accord_core.numerics.labels import UNDECIDED, Labels, majority, weighted


def labels_of(*rows, q=2):
    """Return labels from one string per item, with one digit per annotator and a dot for a missing label."""
    cells = [(i, j, int(c)) for i, row in enumerate(rows) for j, c in enumerate(row) if c != "."]
    item, annotator, label = np.array(cells, dtype=int).reshape(-1, 3).T
    return Labels(item, annotator, label, len(rows), len(rows[0]), q)


def simulated(items=400, annotators=40, each=5, careless=0.15, seed=1, q=2):
    generator = np.random.default_rng(seed)
    truth = generator.integers(0, q, items)
    who = np.argsort(generator.random((items, annotators)), axis=1)[:, :each].ravel()
    item = np.repeat(np.arange(items), each)
    accuracy = np.where(np.arange(annotators) < careless * annotators, 1 / q, 0.85)
    right = generator.random(len(item)) < accuracy[who]
    wrong = (truth[item] + generator.integers(1, q, len(item))) % q
    return Labels(item, who, np.where(right, truth[item], wrong), items, annotators, q), truth, accuracy


class TestMajority:
    def test_more_than_half(self):
        result = majority(labels_of("110", "10.", "1..", "...", "000"))
        assert result.label.tolist() == [1, UNDECIDED, 1, UNDECIDED, 0]
        assert result.votes.tolist() == [2, 1, 1, 0, 3]
        assert result.n.tolist() == [3, 2, 1, 0, 3]
        assert result.undecided.tolist() == [False, True, False, True, False]
        assert result.probability is None

    def test_the_most_votes_are_not_enough(self):
        assert majority(labels_of("2210", q=3)).label.tolist() == [UNDECIDED]
        assert majority(labels_of("22210", q=3)).label.tolist() == [2]

    def test_ties_to_the_negative_label(self):
        result = majority(labels_of("10", "11", "..", "1."), tie_label=0)
        assert result.label.tolist() == [0, 1, UNDECIDED, 1]
        assert result.votes.tolist() == [1, 2, 0, 1]


class TestWeighted:
    def test_by_hand(self):
        # Annotator 0 is right on 3 of 3 gold items, and annotators 1 and 2 on one each: accuracies 4/5, 2/5 and 2/5.
        labels = labels_of("100", "111", "011", "100", ".10")
        result = weighted(labels, np.array([1, 1, 0, -1, -1]))
        assert result.accuracy.tolist() == pytest.approx([0.8, 0.4, 0.4])
        assert result.label[3] == 1
        odds = 4 * (6 / 4) ** 2
        assert result.posterior[3, 1] == pytest.approx(odds / (1 + odds))
        assert result.label[4] == UNDECIDED
        assert result.probability.tolist()[3:] == pytest.approx([odds / (1 + odds), 0.5])
        assert weighted(labels, np.array([1, 1, 0, -1, -1]), tie_label=0).label[4] == 0

    def test_votes_below_chance_count_against(self):
        labels = labels_of("1", "1", "1", "1")
        assert weighted(labels, np.array([0, 0, 0, -1])).label[3] == 0

    def test_three_labels(self):
        labels = labels_of("22", "01", q=3)
        result = weighted(labels, np.array([2, -1]))
        # Both are right on one of one gold items: accuracy 2/3, odds of 4 against each of the two other labels.
        assert result.posterior[1].tolist() == pytest.approx([4 / 9, 4 / 9, 1 / 9])
        assert result.label[1] == UNDECIDED

    def test_annotators_without_gold_are_told(self):
        result = weighted(labels_of("1.", ".0"), np.array([1, -1]))
        assert result.warnings == (
            (
                "1 of 2 annotators have not labelled any gold items. "
                "Each of their votes has the weight for an accuracy of 1/2, 0.00"
            ),
        )
        assert result.label.tolist() == [1, UNDECIDED]

    def test_gold_out_of_range(self):
        with pytest.raises(ValueError, match="Row 1: the gold index 2 is outside the range"):
            weighted(labels_of("1", "0"), np.array([1, 2]))


def with_gold(posterior, gold):
    q = len(posterior[0])
    return [
        row if known < 0 else [float(t == known) for t in range(q)] for row, known in zip(posterior, gold, strict=True)
    ]


def one_coin_by_loops(labels, rounds, gold):
    """Run the same rounds in loops over single labels."""
    q, rows = labels.n_labels, list(zip(labels.item, labels.annotator, labels.label, strict=True))
    posterior = with_gold((labels.counts / labels.counts.sum(axis=1, keepdims=True)).tolist(), gold)
    for _ in range(rounds):
        counted = [p for p, known in zip(posterior, gold, strict=True) if known < 0]
        prior = [sum(p[t] for p in counted) / len(counted) for t in range(q)]
        accuracy = []
        for annotator in range(labels.n_annotators):
            own = [posterior[i][k] for i, a, k in rows if a == annotator]
            accuracy.append((sum(own) + 2) / (len(own) + 3))
        after = [list(prior) for _ in posterior]
        for i, a, k in rows:
            for t in range(q):
                after[i][t] *= accuracy[a] if t == k else (1 - accuracy[a]) / (q - 1)
        posterior = with_gold([[p / sum(row) for p in row] for row in after], gold)
    return np.array(posterior), accuracy


def dawid_skene_by_loops(labels, rounds, gold):
    q, rows = labels.n_labels, list(zip(labels.item, labels.annotator, labels.label, strict=True))
    posterior = with_gold((labels.counts / labels.counts.sum(axis=1, keepdims=True)).tolist(), gold)
    for _ in range(rounds):
        counted = [p for p, known in zip(posterior, gold, strict=True) if known < 0]
        prior = [sum(p[t] for p in counted) / len(counted) for t in range(q)]
        confusion = np.full((labels.n_annotators, q, q), 0.01)
        for i, a, k in rows:
            for t in range(q):
                confusion[a, t, k] += posterior[i][t]
        confusion /= confusion.sum(axis=2, keepdims=True)
        after = [list(prior) for _ in posterior]
        for i, a, k in rows:
            for t in range(q):
                after[i][t] *= confusion[a, t, k]
        posterior = with_gold([[p / sum(row) for p in row] for row in after], gold)
    return np.array(posterior), confusion


class TestEstimated:
    @pytest.mark.parametrize("q", [2, 3])
    @pytest.mark.parametrize("rounds", [1, 5])
    @pytest.mark.parametrize("share", [0, 0.3])
    def test_one_coin_by_loops(self, q, rounds, share):
        labels, truth, _ = simulated(items=60, annotators=8, q=q)
        gold = np.where(np.arange(60) < share * 60, truth, UNDECIDED)
        result = one_coin(labels, gold=gold, tolerance=0, most_rounds=rounds)
        posterior, accuracy = one_coin_by_loops(labels, rounds, gold)
        assert result.posterior == pytest.approx(posterior, abs=1e-12)
        assert result.accuracy == pytest.approx(np.array(accuracy), abs=1e-12)

    @pytest.mark.parametrize("q", [2, 3])
    @pytest.mark.parametrize("rounds", [1, 5])
    @pytest.mark.parametrize("share", [0, 0.3])
    def test_dawid_skene_by_loops(self, q, rounds, share):
        labels, truth, _ = simulated(items=60, annotators=8, q=q)
        gold = np.where(np.arange(60) < share * 60, truth, UNDECIDED)
        result = dawid_skene(labels, gold=gold, tolerance=0, most_rounds=rounds)
        posterior, confusion = dawid_skene_by_loops(labels, rounds, gold)
        assert result.posterior == pytest.approx(posterior, abs=1e-12)
        assert result.confusion == pytest.approx(confusion, abs=1e-12)

    @pytest.mark.parametrize("method", [one_coin, dawid_skene])
    def test_finds_the_careless_and_does_better_than_the_majority(self, method):
        labels, truth, accuracy = simulated(careless=0.4, items=1000)
        result = method(labels)
        assert result.rounds < 100
        assert result.accuracy[accuracy == 0.5].max() < result.accuracy[accuracy > 0.5].min()
        assert result.accuracy == pytest.approx(accuracy, abs=0.12)
        assert (result.label == truth).mean() > (majority(labels, tie_label=0).label == truth).mean() + 0.01

    def test_gold_alone_decides_the_accuracies(self):
        """If every label is known, the estimates are counts of right and wrong answers."""
        labels, truth, _ = simulated(items=50, annotators=6, q=3)
        right = np.bincount(labels.annotator, labels.label == truth[labels.item], 6)
        given = np.bincount(labels.annotator, minlength=6)
        assert one_coin(labels, gold=truth).accuracy == pytest.approx((right + 2) / (given + 3))
        counts = np.full((6, 3, 3), 0.01)
        np.add.at(counts, (labels.annotator, truth[labels.item], labels.label), 1)
        confusion = counts / counts.sum(axis=2, keepdims=True)
        assert dawid_skene(labels, gold=truth).confusion == pytest.approx(confusion)
        assert dawid_skene(labels, gold=truth).label.tolist() == truth.tolist()

    @pytest.mark.parametrize("method", [one_coin, dawid_skene])
    def test_gold_helps_where_most_annotators_are_careless(self, method):
        error, right = np.zeros(2), np.zeros(2)
        gold = np.arange(400) < 80
        for seed in range(3):
            labels, truth, accuracy = simulated(careless=0.8, items=400, annotators=20, seed=seed)
            known = np.where(gold, truth, UNDECIDED)
            results = [method(labels, gold=known), method(labels)]
            error += [np.abs(each.accuracy - accuracy).mean() for each in results]
            right += [(each.label == truth)[~gold].mean() for each in results]
        assert error[0] < 0.8 * error[1]
        assert right[0] > right[1]
        with pytest.raises(ValueError, match="gold index 2 is outside"):
            method(labels, gold=np.full(400, 2))

    def test_dawid_skene_reads_those_who_confuse_two_labels(self):
        """An annotator who always swaps two labels is as informative as an annotator who does not."""
        labels, truth, _ = simulated(q=3, careless=0, items=600, annotators=12)
        swapped = np.where((labels.annotator == 0) & (labels.label < 2), 1 - labels.label, labels.label)
        result = dawid_skene(Labels(labels.item, labels.annotator, swapped, 600, 12, 3))
        assert result.confusion[0, 0, 1] > 0.7
        assert result.confusion[0, 1, 0] > 0.7
        assert result.confusion.sum(axis=2) == pytest.approx(np.ones((12, 3)))
        assert (result.label == truth).mean() > 0.95

    @pytest.mark.parametrize("method", [one_coin, dawid_skene])
    def test_equal_posteriors_follow_the_tie_rule(self, method):
        labels = labels_of("10", "01", "..")
        assert method(labels).label.tolist() == [UNDECIDED] * 3
        assert method(labels, tie_label=0).label.tolist() == [0, 0, UNDECIDED]
        assert method(labels).probability.tolist() == pytest.approx([0.5] * 3)

    @pytest.mark.parametrize("method", [one_coin, dawid_skene])
    def test_a_label_that_nobody_gave_has_no_probability(self, method):
        result = method(labels_of("110", "101", "000", q=3))
        assert result.posterior[:, 2] == pytest.approx(np.zeros(3))
        assert np.isfinite(result.posterior).all()

    @pytest.mark.parametrize("method", [one_coin, dawid_skene])
    @pytest.mark.parametrize("labels", [labels_of("00", "0.", q=1), labels_of("..", "..")])
    def test_one_label_or_none(self, method, labels):
        result = method(labels)
        assert result.label.tolist() == ([0, 0] if len(labels) else [UNDECIDED] * 2)

    def test_not_settled_is_said(self):
        labels, _, _ = simulated()
        assert "after 2 rounds" in one_coin(labels, most_rounds=2).warnings[-1]
        assert one_coin(labels).warnings == ()
        with pytest.raises(ValueError, match="at least one round"):
            one_coin(labels, most_rounds=0)

    def test_few_labels_an_annotator(self):
        few, _, _ = simulated(items=100, annotators=40)
        assert "40 of 40 annotators have fewer than 50 labels" in dawid_skene(few).warnings[0]
        enough, _, _ = simulated(items=800, annotators=40)
        assert dawid_skene(enough).warnings == ()
        assert one_coin(few).warnings == ()


class TestLabels:
    def test_a_second_vote_is_named_by_its_row(self):
        with pytest.raises(
            ValueError,
            match=r"Row 3: annotator 4 labels item 1 a second time, after row 1\.",
        ):
            Labels([0, 1, 2, 1, 0], [4, 4, 4, 4, 4], [0, 0, 0, 1, 1], 3, 5, 2)

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"item": [0, 3]}, "Row 1: the item index 3 is outside the range from 0 to 2"),
            ({"annotator": [-1, 0]}, "Row 0: the annotator index -1 is outside the range"),
            ({"label": [0, 2]}, "Row 1: the label index 2 is outside the range"),
            ({"label": [0]}, r"`label` has the shape \(1,\) instead of \(2,\)"),
            ({"label": [0.0, 1.0]}, "`label` must contain whole numbers, not float64 values"),
            ({"n_labels": 0}, "At least one possible label is required"),
        ],
    )
    def test_arrays_that_do_not_fit(self, change, message):
        arrays = {"item": [0, 1], "annotator": [0, 0], "label": [0, 1], "n_items": 3, "n_annotators": 1, "n_labels": 2}
        with pytest.raises(ValueError, match=message):
            Labels(**{**arrays, **change})
        assert len(Labels(**arrays)) == 2

    def test_counts(self):
        assert labels_of("110", "...", "0.1").counts.tolist() == [[1, 2], [0, 0], [1, 1]]
