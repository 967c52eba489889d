"""Tests of the built-in aligner: its links in simple cases, and its probabilities compared with brute force."""

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from accord_core.pairs.numerics import hidden_markov as module
from accord_core.pairs.numerics.links import Alignment, Link
from accord_core.pairs.numerics.prealign import LINKED, align, likeliest, prealign
from accord_core.pairs.numerics.similarity import LETTERS, similarity
from tests.word_study import rows

Pair = tuple[list[str], list[str]]


def pair(source: str, target: str) -> Pair:
    return source.split(), target.split()


def linked(source: str, target: str, *others: Pair) -> set[tuple[str, str]]:
    """Return the linked words of a pair if the aligner is also trained on the other pairs."""
    one = pair(source, target)
    return {(one[0][i], one[1][j]) for i, j in prealign([one, *others])[0]}


def links_of(row: dict[str, str]) -> tuple[set[Link], set[Link]]:
    """Return the sure and the possible links of a row such as `0-0 1?2`."""
    sure, possible = set(), set()
    for text in row["alignment"].split():
        kind = "-" if "-" in text else "?"
        (sure if kind == "-" else possible).add(tuple(map(int, text.split(kind))))
    return sure, possible


ALIGNED = {row["id"]: row for row in rows("truth.csv")}
EXAMPLE = [row | ALIGNED[row["id"]] for row in rows("items.csv") if row["id"] in ALIGNED]
STUDY = [
    pair("the ferry left the island at dawn .", "at dawn the ferry departed from the island ."),
    pair("the last train left at noon , said the guard .", "the guard said the last train departed at noon ."),
    pair("our guests left after supper .", "after supper our guests departed ."),
    pair("Nobody saw the two boats .", "the boats were seen by nobody ."),
    pair("rain", "It rained all night"),
]


# What is linked


@pytest.mark.parametrize(
    "sentence",
    [
        "Rain",
        "the cook told the baker that the bread , the butter and the jam were on the table .",
        "to be , or not to be : that is the question .",
        "وصل القطار إلى المدينة في المساء .",
        "小 狗 在 花园 里 追 小 猫 。",
    ],
)
def test_identical_sentences_are_linked_along_the_diagonal(sentence: str) -> None:
    words = sentence.split()
    diagonal = {(place, place) for place in range(len(words))}
    assert prealign([(words, words)]) == [diagonal]
    assert prealign([(words, words), *STUDY])[0] == diagonal


def test_a_repeated_word_is_linked_by_its_place() -> None:
    found = prealign([pair("before the storm he shut the door", "he shut the door before the storm")])[0]
    assert found == {(0, 4), (1, 5), (2, 6), (3, 0), (4, 1), (5, 2), (6, 3)}


def test_a_word_repeated_on_one_side_is_linked_once() -> None:
    found = prealign([pair("the man with the hat and the stick", "the man with the stick")])[0]
    assert found >= {(0, 0), (1, 1), (2, 2), (7, 4)}
    assert found - {(0, 0), (1, 1), (2, 2), (7, 4)} in ({(3, 3)}, {(6, 3)})
    assert len(prealign([pair("no no no", "no")])[0]) <= 1


def test_case_does_not_count_and_inflection_hardly() -> None:
    assert linked("Farmers complained loudly", "loudly complaining FARMERS") == {
        ("Farmers", "FARMERS"),
        ("complained", "complaining"),
        ("loudly", "loudly"),
    }


@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.floats(0, 1)))
def test_each_word_keeps_its_three_most_probable_matches(probability: np.ndarray) -> None:
    found = likeliest(probability)
    rounded = probability.round(5)
    for axis, size in enumerate(rounded.shape):
        for word in range(size):
            own = np.take(rounded, word, axis=axis)
            kept = sorted((chance for link, chance in found.items() if link[axis] == word), reverse=True)
            best = sorted((chance for chance in own.tolist() if chance > 0), reverse=True)[:3]
            assert kept[: len(best)] == best
    assert all(rounded[link] == chance > 0 for link, chance in found.items())


