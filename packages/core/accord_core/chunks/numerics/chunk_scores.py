"""Precision, recall and F1 of chunks, as in the CoNLL-2000 shared task (Tjong Kim Sang and Buchholz 2000): a chunk is
correct if a gold chunk has the same tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord_core.chunks.numerics.scores import PUNCTUATION
from accord_core.evaluation.measure import Measure
from accord_core.evaluation.measures import Ratio, measures_of_sums, precision_recall_f1

Floats = NDArray[np.float64]
Chunk = tuple[int, ...]

MEASURES = (
    Ratio("precision", undefined="the system has no chunk"),
    Ratio("recall", undefined="the gold file has no chunk"),
    Ratio("F1", undefined="one of the files has no chunk"),
)


class ChunkScores(NamedTuple):
    """Precision, recall and F1 with intervals, and the counts behind them: gold chunks, system chunks, correct chunks,
    sentences, and sentences without an error.
    """

    gold: int
    system: int
    correct: int
    sentences: int
    correct_sentences: int
    measures: list[Measure]


def chunk_scores(
    sentences: Iterable[tuple[Sequence[str], Iterable[Chunk], Iterable[Chunk]]],
    *,
    punctuation: bool = False,
    resamples: int = 1000,
    seed: int = 1,
) -> ChunkScores:
    """Return the scores for a system's chunks. Each sentence consists of its tokens, its gold chunks and the system's
    chunks.

    Without `punctuation`, chunks that contain only punctuation marks (the marks that the official scorer ignores) do
    not count, because such chunks are easy to find. The 95% percentile intervals resample sentences.
    """
    rows = []
    for tokens, gold, system in sentences:
        one, other = (
            {chunk for chunk in chunks if punctuation or not all(tokens[token] in PUNCTUATION for token in chunk)}
            for chunks in (gold, system)
        )
        rows.append([len(one), len(other), len(one & other)])
    counts = np.array(rows, dtype=np.float64).reshape(-1, 3)
    gold_chunks, system_chunks, correct = (int(total) for total in counts.sum(axis=0))
    right = int(((counts[:, 0] == counts[:, 2]) & (counts[:, 1] == counts[:, 2])).sum())
    measures = measures_of_sums(MEASURES, counts, _figures, resamples=resamples, seed=seed)
    return ChunkScores(gold_chunks, system_chunks, correct, len(counts), right, measures)


def _figures(sums: Floats) -> Floats:
    gold, system, correct = sums.T
    return precision_recall_f1(correct, system, correct, gold)
