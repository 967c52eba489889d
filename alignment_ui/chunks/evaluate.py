"""A `.wa` file and a study's final annotations against each other: the four F1 of interpretable STS (2015, 2016)."""

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

HELP = "A `.wa` file of interpretable STS. Sentence pairs go together by id."
OPTIONS = (
    Option(
        "version", "Scored as in", "2016", "choice", (("2016", "2016"), ("2015", "2015, lenient on near types")),
        help="The two official scorers differ in the F1 of type and score together.",
    ),
)  # fmt: skip
NAMES = {"f1_ali": "F1 Ali", "f1_type": "F1 Type", "f1_score": "F1 Score", "f1_typ_sco": "F1 Typ+Sco"}
FIGURES = tuple(Ratio(NAMES[name]) for name in MEASURES)


def evaluate(data: StudyData, submission: bytes, parameters: Mapping[str, Any]) -> Evaluation:
    """The four F1, with intervals over resampled sentence pairs, and those of both scorers under `scores`.

    `parameters["gold"]` says which side is gold: `study`, by default, or `file`. Against the study a pair that the file
    does not have counts as one without links, as official scorers do; against a file only the pairs that have been
    annotated count. Others: `name`, `version`, `seed`, `resamples`. Raises TableError.
    """
    name = str(parameters.get("name", "the file"))
    ours, theirs, only_in_file = _both(data, submission, name)
    there = {pair.id for pair in theirs}
    if parameters.get("gold", "study") == "study":
        gold, system = ours, theirs
    else:
        gold, system = theirs, [pair for pair in ours if pair.id in there]
    version = _version(parameters)
    found: dict[Version, IstsScores] = {each: ists_scores(gold, system, version=each) for each in VERSIONS}
    missing = sum(pair.id not in there for pair in ours)
    notes = []
    if missing:
        notes.append(f"{missing:,} annotated pairs are not in the file; they count as pairs without links.")
    if only_in_file:
        notes.append(f"{only_in_file:,} pairs of the file have not been annotated and were left aside.")
    measures = measures_of_sums(
        FIGURES, overlaps(found[version], [pair.id for pair in gold]), estimate,
        resamples=int(parameters.get("resamples", 0)), seed=int(parameters.get("seed", 1)),
    )  # fmt: skip
    own = {
        "pairs": len(theirs),
        "only_in_study": missing,
        "only_in_file": only_in_file,
        "scores": {str(each): scores.as_dict() for each, scores in found.items()},
    }
    return Evaluation(measures, notes=notes, tables=[_precision_and_recall(found[version])], own=own)


def compare(data: StudyData, submissions: tuple[bytes, bytes], parameters: Mapping[str, Any]) -> list[Difference]:
    """The four F1 of the first system less those of the second, on the same sentence pairs."""
    counts = []
    for submission, name in zip(submissions, parameters["names"], strict=True):
        ours, theirs, _ = _both(data, submission, name)
        scores = ists_scores(ours, theirs, version=_version(parameters))
        counts.append(overlaps(scores, [pair.id for pair in ours]))
    return differences_of_sums(
        FIGURES, counts[0], counts[1], estimate, resamples=parameters["resamples"],
        permutations=parameters["permutations"], seed=parameters["seed"],
    )  # fmt: skip


def overlaps(scores: IstsScores, ids: Sequence[str]) -> Floats:
    """(pairs, 10): weights of a system's token links, of gold's, and by measure what of each the other bears out."""
    rows = []
    for name in dict.fromkeys(ids):
        of = scores.pairs[name]
        rows.append([of.system, of.gold, *(share for measure in MEASURES for share in of.found[measure])])
    return np.array(rows, dtype=np.float64).reshape(-1, 2 + 2 * len(MEASURES))


def estimate(sums: Floats) -> Floats:
    """The four F1 of sums of `overlaps`; 0 where nothing is linked, as official scorers print it."""
    system, gold = sums[:, 0], sums[:, 1]
    return np.stack([
        np.nan_to_num(precision_recall_f1(sums[:, place], system, sums[:, place + 1], gold)[2])
        for place in range(2, sums.shape[1], 2)
    ])  # fmt: skip


def _both(data: StudyData, submission: bytes, name: str) -> tuple[list[IstsPair], list[IstsPair], int]:
    """The study's annotated pairs, those of them that the file has, and how many further ones it has."""
    theirs = read_wa(submission, name=name)
    annotated = {row.ref for row in data.answers if row.counts} | set(data.decisions)
    ours = [pair for pair in final_pairs(data) if pair.id in annotated]
    known = {pair.id for pair in ours}
    common = [pair for pair in theirs if pair.id in known]
    if not common:
        message = "no sentence pair has the id of a pair that has been annotated in the study"
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
