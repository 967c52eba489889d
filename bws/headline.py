"""A best–worst report's main figure: the split-half reliability for both kinds of split, with the number of judgements
needed to reach the target.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotate.numerics.printed import coefficient
from annotate.numerics.printed import interval as printed_interval
from annotate.tasktypes import End, Headline
from bws.targets import attained

NAME = "Split-half reliability (Spearman)"
ENDS = (("whole", "splitting whole tuples"), ("within", "splitting within tuples"))
UNITS = {"tuples": "other tuples", "annotators": "other annotators", "both": "other tuples and annotators"}
UNIT = "judgements, as new tuples"
ROUGH = 0.3  # a 95% interval wider than this does not support a forecast
CAPTION = (
    "Splits within tuples give optimistic figures, and splits by whole tuples give conservative figures. The true "
    "reliability for half of the data lies between these two figures."
)


def headline(reliability: Mapping[str, Any], adaptive: int = 0) -> Headline:
    """Return the headline of a report from its `reliability`. `needed` is the range between the two forecasts, and None
    if the interval of the reliability is too wide for a forecast. `adaptive` is the number of judgements in adaptive
    rounds, which the reliability does not include.
    """
    forecast = reliability["forecast"]
    rough = is_rough(reliability["whole"])
    needed = [forecast[name] for name, _ in ENDS if forecast[name] is not None and not rough]
    sd = reliability["within"]["spearman"]["sd"]
    spread = "" if sd is None else f", SD {coefficient(sd)} over splits"
    return Headline(
        NAME,
        [End(name, label, reliability[name]["spearman"]["mean"]) for name, label in ENDS],
        target=forecast["target"],
        needed=(min(needed), max(needed)) if needed else None,
        unit=UNIT,
        doubt=(
            "These figures are only rough estimates."
            if rough
            else "One end of the range comes from splits by whole tuples, and the other end from splits within "
            f"tuples{spread}."
        )
        + interval_sentence(reliability["whole"]),
        caption=CAPTION + (f" {with_count(adaptive)}" if adaptive else ""),
        attained=attained(reliability["within"]),
    )


def with_count(adaptive: int) -> str:
    """Return a sentence with the number of judgements that the reliability does not include."""
    noun = "judgement" if adaptive == 1 else "judgements"
    return f"The figures do not include {adaptive:,} {noun} from adaptive rounds."


def is_rough(whole: Mapping[str, Any]) -> bool:
    """Return whether the 95% interval of the whole-tuple reliability is too wide for a forecast, or not defined."""
    low, high = whole["interval"]["spearman"]["low"], whole["interval"]["spearman"]["high"]
    return low is None or high - low > ROUGH


def interval_sentence(whole: Mapping[str, Any]) -> str:
    """Return a sentence with the interval of the whole-tuple reliability, or an empty string if it is not defined."""
    interval = whole["interval"]
    if interval["spearman"]["low"] is None:
        return ""
    ends = printed_interval(interval["spearman"]["low"], interval["spearman"]["high"])
    caution = f" ({interval['caution']})" if interval.get("caution") else ""
    return f" For splits by whole tuples, the 95% interval for {UNITS[interval['generalises_to']]} is {ends}{caution}."
