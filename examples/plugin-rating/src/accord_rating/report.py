"""The results: the mean of each item with its interval, and the agreement between annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accord_core.exchange.arrays import Columns, finite_or_none, read_json_array
from accord_core.numerics.agreement import RESAMPLES, agreement
from accord_core.numerics.bootstrap import Coefficient
from accord_core.numerics.printed import coefficient, interval
from accord_rating.columns import Judged, columns, judged
from accord_rating.numerics.intervals import averages
from accord_rating.numerics.orders import mean_concordance, midranks
from accord_rating.options import RANKING
from accord_rating.people import annotator_figures
from annotate.tasktypes import End, Headline, LabelSet, Outcome, Progress, ReportResult, StudyData

HEADLINE = "Agreement of annotators"
ALPHA, CONCORDANCE = "Krippendorff’s α, interval", "Kendall’s W"
LEVEL = "krippendorff_alpha_interval"


def results(stored: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress) -> ReportResult:
    """Return the figures of all items and scales, and one row per annotator."""
    return _report(stored, int(parameters.get("resamples", RESAMPLES)), seed)


def progress_report(stored: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress) -> ReportResult:
    """Return the figures for an open study, without intervals for the agreement."""
    return _report(stored, 0, seed)


def _report(stored: Columns, resamples: int, seed: int) -> ReportResult:
    if not len(stored["answers"]):
        return ReportResult(0, 0, "No judgements count yet.")
    is_order = read_json_array(stored["mode"]) == RANKING
    on_scales = judged(stored)
    names = read_json_array(stored["names"])
    if is_order:
        agreed, chance = mean_concordance(_orders(on_scales[0]), resamples=resamples, seed=seed)
        agreements = [agreed]
    else:
        agreements, chance = [_alpha(each, len(names), resamples, seed) for each in on_scales], None
    keys, texts = (read_json_array(stored[name]) for name in ("keys", "texts"))
    scales = [
        {
            **{name: each.scale[name] for name in ("name", "low", "high")},
            "agreement": agreed.as_figure(),
            "items": _items(each, keys, texts, seed, is_order=is_order),
        }
        for each, agreed in zip(on_scales, agreements, strict=True)
    ]
    own: dict[str, Any] = {"mode": RANKING if is_order else "rating", "resamples": resamples, "scales": scales}
    if chance is not None:
        own["chance"] = chance
    return ReportResult(
        len(stored["answers"]),
        len(np.unique(stored["answers"][:, 1])),
        headline=_headline(scales, agreements, chance, is_order=is_order),
        people=annotator_figures(stored, on_scales),
        own=own,
    )


def label_sets(stored: Columns) -> list[LabelSet]:
    """Return the ratings on each scale as labels. Orders have no labels in common."""
    if not len(stored["answers"]) or read_json_array(stored["mode"]) == RANKING:
        return []
    annotators = len(read_json_array(stored["names"]))
    sets = []
    for each in judged(stored):
        labels, values, _ = each.labels(annotators)
        sets.append(LabelSet(each.scale["name"], labels, values))
    return sets


def outcomes(data: StudyData) -> list[Outcome]:
    """Return the mean of each item on each scale, from −1 to 1, for the comparison with a repeat."""
    stored = columns(data)
    keys = read_json_array(stored["keys"])
    found = []
    for each in judged(stored):
        low, width = each.scale["low"], each.scale["high"] - each.scale["low"]
        means = averages(each.item, each.value, len(keys), low=low, high=low + width, seed=1).mean
        values = [None if np.isnan(mean) else 2 * (float(mean) - low) / width - 1 for mean in means]
        first = dict(zip(each.item.tolist()[::-1], each.question.tolist()[::-1], strict=True))
        clusters = [str(first.get(number, "")) for number in range(len(keys))]
        found.append(Outcome(each.scale["name"], "items", keys, clusters, values, are_scores=True))
    return found


def _alpha(each: Judged, annotators: int, resamples: int, seed: int) -> Coefficient:
    """Return Krippendorff's α for intervals, with questions as the units that are resampled."""
    labels, values, question = each.labels(annotators)
    return agreement(labels, resamples=resamples, seed=seed, clusters=question, level="interval", values=values)[LEVEL]


def _orders(each: Judged) -> list[np.ndarray]:
    """Return the ranks (m, n) that m annotators gave to the n items of each question."""
    found = []
    for question in np.unique(each.question):
        own = each.question == question
        people, row = np.unique(each.annotator[own], return_inverse=True)
        ranks = np.zeros((len(people), int(each.place[own].max()) + 1))
        ranks[row, each.place[own]] = each.rank[own]
        found.append(ranks)
    return found


def _items(
    each: Judged, keys: Sequence[str], texts: Sequence[str], seed: int, *, is_order: bool
) -> list[dict[str, Any]]:
    """Return the figures of each judged item, with the highest mean first."""
    found = averages(each.item, each.value, len(keys), low=each.scale["low"], high=each.scale["high"], seed=seed)
    rank = _mean_ranks(each, len(keys)) if is_order else None
    order = [number for number in np.argsort(-found.mean, kind="stable").tolist() if found.count[number]]
    rows = []
    for number in order:
        row: dict[str, Any] = {"item": keys[number], "text": texts[number], "judgements": int(found.count[number])}
        for name in ("mean", "low", "high", "median", "median_low", "median_high", "sd"):
            value = finite_or_none(float(getattr(found, name)[number]))
            row[name] = None if value is None else round(value, 6)
        if rank is not None:
            row["mean_rank"] = round(float(rank[number]), 6)
        rows.append(row)
    return rows


def _mean_ranks(each: Judged, items: int) -> np.ndarray:
    """Return the mean of the midranks (I,) of each item."""
    middle = np.zeros(len(each.rank))
    own = each.question * (int(each.annotator.max()) + 1) + each.annotator
    for judgement in np.unique(own):
        middle[own == judgement] = midranks(each.rank[own == judgement])
    return np.bincount(each.item, middle, items) / np.maximum(1, np.bincount(each.item, minlength=items))


def _headline(
    scales: Sequence[Mapping[str, Any]], agreements: Sequence[Coefficient], chance: float | None, *, is_order: bool
) -> Headline:
    defined = [each for each in agreements if each.value is not None]
    name = CONCORDANCE if is_order else ALPHA
    if not defined:
        return Headline(name, [End("agreement", name, None)], doubt=f"Undefined: {agreements[0].reason}.")
    mean = sum(each.value or 0 for each in defined) / len(defined)
    if len(scales) > 1:
        doubt = "Mean of the scales: " + ", ".join(
            f"{scale['name']} {coefficient(each.value)}" for scale, each in zip(scales, agreements, strict=True)
        )
    elif defined[0].low is not None:
        doubt = f"95% interval {interval(defined[0].low, defined[0].high)}"
    else:
        doubt = "No interval"
    if chance is not None:
        doubt += f". Random orders have {coefficient(chance)}"
    return Headline(name, [End("agreement", name, mean)], doubt=f"{doubt}.")
