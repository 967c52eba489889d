"""A best–worst report's main figure: the reliability of all judgements, predicted from both kinds of split, with the
number of judgements needed to reach the target.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.bws.numerics.largest_error import LargestError
from accord_core.bws.numerics.reliability import spearman_brown
from accord_core.bws.numerics.reliability_intervals import FEWEST
from accord_core.numerics.printed import interval as printed_interval
from accord_core.numerics.printed import with_noun
from annotate.tasktypes import End, Headline
from bws.targets import attained

NAME = "Reliability of the scores (Spearman)"
ENDS = (("whole_of_all", "whole tuples"), ("within_of_all", "within tuples"))
UNITS = {"tuples": "other tuples", "annotators": "other annotators", "both": "other tuples and annotators"}
UNIT = "judgements, as new tuples"
ROUGH = 0.3  # a 95% interval of the split-half reliability that is wider than this does not support a forecast
CAPTION = (
    "The figures are predicted from the correlation between two halves of the data. Splits within tuples give "
    "optimistic figures, and splits by whole tuples give conservative figures."
)


def headline(reliability: Mapping[str, Any], adaptive: int = 0, error: LargestError | None = None) -> Headline:
    """Return the headline of a report from its `reliability` and the largest standard `error`.

    `needed` is the range between the two forecasts, and None if the interval of the reliability is too wide for a
    forecast. `adaptive` is the number of judgements in adaptive rounds, which both figures do not include.
    """
    forecast = reliability["forecast"]
    rough = is_rough(reliability["whole"])
    needed = [forecast[name] for name in ("whole", "within") if forecast[name] is not None and not rough]
    return Headline(
        NAME,
        [End(name, label, forecast[name]) for name, label in ENDS],
        target=forecast["target"],
        needed=(min(needed), max(needed)) if needed else None,
        unit=UNIT,
        doubt=_rough_sentence(reliability["whole"]) if rough else interval_sentence(reliability["whole"]),
        caption=CAPTION + (f" {with_count(adaptive)}" if adaptive else ""),
        attained=attained(reliability, error),
    )


def with_count(adaptive: int) -> str:
    """Return a sentence with the number of judgements that the reliability does not include."""
    noun = "judgement" if adaptive == 1 else "judgements"
    return f"The figures do not include {adaptive:,} {noun} from adaptive rounds."


def is_rough(whole: Mapping[str, Any]) -> bool:
    """Return whether the 95% interval of the whole-tuple reliability is too wide for a forecast, or not defined."""
    low, high = whole["interval"]["spearman"]["low"], whole["interval"]["spearman"]["high"]
    return low is None or high - low > ROUGH


def too_few(whole: Mapping[str, Any]) -> str:
    """Return the numbers that are too small to trust the interval of the whole-tuple reliability, such as “40 questions
    and 5 annotators”, or an empty string. One or two annotators are too few for an interval for other annotators.
    """
    caution = whole["interval"].get("caution", "").partition(": ")[2]
    few = [part.partition(" instead of ")[0] for part in caution.split(" and ") if part]
    annotators = whole["interval"].get("annotators") or 0
    if whole["interval"].get("generalises_to") == "tuples" and 0 < annotators < FEWEST:
        few.append(with_noun(annotators, "annotator"))
    return " and ".join(few)


def _rough_sentence(whole: Mapping[str, Any]) -> str:
    """Return why the figures are rough. Their interval is not shown, because it contains nearly all values."""
    few = whole["interval"].get("caution", "").partition(": ")[2]
    return f"These figures are only rough estimates{f', from {few}' if few else ''}."


def interval_sentence(whole: Mapping[str, Any]) -> str:
    """Return a sentence with the interval of the reliability predicted from whole tuples, or an empty string if it is
    not defined.
    """
    interval = whole["interval"]
    if interval["spearman"]["low"] is None:
        return ""
    ends = printed_interval(*(spearman_brown(interval["spearman"][end]) for end in ("low", "high")))
    caution = f" ({interval['caution']})" if interval.get("caution") else ""
    return f"For splits by whole tuples, the 95% interval for {UNITS[interval['generalises_to']]} is {ends}{caution}."
