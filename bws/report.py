"""Reports on best–worst studies: scores, reliability and other figures from the arrays that `columns` stores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord_core.bws.numerics.largest_error import LargestError, largest_standard_error
from accord_core.bws.numerics.reliability import (
    judgements_needed,
    reliability_by_amount,
    reliability_by_judgements,
    spearman_brown,
    split_half_reliability,
)
from accord_core.bws.numerics.reliability_intervals import reliability_intervals, widest
from accord_core.bws.numerics.scoring import Judgements
from accord_core.exchange.arrays import read_json_array
from annotate.tasktypes import Columns, Progress, ReportResult, rounds_figures
from bws.annotator_model import AnnotatorModel
from bws.columns import design_judgements, judgements_of, rounds_of
from bws.features import goes_with
from bws.headline import headline
from bws.noise_ceiling import ceiling_figures
from bws.people import annotator_figures
from bws.scores import item_scores

FEWEST_SPLITS, MOST_SPLITS = 100, 1_000
SPLIT_ROWS = 50_000_000  # judgements in all splits
BIN = 0.05
BEFORE = (0.25, 0.375, 0.5, 0.625, 0.75, 0.875)  # shares of the judgements, in the order of their submission
FEWEST_IN_GROUP = 5


def results(columns: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress) -> ReportResult:
    """Return the figures for a paper, such as scores, reliability, forecast and annotators."""
    judgements, rounds = judgements_of(columns), rounds_of(columns)
    # Adaptive rounds would bias the reliability, so it is calculated only from the random tuples of the design.
    random = design_judgements(columns)
    if not len(random):
        return ReportResult(0, 0, "No judgements count yet.")
    progress(0.05, "scores")
    scores = item_scores(read_json_array(columns["keys"]), judgements, rounds)
    splits = splits_of(random)
    progress(0.15, f"split-half reliability, {splits:,} splits")
    reliability = _reliability(random, float(columns["target"]), seed, len(judgements))
    progress(0.45, "noise ceiling")
    metadata = read_json_array(columns["metadata"])
    ceiling = ceiling_figures(random, metadata, seed)
    progress(0.5, "reliability against judgements")
    model = AnnotatorModel(judgements, seed)
    own = {
        "scores": scores,
        "histogram": _histogram(np.array([v for v in scores["unit"] if v is not None])),
        "goes_with": _goes_with(columns, scores["unit"], seed),
        "groups": _groups(metadata, scores["unit"]),
        "reliability": reliability,
        "noise_ceiling": ceiling,
        "by_level": [
            half.as_dict() | {"level": _level(half.annotations, half.tuples)}
            for half in reliability_by_judgements(random, splits=200, seed=seed)
        ],
        "by_amount": _by_amount(random, reliability, seed, progress),
        "annotator_model": model.as_dict(),
        "gold": _gold_questions(columns),
        "positions": _positions(columns),
        **rounds_figures(rounds),
    }
    return ReportResult(
        len(judgements),
        len(np.unique(columns["annotator"])),
        headline=headline(reliability, len(judgements) - len(random), _largest_error(random, columns, seed)),
        people=annotator_figures(columns, judgements, read_json_array(columns["names"]), seed, model),
        own=own,
    )


def progress_report(columns: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress) -> ReportResult:
    """Return a short report for an open study, with the same reliability as in the results and the gold accuracy."""
    judgements = judgements_of(columns)
    random = design_judgements(columns)
    own: dict[str, Any] = {
        "gold_right": int(columns["gold_passed"].sum()),
        "gold_given": len(columns["gold_passed"]),
    }
    if not len(random):
        return ReportResult(0, own=own)
    own["reliability"] = _reliability(random, float(columns["target"]), seed, len(judgements))
    error = _largest_error(random, columns, seed)
    figures = headline(own["reliability"], len(judgements) - len(random), error)
    return ReportResult(len(judgements), headline=figures, own=own)


def _largest_error(judgements: Judgements, columns: Columns, seed: int) -> LargestError | None:
    """Return the largest standard error of the design's items, or None if an item has too few judgements."""
    in_design = len(np.unique(columns["tuples"]))
    return largest_standard_error(judgements, seed=seed) if len(np.unique(judgements.items)) == in_design else None


