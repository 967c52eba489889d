"""Reports on paraphrase studies, which contain labels by sentence and by domain, four aggregation methods, and
agreement.

In the JSON of a report, candidates are numbered consecutively over all questions, in the order of the design. The JSON
contains lists of small numbers instead of rows of texts, because a study of 15,000 sentences has 120,000 candidates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from accord_core.numerics.agreement import agreement, fleiss_kappa
from accord_core.numerics.bootstrap import Coefficient
from accord_core.numerics.em import dawid_skene, one_coin
from accord_core.numerics.labels import UNDECIDED, Aggregate, Ints, Labels, majority, weighted
from accord_core.paraphrase.numerics.domains import DomainLabels, compare_domains, contrasts, domain_labels
from annotate.tasktypes import Columns, Headline, Progress, ReportResult, rounds_figures
from paraphrase.columns import Collected, collected, design_judgements, design_labels
from paraphrase.headline import headline
from paraphrase.people import annotator_figures, worker_accuracy
from paraphrase.targets import attained

RESAMPLES = 1_000
NO = 0


def results(columns: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress) -> ReportResult:
    """Return all figures needed for a paper about the study, and the data for the report's pages and files."""
    if not len(columns["answer_question"]):
        return ReportResult(0, 0, "No votes count yet.")
    resamples = int(parameters.get("resamples", RESAMPLES))
    data = collected(columns)
    progress(0.05, f"labels of {data.labels.n_items:,} candidates by {len(data.labels):,} votes")
    decided = _four_ways(data)
    label = decided["majority"].label
    progress(0.3, f"agreement, {resamples:,} resamples")
    # The same annotators judge all candidates in a question at once, so questions are resampled instead of candidates.
    design = design_labels(columns, data)
    coefficients = agreement(design, resamples=resamples, seed=seed, clusters=data.question)
    progress(0.85, "domain against domain")
    domains = domain_labels(
        label,
        data.labels.counts[:, 1],
        decided["majority"].n,
        data.pair,
        data.domain,
        good_sentences=int(data.options["good_sentences"]),
    )
    own = {
        "votes": len(data.labels),
        "resamples": resamples,
        "ties": data.options["ties"],
        "good_sentences": data.options["good_sentences"],
        "agreement": {name: coefficient.as_figure() for name, coefficient in coefficients.items()},
        "worker_accuracy": worker_accuracy(data),
        "counts": _counts(data, decided["majority"]),
        "methods": _methods(decided | {"majority": by_votes(data)} | _models_with_gold(data)),
        "sentences": {
            "ref": data.refs,
            "candidates": columns["sizes"].tolist(),
            "domain": columns["domain"].tolist(),
            **({"item_place": data.item_places} if data.item_places else {}),
        },
        "labels": {
            "yes": data.labels.counts[:, 1].tolist(),
            "n": decided["majority"].n.tolist(),
            **{name: result.label.tolist() for name, result in decided.items()},
            "pair": domains.row_of.tolist(),
        },
        "decided": np.flatnonzero(data.decided != UNDECIDED).tolist(),
        "kept": np.flatnonzero(data.kept).tolist(),
        "domains": data.domains,
        "by_domain": _by_domain(data, design, label, resamples, seed),
        "pairs": _pairs(domains),
        "between": [asdict(comparison) for comparison in compare_domains(domains)],
        "contrasts": contrasts(domains).tolist(),
        "quality_control": _quality_control(columns, data),
        **rounds_figures(columns["answer_round"]),
    }
    return ReportResult(
        len(columns["answer_question"]),
        len(np.unique(columns["answer_annotator"])),
        headline=_headline(columns, coefficients["fleiss_kappa"], resamples),
        people=annotator_figures(columns, data, decided["one_coin"].accuracy),
        own=own,
    )


def progress_report(columns: Columns, parameters: Mapping[str, Any], seed: int, progress: Progress) -> ReportResult:
    """Return a short report for an open study, with the main figure, the number of ties, and the quality-control
    accuracy.
    """
    judgements = len(columns["answer_question"])
    own: dict[str, Any] = {
        "gold_right": int(columns["gold_passed"].sum()),
        "gold_given": len(columns["gold_passed"]),
    }
    if not judgements:
        return ReportResult(0, own=own)
    data = collected(columns)
    own["counts"] = _counts(data, labels_by_majority(data))
    kappa = fleiss_kappa(design_labels(columns, data), resamples=RESAMPLES, seed=seed, clusters=data.question)
    return ReportResult(judgements, headline=_headline(columns, kappa, RESAMPLES), own=own)


def _headline(columns: Columns, kappa: Coefficient, resamples: int) -> Headline:
    figures = attained(kappa, design_judgements(columns), len(columns["sizes"]))
    return headline(kappa, resamples).with_attained(figures)


def _four_ways(data: Collected) -> dict[str, Aggregate]:
    """Return each aggregation method's labels. All methods use the same rule for ties. Reviewers' decisions apply only
    to the majority label.

    Without answers to quality-control questions there are no weights, so the weighted method is omitted.
    """
    tie_label = _tie_label(data)
    ways = {"majority": labels_by_majority(data)}
    if len(data.quality):
        ways["weighted"] = _weighted_by_quality_control(data, tie_label)
    ways["one_coin"] = one_coin(data.labels, tie_label=tie_label)
    ways["dawid_skene"] = dawid_skene(data.labels, tie_label=tie_label)
    return ways


def labels_by_majority(data: Collected) -> Aggregate:
    """Return the strict majority under the study's rule for ties. Reviewers' decisions take precedence over the
    votes.
    """
    by_majority = by_votes(data)
    return Aggregate(
        np.where(data.decided == UNDECIDED, by_majority.label, data.decided), by_majority.votes, by_majority.n
    )


