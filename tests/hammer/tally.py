"""The counts of all sessions, which each session stores in its folder."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

KILLING_JOBS = ("worker killed", "web server killed", "one web process killed")  # the last two on SQLite
LOSSES = 3  # kills after which a job fails, as in `annotate.core.services.job_leases`


@dataclass
class Tally:
    """The counts of one session, or the sum of several sessions. `slowest` and `recovery` are in seconds."""

    requests: int = 0
    cut: int = 0
    twice: int = 0
    hits: int = 0
    errors: int = 0  # replies with status 500
    stuck: int = 0  # requests that would have needed somebody to look at the server
    seconds: float = 0.0
    slowest: float = 0.0
    recovery: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    actions: Counter[str] = field(default_factory=Counter)  # of researchers
    refusals: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)  # no reply, 429 and 5xx; the client sent the request again

    def recovered(self, seconds: float) -> None:
        self.recovery = max(self.recovery, seconds)

    def save(self, folder: Path, session: int) -> None:
        """Store the counts regularly, so that a killed session loses at most a few seconds of its counts."""
        new = folder / "tally.new"
        new.write_text(json.dumps(vars(self)), encoding="utf-8")
        new.replace(folder / f"tally-{session:04}.json")


def sum_of(folder: Path) -> Tally:
    """Return the tally of all sessions in the folder."""
    total = Tally()
    for file in sorted(folder.glob("tally-*.json")):
        for name, value in json.loads(file.read_text(encoding="utf-8")).items():
            before = getattr(total, name)
            if isinstance(before, Counter):
                before.update(value)
            else:
                setattr(total, name, max(before, value) if name in ("slowest", "recovery") else before + value)
    return total


def report(total: Tally, comparison: dict[str, Any]) -> str:
    """Return the tally as text."""
    rows = [
        ("requests", f"{total.requests:,}, {total.requests / max(total.seconds, 1):,.0f} per second"),
        ("  cut half-way or before the reply", f"{total.cut:,}"),
        ("  sent twice at once", f"{total.twice:,}"),
        ("faults", f"{total.faults.total():,}"),
        *((f"  {name}", f"{count:,}") for name, count in sorted(total.faults.items())),
        *((f"  {name}", f"{count:,}") for name, count in sorted(total.actions.items())),
        ("HITs submitted", f"{total.hits:,}"),
        ("acknowledged", f"{comparison['acknowledged']:,}"),
        ("found", f"{comparison['found']:,}"),
        *((f"  {name}", f"{confirmed:,} of {count:,}") for name, (confirmed, count) in comparison["kinds"].items()),
        ("HITs over their count", f"{comparison['over']:,}"),
        ("slots held twice", f"{comparison['twice']:,}"),
        ("other inconsistencies", f"{len(comparison['inconsistent']):,}"),
        ("jobs done", f"{comparison['jobs_done']:,} of {comparison['jobs']:,}"),
        ("  failed after three kills", f"{comparison['jobs_killed']:,}"),
        ("manual steps", f"{manual_steps(total, comparison):,}"),
        ("replies with status 500", f"{total.errors:,}"),
        ("slowest reply", f"{total.slowest:.1f} s"),
        ("slowest recovery", f"{total.recovery:.1f} s"),
        *((f"  sent again: {name}", f"{count:,}") for name, count in sorted(total.failures.items())),
        *((f"  refused: {name}", f"{count:,}") for name, count in sorted(total.refusals.items())),
    ]
    width = max(len(name) for name, _ in rows)
    lines = [f"{name:<{width}}  {value}" for name, value in rows]
    return "\n".join([*lines, *comparison["lost"], *comparison["inconsistent"], *comparison["jobs_left"]])


def manual_steps(total: Tally, comparison: dict[str, Any]) -> int:
    """Return the requests without a response, and the jobs that did not end by themselves.

    A job fails on purpose if its process ends three times, and the researcher requests the next one. There cannot be
    more such jobs than the faults explain.
    """
    kills = sum(count for fault, count in total.faults.items() if fault in KILLING_JOBS)
    explained = min(comparison["jobs_killed"], kills // LOSSES)
    return total.stuck + comparison["jobs"] - comparison["jobs_done"] - explained


def clean(total: Tally, comparison: dict[str, Any]) -> bool:
    """Return whether all acknowledged data is stored and no other errors occurred."""
    bad = [comparison["lost"], comparison["over"], comparison["twice"], comparison["inconsistent"]]
    return not any([*bad, manual_steps(total, comparison), total.errors])
