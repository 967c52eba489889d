"""Tests that merge two alignment directions: against the published pseudocode, and by the command with A3 files."""

import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from accord_core.pairs.numerics.symmetrize import METHODS, symmetrize
from annotate.commands.main import main

# The words of each sentence, with at most one link for each word of the generated sentence.
WORDS = 6
directions = st.lists(st.none() | st.integers(0, WORDS - 1), min_size=WORDS, max_size=WORDS)
FORWARD = """\
# Sentence pair (1) source length 3 target length 4 alignment score : 0.1
the rather old dog
NULL ({ 2 }) the ({ 1 }) aged ({ 3 }) dog ({ 4 })
# Sentence pair (2) source length 2 target length 1 alignment score : 0.1
hush
NULL ({ }) be ({ }) quiet ({ 1 })
"""
BACKWARD = """\
# Sentence pair (1) source length 4 target length 3 alignment score : 0.1
the aged dog
NULL ({ }) the ({ 1 }) rather ({ 2 }) old ({ }) dog ({ 3 })
# Sentence pair (2) source length 1 target length 2 alignment score : 0.1
be quiet
NULL ({ }) hush ({ 1 2 })
"""


def published(forward, backward, method):
    """Return the links by the pseudocode of Moses' documentation, with a live scan of the whole matrix (target e,
    source f). This is slow and independent of the product's sorted list.
    """
    union, merged = forward | backward, forward & backward

    def e_aligned(e):
        return any((f, e) in merged for f in range(WORDS))

    def f_aligned(f):
        return any((f, e) in merged for e in range(WORDS))

    around = [(-1, 0), (0, -1), (1, 0), (0, 1)]
    if method != "grow":
        around += [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    added = True
    while added:
        added = False
        for e in range(WORDS):
            for f in range(WORDS):
                if (f, e) in merged:
                    for step in around:
                        e_new, f_new = e + step[0], f + step[1]
                        if (f_new, e_new) in union and (not e_aligned(e_new) or not f_aligned(f_new)):
                            merged.add((f_new, e_new))
                            added = True
    if "final" in method:
        for direction in (forward, backward):
            for e in range(WORDS):
                for f in range(WORDS):
                    free = [not e_aligned(e), not f_aligned(f)]
                    if (f, e) in direction and (all(free) if method.endswith("and") else any(free)):
                        merged.add((f, e))
    return merged


@given(directions, directions)
def test_every_method_follows_the_published_algorithm(by_target, by_source):
    forward = {(source, target) for target, source in enumerate(by_target) if source is not None}
    backward = {(source, target) for source, target in enumerate(by_source) if target is not None}
    results = {method: symmetrize(forward, backward, method) for method in METHODS}
    assert results.pop("intersect") == forward & backward
    assert results.pop("union") == forward | backward
    for method, links in results.items():
        assert links == published(forward, backward, method), method
        assert forward & backward <= links <= forward | backward


def test_the_order_of_the_directions_matters_only_for_the_remaining_links():
    """The links 1-3 and 3-3 are apart from the intersection 0-0. The first direction takes target word 3."""
    forward, backward = {(0, 0), (1, 3)}, {(0, 0), (3, 3)}
    assert symmetrize(forward, backward, "grow-diag-final-and") == {(0, 0), (1, 3)}
    assert symmetrize(backward, forward, "grow-diag-final-and") == {(0, 0), (3, 3)}
    assert symmetrize(forward, backward, "grow-diag-final") == {(0, 0), (1, 3), (3, 3)}
    assert symmetrize(forward, backward, "grow-diag") == {(0, 0)}


@pytest.fixture
def align(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*arguments, **files):
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        return CliRunner().invoke(main, ["align", *arguments])

    return run


def test_a3_files_of_both_directions(align):
    done = align("symmetrize", "f", "b", f=FORWARD, b=BACKWARD)
    assert (done.exit_code, done.stdout) == (0, "0-0 2-3\n1-0\n")
    assert "1 link to NULL excluded" in done.stderr
    assert align("symmetrize", "f", "b", "--method", "union").stdout == "0-0 1-1 1-2 2-3\n0-0 1-0\n"
    assert align("symmetrize", "f", "b", "--method", "grow-diag").stdout == "0-0 1-1 1-2 2-3\n0-0 1-0\n"
    done = align("symmetrize", "f", "b", "--to", "jacana", "-o", "out.json")
    assert done.exit_code == 0
    with open("out.json") as file:
        first, _ = json.load(file)
    assert (first["source"], first["target"], first["sureAlign"]) == ("the aged dog", "the rather old dog", "0-0 2-3")


def test_link_files_of_both_directions(align):
    files = {"f": "0-0 1-2\n\n", "b": "0-0 2-1\n\n"}
    assert align("symmetrize", "f", "b", **files).stdout == "0-0\n\n"
    assert align("symmetrize", "f", "b", "--transpose").stdout == "0-0 1-2\n\n"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"f": FORWARD, "b": FORWARD}, "b, line 1, column source: pair 1 has a different sentence in f"),
        ({"f": "0-0\n", "b": "0-0\n0-0\n"}, "the file has 2 pairs, but f has 1"),
        (
            {"f": FORWARD, "b": "0-0 3-2\n0-0\n"},
            "b, line 1: link 3-2, counted from 0, is outside the sentences of 3 tokens and 4 tok",
        ),
    ],
)
def test_files_that_do_not_belong_together(align, files, message):
    done = align("symmetrize", "f", "b", **files)
    assert done.exit_code != 0
    assert message in done.stderr
    assert len([line for line in done.stderr.splitlines() if "note:" not in line]) == 1


def test_sentences_are_needed_for_formats_that_contain_them(align):
    done = align("symmetrize", "f", "b", "--to", "jacana", f="0-0\n", b="0-0\n")
    assert done.exit_code == 2
    assert "Use --sentences" in done.stderr
