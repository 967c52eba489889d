"""Tests of `accord plan bws`: the table, the target, and clear messages for impossible plans."""

import csv
import io
import json

import numpy as np
import pytest
from click.testing import CliRunner, Result

from accord_core.bws.numerics.design import best_worst_design
from accord_core.bws.numerics.scoring import counting_scores, counting_standard_errors, spearman
from accord_core.bws.numerics.simulation import simulate_judgements
from accord_core.numerics.printed import coefficient
from annotate.commands.main import main

FAST = ("--studies", "20")


def plan(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["plan", "bws", *map(str, arguments), *FAST])


def message(result: Result) -> str:
    assert result.exit_code != 0
    return " ".join(str(result.exception if not result.output else result.output).split())


@pytest.fixture(scope="module")
def pilot(tmp_path_factory: pytest.TempPathFactory) -> str:
    utility = np.random.default_rng(1).normal(0, 1.5, 40)
    judgements = simulate_judgements(best_worst_design(40), utility, annotators=8, per_tuple=2)
    path = tmp_path_factory.mktemp("plan") / "pilot.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["Item1", "Item2", "Item3", "Item4", "BestItem", "WorstItem", "Annotator"])
        for row in range(len(judgements)):
            items = [f"i{item}" for item in judgements.items[row]]
            chosen = f"i{judgements.best[row]}", f"i{judgements.worst[row]}"
            writer.writerow([*items, *chosen, f"a{judgements.annotator[row]}"])
    return str(path)


def test_the_plan_compares_designs_within_the_budget() -> None:
    result = plan("--items", 60, "--price", "0.50", "--per-hit", 10, "--fee", 0.2, "--budget", 32, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["per_question"] for row in rows] == ["2", "4"]
    assert [row["cost"] for row in rows] == ["14.40", "28.80"]
    for row in rows:
        assert float(row["low"]) < float(row["reliability"]) < float(row["high"])
    assert float(rows[0]["standard_error"]) > float(rows[1]["standard_error"])


@pytest.mark.nightly
def test_the_same_seed_gives_the_same_plan() -> None:
    assert plan("--items", 40, "--json").stdout == plan("--items", 40, "--json").stdout
    assert plan("--items", 40, "--json").stdout != plan("--items", 40, "--json", "--seed", 2).stdout


def test_without_a_pilot_the_plan_names_its_assumptions() -> None:
    shown = plan("--items", 40, "--careless", "0.05-0.2").stdout
    assert "Assumptions: spread of the utilities 1.50, share of careless annotators 0." in shown
    assert "Use --pilot" in shown


def test_a_pilot_replaces_the_assumptions(pilot: str) -> None:
    figures = json.loads(plan("--items", 60, "--pilot", pilot, "--annotators", 12, "--json").stdout)
    spread = figures["assumptions"]["spread"]
    assert spread["low"] < spread["value"] < spread["high"]
    assert 0.6 < spread["value"] < 4
    assert figures["notes"][0].startswith("Estimates from the pilot")


def test_the_cheapest_design_for_a_target_is_named() -> None:
    shown = plan("--items", 60, "--price", "0.05", "--target", 0.9, "--careless", 0).stdout
    assert "The cheapest design with a reliability of at least .90 has" in shown
    assert "judgements for €" in shown


@pytest.mark.nightly
def test_a_target_that_cannot_be_reached_states_the_best_figure() -> None:
    shown = plan("--items", 40, "--spread", 0.1, "--target", 0.95, "--annotators", 60).stdout
    assert "The target .95 cannot be reached with this design: even 50 judgements per question give" in shown


