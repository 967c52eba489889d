"""Functions that score a `.wa` file against a study's final annotations with the four F1 measures of interpretable STS
(2015, 2016).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from accord_core.chunks.formats.ists import read_wa
from accord_core.chunks.formats.ists_links import score_name
from accord_core.chunks.numerics.chunks import ChunkLink, IstsPair
from accord_core.chunks.numerics.mismatches import Mismatches, mismatches
from accord_core.chunks.numerics.score_sums import (
    EXPECTED_FIGURES,
    FIGURES,
    TITLES,
    f1_of_sums,
    hard_and_expected_f1,
    sums_by_pair,
)
from accord_core.chunks.numerics.scores import MEASURES, VERSIONS, IstsScores, Version, ists_scores
from accord_core.chunks.numerics.soft_scores import held_out_sums, soft_sums
from accord_core.evaluation.measures import differences_of_sums, measures_of_sums
from accord_core.exchange.faults import TableError
from alignment_ui.chunks.columns import collected, columns
from alignment_ui.chunks.exports import final_pairs
from annotate.tasktypes import Baseline, Difference, Evaluation, Option, StudyData, Systems, Table

HELP = "Upload a `.wa` file in the interpretable STS format. Sentence pairs are matched by ID."
ABOUT = (
    "*Ali* counts links between the right chunks, *Type* and *Score* those with the right type or score, and *Typ+Sco* "
    "those with both. *Expected* figures compare the links with those of each annotator instead of the final links."
)
HELD_OUT = "Held-out annotator"
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


def evaluate(data: StudyData, submission: bytes, parameters: Mapping[str, Any]) -> Evaluation:
    """Return the four F1 values with confidence intervals. The key `scores` contains the values that both official
    scorers calculate.

    If the study is gold, the result also contains the four expected F1 values for the case that the gold annotation of
    each pair comes from a randomly drawn annotator. The baseline scores each annotator against the other annotators of
    the same pair.

    `parameters["gold"]` states which side is gold: `study` (the default) or `file`. If the study is gold, a pair that
    is missing from the file counts as a pair without links, as in the official scorers. If the file is gold, only
    annotated pairs count. The other parameters are `name`, `version`, `seed` and `resamples`. Raises TableError.
    """
    name = str(parameters.get("name", "the file"))
    ours, theirs, only_in_file = _both(data, submission, name, parameters.get("only"))
    ids = {pair.id for pair in theirs}
    gold, system = _sides(ours, theirs, parameters)
    version = _version(parameters)
    by_version: dict[Version, IstsScores] = {each: ists_scores(gold, system, version=each) for each in VERSIONS}
    missing = sum(pair.id not in ids for pair in ours)
    notes = []
    if missing:
        notes.append(
            f"Annotated pairs that are not in the file: {missing:,}. Pairs that are missing from the file count as "
            "pairs without links."
        )
    if only_in_file:
        notes.append(f"Pairs in the file that have no annotation in the study: {only_in_file:,}. They were ignored.")
    sums = sums_by_pair(by_version[version], [pair.id for pair in gold])
    resampling = {"resamples": int(parameters.get("resamples", 0)), "seed": int(parameters.get("seed", 1))}
    baselines = []
    if gold is ours:
        answers = _answers(data, ours)
        sums = np.concatenate([sums, soft_sums(answers, _links(ours, theirs), version)], axis=1)
        measures = measures_of_sums((*FIGURES, *EXPECTED_FIGURES), sums, hard_and_expected_f1, **resampling)
        baselines = _held_out(answers, version, resampling)
    else:
        measures = measures_of_sums(FIGURES, sums, f1_of_sums, **resampling)
    own = {
        "pairs": len(theirs),
        "only_in_study": missing,
        "only_in_file": only_in_file,
        "scores": {str(each): scores.all_figures() for each, scores in by_version.items()},
    }
    tables = [_precision_and_recall(by_version[version]), *mismatch_tables(mismatches(gold, system))]
    return Evaluation(measures, baselines, notes=notes, tables=tables, own=own)


def mismatches_with_file(data: StudyData, submission: bytes, parameters: Mapping[str, Any]) -> Mismatches:
    """Return the differences between the study's links and a file's links. The parameters are `name` and `gold`, as for
    `evaluate`. Raises TableError.
    """
    ours, theirs, _ = _both(data, submission, str(parameters.get("name", "the file")))
    return mismatches(*_sides(ours, theirs, parameters))


def mismatch_tables(found: Mismatches) -> list[Table]:
    """Return a table of gold types against the types in the system's file, and the table of score differences."""
    names, counts = found.type_table
    types = [[name, *row] for name, row in zip(names, counts, strict=True)]
    differences = [[score_name(each), found.differences[each]] for each in sorted(found.differences)]
    return [
        Table("Links by gold type (rows) and the system's type (columns)", ["Gold type", *names], types),
        Table("Score differences (system minus gold)", ["Difference", "Links"], differences),
    ]


