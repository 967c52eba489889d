"""The report on a sample, which contains the counts by group, the excluded sentences with reasons, and the word overlap
of the pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from accord_core.evaluation.numerics.overlap import Floats

BINS = 20
LITTLE = 0.1  # overlap below which few readers see a relation between two sentences
_BAR = 30


class Bin(NamedTuple):
    """The number of pairs whose overlap is in the interval [low, high). The last bin includes `high`.

    `requested` is the total number of pairs in the requested buckets, or None if the strategy does not use buckets.
    `at_random` is the number of pairs that would be in the bin if the same number of pairs were drawn at random.
    """

    low: float
    high: float
    pairs: int
    requested: float | None
    at_random: float


@dataclass(frozen=True)
class Part:
    """A group of pairs in a report: a bucket, a kind of pair or a window. `available` is the number of pairs to choose
    from, or None if the pairs were not counted.
    """

    name: str
    requested: int
    sampled: int
    available: int | None = None


@dataclass(frozen=True)
class Group:
    """The figures for one source of sentences. `usable` is the number of usable rows, and `tried` is the number of
    sentences for which the search looked for a partner.
    """

    name: str
    usable: int
    requested: int
    sampled: int
    parts: list[Part] = field(default_factory=list)
    tried: int | None = None


@dataclass(frozen=True)
class Report:
    strategy: str
    seed: int
    measure: str
    of_pairs: bool
    read: int
    usable: int
    left_out: dict[str, int]
    groups: list[Group]
    median: float | None
    histogram: list[Bin]

    @property
    def requested(self) -> int:
        return sum(group.requested for group in self.groups)

    @property
    def sampled(self) -> int:
        return sum(group.sampled for group in self.groups)

    @property
    def warning(self) -> str:
        """Return warnings about the pairs, which researchers should read before they pay for judgements. The returned
        text is empty if there are no warnings.
        """
        little = sum(b.pairs for b in self.histogram if b.high <= LITTLE)
        if 2 * little <= self.sampled:
            return ""
        return (
            f"{little:,} of {self.sampled:,} pairs have a value below {LITTLE:g} on the measure {self.measure}, so "
            f"annotators will probably find most of these pairs unrelated. Sample by overlap, or increase the ratio "
            "between buckets, before you pay for judgements."
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the report as a JSON object. In JSON, bins have the keys `from` and `to` instead of `low` and
        `high`.
        """
        report = asdict(self) | {"requested": self.requested, "sampled": self.sampled, "warning": self.warning}
        report["histogram"] = [
            {"from": b.low, "to": b.high, "pairs": b.pairs, "requested": b.requested, "at_random": b.at_random}
            for b in self.histogram
        ]
        return report

    def lines(self) -> Iterator[str]:
        """Return the report as text for a terminal."""
        rows = "pairs" if self.of_pairs else "sentences"
        yield (
            f"{self.sampled:,} of {self.requested:,} pairs by {self.strategy}, seed {self.seed}, "
            f"of {self.usable:,} {rows} ({self.read:,} read)"
        )
        for reason, count in self.left_out.items():
            yield f"  excluded: {count:,} × {reason}"
        for group in self.groups:
            if group.name:
                yield f"  {group.name}: {group.sampled:,} of {group.requested:,}, from {group.usable:,} {rows}"
            if group.tried is not None and group.tried > group.sampled:
                yield f"    {group.tried - group.sampled:,} of {group.tried:,} tried sentences had no matching partner"
            drawn = [part for part in group.parts if part.requested or part.sampled]
            for part in drawn:
                rest = "" if part.available is None else f", {part.available:,} to choose from"
                yield f"    {part.name}: {part.sampled:,} of {part.requested:,}{rest}"
            if len(drawn) < len(group.parts):
                yield f"    buckets from which no pairs were requested: {len(group.parts) - len(drawn):,}"
        yield from self._histogram_lines()
        if self.warning:
            yield f"  warning: {self.warning}"

    def _histogram_lines(self) -> Iterator[str]:
        if self.median is None:
            return
        yield f"  {self.measure}, median {self.median:.3f}"
        has_requests = any(b.requested is not None for b in self.histogram)
        head = f"{'requested':>11}" if has_requests else ""
        yield f"  {'':11}{'sampled':>8}{head}{'at random':>11}"
        most = max(b.pairs for b in self.histogram)
        for b in self.histogram:
            requested = f"{b.requested:>11.1f}" if b.requested is not None else ""
            bar = "█" * round(_BAR * b.pairs / most)
            line = f"  {b.low:.2f}–{b.high:.2f}  {b.pairs:>8,}{requested}{b.at_random:>11.1f}  {bar}"
            yield line.rstrip()


def histogram(scores: Floats, requested: tuple[Floats, Floats] | None, at_random: tuple[Floats, Floats]) -> list[Bin]:
    """Return the number of values in each of twenty bins from 0 to 1. `requested` and `at_random` contain scores and
    their weights.
    """
    pairs, edges = np.histogram(scores, BINS, (0, 1))
    requested_counts = None if requested is None else np.histogram(requested[0], BINS, (0, 1), weights=requested[1])[0]
    random = np.histogram(at_random[0], BINS, (0, 1), weights=at_random[1])[0]
    return [
        Bin(
            round(float(edges[b]), 4),
            round(float(edges[b + 1]), 4),
            int(pairs[b]),
            None if requested_counts is None else round(float(requested_counts[b]), 3),
            round(float(random[b]), 3),
        )
        for b in range(BINS)
    ]
