"""Functions that score a system against a study's final alignments, using AER (Och and Ney) and phrase-pair F1 (Cohn et
al.).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord_core.evaluation.measures import Ratio, differences_of_sums, measures_of_sums, precision_recall_f1
from accord_core.exchange.faults import TableError
from accord_core.numerics.bootstrap import ratio
from accord_core.pairs.formats.corpus import Corpus, SentencePair
from accord_core.pairs.formats.registry import read_alignments
from accord_core.pairs.numerics.links import Alignment, link_counts
from accord_core.words.numerics.phrases import phrase_counts
from accord_core.words.numerics.soft_links import held_out_counts, soft_counts
from alignment_ui.words.columns import Pair, collected, columns
from annotate.tasktypes import Baseline, Difference, Evaluation, StudyData, Systems, Table

Floats = NDArray[np.float64]
Scored = list[tuple[Pair, Alignment, list[Alignment]]]
"""The pairs, with their final alignments and each annotator's alignment."""

HELP = (
    "Upload links in one of these formats: Pharaoh, WPT, jacana JSON, TALP, BLINKER, GIZA++ A3 or GoldAlign. Pairs are "
    "matched by ID. If the format has no IDs, the lines must be in the same order as in the file `pairs.tsv`."
)
MEASURES = (
    Ratio("AER", lower=True),
    Ratio("Precision", undefined="the system has no links"),
    Ratio("Recall", undefined="the study has no sure links"),
    Ratio("Phrase F1", undefined="the system or the study has no phrase pairs"),
    Ratio("Phrase precision", undefined="the system has no phrase pairs"),
    Ratio("Phrase recall", undefined="the study has no phrase pairs"),
    Ratio("Expected F1", undefined="the system or the annotators have no links"),
    Ratio("Expected precision", undefined="the system has no links in pairs with annotators"),
    Ratio("Expected recall", undefined="the annotators have no links"),
)
ABOUT = "*Expected* figures compare the links with those of each annotator instead of the final links."
HELD_OUT = "Held-out annotator"


def evaluate(data: StudyData, submission: bytes, parameters: Mapping[str, Any]) -> Evaluation:
    """Return AER, |A ∩ P| / |A| and |A ∩ S| / |S| for a system's links A, and the phrase-pair F1.

    The expected precision, recall and F1 compare the links with all annotators: a link counts with the share of the
    annotators who drew the link. The baseline scores each annotator against the other annotators of the same pair.

    Phrase pairs are derived from the sure links of the system and of the study, and identical phrases are ignored. In a
    format without kinds, all links of the system are sure. Confidence intervals use resampled sentence pairs.
    Parameters: `name`, `seed`, `resamples`. Raises TableError for errors in the file, such as a link outside its
    sentence or a missing pair.
    """
    scored = final_pairs(data, str(parameters["name"]), parameters.get("only"))
    system, notes = read_system(submission, data, scored, str(parameters["name"]))
    counts = counts_by_pair(scored, system)
    told = {"resamples": parameters["resamples"], "seed": parameters["seed"]}
    return Evaluation(
        measures_of_sums(MEASURES, counts, estimate, **told),
        _held_out(scored, told),
        notes=notes,
        tables=_by_subcorpus(scored, counts),
        own={"pairs": len(scored)},
    )


def compare(data: StudyData, submissions: tuple[bytes, bytes], parameters: Mapping[str, Any]) -> list[Difference]:
    """Return the differences between the figures of two systems (first minus second) on the same sentence pairs."""
    scored = final_pairs(data, parameters["names"][0], parameters.get("only"))
    one, other = (
        counts_by_pair(scored, read_system(submission, data, scored, name)[0])
        for submission, name in zip(submissions, parameters["names"], strict=True)
    )
    return differences_of_sums(
        MEASURES,
        one,
        other,
        estimate,
        resamples=parameters["resamples"],
        permutations=parameters["permutations"],
        seed=parameters["seed"],
    )


def final_pairs(data: StudyData, name: str, only: Collection[str] | None = None) -> Scored:
    """Return the pairs that have a final alignment, restricted to the IDs in `only` if it is given. Raises TableError
    if there is no such pair.
    """
    inputs = collected(columns(data))
    scored = [
        (inputs.pairs[place], final, [answer.alignment for answer in inputs.answers.get(place, ())])
        for place, final in inputs.final.items()
        if only is None or inputs.pairs[place].ref in only
    ]
    if not scored:
        raise TableError.of_file(name, "the study has no alignments yet, so the file cannot be scored")
    return scored


