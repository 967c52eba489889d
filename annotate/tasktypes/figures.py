"""The parts of reports, design reports and system scores that the console and the API read.

Each class converts itself with `as_json`. The keys are the same as in stored reports and must not change. Everything
else in a report belongs to its task type and is passed in `own`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal

from accord_core.evaluation.measure import Measure
from accord_core.numerics.printed import interval
from accord_core.numerics.still_needed import Attained

Json = Any
State = Literal["ok", "advice", "fault"]


# ── designs ───────────────────────────────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True)
class Check:
    """A check of a design, with the check's name, measured value, explanation and outcome.

    A study cannot be opened while a check has the state `fault`.
    """

    name: str
    value: str
    detail: str
    state: State = "ok"

    @classmethod
    def of(cls, name: str, value: str, detail: str, holds: bool, otherwise: State = "advice") -> Check:
        """Return a check whose state is `ok` if `holds` is true, or `otherwise` if `holds` is false."""
        return cls(name, value, detail, "ok" if holds else otherwise)

    def as_json(self) -> dict[str, str]:
        return {"name": self.name, "value": self.value, "detail": self.detail, "state": self.state}


@dataclass(frozen=True)
class Bars:
    """A bar chart for a design, with a name for the categories, a name for the counts, and rows of (category,
    count).
    """

    categories: str
    counts: str
    rows: Sequence[tuple[str | int, int]]

    def as_json(self) -> dict[str, Json]:
        return {"columns": [self.categories, self.counts], "rows": [list(row) for row in self.rows]}


@dataclass(frozen=True)
class DesignReport:
    """The checks and charts that researchers read before they open a study. `own` contains additional
    figures by name.
    """

    checks: Sequence[Check] = ()
    charts: Mapping[str, Bars] = field(default_factory=dict)
    own: Mapping[str, Json] = field(default_factory=dict)

    def as_json(self) -> dict[str, Json]:
        return {
            "checks": [check.as_json() for check in self.checks],
            **self.own,
            "charts": {name: chart.as_json() for name, chart in self.charts.items()},
        }


# ── reports ───────────────────────────────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True)
class End:
    """One of the figures in a headline. Each headline has one or two figures. `value` is None if the figure is
    undefined.
    """

    name: str
    label: str
    value: float | None


@dataclass(frozen=True)
class Headline:
    """The main figure of a report. If the headline has two figures, the true value lies between them.

    `needed` is the forecast range of judgements that reach `target`, or None if a forecast is not possible yet. `unit`
    describes further judgements, `doubt` the uncertainty of the figure, and `caption` explains its chart. `attained`
    contains the figures for which a study can have a target.
    """

    name: str
    ends: Sequence[End]
    target: float | None = None
    needed: tuple[int, int] | None = None
    unit: str = "judgements"
    doubt: str = ""
    caption: str = ""
    attained: Sequence[Attained] = ()

    @property
    def low(self) -> float | None:
        return min(self._values, default=None)

    @property
    def high(self) -> float | None:
        return max(self._values, default=None)

    @property
    def text(self) -> str:
        """The figure as text on every page, such as “.852–.920”."""
        return interval(self.low, self.high)

    @property
    def _values(self) -> list[float]:
        return [end.value for end in self.ends if end.value is not None]

    def with_attained(self, attained: Sequence[Attained]) -> Headline:
        """Return the headline with figures for which a study can have a target."""
        return replace(self, attained=tuple(attained))

    def as_json(self) -> dict[str, Json]:
        return asdict(self) | {
            "ends": [asdict(end) for end in self.ends],
            "needed": None if self.needed is None else list(self.needed),
            "attained": [figure.as_json() for figure in self.attained],
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Json]) -> Headline:
        """Return the headline of a stored report."""
        needed = stored.get("needed")
        return cls(
            name=stored["name"],
            ends=tuple(End(end["name"], end["label"], end["value"]) for end in stored["ends"]),
            target=stored.get("target"),
            needed=(needed[0], needed[1]) if needed else None,
            unit=stored.get("unit", "judgements"),
            doubt=stored.get("doubt", ""),
            caption=stored.get("caption", ""),
            attained=tuple(Attained.from_json(figure) for figure in stored.get("attained", ())),
        )


@dataclass(frozen=True)
class Flag:
    """A reason to review an annotator's answers. The console lists flags under “To do”.

    `p` is the probability that a careful annotator shows the sign by chance. The console lists the annotators with
    the smallest probabilities first, and annotators whose flag has no probability last.
    """

    title: str
    detail: str
    p: float | None = None

    @property
    def order(self) -> float:
        """The sort key that puts the flags with the strongest evidence first."""
        return 1.0 if self.p is None else self.p


@dataclass(frozen=True)
class Person:
    """One annotator's figures in a report.

    `agreement` is a share or coefficient of agreement with others on `shared` questions. `places` contains the number
    of choices for each position on the screen. Every number in `own` becomes a column of annotators.csv.
    """

    pseudonym: str
    judgements: int
    gold_given: int
    gold_right: int
    agreement: float | None = None
    shared: int = 0
    median_seconds: float | None = None
    places: Sequence[int] = ()
    places_note: str = ""
    flags: Sequence[Flag] = ()
    own: Mapping[str, Json] = field(default_factory=dict)

    def as_json(self) -> dict[str, Json]:
        """Return the row in its stored format. The result contains figures about screen positions only if the row has
        `places`. `flag` is the flag with the strongest evidence.
        """
        stored = {each.name: getattr(self, each.name) for each in fields(self)}
        del stored["own"], stored["flags"]
        flags = [asdict(flag) for flag in sorted(self.flags, key=lambda flag: flag.order)]
        if not self.places and not self.places_note:
            del stored["places"], stored["places_note"]
        return stored | {"flag": flags[0] if flags else None, "flags": flags} | dict(self.own)


@dataclass(frozen=True)
class ReportResult:
    """The result of a report. If the report has no judgements, `reason` states what is missing, and the console shows
    only the reason.
    """

    judgements: int
    annotators: int | None = None
    reason: str = ""
    headline: Headline | None = None
    people: Sequence[Person] = ()
    own: Mapping[str, Json] = field(default_factory=dict)

    def as_json(self) -> dict[str, Json]:
        """Return the result in its stored format. If the task type omits a part, the stored result has no key for
        it.
        """
        stored: dict[str, Json] = {"judgements": self.judgements}
        if self.annotators is not None:
            stored["annotators"] = self.annotators
        if self.reason:
            stored["reason"] = self.reason
        if self.headline is not None:
            stored["headline"] = self.headline.as_json()
        stored |= self.own
        if self.people:
            stored["people"] = [person.as_json() for person in self.people]
        return stored


# ── systems ───────────────────────────────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True)
class Baseline:
    """A baseline, which consists of scores that use the same measures as system scores but do not come from a system.
    `kind` is the kind of row in a leaderboard.
    """

    name: str
    measures: Sequence[Measure]
    kind: str = "baseline"


@dataclass(frozen=True)
class Table:
    """A table of additional figures. Each cell is a string, a number or None."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Json]]


@dataclass(frozen=True)
class Evaluation:
    """The score of one system. The first measure is the main one for comparing systems. `notes` contains sentences
    about excluded data.
    """

    measures: Sequence[Measure]
    baselines: Sequence[Baseline] = ()
    notes: Sequence[str] = ()
    tables: Sequence[Table] = ()
    own: Mapping[str, Json] = field(default_factory=dict)

    def as_json(self) -> dict[str, Json]:
        return {
            **self.own,
            "measures": [measure.as_json() for measure in self.measures],
            "baselines": [asdict(baseline) for baseline in self.baselines],
            "notes": list(self.notes),
            "tables": [
                {"title": table.title, "columns": list(table.columns), "rows": [list(row) for row in table.rows]}
                for table in self.tables
            ],
        }
