"""Files with soft labels, which contain one row for each item and label, with the votes, their shares and the
posteriors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from accord_core.exchange.csvtext import write_csv

if TYPE_CHECKING:
    from accord_core.numerics.labels import Floats, Ints

COLUMNS = ("item", "label", "votes", "share", "smoothed")


def write_soft_labels(
    items: Sequence[str],
    names: Sequence[str],
    votes: Ints,
    posteriors: Mapping[str, Floats],
    further: Mapping[str, Sequence[str]] | None = None,
) -> Iterator[str]:
    """Yield a CSV file that contains the rows of `soft_label_rows`."""
    rows = soft_label_rows(items, names, votes, posteriors, further)
    return write_soft_label_rows(rows, list(posteriors), list(further or {}))


def write_soft_label_rows(
    rows: Iterable[Sequence[str]], models: Sequence[str], further: Sequence[str]
) -> Iterator[str]:
    """Yield a CSV file with rows that contain the posteriors under `models`, and `further` columns."""
    return write_csv(rows, [*COLUMNS, *models, *further])


def soft_label_rows(
    items: Sequence[str],
    names: Sequence[str],
    votes: Ints,
    posteriors: Mapping[str, Floats],
    further: Mapping[str, Sequence[str]] | None = None,
) -> Iterator[list[str]]:
    """Yield one row for each item and label. Items without votes are excluded.

    `votes` (n, q) contains the number of votes for each label. `share` is the share of the votes, and `smoothed` is the
    share after half a vote has been added to each label. Each array (n, q) in `posteriors` becomes a column. `further`
    contains additional columns with one cell for each item. Shares and posteriors have six decimals.
    """
    from accord_core.numerics.soft_labels import ADDED, vote_shares

    figures = [vote_shares(votes), vote_shares(votes, added=ADDED), *posteriors.values()]
    for place, item in enumerate(items):
        if not votes[place].any():
            continue
        beside = [cells[place] for cells in (further or {}).values()]
        for number, label in enumerate(names):
            decimals = [f"{each[place, number]:.6f}" for each in figures]
            yield [item, label, str(int(votes[place, number])), *decimals, *beside]
