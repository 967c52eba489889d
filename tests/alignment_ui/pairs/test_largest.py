"""The largest disagreements of a report are answers that F1 distinguishes."""

from __future__ import annotations

from alignment_ui.pairs.largest import largest


def test_answers_with_equal_counted_links_are_not_a_large_disagreement() -> None:
    rows = [{"f1": f1} for f1 in (0.2, 0.994, 0.996, 1.0)]
    assert largest(rows, 8) == rows[:2]
    assert largest(rows, 1) == rows[:1]