def compare(data: StudyData, submissions: tuple[bytes, bytes], parameters: Mapping[str, Any]) -> list[Difference]:
    """Return the differences between the F1 values of two systems (first minus second) on the same sentence pairs."""
    version, counts = _version(parameters), []
    for submission, name in zip(submissions, parameters["names"], strict=True):
        ours, theirs, _ = _both(data, submission, name, parameters.get("only"))
        hard = sums_by_pair(ists_scores(ours, theirs, version=version), [pair.id for pair in ours])
        soft = soft_sums(_answers(data, ours), _links(ours, theirs), version)
        counts.append(np.concatenate([hard, soft], axis=1))
    return differences_of_sums(
        (*FIGURES, *EXPECTED_FIGURES),
        counts[0],
        counts[1],
        hard_and_expected_f1,
        resamples=parameters["resamples"],
        permutations=parameters["permutations"],
        seed=parameters["seed"],
    )


def _sides(
    ours: list[IstsPair], theirs: list[IstsPair], parameters: Mapping[str, Any]
) -> tuple[list[IstsPair], list[IstsPair]]:
    """Return the gold pairs and the system's pairs. If the file contains gold annotations, only the annotated pairs in
    the file count.
    """
    if parameters.get("gold", "study") == "study":
        return ours, theirs
    ids = {pair.id for pair in theirs}
    return theirs, [pair for pair in ours if pair.id in ids]


def _both(
    data: StudyData, submission: bytes, name: str, only: Collection[str] | None = None
) -> tuple[list[IstsPair], list[IstsPair], int]:
    """Return the study's annotated pairs, the matching pairs in the file, and the number of other pairs in the file. If
    `only` contains IDs, both lists contain only these pairs.
    """
    theirs = read_wa(submission, name=name)
    annotated = {row.ref for row in data.answers if row.counts} | set(data.decisions)
    ours = [pair for pair in final_pairs(data) if pair.id in annotated]
    known = {pair.id for pair in ours}
    chosen = known if only is None else known & set(only)
    common = [pair for pair in theirs if pair.id in chosen]
    if not common:
        raise TableError.of_file(name, "the file has no sentence pair with the ID of an annotated pair of the study")
    return [pair for pair in ours if pair.id in chosen], common, len({pair.id for pair in theirs} - known)


def _answers(data: StudyData, pairs: Sequence[IstsPair]) -> list[list[IstsPair]]:
    """Return each pair's annotations from all annotators."""
    inputs = collected(columns(data))
    by_ref = {inputs.asked[place].ref: [each.pair for each in answers] for place, answers in inputs.answers.items()}
    return [by_ref.get(pair.id, []) for pair in pairs]


def _links(pairs: Sequence[IstsPair], system: Iterable[IstsPair]) -> list[list[ChunkLink]]:
    """Return the system's links for each pair. System pairs with the same ID count as one pair."""
    links: dict[str, list[ChunkLink]] = {pair.id: [] for pair in pairs}
    for pair in system:
        links[pair.id] += pair.links
    return [links[pair.id] for pair in pairs]


def _held_out(answers: Sequence[Sequence[IstsPair]], version: Version, resampling: Mapping[str, int]) -> list[Baseline]:
    """Return the expected F1 values of a held-out annotator, or nothing if no pair has two annotators."""
    if all(len(each) < 2 for each in answers):
        return []
    sums = held_out_sums(answers, version)
    return [Baseline(HELD_OUT, measures_of_sums(EXPECTED_FIGURES, sums, f1_of_sums, **resampling))]


def _version(parameters: Mapping[str, Any]) -> Version:
    return cast(Version, int(parameters.get("version", 2016)))


def _precision_and_recall(scores: IstsScores) -> Table:
    rows = []
    for measure in MEASURES:
        figures = scores.total.figures(measure)
        rows.append([TITLES[measure].removeprefix("F1 "), figures.precision, figures.recall, figures.f1])
    return Table(f"Precision and recall, as in {scores.version}", ["", "Precision", "Recall", "F1"], rows)


SYSTEMS = Systems(HELP, evaluate, compare, OPTIONS, ABOUT, assisted="alignment_ui.chunks.assisted:assisted")
