"""A pool of sentences, which are represented as sets of words. The pool lists the usable sentences, and calculates the
overlap of pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from accord_core.bws.sampling.formats.sentences import Sentences
from accord_core.evaluation.numerics.overlap import (
    Floats,
    Ints,
    dice,
    idf_dice,
    inverse_document_frequency,
    share_of_first,
    word_sets,
)
from accord_core.numerics.draws import generator
from bws.sampling.request import Request, group_columns, word_limits


class Pool:
    """Sentences stored as sets of words, with a mask that marks the usable sentences.

    The sentences in a file of n pairs are numbered consecutively: row r contains the sentences r and r + n.
    """

    def __init__(self, table: Sentences, request: Request, synonyms: Mapping[str, str] | None) -> None:
        self.table, self.request = table, request
        self.texts = [text for column in table.texts for text in column]
        self.sets = word_sets(self.texts, synonyms)
        self.group_columns = group_columns(table, request)
        cells = [table.column(column) for column in self.group_columns]
        self.group_of = ["/".join(row) for row in zip(*cells, strict=True)] if cells else [""] * len(table)
        self.left_out: Counter[str] = Counter()
        self.usable = self._usable()
        rows: dict[str, list[int]] = {group: [] for group in self.group_of}
        for row in self.usable:
            rows[self.group_of[row]].append(int(row))
        self.rows = {group: np.array(numbers, np.int64) for group, numbers in rows.items()}
        self.measure = request.measure or ("overlap" if request.strategy == "overlap" else "dice")
        self._idf: Floats | None = None

    def _usable(self) -> Ints:
        shortest, longest = word_limits(self.table, self.request)
        earlier_keys: set[tuple[str, ...]] = set()
        usable = []
        lengths = self.sets.lengths.reshape(len(self.table.texts), -1)
        short, long = lengths.min(axis=0) < shortest, lengths.max(axis=0) > longest
        for row, texts in enumerate(zip(*self.table.texts, strict=True)):
            key = (self.group_of[row], *sorted(texts))
            if short[row]:
                self.left_out[f"a sentence of under {shortest} words"] += 1
            elif long[row]:
                self.left_out[f"a sentence of over {longest} words"] += 1
            elif len(texts) == 2 and texts[0] == texts[1]:
                self.left_out["a pair of the same sentence twice"] += 1
            elif key in earlier_keys:
                self.left_out["the same as an earlier row"] += 1
            else:
                earlier_keys.add(key)
                usable.append(row)
        return np.array(usable, np.int64)

    def draws(self, *names: str) -> np.random.Generator:
        return generator(self.request.seed, "sample pairs", self.request.strategy, *names)

    def of_rows(self, rows: Ints) -> Ints:
        """Return the two sentences (k, 2) of each of these rows, for a file of pairs."""
        return np.column_stack([rows, rows + len(self.table)])

    def scores(self, pairs: Ints, measure: str | None = None) -> Floats:
        """Return each sentence pair's overlap (k,), by `measure` or, by default, by the request's measure."""
        first, second = pairs[:, 0], pairs[:, 1]
        measure = measure or self.measure
        if measure == "overlap":
            return share_of_first(self.sets, first, second)
        if measure == "dice":
            return dice(self.sets, first, second)
        if self._idf is None:
            in_use = self.of_rows(self.usable).ravel() if self.table.are_pairs else self.usable
            self._idf = inverse_document_frequency(self.sets.rows(in_use))
        return idf_dice(self.sets, first, second, self._idf)
