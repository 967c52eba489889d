"""Scores for a system's list of paraphrases, compared with a study's labels by domain, using precision, recall and
coverage (Pavlick et al., 2015).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord_core.evaluation.measures import Ratio, differences_of_sums, measures_of_sums
from accord_core.exchange.faults import TableError
from accord_core.numerics.bootstrap import ratio
from accord_core.paraphrase.numerics.domains import domain_labels
from accord_core.paraphrase.systems.formats.paraphrase_tables import BAD, GOOD, UNDECIDED, Pair, read_table_pairs
from accord_core.paraphrase.systems.formats.scored_tables import has_scores, read_table_scores
from accord_core.paraphrase.systems.numerics.paraphrase_tables import table_scores
from accord_core.paraphrase.systems.numerics.thresholds import threshold_figures
from annotate.tasktypes import Difference, Evaluation, Option, StudyData, Systems, Table
from paraphrase.columns import collected, columns
from paraphrase.label_systems import compare_labels, evaluate_labels, predicts_labels
from paraphrase.report import labels_by_majority

Floats = NDArray[np.float64]
Labels = dict[str, dict[Pair, str]]

HELP = """The file must be a table with these columns:

- `phrase` and `paraphrase` for a list of good pairs. With `domain`, a pair applies only to that domain. With `score`,
  Accord also calculates the average precision and chooses a threshold.
- `item` and `label`, or `item`, `no` and `yes`, for labels or probabilities in each sentence. The item IDs are in
  `votes.csv`.
"""
OPTIONS = (
    Option(
        "domain",
        "Domain to score",
        "",
        help="Score one domain in the study. If this field is empty, all domains are scored, both together and "
        "separately.",
    ),
)

MEASURES = (
    Ratio("F1", undefined="no pair in the list has a label, and no pair is good"),
    Ratio("Precision", undefined="no pair in the list was judged"),
    Ratio("Recall", undefined="no pair is labelled good"),
    Ratio("Coverage", undefined="the list has no pair for these domains"),
)
THRESHOLD_COLUMNS = (
    "Domain",
    "Judged pairs with scores",
    "Average precision",
    "95% interval",
    "Best threshold",
    "F1 at this threshold",
    "F1 with cross-validated thresholds",
    "95% interval",
    "Cross-validated thresholds",
)
_WORDS = {1: GOOD, 0: BAD, -1: UNDECIDED}


def evaluate(data: StudyData, submission: bytes, parameters: Mapping[str, Any]) -> Evaluation:
    """Return a paraphrase list's precision, recall and coverage.

    Precision covers the listed pairs that have a label. Recall covers all pairs that are labelled as good. Coverage is
    the share of the listed pairs that have a label.

    The intervals come from resampled phrases, because the paraphrases of a phrase are judged together. The parameters
    are `name`, `domain`, `seed` and `resamples`. Raises TableError if the file contains errors, or if the study does
    not have the domain.
    """
    name = str(parameters["name"])
    if predicts_labels(submission, name):
        return evaluate_labels(data, submission, parameters)
    labels = _chosen(labels_of(data, name, parameters.get("only")), str(parameters.get("domain", "")), name)
    listed, twice = _listed(submission, labels, data, name, parameters.get("only"))
    resampling = {"resamples": parameters["resamples"], "seed": parameters["seed"]}
    scores = table_scores(labels, listed, **resampling)
    undecided = sum(domain_scores["undecided"] for domain_scores in scores["domains"].values())
    notes = []
    if undecided:
        notes.append(
            f"{undecided:,} pairs in the file are undecided in the study, so they count neither as correct "
            f"nor as incorrect."
        )
    if twice:
        notes.append(f"{twice:,} rows in the file repeat an earlier row.")
    tables = [_by_domain(scores), *([_contrasts(scores)] if scores["contrasts"] else [])]
    if has_scores(submission, name=name):
        try:
            tables.append(_thresholds(submission, labels, data, name, resampling))
        except TableError as error:
            notes.append(f"The scores in the file were not used: {error}.")
    return Evaluation(
        measures_of_sums(MEASURES, counts_by_phrase(labels, listed), estimate, **resampling),
        notes=notes,
        tables=tables,
        own={"domains": list(labels)},
    )


def compare(data: StudyData, submissions: tuple[bytes, bytes], parameters: Mapping[str, Any]) -> list[Difference]:
    """Return the differences between two lists' figures (first minus second), for the same phrases."""
    one_name, other_name = parameters["names"]
    kinds = {predicts_labels(*file) for file in zip(submissions, parameters["names"], strict=True)}
    if len(kinds) > 1:
        raise TableError.of_file(
            f"{one_name} and {other_name}",
            "a paraphrase list and predicted labels cannot be compared, because they have different measures",
        )
    if kinds == {True}:
        return compare_labels(data, submissions, parameters)
    labels = _chosen(labels_of(data, one_name, parameters.get("only")), str(parameters.get("domain", "")), one_name)
    one, _ = _listed(submissions[0], labels, data, one_name, parameters.get("only"))
    other, _ = _listed(submissions[1], labels, data, other_name, parameters.get("only"))
    # The coverage also includes phrases without judgements. The resampling units are the phrases that occur in at least
    # one of the two lists.
    phrases = _phrases(labels, one, other)
    return differences_of_sums(
        MEASURES,
        counts_by_phrase(labels, one, phrases),
        counts_by_phrase(labels, other, phrases),
        estimate,
        resamples=parameters["resamples"],
        permutations=parameters["permutations"],
        seed=parameters["seed"],
    )


