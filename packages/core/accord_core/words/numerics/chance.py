"""Chance agreement between two annotators who each change random cells of a pre-alignment.

Source: Cohn, Callison-Burch and Lapata (2008), “Chance-corrected agreement”. The sampled matrices of a sentence pair
are processed together as arrays. The module `phrases` derives the same atoms from one alignment at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from accord_core.numerics.labels import Bools, Floats, Ints
from accord_core.pairs.numerics.links import Link, identical_links

# The minimum distance between the edit probability and 0 or 1.
LEAST = 1e-6
# The maximum number of sampled matrix cells that are held in memory at once.
BLOCK = 4_000_000

Counts = Ints | Floats


@dataclass(frozen=True, slots=True)
class EditFit:
    """The probability that an annotator changes a cell in an n × m matrix: `intercept` + `slope` · (n + m)."""

    intercept: float
    slope: float

    def probability(self, n: int, m: int) -> float:
        return min(max(self.intercept + self.slope * (n + m), LEAST), 1 - LEAST)


def edit_fit(sizes: Sequence[tuple[int, int]], edited: Sequence[int]) -> EditFit:
    """Return the line with the highest binomial likelihood, given that `edited[k]` of the n·m cells in matrix k were
    changed.

    `sizes` contains the (n, m) of each matrix. Only lines that stay within [1e-6, 1 − 1e-6] for every length in the
    data are considered, so the likelihood is concave and has a single maximum. If all lengths are equal, the slope is
    0. Raises ValueError if there are no matrices, or if there are more edits than cells.
    """
    from scipy.optimize import minimize

    n, m = np.asarray(sizes, dtype=np.float64).reshape(-1, 2).T
    length, cells, changed = n + m, n * m, np.asarray(edited, dtype=np.float64)
    if not len(length) or (changed > cells).any() or (changed < 0).any():
        raise ValueError("at least one matrix is required, and the number of edits must be from 0 to n·m")
    share = float(np.clip(changed.sum() / max(cells.sum(), 1), LEAST, 1 - LEAST))
    shortest, longest = float(length.min()), float(length.max())
    if shortest == longest:
        return EditFit(share, 0.0)

    # The line is defined by its values for the shortest and the longest pair, relative to the overall share of edited
    # cells.
    far = (length - shortest) / (longest - shortest)
    ends = np.stack([1 - far, far])

    def loss(values: Floats) -> tuple[float, Floats]:
        chance = share * (values @ ends)
        likelihood = changed @ np.log(chance) + (cells - changed) @ np.log1p(-chance)
        gradient = share * (ends @ (changed / chance - (cells - changed) / (1 - chance)))
        scale = share * (1 - share) * cells.sum()
        return -likelihood / scale, -gradient / scale

    bounds = [(LEAST / share, (1 - LEAST) / share)] * 2
    found = minimize(
        loss, np.ones(2), jac=True, bounds=bounds, method="L-BFGS-B", options={"ftol": 1e-15, "gtol": 1e-10}
    )
    low, high = share * found.x
    slope = (high - low) / (longest - shortest)
    return EditFit(float(low - slope * shortest), float(slope))


def overlap(both: Counts, a: Counts, b: Counts) -> Floats:
    """Return |A ∩ B| / min(|A|, |B|) for each element, or 1 if both sets are empty and 0 if only one set is empty."""
    least = np.minimum(a, b)
    return np.where(least > 0, both / np.maximum(least, 1), np.where(np.maximum(a, b) > 0, 0.0, 1.0))


def sampled_link_overlap(
    prealignment: frozenset[Link],
    source: Sequence[str],
    target: Sequence[str],
    chances: tuple[float, float],
    *,
    samples: int,
    generator: np.random.Generator,
    ignore_identical: bool,
) -> float:
    """Draw `samples` pairs of randomly changed pre-alignments, and return the mean `overlap` of their links.

    `chances` contains the probability that each annotator changes a cell. Links between identical words are changed
    like other links and, with `ignore_identical`, excluded from the compared sets.
    """
    n, m = len(source), len(target)
    counted = np.ones((n, m), dtype=np.bool_)
    if ignore_identical:
        counted ^= _matrix(identical_links(source, target), n, m)
    overlaps = []
    for sampled in _sampled(_matrix(prealignment, n, m), chances, samples, generator):
        a, b = (sampled & counted).reshape(2, -1, n * m)
        overlaps.append(overlap(np.count_nonzero(a & b, 1), np.count_nonzero(a, 1), np.count_nonzero(b, 1)))
    return float(np.concatenate(overlaps).mean())


def sampled_phrase_overlap(
    prealignment: frozenset[Link],
    source: Sequence[str],
    target: Sequence[str],
    chances: tuple[float, float],
    *,
    samples: int,
    generator: np.random.Generator,
    ignore_identical: bool,
) -> float:
    """Return the mean `overlap` of the atomic phrase pairs derived from the sampled links. Identical phrases are
    excluded.
    """
    n, m = len(source), len(target)
    alike = _identical_run(_matrix(identical_links(source, target), n, m)) if ignore_identical else None
    overlaps = []
    for sampled in _sampled(_matrix(prealignment, n, m), chances, samples, generator):
        count = sampled.shape[1]
        a, b = (_atom_keys(matrices, alike) for matrices in sampled)
        both = np.intersect1d(a, b, assume_unique=True)
        overlaps.append(overlap(*(np.bincount(_sample_of(keys, n, m), minlength=count) for keys in (both, a, b))))
    return float(np.concatenate(overlaps).mean())


def atoms(matrices: Bools) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Return the atomic phrase pairs in alignment matrices (B, n, m), with one entry per aligned source word.

    The result contains five arrays: the index of the matrix, and the first and last source and target words of the
    smallest phrase pair around the links of the word. As in `phrases.atomic_phrase_pairs`, spans grow to include the
    words to which their words are linked, but here all spans grow at the same time.
    """
    which, word = np.nonzero(matrices.any(axis=2))
    linked_targets, linked_sources = _reaches(matrices), _reaches(matrices.transpose(0, 2, 1))
    first, last = word.copy(), word.copy()
    low, high = np.empty_like(word), np.empty_like(word)
    growing = np.arange(len(word))
    while growing.size:
        matrix, start, end = which[growing], first[growing], last[growing]
        low[growing], high[growing] = targets = linked_targets(matrix, start, end)
        first[growing], last[growing] = linked_sources(matrix, *targets)
        growing = growing[(first[growing] < start) | (last[growing] > end)]
    return which, first, last, low, high


