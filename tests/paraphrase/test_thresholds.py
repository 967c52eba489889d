"""Tests of precision–recall curves and score thresholds, compared with their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.evaluation.numerics.folds import test_folds as folds_of
from accord_core.paraphrase.systems.numerics.thresholds import best_threshold, judged_scores, threshold_figures

pairs = st.tuples(st.sampled_from("abcdef"), st.sampled_from("uvwxyz"))
tables = st.dictionaries(
    pairs,
    st.tuples(st.sampled_from(["good", "good", "bad", "undecided"]), st.none() | st.sampled_from([0.1, 0.2, 0.5, 2.0])),
    min_size=1,
)


def parts(table):
    labels = {pair: label for pair, (label, _) in table.items()}
    return labels, {pair: score for pair, (_, score) in table.items() if score is not None}


def figures_at(labels, scores, threshold, phrases=None):
    """Return precision, recall and F1 at a threshold, from the definition."""
    known = {pair: label for pair, label in labels.items() if phrases is None or pair[0] in phrases}
    listed = [pair for pair in known if scores.get(pair, -1) >= threshold and known[pair] != "undecided"]
    right = sum(known[pair] == "good" for pair in listed)
    good = sum(label == "good" for label in known.values())
    f1 = 2 * right / (len(listed) + good) if listed or good else 0
    return right / len(listed) if listed else None, right / good if good else None, f1


@given(tables)
def test_the_curve_and_the_average_precision_follow_the_definition(table):
    labels, scores = parts(table)
    figures = threshold_figures(labels, scores, resamples=0)
    judged = sorted({scores[pair] for pair in labels if pair in scores and labels[pair] != "undecided"}, reverse=True)
    if "good" not in labels.values():
        assert (figures["curve"], figures["average_precision"]["value"]) == ([], None)
        return
    assert [point["threshold"] for point in figures["curve"]] == judged
    average, before = 0.0, 0.0
    for point in figures["curve"]:
        precision, recall, f1 = figures_at(labels, scores, point["threshold"])
        assert (point["precision"], point["recall"], point["f1"]) == pytest.approx((precision, recall, f1))
        average, before = average + precision * (recall - before), recall
    assert figures["average_precision"]["value"] == pytest.approx(average)
    assert figures["largest_f1"] == (max(point["f1"] for point in figures["curve"]) if judged else None)


@given(tables, st.integers(1, 3))
def test_each_fold_uses_the_threshold_of_the_other_folds(table, seed):
    labels, scores = parts(table)
    figures = threshold_figures(labels, scores, folds=3, resamples=0, seed=seed)["cross_validated"]
    phrases = list(dict.fromkeys(phrase for phrase, _ in labels))
    if len(phrases) < 2:
        assert figures is None
        return
    fold_of = dict(zip(phrases, folds_of(phrases, min(3, len(phrases)), seed), strict=True))
    right = listed = 0
    for fold, threshold in enumerate(figures["thresholds"]):
        train = {phrase for phrase in phrases if fold_of[phrase] != fold}
        judged = [pair for pair in labels if pair[0] in train and pair in scores and labels[pair] != "undecided"]
        assert (threshold is None) == (not judged)
        if threshold is None:
            continue
        best = figures_at(labels, scores, threshold, train)[2]
        candidates = {scores[pair] for pair in judged}
        assert best == pytest.approx(max(figures_at(labels, scores, each, train)[2] for each in candidates))
        test = [pair for pair in labels if fold_of[pair[0]] == fold and scores.get(pair, -1) >= threshold]
        listed += sum(labels[pair] != "undecided" for pair in test)
        right += sum(labels[pair] == "good" for pair in test)
    good = sum(label == "good" for label in labels.values())
    assert figures["precision"]["value"] == (pytest.approx(right / listed) if listed else None)
    assert figures["recall"]["value"] == (pytest.approx(right / good) if good else None)


def test_the_order_of_the_rows_does_not_matter():
    generator = np.random.default_rng(3)
    table = [((f"p{n % 30}", f"q{n}"), generator.choice(["good", "bad"]), n / 97 % 1) for n in range(200)]
    results = []
    for rows in (table, table[::-1]):
        labels, scores = {pair: label for pair, label, _ in rows}, {pair: score for pair, _, score in rows}
        figures = threshold_figures(labels, scores, resamples=0)
        results.append((figures["curve"], figures["cross_validated"]))
    assert results[0] == results[1]


def test_the_interval_of_a_useful_score_excludes_chance_and_the_largest_f1_is_optimistic():
    generator = np.random.default_rng(5)
    labels, scores = {}, {}
    for phrase in range(80):
        for paraphrase in range(5):
            good = generator.random() < 0.3
            labels[f"p{phrase}", f"q{paraphrase}"] = "good" if good else "bad"
            scores[f"p{phrase}", f"q{paraphrase}"] = float(generator.normal(good))
    figures = threshold_figures(labels, scores)
    average, f1 = figures["average_precision"], figures["cross_validated"]["f1"]
    assert 0.3 < average["low"] < average["value"] < average["high"]
    assert f1["low"] < f1["value"] <= figures["largest_f1"]
    everything = judged_scores(labels, scores)
    assert best_threshold(everything) == figures["threshold"]
    with pytest.raises(ValueError, match="at least 2, not 1"):
        threshold_figures(labels, scores, folds=1)


def test_the_width_of_intervals_includes_the_choice_of_thresholds():
    generator = np.random.default_rng(7)
    values, widths = [], []
    for number in range(60):
        labels, scores = {}, {}
        for phrase in range(60):
            share = generator.beta(2, 2)
            for paraphrase in range(5):
                good = generator.random() < share
                labels[f"p{phrase}", f"q{paraphrase}"] = "good" if good else "bad"
                scores[f"p{phrase}", f"q{paraphrase}"] = float(generator.normal(good))
        resamples = 200 if number < 5 else 0
        recall = threshold_figures(labels, scores, resamples=resamples)["cross_validated"]["recall"]
        values.append(recall["value"])
        if resamples:
            assert recall["low"] <= recall["value"] <= recall["high"]
            widths.append(recall["high"] - recall["low"])
    # With fixed thresholds, the ratio was about 0.5.
    assert 0.75 < np.mean(widths) / (2 * 1.96 * np.std(values)) < 1.6