def test_the_links_are_among_the_most_probable() -> None:
    aligned = align(STUDY)
    for links, likely in zip(aligned.links, aligned.likely, strict=True):
        assert {link for link, chance in likely.items() if chance > LINKED} >= links


def test_a_paraphrase_is_learnt_from_the_other_pairs() -> None:
    source, target = "yesterday left quietly", "today gone departed"
    assert ("left", "departed") not in linked(source, target)
    assert ("left", "departed") in linked(source, target, *STUDY)


def test_words_with_nothing_in_common_are_left_alone() -> None:
    assert ("umbrella", "seven") not in linked("an umbrella stood there", "there stood seven", *STUDY)


# What comes in


def test_sentences_of_any_length() -> None:
    long = [first + second for first in "abcdefghij" for second in "klmnopqrst"]
    diagonal = {(place, place) for place in range(100)}
    assert prealign([(["a"], ["A"]), (long, long), (["a"], long), (["b"] * 100, ["c"] * 100)])[:2] == [
        {(0, 0)},
        diagonal,
    ]


def test_an_empty_sentence_has_no_links_and_changes_no_others() -> None:
    assert prealign([]) == []
    assert prealign([([], ["a"]), ([], [])]) == [frozenset(), frozenset()]
    found = prealign([STUDY[0], (["ferry"] * 1_000, []), STUDY[1]])
    assert found == [prealign(STUDY[:2])[0], frozenset(), prealign(STUDY[:2])[1]]
    assert module.prepare([STUDY[0], (["ferry"], [])])[0][0].new == pytest.approx(module.prepare(STUDY[:1])[0][0].new)


def test_progress_rises_to_one() -> None:
    none: dict[int, Alignment] = {}
    cases: list[tuple[list[Pair], dict[int, Alignment]]] = [
        (STUDY, none),
        (STUDY, {0: Alignment.of([(0, 2)])}),
        ([], none),
        ([([], ["a"])], none),
    ]
    for pairs, finished in cases:
        shares: list[float] = []
        prealign(pairs, finished=finished, progress=shares.append)
        assert shares == sorted(shares)
        assert shares[-1] == 1


# What annotators have aligned


def test_a_link_of_annotators_is_learnt_for_other_pairs() -> None:
    done = pair("the spokesperson gestured vaguely", "the minister nodded vaguely")
    other = pair("later the spokesperson spoke", "later the minister spoke")
    unknown = pair("spokesperson", "minister")
    pairs = [done, other, *STUDY]
    taught = {0: Alignment.of([(0, 0), (1, 1), (3, 3)])}
    assert (2, 2) in prealign(pairs, finished=taught)[1]
    assert (0, 0) in prealign([*pairs, unknown], finished=taught)[-1]
    assert (0, 0) not in prealign([unknown])[0]


def test_a_pair_that_annotators_left_without_links_teaches_too() -> None:
    assert len(prealign(STUDY, finished={3: Alignment()})) == len(STUDY)
    assert prealign(STUDY, finished={}) == prealign(STUDY)


@pytest.mark.nightly
def test_learning_never_raises_the_probability_of_unlikely_links() -> None:
    """A network that learned only from likely cells linked 250 words in each of these sentence pairs."""
    finished = {
        place: Alignment.of(sure, possible) for place, (sure, possible) in enumerate(map(links_of, EXAMPLE[:-14]))
    }
    pairs = [(row["source"].split(), row["target"].split()) for row in EXAMPLE]
    suggested = prealign(pairs, finished=finished)[-14:]
    known = [sure | possible for sure, possible in map(links_of, EXAMPLE[-14:])]
    wrong = sum(len(links - true) for links, true in zip(suggested, known, strict=True))
    assert wrong < 0.2 * sum(map(len, known))


