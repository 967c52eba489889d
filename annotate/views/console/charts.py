"""What a chart of the console is made of: the JSON that it is drawn from, its name in words, the table behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from annotate.numerics.intervals import wilson_interval
from annotate.selectors.overview import WINDOW, CountAt, ShareAt
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
        f"Over the last {'hours with at least ' if last.answers > WINDOW else ''}{WINDOW} gold answers, 95% interval.",
    )  # fmt: skip


def headline_chart(found: Sequence[Snapshot]) -> Chart | None:
    """The headline against judgements from the sequence of reports: the latest at each number of judgements.

    Told is the latest report, which is not at the greatest number once judgements have ceased to count.
    """
    known = [snapshot for snapshot in found if snapshot.headline.low is not None]
    if not known:
        return None
    now = known[-1]
    # What a task type calls its ends may change from one version of it to the next; a chart has one kind of them.
    alike = {each.judgements: each.headline for each in known if _names(each.headline) == _names(now.headline)}
    points = [(number, [end.value for end in alike[number].ends]) for number in sorted(alike)]
    present = sorted(alike).index(now.judgements)
    return band_chart("headline", now.headline.name, now.headline, points, present)


def band_chart(
    name: str,
    title: str,
    headline: Headline,
    points: Sequence[tuple[int, Sequence[float | None]]],
    present: int | None = None,
) -> Chart:
    """One or two lines against judgements with the band between them; `points` has values in the order of `ends`.

    `present` is the place in `points` of what is told in words; the last if it is not given.
    """
    present = len(points) - 1 if present is None else present
    judgements, values = points[present]
    said = ", ".join(f"{coefficient(value)} {end.label}" for end, value in zip(headline.ends, values, strict=True))
    target = "" if headline.target is None else f"; target {coefficient(headline.target, 2)}, of the whole"
    return Chart(
        name, "band", title,
        f"{headline.name} against judgements: {said}, at {judgements:,}{target}",
        {
            "points": [{"judgements": number, "values": list(each)} for number, each in points],
            "names": _names(headline),
            "target": headline.target,
            "present": present,
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
        f"Share of gold answered as expected by each of {len(shares):,} annotators who answered gold, with 95% "
        f"intervals; "
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
        f"Of {_annotators(len(shares))} who answered gold, the share answered as expected, lowest first, with its 95% "
        "interval; those whose judgements have ceased to count are among them.",
    )  # fmt: skip


def _annotators(number: int) -> str:
    return f"{number:,} annotator{'' if number == 1 else 's'}"


def forecast_sentence(headline: Headline, present: int) -> tuple[str, str]:
    """(how many, of what) more judgements reach the target, from the forecast of how many are needed in all."""
    if headline.target is None or headline.needed is None:
        return "too early", "to say how many more judgements are needed"
    low, high = (max(0, total - present) for total in headline.needed)
    if high == 0:
        return "reached", "by forecast"
    return (f"{low:,} to {high:,} more" if low != high else f"{high:,} more"), headline.unit


def _interval(low: float, high: float) -> str:
    return f"{100 * low:.0f}–{percent(high)}"


def _iso(point: CountAt | ShareAt) -> str:
    return point.at.isoformat()
