"""Writer for CSV files that compare each P sentence in paraphrase sets with the other sentences in its set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from accord_core.exchange.csvtext import write_csv
from accord_core.paraphrase.systems.formats.pham import KINDS, PARAPHRASE, ParaphraseSets
from accord_core.paraphrase.systems.numerics.paraphrase_sets import ParaphraseComparison

_NONPARA = tuple(kind for kind in KINDS if kind != PARAPHRASE)
COLUMNS = (
    "group",
    "set",
    "line",
    "sentence",
    "cos_para",
    "cos_nonpara",
    "difference",
    *(f"difference_{kind.lower()}" for kind in _NONPARA),
)


def write_comparisons(dataset: ParaphraseSets, rows: Sequence[tuple[int, ParaphraseComparison]]) -> Iterator[str]:
    """Yield a CSV file with one row per P sentence. A cell is empty if the set has no sentence of that kind."""
    yield from write_csv((_row(dataset, place, each) for place, each in rows), COLUMNS)


def _row(dataset: ParaphraseSets, place: int, each: ParaphraseComparison) -> list[str]:
    sentence = dataset.sentences[place]
    figures = [each.para, each.nonpara, each.para - each.nonpara, *(each.against.get(kind) for kind in _NONPARA)]
    cells = ["" if figure is None else f"{figure:.6f}" for figure in figures]
    return [*sentence.set, str(sentence.line), sentence.text, *cells]