def test_the_budget_is_divided_between_tuples_and_judgements_per_tuple() -> None:
    result = plan("--items", 200, "--budget", 160, "--price", "0.10", "--json")
    designs = json.loads(result.stdout)["for_budget"]
    assert [(row["per_question"], row["design"]["factor"]) for row in designs] == [
        (2, 4.0), (3, 2.66), (4, 2.0), (6, 1.33), (8, 1.0)
    ]  # fmt: skip
    for row in designs:
        assert 0.98 * 160 < float(row["cost"]) <= 160
        assert row["answers"] == row["questions"] * row["per_question"]
    # More tuples per item compare an item with more other items, which gives more information.
    errors = [row["figures"]["standard_error"] for row in designs]
    assert errors == sorted(errors)
    truth = [row["figures"]["correlation_with_truth"] for row in designs]
    assert truth == sorted(truth, reverse=True)
    text = " ".join(plan("--items", 200, "--budget", 160, "--price", "0.10").stdout.split())
    lowest = coefficient(errors[0], 3)
    best = "2 judgements per question with factor 4 have the lowest standard error of a score"
    assert f"{best} from −1 to 1: {lowest}." in text
    assert "for_budget" not in json.loads(plan("--items", 200, "--json").stdout)
    text = " ".join(plan("--items", 200, "--budget", 200_000, "--price", "0.10").stdout.split())
    assert "The budget pays for 2,000,000 judgements, but plans simulate at most 1,000,000." in text


@pytest.mark.nightly
def test_figures_for_the_budget_are_those_of_studies_with_this_design() -> None:
    for row in json.loads(plan("--items", 200, "--budget", 160, "--price", "0.10", "--json").stdout)["for_budget"]:
        factor, per_tuple = row["design"]["factor"], row["per_question"]
        tuples = best_worst_design(200, factor=factor, seed=4)
        drawn = []
        for seed in range(25):
            utility = np.random.default_rng(seed).normal(0, 1.5, 200)
            careless = np.random.default_rng(seed).binomial(20, 0.1) / 20
            judgements = simulate_judgements(tuples, utility, per_tuple=per_tuple, careless=careless, seed=seed)
            errors = counting_standard_errors(judgements)
            drawn.append((spearman(counting_scores(judgements).score, utility), np.nanmean(errors)))
        truth, error = np.mean(drawn, axis=0)
        assert row["figures"]["correlation_with_truth"] == pytest.approx(truth, abs=0.012)
        assert row["figures"]["standard_error"] == pytest.approx(error, rel=0.03)


def test_days_determine_the_number_of_annotators() -> None:
    figures = json.loads(plan("--items", 60, "--seconds", 60, "--days", 0.5, "--json").stdout)
    assert [design["annotators"] for design in figures["designs"]] == [4, 8, 12, 16]


@pytest.mark.nightly
def test_gold_questions_that_stop_nobody_are_reported() -> None:
    assert "all gold questions are easy" in " ".join(plan("--items", 40, "--gold", 0.1).stdout.split())
    assert "all gold questions are easy" not in plan("--items", 40, "--gold", 0.1, "--caught", 0.5).stdout


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("--items", 1), "require at least 4 items, but the number of items is 1"),
        (("--items", 60, "--price", 1, "--budget", 0), "A budget of €0.00 pays for 0 judgements"),
        (("--items", 60, "--price", 1, "--budget", 120), "The budget is sufficient for 30 items"),
        (("--items", 60, "--budget", 100), "--budget needs --price"),
        (("--items", 60, "--answers", "1,2"), "--answers needs numbers from 2 to 20"),
        (("--items", 60, "--careless", "many"), "not a number or a range"),
        (("--items", 60, "--spread", "3-1"), "with the lower bound first"),
        (("--items", 60, "--price", "cheap"), "not an amount of money"),
        (("--items", 60, "--price", "1e400"), "The amount must be from 0 to 1,000,000,000,000, not 1e400"),
        (("--items", 60, "--days", "nan"), "nan is not a number"),
        (("--items", 60, "--seconds", "inf"), "inf is not a number"),
    ],
)
def test_impossible_plans_are_explained(arguments: tuple[object, ...], part: str) -> None:
    assert part in message(plan(*arguments))
