"""Files with soft labels: one row for each item and label, with the votes, their shares and the posteriors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from annotate.exchange.csvtext import write_csv

if TYPE_CHECKING:
    from annotate.numerics.labels import Floats, Ints

COLUMNS = ("item", "label", "votes", "share", "smoothed")


def write_soft_labels(
    items: Sequence[str],
    names: Sequence[str],
    votes: Ints,
    posteriors: Mapping[str, Floats],
    further: Mapping[str, Sequence[str]] | None = None,
) -> Iterator[str]:
    """Yield a CSV file with one row for each item and label. Items without votes are excluded.

    `votes` (n, q) contains the number of votes for each label. `share` is the share of the votes, and `smoothed` is the
    share after half a vote has been added to each label. Each array (n, q) in `posteriors` becomes a column. `further`
    contains additional columns with one cell for each item. Shares and posteriors have six decimals.
    """
    from annotate.numerics.soft_labels import ADDED, vote_shares

    others = dict(further or {})
    figures = [vote_shares(votes), vote_shares(votes, added=ADDED), *posteriors.values()]

    def rows() -> Iterator[list[str]]:
        for place, item in enumerate(items):
            if not votes[place].any():
                continue
            beside = [cells[place] for cells in others.values()]
            for number, label in enumerate(names):
                decimals = [f"{each[place, number]:.6f}" for each in figures]
                yield [item, label, str(int(votes[place, number])), *decimals, *beside]

    return write_csv(rows(), [*COLUMNS, *posteriors, *others])
