"""A comparison of a system's predictions with the study's scores, using Spearman's correlation (STR-2021 §6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord_core.bws.numerics.ceiling import CAUTION, RESTRICTED_RANGE, Ceiling, noise_ceiling
from accord_core.bws.numerics.scoring import Judgements, unit_scale
from accord_core.evaluation.formats.predictions import read_predictions
from accord_core.evaluation.numerics.differences import paired_difference
from accord_core.evaluation.numerics.overlap import dice, word_sets
from accord_core.evaluation.numerics.power import detectable_differences
from accord_core.evaluation.numerics.relatedness import relatedness_scores
from accord_core.exchange.faults import TableError
from annotate.tasktypes import Baseline, Difference, Evaluation, Measure, Option, StudyData, Systems, Table
from bws.columns import columns, judgements_of, rounds_of
from bws.scores import scores_of

FOLDS = 5
BY = "source"  # STR-2021 reports its figures by source
CORRECTED = "ρ corrected for noise"
ALL, MEAN = "Spearman’s ρ", f"Mean of {FOLDS} folds"

EVERY = "all items"
CEILING_CELLS = (
    ("reliability", "value"),
    *(("ceiling", end) for end in ("value", "low", "high")),
    ("correlation", "value"),
    *(("corrected", end) for end in ("value", "low", "high")),
)

HELP = (
    "The file must be a table with the columns `item` and `score`, and contain a number for every scored item in the "
    "study. Any scale is allowed, because only ranks are compared."
)
OPTIONS = (
    Option(
        "by",
        "Metadata column for groups",
        BY,
        help="Name of a metadata column. If no item has a value in this column, the figures are not broken down by "
        "group.",
    ),
)


class Collected(NamedTuple):
    """The scored items, with their IDs, scores (from 0 to 1), contents and metadata. `places` contains each item's
    number in the `judgements` of the design.
    """

    keys: list[str]
    scores: NDArray[np.float64]
    judgements: Judgements
    places: NDArray[np.int64]
    contents: list[Mapping[str, str]]
    metadata: list[Mapping[str, str]]


def evaluate(data: StudyData, submission: bytes, parameters: Mapping[str, Any]) -> Evaluation:
    """Return three forms of Spearman's correlation: over all items, averaged over five test folds, and for each source,
    both over all of its items and averaged over the test folds.

    The Dice overlap of the two sentences is the baseline.

    The parameters are `name`, `by`, `seed` and `resamples`. Raises TableError if the file contains errors.
    """
    name = str(parameters["name"])
    collected = _scored(collected_scores(data, name), parameters, name)
    predictions, further = read_predictions(submission, collected.keys, name=name)
    groups = _groups(collected, str(parameters.get("by", BY)))
    figures = _figures(collected, predictions, groups, parameters)
    baseline = _dice(collected.contents)
    beside = None if baseline is None else _figures(collected, baseline, groups, parameters)
    ceilings = _ceilings(collected, predictions, groups, parameters)
    notes = [CAUTION, *([RESTRICTED_RANGE] if groups else [])] if ceilings else []
    if further:
        notes.append(f"{further:,} other items in the file have no score in the study, so they were ignored.")
    return Evaluation(
        [*_measures(figures), *_corrected(ceilings)],
        [
            *([Baseline("Dice overlap of the two sentences", _measures(beside))] if beside else []),
            *_perfect_system(ceilings),
        ],
        notes,
        [
            *([_by_group(str(parameters.get("by", BY)), figures, beside)] if groups else []),
            *([_by_fold(figures, beside)] if figures["folds"]["each"] else []),
            *([_ceiling_table(str(parameters.get("by", BY)), ceilings)] if ceilings else []),
            *_detectable_table(ceilings),
        ],
        {"items": len(collected.keys)},
    )


def compare(data: StudyData, submissions: tuple[bytes, bytes], parameters: Mapping[str, Any]) -> list[Difference]:
    """Return the Spearman correlation of the first system minus that of the second system.

    The interval comes from a paired bootstrap, and the p-value comes from a permutation test of ranks.
    """
    collected = _scored(collected_scores(data, "the study"), parameters, "the study")
    one, other = (
        read_predictions(submission, collected.keys, name=name)[0]
        for submission, name in zip(submissions, parameters["names"], strict=True)
    )
    difference = paired_difference(
        collected.scores,
        one,
        other,
        seed=parameters["seed"],
        resamples=parameters["resamples"],
        permutations=parameters["permutations"],
    )
    p, low, high = (difference.get(name) for name in ("p", "low", "high"))
    return [Difference(ALL, difference["value"], low, high, p, note=difference.get("reason", ""))]


def collected_scores(data: StudyData, name: str) -> Collected:
    """Return the scores of all judged items, in study order. The scores are those of the report. Raises TableError if
    no item has been judged.
    """
    arrays = columns(data)
    items = [item for item in data.items if not item.held_out]
    judgements, rounds = judgements_of(arrays), rounds_of(arrays)
    score = scores_of(judgements, rounds).score
    places = np.flatnonzero(np.isfinite(score))
    if not len(places):
        raise TableError.of_file(name, "no item of the study has a score yet, so the file cannot be scored")
    scored_items = [items[place] for place in places]
    return Collected(
        [item.key for item in scored_items],
        unit_scale(score[places]),
        judgements.take(rounds == 0),
        places,
        [item.content for item in scored_items],
        [item.metadata for item in scored_items],
    )


def _scored(collected: Collected, parameters: Mapping[str, Any], name: str) -> Collected:
    """Return the items for scoring the system. If `only` contains IDs, the other items are excluded."""
    only = parameters.get("only")
    if only is None:
        return collected
    places = [place for place, key in enumerate(collected.keys) if key in only]
    if not places:
        raise TableError.of_file(name, "no item in the part test has a score yet")
    return Collected(
        [collected.keys[place] for place in places],
        collected.scores[places],
        collected.judgements,
        collected.places[places],
        [collected.contents[place] for place in places],
        [collected.metadata[place] for place in places],
    )


def _ceilings(
    collected: Collected, predictions: Sequence[float], groups: Sequence[str] | None, parameters: Mapping[str, Any]
) -> dict[str, Ceiling]:
    """Return the noise ceiling for all items and for each group, or nothing if there are no intervals."""
    if not parameters["resamples"]:
        return {}
    judgements = collected.judgements
    predicted = np.full(judgements.n_items, np.nan)
    predicted[collected.places] = predictions
    names = np.full(judgements.n_items, None, dtype=object)
    names[collected.places] = groups or ""
    seed = parameters["seed"]
    by_group = {
        name: noise_ceiling(judgements, predicted, names == name, seed=seed) for name in dict.fromkeys(groups or ())
    }
    return {EVERY: noise_ceiling(judgements, predicted, seed=seed), **by_group}


def _corrected(ceilings: Mapping[str, Ceiling]) -> list[Measure]:
    return [_ceiling_measure(CORRECTED, ceilings[EVERY], "corrected")] if ceilings else []


def _perfect_system(ceilings: Mapping[str, Ceiling]) -> list[Baseline]:
    if not ceilings or ceilings[EVERY].reason:
        return []
    measure = _ceiling_measure(ALL, ceilings[EVERY], "ceiling")
    return [Baseline("Noise ceiling: a perfect system", [measure], "upper limit")]


def _ceiling_measure(name: str, ceiling: Ceiling, figure: str) -> Measure:
    ends = ceiling.figures[figure]
    return Measure(name, ends["value"], ends["low"], ends["high"], ceiling.reason)


def _ceiling_table(column: str, ceilings: Mapping[str, Ceiling]) -> Table:
    rows = [
        [name, each.items, *(each.figures[figure][end] for figure, end in CEILING_CELLS)]
        for name, each in ceilings.items()
    ]
    header = ["Items", "Reliability", "Ceiling", "from", "to", "ρ", "Corrected ρ", "from", "to"]
    return Table("Noise ceiling and corrected correlation", [column, *header], rows)


def _detectable_table(ceilings: Mapping[str, Ceiling]) -> list[Table]:
    if not ceilings or ceilings[EVERY].reason:
        return []
    figures = ceilings[EVERY].figures
    rows = detectable_differences(ceilings[EVERY].items, figures["correlation"]["value"], figures["ceiling"]["value"])
    if all(row.difference is None for row in rows):
        return []
    header = ["Correlation between the two systems", "Difference in ρ", "Difference in corrected ρ"]
    return [Table("Smallest detectable difference from another system (80% power, 5% level)", header, rows)]


def _figures(
    collected: Collected, predictions: Any, groups: Sequence[str] | None, parameters: Mapping[str, Any]
) -> dict[str, Any]:
    return relatedness_scores(
        collected.keys,
        collected.scores,
        predictions,
        groups,
        folds=FOLDS,
        seed=parameters["seed"],
        resamples=parameters["resamples"],
    )


def _measures(figures: Mapping[str, Any]) -> list[Measure]:
    return [
        Measure(name, figure["value"], figure["low"], figure["high"], figure.get("reason", ""))
        for name, figure in ((ALL, figures["spearman"]), (MEAN, figures["folds"]))
    ]


def _groups(collected: Collected, column: str) -> list[str] | None:
    if not column or not any(column in row for row in collected.metadata):
        return None
    return [row.get(column, "") or "(empty)" for row in collected.metadata]


def _by_group(column: str, figures: Mapping[str, Any], beside: Mapping[str, Any] | None) -> Table:
    rows = []
    for group, figure in figures["groups"].items():
        row = [group, figure["items"], figure["value"], figure["low"], figure["high"], figure["folds"]["value"]]
        rows.append(row if beside is None else [*row, beside["groups"][group]["value"]])
    header = [column, "Items", ALL, "from", "to", MEAN, *([] if beside is None else ["Dice overlap"])]
    return Table(f"By {column}", header, rows)


def _by_fold(figures: Mapping[str, Any], beside: Mapping[str, Any] | None) -> Table:
    folds = figures["folds"]
    columns = [folds["items"], folds["each"]]
    if beside is not None:
        columns.append(beside["folds"]["each"] or [None] * FOLDS)
    rows = [[f"Test fold {number}", *row] for number, row in enumerate(zip(*columns, strict=True), 1)]
    header = ["Test fold", "Items", ALL, *([] if beside is None else ["Dice overlap"])]
    return Table(f"By test fold (seed {folds['seed']})", header, rows)


def _dice(contents: Sequence[Mapping[str, str]]) -> NDArray[np.float64] | None:
    """Return the Dice overlap of each item's two sentences, or None if the items are single texts."""
    if not all("sentence2" in content for content in contents):
        return None
    sets = word_sets(sentence for content in contents for sentence in (content["sentence1"], content["sentence2"]))
    first = np.arange(0, 2 * len(contents), 2)
    return dice(sets, first, first + 1)


SYSTEMS = Systems(HELP, evaluate, compare, OPTIONS)
