"""Tests of plans for label studies: simulated labels, statistics of a pilot, coverage, and `accord plan labels`."""

import csv
import io
import json
from itertools import combinations

import numpy as np
import pytest
from click.testing import CliRunner, Result

from accord_core.numerics.agreement import krippendorff_alpha
from accord_core.numerics.labels import Labels
from accord_core.numerics.planning import (
    answers_needed,
    draw_parameters,
    forecast,
    predict_figures,
    simulate_pilots,
    simulate_studies,
)
from accord_core.numerics.predictions import similar_studies
from accord_core.paraphrase.numerics.pilot import FEWEST_PAIRS, Pilot
from accord_core.paraphrase.numerics.planning import label_studies, simulate_labels, smallest_accuracy_difference
from annotate.commands.main import main

VALUES = {"accuracy": 0.9, "difficulty": 0.4, "careless": 0.0, "frequent": 0.6}


def labels_of(items: int = 60, each: int = 4, annotators: int = 8, seed: int = 1, n_labels: int = 2) -> Labels:
    generator = np.random.default_rng(seed)
    annotator = generator.random((items, annotators)).argsort(axis=1)[:, :each]
    item = np.broadcast_to(np.arange(items)[:, None], annotator.shape)
    careless = np.arange(annotators) < 1
    _, label = simulate_labels(item, annotator, careless, VALUES, n_labels, generator)
    return Labels(item.ravel(), annotator.ravel(), label.ravel(), items, annotators, n_labels)


def test_simulated_labels_have_the_assumed_shares() -> None:
    generator = np.random.default_rng(1)
    item, annotator = np.divmod(np.arange(200_000), 4)
    values = {**VALUES, "difficulty": 0.01}
    truth, label = simulate_labels(item, annotator, np.array([True, False, False, False]), values, 3, generator)
    assert np.bincount(truth) / len(truth) == pytest.approx([0.6, 0.2, 0.2], abs=0.01)
    right = label == truth[item]
    assert right[annotator == 0].mean() == pytest.approx(1 / 3, abs=0.01)
    odds = np.log(0.9 / 0.1) + np.random.default_rng(1).normal(0, 0.5, 100_000)
    lowest, highest = np.quantile(1 / (1 + np.exp(-odds)), [0.001, 0.999])
    assert all(lowest < right[annotator == each].mean() < highest for each in (1, 2, 3))


def test_the_statistics_of_a_pilot_agree_with_their_definition() -> None:
    labels = labels_of()
    number = np.argsort(np.argsort(-np.bincount(labels.label)))
    assigned = {(i, a): int(number[x]) for i, a, x in zip(labels.item, labels.annotator, labels.label, strict=True)}
    pairs = [
        (assigned[i, a] == assigned[i, b], a, b)
        for i in range(60)
        for a, b in combinations(sorted(a for j, a in assigned if j == i), 2)
    ]
    share = np.mean([equal for equal, _, _ in pairs])
    means = []
    for annotator in range(8):
        own = [equal for equal, *both in pairs if annotator in both]
        means.append((sum(own) + share * FEWEST_PAIRS) / (len(own) + FEWEST_PAIRS))
    unanimous = [len({x for (j, _), x in assigned.items() if j == i}) == 1 for i in range(60)]
    expected = [
        krippendorff_alpha(labels).value, share, np.mean(unanimous), np.mean([x == 0 for x in assigned.values()]),
        np.std(means), min(means),
    ]  # fmt: skip
    assert Pilot.of(labels).statistics == pytest.approx(expected)


