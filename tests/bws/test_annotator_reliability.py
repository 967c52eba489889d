"""Tests of annotator reliabilities with intervals, and of the check on held-out tuples."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from click.testing import CliRunner

from accord_core.bws.numerics.annotator_reliability import annotator_reliabilities, held_out_check
from accord_core.bws.numerics.design import best_worst_design
from accord_core.bws.numerics.maxdiff import judgement_likelihoods, likelihoods_without_own, maxdiff_scores
from accord_core.bws.numerics.scoring import Judgements
from accord_core.bws.numerics.simulation import simulate_judgements
from annotate.commands.main import main
from bws.annotator_model import AnnotatorModel


def simulated(*, careless: float, n_items: int = 120, annotators: int = 16) -> Judgements:
    truth = np.random.default_rng(1).normal(0, 1.5, n_items)
    return simulate_judgements(best_worst_design(n_items), truth, annotators=annotators, careless=careless, per_tuple=3)


def test_the_probability_of_a_judgement_is_that_of_the_definition():
    judgements = Judgements(np.array([[0, 1, 2]]), np.array([1]), np.array([2]), 3)
    utility = np.array([0.3, 1.0, -0.5])
    likelihood, chance = judgement_likelihoods(judgements, utility)
    pairs = {(i, j): np.exp(utility[i] - utility[j]) for i in range(3) for j in range(3) if i != j}
    assert likelihood[0] == pytest.approx(pairs[1, 2] / sum(pairs.values()))
    assert chance[0] == pytest.approx(1 / 6)
    with pytest.raises(ValueError, match="same item as best and worst"):
        judgement_likelihoods(Judgements(np.array([[0, 1, 2]]), np.array([1]), np.array([1]), 3), utility)


def test_intervals_separate_careless_from_careful_annotators():
    result = annotator_reliabilities(simulated(careless=0.25))
    assert result.reliability[:4].max() < result.reliability[4:].min()
    assert result.high[:4].max() < 0.7
    assert result.high[4:].min() > 0.9
    assert ((result.low <= result.reliability) & (result.reliability <= result.high)).all()
    assert result.judgements.sum() == 720


def test_annotators_without_consistent_judgements_have_no_reliability():
    judgements = simulated(careless=0)
    number = np.where(judgements.annotator == 15, 16, judgements.annotator)  # nobody has the number 15
    result = annotator_reliabilities(Judgements(judgements.items, judgements.best, judgements.worst, 120, number))
    assert np.isnan([result.reliability[15], result.low[15], result.high[15]]).all()


def test_fewer_than_eight_annotators_have_reliabilities_without_intervals():
    few = annotator_reliabilities(simulated(careless=0, n_items=40, annotators=7))
    assert (few.reliability > 0.8).all()
    assert np.isnan([few.low, few.high]).all()
    model = AnnotatorModel(simulated(careless=0, n_items=40, annotators=7), 1)
    assert model.of(0)["maxdiff_reliability_low"] is None


def test_an_annotator_is_compared_with_utilities_of_the_others():
    judgements = simulated(careless=0.25, n_items=40)
    weight = np.random.default_rng(2).random(len(judgements))
    likelihood = likelihoods_without_own(judgements, weight, 0.2)
    for annotator in (0, 9):
        own = judgements.annotator == annotator
        whole = Judgements(
            np.repeat(judgements.items[~own], np.rint(100 * weight[~own]).astype(int), axis=0),
            np.repeat(judgements.best[~own], np.rint(100 * weight[~own]).astype(int)),
            np.repeat(judgements.worst[~own], np.rint(100 * weight[~own]).astype(int)),
            40,
        )
        utility = maxdiff_scores(whole, penalty=20.0).utility
        expected, _ = judgement_likelihoods(judgements.take(own), utility)
        assert likelihood[own] == pytest.approx(expected, rel=0.02)


@pytest.mark.nightly
def test_held_out_tuples_show_whether_reliabilities_help():
    with_spammers, without = (held_out_check(simulated(careless=careless)) for careless in (0.4, 0))
    assert with_spammers.with_reliabilities > with_spammers.maxdiff
    assert with_spammers.low > 0
    assert with_spammers.conclusion.startswith("The annotator reliabilities improve")
    assert without.low <= 0
    assert "improve the prediction" not in without.conclusion
    for check in (with_spammers, without):
        assert check.chance == pytest.approx(-np.log(12))
        assert check.difference == pytest.approx(check.with_reliabilities - check.maxdiff)
        assert check.low < check.difference < check.high
    assert without.counting > without.chance


@pytest.mark.nightly
def test_the_interval_of_the_difference_uses_t_because_there_are_few_annotators(monkeypatch):
    from scipy import stats  # a slow import

    judgements = simulated(careless=0.4, n_items=40, annotators=4)
    check = held_out_check(judgements)
    monkeypatch.setattr("accord_core.bws.numerics.annotator_reliability.t_quantile", lambda df: 1.0)
    error = held_out_check(judgements).high - check.difference
    assert (check.high - check.difference) / error == pytest.approx(stats.t.ppf(0.975, 3), abs=0.002)


@pytest.mark.nightly
def test_the_report_contains_the_reliabilities_of_the_command():
    judgements = simulated(careless=0.25)
    model, fit = AnnotatorModel(judgements, 1), annotator_reliabilities(judgements)
    assert model.of(3)["maxdiff_reliability"] == pytest.approx(fit.reliability[3], abs=1e-4)
    assert model.of(3)["maxdiff_reliability_high"] == pytest.approx(fit.high[3], abs=1e-4)
    stored = model.as_dict()
    assert (stored["annotators"], stored["lowest"]) == (16, pytest.approx(fit.reliability.min(), abs=1e-4))
    assert stored["held_out"]["difference"] == pytest.approx(held_out_check(judgements).difference, abs=1e-4)
    few = AnnotatorModel(judgements.take(judgements.annotator < 2), 1)
    assert few.as_dict() is None
    assert set(few.of(0).values()) == {None}


@pytest.mark.nightly
def test_the_command_writes_reliabilities_and_says_whether_they_help(tmp_path):
    judgements = simulated(careless=0.25, n_items=60, annotators=8)
    rows = [
        [*(f"i{item}" for item in items), f"i{best}", f"i{worst}", f"a{annotator}"]
        for items, best, worst, annotator in zip(
            judgements.items, judgements.best, judgements.worst, judgements.annotator, strict=True
        )
    ]
    with (tmp_path / "annotations.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["Item1", "Item2", "Item3", "Item4", "BestItem", "WorstItem", "Annotator"], *rows])

    def score(*arguments):
        people = str(tmp_path / "people.csv")
        command = ["bws", "score", str(tmp_path / "annotations.csv"), *arguments, "--annotators", people]
        return CliRunner().invoke(main, command)

    result = score("--method", "maxdiff")
    assert result.stdout.startswith("item,score,standard_error")
    assert "held-out tuples" in result.stderr
    people = list(csv.DictReader(io.StringIO((tmp_path / "people.csv").read_text())))
    assert {row["annotator"] for row in people[:2]} == {"a0", "a1"}  # lowest first: the careless annotators
    assert list(people[0]) == ["annotator", "judgements", "reliability", "low", "high"]
    assert score().exit_code == 2
    assert "needs --method maxdiff" in score().stderr