def splits_of(judgements: Judgements) -> int:
    """Return the number of splits, which is the same in all reports on the same judgements. Large studies need fewer
    splits, because their correlations vary less between splits.
    """
    return max(FEWEST_SPLITS, min(MOST_SPLITS, SPLIT_ROWS // max(1, len(judgements))))


def _reliability(judgements: Judgements, target: float, seed: int, total: int) -> dict[str, Any]:
    """Return the reliability of the design's `judgements`, and forecasts of the judgements that the target needs. The
    `total`, and therefore the forecasts, include the judgements from adaptive rounds.
    """
    adaptive, splits = total - len(judgements), splits_of(judgements)
    within = split_half_reliability(judgements, splits=splits, seed=seed, unit="judgements")
    whole = split_half_reliability(judgements, splits=splits, seed=seed, unit="tuples")
    forecast: dict[str, Any] = {"target": target}
    for name, half in (("within", within), ("whole", whole)):
        r = half.spearman_mean
        forecast[name] = None if r is None else _added(judgements_needed(r, target, len(judgements)), adaptive)
        forecast[f"{name}_of_all"] = None if r is None else spearman_brown(r)
    over = widest(judgements)
    with_intervals = {
        name: half.as_dict() | {"interval": reliability_intervals(judgements, half, over=over, seed=seed).as_dict()}
        for name, half in (("within", within), ("whole", whole))
    }
    same = reliability_intervals(judgements, within, over="tuples", seed=seed).spearman
    with_intervals["within"]["same_annotators"] = {"low": same.low, "high": same.high}
    return {**with_intervals, "forecast": forecast}


def _added(needed: int | None, adaptive: int) -> int | None:
    return None if needed is None else needed + adaptive


def _by_amount(
    judgements: Judgements, reliability: Mapping[str, Any], seed: int, progress: Progress
) -> list[dict[str, Any]]:
    """Return the reliability after each part of the judgements, calculated from fewer splits. The last value is taken
    from `reliability`, which covers all judgements.
    """

    def say(done: int, total: int) -> None:
        progress(0.5 + 0.4 * done / total, "reliability against judgements")

    points = reliability_by_amount(judgements, fractions=BEFORE, splits=60, seed=seed, progress=say)
    earlier = [
        {
            "judgements": point.judgements,
            "within": point.within_tuples.spearman_mean,
            "whole": point.whole_tuples.spearman_mean,
        }
        for point in points
        if point.judgements < len(judgements)
    ]
    whole = {name: reliability[name]["spearman"]["mean"] for name in ("within", "whole")}
    return [*earlier, {"judgements": len(judgements), **whole}]


def _histogram(unit: NDArray[np.float64]) -> list[dict[str, float]]:
    edges = np.linspace(0, 1, round(1 / BIN) + 1)
    counts, _ = np.histogram(unit, bins=edges)
    return [
        {"from": round(float(low), 2), "to": round(float(high), 2), "items": int(count)}
        for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True)
    ]


def _groups(metadata: list[dict[str, str]], unit: list[float | None]) -> dict[str, list[dict[str, Any]]]:
    """Return five-number summaries of the scores by group, for each metadata column that divides the items into a few
    groups.
    """
    groups = {}
    for column in metadata[0] if metadata else ():
        values: dict[str, list[float]] = {}
        for row, score in zip(metadata, unit, strict=True):
            if score is not None:
                values.setdefault(row.get(column, ""), []).append(score)
        if 2 <= len(values) <= 20 and all(len(scores) >= FEWEST_IN_GROUP for scores in values.values()):
            groups[column] = [
                {
                    "group": name or "(empty)",
                    "items": len(scores),
                    "quantiles": np.quantile(scores, [0, 0.25, 0.5, 0.75, 1]).round(4).tolist(),
                }
                for name, scores in sorted(values.items())
            ]
    return groups


def _gold_questions(columns: Columns) -> list[dict[str, Any]]:
    """Return how often annotators answered each gold question wrongly. If most annotators answer a gold question
    wrongly, the expected answer may be wrong.
    """
    tally: dict[str, list[int]] = {}
    for ref, passed in zip(read_json_array(columns["gold_ref"]), columns["gold_passed"].tolist(), strict=True):
        counts = tally.setdefault(ref, [0, 0])
        counts[0] += 1
        counts[1] += passed
    return [{"ref": ref, "given": answers, "right": right} for ref, (answers, right) in sorted(tally.items())]


def _positions(columns: Columns) -> dict[str, list[int]]:
    size = columns["items"].shape[1]
    return {
        "best": np.bincount(columns["best_place"], minlength=size).tolist(),
        "worst": np.bincount(columns["worst_place"], minlength=size).tolist(),
    }


def _level(annotations: int, tuples: int) -> int:
    return round(annotations / tuples)


def _goes_with(columns: Columns, unit: Sequence[float | None], seed: int) -> dict[str, Any]:
    """Return the correlations between the scores and the item features, and the feature values in key order."""
    prefix = "feature:"
    feature_values = {name.removeprefix(prefix): columns[name] for name in columns if name.startswith(prefix)}
    scores = np.array([np.nan if value is None else value for value in unit])
    return {
        "correlations": goes_with(feature_values, scores, resamples=200, seed=seed),
        "values": {
            name: [None if np.isnan(v) else float(v) for v in values] for name, values in feature_values.items()
        },
    }
