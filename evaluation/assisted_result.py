"""Program-assisted figures with their names, as JSON and as a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from accord_core.evaluation.summed_figures import SummedFigures
from accord_core.exchange.printed_tables import Cell, PrintedTable
from accord_core.numerics.assisted import AssistedFigure, Drawn, assisted_figures
from accord_core.numerics.assisted_ranks import Rank, ranks_of_sums
from accord_core.numerics.labels import Floats

# In real alignments, a few sentence pairs contain most errors.
MOST_SKEWNESS = 0.1

COLUMNS = ("system", "figure", "assisted", "low", "high", "people alone", "people low", "people high", "saved", "note")


class NamedFigure(NamedTuple):
    """A figure of the answers, or of a system if `system` is not empty."""

    system: str
    name: str
    figure: AssistedFigure

    def as_json(self) -> dict[str, Any]:
        of = self.figure
        return {
            "system": self.system or None,
            "figure": self.name,
            "assisted": of.assisted.as_figure(),
            "people": of.people.as_figure(),
            "program_weight": of.tuning,
            "saved": of.saved,
        }


@dataclass(frozen=True)
class AssistedResult:
    """The figures, and each system's rank by its Spearman correlation or κ. Without intervals, there are no ranks."""

    figures: list[NamedFigure]
    ranks: dict[str, Rank]
    questions: int
    judged: int

    def as_json(self) -> dict[str, Any]:
        return {
            "questions": self.questions,
            "judged": self.judged,
            "figures": [each.as_json() for each in self.figures],
            "ranks": {system: rank._asdict() for system, rank in self.ranks.items()},
        }

    def as_table(self) -> PrintedTable:
        questions = f"{self.questions:,} questions, {self.judged:,} of them judged by people"
        return PrintedTable(
            COLUMNS,
            [_row(each) for each in self.figures],
            caption=f"Program-assisted figures of {questions}",
            notes=[*_rank_notes(self.ranks), self._saving_note()],
            places_of={"saved": 2},
        )

    def _saving_note(self) -> str:
        if self.judged == self.questions:
            return "People have judged all questions, so the program saves no judgements."
        return "Saved is the share of judgements that the program saves, compared with people alone at the same error."


def system_figures(counts: Mapping[str, tuple[Floats, Floats]], drawn: Drawn, of: SummedFigures) -> AssistedResult:
    """Return the figures of each system. `counts` contains its counts against people (n, K) and against the program
    (U, K), by the system's name.
    """
    figures = [
        NamedFigure(system, *each)
        for system, (people, program) in counts.items()
        for each in zip(
            of.names,
            assisted_figures(
                people,
                program,
                drawn,
                of.estimate,
                scale="fisher",
                rare=of.rare(people),
                most_skewness=MOST_SKEWNESS,
            ),
            strict=True,
        )
    ]
    sign = -1 if of.lower else 1
    ranks = ranks_of_sums(list(counts.values()), drawn, lambda means: sign * of.estimate(means)[of.ranked])
    known = {
        each.system for each in figures if each.name == of.names[of.ranked] and each.figure.assisted.low is not None
    }
    by_system = dict(zip(counts, ranks, strict=True)) if ranks is not None and len(known) == len(counts) else {}
    return AssistedResult(figures, by_system, drawn.questions, len(drawn.judged))


def _row(each: NamedFigure) -> list[Cell]:
    of = each.figure
    ends = (of.assisted.value, of.assisted.low, of.assisted.high, of.people.value, of.people.low, of.people.high)
    return [each.system, each.name, *ends, of.saved, of.assisted.reason or of.people.reason]


def _rank_notes(ranks: Mapping[str, Rank]) -> list[str]:
    if not ranks:
        return []
    listed = "; ".join(
        f"{system} {rank.value}" + (f" ({rank.low} to {rank.high})" if rank.low < rank.high else "")
        for system, rank in sorted(ranks.items(), key=lambda pair: pair[1].value)
    )
    return [f"Ranks, with ranges that together contain all true ranks with a probability of at least 95%: {listed}."]
