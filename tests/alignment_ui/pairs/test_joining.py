"""Tests of `accord align join`, which joins the two files of a released corpus."""

import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from accord_core.pairs.formats.corpus import Corpus, SentencePair
from accord_core.pairs.formats.joining import joined
from accord_core.pairs.numerics.links import Alignment
from annotate.commands.main import main

links = st.frozensets(st.tuples(st.integers(0, 5), st.integers(0, 5)))


@given(st.lists(st.tuples(links, links), min_size=1, max_size=4))
def test_joining_restores_the_links_that_a_release_has_merged(kinds):
    pairs = [SentencePair(str(n), None, None, Alignment(sure, both - sure)) for n, (sure, both) in enumerate(kinds)]
    halves = [
        [pair._replace(alignment=Alignment(part(pair.alignment))) for pair in pairs] for part in (sure_of, all_of)
    ]
    first, second = (Corpus(name, "jacana", "own", half) for name, half in zip("ab", halves, strict=True))
    assert joined(first, second) == (pairs, [])


def sure_of(alignment):
    return alignment.sure


def all_of(alignment):
    return alignment.links


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [("n:1", "a b", "a b c"), ("n:2", "d", "e")]
    for name, alignments in {
        "sure.json": ["0-0", ""],
        "all.json": ["0-0 1-1 1-2", "0-0"],
        "other": ["1-1", ""],
    }.items():
        data = [
            {"id": key, "source": source, "target": target, "sureAlign": some, "possibleAlign": ""}
            for (key, source, target), some in zip(rows, alignments, strict=True)
        ]
        (tmp_path / name).write_text(json.dumps(data))
    return lambda *arguments: CliRunner().invoke(main, ["align", "join", *arguments])


def test_the_command_writes_sure_and_possible_links(run, tmp_path):
    assert run("sure.json", "all.json", "-o", "gold.json").exit_code == 0
    gold = json.loads((tmp_path / "gold.json").read_text())
    assert [(pair["sureAlign"], pair["possibleAlign"]) for pair in gold] == [("0-0", "1-1 1-2"), ("", "0-0")]
    assert run("sure.json", "all.json", "--to", "wpt").stdout == "1 1 1 S\n1 2 2 P\n1 2 3 P\n2 1 1 P\n"


def test_a_sure_link_that_is_missing_from_the_second_file_is_an_error(run):
    done = run("sure.json", "other")
    assert done.exit_code != 0
    assert "pair n:1 has no link 0-0, which is a sure link in sure.json" in done.stderr