def labels_of(data: StudyData, name: str, only: Collection[str] | None = None) -> Labels:
    """Return the label of each lower-case (phrase, paraphrase) by domain: good, bad or undecided, by majority votes and
    reviewers' decisions. If `only` contains item IDs, only their sentences count.
    """
    votes = collected(columns(data))
    majority = labels_by_majority(votes)
    counted = np.array([only is None or question.payload["item"] in only for question in data.questions], dtype=bool)
    domains = domain_labels(
        majority.label,
        votes.labels.counts[:, 1],
        np.where(counted[votes.question], majority.n, 0),
        votes.pair,
        votes.domain,
        good_sentences=int(votes.options["good_sentences"]),
    )
    if not len(domains.pair):
        raise TableError.of_file(name, "the study has no judgements yet, so the file cannot be scored")
    texts = _texts(data)
    labels: Labels = {domain: {} for domain in votes.domains}
    for row, first in enumerate(domains.first.tolist()):
        labels[votes.domains[domains.domain[row]]][texts[first]] = _WORDS[int(domains.label[row])]
    return labels


def counts_by_phrase(labels: Labels, listed: Mapping[str, set[Pair]], phrases: Iterable[str] | None = None) -> Floats:
    """Return four counts per phrase (phrases, 4), summed over the domains: listed pairs, listed pairs with a label,
    listed good pairs, and good pairs.
    """
    number = {phrase: n for n, phrase in enumerate(_phrases(labels, listed) if phrases is None else phrases)}
    counts = np.zeros((len(number), 4))
    for domain, labels_of_pairs in labels.items():
        listed_pairs = listed.get(domain, set())
        good = {pair for pair, label in labels_of_pairs.items() if label == GOOD}
        judged = {pair for pair in listed_pairs if labels_of_pairs.get(pair) in (GOOD, BAD)}
        for column, pairs in enumerate((listed_pairs, judged, listed_pairs & good, good)):
            np.add.at(counts[:, column], [number[phrase] for phrase, _ in pairs], 1)
    return counts


def estimate(sums: Floats) -> Floats:
    """Return F1, precision, recall and coverage, calculated from the sums of `counts_by_phrase`."""
    listed, judged, right, good = sums.T
    return np.stack([ratio(2 * right, judged + good), ratio(right, judged), ratio(right, good), ratio(judged, listed)])


