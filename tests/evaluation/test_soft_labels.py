"""Tests of scores on soft labels, against SciPy and against calculations vote by vote."""

import json
from math import log

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy, wasserstein_distance

from accord_core.evaluation.formats.label_predictions import read_label_predictions
from accord_core.evaluation.formats.soft_labels import collected_votes, read_collected
from accord_core.evaluation.numerics.soft_scores import FLOOR, estimate, held_out_counts, jensen_shannon, system_counts
from accord_core.exchange.faults import TableError
from accord_core.exchange.soft_labels import write_soft_labels
from accord_core.numerics.labels import Labels
from accord_core.numerics.soft_labels import MODELS, fitted, posteriors_without_each_vote, vote_shares
from annotate.commands.main import main
from evaluation.label_scores import HELD_OUT, VOTES, baselines, system_measures

VOTE_ROWS = [
    ("i1", "abc", ["yes", "yes", "no"]),
    ("i2", "abd", ["no", "no", "no"]),
    ("i3", "bcd", ["yes", "maybe", "no"]),
    ("i4", "ad", ["maybe", "yes"]),
    ("i5", "c", ["yes"]),
]
VOTE_FILE = "item,annotator,label,question\n" + "".join(
    f"{item},{who},{label},q{item[1] in '12'}\n"
    for item, people, labels in VOTE_ROWS
    for who, label in zip(people, labels, strict=True)
)
NAMES = ["maybe", "no", "yes"]
PROBABILITIES = {
    "i1": [0.1, 0.3, 0.6],
    "i2": [0.0, 0.5, 0.5],
    "i3": [0.2, 0.2, 0.6],
    "i4": [0.25, 0.25, 0.5],
    "i5": [1.0, 0.0, 0.0],
}
WIDE = "item,maybe,no,yes\n" + "".join(f"{item},{','.join(map(str, row))}\n" for item, row in PROBABILITIES.items())


def random_labels(seed, items=6, annotators=4, q=3):
    generator = np.random.default_rng(seed)
    pairs = [(i, a) for i in range(items) for a in range(annotators) if generator.random() < 0.8 or a == i % annotators]
    item, annotator = np.array(pairs).T
    return Labels(item, annotator, generator.integers(0, q, len(pairs)), items, annotators, q)


