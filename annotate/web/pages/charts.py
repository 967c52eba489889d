"""Charts for the console, with their data, a label for screen readers, and a table of the same figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.text import slugify

from annotate.console.selectors.overview import WINDOW, CountAt, ShareAt
from annotate.numerics.intervals import wilson_interval
from annotate.results.selectors.reports import Snapshot
from annotate.tasktypes import Bars, Headline
from annotate.templatetags.figures import coefficient, count, percent

Table = Sequence[Sequence[str]]
NAMED = 12  # categories that the label of a bar chart lists


@dataclass(frozen=True)
class Chart:
    """A chart, with its data and a table of the same figures. `label` describes the chart for people who cannot see it.

    `kind` is the name of the static module `js/charts/<kind>.js` and of the function in it. Task types can add modules.
    `axes` names the horizontal and the vertical axis with their units. `explanation` is the name of the explanation of
    the figures. A chart with fewer than two `marks` (by default, the rows of the table) is shown as a sentence.
    """

    id: str
    kind: str
    title: str
    label: str
    data: dict[str, Any]
    columns: Sequence[str]
    rows: Table
    caption: str = ""
    legend: Sequence[tuple[str, str]] = field(default=())
    axes: tuple[str, str] = field(kw_only=True)
    explanation: str = field(kw_only=True)
    marks: int | None = field(default=None, kw_only=True)

    @property
    def is_drawn(self) -> bool:
        return (len(self.rows) if self.marks is None else self.marks) > 1

    @property
    def data_id(self) -> str:
        return f"{self.id}-data"

    @property
    def module(self) -> str:
        return f"js/charts/{self.kind}.js"


def judgements_chart(points: Sequence[CountAt], planned: int) -> Chart | None:
    if not points:
        return None
    return Chart(
        "judgements",
        "judgements",
        "Judgements",
        f"Number of judgements over time: {points[-1].count:,} of {planned:,}",
        {"points": [{"at": _iso(point), "count": point.count} for point in points], "wanted": planned},
        ("Time (UTC)", "Judgements"),
        [(f"{point.at:%Y-%m-%d %H:%M:%S}", count(point.count)) for point in points],
        "The chart shows currently counted judgements by submission time.",
        axes=("Time of the answer (UTC)", "Judgements"),
        explanation="judgements",
    )


def hours_chart(judgements: Sequence[int]) -> Chart | None:
    """Return the chart of the judgements by hour of the day, or None if there are no judgements."""
    if not any(judgements):
        return None
    busiest = max(range(24), key=lambda hour: judgements[hour])
    return Chart(
        "hours",
        "hours",
        "Judgements by hour of the day",
        f"Judgements in the last 7 days by hour of the day. The busiest hour starts at {busiest:02}:00 UTC and has "
        f"{judgements[busiest]:,} judgements",
        {"judgements": list(judgements)},
        ("Hour (UTC)", "Judgements"),
        [(f"{hour:02}:00", count(number)) for hour, number in enumerate(judgements)],
        "The chart shows currently counted judgements from the last 7 days, by hour of the day (UTC).",
        axes=("Hour of the day (UTC)", "Judgements"),
        explanation="judgements",
        marks=sum(number > 0 for number in judgements),
    )


def gold_chart(points: Sequence[ShareAt], threshold: float) -> Chart | None:
    if not points:
        return None
    last = points[-1]
    rule = f". The pass mark is {percent(threshold)}" if threshold else ""
    window = f"{'hours with at least' if last.answers > WINDOW else 'the last'} {WINDOW}"
    return Chart(
        "gold",
        "shares",
        "Gold accuracy",
        f"Share of gold questions answered as expected, over time. Currently {percent(last.share, 1)}{rule}",
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
        f"Each point is based on {window} gold answers. The band shows the 95% interval.",
        axes=("Time of the answer (UTC)", "Gold accuracy (%)"),
        explanation="gold_accuracy",
    )


def headline_chart(reports: Sequence[Snapshot]) -> Chart | None:
    """Return the chart of the main figure by number of judgements. If several reports have the same number of
    judgements, the chart shows the latest one.

    The label describes the latest report. It can have fewer judgements than an earlier report, because judgements can
    stop counting.
    """
    with_figures = [snapshot for snapshot in reports if snapshot.headline.low is not None]
    if not with_figures:
        return None
    latest = with_figures[-1]
    # Reports from older versions of a task type can use different names for the two figures. The chart includes only
    # reports that use the current names.
    names = _names(latest.headline)
    comparable = {each.judgements: each.headline for each in with_figures if _names(each.headline) == names}
    points = [(number, [end.value for end in comparable[number].ends]) for number in sorted(comparable)]
    current = sorted(comparable).index(latest.judgements)
    return band_chart("headline", latest.headline.name, latest.headline, points, current)


def band_chart(
    name: str,
    title: str,
    headline: Headline,
    points: Sequence[tuple[int, Sequence[float | None]]],
    current: int | None = None,
) -> Chart:
    """Return a chart that plots one or two lines against the number of judgements, and shades the band between two
    lines.

    The values in `points` are in the order of `headline.ends`. Of two lines, the first is ochre and the second is ink.
    `current` is the index of the point that the label describes. It is the last point by default.
    """
    current = len(points) - 1 if current is None else current
    judgements, values = points[current]
    description = ", ".join(
        f"{coefficient(value)} {end.label}" for end, value in zip(headline.ends, values, strict=True)
    )
    target = "" if headline.target is None else f". The target for all judgements is {coefficient(headline.target, 2)}"
    return Chart(
        name,
        "band",
        title,
        f"{headline.name} by number of judgements: {description}, at {judgements:,} judgements{target}",
        {
            "points": [{"judgements": number, "values": list(each)} for number, each in points],
            "target": headline.target,
            "present": current,
        },
        ("Judgements", *(end.label.capitalize() for end in headline.ends)),
        [(count(number), *(coefficient(value) for value in each)) for number, each in points],
        headline.caption,
        [(voice, f"{headline.name}, {end.label}") for voice, end in zip(("open", "bar0"), headline.ends, strict=True)]
        if len(headline.ends) > 1
        else (),
        axes=("Judgements", headline.name),
        explanation="headline",
    )


def _names(headline: Headline) -> list[str]:
    return [end.name for end in headline.ends]


def people_chart(result: dict[str, Any], threshold: float) -> Chart | None:
    shares = []
    for person in result.get("people", ()):
        interval = wilson_interval(person["gold_right"], person["gold_given"])
        if interval:
            share = person["gold_right"] / person["gold_given"]
            shares.append((share, interval, person))
    if not shares:
        return None
    shares.sort(key=lambda row: (row[0], row[2]["gold_given"]))
    below = sum(share < threshold for share, _, _ in shares)
    return Chart(
        "annotators-gold",
        "people",
        "Annotators on gold",
        f"Gold accuracy of {_annotators(len(shares))} with 95% intervals. "
        f"Annotators below {percent(threshold)}: {below}",
        {
            "people": [{"share": share, "low": low, "high": high} for share, (low, high), _ in shares],
            "threshold": threshold,
        },
        ("Annotator", "As expected", "Answers", "Share", "95% interval"),
        [
            (p["pseudonym"], count(p["gold_right"]), count(p["gold_given"]), percent(share), _interval(*interval))
            for share, interval, p in shares
        ],
        f"The chart shows the gold accuracy of {_annotators(len(shares))} with its 95% interval, sorted from lowest "
        f"to highest. The "
        f"chart includes annotators whose answers no longer count.",
        axes=("Annotators, from lowest to highest accuracy", "Gold accuracy (%)"),
        explanation="gold_accuracy",
    )


def bars_chart(title: str, bars: Bars) -> Chart:
    """Return a chart of category counts, such as the number of questions in which an item appears."""
    rows = [(str(name), count(number)) for name, number in bars.rows]
    summary = "; ".join(f"{number} {bars.counts} with {name} {bars.categories}" for name, number in rows[:NAMED])
    return Chart(
        slugify(title),
        "bars",
        title,
        f"{title}: {summary}",
        {"rows": [list(row) for row in bars.rows]},
        (bars.categories.capitalize(), bars.counts.capitalize()),
        rows,
        f"{bars.counts.capitalize()} by {bars.categories}",
        axes=(bars.categories.capitalize(), bars.counts.capitalize()),
        explanation="design_counts",
    )


def _annotators(number: int) -> str:
    return f"{number:,} annotator{'' if number == 1 else 's'}"


def forecast_sentence(headline: Headline, present: int) -> tuple[str, str]:
    """Return a forecast of the number of additional judgements needed to reach the target, and the unit of this
    number.
    """
    if headline.target is None or headline.needed is None:
        return "too early", "to forecast how many more judgements are needed"
    low, high = (max(0, total - present) for total in headline.needed)
    if high == 0:
        return "reached", "according to the forecast"
    return (f"{low:,} to {high:,} more" if low != high else f"{high:,} more"), headline.unit


def _interval(low: float, high: float) -> str:
    return f"{100 * low:.0f}–{percent(high)}"


def _iso(point: CountAt | ShareAt) -> str:
    return point.at.isoformat()
