"""Tests of the network that suggests links: its features, its vectors and its training."""

import json
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.pairs.numerics import network_training, word_vectors
from accord_core.pairs.numerics.cells import Cells
from accord_core.pairs.numerics.hidden_markov import Posterior, train
from accord_core.pairs.numerics.link_network import Network, shipped
from accord_core.pairs.numerics.links import Alignment, word_scores
from accord_core.pairs.numerics.network_training import Examples, averaged, fitted, new_network, tuned
from accord_core.pairs.numerics.similarity import common_ends, similarity

words = st.lists(st.sampled_from(["the", "then", "cat", "12", ",", "ß", "猫", "𝄞"]), min_size=1, max_size=6)
studies = st.lists(st.tuples(words, words), min_size=1, max_size=4)


def features_of(pairs: list[tuple[list[str], list[str]]]) -> list[np.ndarray]:
    cells = Cells(pairs)
    return [cells.features(place, posterior) for place, posterior in train(pairs, lambda share: None)]


@given(studies)
def test_features_are_finite_and_mirrored_if_the_sides_are_swapped(pairs: list[tuple[list[str], list[str]]]) -> None:
    found = features_of(pairs)
    for (source, target), features in zip(pairs, found, strict=True):
        assert features.shape == (len(source), len(target), len(shipped().means))
        assert np.isfinite(features).all()
    for features, mirrored in zip(found, features_of([pair[::-1] for pair in pairs]), strict=True):
        assert features == pytest.approx(mirrored.swapaxes(0, 1), abs=1e-4)


def test_common_ends_are_those_of_the_similarity() -> None:
    names = ["walks", "walked", "unhappy", "happy", ""]
    left, right = np.array([0, 2, 4]), np.array([1, 3])
    heads, tails = common_ends(names, left, right)
    assert heads[0, 0] == pytest.approx(4 / 6)
    assert tails[1, 1] == pytest.approx(5 / 7)
    grid = [side.ravel() for side in np.meshgrid(left[:2], right, indexing="ij")]
    assert np.maximum(heads, tails)[:2].ravel() == pytest.approx(similarity(names, *grid))
    assert not heads[2].any()


def test_words_with_equal_company_have_equal_vectors() -> None:
    # 0 and 1 occur between 2 and 3; 4 occurs elsewhere.
    sentences = [np.array(sentence) for sentence in ([2, 0, 3], [2, 1, 3], [4, 3, 3], [4])]
    vectors = [word_vectors.neighbour_vectors(sentences, 5)]
    vectors += [word_vectors.company_vectors(sentences, 5, reach) for reach in (1, 2, 9)]
    for found in vectors:
        assert found[0] == pytest.approx(found[1], abs=1e-6)
        assert found[0] @ found[1] > found[0] @ found[4]
        assert (np.linalg.norm(found, axis=1) < 1).all()
    # No word of the same sentence is further away than two words.
    assert vectors[2] == pytest.approx(vectors[3])


def test_projection_keeps_the_similarities_of_few_columns() -> None:
    counts = np.random.default_rng(1).poisson(1.0, (7, 9)).astype(np.float32)
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    information = np.array(
        [
            [max(np.log(n / e), 0) if n else 0 for n, e in zip(*row, strict=True)]
            for row in zip(counts, expected, strict=True)
        ]
    )
    length = np.linalg.norm(information, axis=1) + word_vectors.RARE
    cosines = information @ information.T / np.outer(length, length)
    found = word_vectors._projected(counts)
    assert found @ found.T == pytest.approx(cosines, abs=1e-4)


# Training


@pytest.fixture(scope="module")
def examples() -> Examples:
    """Cells that are linked if the first feature is high, unless the second feature is high, too."""
    generator = np.random.default_rng(2)
    features = generator.normal(size=(400, 3)).astype(np.float32)
    target = np.where((features[:, 0] > 0.5) & (features[:, 1] < 0.5), 1.0, np.where(features[:, 2] > 1.8, 0.5, 0.0))
    return Examples(features, target, generator.uniform(0.5, 2, 400))


def rate(network: Network, examples: Examples) -> float:
    """Return the expected alignment error rate, from its definition."""
    linked = examples.weights * network.probability(examples.features)
    in_sure = linked @ (examples.target == 1)
    in_all = linked @ (examples.target > 0)
    return float(1 - (in_sure + in_all) / (linked.sum() + examples.weights @ (examples.target == 1)))


def test_training_learns_what_no_single_feature_shows(examples: Examples) -> None:
    first = fitted(new_network(examples.features, 6, seed=1), examples, penalty=1e-5)
    second = tuned(first, examples, penalty=1e-5)
    assert rate(second, examples) < rate(first, examples) < 0.3
    found = second.probability(examples.features) > 0.5
    assert (found == (examples.target == 1))[examples.target != 0.5].mean() > 0.97


