"""Reports of paraphrase studies: labels by sentence and by domain, four aggregation methods, and agreement.

A report's JSON numbers candidates through all questions in the order of the design and keeps lists of small numbers
rather than rows of texts: a study of 15,000 sentences has 120,000 candidates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from annotate.numerics.agreement import agreement, fleiss_kappa
from annotate.numerics.bootstrap import Coefficient
from annotate.numerics.cohen import MeanKappa
from annotate.numerics.em import dawid_skene, one_coin
from annotate.numerics.labels import UNDECIDED, Aggregate, Ints, Labels, majority, weighted
from annotate.tasktypes import Columns, Progress, ReportResult
from paraphrase.columns import Collected, collected
from paraphrase.headline import headline
from paraphrase.numerics.domains import DomainLabels, compare_domains, contrasts, domain_labels
from paraphrase.people import annotator_figures, worker_accuracy

RESAMPLES = 1_000
NO = 0


def results(columns: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress) -> ReportResult:
    """Return all figures of the study for a paper, and the data of the report's pages and files."""
    if not len(columns["answer_question"]):
        return ReportResult(0, 0, "No votes count yet.")
    resamples = int(parameters.get("resamples", RESAMPLES))
    given = collected(columns)
    progress(0.05, f"labels of {given.labels.n_items:,} candidates by {len(given.labels):,} votes")
    decided = _four_ways(given)
    label = decided["majority"].label
    progress(0.3, f"agreement, {resamples:,} resamples")
    found = agreement(given.labels, resamples=resamples, seed=seed)
    progress(0.85, "domain against domain")
    domains = domain_labels(
        label, given.labels.counts[:, 1], decided["majority"].n, given.pair, given.domain,
        good_sentences=int(given.options["good_sentences"]),
    )  # fmt: skip
    own = {
        "votes": len(given.labels),
        "resamples": resamples,
        "ties": given.options["ties"],
        "good_sentences": given.options["good_sentences"],
        "agreement": {name: _figures(coefficient) for name, coefficient in found.items()},
        "worker_accuracy": worker_accuracy(given),
        "counts": _counts(given, decided["majority"]),
        "methods": _methods(decided),
        "sentences": {"ref": given.refs, "candidates": columns["sizes"].tolist(), "domain": columns["domain"].tolist()},
        "labels": {
            "yes": given.labels.counts[:, 1].tolist(),
            "n": decided["majority"].n.tolist(),
            **{name: result.label.tolist() for name, result in decided.items()},
            "pair": domains.row_of.tolist(),
        },
        "decided": np.flatnonzero(given.decided != UNDECIDED).tolist(),
        "domains": given.domains,
        "by_domain": _by_domain(given, label, resamples, seed),
        "pairs": _pairs(domains),
        "between": [asdict(comparison) for comparison in compare_domains(domains)],
        "contrasts": contrasts(domains).tolist(),
        "quality_control": _quality_control(columns, given),
    }
    return ReportResult(
        len(columns["answer_question"]),
        len(np.unique(columns["answer_annotator"])),
        headline=headline(found["fleiss_kappa"], resamples),
        people=annotator_figures(columns, given, decided["one_coin"].accuracy),
        own=own,
    )


def progress_report(columns: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress) -> ReportResult:
    """Return the short report for an open study: the main figure, the ties, and the quality-control accuracy."""
    judgements = len(columns["answer_question"])
    own: dict[str, Any] = {
        "gold_right": int(columns["gold_passed"].sum()),
        "gold_given": len(columns["gold_passed"]),
    }
    if not judgements:
        return ReportResult(0, own=own)
    given = collected(columns)
    resamples = 200
    own["counts"] = _counts(given, labels_by_majority(given))
    kappa = fleiss_kappa(given.labels, resamples=resamples, seed=seed)
    return ReportResult(judgements, headline=headline(kappa, resamples), own=own)


def _four_ways(given: Collected) -> dict[str, Aggregate]:
    """Return the labels of each method with the same rule for ties. Reviewers' decisions apply only to the majority
    label.

    Before anybody answered quality control there is nothing to weight by, and that method is left out.
    """
    tie_label = _tie_label(given)
    ways = {"majority": labels_by_majority(given)}
    if len(given.quality):
        ways["weighted"] = _weighted_by_quality_control(given, tie_label)
    ways["one_coin"] = one_coin(given.labels, tie_label=tie_label)
    ways["dawid_skene"] = dawid_skene(given.labels, tie_label=tie_label)
    return ways


def labels_by_majority(given: Collected) -> Aggregate:
    """Return the strict majority under the study's rule for ties. Decisions of reviewers take precedence."""
    found = majority(given.labels, tie_label=_tie_label(given))
    return Aggregate(np.where(given.decided == UNDECIDED, found.label, given.decided), found.votes, found.n)


