"""Tests of `accord align score-phrases`: by hand, by brute force, and against the scores of links."""

import json
from itertools import product

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from accord_core.pairs.numerics.links import Alignment
from accord_core.words.numerics.phrase_lists import ListedPhrase, list_counts, predictions
from accord_core.words.numerics.phrases import atomic_phrase_pairs, phrase_pairs
from accord_core.words.numerics.system_scores import GoldPair
from annotate.commands.main import main

words = st.lists(st.sampled_from("abA"), min_size=1, max_size=5)
phrase = st.lists(st.sampled_from("abc"), min_size=1, max_size=2).map(tuple)
links = st.frozensets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=6)

GOLD = [
    {"id": "n:1", "source": "the old dog slept .", "target": "the dog was asleep .", "sureAlign": "0-0 2-1 4-4",
     "possibleAlign": "3-2 3-3"},
    {"id": "n:2", "source": "she left early", "target": "she went away early", "sureAlign": "0-0 1-1 1-2 2-3",
     "possibleAlign": ""},
]  # fmt: skip


@pytest.fixture
def align(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.json").write_text(json.dumps(GOLD))

    def run(*arguments, **files):
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        return CliRunner().invoke(main, ["align", *arguments])

    return run


def figures(done):
    assert (done.exit_code, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_figures_by_hand(align):
    """In the sentences are left/went away (right), early/went (wrong) and, with exchanged sides, slept/was asleep
    (right for possible links only). The sure gold has one pair of different phrases, and all links have two.
    """
    text = "left\twent away\nearly\twent\nwas asleep\tslept\nnever\tat no time\n"
    found = figures(align("score-phrases", "gold.json", "list", "--ignore-identical", "--json", list=text))
    assert (found["listed"], found["occurring"]) == (4, 3)
    value = {kind: {name: each["value"] for name, each in found[kind].items()} for kind in ("sure", "possible")}
    assert value["sure"] == pytest.approx({"precision": 1 / 3, "recall": 1.0, "f1": 1 / 2})
    assert value["possible"] == pytest.approx({"precision": 2 / 3, "recall": 1.0, "f1": 4 / 5})
    directed = figures(align("score-phrases", "gold.json", "list", "--ignore-identical", "--json", "--directed"))
    assert directed["occurring"] == 2
    assert directed["possible"]["recall"]["value"] == 1 / 2


def test_a_list_of_placed_phrase_pairs_scores_as_the_links_do(align):
    """`accord align phrases` writes all phrase pairs of a system, so both commands must print the same figures."""
    system = "0-0 2-1 3?3 4-4\n0-0 1-1 2-3\n"
    listed = align("phrases", "links", "--sentences", "gold.json", links=system).stdout
    for option in ([], ["--ignore-identical"]):
        ours = figures(align("score-phrases", "gold.json", "list", "--json", *option, list=listed))
        links = figures(align("score", "gold.json", "links", "--phrases", "--json", *option))
        for kind, name in product(("sure", "possible"), ("precision", "recall", "f1")):
            figure = ours[kind][name]
            assert figure["value"] == links["phrases"][kind][name]
            assert [figure["low"], figure["high"]] == links["intervals"]["phrases"][kind][name]


def test_two_systems_are_compared(align):
    found = figures(
        align(
            "score-phrases",
            "gold.json",
            "one",
            "two",
            "--json",
            one="left\twent away\n",
            two="left\twent\n",
        )
    )
    (difference,) = found["differences"]
    assert difference["sure"]["precision"]["value"] == 1.0
    assert 0 < difference["sure"]["precision"]["p"] <= 1
    text = align("score-phrases", "gold.json", "one", "two").stdout
    assert "one minus two" in text
    assert "Phrase pairs in the list one: 1. Phrase pairs in the sentence pairs: 1." in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("alone\n", "list, line 1: the line needs two phrases, separated by a tab"),
        ("a\t \n", "list, line 1, column target: the phrase is empty"),
        ("source\ttarget\n", "list: the file has no phrase pairs"),
        ("pair\tsource\ttarget\nn:9\ta\tb\n", "list, line 2, column pair: the gold file has no pair n:9"),
        ("source\ttarget\tlinks\na\tb\tsome\n", "column links: the value must be sure, possible or empty, not some"),
        (
            "pair\tsource_span\tsource\ttarget_span\ttarget\nn:2\t1:2\tleft\t1:9\twent away\n",
            "line 2, column target_span: the span must be two token numbers such as 2:4, within the 4 tokens",
        ),
        (
            "pair\tsource_span\tsource\ttarget_span\ttarget\nn:2\t0:1\tleft\t1:3\twent away\n",
            "line 2, column source_span: the tokens 0:1 of the sentence are she, but the phrase is left",
        ),
    ],
)
def test_errors_in_a_list(align, text, message):
    done = align("score-phrases", "gold.json", "list", list=text)
    assert done.exit_code != 0
    assert message in done.stderr


def test_the_sentences_must_be_known(align):
    done = align("score-phrases", "links", "list", links="0-0\n", list="a\tb\n")
    assert done.exit_code == 2
    assert "Use --sentences" in done.stderr


@given(words, words, links, st.lists(st.tuples(phrase, phrase), min_size=1, max_size=5), st.booleans())
def test_counts_equal_those_of_brute_force(source, target, linked, listed, directed):
    gold = Alignment(frozenset((i, j) for i, j in linked if i < len(source) and j < len(target)))
    spans = set()
    for i, i_end, j, j_end in product(range(len(source)), range(1, 6), range(len(target)), range(1, 6)):
        if i < i_end <= len(source) and j < j_end <= len(target):
            one, other = (tuple(word.casefold() for word in part) for part in (source[i:i_end], target[j:j_end]))
            if (one, other) in listed or (not directed and (other, one) in listed):
                spans.add((one, other, (i, i_end, j, j_end)))
    types = {(one, other) for one, other, _ in spans}
    sizes = len(source), len(target)
    every, atoms = phrase_pairs(gold.links, *sizes), atomic_phrase_pairs(gold.links, *sizes)
    expected = [
        sum(any(span in every for *key, span in spans if tuple(key) == each) for each in types),
        len(types),
        sum(span in atoms for *_, span in spans),
        len(atoms),
    ]
    found = predictions([ListedPhrase(*each) for each in listed], [(source, target)], directed=directed)
    counts = list_counts([GoldPair(source, target, gold)], found, ignore_identical=False)
    assert counts.tolist() == [expected * 2]
