"""Tests of the methods that combine alignments: majority, medoid and the model of cells, with its annotators."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from accord_core.pairs.numerics.links import Alignment, identical_links, pair_f1, word_scores
from accord_core.words.numerics.aggregation import METHODS, majority, medoid
from accord_core.words.numerics.cell_model import error_rates, fit
from accord_core.words.numerics.cells import AnnotatedPair, cells_of
from accord_core.words.numerics.modelled import aggregated, modelled
from annotate.commands.main import main

WORDS = "a b c d e f g h i j k l m n".split()
ERRORS = (0.02, 0.1, 0.35)  # share of missed links, and ten times the share of wrong cells, of each annotator


def simulated(pairs: int, seed: int, errors=ERRORS) -> tuple[list[AnnotatedPair], list[Alignment]]:
    """Return pairs with true links along the diagonal, and annotators with different shares of errors."""
    draw = np.random.default_rng(seed)
    annotated, truth = [], []
    for _ in range(pairs):
        n = int(draw.integers(4, 9))
        source, target = (list(draw.permutation(WORDS)[:n]) for _ in range(2))
        true = {(place, place) for place in range(n) if draw.random() < 0.85}
        shared = {place for place in range(n) if draw.random() < 0.5}
        target = [source[place] if place in shared else f"{word}2" for place, word in enumerate(target)]
        sure = {link for link in true if draw.random() < 0.8}
        answers = {}
        for number, error in enumerate(errors):
            own = {link for link in true if draw.random() >= error}
            own |= {(i, j) for i in range(n) for j in range(n) if draw.random() < error / 10}
            own_sure = {link for link in own if (link in sure) == (draw.random() >= error / 2)}
            answers[number] = Alignment.of(own_sure, own - own_sure)
        annotated.append(AnnotatedPair(source, target, answers))
        truth.append(Alignment.of(sure, true - sure))
    return annotated, truth


@pytest.fixture(scope="module")
def data():
    return simulated(60, seed=3)


@st.composite
def alignments(draw):
    cells = st.tuples(st.integers(0, 3), st.integers(0, 3))
    sure = draw(st.frozensets(cells, max_size=5))
    return Alignment(sure, draw(st.frozensets(cells, max_size=5)) - sure)


@given(st.lists(alignments(), min_size=1, max_size=4), st.integers(1, 4))
def test_unanimous_annotators_get_their_own_alignment_by_each_method(drawn, people) -> None:
    pairs = [AnnotatedPair("abcd", "abcx", dict.fromkeys(range(people), one)) for one in drawn]
    for method in METHODS:
        assert aggregated(pairs, people, method) == drawn


@given(st.lists(st.lists(alignments(), min_size=3, max_size=3), min_size=1, max_size=4), st.permutations(range(3)))
def test_the_numbers_and_the_order_of_annotators_do_not_matter(answers, order) -> None:
    before = [AnnotatedPair("abcd", "abcx", dict(enumerate(drawn))) for drawn in answers]
    after = [AnnotatedPair("abcd", "abcx", {order[one]: drawn[one] for one in order}) for drawn in answers]
    for method in METHODS:
        assert aggregated(before, 3, method) == aggregated(after, 3, method)


@given(st.lists(alignments(), min_size=1, max_size=6))
def test_the_majority_is_the_lower_median_of_the_states_of_each_link(drawn) -> None:
    chosen = majority(drawn)
    for link in {link for each in drawn for link in each.links}:
        states = sorted(2 if link in each.sure else 1 if link in each.possible else 0 for each in drawn)
        expected = states[(len(states) - 1) // 2]
        assert (2 if link in chosen.sure else 1 if link in chosen.possible else 0) == expected


def test_a_link_that_two_of_three_marked_sure_is_sure() -> None:
    sure, possible = Alignment.of([(0, 0)]), Alignment.of([], [(0, 0)])
    assert majority([sure, possible, sure]) == sure
    assert majority([sure, possible, Alignment()]) == possible


def test_the_model_is_closer_to_the_truth_than_majority_and_medoid(data) -> None:
    pairs, truth = data
    f1 = {}
    for method in METHODS:
        chosen = aggregated(pairs, len(ERRORS), method)
        f1[method] = word_scores(zip(truth, chosen, strict=True)).possible["f1"]
    assert f1["model"] > max(f1["majority"], f1["medoid"]) + 0.01


def test_the_more_reliable_of_two_annotators_wins() -> None:
    pairs, _ = simulated(120, seed=5, errors=(0.02, 0.5))
    chosen = aggregated(pairs, 2, "model")
    to_good, to_poor = (
        np.mean([pair_f1(one, pair.answers[number]) for one, pair in zip(chosen, pairs, strict=True)])
        for number in (0, 1)
    )
    assert to_good > 0.95 > to_poor


def test_precision_and_recall_of_annotators_are_close_to_the_true_figures(data) -> None:
    pairs, truth = data
    rates = modelled(pairs, len(ERRORS)).annotators(seed=1)
    for number in range(len(ERRORS)):
        drawn = [pair.answers[number] for pair in pairs]
        hits = sum(len(one.links & true.links) for one, true in zip(drawn, truth, strict=True))
        precision = hits / sum(len(one.links) for one in drawn)
        recall = hits / sum(len(true.links) for true in truth)
        assert abs(rates.precision[number] - precision) < max(0.01, 3 * rates.precision_error[number])
        assert abs(rates.recall[number] - recall) < max(0.01, 3 * rates.recall_error[number])
    assert (np.diff(rates.precision) < 0).all()
    assert (rates.recall_error > 0).all()


def test_error_rates_of_known_alignments_are_the_counted_shares() -> None:
    pairs, truth = simulated(60, seed=7)
    known = [pair._replace(known=true) for pair, true in zip(pairs, truth, strict=True)]
    cells = cells_of(known, len(ERRORS))
    model = fit(cells)
    assert modelled(known, len(ERRORS)).alignments() == truth
    counts = np.zeros((len(ERRORS), 3, 3))
    for pair, true in zip(pairs, truth, strict=True):
        for number, drawn in pair.answers.items():
            for i in range(len(pair.source)):
                for j in range(len(pair.target)):
                    state, vote = (
                        2 if (i, j) in one.sure else 1 if (i, j) in one.possible else 0 for one in (true, drawn)
                    )
                    counts[number, state, vote] += 1
    pooled = counts.sum(axis=0) + np.array([[9, 0.5, 0.5], [2, 6, 2], [1, 1, 8]])
    expected = counts + 20 * pooled / pooled.sum(axis=1, keepdims=True)
    expected /= expected.sum(axis=2, keepdims=True)
    assert model.confusion[:, 0] == pytest.approx(expected)
    assert error_rates(cells, model.posterior, cells.weight) == pytest.approx(model.confusion)


def test_the_cells_of_a_pair_have_a_class_and_count_once() -> None:
    start = Alignment.of([(0, 1)])
    drawn = {0: Alignment.of([(0, 1)]), 2: Alignment.of([], [(1, 0)])}
    cells = cells_of([AnnotatedPair(["a", "b", "c"], ["b", "x", "c"], drawn, start), AnnotatedPair("a", "b", {})], 3)
    assert cells.weight.sum() == 9
    assert identical_links(["a", "b", "c"], ["b", "x", "c"]) == {(1, 0), (2, 2)}
    single = [(i, j, start) for i, j, start in zip(cells.i, cells.j, cells.start, strict=True) if i >= 0]
    assert single == [(0, 1, 2), (1, 0, 0)]
    # The class is ((start × 2 + identical) × 3 + words with another expected link) × 2 + expected on the diagonal.
    assert cells.group[cells.i >= 0].tolist() == [((2 * 2 + 0) * 3 + 0) * 2, ((0 * 2 + 1) * 3 + 0) * 2]
    assert sorted(set(cells.annotator.tolist())) == [0, 2]


def test_ties_of_two_equal_annotators() -> None:
    longer, shorter = Alignment.of([(0, 0), (1, 1)]), Alignment.of([(0, 0)])
    assert medoid([longer, shorter]) == medoid([shorter, longer]) == shorter
    assert majority([longer, shorter]) == shorter
    one, other = Alignment.of([(0, 1)]), Alignment.of([(1, 0)])
    [chosen] = aggregated([AnnotatedPair("ab", "cd", {0: one, 1: other})], 2, "model")
    assert chosen == Alignment()


@pytest.mark.nightly
def test_the_command_reads_files_of_annotators_and_annotations_of_a_study(tmp_path, monkeypatch, data) -> None:
    monkeypatch.chdir(tmp_path)
    pairs, _ = data
    rows = ["id\tsource\ttarget", *(f"p{n}\t{' '.join(p.source)}\t{' '.join(p.target)}" for n, p in enumerate(pairs))]
    (tmp_path / "pairs.tsv").write_text("\n".join(rows) + "\n")
    lines = []
    for number, name in enumerate(("anna", "ben", "cem")):
        drawn = [pair.answers[number] for pair in pairs]
        text = "\n".join(
            " ".join([f"{i}-{j}" for i, j in sorted(one.sure)] + [f"{i}?{j}" for i, j in sorted(one.possible)])
            for one in drawn
        )
        (tmp_path / f"{name}.pharaoh").write_text(text + "\n")
        lines += [
            json.dumps({"pair": f"p{place}", "annotator": name, "sure": sorted(one.sure),
                        "possible": sorted(one.possible), "prealignment": None})
            for place, one in enumerate(drawn)
        ]  # fmt: skip
    (tmp_path / "annotations.jsonl").write_text("\n".join(lines) + "\n")

    def run(*arguments: str):
        return CliRunner().invoke(main, ["align", "aggregate", *arguments, "--sentences", "pairs.tsv"])

    files = [f"{name}.pharaoh" for name in ("anna", "ben", "cem")]
    for method in METHODS:
        from_files = run(*files, "--method", method, "--to", "wpt")
        from_study = run("annotations.jsonl", "--method", method, "--to", "wpt")
        assert from_files.exit_code == from_study.exit_code == 0, from_files.output
        assert from_files.stdout == from_study.stdout
        first = aggregated(pairs, 3, method)[0]
        links = {tuple(line.split()[1:]) for line in from_files.stdout.splitlines() if line.split()[0] == "1"}
        assert len(links) == len(first.links)
    done = run(
        *files, "--method", "model", "--annotators", "people.csv", "--probabilities", "links.csv", "-o", "m.json"
    )
    assert done.exit_code == 0, done.output
    people = list(csv.DictReader((tmp_path / "people.csv").read_text().splitlines()))
    assert [row["annotator"] for row in people] == ["anna", "ben", "cem"]
    assert [float(row["precision"]) for row in people] == sorted(
        (float(row["precision"]) for row in people), reverse=True
    )
    linked = list(csv.DictReader((tmp_path / "links.csv").read_text().splitlines()))
    assert all(
        float(row["linked"]) == pytest.approx(float(row["possible"]) + float(row["sure"]), abs=2e-6) for row in linked
    )
    assert len(linked) == sum(len({link for one in pair.answers.values() for link in one.links}) for pair in pairs)
    assert "--method model" in run(*files, "--annotators", "x.csv").output
    assert "one alignment file per annotator" in run("anna.pharaoh").output
