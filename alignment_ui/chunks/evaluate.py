"""Functions that score a `.wa` file against a study's final annotations, using the four F1 measures of interpretable
STS (2015, 2016).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from alignment_ui.chunks.exports import final_pairs
from alignment_ui.chunks.formats.ists import read_wa
from alignment_ui.chunks.numerics.chunks import IstsPair
from alignment_ui.chunks.numerics.scores import MEASURES, VERSIONS, IstsScores, Version, ists_scores
from annotate.exchange.faults import Fault, TableError
from annotate.tasktypes import Difference, Evaluation, Option, StudyData, Systems, Table
from evaluation.measures import Ratio, differences_of_sums, measures_of_sums, precision_recall_f1

Floats = NDArray[np.float64]

HELP = "Upload a `.wa` file in the interpretable STS format. Sentence pairs are matched by ID."
OPTIONS = (
    Option(
        "version",
        "Year of the official scorer",
        "2016",
        "choice",
        (("2016", "2016"), ("2015", "2015, lenient on similar types")),
        help="The two official scorers calculate the F1 for type and score differently.",
    ),
)
NAMES = {"f1_ali": "F1 Ali", "f1_type": "F1 Type", "f1_score": "F1 Score", "f1_typ_sco": "F1 Typ+Sco"}
FIGURES = tuple(Ratio(NAMES[name]) for name in MEASURES)


def evaluate(data: StudyData, submission: bytes, parameters: Mapping[str, Any]) -> Evaluation:
    """Return the four F1 values with confidence intervals. The key `scores` contains the values of both official
    scorers.

    `parameters["gold"]` states which side is gold: `study` (the default) or `file`. If the study is gold, a pair that
    is missing from the file counts as a pair without links, as in the official scorers. If the file is gold, only
    annotated pairs count. The other parameters are `name`, `version`, `seed` and `resamples`. Raises TableError.
    """
    name = str(parameters.get("name", "the file"))
    ours, theirs, only_in_file = _both(data, submission, name)
    ids = {pair.id for pair in theirs}
    if parameters.get("gold", "study") == "study":
        gold, system = ours, theirs
    else:
        gold, system = theirs, [pair for pair in ours if pair.id in ids]
    version = _version(parameters)
    by_version: dict[Version, IstsScores] = {each: ists_scores(gold, system, version=each) for each in VERSIONS}
    missing = sum(pair.id not in ids for pair in ours)
    notes = []
    if missing:
        notes.append(
            f"Annotated pairs that are not in the file: {missing:,}. Missing pairs count as pairs without links."
        )
    if only_in_file:
        notes.append(f"Pairs in the file that are not annotated in the study: {only_in_file:,}. They were ignored.")
    measures = measures_of_sums(
        FIGURES,
        overlaps(by_version[version], [pair.id for pair in gold]),
        estimate,
        resamples=int(parameters.get("resamples", 0)),
        seed=int(parameters.get("seed", 1)),
    )
    own = {
        "pairs": len(theirs),
        "only_in_study": missing,
        "only_in_file": only_in_file,
        "scores": {str(each): scores.as_dict() for each, scores in by_version.items()},
    }
    return Evaluation(measures, notes=notes, tables=[_precision_and_recall(by_version[version])], own=own)


def compare(data: StudyData, submissions: tuple[bytes, bytes], parameters: Mapping[str, Any]) -> list[Difference]:
    """Return the differences between the F1 values of two systems (first minus second) on the same sentence pairs."""
    counts = []
    for submission, name in zip(submissions, parameters["names"], strict=True):
        ours, theirs, _ = _both(data, submission, name)
        scores = ists_scores(ours, theirs, version=_version(parameters))
        counts.append(overlaps(scores, [pair.id for pair in ours]))
    return differences_of_sums(
        FIGURES,
        counts[0],
        counts[1],
        estimate,
        resamples=parameters["resamples"],
        permutations=parameters["permutations"],
        seed=parameters["seed"],
    )


def overlaps(scores: IstsScores, ids: Sequence[str]) -> Floats:
    """Return an array of shape (pairs, 10). The first two columns contain the total weights of the system's token links
    and of the gold token links. The remaining columns contain the weights of the confirmed links for each measure.
    """
    rows = []
    for name in dict.fromkeys(ids):
        of = scores.pairs[name]
        rows.append([of.system, of.gold, *(share for measure in MEASURES for share in of.found[measure])])
    return np.array(rows, dtype=np.float64).reshape(-1, 2 + 2 * len(MEASURES))


def estimate(sums: Floats) -> Floats:
    """Calculate the four F1 values from sums of `overlaps`. If there are no links, all values are 0, as in the official
    scorers.
    """
    system, gold = sums[:, 0], sums[:, 1]
    return np.stack(
        [
            np.nan_to_num(precision_recall_f1(sums[:, place], system, sums[:, place + 1], gold)[2])
            for place in range(2, sums.shape[1], 2)
        ]
    )


def _both(data: StudyData, submission: bytes, name: str) -> tuple[list[IstsPair], list[IstsPair], int]:
    """Return the study's annotated pairs, the matching pairs in the file, and the number of other pairs in the file."""
    theirs = read_wa(submission, name=name)
    annotated = {row.ref for row in data.answers if row.counts} | set(data.decisions)
    ours = [pair for pair in final_pairs(data) if pair.id in annotated]
    known = {pair.id for pair in ours}
    common = [pair for pair in theirs if pair.id in known]
    if not common:
        message = "the file has no sentence pair with the ID of an annotated pair of the study"
        raise TableError(name, [Fault(None, None, message)])
    return ours, common, len({pair.id for pair in theirs} - known)


def _version(parameters: Mapping[str, Any]) -> Version:
    return cast(Version, int(parameters.get("version", 2016)))


def _precision_and_recall(scores: IstsScores) -> Table:
    rows = []
    for measure in MEASURES:
        figures = scores.total.figures(measure)
        rows.append([NAMES[measure].removeprefix("F1 "), figures.precision, figures.recall, figures.f1])
    return Table(f"As in {scores.version}", ["", "Precision", "Recall", "F1"], rows)


SYSTEMS = Systems(HELP, evaluate, compare, OPTIONS)
