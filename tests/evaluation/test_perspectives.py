"""Tests of perspectivist scores against calculations label by label, as LeWiDi 2025 defines them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from accord_core.exchange.faults import TableError
from accord_core.exchange.labels import LabelFile, read_labels
from annotate.commands.main import main
from evaluation.perspective_scores import read_perspectives

ratings = st.dictionaries(
    st.tuples(st.sampled_from("pqrs"), st.sampled_from("abcd")), st.integers(-5, 5), min_size=2, max_size=16
)


def file_of(labels: dict[tuple[str, str], object]) -> bytes:
    return ("item,annotator,label\n" + "".join(f"{i},{who},{x}\n" for (i, who), x in labels.items())).encode()


def votes(labels: dict[tuple[str, str], object]) -> LabelFile:
    return read_labels(file_of(labels), name="votes")


@given(ratings, st.integers(0, 1000))
def test_measures_are_means_over_items_of_means_over_annotators(gold: dict[tuple[str, str], int], seed: int) -> None:
    draw = np.random.default_rng(seed)
    guessed = {key: int(draw.integers(-5, 6)) for key in gold}
    further = guessed | {("unknown", "a"): 3}
    scored = read_perspectives(votes(gold), [("system", file_of(further))], points=11)
    wrong: dict[str, list[bool]] = {}
    distance: dict[str, list[float]] = {}
    for (item, who), label in gold.items():
        wrong.setdefault(item, []).append(label != guessed[item, who])
        distance.setdefault(item, []).append(abs(label - guessed[item, who]) / 11)
    measures = scored.measures(0, resamples=0, seed=1)
    assert measures[0].value == pytest.approx(np.mean([np.mean(each) for each in wrong.values()]))
    assert measures[1].value == pytest.approx(np.mean([np.mean(each) for each in distance.values()]))


@given(ratings)
def test_the_baseline_predicts_the_most_frequent_label_of_the_others(gold: dict[tuple[str, str], int]) -> None:
    scored = read_perspectives(votes(gold), [("system", file_of(gold))])
    wrong: dict[str, list[float]] = {}
    for (item, who), label in gold.items():
        others = [other for (i, a), other in gold.items() if i == item and a != who]
        most = [each for each in set(others) if others.count(each) == max(map(others.count, others))]
        if others:
            wrong.setdefault(item, []).append(1 - (label in most) / len(most))
    value = scored.baseline(resamples=0, seed=1).measures[0].value
    if wrong:
        assert value == pytest.approx(np.mean([np.mean(each) for each in wrong.values()]))
    else:
        assert value is None


def test_names_of_classes_have_no_distance() -> None:
    gold = {("p", "a"): "yes", ("p", "b"): "no", ("q", "a"): "no"}
    scored = read_perspectives(votes(gold), [("same", file_of(gold)), ("all", file_of(dict.fromkeys(gold, "maybe")))])
    assert [scored.measures(n, resamples=0, seed=1)[0].value for n in (0, 1)] == [0, 1]
    assert scored.measures(0, resamples=0, seed=1)[1].note == "the labels are not numbers"
    difference = scored.differences(0, 1, resamples=50, permutations=50, seed=1)[0]
    assert (difference.value, difference.low, difference.high) == (-1, -1, -1)


def test_a_system_must_predict_every_label() -> None:
    gold = {("p", "a"): 1, ("p", "b"): 2}
    with pytest.raises(TableError, match="the label of b for p is missing"):
        read_perspectives(votes(gold), [("system", file_of({("p", "a"): 1}))])


def test_the_command(tmp_path: Path) -> None:
    gold = {(item, who): n % 4 for n, (item, who) in enumerate((i, a) for i in "pqr" for a in "abc")}
    for name, labels in {"votes": gold, "exact": gold, "lazy": dict.fromkeys(gold, 2)}.items():
        (tmp_path / f"{name}.csv").write_bytes(file_of(labels))
    files = [str(tmp_path / f"{name}.csv") for name in ("exact", "lazy", "votes")]
    done = CliRunner().invoke(main, ["evaluate", "perspectives", *files, "--json"])
    figures = json.loads(done.stdout)
    assert figures["points"] == 4
    assert figures["systems"]["exact"]["Error rate"]["value"] == 0
    lazy = np.mean([np.mean([gold[item, who] != 2 for who in "abc"]) for item in "pqr"])
    assert figures["systems"]["lazy"]["Error rate"]["value"] == pytest.approx(lazy)
    assert figures["differences"][0]["Error rate"]["value"] == pytest.approx(-lazy)
