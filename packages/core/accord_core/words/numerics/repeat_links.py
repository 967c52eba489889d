"""Simulated repeats of a word alignment study, drawn from the model of cells that is fitted to the study's own
alignments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accord_core.numerics.draws import choices_by_row, new_annotators
from accord_core.numerics.labels import Floats, Ints
from accord_core.pairs.numerics.links import Alignment, Link
from accord_core.words.numerics.cell_model import fit
from accord_core.words.numerics.cells import (
    NO_LINK,
    SURE,
    AnnotatedPair,
    cells_of,
    classes,
    states,
)


@dataclass(frozen=True, eq=False)
class RepeatModel:
    """The model of K cells and L votes on them. A vote belongs to one of N alignments.

    `i`, `j` and `start` (K,) contain the tokens and the initial state of each cell, and `posterior` (K, 3) the
    probabilities of its true state. `cell` and `answer` (L,) contain the cell and the alignment of each vote.
    `annotator` (N,) and `pair` (N,) describe the alignments. `confusion` (A, 3, 3, 3) contains the error rates of the
    study's annotators, as in `CellModel`.
    """

    i: Ints
    j: Ints
    start: Ints
    posterior: Floats
    cell: Ints
    answer: Ints
    annotator: Ints
    pair: Ints
    confusion: Floats
    pairs: int


def fit_repeats(pairs: Sequence[AnnotatedPair], n_annotators: int) -> RepeatModel:
    """Fit the model to the pairs. The posterior of a cell that nobody linked is that of all such cells of its class in
    the same pair.
    """
    cells = cells_of(pairs, n_annotators)
    model = fit(cells)
    listed = cells.i >= 0
    own: dict[tuple[int, int, int], Floats] = {}
    shared: dict[tuple[int, int], Floats] = {}
    for row, (place, i, j) in enumerate(zip(cells.pair.tolist(), cells.i.tolist(), cells.j.tolist(), strict=True)):
        if listed[row]:
            own[place, i, j] = model.posterior[row]
        else:
            shared[place, int(cells.group[row])] = model.posterior[row]
    parts: list[tuple[Ints, Ints, Ints, Floats]] = []
    cell: list[Ints] = []
    answer: list[Ints] = []
    annotator: list[int] = []
    pair: list[int] = []
    first = 0
    for place, each in enumerate(pairs):
        if not each.answers or not each.source or not each.target:
            continue
        start = states(each.shown or Alignment(), (len(each.source), len(each.target)))
        group = classes(each, start)
        i, j = (axis.ravel() for axis in np.indices(start.shape))
        posterior = np.array(
            [
                own[place, a, b] if (place, a, b) in own else shared[place, kind]
                for a, b, kind in zip(i.tolist(), j.tolist(), group.ravel().tolist(), strict=True)
            ]
        )
        parts.append((i, j, start.ravel(), posterior))
        for number in each.answers:
            cell.append(first + np.arange(start.size))
            answer.append(np.full(start.size, len(annotator)))
            annotator.append(number)
            pair.append(place)
        first += start.size
    i, j, start, posterior = (np.concatenate(column) for column in zip(*parts, strict=True))
    return RepeatModel(
        i,
        j,
        start,
        posterior,
        np.concatenate(cell),
        np.concatenate(answer),
        np.array(annotator),
        np.array(pair),
        model.confusion[np.unique(annotator)],
        len(pairs),
    )


def draw_repeat(model: RepeatModel, generator: np.random.Generator) -> list[list[Alignment]]:
    """Return alignments of each pair by as many new annotators, whose error rates are drawn from those of the study's
    annotators.
    """
    truth = choices_by_row(model.posterior, generator)
    behaviour = new_annotators(len(model.confusion), 1 + int(model.annotator.max()), generator)
    rates = behaviour[model.annotator]
    chance = model.confusion[rates[model.answer], model.start[model.cell], truth[model.cell]]
    state = choices_by_row(chance, generator)
    links: list[tuple[list[Link], list[Link]]] = [([], []) for _ in model.annotator]
    drawn = np.flatnonzero(state != NO_LINK)
    cells = model.cell[drawn]
    columns = (model.answer[drawn], model.i[cells], model.j[cells], state[drawn] == SURE)
    for number, i, j, sure in zip(*(column.tolist() for column in columns), strict=True):
        links[number][not sure].append((i, j))
    repeat: list[list[Alignment]] = [[] for _ in range(model.pairs)]
    for place, (sure, possible) in zip(model.pair.tolist(), links, strict=True):
        repeat[place].append(Alignment.of(sure, possible))
    return repeat