class TestMeasures:
    def test_against_scipy(self):
        file = read_collected(VOTE_FILE.encode(), name="f", model="dawid_skene")
        predicted = read_label_predictions(WIDE.encode(), file.items, file.names, name="f")
        assert file.names == NAMES
        measures = {m.name: m for m in system_measures(file.collected, predicted, None, resamples=200, seed=1)}
        shares = vote_shares(file.collected.votes)
        q = np.array(list(PROBABILITIES.values()))
        divergences = [jensenshannon(*row, base=2) ** 2 for row in zip(shares, q, strict=True)]
        found = measures["Jensen–Shannon divergence"]
        assert found.value == pytest.approx(np.mean(divergences))
        assert found.low < found.value < found.high
        floored = np.maximum(q, FLOOR)
        by_scipy = [
            entropy(p) + sum(a * log(a / b) for a, b in zip(p, r, strict=True) if a)
            for p, r in zip(shares, floored, strict=True)
        ]
        assert measures["Cross-entropy"].value == pytest.approx(np.mean(by_scipy))
        # The item i2 has a tie between the correct label and another label, i3 and i4 have no majority, i5 is wrong.
        assert measures["Accuracy"].value == pytest.approx((1 + 0.5 + 0) / 3)
        posterior = fitted(file.collected.labels, "dawid_skene").posterior
        expected = [posterior[0, 2], posterior[1, 1:].mean(), posterior[2, 2], posterior[3, 2], posterior[4, 0]]
        assert measures["Error-aware accuracy"].value == pytest.approx(np.mean(expected))

    def test_distances_as_in_the_shared_task_on_learning_with_disagreements(self):
        votes = "item,annotator,label\n" + "".join(
            f"{item},{who},{label}\n"
            for item, labels in {"i1": [1, 2, 2], "i2": [5, 5, 5], "i3": [1, 3, 10]}.items()
            for who, label in zip("abc", labels, strict=True)
        )
        file = read_collected(votes.encode(), name="f", model="one_coin")
        scale = [1, 2, 3, 5, 10]
        assert file.names == [str(point) for point in scale]
        q = [[0.5, 0.5, 0, 0, 0], [0.1, 0.2, 0, 0.7, 0], [0.2] * 5]
        wide = "item,10,5,3,2,1\n" + "".join(
            f"{item},{','.join(map(str, reversed(row)))}\n" for item, row in zip(file.items, q, strict=True)
        )
        predicted = read_label_predictions(wide.encode(), file.items, file.names, name="f")
        measures = {m.name: m.value for m in system_measures(file.collected, predicted, None, resamples=0, seed=1)}
        p = [[1 / 3, 2 / 3, 0, 0, 0], [0, 0, 0, 1, 0], [1 / 3, 0, 1 / 3, 0, 1 / 3]]
        manhattan = [sum(abs(a - b) for a, b in zip(*rows, strict=True)) for rows in zip(p, q, strict=True)]
        assert measures["Manhattan distance"] == pytest.approx(np.mean(manhattan))
        moved = [wasserstein_distance(scale, scale, *rows) for rows in zip(p, q, strict=True)]
        assert measures["Wasserstein distance"] == pytest.approx(np.mean(moved))

    def test_labels_have_no_cross_entropy(self):
        file = read_collected(VOTE_FILE.encode(), name="f", model="one_coin")
        rows = "".join(f"{item},yes\n" for item in file.items)
        predicted = read_label_predictions(f"item,label\n{rows}x,no\n".encode(), file.items, NAMES, name="f")
        assert (predicted.probabilities, predicted.further) == (False, 1)
        measures = system_measures(file.collected, predicted, None, resamples=0, seed=1)
        assert measures[2].value is None
        assert measures[2].note == "the system gives labels without probabilities"
        assert measures[4].value == pytest.approx(np.mean([2 / 3, 2, 4 / 3, 1, 0]))
        assert len(measures) == 5  # the labels are not numbers
        assert measures[0].value == pytest.approx(2 / 3)

    @given(st.integers(0, 10_000))
    def test_the_votes_have_the_lowest_cross_entropy(self, seed):
        labels = random_labels(seed)
        file = collected_votes(labels, [f"i{n}" for n in range(6)], ["a", "b", "c"], "one_coin")
        shares = vote_shares(file.collected.votes)
        lowest = estimate(system_counts(file.collected, shares, probabilities=True).sum(0, keepdims=True))[:, 0]
        other = np.random.default_rng(seed).dirichlet([1, 1, 1], size=len(shares))
        worse = estimate(system_counts(file.collected, other, probabilities=True).sum(0, keepdims=True))[:, 0]
        assert lowest[2] == pytest.approx(np.mean([entropy(p) for p in shares]))
        assert lowest[2] <= worse[2]
        assert lowest[3] == 0
        assert 0 <= worse[3] <= 1
        swapped = jensen_shannon(other, shares)
        assert jensen_shannon(shares, other) == pytest.approx(swapped)

    @given(st.integers(0, 10_000), st.sampled_from(MODELS))
    def test_a_held_out_annotator_vote_by_vote(self, seed, model):
        labels = random_labels(seed)
        file = collected_votes(labels, [f"i{n}" for n in range(6)], ["a", "b", "c"], model)
        by_item = {}
        without = posteriors_without_each_vote(labels, file.collected.estimates)
        for row, (item, vote) in enumerate(zip(labels.item, labels.label, strict=True)):
            others = [labels.label[n] for n in range(len(labels)) if labels.item[n] == item and n != row]
            if others:
                p = np.bincount(others, minlength=3) / len(others)
                smoothed = (np.bincount(others, minlength=3) + 0.5) / (len(others) + 1.5)
                figures = [without[row, vote], -log(smoothed[vote]), jensenshannon(p, np.eye(3)[vote], base=2) ** 2]
                by_item.setdefault(item, []).append(figures)
        counts = estimate(held_out_counts(file.collected).sum(0, keepdims=True))[1:4, 0]
        assert counts == pytest.approx(np.mean([np.mean(rows, axis=0) for rows in by_item.values()], axis=0))

    @pytest.mark.parametrize("model", MODELS)
    def test_the_posterior_without_a_vote_times_the_likelihood_is_the_posterior(self, model):
        labels = random_labels(3)
        estimates = fitted(labels, model)
        without = posteriors_without_each_vote(labels, estimates)
        if model == "dawid_skene":
            likelihood = np.array(
                [estimates.confusion[a, :, k] for a, k in zip(labels.annotator, labels.label, strict=True)]
            )
        else:
            accuracy = estimates.accuracy[labels.annotator][:, None]
            likelihood = np.where(np.arange(3) == labels.label[:, None], accuracy, (1 - accuracy) / 2)
        product = without * likelihood
        product /= product.sum(axis=1, keepdims=True)
        assert product == pytest.approx(estimates.posterior[labels.item])