def test_the_tuned_rate_of_certain_links_is_that_of_the_scorer() -> None:
    target = np.array([[1.0, 0.5, 0.0], [0.0, 1.0, 1.0]])
    features = np.array([[1.0, 1.0, 1.0], [-1.0, 1.0, -1.0]], dtype=np.float32)[..., None]
    network = Network(
        np.zeros(1), np.ones(1), np.zeros((1, 1)), np.zeros(1), np.zeros(1), np.full(1, 30.0), np.zeros(1)
    )
    gold = Alignment.of([(0, 0), (1, 1), (1, 2)], [(0, 1)])
    suggested = Alignment.of([(0, 0), (0, 1), (0, 2), (1, 1)])
    cells = Examples(features.reshape(-1, 1), target.ravel(), np.ones(6))
    assert rate(network, cells) == pytest.approx(word_scores([(gold, suggested)]).aer)


@pytest.mark.parametrize("step", [fitted, tuned])
def test_gradients_are_those_of_the_loss(
    step: Callable[[Network, Examples], Network], examples: Examples, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The gradient that the minimiser gets equals the differences of the loss near a random network."""
    network = new_network(examples.features, 2, seed=3)
    seen = {}

    def minimised(objective, start, **_options):
        generator = np.random.default_rng(4)
        place = start + generator.normal(0, 0.3, start.size)
        _, gradient = objective(place)
        direction = generator.normal(0, 1, start.size)
        nearby = [objective(place + side * 1e-2 * direction)[0] for side in (-1, 1)]
        seen["differences"] = (nearby[1] - nearby[0]) / 2e-2
        seen["gradient"] = gradient @ direction
        return type("Found", (), {"x": start})

    monkeypatch.setattr("scipy.optimize.minimize", minimised)
    step(network, examples)
    assert seen["gradient"] == pytest.approx(seen["differences"], rel=0.01)


def test_a_strong_penalty_keeps_the_network_near_another(examples: Examples) -> None:
    start = new_network(examples.features, 4, seed=1)
    towards = fitted(start, examples, rounds=20)
    near, far = (tuned(towards, examples, towards=towards, penalty=penalty) for penalty in (1e3, 1e-6))

    def distance(network: Network) -> float:
        return float(np.linalg.norm(network_training._flat(network)[:-1] - network_training._flat(towards)[:-1]))

    assert distance(near) < 1e-3 < distance(far)


def test_the_mean_of_networks_has_the_mean_log_odds(examples: Examples) -> None:
    networks = [new_network(examples.features, 3, seed) for seed in (1, 2, 3)]
    odds = [np.log(p / (1 - p)) for p in (network.probability(examples.features) for network in networks)]
    both = averaged(networks).probability(examples.features)
    assert np.log(both / (1 - both)) == pytest.approx(np.mean(odds, axis=0), abs=1e-4)


def test_weights_survive_their_file() -> None:
    text = shipped().as_json()
    again = Network.from_json(text)
    assert again.as_json() == text
    assert set(json.loads(text)) == set(Network._fields)
    assert len({len(shipped().means), len(shipped().deviations), len(shipped().inputs), len(shipped().direct)}) == 1


def test_the_surroundings_of_a_cell_are_those_that_a_search_finds() -> None:
    sides = 5, 6
    generator = np.random.default_rng(4)
    forward, backward, *lexicon = generator.random((4, *sides)) / 6
    found = Cells([(list("abcde"), list("abcdef"))]).features(0, Posterior(forward, backward, *lexicon))[..., -9:]
    both = np.sqrt(forward * backward)

    def at(row: int, column: int) -> float:
        return both[row, column] if 0 <= row < sides[0] and 0 <= column < sides[1] else 0.0

    for row, column in np.ndindex(sides):
        others = sorted([np.delete(both[:, column], row).max(), np.delete(both[row], column).max()])
        diagonal = sorted([at(row - 1, column - 1), at(row + 1, column + 1)])
        beside = sorted(
            [
                max(at(row + 1, column), at(row - 1, column)),
                max(at(row, column + 1), at(row, column - 1)),
            ]
        )
        near = both[max(row - 3, 0) : row + 4, max(column - 3, 0) : column + 4].sum() - both[row, column]
        expected = [
            *others,
            *diagonal,
            max(at(row + 2, column + 2), at(row - 2, column - 2)),
            max(at(row + 1, column - 1), at(row - 1, column + 1)),
            *beside,
            near,
        ]
        assert found[row, column] == pytest.approx(expected, rel=1e-5)