def read_system(submission: bytes, data: StudyData, scored: Scored, name: str) -> tuple[list[Alignment], list[str]]:
    """Return the system's alignment of each scored pair, and the file reader's notes.

    A file can contain only the scored pairs, all pairs with a final alignment, or all pairs of the design. Raises
    TableError.
    """
    final = [(pair.ref, pair.source, pair.target) for pair, *_ in scored]
    try:
        corpus = read_alignments(submission, name=name, sentences=_corpus(final))
    except TableError as fault:
        corpus = _of_more_pairs(submission, data, name, fault)
    links = {pair.id: pair.alignment for pair in corpus.pairs}
    return [links[pair.ref] for pair, *_ in scored], corpus.notes


def _of_more_pairs(submission: bytes, data: StudyData, name: str, fault: TableError) -> Corpus:
    """Read a file with all pairs that have a final alignment, or with all pairs of the design. If neither works, raise
    the original error.
    """
    final = [(pair.ref, pair.source, pair.target) for pair, *_ in final_pairs(data, name)]
    inputs = collected(columns(data))
    every = [(pair.ref, pair.source, pair.target) for pair in (inputs.pairs[place] for place in inputs.order)]
    for pairs in (final, every):
        try:
            return read_alignments(submission, name=name, sentences=_corpus(pairs))
        except TableError:
            continue
    raise fault


def counts_by_pair(scored: Scored, system: Sequence[Alignment]) -> Floats:
    """Return an array of shape (pairs, 11). The first four columns are |A ∩ P|, |A|, |A ∩ S| and |S|. The next four
    columns count phrase pairs: A_atom in B, A_atom, B_atom in A, and B_atom. The last three columns come from
    `soft_counts`.
    """
    rows = []
    for (pair, gold, _), drawn in zip(scored, system, strict=True):
        links = link_counts(drawn, gold)
        phrases = phrase_counts(pair.source, pair.target, drawn.sure, gold.sure)
        rows.append((links.pp, links.all_a, links.ps, links.sure_b, *phrases[:4]))
    soft = soft_counts([answers for *_, answers in scored], system)
    return np.concatenate([np.array(rows, dtype=np.float64), soft], axis=1)


def estimate(sums: Floats) -> Floats:
    """Return the figures in `MEASURES`, calculated from the sums of `counts_by_pair`."""
    in_p, a, in_s, s, found_a, atoms_a, found_b, atoms_b, hits, links, drawn = sums.T
    expected = a + s
    aer = np.where(expected == 0, 0.0, 1 - ratio(in_p + in_s, expected))  # The error is 0 if neither side has links.
    precision, recall, f1 = precision_recall_f1(found_a, atoms_a, found_b, atoms_b)
    expected_precision, expected_recall, expected_f1 = precision_recall_f1(hits, links, hits, drawn)
    return np.stack(
        [
            *(aer, ratio(in_p, a), ratio(in_s, s)),
            *(f1, precision, recall),
            *(expected_f1, expected_precision, expected_recall),
        ]
    )


def _held_out(scored: Scored, resampling: Mapping[str, int]) -> list[Baseline]:
    """Return the expected precision, recall and F1 of a held-out annotator, or nothing if no pair has two
    annotators.
    """
    answers = [each for *_, each in scored]
    if all(len(each) < 2 for each in answers):
        return []

    def expected(sums: Floats) -> Floats:
        hits, links, drawn = sums.T
        precision, recall, f1 = precision_recall_f1(hits, links, hits, drawn)
        return np.stack([f1, precision, recall])

    return [Baseline(HELD_OUT, measures_of_sums(MEASURES[-3:], held_out_counts(answers), expected, **resampling))]


def _corpus(pairs: Sequence[tuple[str, Sequence[str], Sequence[str]]]) -> Corpus:
    rows = [SentencePair(ref, tuple(source), tuple(target)) for ref, source, target in pairs]
    return Corpus("the study", "study", "own", rows)


def _by_subcorpus(scored: Scored, counts: Floats) -> list[Table]:
    names = [pair.subcorpus for pair, *_ in scored]
    if len(set(names)) < 2:
        return []
    rows: list[list[Any]] = []
    for name in dict.fromkeys(names):
        here = [of == name for of in names]
        values = estimate(counts[here].sum(axis=0, keepdims=True))[:, 0]
        rows.append([name or "(empty)", sum(here), *(None if np.isnan(value) else float(value) for value in values)])
    return [Table("By subcorpus", ["Subcorpus", "Pairs", *(of.name for of in MEASURES)], rows)]


SYSTEMS = Systems(HELP, evaluate, compare, measures=ABOUT, assisted="alignment_ui.words.assisted:assisted")
