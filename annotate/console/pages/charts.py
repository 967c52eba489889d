"""Charts of the overview: judgements over time and by hour, gold accuracy, and the main figure."""

from __future__ import annotations

from collections.abc import Sequence

from accord_core.numerics.printed import share_of, with_noun
from annotate.console.selectors.overview import WINDOW, CountAt, ShareAt
from annotate.models import Study
from annotate.results.selectors.reports import Snapshot
from annotate.tasktypes import Headline
from annotate.templatetags.figures import count, percent
from annotate.web.pages.charts import Chart, band_chart, interval_text, pass_mark_of_shares


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
        "Judgements that count now.",
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
        f"{with_noun(judgements[busiest], 'judgement')}",
        {"judgements": list(judgements)},
        ("Hour (UTC)", "Judgements"),
        [(f"{hour:02}:00", count(number)) for hour, number in enumerate(judgements)],
        "The chart shows currently counted judgements from the last 7 days, by hour of the day (UTC).",
        axes=("Hour of the day (UTC)", "Judgements"),
        explanation="judgements",
        marks=sum(number > 0 for number in judgements),
    )


def gold_chart(study: Study, points: Sequence[ShareAt]) -> Chart | None:
    if not points:
        return None
    threshold, last = pass_mark_of_shares(study), points[-1]
    rule = f". The pass mark is {percent(threshold)}" if threshold else ""
    basis = f"the last {WINDOW} gold answers, or on all if there are fewer"
    if last.answers > WINDOW:
        basis = f"the last hours with at least {WINDOW} gold answers"
    return Chart(
        "gold",
        "shares",
        "Gold accuracy",
        f"Share of answers to gold questions that are as expected, over time. Currently {_share(last)}{rule}",
        {
            "points": [
                {"at": _iso(point), "share": point.share, "low": point.low, "high": point.high} for point in points
            ],
            "threshold": threshold,
        },
        ("Time (UTC)", "Answers", "As expected", "95% interval"),
        [(f"{p.at:%Y-%m-%d %H:%M:%S}", count(p.answers), _share(p), interval_text(p.low, p.high)) for p in points],
        f"Each point is based on {basis}. The band shows the 95% interval.",
        axes=("Time of the answer (UTC)", "Gold accuracy (%)"),
        explanation="gold_accuracy",
    )


FEWEST_POINTS = 3  # that a chart shows better than a sentence


def headline_chart(reports: Sequence[Snapshot]) -> Chart | None:
    """Return the chart of the main figure by number of judgements, or None for fewer than three numbers. If several
    reports have the same number of judgements, the chart shows the latest one.

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
    if len(points) < FEWEST_POINTS:
        return None
    current = sorted(comparable).index(latest.judgements)
    return band_chart("headline", latest.headline.name, latest.headline, points, current)


def _names(headline: Headline) -> list[str]:
    return [end.name for end in headline.ends]


def _share(point: ShareAt) -> str:
    return share_of(round(point.share * point.answers), point.answers)


def _iso(point: CountAt | ShareAt) -> str:
    return point.at.isoformat()
