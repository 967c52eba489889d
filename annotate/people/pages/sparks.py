"""Small charts for table rows, with the figures that `static/js/charts/sparks.js` draws and the same figures in
words.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from annotate.people.selectors.annotators import AnnotatorRow
from annotate.templatetags.figures import count, percent

WINDOW = 10  # gold answers in the moving average of a line


@dataclass(frozen=True)
class Spark:
    """A small chart. `kind` is the type of chart. The text is for screen readers and for browsers without
    JavaScript.
    """

    kind: str
    text: str
    figures: dict[str, Any] = field(default_factory=dict)

    @property
    def json(self) -> str:
        return json.dumps(self.figures)


def interval(row: AnnotatorRow, threshold: float) -> Spark | None:
    """Return the gold accuracy with its 95% interval, on a scale from 0 to 1 that shows the pass mark."""
    if row.share is None or row.low is None or row.high is None:
        return None
    figures = {"share": row.share, "low": row.low, "high": row.high, "threshold": threshold}
    return Spark("interval", f"95% interval {percent(row.low)} to {percent(row.high)}", figures)


def gold_over_time(row: AnnotatorRow, threshold: float) -> Spark | None:
    """Return, for each gold answer, the accuracy over the last ten gold answers. If there are fewer than two gold
    answers, return None.
    """
    if len(row.gold) < 2:
        return None
    shares = [sum(row.gold[max(0, end - WINDOW) : end]) / min(end, WINDOW) for end in range(1, len(row.gold) + 1)]
    text = f"gold accuracy over time, now {percent(shares[-1])}"
    return Spark("line", text, {"shares": [round(share, 3) for share in shares], "threshold": threshold})


def places(row: AnnotatorRow) -> Spark | None:
    """Return bars for the annotator's `places`, with a line that marks equal use of all positions.

    The highest bar is marked if the annotator has a flag.
    """
    chosen = row.figures.get("places") or []
    if not sum(chosen):
        return None
    text = f"choices by place: {', '.join(count(number) for number in chosen)}"
    return Spark("bars", text, {"counts": chosen, "flagged": bool(row.flag)})
