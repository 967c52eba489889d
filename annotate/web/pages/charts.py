"""Charts for the console, with their data, a label for screen readers, and a table of the same figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.text import slugify

from accord_core.numerics.gold_measures import RIGHT
from accord_core.numerics.intervals import wilson_interval
from accord_core.numerics.printed import share_of
from annotate import tasktypes
from annotate.models import Study
from annotate.tasktypes import Bars, Headline
from annotate.templatetags.figures import coefficient, count, percent, with_noun

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
    rows: Sequence[Sequence[str]]
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


@dataclass(frozen=True)
class Table:
    """A table with one text per cell."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


def band_chart(
    name: str,
    title: str,
    headline: Headline,
    points: Sequence[tuple[int, Sequence[float | None]]],
    current: int | None = None,
) -> Chart:
    """Return a chart that plots one or two lines against the number of judgements, and shades the band between two
    lines.

    The values in `points` are in the order of `headline.ends`. Of two lines, the first is dashed and the second solid.
    `current` is the index of the point that the label describes. It is the last point by default.
    """
    current = len(points) - 1 if current is None else current
    judgements, values = points[current]
    description = ", ".join(
        f"{coefficient(value)} {end.label}" for end, value in zip(headline.ends, values, strict=True)
    )
    target = "" if headline.target is None else f". The target is {coefficient(headline.target, 2)}"
    return Chart(
        name,
        "band",
        title,
        f"{headline.name} by number of judgements: {description}, at {with_noun(judgements, 'judgement')}{target}",
        {
            "points": [{"judgements": number, "values": list(each)} for number, each in points],
            "target": headline.target,
            "present": current,
        },
        ("Judgements", *(end.label.capitalize() for end in headline.ends)),
        [(count(number), *(coefficient(value) for value in each)) for number, each in points],
        headline.caption,
        [(line, end.label.capitalize()) for line, end in zip(("dashed", "solid"), headline.ends, strict=True)]
        if len(headline.ends) > 1
        else (),
        axes=("Judgements", headline.name),
        explanation="headline",
    )


def pass_mark_of_shares(study: Study) -> float:
    """Return the pass mark, or 0 if the quality rule does not measure the share of gold answers as expected."""
    ratios = tasktypes.get(study.task_type).measure_ratios.get(study.rule_measure, ())
    return float(study.rule_threshold) if list(ratios) == [RIGHT] else 0.0


def people_chart(study: Study, result: dict[str, Any]) -> Chart | None:
    threshold, shares = pass_mark_of_shares(study), []
    for person in result.get("people", ()):
        interval = wilson_interval(person["gold_right"], person["gold_given"])
        if interval:
            share = person["gold_right"] / person["gold_given"]
            shares.append((share, interval, person))
    if not shares:
        return None
    shares.sort(key=lambda row: (row[1], row[0]))
    annotators = with_noun(len(shares), "annotator")
    below = count(sum(share < threshold for share, _, _ in shares))
    uncounted = sum(not person["judgements"] for _, _, person in shares)
    return Chart(
        "annotators-gold",
        "people",
        "Annotators on gold",
        f"Gold accuracy of {annotators} with 95% intervals"
        + (f". Annotators below {percent(threshold)}: {below}" if threshold else ""),
        {
            "people": [{"share": share, "low": low, "high": high} for share, (low, high), _ in shares],
            "threshold": threshold,
        },
        ("Annotator", "As expected", "Answers", "Share", "95% interval"),
        [
            (
                p["pseudonym"],
                count(p["gold_right"]),
                count(p["gold_given"]),
                share_of(p["gold_right"], p["gold_given"]),
                interval_text(*interval),
            )
            for _, interval, p in shares
        ],
        f"The chart shows the gold accuracy of {annotators} with its 95% interval, sorted by its lower end."
        + (f" Included annotators without answers that count: {count(uncounted)}." if uncounted else ""),
        axes=("Annotators, by the lower end of the interval", "Gold accuracy (%)"),
        explanation="gold_accuracy",
    )


def bars_chart(title: str, bars: Bars) -> Chart:
    """Return a chart of category counts, such as the number of questions in which an item appears."""
    rows = [(str(name), count(number)) for name, number in bars.rows]
    summary = "; ".join(_bar_in_words(bars, name, number) for name, number in bars.rows[:NAMED])
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


def _bar_in_words(bars: Bars, name: str | int, number: int) -> str:
    """Return “3 phrases with 1 candidate” for a bar with a number, or “news: 3 sentences” for a bar with a name."""
    counts = bars.counts.removesuffix("s") if number == 1 else bars.counts
    if isinstance(name, str):
        return f"{name}: {count(number)} {counts}"
    return f"{count(number)} {counts} with {name} {bars.categories.removesuffix('s') if name == 1 else bars.categories}"


def forecast_sentence(headline: Headline, present: int, planned: int = 0) -> str:
    """Return whether the target is reached, or the number of judgements that it still needs, and the number still
    `planned`. The text is empty if the report has no target.
    """
    if headline.target is None:
        return ""
    still = f", and {with_noun(planned, 'more judgement is,more judgements are')} planned" if planned else ""
    if headline.needed is None:
        return _rough_forecast(headline, still) or (
            "It is too early to predict how many judgements the target needs." if planned else ""
        )
    low, high = (max(0, total - present) for total in headline.needed)
    if high == 0:
        return f"The target is reached{still}."
    amount = count(high) if low == high else f"{count(low)} to {count(high)}" if low else f"up to {count(high)}"
    unit = headline.unit.replace("judgements", "judgement", 1) if high == 1 else headline.unit
    return f"The target needs {amount} more {unit}." + (f" The study plans {count(planned)} more." if planned else "")


def _rough_forecast(headline: Headline, still: str) -> str:
    """Return whether figures that are too rough for a forecast reach the target, or an empty string if they are below
    the target. As for the target of a study, the careful value decides.
    """
    target, low = headline.target, headline.low
    if target is None or low is None or low < target:
        return ""
    careful = [each.careful_value for each in headline.attained if each.kind == "reliability"]
    if careful and min(careful) >= target:
        return f"Rough estimates reach the target{still}."
    return f"The estimates reach the target, but they are too uncertain to count it as reached{still}."


def interval_text(low: float, high: float) -> str:
    """Return an interval of shares as text, such as “40–60%”."""
    return f"{100 * low:.0f}–{percent(high)}"
