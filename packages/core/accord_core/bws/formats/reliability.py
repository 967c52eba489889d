"""Split-half reliability as JSON and as text, with notes on the figures."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from accord_core.bws.numerics.halves import Unit
from accord_core.bws.numerics.reliability import SplitHalf, judgements_needed, spearman_brown
from accord_core.bws.numerics.reliability_intervals import ReliabilityIntervals
from accord_core.exchange.printed_tables import PrintedTable

OTHERS = {"tuples": "other tuples", "annotators": "other annotators", "both": "other tuples and annotators"}
OPTIMISTIC = "optimistic: both halves judge the same tuples"
CONSERVATIVE = "conservative: the halves share no tuple"
OF_SPREAD = "is the standard deviation over splits, not a confidence interval."
OF_HALF = "Split-half figures describe scores from half of the data. Scores from the full data are more reliable."
OF_WHOLE = "The forecast describes scores from the full data, and assumes that new judgements belong to new tuples."


def forecast_judgements(by_tuples: SplitHalf, target: float) -> dict[str, Any]:
    """Use split halves of tuples to forecast how many judgements the full dataset needs to reach the reliability
    `target` in (0, 1).
    """
    r = by_tuples.spearman_mean
    needed = None if r is None else judgements_needed(r, target, by_tuples.annotations)
    return {
        "target": target,
        "spearman_between_tuple_halves": r,
        "whole_at_present": None if r is None else spearman_brown(r),
        "judgements_at_present": by_tuples.annotations,
        "judgements_needed": needed,
        "caveats": [OF_HALF, OF_WHOLE],
    }


def reliability_figures(
    result: SplitHalf, seed: int, forecast: dict[str, Any] | None, interval: ReliabilityIntervals | None = None
) -> dict[str, Any]:
    """Return the reliability, the seed, the intervals and the forecast as a JSON object."""
    figures = {**result.as_dict(), "seed": seed}
    if interval is not None:
        figures["interval"] = interval.as_dict()
    return figures if forecast is None else {**figures, "forecast": forecast}


def reliability_lines(
    results: Sequence[SplitHalf],
    seed: int,
    forecast: dict[str, Any] | None,
    intervals: Mapping[Unit, ReliabilityIntervals | None] | None = None,
) -> Iterator[str]:
    """Return the reliability as text, with one line for each kind of split and notes on the figures. `intervals` maps
    the units of the splits to their intervals.
    """
    yield _title(results[0], seed)
    yield ""
    yield f"{'split by':<12}{'Spearman':<18}{'Pearson':<18}{'items dropped':<15}"
    for result in results:
        kind = OPTIMISTIC if result.unit == "judgements" else CONSERVATIVE
        spearman = _mean_and_sd(result.spearman_mean, result.spearman_sd)
        pearson = _mean_and_sd(result.pearson_mean, result.pearson_sd)
        yield f"{result.unit:<12}{spearman:<18}{pearson:<18}{result.items_dropped:<15,.1f}{kind}"
    yield ""
    yield from (f"Undefined by {result.unit}: {result.reason}" for result in results if result.reason)
    yield f"± {OF_SPREAD}"
    yield from _interval_lines([each for each in (intervals or {}).values() if each is not None])
    yield OF_HALF
    if forecast is not None:
        yield ""
        yield _forecast_line(forecast)
        yield OF_WHOLE


def reliability_table(
    results: Sequence[SplitHalf],
    seed: int,
    forecast: dict[str, Any] | None,
    intervals: Mapping[Unit, ReliabilityIntervals | None],
) -> PrintedTable:
    """Return one row for each kind of split, with the notes from `reliability_lines`."""
    return PrintedTable(
        columns=["split by", "Spearman", "Spearman SD", "from", "to", "Pearson", "Pearson SD", "items dropped"],
        rows=[
            [
                each.unit,
                each.spearman_mean,
                each.spearman_sd,
                *_ends(intervals[each.unit]),
                each.pearson_mean,
                each.pearson_sd,
                each.items_dropped,
            ]
            for each in results
        ],
        caption=_title(results[0], seed),
        notes=[
            *(f"Undefined by {each.unit}: {each.reason}" for each in results if each.reason),
            f"SD {OF_SPREAD}",
            *_interval_lines([each for each in intervals.values() if each is not None]),
            OF_HALF,
            *([] if forecast is None else [_forecast_line(forecast), OF_WHOLE]),
        ],
        places_of={"items dropped": 1},
    )


def levels_table(
    results: Mapping[int, SplitHalf], intervals: Mapping[int, ReliabilityIntervals | None], seed: int
) -> PrintedTable:
    """Return one row for each number of judgements per tuple, as in the pilot of STR-2021 (§3.2)."""
    first = next(iter(results.values()))
    interval = next((each for each in intervals.values() if each is not None), None)
    return PrintedTable(
        columns=["judgements per tuple", "tuples", "annotations", "Spearman", "SD", "from", "to", "items dropped"],
        rows=[
            [
                level,
                each.tuples,
                each.annotations,
                each.spearman_mean,
                each.spearman_sd,
                *_ends(intervals[level]),
                each.items_dropped,
            ]
            for level, each in results.items()
        ],
        caption=(
            f"Split-half reliability by number of judgements per tuple, split by {first.unit} "
            f"({first.splits:,} splits, seed {seed})"
        ),
        notes=[
            *(f"Undefined with {level} judgements: {each.reason}" for level, each in results.items() if each.reason),
            "Each row uses a random sample of the judgements from each tuple that has enough of them.",
            f"SD {OF_SPREAD}",
            *([] if interval is None else [f"from and to: 95% interval for {OTHERS[interval.over]} (jackknife)."]),
            OF_HALF,
        ],
        places_of={"items dropped": 1},
    )


def levels_figures(
    results: Mapping[int, SplitHalf], intervals: Mapping[int, ReliabilityIntervals | None], seed: int
) -> dict[str, Any]:
    """Return the reliability for each number of judgements per tuple as a JSON object."""
    rows = [
        {"judgements_per_tuple": level, **reliability_figures(each, seed, None, intervals[level])}
        for level, each in results.items()
    ]
    return {"levels": rows}


def _title(first: SplitHalf, seed: int) -> str:
    annotators = "" if first.annotators is None else f" by {first.annotators:,} annotators"
    return (
        f"Split-half reliability of {first.annotations:,} annotations of {first.tuples:,} tuples, "
        f"{first.items:,} items{annotators} ({first.splits:,} splits, seed {seed})"
    )


def _ends(interval: ReliabilityIntervals | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else interval.spearman[:2]


def _interval_lines(intervals: Sequence[ReliabilityIntervals]) -> Iterator[str]:
    """Return the intervals of Spearman's correlation by kind of split, and the units that they generalise to."""
    known = [each for each in intervals if each.spearman.low is not None and each.spearman.high is not None]
    if not known:
        return
    first = known[0]
    ends = [f"{each.spearman.low:.3f} to {each.spearman.high:.3f} by {each.unit}" for each in known]
    yield (
        f"95% interval of Spearman's correlation for {OTHERS[first.over]}: {', '.join(ends)} "
        f"(jackknife, {first.splits} splits)."
    )
    if first.caution:
        yield first.caution.capitalize() + "."


def _forecast_line(forecast: dict[str, Any]) -> str:
    present, needed, target = (forecast[key] for key in ("judgements_at_present", "judgements_needed", "target"))
    if needed is None:
        return "No forecast is possible, because the tuples' halves do not correlate."
    now = (
        f"Splits by whole tuples predict that the reliability of all {present:,} judgements is about "
        f"{forecast['whole_at_present']:.3f}."
    )
    if needed <= present:
        return f"{now} A reliability of {target:g} requires only about {needed:,} judgements."
    return (
        f"{now} A reliability of {target:g} requires about {needed:,} judgements, {needed - present:,} more than now."
    )


def _mean_and_sd(mean: float | None, sd: float | None) -> str:
    if mean is None:
        return "undefined"
    return f"{mean:.3f}" if sd is None else f"{mean:.3f} ± {sd:.3f}"