def test_known_links_replace_the_expected_counts() -> None:
    """The count of a known link is divided by the numbers of links of both words."""
    study = [pair("a b", "c d")]
    batches, _ = module.prepare(study)
    for batch in batches:
        made = np.full((len(batch.rows), 2, 2), 0.25)
        counted = module._with_known(made, batch, {0: [(0, 0), (1, 0), (1, 1)]})
        for row, number in enumerate(batch.rows):
            # The word c is linked to a and b, and b is linked to c and d.
            by_source = np.array([[1 / 2, 0], [1 / 4, 1 / 2]]) * module.KNOWN
            assert (counted[row] == (by_source if number % 2 else by_source.T)).all()
        assert module._with_known(made, batch, {7: [(0, 0)]}) is made


def test_learning_depends_neither_on_order_nor_on_sides() -> None:
    taught = {0: Alignment.of([(0, 5), (1, 6)], [(2, 3)]), 1: Alignment.of([(0, 5)]), 4: Alignment.of([(0, 1)])}
    found = prealign(STUDY, finished=taught)
    order = [3, 0, 4, 2, 1]
    again = prealign(
        [STUDY[place][::-1] for place in order],
        finished={
            order.index(place): Alignment(frozenset(mirrored(one.sure)), frozenset(mirrored(one.possible)))
            for place, one in taught.items()
        },
    )
    assert [mirrored(links) for links in again] == [found[place] for place in order]


# What it promises

words = st.lists(st.sampled_from(["the", "then", "cat", "cats", "Cat", "sat", "ran", ",", "ß", "猫", "𝄞"]), max_size=7)
studies = st.lists(st.tuples(words, words), min_size=1, max_size=6)


@given(studies, st.randoms(use_true_random=False))
def test_neither_the_order_of_pairs_nor_the_side_of_a_sentence_matters(
    study: list[Pair], shuffler: random.Random
) -> None:
    found = prealign(study)
    order = list(range(len(study)))
    shuffler.shuffle(order)
    swapped = [shuffler.random() < 0.5 for _ in order]
    again = prealign([study[place][::-1] if swap else study[place] for place, swap in zip(order, swapped, strict=True)])
    for place, swap, links in zip(order, swapped, again, strict=True):
        assert links == (mirrored(found[place]) if swap else found[place])


def test_sums_are_rounded_alike_in_whatever_order_pairs_come() -> None:
    pairs: list[Pair] = [pair("a b c", "c b a"), pair("d e f", "f a d"), pair("b e a", "a c d")]
    (batch,), _ = module.prepare(pairs)
    (again,), _ = module.prepare([pairs[2], pairs[0][::-1], pairs[1]])
    assert (batch.entry == again.entry).all()
    assert batch.rows != again.rows


def mirrored(links: frozenset[Link]) -> set[Link]:
    return {(j, i) for i, j in links}


def test_the_size_of_batches_matters_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found = prealign(STUDY * 3)
    monkeypatch.setattr(module, "BATCH_CELLS", 1)
    assert prealign(STUDY * 3) == found


# The model


