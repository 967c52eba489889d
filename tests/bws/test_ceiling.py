"""Tests of the noise ceiling, compared with loops and with simulated collections whose true figures are known."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from click.testing import CliRunner
from django.template.loader import render_to_string

from accord_core.bws.numerics.ceiling import RESTRICTED_RANGE_OF_SCORES, _figures, noise_ceiling
from accord_core.bws.numerics.design import best_worst_design
from accord_core.bws.numerics.left_out import LeftOut
from accord_core.bws.numerics.model_reliability import half_of_rows
from accord_core.bws.numerics.scoring import Judgements, counting_scores, tuple_index
from accord_core.bws.numerics.simulation import simulate_judgements
from accord_core.numerics.jackknife import Removals
from accord_core.numerics.printed import coefficient
from annotate.commands.main import main
from bws.console.report import _ceilings
from bws.noise_ceiling import ceiling_figures
from tests.console_study import browser_of, collected, page_of, report_on


def simulated(n_items: int, *, annotators: int = 30, seed: int = 1) -> tuple[Judgements, np.ndarray, np.ndarray]:
    """Return judgements, the utilities of the items, and the predictions of a system."""
    generator = np.random.default_rng(seed)
    truth = generator.normal(0, 1.5, n_items)
    system = 0.8 * truth + 0.6 * generator.normal(0, 1.5, n_items)
    design = best_worst_design(n_items, seed=seed)
    return simulate_judgements(design, truth, annotators=annotators, seed=seed), truth, system


def rho(x: np.ndarray, y: np.ndarray) -> float:
    """Return Spearman's correlation from ranks that count pairs, because importing scipy.stats takes seconds."""
    ranks = [(each[:, None] > each).sum(axis=1) + (each[:, None] == each).sum(axis=1) / 2 for each in (x, y)]
    return np.corrcoef(*ranks)[0, 1]


def test_the_corrected_correlation_recovers_the_truth():
    judgements, truth, system = simulated(300)
    ceiling = noise_ceiling(judgements, system, splits=5)
    figures = ceiling.figures
    score = counting_scores(judgements).score
    true_ceiling = rho(score, truth)
    true_correlation = rho(system, truth)
    assert figures["ceiling"]["value"] == pytest.approx(true_ceiling, abs=0.02)
    assert figures["ceiling"]["low"] < true_ceiling < figures["ceiling"]["high"]
    assert figures["correlation"]["value"] == pytest.approx(rho(score, system))
    assert figures["correlation"]["value"] < true_correlation - 0.02, "errors in the scores lower the correlation"
    assert figures["corrected"]["value"] == pytest.approx(true_correlation, abs=0.04)
    assert figures["corrected"]["low"] < true_correlation < figures["corrected"]["high"]
    assert ceiling.generalises_to == "items and annotators"


def test_the_reliability_follows_the_formula_for_halves_of_unequal_length():
    judgements, _, system = simulated(40)
    generator = np.random.default_rng(2)
    half = half_of_rows(tuple_index(judgements), "tuples", generator)
    left_out = LeftOut(
        judgements, np.zeros(len(judgements), dtype=np.int64), Removals(1, generator), np.arange(judgements.n_items)
    )
    figures = _figures(left_out.blocks, [half], system)[0]
    one, other = counting_scores(judgements.take(half)), counting_scores(judgements.take(~half))
    both = (one.appearances > 0) & (other.appearances > 0)
    r = rho(one.score[both], other.score[both])
    whole = counting_scores(judgements).appearances
    lengths = []
    for each in (one, other):
        shown = each.appearances > 0
        lengths.append(np.mean(whole[shown] / each.appearances[shown]))
    m = np.mean(lengths)
    assert m > 2
    assert figures[0] == pytest.approx(m * r / (1 + (m - 1) * r))
    assert figures[1] == pytest.approx(figures[0] ** 0.5)
    assert figures[3] == pytest.approx(figures[2] / figures[1])


def test_groups_without_enough_items_or_variation_have_a_reason():
    judgements, _, system = simulated(40)
    few = noise_ceiling(judgements, system, np.arange(40) < 5)
    assert (few.items, few.reason) == (5, "there are fewer than 10 items")
    assert few.figures["ceiling"] == {"value": None, "low": None, "high": None}
    constant = noise_ceiling(judgements, np.zeros(40), splits=3)
    assert constant.reason.startswith("the scores or the predictions do not vary")
    with pytest.raises(ValueError, match="number of predictions"):
        noise_ceiling(judgements, system[:5])


def test_without_a_system_only_the_figures_of_the_scores_remain():
    judgements, _, system = simulated(40)
    alone, beside = noise_ceiling(judgements, splits=5), noise_ceiling(judgements, system, splits=5)
    assert alone.figures == {name: beside.figures[name] for name in ("reliability", "ceiling")}
    assert noise_ceiling(judgements, None, np.arange(40) < 5).reason == "there are fewer than 10 items"


