"""Tests of the charts of all task types: each chart has names for readers, and a table that fits its columns."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from annotate import tasktypes
from annotate.console.pages.charts import gold_chart, hours_chart, judgements_chart
from annotate.console.selectors.overview import CountAt, ShareAt
from annotate.gold.pages import rule as gold_rule
from annotate.models import Study
from annotate.tasktypes import Bars, End, Headline, extensions
from annotate.web.explanations import EXPLANATIONS
from annotate.web.pages import charts
from annotate.web.pages.charts import Chart
from bws.console import charts as bws_charts
from bws.features import LABELS
from bws.sampling import console as sampling
from bws.sampling.report import Bin, Report
from paraphrase.console import charts as paraphrase_charts
from tests.rooms import entries

ROOT = Path(__file__).resolve().parents[2]
PLACES = ("annotate", "bws", "paraphrase", "alignment_ui", "evaluation")
INTERNAL = re.compile(r"\b[a-z0-9]+_[a-z0-9_]+\b")
AT = datetime(2026, 11, 22, tzinfo=UTC)
PERSON = {"pseudonym": "mint-beaver", "gold_right": 3, "gold_given": 4, "judgements": 6}
RATED = PERSON | {"accuracy": 0.75, "balanced_accuracy": 0.7, "quality_candidates": 8}
HEADLINES = [kind.reports.headline for kind in tasktypes.installed() if kind.reports.headline]
STUDY = Study(task_type="bws", rule_threshold=0.7)


def headline(name: str) -> Headline:
    return Headline(name, [End("low", "whole tuples", 0.6), End("high", "within tuples", 0.8)], target=0.9)


def sampled(measure: str) -> Chart:
    bins = [Bin(0.0, 0.5, 3, 2.0, 1.0), Bin(0.5, 1.0, 1, 2.0, 3.0)]
    return sampling.overlap_chart(Report("buckets", 1, measure, False, 9, 9, {}, [], 0.4, bins))


def scattered(label: str) -> Chart:
    scores = {"key": ["a", "b"], "unit": [0.1, 0.9]}
    return bws_charts.scatter_chart(
        {"name": "column:length", "label": label, "value": 0.5}, [1.0, 2.0], {"scores": scores}
    )


BY_LEVEL = {"level": 2, "annotations": 40, "items": 20, "tuples": 20, "spearman": {"mean": 0.8, "sd": 0.1}}
RULE = {
    "false_stops": 0.05,
    "gold_answers": 2,
    "simulated_annotators": 100,
    "curve": [{"care": care, "accuracy": 0.9, "stopped": 0.2, "standard_error": 0.01} for care in (0.5, 1.0)],
    "annotators": [{"name": name, "stopped": 0.2, "stopped_by": [0.0, 0.2]} for name in gold_rule.IN_CHART],
}
CHARTS: dict[str, Callable[[], list[Any]]] = {
    "judgements_chart": lambda: [judgements_chart([CountAt(AT, 0), CountAt(AT, 5)], 10)],
    "hours_chart": lambda: [hours_chart([0, 5, 3, *[0] * 21])],
    "gold_chart": lambda: [gold_chart(STUDY, [ShareAt(AT, 20, 0.9, 0.7, 0.97)])],
    "band_chart": lambda: [
        charts.band_chart("headline", name, headline(name), [(10, [0.5, 0.7]), (20, [0.6, 0.8])]) for name in HEADLINES
    ],
    "people_chart": lambda: [charts.people_chart(STUDY, {"people": [PERSON, PERSON]})],
    "bars_chart": lambda: [charts.bars_chart("Places on the screen", bars) for bars in all_bars()],
    "histogram_chart": lambda: [
        bws_charts.histogram_chart(
            {"histogram": [{"from": 0.0, "to": 1.0, "items": 2}], "scores": {"unit": [0.1, 0.9]}}, STUDY
        )
    ],
    "scatter_chart": lambda: [scattered(label) for label in LABELS.values()],
    "group_charts": lambda: bws_charts.group_charts(
        {"groups": {"source": [{"group": "news", "items": 2, "quantiles": [0.0, 0.2, 0.5, 0.7, 1.0]}]}}
    ),
    "levels_chart": lambda: [
        bws_charts.levels_chart(
            {"by_level": [BY_LEVEL, BY_LEVEL | {"level": 4}], "reliability": {"forecast": {"target": 0.9}}}
        )
    ],
    "positions_chart": lambda: [bws_charts.positions_chart({"positions": {"best": [3, 4], "worst": [4, 3]}}, STUDY)],
    "overlap_chart": lambda: [sampled(measure) for measure in sampling.MEASURES],
    "votes_chart": lambda: [paraphrase_charts.votes_chart({"labels": {"yes": [1, 4], "n": [4, 4]}})],
    "operating_chart": lambda: [gold_rule.operating_chart(RULE | {"simulated_annotators": each}) for each in (0, 1000)],
    "stops_chart": lambda: [gold_rule.stops_chart(RULE)],
    **entries("CHARTS"),
    "accuracy_chart": lambda: [paraphrase_charts.accuracy_chart(STUDY, {"people": [RATED, RATED]})],
}


def sources() -> list[tuple[Path, ast.Module]]:
    files = [
        path for place in PLACES for path in sorted((ROOT / place).rglob("*.py")) if "migrations" not in path.parts
    ]
    texts = [(path, path.read_text(encoding="utf-8")) for path in files]
    return [(path, ast.parse(text)) for path, text in texts if "Chart(" in text or "Bars(" in text]


def calls_of(name: str, tree: ast.AST) -> list[ast.Call]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == name]


def all_bars() -> list[Bars]:
    """Return bars with the names in all bar charts of the task types' design reports."""
    reports = [tree for path, tree in sources() if path.name == "design_report.py"]
    names = [call.args[:2] for tree in reports for call in calls_of("Bars", tree)]
    assert len(names) >= 5
    rows = [("a", 2), ("b", 1)]
    return [Bars(ast.literal_eval(categories), ast.literal_eval(counts), rows) for categories, counts in names]


