"""The signs that an annotator needs review, each with its probability under careful work, if known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord_core.numerics.careless import lower_tail
from accord_core.numerics.printed import percent, share_of, with_noun

MANY_UNANSWERED = 3  # HITs that an annotator has opened, but not submitted
FAST = 1 / 4  # of the median time of all annotators
FEWEST_TIMED = 20  # judgements before a median time is a sign
LOW_GOLD = "Low gold accuracy"


def gold_signs(
    figures: Mapping[str, Any],
    share: float | None,
    interval: tuple[float, float] | None,
    gold_right: int,
    gold_answers: int,
    threshold: float,
) -> list[dict[str, Any]]:
    """Return the signs from the report and from the gold answers, strongest evidence first."""
    signs = [*figures.get("flags", ())]
    if share is not None and interval is not None and interval[1] < threshold:
        low, high = interval
        signs.append(
            {
                "title": LOW_GOLD,
                "detail": f"The gold accuracy is {share_of(gold_right, gold_answers, share)} (95% interval "
                f"{percent(low)} to {percent(high)}, {with_noun(gold_answers, 'gold answer')}). The pass mark is "
                f"{percent(threshold)}.",
                "p": lower_tail(share, threshold, gold_answers),
            }
        )
    return sorted(signs, key=strength)


def fast_answers(figures: Mapping[str, Any], usual: float | None) -> list[dict[str, Any]]:
    """Return the sign that the median time is far below the usual one. It has no probability."""
    own = figures.get("median_seconds")
    if own is None or usual is None or own >= usual * FAST or figures.get("judgements", 0) < FEWEST_TIMED:
        return []
    detail = (
        f"The median time per question is {own:.1f} s, less than a quarter of the median of all annotators "
        f"({usual:.1f} s)."
    )
    return [{"title": "Very fast answers", "detail": detail, "p": None}]


def unanswered_signs(hits: int) -> list[dict[str, Any]]:
    """Return the sign that the annotator has opened several HITs without submitting them. It has no probability."""
    if hits < MANY_UNANSWERED:
        return []
    detail = (
        f"The annotator opened {hits:,} HITs without submitting them. Annotators who compare many HITs can recognise "
        "gold questions."
    )
    return [{"title": "HITs opened without answers", "detail": detail, "p": None}]


def skipped_signs(hits: int, submitted: int) -> list[dict[str, Any]]:
    """Return the sign that the annotator has skipped every question of some HITs. It has no probability."""
    if not hits:
        return []
    detail = f"All questions were skipped in {hits:,} of {submitted:,} submitted HITs. These HITs are paid in full."
    return [{"title": "Whole HITs skipped", "detail": detail, "p": None}]


def strength(sign: Mapping[str, Any]) -> float:
    p = sign.get("p")
    return 1.0 if p is None else float(p)