@pytest.mark.nightly
def test_the_report_has_a_ceiling_for_each_source(monkeypatch):
    judgements, _, _ = simulated(40)
    metadata = [{"source": "news" if n % 2 else ""} for n in range(40)]
    figures = ceiling_figures(judgements, metadata, 1)
    assert list(figures["groups"]) == ["(empty)", "news"]
    news = noise_ceiling(judgements, None, np.arange(40) % 2 == 1).as_dict()
    assert figures["groups"]["news"] == news
    assert "groups" not in ceiling_figures(judgements, [{"source": "news"}] * 40, 1)
    assert "groups" not in ceiling_figures(judgements, [{"source": str(n)} for n in range(40)], 1), "every item differs"


@pytest.mark.nightly
@pytest.mark.django_db
def test_the_report_page_shows_the_ceiling_by_source_with_a_footnote(monkeypatch):
    study = collected(items=16, annotators=3)
    report = report_on(study)
    figures = report.result["noise_ceiling"]
    assert figures["ceiling"]["value"] == pytest.approx(figures["reliability"]["value"] ** 0.5)
    page = browser_of(study).get(page_of(study, f"results/{report.number}/")).content.decode()
    assert "expected correlation of a perfect system" in " ".join(page.split())
    assert RESTRICTED_RANGE_OF_SCORES not in page, "the items have no sources"
    few = {"items": 5, "reason": "there are fewer than 10 items", "generalises_to": "items"}
    rows = _ceilings({"noise_ceiling": {**figures, "groups": {"news": {**figures, "items": 11}, "fiction": few}}})
    assert [(row["name"], row.get("source"), row["items"]) for row in rows] == [
        ("All items", None, 16),
        ("news", True, 11),
        ("fiction", True, 5),
    ]
    context = {"study": study, "ceilings": rows, "restricted_range": RESTRICTED_RANGE_OF_SCORES}
    text = render_to_string("bws/noise_ceiling.html", context)
    assert RESTRICTED_RANGE_OF_SCORES in text
    assert "There are fewer than 10 items." in text
    assert coefficient(figures["reliability"]["value"]) in text


def test_unknown_annotators_limit_the_interval_to_items():
    judgements, _, system = simulated(40)
    unknown = Judgements(judgements.items, judgements.best, judgements.worst, 40)
    assert noise_ceiling(unknown, system, splits=3).generalises_to == "items"


@pytest.mark.nightly
def test_the_command_prints_all_figures_by_group(tmp_path, monkeypatch):
    judgements, _, system = simulated(40)
    rows = [
        [*(f"i{item}" for item in items), f"i{best}", f"i{worst}", f"a{annotator}"]
        for items, best, worst, annotator in zip(
            judgements.items, judgements.best, judgements.worst, judgements.annotator, strict=True
        )
    ]
    header = ["Item1", "Item2", "Item3", "Item4", "BestItem", "WorstItem", "Annotator"]
    files = {
        "annotations.csv": [header, *rows],
        "system.csv": [["item", "score"], *([f"i{n}", str(value)] for n, value in enumerate(system))],
        "items.csv": [["id", "source"], *([f"i{n}", "news" if n % 2 else "fiction"] for n in range(40))],
    }
    for name, lines in files.items():
        with (tmp_path / name).open("w", newline="") as file:
            csv.writer(file).writerows(lines)

    def run(*arguments: str) -> tuple[int, str]:
        paths = [str(tmp_path / each) if each in files else each for each in arguments]
        result = CliRunner().invoke(main, ["evaluate", "ceiling", *paths])
        return result.exit_code, result.stdout or result.stderr

    figures = json.loads(run("annotations.csv", "system.csv", "--items", "items.csv", "--json")[1])
    assert figures["groups"].keys() == {"news", "fiction"}
    expected = noise_ceiling(judgements, system).figures["corrected"]["value"]
    assert figures["corrected"]["value"] == pytest.approx(expected, abs=0.02)  # the file numbers the items differently
    text = run("annotations.csv", "system.csv")[1]
    assert "noise ceiling" in text
    assert "a perfect system" in text
    detectable = figures["detectable"][0]
    assert detectable["corrected"] == pytest.approx(detectable["difference"] / figures["ceiling"]["value"])
    assert "(80% power, 5% level)" in text
    table = list(csv.reader(io.StringIO(run("annotations.csv", "system.csv", "--format", "csv")[1])))
    assert table[0][:3] == ["group", "items", "reliability"]
    code, message = run("annotations.csv", "system.csv", "--items", "items.csv", "--by", "domain")
    assert code
    code, message = run("annotations.csv", "system.csv", "--by", "domain")
    assert code == 2
    assert "needs --items FILE" in message