def _texts(data: StudyData) -> list[Pair]:
    """Return each candidate's pair, in the order of the candidate numbers in `columns`. Phrases are spelled as in the
    output of the list reader.
    """
    phrases = {item.key: _plain(item.content["phrase"]) for item in data.items}
    return [
        (phrases[question.payload["item"]], _plain(text))
        for question in data.questions
        for text in question.payload["paraphrases"]
    ]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _chosen(labels: Labels, domain: str, name: str) -> Labels:
    if domain and domain not in labels:
        available = ", ".join(labels)
        raise TableError.of_file(name, f"the study has no domain “{domain}”. The domains are {available}")
    return {domain: labels[domain]} if domain else labels


def _listed(
    submission: bytes, labels: Labels, data: StudyData, name: str, only: Collection[str] | None
) -> tuple[dict[str, set[Pair]], int]:
    listed, twice = read_table_pairs(submission, _domains(labels, data), name=name)
    if only is not None:  # Pairs whose phrases belong to other splits would lower the coverage.
        phrases = {_plain(item.content["phrase"]) for item in data.items if item.key in only}
        listed = {domain: {pair for pair in pairs if pair[0] in phrases} for domain, pairs in listed.items()}
    return {domain: listed[domain] for domain in labels}, twice


def _domains(labels: Labels, data: StudyData) -> list[str]:
    """Return all domains in the study, including domains without scores, which a file can also contain."""
    known = dict.fromkeys([*labels, *(item.metadata.get("domain", "") for item in data.items)])
    return [domain for domain in known if domain]


def _thresholds(submission: bytes, labels: Labels, data: StudyData, name: str, resampling: Mapping[str, int]) -> Table:
    """Return a table of the average precision and the threshold for the scores in the file, by domain."""
    scores, _ = read_table_scores(submission, _domains(labels, data), name=name)
    rows: list[list[Any]] = []
    for domain, of_pairs in labels.items():
        figures = threshold_figures(of_pairs, scores[domain], **resampling)
        validated = figures["cross_validated"] or {}
        f1, average = validated.get("f1", {"value": None}), figures["average_precision"]
        chosen = [each for each in validated.get("thresholds", []) if each is not None]
        rows.append(
            [
                domain,
                figures["scored"],
                average["value"],
                _interval(average),
                figures["threshold"],
                figures["largest_f1"],
                f1["value"],
                _interval(f1),
                f"{min(chosen):g} to {max(chosen):g}" if chosen else None,
            ]
        )
    return Table("Thresholds for the scores", THRESHOLD_COLUMNS, rows)


def _interval(figure: Mapping[str, Any]) -> str | None:
    return None if figure.get("low") is None else f"{figure['low']:.3f} to {figure['high']:.3f}"


def _phrases(labels: Labels, *lists: Mapping[str, set[Pair]]) -> list[str]:
    judged = (phrase for labels_of_pairs in labels.values() for phrase, _ in labels_of_pairs)
    named = (phrase for listed in lists for pairs in listed.values() for phrase, _ in sorted(pairs))
    return list(dict.fromkeys([*judged, *named]))


def _by_domain(scores: Mapping[str, Any]) -> Table:
    return Table(
        "By domain",
        ["Domain", "Pairs listed", "with a label", "labelled good", "F1", "Precision", "Recall", "Coverage"],
        [
            [
                domain,
                row["listed"],
                row["judged"],
                row["good"],
                row["f1"]["value"],
                row["precision"]["value"],
                row["recall"]["value"],
                row["coverage"],
            ]
            for domain, row in scores["domains"].items()
        ],
    )


def _contrasts(scores: Mapping[str, Any]) -> Table:
    names = ("good_in", "bad_in", "pairs", "listed_where_good", "listed_where_bad", "told_apart")
    return Table(
        "Good in one domain and bad in another",
        ["Good in", "bad in", "Pairs", "Listed where good", "listed where bad", "Told apart"],
        [[contrast[name] for name in names] for contrast in scores["contrasts"]],
    )


SYSTEMS = Systems(HELP, evaluate, compare, OPTIONS, assisted="paraphrase.assisted:assisted")
