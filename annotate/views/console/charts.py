"""What a chart of the console is made of: the JSON that it is drawn from, its name in words, the table behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from annotate.models import Study
from annotate.numerics.intervals import wilson_interval
from annotate.selectors.overview import CountAt, ShareAt
from annotate.selectors.reports import Snapshot
from annotate.templatetags.figures import coefficient, count, percent

Table = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Chart:
    """`kind` names a module in static/js/charts; `label` is what somebody hears who cannot see the drawing."""

    id: str
    kind: str
    title: str
    label: str
    data: dict[str, Any]
    columns: Sequence[str]
    rows: Table
    caption: str = ""
    legend: Sequence[tuple[str, str]] = field(default=())

    @property
    def data_id(self) -> str:
        return f"{self.id}-data"


def judgements_chart(points: Sequence[CountAt], wanted: int) -> Chart | None:
    if not points:
        return None
    return Chart(
        "judgements", "judgements", "Judgements",
        f"Judgements counted against time: {points[-1].count:,} of {wanted:,}",
        {"points": [{"at": _iso(point), "count": point.count} for point in points], "wanted": wanted},
        ("Time (UTC)", "Judgements"),
        [(f"{point.at:%Y-%m-%d %H:%M:%S}", count(point.count)) for point in points],
        "Judgements that count now, at the time when they were given.",
    )  # fmt: skip


def gold_chart(points: Sequence[ShareAt], threshold: float) -> Chart | None:
    if not points:
        return None
    last = points[-1]
    rule = f"; annotators are stopped below {percent(threshold)}" if threshold else ""
    return Chart(
        "gold", "shares", "Gold accuracy",
        f"Share of gold questions answered as expected, against time: {percent(last.share, 1)} now{rule}",
        {
            "points": [
                {"at": _iso(point), "share": point.share, "low": point.low, "high": point.high} for point in points
            ],
            "threshold": threshold,
        },
        ("Time (UTC)", "Answers", "As expected", "95% interval"),
        [
            (f"{p.at:%Y-%m-%d %H:%M:%S}", count(p.answers), percent(p.share, 1), _interval(p.low, p.high))
            for p in points
        ],
        "Over the last 100 gold answers, 95% interval.",
    )  # fmt: skip


def reliability_chart(found: Sequence[Snapshot]) -> Chart | None:
    """From the sequence of reports: the latest at each number of judgements."""
    latest = {snapshot.judgements: snapshot for snapshot in found if snapshot.low is not None}
    points = [latest[judgements] for judgements in sorted(latest)]
    if not points:
        return None
    return _reliability(
        "reliability",
        "Reliability",
        [{"judgements": p.judgements, "within": p.within, "whole": p.whole} for p in points],
        points[-1].target,
    )


def reliability_by_amount(result: dict[str, Any]) -> Chart | None:
    points = [point for point in result.get("by_amount", ()) if point["within"] is not None]
    if not points:
        return None
    target = result["reliability"]["forecast"]["target"]
    return _reliability("reliability-by-amount", "Reliability against judgements collected", points, target)


def _reliability(name: str, title: str, points: Sequence[dict[str, Any]], target: float | None) -> Chart:
    last = points[-1]
    wanted = 0.85 if target is None else target
    return Chart(
        name, "reliability", title,
        f"Split-half reliability against judgements: {coefficient(last['within'])} splitting within tuples, "
        f"{coefficient(last['whole'])} splitting whole tuples, at {last['judgements']:,}; "
        f"target {coefficient(wanted, 2)}",
        {"points": list(points), "target": wanted},
        ("Judgements", "Within tuples", "Whole tuples"),
        [(count(p["judgements"]), coefficient(p["within"]), coefficient(p["whole"])) for p in points],
        "Splitting within tuples is optimistic, splitting whole tuples conservative; the truth for half the data lies "
        "between.",
    )  # fmt: skip


def histogram_chart(result: dict[str, Any], study: Study) -> Chart:
    bins = result["histogram"]
    scores = sorted(value for value in result["scores"]["unit"] if value is not None)
    middle = len(scores) // 2
    median = (scores[middle] + scores[~middle]) / 2
    return Chart(
        "scores", "histogram", "Scores",
        f"Histogram of {len(scores):,} scores from 0 to 1, median {coefficient(median)}",
        {
            "bins": bins, "median": median,
            "low": study.options.get("least", "lowest"), "high": study.options.get("most", "highest"),
        },
        ("From", "To", "Items"),
        [(coefficient(b["from"], 2), coefficient(b["to"], 2), count(b["items"])) for b in bins],
        f"{len(scores):,} items in bins of {coefficient(bins[0]['to'] - bins[0]['from'], 2)}.",
    )  # fmt: skip


def group_charts(result: dict[str, Any]) -> list[Chart]:
    return [
        Chart(
            f"scores-by-{number}", "groups", f"Scores by {column}",
            f"Scores by {column}: median, quartiles and range of {len(groups)} groups",
            {"groups": groups},
            (column, "Items", "Lowest", "Quartile", "Median", "Quartile", "Highest"),
            [(g["group"], count(g["items"]), *(coefficient(q) for q in g["quantiles"])) for g in groups],
            "Median, quartiles, range; number of items below the name.",
        )
        for number, (column, groups) in enumerate(result.get("groups", {}).items(), start=1)
    ]  # fmt: skip


def levels_chart(result: dict[str, Any]) -> Chart | None:
    levels = [row for row in result.get("by_level", ()) if row["spearman"]["mean"] is not None]
    if not levels:
        return None
    drawn = [
        {"level": row["level"], "mean": row["spearman"]["mean"], "sd": row["spearman"]["sd"] or 0.0} for row in levels
    ]
    said = ", ".join(f"{coefficient(row['mean'])} at {row['level']}" for row in drawn)
    return Chart(
        "reliability-by-level", "levels", "Reliability by judgements a tuple",
        f"Split-half reliability by judgements a tuple, subsampled: {said}",
        {"levels": drawn, "target": result["reliability"]["forecast"]["target"]},
        ("A tuple", "Judgements", "Spearman", "SD over splits", "Items", "Tuples"),
        [
            (
                str(row["level"]), count(row["annotations"]), coefficient(row["spearman"]["mean"]),
                coefficient(row["spearman"]["sd"]), count(row["items"]), count(row["tuples"]),
            )
            for row in levels
        ],
        "Subsampled from tuples that have so many judgements, split within tuples; bars are the SD over splits, no "
        "confidence interval.",
    )  # fmt: skip


def positions_chart(result: dict[str, Any], study: Study) -> Chart | None:
    places = result.get("positions")
    if not places:
        return None
    names = {"best": str(study.options.get("most", "best")), "worst": str(study.options.get("least", "worst"))}
    drawn = [
        {"place": place, "name": names[kind], "count": places[kind][place - 1]}
        for place in range(1, len(places["best"]) + 1)
        for kind in ("best", "worst")
    ]
    return Chart(
        "positions", "positions", "Places on the screen",
        "How often each place on the screen was chosen: "
        + "; ".join(f"{names[kind]} {', '.join(count(n) for n in places[kind])}" for kind in ("best", "worst")),
        {"rows": drawn, "names": list(names.values())},
        ("Place", *(name.capitalize() for name in names.values())),
        [
            (str(place), count(best), count(worst))
            for place, (best, worst) in enumerate(zip(places["best"], places["worst"], strict=True), start=1)
        ],
        "Places are shuffled for every showing, so careful annotators make the bars level.",
        [("bar0", names["best"]), ("open", names["worst"])],
    )  # fmt: skip


def people_chart(result: dict[str, Any], threshold: float) -> Chart | None:
    shares = []
    for person in result.get("people", ()):
        interval = wilson_interval(person["gold_right"], person["gold_given"])
        if interval:
            share = person["gold_right"] / person["gold_given"]
            shares.append((share, interval, person))
    if not shares:
        return None
    shares.sort(key=lambda found: (found[0], found[2]["gold_given"]))
    return Chart(
        "annotators-gold", "people", "Annotators on gold",
        f"Share of gold answered as expected by each of {len(shares):,} annotators, with 95% intervals; "
        f"{sum(share < threshold for share, _, _ in shares)} below {percent(threshold)}",
        {
            "people": [{"share": share, "low": low, "high": high} for share, (low, high), _ in shares],
            "threshold": threshold,
        },
        ("Annotator", "As expected", "Given", "Share", "95% interval"),
        [
            (p["pseudonym"], count(p["gold_right"]), count(p["gold_given"]), percent(share), _interval(*interval))
            for share, interval, p in shares
        ],
        "Each annotator’s share of gold answered as expected, lowest first, with its 95% interval.",
    )  # fmt: skip


def forecast_sentence(needed: Sequence[int | None], present: int, target: float | None) -> tuple[str, str]:
    """(how many, of what) more judgements reach the target, from forecasts of how many are needed in all."""
    known = [max(0, total - present) for total in needed if total is not None]
    if target is None or not known:
        return "Too early", "to say how many more judgements are needed"
    low, high = min(known), max(known)
    if high == 0:
        return "Reached", f"a forecast of {coefficient(target, 2)} for the whole"
    return (f"{low:,} to {high:,} more" if low != high else f"{high:,} more"), "judgements, as new tuples"


def _interval(low: float, high: float) -> str:
    return f"{100 * low:.0f}–{percent(high)}"


def _iso(point: CountAt | ShareAt) -> str:
    return point.at.isoformat()