def test_probabilities_are_those_of_all_paths() -> None:
    """The probabilities equal the sums over all ways in which one sentence can generate the other."""
    study = [pair("a b a", "b b c"), pair("c b a", "a b"), pair("a c", "a b c d")]
    batches, lexicon = module.prepare(study)
    likely = lexicon.likely(np.zeros(len(lexicon.prior)))
    for batch in batches:
        found, likelihood = module.expect(batch, likely)
        total = 0.0
        for row, number in enumerate(batch.rows):
            made = len(study[number // 2][1 - number % 2])
            expected, weight = all_paths(likely[batch.entry[row, :made]], batch.new[row, :made])
            assert found[row, :made] == pytest.approx(expected)
            assert not found[row, made:].any()
            total += math.log(weight)
        assert likelihood == pytest.approx(total)


def all_paths(likely: np.ndarray, new: np.ndarray) -> tuple[np.ndarray, float]:
    """Return every combination of the generating words, with −1 for a new word, and the position from which the next
    jump starts.
    """
    made, makers = likely.shape
    first, jumps = module.jumps(makers)
    linked, total = np.zeros((made, makers)), 0.0
    for start in range(makers):
        for path in itertools.product(range(-1, makers), repeat=made):
            if path[0] not in (-1, start):
                continue
            weight, place = first[start], start
            for word, maker in enumerate(path):
                if maker == -1:
                    weight *= new[word]
                else:
                    weight *= (1 - module.NEW) * likely[word, maker] * (jumps[place, maker] if word else 1)
                    place = maker
            total += weight
            for word, maker in enumerate(path):
                if maker != -1:
                    linked[word, maker] += weight
    return linked / total, total


def test_what_a_word_makes_sums_to_one() -> None:
    _, lexicon = module.prepare(STUDY)
    likely = lexicon.likely(np.linspace(0, 3, len(lexicon.prior)))
    made = np.bincount(lexicon.maker, likely, len(lexicon.unseen))
    # The missing share belongs to the word itself, which occurs in no other sentence: its prior over all words that it
    # could generate.
    assert made[lexicon.unseen == 0] == pytest.approx(1.0)
    assert (made[lexicon.unseen > 0] < 1).all()
    assert sorted(set(lexicon.unseen)) == [0, module.ITSELF]
    for makers in (1, 2, 30):
        first, jumps = module.jumps(makers)
        assert jumps.sum(axis=1) == pytest.approx(1.0)
        assert first.sum() == pytest.approx(1.0)
        assert first.argmax() == 0
        assert (jumps.argmax(axis=1)[:-1] == np.arange(1, makers)).all()


@given(studies.filter(lambda study: any(source and target for source, target in study)))
@example(STUDY)
@example([(["cat"], ["sat"]), (["ran", "the"], [])])
def test_no_round_makes_the_pairs_with_their_prior_less_likely(study: list[Pair]) -> None:
    batches, lexicon = module.prepare(study)
    counts = np.zeros(len(lexicon.prior))
    reached = -math.inf
    for _ in range(8):
        likely = lexicon.likely(counts)
        weight = counts + lexicon.prior
        itself = (
            module.ITSELF
            / (np.bincount(lexicon.maker, weight, len(lexicon.unseen)) + lexicon.unseen)[lexicon.unseen > 0]
        )
        now = lexicon.prior[1:] @ np.log(likely[1:]) + module.ITSELF * np.log(itself).sum()
        counts = np.zeros(len(counts))
        for batch in batches:
            linked, likelihood = module.expect(batch, likely)
            counts += np.bincount(batch.entry.ravel(), linked.ravel(), len(counts))
            now += likelihood
        assert now >= reached - 1e-9 * abs(now)
        reached = now


# Similarity of words


@pytest.mark.nightly
@given(st.text(min_size=1, max_size=30), st.text(min_size=1, max_size=30))
@example("walks", "walked")
@example("unhappy", "happy")
@example("a" * LETTERS + "b", "a" * LETTERS + "c")
@example("ana", "an")
@example("\0", "\0\0")
def test_similarity_is_the_longer_of_the_common_ends(left: str, right: str) -> None:
    heads = alike_from_the_first(left[:LETTERS], right[:LETTERS])
    tails = alike_from_the_first(left[::-1][:LETTERS], right[::-1][:LETTERS])
    longer = min(max(len(left), len(right)), LETTERS)
    found = similarity([left, right], np.array([0, 1, 0]), np.array([1, 0, 0]))
    assert found == pytest.approx([max(heads, tails) / longer] * 2 + [1.0])


def alike_from_the_first(left: str, right: str) -> int:
    return sum(1 for _ in itertools.takewhile(lambda letters: letters[0] == letters[1], zip(left, right, strict=False)))