def _tie_label(given: Collected) -> int:
    return NO if given.options["ties"] == "negative" else UNDECIDED


def _weighted_by_quality_control(given: Collected, tie_label: int) -> Aggregate:
    """Quality-control candidates follow the others, as items with a known label."""
    votes, quality = given.labels, given.quality
    together = Labels(
        item=np.concatenate([votes.item, quality.item + votes.n_items]),
        annotator=np.concatenate([votes.annotator, quality.annotator]),
        label=np.concatenate([votes.label, quality.label]),
        n_items=votes.n_items + quality.n_items,
        n_annotators=votes.n_annotators,
        n_labels=2,
    )
    gold = np.concatenate([np.full(votes.n_items, UNDECIDED), given.expected])
    found = weighted(together, gold, tie_label=tie_label)
    own = slice(votes.n_items)
    return Aggregate(found.label[own], found.votes[own], found.n[own], accuracy=found.accuracy, warnings=found.warnings)


def _counts(given: Collected, found: Aggregate) -> dict[str, int]:
    judged = found.n > 0
    yes = given.labels.counts[:, 1]
    return {
        "sentences": len(given.refs),
        "candidates": len(judged),
        "judged": int(judged.sum()),
        "good": int((found.label == 1).sum()),
        "bad": int((found.label == NO).sum()),
        "undecided": int((found.undecided & judged).sum()),
        "ties": int((judged & (2 * yes == found.n)).sum()),
        "decided": int((given.decided != UNDECIDED).sum()),
    }


def _methods(decided: Mapping[str, Aggregate]) -> dict[str, Any]:
    """Compare each method with the majority: the number of good labels, and the number of different labels."""
    base = decided["majority"]
    judged = base.n > 0
    rows = []
    for name, found in decided.items():
        differs = judged & (found.label != base.label)
        rows.append(
            {
                "method": name,
                "good": int((found.label == 1).sum()),
                "bad": int((judged & (found.label == NO)).sum()),
                "undecided": int((judged & (found.label == UNDECIDED)).sum()),
                "settles": int((differs & (base.label == UNDECIDED)).sum()),
                "reverses": int((differs & (base.label != UNDECIDED) & (found.label != UNDECIDED)).sum()),
                "rounds": found.rounds,
            }
        )
    return {"rows": rows, "warnings": [[name, text] for name, found in decided.items() for text in found.warnings]}


def _by_domain(given: Collected, label: Ints, resamples: int, seed: int) -> list[dict[str, Any]]:
    rows = []
    for number, name in enumerate(given.domains):
        here = given.domain == number
        votes = _among(given.labels, here)
        rows.append(
            {
                "domain": name,
                "sentences": len(np.unique(given.question[here])),
                "candidates": int(here.sum()),
                "good": int((label[here] == 1).sum()),
                "bad": int((label[here] == NO).sum()),
                "fleiss_kappa": _figures(fleiss_kappa(votes, resamples=resamples, seed=seed)),
            }
        )
    return rows


def _among(labels: Labels, items: Any) -> Labels:
    rows = items[labels.item]
    return Labels(labels.item[rows], labels.annotator[rows], labels.label[rows], labels.n_items, labels.n_annotators, 2)


def _pairs(domains: DomainLabels) -> dict[str, list[int]]:
    """Arrays with one number per pair in a domain. `first` is a candidate that has the words of the pair."""
    names = ("domain", "label", "good", "bad", "undecided", "first")
    return {name: getattr(domains, name).tolist() for name in names}


def _quality_control(columns: Columns, given: Collected) -> list[dict[str, Any]]:
    """Return the results of each quality-control question by candidate. If most annotators miss a question, its
    expected answer may be wrong.
    """
    counts = given.quality.counts
    asked = np.bincount(columns["gold_question"], minlength=len(given.quality_refs))
    missed = np.bincount(columns["gold_question"], weights=1 - columns["gold_passed"], minlength=len(asked))
    ends = np.cumsum(columns["gold_sizes"])
    return [
        {"ref": ref, "given": int(asked[place]), "missed": int(missed[place]),
         "yes": counts[end - size : end, 1].tolist()}
        for place, (ref, end, size) in enumerate(
            zip(given.quality_refs, ends.tolist(), columns["gold_sizes"].tolist(), strict=True))
    ]  # fmt: skip


def _figures(coefficient: Coefficient) -> dict[str, Any]:
    figures: dict[str, Any] = {"value": coefficient.value, "low": coefficient.low, "high": coefficient.high}
    if coefficient.reason is not None:
        figures["reason"] = coefficient.reason
    if isinstance(coefficient, MeanKappa):
        figures |= {"pairs": coefficient.pairs, "pairs_left_out": coefficient.pairs_left_out}
    return figures