def _reaches(matrices: Bools) -> Callable[[Ints, Ints, Ints], tuple[Ints, Ints]]:
    """Return a function that finds the first and last column linked to a range of rows in a matrix."""
    m = matrices.shape[2]
    aligned = matrices.any(axis=2)
    lowest = _extremes(np.where(aligned, matrices.argmax(axis=2), m), np.minimum)
    highest = _extremes(np.where(aligned, m - 1 - matrices[:, :, ::-1].argmax(axis=2), -1), np.maximum)

    def reach(which: Ints, first: Ints, last: Ints) -> tuple[Ints, Ints]:
        # Two overlapping ranges of 2^k words, one at the start and one at the end, cover the span.
        level = np.frexp(last - first + 1)[1] - 1
        back = last + 1 - (1 << level)
        low = np.minimum(lowest[level, which, first], lowest[level, which, back])
        return low, np.maximum(highest[level, which, first], highest[level, which, back])

    return reach


def _extremes(values: Ints, extreme: np.ufunc) -> Ints:
    """Return the minimum or maximum of each run of 2^k values in the rows (B, n). The result (K, B, n) is indexed by k
    and by the start of each run.
    """
    levels, width = [values], 1
    while 2 * width <= values.shape[1]:
        wider = levels[-1].copy()
        wider[:, :-width] = extreme(levels[-1][:, :-width], levels[-1][:, width:])
        levels.append(wider)
        width *= 2
    return np.stack(levels)


def _atom_keys(matrices: Bools, identical_run: Ints | None) -> Ints:
    """Return a sorted array with one unique key for each atom of each matrix. `_sample_of` returns the index of a key's
    matrix.
    """
    n, m = matrices.shape[1:]
    which, first, last, low, high = atoms(matrices)
    keys = np.ravel_multi_index((which, first, last, low, high), (len(matrices), n, n, m, m))
    if identical_run is not None:
        length = last - first + 1
        keys = keys[(high - low + 1 != length) | (identical_run[first, low] < length)]
    return np.unique(keys)


def _sample_of(keys: Ints, n: int, m: int) -> Ints:
    return keys // (n * n * m * m)


def _identical_run(identical: Bools) -> Ints:
    """Return the number (n, m) of consecutive identical words that start at each pair of source and target
    positions.
    """
    run = np.zeros((identical.shape[0] + 1, identical.shape[1] + 1), dtype=np.int64)
    for i in reversed(range(len(identical))):
        run[i, :-1] = np.where(identical[i], run[i + 1, 1:] + 1, 0)
    return run[:-1, :-1]


def _sampled(
    start: Bools, chances: tuple[float, float], samples: int, generator: np.random.Generator
) -> Iterator[Bools]:
    """Yield blocks of matrices with the shape (2, B, n, m). Each matrix is a copy of `start` that contains one
    annotator's random changes.
    """
    size = max(1, BLOCK // (2 * max(1, start.size)))
    limits = np.array(chances, dtype=np.float32)[:, None, None, None]
    for done in range(0, samples, size):
        count = min(size, samples - done)
        yield start ^ (generator.random((2, count, *start.shape), dtype=np.float32) < limits)


def _matrix(links: frozenset[Link], n: int, m: int) -> Bools:
    matrix = np.zeros((n, m), dtype=np.bool_)
    if links:
        matrix[tuple(np.array(list(links)).T)] = True
    return matrix
