"""The charts in a best–worst report, which show scores overall and by group, reliability by number of judgements, and
screen positions.
"""

from __future__ import annotations

from typing import Any

from accord_core.bws.numerics.reliability import spearman_brown
from accord_core.numerics.printed import coefficient, count
from annotate.toolkit import Chart, Headline, Study, band_chart

MOST_POINTS = 1_500
TABLE_ROWS = 200


def reliability_by_amount(result: dict[str, Any], headline: Headline) -> Chart | None:
    points = [point for point in result.get("by_amount", ()) if point["within"] is not None]
    if not points:
        return None
    return band_chart(
        "reliability-by-amount",
        "Reliability by number of judgements",
        headline,
        [(point["judgements"], [_of_all(point[name]) for name in ("whole", "within")]) for point in points],
    )


def _of_all(half: float | None) -> float | None:
    return None if half is None else spearman_brown(half)


def histogram_chart(result: dict[str, Any], study: Study) -> Chart:
    bins = result["histogram"]
    scores = sorted(value for value in result["scores"]["unit"] if value is not None)
    middle = len(scores) // 2
    median = (scores[middle] + scores[~middle]) / 2
    return Chart(
        "scores",
        "histogram",
        "Scores",
        f"Histogram of {len(scores):,} scores from 0 to 1, median {coefficient(median)}",
        {
            "bins": bins,
            "median": median,
            "low": study.options.get("least", "lowest"),
            "high": study.options.get("most", "highest"),
        },
        ("From", "To", "Items"),
        [(coefficient(b["from"], 2), coefficient(b["to"], 2), count(b["items"])) for b in bins],
        axes=("Score, from 0 to 1", "Items"),
        explanation="score",
        marks=sum(bar["items"] > 0 for bar in bins),
    )


def scatter_chart(row: dict[str, Any], values: list[float | None], result: dict[str, Any]) -> Chart:
    """Return a scatter plot of the scores against one item property. If there are many items, the chart shows only a
    sample of them.
    """
    scores = result["scores"]
    points = [
        {"x": x, "y": y, "item": key}
        for key, x, y in zip(scores["key"], values, scores["unit"], strict=True)
        if x is not None and y is not None
    ]
    step = -(-len(points) // MOST_POINTS)
    sampled_points = points[::step]
    thinned = f" The chart shows one in every {step} items." if step > 1 else ""
    return Chart(
        f"with-{row['name'].replace(':', '-')}",
        "scatter",
        row["label"],
        f"Scores against {row['label']}, {len(points):,} items: Spearman {coefficient(row['value'])}",
        {"points": sampled_points, "name": row["label"]},
        ("Item", row["label"], "Score"),
        [(point["item"], coefficient(point["x"]), coefficient(point["y"])) for point in sampled_points[:TABLE_ROWS]],
        f"Spearman {coefficient(row['value'])}, {len(points):,} items.{thinned}",
        axes=(row["label"], "Score, from 0 to 1"),
        explanation="correlation",
    )


def group_charts(result: dict[str, Any]) -> list[Chart]:
    return [
        Chart(
            f"scores-by-{number}",
            "groups",
            f"Scores by {column}",
            f"Scores by {column}: median, quartiles and range of {len(groups)} groups",
            {"groups": groups},
            (column, "Items", "Lowest", "Q1", "Median", "Q3", "Highest"),
            [(g["group"], count(g["items"]), *(coefficient(q) for q in g["quantiles"])) for g in groups],
            "Each box shows the median, the quartiles and the range. The number of items is shown below each group "
            "name.",
            axes=("Score, from 0 to 1", column),
            explanation="score",
        )
        for number, (column, groups) in enumerate(result.get("groups", {}).items(), start=1)
    ]


def levels_chart(result: dict[str, Any]) -> Chart | None:
    levels = [row for row in result.get("by_level", ()) if row["spearman"]["mean"] is not None]
    if len(levels) < 2:
        return None
    points = [
        {"level": row["level"], "mean": row["spearman"]["mean"], "sd": row["spearman"]["sd"] or 0.0} for row in levels
    ]
    means = ", ".join(f"{coefficient(row['mean'])} at {row['level']}" for row in points)
    return Chart(
        "reliability-by-level",
        "levels",
        "Reliability by judgements per tuple",
        f"Split-half reliability by judgements per tuple, subsampled: {means}",
        {"levels": points},
        ("Per tuple", "Judgements", "Spearman", "SD over splits", "Items", "Tuples"),
        [
            (
                str(row["level"]),
                count(row["annotations"]),
                coefficient(row["spearman"]["mean"]),
                coefficient(row["spearman"]["sd"]),
                count(row["items"]),
                count(row["tuples"]),
            )
            for row in levels
        ],
        "Each figure is the reliability of half the judgements. It comes from splits within the tuples that have "
        "enough judgements. Bars show the standard deviation over splits, which is not a confidence interval.",
        axes=("Judgements per tuple", "Split-half reliability (Spearman)"),
        explanation="reliability_by_level",
    )


def positions_chart(result: dict[str, Any], study: Study) -> Chart | None:
    places = result.get("positions")
    if not places:
        return None
    names = {"best": str(study.options.get("most", "best")), "worst": str(study.options.get("least", "worst"))}
    rows = [
        {"place": place, "name": names[kind], "count": places[kind][place - 1]}
        for place in range(1, len(places["best"]) + 1)
        for kind in ("best", "worst")
    ]
    return Chart(
        "positions",
        "positions",
        "Places on the screen",
        "How often each place on the screen was chosen: "
        + "; ".join(f"{names[kind]} {', '.join(count(n) for n in places[kind])}" for kind in ("best", "worst")),
        {"rows": rows, "names": list(names.values())},
        ("Place", *(name.capitalize() for name in names.values())),
        [
            (str(place), count(best), count(worst))
            for place, (best, worst) in enumerate(zip(places["best"], places["worst"], strict=True), start=1)
        ],
        "Positions are shuffled for every annotator, so careful annotators produce bars of equal height.",
        [("bar0", names["best"]), ("open", names["worst"])],
        axes=("Place on the screen, from first to last", "Choices"),
        explanation="positions",
    )
