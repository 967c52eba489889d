"""Tests of `accord align doubles`, which prepares a study's annotations for `accord align agreement`."""

import json

import pytest
from click.testing import CliRunner

from annotate.commands.main import main

SENTENCES = "id\tsource\ttarget\np1\ta b\tc d\nnews:2\te\tf g\np3\th\ti\n"


def annotation(pair, annotator, sure, possible=(), prealignment=None):
    links = {"sure": sure, "possible": list(possible), "prealignment": prealignment}
    return json.dumps({"pair": pair, "annotator": annotator, **links, "seconds": 1.0, "log": []})


START = {"sure": [[0, 0]], "possible": []}
LINES = [
    annotation("p1", "cleo", [[1, 1]], prealignment=START),
    annotation("p1", "anna", [[0, 0]], [[1, 1]], prealignment=START),
    annotation("p1", "ben", [[0, 1]], prealignment=START),
    annotation("news:2", "ben", [[0, 0]]),
    annotation("news:2", "cleo", []),
    annotation("p3", "anna", [[0, 0]], prealignment=START),
]


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.tsv").write_text(SENTENCES)

    def run(lines, *options):
        (tmp_path / "annotations").write_text("\n".join(lines) + "\n")
        arguments = ["align", "doubles", "annotations", "a", "b", "--sentences", "pairs.tsv", *options]
        return CliRunner().invoke(main, arguments)

    return run


def links(path):
    return [(pair["id"], pair["sureAlign"], pair["possibleAlign"]) for pair in json.loads(path.read_text())]


def test_the_first_two_annotators_of_each_pair_by_name(run, tmp_path):
    done = run(LINES)
    assert done.exit_code == 0
    assert done.stderr.endswith("pairs with two annotations: 2. Annotations after the second were excluded: 1\n")
    assert links(tmp_path / "a") == [("p1", "0-0", "1-1"), ("news:2", "0-0", "")]
    assert links(tmp_path / "b") == [("p1", "0-1", ""), ("news:2", "", "")]


def test_initial_links_for_agreement_beyond_chance(run, tmp_path):
    assert run(LINES, "--prealignment", "begun").exit_code == 0
    assert links(tmp_path / "begun") == [("p1", "0-0", "")]
    arguments = [
        "a",
        "b",
        "--sentences",
        "a",
        "--prealignment",
        "begun",
        "--samples",
        "5",
        "--resamples",
        "5",
        "--json",
    ]
    done = CliRunner().invoke(main, ["align", "agreement", *arguments])
    figures = json.loads(done.stdout)["words"]
    assert (figures["pairs"], figures["without_prealignment"]) == (1, 0)


@pytest.mark.parametrize(
    ("lines", "options", "message"),
    [
        (["{}"], [], "line 1: the line must be an annotation as in annotations.jsonl"),
        (["[1"], [], "line 1: the line must be an annotation as in annotations.jsonl"),
        (["[" * 20_000], [], "line 1: the line must be an annotation as in annotations.jsonl"),
        (
            [annotation("p1", "anna", [[0, float("inf")]])],
            [],
            "line 1: the line must be an annotation as in annotations.jsonl",
        ),
        ([annotation("p9", "anna", [])], [], "line 1, column pair: the file of sentences has no pair p9"),
        ([annotation("p1", "anna", [[0, 2]])], [], "column sure: link 0-2: the target sentence has no token 2"),
        ([LINES[1]] * 2, [], "line 2, column annotator: anna has already annotated pair p1"),
        (LINES[:1], [], "annotations: the file has no pair with two annotations"),
        (LINES, ["--prealignment", "a"], "Specify two different output files"),
    ],
)
def test_files_that_are_no_annotations(run, lines, options, message):
    done = run(lines, *options)
    assert done.exit_code != 0
    assert message in done.stderr
