"""What a chart of the console is made of: the JSON that it is drawn from, its name in words, the table behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from annotate.numerics.intervals import wilson_interval
from annotate.selectors.overview import CountAt, ShareAt
from annotate.selectors.reports import Headline, Snapshot
from annotate.templatetags.figures import coefficient, count, percent

Table = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Chart:
    """`label` is what somebody hears who cannot see the drawing.

    `kind` names a function and its module, `js/charts/<kind>.js` among the static files: a task type may bring its own.
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

    @property
    def data_id(self) -> str:
        return f"{self.id}-data"

    @property
    def module(self) -> str:
        return f"js/charts/{self.kind}.js"


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


def headline_chart(found: Sequence[Snapshot]) -> Chart | None:
    """The headline against judgements from the sequence of reports: the latest at each number of judgements."""
    latest = {snapshot.judgements: snapshot.headline for snapshot in found if snapshot.headline.low is not None}
    points = [(judgements, latest[judgements]) for judgements in sorted(latest)]
    if not points:
        return None
    last = points[-1][1]
    # What a task type calls its ends may change from one version of it to the next; a chart has one kind of them.
    alike = [(judgements, found) for judgements, found in points if _names(found) == _names(last)]
    return band_chart("headline", last.name, last, [(number, [e.value for e in found.ends]) for number, found in alike])


def band_chart(
    name: str, title: str, headline: Headline, points: Sequence[tuple[int, Sequence[float | None]]]
) -> Chart:
    """One or two lines against judgements with the band between them; `points` has values in the order of `ends`."""
    judgements, values = points[-1]
    said = ", ".join(f"{coefficient(value)} {end.label}" for end, value in zip(headline.ends, values, strict=True))
    target = "" if headline.target is None else f"; target {coefficient(headline.target, 2)}"
    return Chart(
        name, "band", title,
        f"{headline.name} against judgements: {said}, at {judgements:,}{target}",
        {
            "points": [{"judgements": number, "values": list(each)} for number, each in points],
            "names": _names(headline),
            "target": headline.target,
        },
        ("Judgements", *(end.label.capitalize() for end in headline.ends)),
        [(count(number), *(coefficient(value) for value in each)) for number, each in points],
        headline.caption,
    )  # fmt: skip


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


def forecast_sentence(headline: Headline, present: int) -> tuple[str, str]:
    """(how many, of what) more judgements reach the target, from the forecast of how many are needed in all."""
    if headline.target is None or headline.needed is None:
        return "Too early", "to say how many more judgements are needed"
    low, high = (max(0, total - present) for total in headline.needed)
    if high == 0:
        return "Reached", f"a forecast of {coefficient(headline.target, 2)} for the whole"
    return (f"{low:,} to {high:,} more" if low != high else f"{high:,} more"), headline.unit


def _interval(low: float, high: float) -> str:
    return f"{100 * low:.0f}–{percent(high)}"


def _iso(point: CountAt | ShareAt) -> str:
    return point.at.isoformat()
