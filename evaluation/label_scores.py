"""Hard and soft scores of systems that predict labels or probabilities, for items with several annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from accord_core.evaluation.formats.label_predictions import Predictions, read_label_predictions
from accord_core.evaluation.formats.soft_labels import CollectedFile
from accord_core.evaluation.measures import Floats, Ratio, differences_of_sums, measures_of_sums
from accord_core.evaluation.numerics.soft_scores import (
    ERROR_AWARE,
    FLOOR,
    WASSERSTEIN,
    Collected,
    estimate,
    frequencies,
    held_out_counts,
    system_counts,
)
from accord_core.numerics.soft_labels import vote_shares
from annotate.tasktypes import Baseline, Difference, Evaluation, Measure

MEASURES = (
    Ratio("Accuracy", undefined="no item has a majority label"),
    Ratio("Error-aware accuracy", undefined="the posteriors of the labels are not known"),
    Ratio("Cross-entropy", lower=True, undefined="the system gives labels without probabilities"),
    Ratio("Jensen–Shannon divergence", lower=True, undefined="no item has votes"),
    Ratio("Manhattan distance", lower=True, undefined="no item has votes"),
    Ratio("Wasserstein distance", lower=True),  # only for numbers, so it comes last
)
HELD_OUT = "Held-out annotator"
VOTES = "The votes themselves"
FREQUENCIES = "Frequency of each label"


def evaluate_predictions(votes: CollectedFile, submission: bytes, parameters: Mapping[str, Any]) -> Evaluation:
    """Return the measures for a file of predicted labels or probabilities, compared with the collected votes.

    The parameters are the file's `name`, `resamples` and `seed`. Raises TableError if the file contains errors.
    """
    predictions = read_label_predictions(submission, votes.items, votes.names, name=str(parameters["name"]))
    resampling = {"resamples": parameters["resamples"], "seed": parameters["seed"]}
    return Evaluation(
        system_measures(votes.collected, predictions, votes.clusters, **resampling),
        baselines(votes.collected, votes.clusters, **resampling),
        notes=[*notes_of(votes.collected, predictions), *(f"{warning}." for warning in votes.warnings)],
        own={"items": len(votes.items)},
    )


def compare_predictions(
    votes: CollectedFile, submissions: tuple[bytes, bytes], parameters: Mapping[str, Any]
) -> list[Difference]:
    """Return the differences between two files' measures (first minus second) on the same votes."""
    one, other = (
        read_label_predictions(submission, votes.items, votes.names, name=name)
        for submission, name in zip(submissions, parameters["names"], strict=True)
    )
    return system_differences(
        votes.collected,
        one,
        other,
        votes.clusters,
        resamples=parameters["resamples"],
        permutations=parameters["permutations"],
        seed=parameters["seed"],
    )


def system_measures(
    collected: Collected, predictions: Predictions, clusters: Sequence[str] | None, *, resamples: int, seed: int
) -> list[Measure]:
    """Return a system's measures with 95% intervals from resampled items or clusters."""
    counts = system_counts(collected, predictions.values, probabilities=predictions.probabilities)
    found = _measures(MEASURES, _by_cluster(counts, clusters), resamples, seed)
    return found[: _measured(collected)]


def _measures(names: Sequence[Ratio], counts: Floats, resamples: int, seed: int) -> list[Measure]:
    """Return all measures. The influences in the resamples are linear, so the interval for the error-aware accuracy is
    limited to values from 0 to 1.
    """
    found = measures_of_sums(names, counts, estimate, resamples=resamples, seed=seed)
    aware = found[ERROR_AWARE]
    if aware.low is not None and aware.high is not None:
        found[ERROR_AWARE] = replace(aware, low=max(aware.low, 0.0), high=min(aware.high, 1.0))
    return found


def baselines(collected: Collected, clusters: Sequence[str] | None, *, resamples: int, seed: int) -> list[Baseline]:
    """Return the measures of a held-out annotator, of the votes themselves, and of the label frequencies.

    The held-out annotator is the ceiling for systems that give labels. The cross-entropy of the votes themselves is
    their entropy, which is the lowest possible cross-entropy.
    """
    shares = vote_shares(collected.votes)
    counts = {
        HELD_OUT: held_out_counts(collected),
        VOTES: system_counts(collected, shares, probabilities=True),
        FREQUENCIES: system_counts(collected, frequencies(collected), probabilities=True),
    }
    undefined = "no item has two votes"
    held_out = [measure._replace(undefined=undefined) for measure in MEASURES]
    return [
        Baseline(
            name,
            _measures(held_out if name == HELD_OUT else MEASURES, _by_cluster(each, clusters), resamples, seed)[
                : _measured(collected)
            ],
        )
        for name, each in counts.items()
    ]


def system_differences(
    collected: Collected,
    one: Predictions,
    other: Predictions,
    clusters: Sequence[str] | None,
    *,
    resamples: int,
    permutations: int,
    seed: int,
) -> list[Difference]:
    """Return the first system's measures minus the second system's measures, on the same items."""
    counts, counts_of_other = (
        _by_cluster(system_counts(collected, each.values, probabilities=each.probabilities), clusters)
        for each in (one, other)
    )
    found = differences_of_sums(
        MEASURES,
        counts,
        counts_of_other,
        estimate,
        resamples=resamples,
        permutations=permutations,
        seed=seed,
    )
    return found[: _measured(collected)]


def _measured(collected: Collected) -> int:
    """Return the number of measures that the labels have. Only numbers have distances on a scale."""
    return len(MEASURES) if collected.positions is not None else WASSERSTEIN


def notes_of(collected: Collected, predictions: Predictions) -> list[str]:
    """Return notes about ignored predictions, and about labels that have votes although their predicted probability is
    0.
    """
    notes = []
    if predictions.further:
        notes.append(f"{predictions.further:,} other items in the file have no votes, so they were ignored.")
    zeros = int(((collected.votes > 0) & (predictions.values < FLOOR)).any(axis=1).sum())
    if predictions.probabilities and zeros:
        notes.append(
            f"{zeros:,} items have votes for a label to which the system gives a probability below {FLOOR:g}. In the "
            f"cross-entropy, such probabilities count as {FLOOR:g}."
        )
    return notes


def _by_cluster(counts: Floats, clusters: Sequence[str] | None) -> Floats:
    """Return the sums of the counts by cluster, because a cluster's items are resampled together."""
    if clusters is None:
        return counts
    number = {name: place for place, name in enumerate(dict.fromkeys(clusters))}
    sums = np.zeros((len(number), counts.shape[1]))
    np.add.at(sums, [number[name] for name in clusters], counts)
    return sums