def test_every_chart_is_tested() -> None:
    functions = {
        node.name
        for _, tree in sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and calls_of("Chart", node)
    }
    assert functions == CHARTS.keys()


def test_captions_mention_annotators_whose_answers_do_not_count() -> None:
    some, all_count = ({"people": [RATED, RATED | {"judgements": number}]} for number in (0, 6))
    for draw in (partial(each, STUDY) for each in (charts.people_chart, paraphrase_charts.accuracy_chart)):
        assert "Included annotators without answers that count: 1." in draw(some).caption
        assert "that count" not in draw(all_count).caption


def test_the_pass_mark_of_a_measure_with_partial_scores_is_not_drawn_over_shares() -> None:
    result = {"people": [RATED, RATED]}
    in_parts = Study(task_type="words", rule_threshold=0.7, rule_measure="f1")
    [counted, other] = [charts.people_chart(study, result) for study in (STUDY, in_parts)]
    assert counted is not None
    assert other is not None
    assert (counted.data["threshold"], other.data["threshold"]) == (0.7, 0)
    assert "below" in counted.label
    assert "below" not in other.label


@pytest.mark.parametrize("name", CHARTS)
def test_charts_have_names_for_readers(name: str) -> None:
    explanations = {key for kind in tasktypes.installed() for key in kind.reports.explanations}
    explanations |= EXPLANATIONS.keys() | extensions.explanations().keys()
    drawn = CHARTS[name]()
    assert drawn
    for chart in drawn:
        assert isinstance(chart, Chart)
        for text in (chart.title, chart.label, *chart.axes, *chart.columns):
            assert text.strip(), name
            assert text[0].isupper() or text[0].isdigit() or chart.columns[0] == text, text
            assert INTERNAL.findall(text) == [], text
        assert INTERNAL.findall(chart.caption) == [], name
        assert chart.axes[0] != chart.axes[1]
        assert len(set(chart.columns)) == len(chart.columns), chart.columns
        assert all(len(row) == len(chart.columns) for row in chart.rows), name
        assert chart.rows
        assert (ROOT / "static" / chart.module).exists()
        assert chart.explanation in explanations, chart.explanation


@pytest.mark.parametrize(
    ("bars", "sentence"),
    [
        (Bars("candidates", "phrases", [(1, 36)]), "36 phrases with 1 candidate"),
        (Bars("candidates", "phrases", [(2, 1), (3, 4)]), "1 phrase with 2 candidates; 4 phrases with 3 candidates"),
        (Bars("domain", "sentences", [("all", 36)]), "all: 36 sentences"),
    ],
)
def test_a_sentence_for_the_bars_of_a_design(bars: Bars, sentence: str) -> None:
    assert charts.bars_chart("Design", bars).label == f"Design: {sentence}"
