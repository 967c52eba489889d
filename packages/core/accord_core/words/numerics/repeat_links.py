"""Simulated repeats of a word alignment study, drawn from the model of cells that is fitted to the study's own
alignments. Whole alignments can be careless (`careless_answers.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from accord_core.numerics.draws import choices_by_row
from accord_core.numerics.labels import Bools, Floats, Ints
from accord_core.pairs.numerics.careless_answers import (
    SEED,
    Answers,
    Likelihoods,
    answers_of,
    draw_careless,
    fit_careless,
    new_answers,
    vote_frequencies,
)
from accord_core.pairs.numerics.links import Alignment, Link
from accord_core.words.numerics.cell_model import fit
from accord_core.words.numerics.cells import (
    NO_LINK,
    STATES,
    SURE,
    AnnotatedPair,
    Cells,
    cells_of,
    classes,
    states,
)


@dataclass(frozen=True, eq=False)
class RepeatModel:
    """The model of R rows of cells, and the K cells of all pairs.

    `careless` (N,) marks the careless ones of the study's N alignments, and `likelihoods` belong to them. `i`, `j` and
    `row` (K,) contain the tokens and the row of each cell. `confusion` (A, 3, 3, 3) contains the error rates of the
    study's annotators, as in `CellModel`, and `frequencies` (3, 3) the votes of careless alignments by initial state.
    """

    cells: Cells
    answers: Answers
    careless: Bools
    likelihoods: Likelihoods
    confusion: Floats
    frequencies: Floats
    i: Ints
    j: Ints
    row: Ints
    pairs: int


def fit_repeats(pairs: Sequence[AnnotatedPair], n_annotators: int) -> RepeatModel:
    """Fit the model to the pairs. Error rates come from careful alignments only."""
    cells = cells_of(pairs, n_annotators)
    answers = answers_of(cells.pair, cells.row, cells.annotator, cells.weight)

    def fitted(careless: Bools) -> tuple[Likelihoods, Floats, Floats]:
        used = ~careless[answers.answer]
        model = fit(replace(cells, row=cells.row[used], annotator=cells.annotator[used], vote=cells.vote[used]))
        frequencies = vote_frequencies(answers, cells.start, cells.vote, careless, STATES)
        start = cells.start[cells.row]
        likelihoods = Likelihoods(
            np.log(model.confusion)[cells.annotator, start, :, cells.vote],
            np.log(frequencies)[start, cells.vote],
            np.log(model.prior)[cells.group],
        )
        return likelihoods, model.confusion, frequencies

    careless = fit_careless(answers, lambda drawn: fitted(drawn)[0], np.random.default_rng(SEED))
    return RepeatModel(cells, answers, careless, *fitted(careless), *_all_cells(pairs, cells), len(pairs))


def _all_cells(pairs: Sequence[AnnotatedPair], cells: Cells) -> tuple[Ints, Ints, Ints]:
    """Return the tokens and the row of each cell, by pair. Cells without a row of their own belong to the row of all
    such cells of their class in the same pair.
    """
    rows = {
        (place, i, j, -1 if i >= 0 else group): row
        for row, (place, i, j, group) in enumerate(
            zip(*(column.tolist() for column in (cells.pair, cells.i, cells.j, cells.group)), strict=True)
        )
    }
    parts = [np.empty((3, 0), dtype=np.int64)]
    for place in np.unique(cells.pair).tolist():
        pair = pairs[place]
        group = classes(pair, states(pair.shown or Alignment(), (len(pair.source), len(pair.target))))
        i, j = (axis.ravel() for axis in np.indices(group.shape))
        row = [
            rows[place, a, b, -1] if (place, a, b, -1) in rows else rows[place, -1, -1, kind]
            for a, b, kind in zip(i.tolist(), j.tolist(), group.ravel().tolist(), strict=True)
        ]
        parts.append(np.stack([i, j, np.array(row)]))
    i, j, row = np.concatenate(parts, axis=1)
    return i, j, row


def draw_repeat(model: RepeatModel, generator: np.random.Generator) -> list[list[Alignment]]:
    """Return alignments of each pair by as many new annotators, whose error rates are drawn from those of the study's
    annotators.
    """
    cells, answers = model.cells, model.answers
    careless, posterior = draw_careless(answers, model.likelihoods, model.careless, generator)
    truth = choices_by_row(posterior[model.row], generator)
    own, is_careless = new_answers(answers, careless, cells.n_annotators, generator)
    # Each answer votes on all cells of its pair
    pair = cells.pair[model.row]
    first, last = (np.searchsorted(pair, answers.pair, side=side) for side in ("left", "right"))
    answer = np.repeat(np.arange(len(own)), last - first)
    cell = np.concatenate([np.arange(*ends) for ends in zip(first.tolist(), last.tolist(), strict=True)])
    start = cells.start[model.row[cell]]
    chance = np.where(
        is_careless[answer][:, None], model.frequencies[start], model.confusion[own[answer], start, truth[cell]]
    )
    state = choices_by_row(chance, generator)
    drawn = np.flatnonzero(state != NO_LINK)
    links: list[tuple[list[Link], list[Link]]] = [([], []) for _ in own]
    columns = (answer[drawn], model.i[cell[drawn]], model.j[cell[drawn]], state[drawn] == SURE)
    for number, i, j, sure in zip(*(column.tolist() for column in columns), strict=True):
        links[number][not sure].append((i, j))
    repeat: list[list[Alignment]] = [[] for _ in range(model.pairs)]
    for place, (sure, possible) in zip(answers.pair.tolist(), links, strict=True):
        repeat[place].append(Alignment.of(sure, possible))
    return repeat