def by_votes(data: Collected) -> Aggregate:
    """Return the strict majority under the study's rule for ties, without reviewers' decisions."""
    return majority(data.labels, tie_label=_tie_label(data))


def _tie_label(data: Collected) -> int:
    return NO if data.options["ties"] == "negative" else UNDECIDED


def _weighted_by_quality_control(data: Collected, tie_label: int) -> Aggregate:
    """Return the labels that result from weighting votes by gold accuracy."""
    together, gold = with_quality_control(data)
    return _own(weighted(together, gold, tie_label=tie_label), data)


def _own(labels: Aggregate, data: Collected) -> Aggregate:
    """Return the labels without those of quality-control candidates."""
    own = slice(data.labels.n_items)
    return Aggregate(
        labels.label[own],
        labels.votes[own],
        labels.n[own],
        accuracy=labels.accuracy,
        rounds=labels.rounds,
        warnings=labels.warnings,
    )


def _models_with_gold(data: Collected) -> dict[str, Aggregate]:
    """Return the labels of both models when they also take the labels of quality-control candidates as known."""
    if not len(data.quality):
        return {}
    together, gold = with_quality_control(data)
    models = {"one_coin_gold": one_coin, "dawid_skene_gold": dawid_skene}
    tie_label = _tie_label(data)
    return {name: _own(model(together, gold=gold, tie_label=tie_label), data) for name, model in models.items()}


def with_quality_control(data: Collected) -> tuple[Labels, Ints]:
    """Return the votes on all candidates, and each candidate's known label or −1. Quality-control candidates, whose
    labels are known, come after the other candidates.
    """
    votes, quality = data.labels, data.quality
    together = Labels(
        item=np.concatenate([votes.item, quality.item + votes.n_items]),
        annotator=np.concatenate([votes.annotator, quality.annotator]),
        label=np.concatenate([votes.label, quality.label]),
        n_items=votes.n_items + quality.n_items,
        n_annotators=votes.n_annotators,
        n_labels=2,
    )
    return together, np.concatenate([np.full(votes.n_items, UNDECIDED), data.expected])


def _counts(data: Collected, labels: Aggregate) -> dict[str, int]:
    judged = labels.n > 0
    yes = data.labels.counts[:, 1]
    return {
        "sentences": len(data.refs),
        "candidates": len(judged),
        "judged": int(judged.sum()),
        "good": int((labels.label == 1).sum()),
        "bad": int((labels.label == NO).sum()),
        "undecided": int((labels.undecided & judged).sum()),
        "ties": int((judged & (2 * yes == labels.n)).sum()),
        "decided": int((data.decided != UNDECIDED).sum()),
        "kept": int(data.kept.sum()),
    }


def _methods(decided: Mapping[str, Aggregate]) -> dict[str, Any]:
    """Return each aggregation method's number of good labels, and its number of labels that differ from the majority
    vote.
    """
    base = decided["majority"]
    judged = base.n > 0
    rows = []
    for name, labels in decided.items():
        differs = judged & (labels.label != base.label)
        rows.append(
            {
                "method": name,
                "good": int((labels.label == 1).sum()),
                "bad": int((judged & (labels.label == NO)).sum()),
                "undecided": int((judged & (labels.label == UNDECIDED)).sum()),
                "settles": int((differs & (base.label == UNDECIDED)).sum()),
                "reverses": int((differs & (base.label != UNDECIDED) & (labels.label != UNDECIDED)).sum()),
                "rounds": labels.rounds,
            }
        )
    return {"rows": rows, "warnings": [[name, text] for name, labels in decided.items() for text in labels.warnings]}


def _by_domain(data: Collected, design: Labels, label: Ints, resamples: int, seed: int) -> list[dict[str, Any]]:
    rows = []
    for number, name in enumerate(data.domains):
        here = data.domain == number
        votes = _among(design, here)
        rows.append(
            {
                "domain": name,
                "sentences": len(np.unique(data.question[here])),
                "candidates": int(here.sum()),
                "good": int((label[here] == 1).sum()),
                "bad": int((label[here] == NO).sum()),
                "fleiss_kappa": fleiss_kappa(votes, resamples=resamples, seed=seed, clusters=data.question).as_figure(),
            }
        )
    return rows


def _among(labels: Labels, items: Any) -> Labels:
    rows = items[labels.item]
    return Labels(labels.item[rows], labels.annotator[rows], labels.label[rows], labels.n_items, labels.n_annotators, 2)


def _pairs(domains: DomainLabels) -> dict[str, list[int]]:
    """Return arrays with one entry for each phrase–paraphrase pair in a domain. `first` is the number of a candidate
    that contains the pair's words.
    """
    names = ("domain", "label", "good", "bad", "undecided", "first")
    return {name: getattr(domains, name).tolist() for name in names}


def _quality_control(columns: Columns, data: Collected) -> list[dict[str, Any]]:
    """Return the results for each candidate in each quality-control question. If most annotators answer a question
    wrongly, the expected answer may be wrong.
    """
    counts = data.quality.counts
    answers = np.bincount(columns["gold_question"], minlength=len(data.quality_refs))
    missed = np.bincount(columns["gold_question"], weights=1 - columns["gold_passed"], minlength=len(answers))
    ends = np.cumsum(columns["gold_sizes"])
    return [
        {
            "ref": ref,
            "given": int(answers[place]),
            "missed": int(missed[place]),
            "yes": counts[end - size : end, 1].tolist(),
        }
        for place, (ref, end, size) in enumerate(
            zip(data.quality_refs, ends.tolist(), columns["gold_sizes"].tolist(), strict=True)
        )
    ]
