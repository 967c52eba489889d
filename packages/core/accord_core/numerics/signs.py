"""Integrity indicators, which describe how annotators worked and how unusual each figure is among all annotators.

An indicator is evidence for a person to check. An indicator never proves that somebody answered carelessly or with a
program. The benchmark `careless_answers` measures each indicator, and `SHOWN` follows from this measurement. See
docs/integrity.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

FEWEST_ANSWERS = 20  # per annotator; with fewer answers, an annotator has no indicators
AWAY_SECONDS = 5.0  # the minimum time in another window that counts; messages and screen readers take less
LONGEST_LAG = 8  # answers after which a pattern can begin again
LENGTH_BINS = 10
EVEN_FROM = 4  # the minimum number of events in an answer for the spread within the answer

# Each indicator is mapped to True if a high value is unusual, and to False if a low value is unusual.
HIGH: Mapping[str, bool] = {
    "missing_summaries": True,
    "webdriver": True,
    "untrusted_events": True,
    "time_away": True,
    "focus_losses": True,
    "pasted_text": True,
    "straight_paths": True,
    "even_presses": False,
    "even_keys": False,
    "short_times": False,
    "even_times": False,
    "repeated_answers": True,
    "low_agreement": False,
}
# All values within these bounds count as equal, because small differences between honest annotators would otherwise
# cause false alarms. For example, keyboard users are slightly faster than others, and spoken commands follow each other
# slightly more evenly than clicks.
ORDINARY: Mapping[str, float] = {
    "time_away": 1 / 3,
    "focus_losses": 0.5,
    "pasted_text": 1 / 3,
    "even_presses": 0.1,
    "even_keys": 0.1,
    "short_times": 1 / 3,
    "even_times": 0.1,
}
# The indicators with at most 1% false alarms in every honest group of the benchmark, including people who use only the
# keyboard, a screen reader or dictation. Untrusted events are excluded, because dictation extensions generate such
# events.
SHOWN = frozenset(HIGH) - {"untrusted_events"}


@dataclass(frozen=True, eq=False)
class AnswersGiven:
    """The answers of several annotators as arrays (N,), in chronological order for each annotator.

    `seconds` is the time on the question, `length` the number of characters of the question, `code` a number for each
    distinct answer as seen on the screen, and `agreement` the mean similarity to the answers of other annotators. All
    other arrays come from activity summaries. Unknown values are NaN, and `summarized` is 0 for answers without a valid
    summary.
    """

    annotator: Ints
    seconds: Floats
    length: Floats
    code: Ints
    agreement: Floats
    summarized: Floats
    webdriver: Floats
    untrusted: Floats
    focus_losses: Floats
    unfocused_seconds: Floats
    pasted: Floats
    straightness: Floats
    presses: Floats
    press_median: Floats
    press_iqr: Floats
    keys: Floats
    key_median: Floats
    key_iqr: Floats


def sign_values(answers: AnswersGiven, annotators: int) -> dict[str, Floats]:
    """Return one array (annotators,) of values for each indicator. Undefined values are NaN."""
    relative = relative_times(answers.seconds, answers.length)
    values = {name: np.full(annotators, np.nan) for name in HIGH}
    order = np.argsort(answers.annotator, kind="stable")
    counts = np.bincount(answers.annotator, minlength=annotators)
    ends = np.cumsum(counts)
    for who in np.flatnonzero(counts >= FEWEST_ANSWERS):
        own = order[ends[who] - counts[who] : ends[who]]
        signs = {
            "missing_summaries": 1 - float(answers.summarized[own].mean()),
            "webdriver": _mean(answers.webdriver[own]),
            "untrusted_events": _mean(_positive(answers.untrusted[own])),
            "time_away": _mean(_at_least(answers.unfocused_seconds[own], AWAY_SECONDS)),
            "focus_losses": _mean(answers.focus_losses[own]),
            "pasted_text": _mean(answers.pasted[own]),
            "straight_paths": _median(answers.straightness[own]),
            "even_presses": evenness(answers.presses[own], answers.press_median[own], answers.press_iqr[own]),
            "even_keys": evenness(answers.keys[own], answers.key_median[own], answers.key_iqr[own]),
            "short_times": float(np.exp(_median(relative[own]))),
            "even_times": interquartile_range(relative[own]),
            "repeated_answers": repetition(answers.code[own]),
            "low_agreement": min(thirds(answers.agreement[own])),
        }
        for name, value in signs.items():
            values[name][who] = value
    return values


def agreement_over_time(answers: AnswersGiven, annotators: int) -> Floats:
    """Return each annotator's agreement in the first, middle and last thirds of the answers, as an array (annotators,
    3).

    All three values are NaN if the agreement of fewer than 20 answers is known.
    """
    own = [answers.agreement[answers.annotator == who] for who in range(annotators)]
    return np.array([thirds(values) for values in own], dtype=np.float64).reshape(annotators, 3)


def less_unusual(name: str, values: ArrayLike) -> tuple[Ints, int]:
    """For each annotator, return the number of other annotators with a less unusual value of the indicator. Also return
    the number of annotators with a value.

    Equal values do not count, so a value that many annotators share is never unusual. The count is 0 if the annotator's
    own value is NaN.
    """
    numbers = unusualness(name, values)
    known = np.sort(numbers[~np.isnan(numbers)])
    counts = np.searchsorted(known, numbers, side="left")
    return np.where(np.isnan(numbers), 0, counts).astype(np.int64), len(known)


def unusualness(name: str, values: ArrayLike) -> Floats:
    """Return an indicator's values, transformed so that larger numbers are more unusual and all ordinary values are
    equal.
    """
    sign = 1.0 if HIGH[name] else -1.0
    bound = sign * ORDINARY.get(name, -np.inf * sign)
    return np.maximum(np.asarray(values, dtype=np.float64) * sign, bound)


def relative_times(seconds: ArrayLike, length: ArrayLike) -> Floats:
    """Return the log ratio (N,) of each time to the usual time for a question of the same length.

    The usual time is the median time in up to ten groups of questions of similar length, interpolated between the
    groups. A time of 0 counts as a millisecond. The result is NaN if the time or the length is unknown.
    """
    times = np.log(np.maximum(np.asarray(seconds, dtype=np.float64), 0.001))
    size = np.asarray(length, dtype=np.float64)
    known = np.isfinite(times) & np.isfinite(size)
    result = np.full(len(times), np.nan)
    if not known.any():
        return result
    edges = np.unique(np.quantile(size[known], np.linspace(0, 1, LENGTH_BINS + 1)))
    group = np.clip(np.searchsorted(edges, size[known], side="right") - 1, 0, max(0, len(edges) - 2))
    present = np.unique(group)
    middles = [float(np.median(size[known][group == each])) for each in present]
    usual = [float(np.median(times[known][group == each])) for each in present]
    result[known] = times[known] - np.interp(size[known], middles, usual)
    return result


def repetition(codes: ArrayLike) -> float:
    """Return the largest share, over all k from 1 to 8, of answers that equal the answer k positions earlier.

    The share is 1 for somebody who always gives the same answer or repeats a short sequence of answers. The result is
    NaN if there are fewer than 20 answers.
    """
    own = np.asarray(codes)
    if len(own) < FEWEST_ANSWERS:
        return float("nan")
    return max(float((own[lag:] == own[:-lag]).mean()) for lag in range(1, LONGEST_LAG + 1))


def thirds(agreement: ArrayLike) -> tuple[float, float, float]:
    """Return the mean agreement in the first, middle and last thirds of an annotator's answers.

    Answers without a known agreement are excluded. All three values are NaN if the agreement of fewer than 20
    answers is known.
    """
    known = np.asarray(agreement, dtype=np.float64)
    known = known[np.isfinite(known)]
    if len(known) < FEWEST_ANSWERS:
        return (float("nan"),) * 3
    first, second, last = (float(part.mean()) for part in np.array_split(known, 3))
    return first, second, last


def evenness(events: ArrayLike, medians: ArrayLike, iqrs: ArrayLike) -> float:
    """Return the spread of the times between events, relative to those times. A value near 0 means that the events
    occur at almost constant intervals.

    The spread between answers is the interquartile range of the answers' medians, divided by their median. The spread
    within answers is the median of each answer's interquartile range divided by its median. The result is the larger of
    the two, because people vary in both. NaN if fewer than 20 answers have an interval.
    """
    middle, spread = np.asarray(medians, dtype=np.float64), np.asarray(iqrs, dtype=np.float64)
    known = np.isfinite(middle)
    if known.sum() < FEWEST_ANSWERS:
        return float("nan")
    between = interquartile_range(middle[known]) / max(float(np.median(middle[known])), 1e-3)
    several = known & (np.asarray(events, dtype=np.float64) > EVEN_FROM)
    within = float(np.median(spread[several] / np.maximum(middle[several], 1e-3))) if several.any() else 0.0
    return max(between, within)


def interquartile_range(values: ArrayLike) -> float:
    """Return the interquartile range of the values that are not NaN, or NaN if there are no such values."""
    known = np.asarray(values, dtype=np.float64)
    known = known[np.isfinite(known)]
    if not len(known):
        return float("nan")
    low, high = np.quantile(known, [0.25, 0.75])
    return float(high - low)


def _at_least(values: Floats, least: float) -> Floats:
    return np.where(np.isnan(values), np.nan, (values >= least).astype(np.float64))


def _positive(values: Floats) -> Floats:
    return np.where(np.isnan(values), np.nan, (values > 0).astype(np.float64))


def _mean(values: Floats) -> float:
    return _known(values, np.mean)


def _median(values: Floats) -> float:
    return _known(values, np.median)


def _known(values: Floats, figure: Any) -> float:
    """Apply `figure` to the values that are not NaN. If there are fewer than 20 such values, return NaN."""
    known = values[np.isfinite(values)]
    return float(figure(known)) if len(known) >= FEWEST_ANSWERS else float("nan")