@pytest.mark.nightly
def test_predictions_after_a_pilot_cover_the_realised_agreement() -> None:
    """`bench/plan.py` shows that 92% to 98% of 400 intervals are correct, for larger studies."""
    model = label_studies(100, annotators=12, pilot=labels_of(40, each=3))
    parameters = draw_parameters(model, 900)
    statistics, figures = simulate_pilots(model, parameters), simulate_studies(model, parameters, [3])
    inside, widths = [], []
    for study in range(100):
        generator = np.random.default_rng([study, 3])
        values = {each.name: each.draw(generator) for each in model.assumptions}
        observed = model.simulate_pilot(values, generator)
        realised = model.simulate(values, [3], generator)[0, 0, 0]
        similar = similar_studies(statistics, observed)
        predicted = predict_figures(model, [3], similar, parameters[similar.draws], figures[similar.draws])
        _, low, high = predicted.levels[0].figures["alpha"]
        inside.append(low <= realised <= high)
        widths.append(high - low)
    assert 0.88 <= np.mean(inside) <= 0.999
    assert np.mean(widths) < 0.7


def test_more_labels_improve_the_majority_but_not_the_agreement() -> None:
    model = label_studies(300, careless=(0.1, 0.1))
    three, nine = forecast(model, [3, 9], studies=60).levels
    assert three.figures["alpha"].value == pytest.approx(nine.figures["alpha"].value, abs=0.03)
    assert nine.figures["label_accuracy"].value > three.figures["label_accuracy"].value + 0.03


def test_the_search_for_a_target_uses_odd_numbers_of_labels() -> None:
    model = label_studies(300)
    result = forecast(model, [3], studies=40)
    needed = answers_needed(model, result, 0.97, fewest=3, step=2)
    assert needed.answers in (5, 7)
    assert answers_needed(model, result, 0.9999999, fewest=3, step=2).answers is None


def test_the_smallest_difference_has_80_percent_power() -> None:
    """McNemar's test without continuity correction, on items whose labels are wrong with a probability of 5%."""
    items, accuracy = 1_000, 0.95
    difference = smallest_accuracy_difference(items, accuracy, 2)
    assert difference is not None
    generator = np.random.default_rng(1)
    one, other = (0.2 + difference) / 2, (0.2 - difference) / 2
    draws = generator.multinomial(items, [one, other, 0.8], 4_000)
    wrong = generator.binomial(draws[:, :2], 1 - accuracy)
    plus = draws[:, 0] - wrong[:, 0] + wrong[:, 1]
    minus = draws[:, 1] - wrong[:, 1] + wrong[:, 0]
    assert np.mean((plus - minus) / np.sqrt(plus + minus) > 1.96) == pytest.approx(0.8, abs=0.03)
    assert smallest_accuracy_difference(20, accuracy, 2) is None


def plan(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["plan", "labels", *map(str, arguments), "--studies", "20"])


def test_a_plan_from_a_pilot_file(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("plan") / "pilot.csv"
    labels = labels_of()
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["candidate", "annotator", "label"])
        for item, annotator, label in zip(labels.item, labels.annotator, labels.label, strict=True):
            writer.writerow([item, annotator, ["yes", "no"][label]])
    figures = json.loads(plan("--items", 300, "--pilot", path, "--item", "candidate", "--json").stdout)
    accuracy = figures["assumptions"]["accuracy"]
    assert 0.7 < accuracy["low"] < accuracy["value"] < accuracy["high"] < 0.99
    assert figures["notes"][0].startswith("Estimates from the pilot")


def test_the_table_has_one_row_per_number_of_labels() -> None:
    result = plan("--items", 100, "--price", "0.02", "--budget", 12, "--target", 0.9, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["per_question"] for row in rows] == ["3", "5", "6"]
    assert "an accuracy of the majority labels of at least .90" in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("--items", 1), "Agreement can be calculated only for two or more items, but the number is 1."),
        (("--items", 100, "--possible-labels", 1), "two or more labels"),
        (("--items", 100, "--price", 1, "--budget", 0), "pays for 0 labels"),
    ],
)
def test_impossible_plans_are_explained(arguments: tuple[object, ...], part: str) -> None:
    result = plan(*arguments)
    assert result.exit_code == 1
    assert part in str(result.exception) + result.output


def test_a_pilot_with_one_label_per_item_is_refused() -> None:
    with pytest.raises(ValueError, match="no item has two labels"):
        Pilot.of(labels_of(each=1))
