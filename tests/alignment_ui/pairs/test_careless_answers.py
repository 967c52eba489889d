"""Tests of the model of careless answers against an enumeration of all answers."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import betabinom

from accord_core.pairs.numerics import careless_answers
from accord_core.pairs.numerics.careless_answers import (
    Answers,
    Likelihoods,
    answers_of,
    draw_careless,
    draw_log_odds,
    draw_population,
    new_answers,
    vote_frequencies,
)

RIGHT = 0.95


def study(votes: list[list[list[int]]], n_annotators: int) -> tuple[Answers, Likelihoods]:
    """Return votes on links by pair, answer and cell, and their likelihoods. Half of all cells are linked, and careful
    annotators are right in 95% of cells.
    """
    rows, pair, annotator, vote, first = [], [], [], [], 0
    for number, answers in enumerate(votes):
        size = len(answers[0])
        pair += [number] * size
        for place, answer in enumerate(answers):
            rows += range(first, first + size)
            annotator += [(number + place) % n_annotators] * size
            vote += answer
        first += size
    weight = np.arange(1.0, len(pair) + 1) % 3 + 1
    chance = np.array([[RIGHT, 1 - RIGHT], [1 - RIGHT, RIGHT]])
    answers = answers_of(np.array(pair), np.array(rows), np.array(annotator), weight)
    likelihoods = Likelihoods(
        np.log(chance)[:, vote].T, np.full(len(vote), np.log(0.5)), np.full((len(pair), 2), np.log(0.5))
    )
    return answers, likelihoods


def enumerated(answers: Answers, likelihoods: Likelihoods, share: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the probability of a careless answer (N,) and of a link (R,) from all sets of careless answers."""
    n, size = len(answers.pair), len(answers.weight)
    careless, linked, total = np.zeros(n), np.zeros(size), 0.0
    for choice in product((False, True), repeat=n):
        weight = np.prod([share if one else 1 - share for one in choice])
        links = np.empty(size)
        for row in range(size):
            states = np.exp(likelihoods.prior[row])
            for vote in np.flatnonzero(answers.row == row):
                skip = choice[answers.answer[vote]]
                states = states * np.exp(likelihoods.careless[vote] if skip else likelihoods.careful[vote])
            weight *= states.sum() ** answers.weight[row]
            links[row] = states[1] / states.sum()
        total += weight
        careless += weight * np.array(choice)
        linked += weight * links
    return careless / total, linked / total


@pytest.mark.parametrize(
    "votes",
    [
        # Two contradictory answers: one of them is careless, and nothing shows which
        [[[1, 1, 0, 0, 1], [0, 0, 1, 1, 0]]],
        [[[1, 1, 0], [1, 0, 0], [0, 1, 1]], [[1, 0], [0, 1]], [[1, 1, 0]]],
    ],
)
def test_draws_have_the_enumerated_probabilities(votes, monkeypatch):
    share = 0.2
    monkeypatch.setattr(careless_answers, "draw_log_odds", lambda *_: np.full(3, np.log(share / (1 - share))))
    answers, likelihoods = study(votes, 3)
    generator, start = np.random.default_rng(5), np.arange(len(answers.pair)) == 0
    draws = [draw_careless(answers, likelihoods, start, generator) for _ in range(800)]
    careless, linked = enumerated(answers, likelihoods, share)
    assert np.mean([each for each, _ in draws], axis=0) == pytest.approx(careless, abs=0.05)
    assert np.mean([posterior[:, 1] for _, posterior in draws], axis=0) == pytest.approx(linked, abs=0.05)


def test_populations_have_the_integrated_probabilities():
    counts, sizes = np.array([3, 0, 1]), np.array([4, 4, 6])
    annotator = np.repeat(np.arange(3), sizes)
    careless = np.concatenate([np.arange(size) < count for count, size in zip(counts, sizes, strict=True)])
    generator = np.random.default_rng(1)
    drawn = np.array([draw_population(careless, annotator, generator) for _ in range(1_000)])
    prior = np.random.default_rng(2)
    mean, size = prior.beta(1, 9, 20_000), prior.lognormal(np.log(10), 1, 20_000)
    models = [betabinom(total, mean * size, (1 - mean) * size) for total in sizes]
    weight = np.prod([model.pmf(count) for model, count in zip(models, counts, strict=True)], axis=0)
    for figure, value in ((drawn[:, 0] / drawn.sum(axis=1), mean), (np.log10(drawn.sum(axis=1)), np.log10(size))):
        assert figure.mean() == pytest.approx(np.average(value, weights=weight), abs=0.03)
        assert figure.std() == pytest.approx(np.cov(value, aweights=weight) ** 0.5, abs=0.03)


@pytest.mark.parametrize("careful", [True, False])
def test_the_log_odds_of_an_annotator_follow_the_own_and_all_other_answers(careful):
    annotator = np.repeat(np.arange(4), 10)
    careless = np.full(40, not careful)
    careless[:10] ^= True
    generator = np.random.default_rng(1)
    drawn = np.median([draw_log_odds(careless, annotator, generator) for _ in range(500)], axis=0)
    assert (drawn[0] > 1) == careful
    assert (drawn[1:] < -1).all() == careful
    assert np.isfinite(draw_log_odds(np.zeros(40, dtype=bool), annotator, generator)).all()


def test_new_annotators_are_as_often_careless_as_the_population(monkeypatch):
    monkeypatch.setattr(careless_answers, "draw_population", lambda *_: (1.0, 3.0))
    annotator = np.array([0, 0, 0, 2, 2, 2, 3, 3, 3])  # annotator 1 has no answers
    answers = Answers(np.array([]), np.array([]), np.array([]), np.array([]), np.arange(9), annotator)
    generator = np.random.default_rng(1)
    own, drawn = map(
        np.array, zip(*(new_answers(answers, np.zeros(9, dtype=bool), 4, generator) for _ in range(2_000)), strict=True)
    )
    assert set(np.unique(own)) == {0, 2, 3}
    assert (own[:, :3] == own[:, :1]).all()  # each new annotator is like one known annotator
    assert drawn.mean() == pytest.approx(1 / 4, abs=0.03)
    # The answers of one annotator are alike: their correlation is 1 / (α + β + 1)
    assert np.corrcoef(drawn.T)[0, 1] == pytest.approx(1 / 5, abs=0.07)
    assert np.corrcoef(drawn.T)[0, 3] == pytest.approx(0, abs=0.07)


def test_vote_frequencies_of_careless_answers():
    answers, _ = study([[[1, 1, 0], [0, 0, 0]]], 2)
    start, vote = np.array([1, 0, 0]), np.array([1, 1, 0, 0, 0, 0])
    found = vote_frequencies(answers, start, vote, np.array([True, False]), 2)
    weight = answers.weight
    usual = np.array([2 * weight[2] + weight[1], weight[1]]) + 0.5
    usual /= usual.sum()
    expected = np.array([weight[2], weight[1]]) + 20 * usual
    assert found[0] == pytest.approx(expected / expected.sum())
    assert found.sum(axis=1) == pytest.approx(1)
