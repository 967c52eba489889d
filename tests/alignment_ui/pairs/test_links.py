"""Tests of the scores of word links: the published example, nltk's error rate, and properties of any two alignments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord_core.pairs.numerics.links import (
    Alignment,
    edits,
    identical_links,
    link_f1,
    paper_scores,
    without,
    word_scores,
)

LINKS = st.frozensets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=12)
ALIGNMENTS = st.builds(lambda sure, possible: Alignment(sure, possible - sure), LINKS, LINKS)

# "they then discussed and decided ." and "The two discussed , before they decided ."
SOURCE = "they then discussed and decided the plan .".split()
TARGET = "The two discussed their project before they settled it .".split()


def test_a_link_has_one_kind():
    with pytest.raises(ValueError, match=r"link \(0, 1\) is both sure and possible"):
        Alignment.of({(0, 0), (0, 1)}, {(0, 1), (2, 2)})


def test_all_links_are_the_papers_p():
    alignment = Alignment.of({(0, 0)}, {(1, 1)})
    assert alignment.of_kind("sure") == {(0, 0)}
    assert alignment.of_kind("possible") == alignment.links == {(0, 0), (1, 1)}


def test_identical_words_are_equal_but_for_case():
    assert identical_links(SOURCE, TARGET) == {(0, 6), (2, 2), (5, 0), (7, 9)}
    assert identical_links(["a", "A"], ["A", "b", "a"]) == {(0, 0), (0, 2), (1, 0), (1, 2)}
    assert identical_links(["Straße"], ["STRASSE"]) == {(0, 0)}


def test_an_edit_is_a_cell_that_changes():
    assert edits(frozenset({(0, 0), (1, 1)}), frozenset({(1, 1), (1, 2), (2, 1)})) == 3


def test_the_papers_example():
    """Among the links between different words, A has four sure links and one possible link, and B has five sure links:
    P = 1, R = .8, F1 = .889.
    """
    different = {(1, 5), (3, 5), (4, 7), (5, 3)}
    same = {(2, 2), (7, 9)}
    a = without(Alignment.of(different | same, {(6, 8)}), identical_links(SOURCE, TARGET))
    b = without(Alignment.of(different | same | {(6, 4)}), identical_links(SOURCE, TARGET))
    assert (len(a.sure), len(b.sure)) == (4, 5)
    found = paper_scores([(b, a)])
    assert found["precision"] == 1
    assert found["recall"] == 0.8
    assert found["f1"] == pytest.approx(8 / 9)


def test_a_sure_link_that_the_other_finds_possible_is_right_in_the_crossed_figures_only():
    scores = word_scores([(Alignment.of(possible={(0, 0)}, sure={(1, 1)}), Alignment.of({(0, 0), (1, 1)}))])
    assert scores.crossed["precision"] == 1
    assert scores.sure["precision"] == 0.5
    assert scores.possible["precision"] == 1


def test_counts_are_summed_over_the_corpus_before_dividing():
    right = Alignment.of({(0, 0)})
    long = Alignment.of({(i, i) for i in range(9)}), Alignment.of({(i, i + 1) for i in range(9)})
    assert word_scores([(right, right), long]).sure["precision"] == 0.1


def test_the_dictionary_has_the_figures_that_the_command_prints():
    gold, system = Alignment.of({(0, 0), (1, 1)}, {(2, 2)}), Alignment.of({(0, 0)}, {(2, 1)})
    assert word_scores([(gold, system)]).as_dict() == {
        "sure": {"precision": 1.0, "recall": 0.5, "f1": pytest.approx(2 / 3)},
        "possible": {"precision": 0.5, "recall": pytest.approx(1 / 3), "f1": pytest.approx(0.4)},
        "och_ney": {"precision": 1.0, "recall": 0.5, "aer": 0.5},
    }


def test_what_divides_by_nothing_is_undefined_and_no_links_are_no_error():
    assert word_scores([]).as_dict() == word_scores([(Alignment(), Alignment())]).as_dict()
    nothing = word_scores([])
    assert nothing.as_dict()["och_ney"] == {"precision": None, "recall": None, "aer": 0.0}
    assert nothing.sure == {"precision": None, "recall": None, "f1": None}
    missed = word_scores([(Alignment.of({(0, 0)}), Alignment())])
    assert missed.sure == {"precision": None, "recall": 0.0, "f1": None}
    assert missed.aer == 1
    assert word_scores([(Alignment.of({(0, 0)}), Alignment.of({(0, 1)}))]).sure["f1"] == 0


@pytest.mark.nightly
@given(ALIGNMENTS, ALIGNMENTS)
def test_the_error_rate_is_nltks(gold, system):
    from nltk.translate.metrics import alignment_error_rate  # a slow import

    scores = word_scores([(gold, system)])
    if system.links or gold.sure:
        assert scores.aer == pytest.approx(alignment_error_rate(gold.sure, system.links, gold.links))


@given(ALIGNMENTS, ALIGNMENTS)
def test_turned_round_precision_is_recall(a, b):
    one, other = word_scores([(a, b)]), word_scores([(b, a)])
    for figures, turned in ((one.sure, other.sure), (one.possible, other.possible), (one.crossed, other.crossed)):
        assert (figures["precision"], figures["recall"]) == (turned["recall"], turned["precision"])
        assert all(value is None or 0 <= value <= 1 for value in figures.values())
    assert 0 <= one.aer <= 1


@given(ALIGNMENTS)
def test_an_alignment_meets_itself(alignment):
    scores = word_scores([(alignment, alignment)])
    assert scores.aer == 0
    assert scores.crossed["f1"] == (1 if alignment.sure else None)
    assert link_f1(alignment, alignment) == 1


def test_an_answer_is_graded_by_all_its_links():
    gold = Alignment.of({(0, 0), (1, 1)}, {(2, 2)})
    assert link_f1(gold, Alignment.of({(0, 0)}, {(1, 1)})) == 1, "kinds of an answer do not matter"
    assert link_f1(gold, Alignment.of({(0, 0), (2, 2)})) == pytest.approx(2 / 3), "a possible link may be given"
    assert link_f1(gold, Alignment.of({(0, 0)}, {(1, 0)})) == 0.5
    everything = Alignment.of(possible={(i, j) for i in range(6) for j in range(6)})
    assert link_f1(gold, everything) < 0.2, "calling everything possible is no way out"


def test_a_graded_answer_without_links():
    assert link_f1(Alignment(), Alignment()) == 1
    assert link_f1(Alignment.of({(0, 0)}), Alignment()) == 0
    assert link_f1(Alignment(), Alignment.of({(0, 0)})) == 0
    assert link_f1(Alignment.of(possible={(0, 0)}), Alignment()) == 1, "what is merely possible may be left out"
