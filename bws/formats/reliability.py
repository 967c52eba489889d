"""Split-half reliability as JSON and as text, with notes about what the figures mean."""

from collections.abc import Iterator, Sequence
from typing import Any

from bws.numerics.reliability import SplitHalf, judgements_needed, spearman_brown

OPTIMISTIC = "optimistic: both halves judge the same tuples"
CONSERVATIVE = "conservative: the halves share no tuple"
OF_HALF = "Split-half figures describe scores from half of the data. Scores from the full data are more reliable."
OF_WHOLE = "The forecast describes scores from the full data, and assumes that new judgements belong to new tuples."


def forecast_judgements(by_tuples: SplitHalf, target: float) -> dict[str, Any]:
    """Forecast from split halves of tuples how many judgements the full dataset needs to reach the reliability `target`
    in (0, 1).
    """
    r = by_tuples.spearman_mean
    needed = None if r is None else judgements_needed(r, target, by_tuples.annotations)
    return {
        "target": target,
        "spearman_between_tuple_halves": r,
        "whole_at_present": None if r is None or r <= -1 else spearman_brown(r),
        "judgements_at_present": by_tuples.annotations,
        "judgements_needed": needed,
        "caveats": [OF_HALF, OF_WHOLE],
    }


def reliability_figures(result: SplitHalf, seed: int, forecast: dict[str, Any] | None) -> dict[str, Any]:
    """Return the reliability, the seed and the forecast as a JSON object."""
    figures = {**result.as_dict(), "seed": seed}
    return figures if forecast is None else {**figures, "forecast": forecast}


def reliability_lines(results: Sequence[SplitHalf], seed: int, forecast: dict[str, Any] | None) -> Iterator[str]:
    """Return the reliability as text, with one line for each kind of split, and notes about the figures."""
    first = results[0]
    yield (
        f"Split-half reliability of {first.annotations:,} annotations of {first.tuples:,} tuples, "
        f"{first.items:,} items ({first.splits:,} splits, seed {seed})"
    )
    yield ""
    yield f"{'split by':<12}{'Spearman':<18}{'Pearson':<18}{'items dropped':<15}"
    for result in results:
        kind = OPTIMISTIC if result.unit == "judgements" else CONSERVATIVE
        spearman = _mean_and_sd(result.spearman_mean, result.spearman_sd)
        pearson = _mean_and_sd(result.pearson_mean, result.pearson_sd)
        yield f"{result.unit:<12}{spearman:<18}{pearson:<18}{result.items_dropped:<15,.1f}{kind}"
    yield ""
    yield from (f"Undefined by {result.unit}: {result.reason}" for result in results if result.reason)
    yield "± is the standard deviation over splits, not a confidence interval."
    yield OF_HALF
    if forecast is not None:
        yield ""
        yield _forecast_line(forecast)
        yield OF_WHOLE


def _forecast_line(forecast: dict[str, Any]) -> str:
    present, needed, target = (forecast[key] for key in ("judgements_at_present", "judgements_needed", "target"))
    if needed is None:
        return "No forecast is possible, because the halves of the tuples do not correlate."
    now = (
        f"Forecast from whole tuples: with all {present:,} judgements, the reliability is about "
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
