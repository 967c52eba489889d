"""Functions that suppress small cells in tables of counts, so that published counts do not reveal individual answers.

Counts below the threshold are hidden (primary suppression). If a hidden count could be calculated from the total, the
next larger counts are hidden as well (complementary suppression). See Hundepool et al. (2012), Statistical Disclosure
Control, chapter 4.
"""

from __future__ import annotations

from collections.abc import Sequence

SMALLEST_SHOWN = 5


def suppress(counts: Sequence[int], smallest: int = SMALLEST_SHOWN) -> list[int | None]:
    """Return the counts for a question with one answer per person. Hidden counts are None.

    The total of the counts is public. If any count is small and the total is below twice the threshold, all counts are
    hidden. Otherwise, counts of 0 are shown unless all counts are hidden. The hidden counts add up to at least
    `smallest`, and always allow several solutions.
    """
    if not 0 < min((count for count in counts if count), default=0) < smallest:
        return list(counts)
    if sum(counts) < 2 * smallest:
        return [None] * len(counts)
    order = sorted((at for at, count in enumerate(counts) if count), key=lambda at: counts[at])
    hidden = {at for at in order if counts[at] < smallest}
    further = [at for at in order if at not in hidden]
    while not _is_safe([counts[at] for at in hidden], smallest):
        if not further:
            return [None] * len(counts)
        # Equal counts are hidden together, because a choice between equal counts would depend on their order.
        equal = [at for at in further if counts[at] == counts[further[0]]]
        hidden.update(equal)
        further = further[len(equal) :]
    return [None if at in hidden else count for at, count in enumerate(counts)]


def suppress_options(counts: Sequence[int], people: int, smallest: int = SMALLEST_SHOWN) -> list[int | None]:
    """Return the counts for a question with several answers per person. A count is hidden if fewer than `smallest` of
    the `people` chose the option, or if fewer than `smallest` did not choose it.
    """
    small = range(1, smallest)
    return [None if count in small or people - count in small else count for count in counts]


def _is_safe(hidden: Sequence[int], smallest: int) -> bool:
    """Return whether the hidden counts cannot be derived from their sum. If all hidden counts are 1, or if all are the
    largest small count, their sum would reveal them.
    """
    total, cells = sum(hidden), len(hidden)
    return cells >= 2 and total >= smallest and total not in (cells, cells * (smallest - 1))