class TestFiles:
    def test_soft_labels_give_the_same_figures_as_votes(self):
        file = read_collected(VOTE_FILE.encode(), name="f", model="dawid_skene", cluster="question")
        columns = {name: fitted(file.collected.labels, name).posterior for name in MODELS}
        text = "".join(
            write_soft_labels(file.items, file.names, file.collected.votes, columns, {"question": file.clusters})
        )
        assert text.splitlines()[3].startswith("i1,yes,2,0.666667,0.555556,")
        again = read_collected(text.encode(), name="f", model="dawid_skene", cluster="question")
        assert (again.items, again.names, again.clusters) == (file.items, file.names, file.clusters)
        assert (again.collected.votes == file.collected.votes).all()
        assert again.collected.posterior == pytest.approx(file.collected.posterior, abs=1e-6)
        held_out = [{b.name: b for b in baselines(each.collected, None, resamples=0, seed=1)} for each in (file, again)]
        assert held_out[0][HELD_OUT].measures[3] == held_out[1][HELD_OUT].measures[3]
        assert held_out[1][HELD_OUT].measures[1].value is None
        assert held_out[0][VOTES].measures[3].value == 0

    def test_three_layouts_of_predictions(self):
        long = "item,label,probability\n" + "".join(
            f"{item},{label},{p}\n"
            for item, row in PROBABILITIES.items()
            for label, p in zip(NAMES, row, strict=True)
            if p
        )
        items = list(PROBABILITIES)
        wide, rows = (read_label_predictions(text.encode(), items, NAMES, name="f") for text in (WIDE, long))
        assert wide.values.tolist() == rows.values.tolist()
        assert wide.probabilities
        assert rows.probabilities

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("item,label\na,yes\na,no\nb,perhaps\n", "line 3, column item: a already has a prediction on line 2"),
            (
                "item,label\na,yes\nb,perhaps\n",
                "line 3, column label: “perhaps” is not a label. The labels are no, yes",
            ),
            ("item,no,yes\na,0.5,0.6\nb,1,0\n", "line 2: the probabilities of a sum to 1.1 instead of 1"),
            ("item,no,yes\na,0.5,x\nb,1,0\n", "line 2, column yes: “x” is not a probability between 0 and 1"),
            ("item,label\na,yes\n", "b is missing. A system must predict every item"),
        ],
    )
    def test_errors(self, text, expected):
        with pytest.raises(TableError) as error:
            read_label_predictions(text.encode(), ["a", "b"], ["no", "yes"], name="f")
        assert expected in [str(fault) for fault in error.value.faults]


@pytest.mark.nightly
def test_command(tmp_path):
    (tmp_path / "votes.csv").write_text(VOTE_FILE)
    (tmp_path / "system.csv").write_text(WIDE)
    (tmp_path / "other.csv").write_text("item,label\n" + "".join(f"i{n},yes\n" for n in range(1, 6)))
    (tmp_path / "splits.csv").write_text("item,split\ni1,test\ni2,test\ni3,train\ni4,dev\ni5,train\n")
    system, votes, other, splits = (str(tmp_path / f"{name}.csv") for name in ("system", "votes", "other", "splits"))

    def run(*arguments):
        return CliRunner().invoke(main, ["evaluate", "labels", *arguments])

    found = json.loads(run(system, other, votes, "--cluster", "question", "--json").stdout)
    assert found["systems"]["system"]["Accuracy"]["value"] == pytest.approx(0.5)
    (difference,) = found["differences"]
    assert difference["Accuracy"]["value"] == pytest.approx(0.5 - 2 / 3)
    assert difference["Cross-entropy"]["reason"] == "the system gives labels without probabilities"
    assert list(found["baselines"]) == ["Held-out annotator", "The votes themselves", "Frequency of each label"]
    test = run(system, votes, "--split", "test", "--splits", splits)
    assert test.stdout.startswith("2 items in the test part with the labels maybe, no, yes\nsystem\n  Accuracy ")
    assert "to which the system gives a probability below 1e-06" in run(system, votes).stderr
    assert "the column is missing" in run(system, votes, "--split", "test").stderr


def test_the_interval_of_an_expected_accuracy_contains_only_probabilities():
    votes = ["pnprnprnrpnprpn", "pnpnnprprpnprpr", "prprnprnrpppnnr"]  # of three annotators on 15 items
    item, annotator = np.tile(np.arange(15), 3), np.repeat(np.arange(3), 15)
    label = np.array(["npr".index(vote) for row in votes for vote in row])
    names = [f"i{number}" for number in range(15)]
    file = collected_votes(Labels(item, annotator, label, 15, 3, 3), names, ["n", "p", "r"], "dawid_skene")
    for baseline in baselines(file.collected, None, resamples=1_000, seed=1):
        aware = baseline.measures[1]
        assert aware.name == "Error-aware accuracy"
        assert 0 <= aware.low <= aware.value <= aware.high <= 1
