"""Tests of `accord labels groups`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from annotate.commands.labels import group as labels_commands

QUESTIONS = range(12)
VOTES = {"a": "yynnyynnyynn", "b": "yynnyynnyyny", "c": "yynnyynnyynn", "d": "ynynynynynyn", "e": "yynnyynnyynn"}


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    labels, annotators = tmp_path / "labels.csv", tmp_path / "annotators.csv"
    rows = [f"q{at},{name},{votes[at]}" for name, votes in VOTES.items() for at in QUESTIONS]
    labels.write_text("\n".join(["item,annotator,label", *rows]), encoding="utf-8")
    annotators.write_text(
        "pseudonym,hits,group\na,1,learners\nb,1,learners\nc,1,learners\nd,1,teachers\ne,1,\n", encoding="utf-8"
    )
    return labels, annotators


def run(*arguments: object) -> Result:
    return CliRunner().invoke(labels_commands, ["groups", *map(str, arguments)])


def test_groups_come_from_the_file_of_annotators(files: tuple[Path, Path]) -> None:
    result = run(*files, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert {name: each["annotators"] for name, each in found["groups"].items()} == {"learners": 3, "teachers": 1}
    agreeing = (12 + 11 + 11) / 36  # the three pairs of learners
    assert found["groups"]["learners"]["raw_agreement"]["value"] == pytest.approx(agreeing)
    assert found["overall"]["raw_agreement"]["reason"] == "undefined in a group"
    assert "1 of 5 annotators have no group" in result.stderr


def test_weights_name_every_group(files: tuple[Path, Path]) -> None:
    labels, annotators = files
    annotators.write_text("annotator,group\na,A\nb,A\nc,B\nd,B\n", encoding="utf-8")
    figures = json.loads(run(*files, "--weight", "A=3", "--weight", "B=1", "--json").stdout)
    assert figures["overall"]["raw_agreement"]["value"] == pytest.approx(0.75 * 11 / 12 + 0.25 * 6 / 12)
    for wrong, message in {"A=3": "missing for these groups: B", "C=1": "Groups: A, B", "A=0": "positive"}.items():
        refused = run(labels, annotators, "--weight", wrong)
        assert (refused.exit_code, message in refused.output) == (2, True), refused.output


def test_only_whole_batches_count_if_the_file_names_batches(tmp_path: Path) -> None:
    labels, annotators = tmp_path / "labels.csv", tmp_path / "annotators.csv"
    people, questions = range(8), range(30)
    rows = [f"q{q},p{who},{'yn'[(q * (who + 3) // 4) % 2]}" for q in questions for who in people]
    labels.write_text("\n".join(["item,annotator,label", *rows]), encoding="utf-8")
    batches = ["1"] * 5 + [""] * 3
    annotators.write_text(
        "pseudonym,group,batch\n" + "".join(f"p{who},A,{batches[who]}\n" for who in people), encoding="utf-8"
    )
    result = run(labels, annotators, "--json")
    assert result.exit_code == 0, result.output
    (group,) = json.loads(result.stdout)["groups"].values()
    assert group["annotators"] == 5
    assert "cohen_kappa_mean" not in group
    assert group["raw_agreement"]["value"] == round(group["raw_agreement"]["value"], 2)
    assert "3 of 8 annotators have no batch" in result.stderr
    alone = tmp_path / "alone.csv"
    alone.write_text("annotator,group\n" + "".join(f"p{who},A\n" for who in range(5)), encoding="utf-8")
    result = run(labels, alone, "--json")
    assert "can give away single answers" in result.stderr
    (same,) = json.loads(result.stdout)["groups"].values()
    assert group["fleiss_kappa"]["value"] == round(same["fleiss_kappa"]["value"], 2)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("annotator,team\na,A\n", "the column is missing"),
        ("annotator,group\na,A\na,B\n", "a is already on line 2"),
        ("annotator,group\n,A\n", "line 2"),
        ("annotator,group\nx,A\n", "no group of an annotator"),
    ],
)
def test_errors_say_what_is_wrong(files: tuple[Path, Path], content: str, message: str) -> None:
    labels, annotators = files
    annotators.write_text(content, encoding="utf-8")
    refused = run(labels, annotators)
    assert refused.exit_code != 0
    assert message in str(refused.exception) + refused.output
