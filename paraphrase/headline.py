"""The main figure of a paraphrase report, which is Fleiss' κ with a confidence interval."""

from __future__ import annotations

from accord_core.numerics.agreement import TOO_FEW
from accord_core.numerics.bootstrap import Coefficient
from accord_core.numerics.printed import interval
from annotate.tasktypes import End, Headline

NAME = "Fleiss’ κ"


def headline(kappa: Coefficient, resamples: int) -> Headline:
    """Return the headline figure of a report, which is Fleiss' κ of the votes with a confidence interval."""
    return Headline(
        NAME,
        [End("fleiss", NAME, kappa.value)],
        doubt=_doubt(kappa, resamples),
        caption="Chance-corrected agreement between votes on candidates.",
    )


def reason_undefined(reason: str | None) -> str:
    """Return the reason why a coefficient is undefined, in the terms of a paraphrase study."""
    return "no candidate has two votes" if reason == TOO_FEW else reason or ""


def _doubt(kappa: Coefficient, resamples: int) -> str:
    if kappa.value is None:
        return f"Undefined: {reason_undefined(kappa.reason)}."
    if kappa.low is None or kappa.high is None or kappa.low == kappa.high:
        return "Without an interval."
    return f"95% interval {interval(kappa.low, kappa.high)}, {resamples:,} resamples of questions."
