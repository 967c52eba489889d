"""The expected number of wrong links in a final alignment."""

import numpy as np
import pytest

from accord_core.pairs.numerics.links import Alignment
from accord_core.words.numerics.cells import AnnotatedPair
from accord_core.words.numerics.modelled import modelled
from alignment_ui.words.columns import Collected, GoldPair, Judgement, Pair

TOKENS = ["a", "b", "c", "d"]


def pairs_of(number: int) -> list[AnnotatedPair]:
    """Return pairs in which annotator 2 draws a wrong link and omits a true one in each third pair."""
    true = Alignment.of({(0, 0), (1, 1), (2, 2)})
    wrong = Alignment.of({(0, 0), (1, 1), (2, 3)})
    return [AnnotatedPair(TOKENS, TOKENS, {0: true, 1: true, 2: wrong if n % 3 == 0 else true}) for n in range(number)]


def test_it_is_the_mean_number_of_differences_from_drawn_alignments():
    """Draw true states from the posteriors, and count the drawn cells whose final state differs."""
    pairs = pairs_of(9)
    model = modelled(pairs, 3)
    final = {0: Alignment.of({(0, 0), (1, 1)}, {(2, 3)}), 1: Alignment.of({(0, 0), (1, 1), (2, 2)})}
    generator, draws = np.random.default_rng(1), 40_000
    expected = {}
    for place, alignment in final.items():
        wrong = np.zeros(draws)
        for link, (possible, sure) in model.probabilities()[place].items():
            state = 2 if link in alignment.sure else 1 if link in alignment.links else 0
            chance = generator.random(draws)
            wrong += np.where(chance < sure, 2, np.where(chance < sure + possible, 1, 0)) != state
        expected[place] = wrong.mean()
    assert model.wrong_links(final) == pytest.approx(expected, abs=0.02)


def test_a_disputed_pair_has_more_wrong_links_than_an_agreed_one():
    pairs = pairs_of(30)
    wrong = modelled(pairs, 3).wrong_links(dict(enumerate(pair.answers[0] for pair in pairs)))
    assert min(wrong[place] for place in range(0, 30, 3)) > max(wrong[place] for place in range(1, 30, 3))
    swapped = modelled(pairs, 3).wrong_links({0: pairs[0].answers[2]})
    assert swapped[0] > 1.5
    assert wrong[0] < 0.5


def test_gold_decides_who_is_right():
    """Two annotators disagree on one link. The gold answers show whose links are missing or wrong."""
    less, more = Alignment.of({(0, 0), (1, 1)}), Alignment.of({(0, 0), (1, 1), (2, 2)})
    pairs = [Pair(f"p{n}", "", TOKENS, TOKENS, None, None, None) for n in range(12)]
    judgements = [Judgement(n, who, each, None, 0) for n in range(12) for who, each in enumerate((less, more))]
    wrong = []
    for expected in (less, more):
        gold = [GoldPair(TOKENS, TOKENS, expected, {0: less, 1: more}, {}) for _ in range(12)]
        inputs = Collected(pairs, ["a", "b"], judgements, [], gold, ignore_identical=False, order=range(12))
        wrong.append(inputs.modelled_with_gold().wrong_links(dict.fromkeys(range(12), less))[0])
    without_gold = inputs.modelled.wrong_links(dict.fromkeys(range(12), less))[0]
    assert wrong[0] < without_gold < wrong[1]
