"""The printed scores of systems on labels, with baselines and differences between systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from accord_core.exchange.compared_systems import add_corrected_by_figure, correction_note, title
from accord_core.exchange.printed_tables import figure_table
from annotate.cli.options import print_result
from annotate.tasktypes import Baseline, Difference, Measure
from evaluation.cli.figures import difference_line, figure_line

PERMUTATIONS = 10_000
Figures = dict[str, dict[str, Any]]


class Scores(NamedTuple):
    """The measures of systems by name, the differences by the names of two systems, and the baselines."""

    systems: Mapping[str, Sequence[Measure]]
    differences: Mapping[tuple[str, str], Sequence[Difference]]
    baselines: Sequence[Baseline]

    def print(self, output_format: str, caption: str, **facts: Any) -> None:
        """Print the scores. In JSON, they follow the `facts`. Holm's method corrects the p-values of each measure."""
        measures = {name: _figures(each) for name, each in self.systems.items()}
        differences = {pair: _figures(each) for pair, each in self.differences.items()}
        add_corrected_by_figure(differences.values())
        figures = facts | ({"system": next(iter(measures.values()))} if len(measures) == 1 else {"systems": measures})
        figures["baselines"] = {each.name: _figures(each.measures) for each in self.baselines}
        if differences:
            figures["differences"] = [
                {"one": one, "other": other, **each} for (one, other), each in differences.items()
            ]
        tables = measures | {title(*pair): each for pair, each in differences.items()} | figures["baselines"]
        firsts = [next(iter(each.values())) for each in differences.values()]
        notes = correction_note(firsts, "comparisons of each measure")
        rows = [([name, row], figure) for name, each in tables.items() for row, figure in each.items()]
        table = figure_table(["system", "measure"], rows, caption=caption, notes=notes)
        print_result(output_format, table, text=_lines(caption, tables, notes), figures=figures)


def _figures(measures: Sequence[Measure | Difference]) -> Figures:
    return {each.name: _figure(each) for each in measures}


def _figure(measure: Measure | Difference) -> dict[str, Any]:
    figure = {name: value for name, value in measure.as_json().items() if name not in ("name", "note")}
    return figure | ({"reason": measure.note} if measure.note else {})


def _lines(caption: str, tables: Mapping[str, Figures], notes: Sequence[str]) -> Iterator[str]:
    yield f"{caption}\n"
    for system, measures in tables.items():
        yield f"{system}\n"
        for name, measure in measures.items():
            yield difference_line(name, measure) if "p" in measure else figure_line(name, measure)
    yield from (f"{note}\n" for note in notes)
