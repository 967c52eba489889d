"""Agreement between annotators on chunk links, calculated for each pair of annotators with the official measures of
interpretable STS.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, zip_longest
from typing import NamedTuple

import numpy as np

from accord_core.chunks.numerics.chunks import RELATIONS, TYPES, UNLINKED, IstsPair
from accord_core.chunks.numerics.scores import (
    MEASURES,
    TokenLink,
    TokenLinks,
    Version,
    overlap,
    token_links,
    words_among,
)
from accord_core.numerics.bootstrap import Estimator, Interval, percentile_intervals, ratio
from accord_core.numerics.labels import Floats, Ints

FEWEST_FOR_INTERVAL = 10
"""If two annotators share fewer sentence pairs, no confidence interval is calculated, because the resamples would be
too similar.
"""

NO_LINK = "none"

_FIGURES = (*MEASURES, "score_difference")
# The number of sums per sentence pair and pair of annotators. The sums include the weight of each annotator's links
# and, for each measure, the weight of the links that the other annotator confirms. For shared links, the sums include
# the weight, the score difference and the absolute score difference.
_COLUMNS = 2 + 2 * len(MEASURES) + 3


class ChunkAnnotation(NamedTuple):
    """One annotator's annotation of one sentence pair. `dataset` is the name of the dataset that contains the sentence
    pair.
    """

    annotator: str
    pair: IstsPair
    dataset: str = ""


def chunk_agreement(
    annotations: Iterable[ChunkAnnotation], *, version: Version = 2016, resamples: int = 1000, seed: int = 1
) -> dict[str, object]:
    """Return the agreement between annotators of the same sentence pairs, as JSON data. Sentence pairs are matched by
    ID.

    `annotator_pairs` contains, for every two annotators with common sentence pairs, the F1 in the four official
    measures. One of the two annotators is treated as gold, and the choice does not affect F1. `score_difference` is the
    mean absolute difference between the scores of the two annotators, on a scale from 0 to 5. `score_lead` is the mean
    by which the first annotator's scores are higher. `overall` and `datasets` contain the means of these figures over
    pairs of annotators, weighted by the number of common sentence pairs. `datasets` is empty if no annotation names a
    dataset. All figures are based on token links without punctuation. Each token link has a weight (see
    `chunk_scores`), and differences use the mean of the weights of both annotators.

    `by_type` contains the F1 of the links of each type, pooled over pairs of annotators. For NOALI and ALIC, the F1 is
    based on tokens. `confusion` contains the weight of token links by the types that two annotators gave, with `none`
    if only one annotator has the link. The table is symmetric, because neither annotator is treated as correct.

    A figure has the form {value, low, high}. The 95% percentile intervals come from resampled sentence pairs and are
    None for two annotators with fewer than 10 common sentence pairs, and if all resamples have the same value. An
    undefined figure has the value None and a `reason`. Raises ValueError if an annotator has two different annotations
    of a sentence pair.
    """
    given = _by_sentence_pair(annotations)
    compared = [each for each in given.values() if len(each) > 1]
    table = _Comparisons.of(compared, version)
    return {
        "version": version,
        "annotations": sum(len(each) for each in given.values()),
        "annotators": len({name for each in given.values() for name in each}),
        "pairs": len(compared),
        "pairs_left_out": len(given) - len(compared),
        "overall": _mean_figures(table, resamples, seed),
        "datasets": {
            name: {"pairs": len(part), **_mean_figures(_Comparisons.of(part, version), resamples, seed)}
            for name, part in _by_dataset(compared).items()
        },
        "annotator_pairs": [
            {"first": first, "second": second, "pairs": len(rows), **_figures_of_two(rows, resamples, seed)}
            for (first, second), (_, rows) in table.rows.items()
        ],
        "by_type": _by_type(compared, resamples, seed),
        "confusion": _confusion(compared),
    }


@dataclass(frozen=True)
class _Said:
    """An annotation as token links, and the words of its unlinked chunks by type."""

    links: TokenLinks
    left_over: Mapping[str, frozenset[tuple[str, int]]]
    dataset: str


@dataclass(frozen=True)
class _Comparisons:
    """The sentence pairs that two annotators have in common, with one row of `_COLUMNS` sums per sentence pair."""

    sentence_pairs: int
    rows: Mapping[tuple[str, str], tuple[Ints, Floats]]

    @classmethod
    def of(cls, compared: Sequence[Mapping[str, _Said]], version: Version) -> _Comparisons:
        places: dict[tuple[str, str], list[int]] = defaultdict(list)
        rows: dict[tuple[str, str], list[list[float]]] = defaultdict(list)
        for number, said in enumerate(compared):
            for first, second in combinations(sorted(said), 2):
                places[first, second].append(number)
                rows[first, second].append(_row(said[first].links, said[second].links, version))
        return cls(len(compared), {two: (np.array(places[two]), np.array(rows[two])) for two in sorted(rows)})


def _by_sentence_pair(annotations: Iterable[ChunkAnnotation]) -> dict[str, dict[str, _Said]]:
    given: dict[str, dict[str, _Said]] = defaultdict(dict)
    for annotator, pair, dataset in annotations:
        if annotator in given[pair.id]:
            raise ValueError(f"annotator {annotator} has two annotations of sentence pair {pair.id}")
        given[pair.id][annotator] = _said(pair, dataset)
    return given


def _said(pair: IstsPair, dataset: str) -> _Said:
    left_over: dict[str, frozenset[tuple[str, int]]] = {}
    for name in UNLINKED:
        of_type = [link for link in pair.links if link.type == name]
        source = {token for link in of_type if not link.target for token in words_among(link.source, pair.source)}
        target = {token for link in of_type if not link.source for token in words_among(link.target, pair.target)}
        left_over[name] = frozenset([("source", i) for i in source] + [("target", j) for j in target])
    return _Said(token_links(pair.links, pair.source, pair.target), left_over, dataset)


def _by_dataset(compared: Iterable[Mapping[str, _Said]]) -> dict[str, list[Mapping[str, _Said]]]:
    parts: dict[str, list[Mapping[str, _Said]]] = defaultdict(list)
    for said in compared:
        parts[next(iter(said.values())).dataset].append(said)
    return {} if list(parts) == [""] else dict(sorted(parts.items()))


def _row(first: TokenLinks, second: TokenLinks, version: Version) -> list[float]:
    found = overlap(first, second, version)
    row = [found.system, found.gold]
    for measure in MEASURES:
        row.extend(found.found[measure])
    both = [(first[tokens], second[tokens]) for tokens in first.keys() & second.keys()]
    weights = [(one.weight + other.weight) / 2 for one, other in both]
    differences = [one.score - other.score for one, other in both]
    lead = sum(weight * difference for weight, difference in zip(weights, differences, strict=True))
    size = sum(weight * abs(difference) for weight, difference in zip(weights, differences, strict=True))
    return [*row, sum(weights), lead, size]


def _figures(sums: Floats) -> Floats:
    """Calculate the figures (…, 5), in the order of _FIGURES, from sums (…, _COLUMNS). Undefined figures are NaN."""
    by_first, by_second = sums[..., 2:10:2], sums[..., 3:10:2]
    first, second = sums[..., 0:1], sums[..., 1:2]
    precision = np.nan_to_num(ratio(by_first, np.broadcast_to(first, by_first.shape)))
    recall = np.nan_to_num(ratio(by_second, np.broadcast_to(second, by_second.shape)))
    f1 = np.nan_to_num(ratio(2 * precision * recall, precision + recall))
    f1 = np.where(first + second > 0, f1, np.nan)
    return np.concatenate([f1, ratio(sums[..., 12:13], sums[..., 10:11])], axis=-1)


def _figures_of_two(rows: Floats, resamples: int, seed: int) -> dict[str, object]:
    def estimate(weights: Floats) -> Floats:
        return _figures(weights @ rows).T

    wanted = resamples if len(rows) >= FEWEST_FOR_INTERVAL else 0
    weight, lead = rows[:, 10].sum(), rows[:, 11].sum()
    figures = _with_intervals(_FIGURES, estimate, len(rows), wanted, seed, width=_COLUMNS)
    return {**figures, "score_lead": float(lead / weight) if weight else None}


def _mean_figures(table: _Comparisons, resamples: int, seed: int) -> dict[str, object]:
    if not table.rows:
        return _named(_FIGURES, np.full(len(_FIGURES), np.nan), [])
    places = np.concatenate([places for places, _ in table.rows.values()])
    rows = np.concatenate([rows for _, rows in table.rows.values()])
    starts = np.cumsum([0, *(len(places) for places, _ in table.rows.values())])[:-1]

    def estimate(weights: Floats) -> Floats:
        drawn = weights[:, places]
        figures = _figures(np.add.reduceat(drawn[:, :, None] * rows, starts, axis=1))
        shares = np.where(np.isnan(figures), 0.0, np.add.reduceat(drawn, starts, axis=1)[:, :, None])
        return ratio((shares * np.nan_to_num(figures)).sum(axis=1), shares.sum(axis=1)).T

    width = len(rows) * _COLUMNS // table.sentence_pairs
    return _with_intervals(_FIGURES, estimate, table.sentence_pairs, resamples, seed, width=width)


def _by_type(compared: Sequence[Mapping[str, _Said]], resamples: int, seed: int) -> dict[str, object]:
    both, either = np.zeros((2, len(compared), len(TYPES)))
    place_of = {name: place for place, name in enumerate(TYPES)}
    for number, said in enumerate(compared):
        for first, second in combinations(said.values(), 2):
            for one, other in _side_by_side(first.links, second.links):
                for link, its_other in ((one, other), (other, one)):
                    if link is not None:
                        place = place_of[link.type]
                        either[number, place] += link.weight
                        if its_other is not None and its_other.type == link.type:
                            both[number, place] += link.weight
            for name in UNLINKED:
                place = place_of[name]
                one_side, other_side = first.left_over[name], second.left_over[name]
                either[number, place] += len(one_side) + len(other_side)
                both[number, place] += 2 * len(one_side & other_side)

    def estimate(weights: Floats) -> Floats:
        return ratio(weights @ both, weights @ either).T

    return _with_intervals(TYPES, estimate, len(compared), resamples, seed, width=2 * len(TYPES))


def _confusion(compared: Iterable[Mapping[str, _Said]]) -> dict[str, object]:
    weights: dict[tuple[str, str], float] = defaultdict(float)
    for said in compared:
        for first, second in combinations(said.values(), 2):
            for one, other in _side_by_side(first.links, second.links):
                names = [link.type if link else NO_LINK for link in (one, other)]
                given = [link.weight for link in (one, other) if link]
                share = sum(given) / len(given) / 2
                weights[names[0], names[1]] += share
                weights[names[1], names[0]] += share
    occurring = {name for two in weights for name in two}
    names = [*(name for name in TYPES if name in occurring or name in RELATIONS), NO_LINK]
    return {"types": names, "weights": [[float(weights[row, column]) for column in names] for row in names]}


def _side_by_side(first: TokenLinks, second: TokenLinks) -> Iterator[tuple[TokenLink | None, TokenLink | None]]:
    for tokens in sorted(first.keys() | second.keys()):
        yield first.get(tokens), second.get(tokens)


def _with_intervals(
    names: Sequence[str], estimate: Estimator, units: int, resamples: int, seed: int, *, width: int
) -> dict[str, object]:
    """Return the figures for `units` sentence pairs as a JSON object whose keys are the names of the figures."""
    values = estimate(np.ones((1, units)))[:, 0]
    intervals: list[Interval] = []
    if resamples and units > 1:
        times = np.ones(units, dtype=np.int64)
        intervals = percentile_intervals(estimate, times, resamples=resamples, seed=seed, width=width)
    return _named(names, values, intervals)


def _named(names: Sequence[str], values: Floats, intervals: Sequence[Interval]) -> dict[str, object]:
    named: dict[str, object] = {}
    for name, value, found in zip_longest(names, values.tolist(), intervals):
        low, high = (found.low, found.high) if found and found.low != found.high else (None, None)
        figure = {"value": value, "low": low, "high": high}
        if np.isnan(value):
            reason = "no link is shared by two annotators" if name == "score_difference" else "nothing to compare"
            figure = {"value": None, "low": None, "high": None, "reason": reason}
        named[name] = figure
    return named
