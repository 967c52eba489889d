"""Tests of --split in the commands that score alignments and tables of paraphrases. The figures of a part are the
figures of files that contain only this part.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from annotate.commands.main import main
from tests.ists_pairs import FILE

SPLITS = "item,split\na,train\nb,test\nc,test\n"
LABELS = """phrase,paraphrase,domain,label
hold,keep,law,good
hold,grip,law,bad
court,judge,law,good
court,yard,sport,bad
run,jog,sport,good
"""
SENTENCES = """item,phrase,paraphrase,domain,split
s1,hold,keep,law,train
s2,hold,keep,law,test
s3,hold,grip,law,test
s4,court,judge,law,dev
s5,court,yard,sport,test
s6,run,jog,sport,train
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "splits.csv").write_text(SPLITS)
    return tmp_path


def accord(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def figures(*arguments: str) -> dict[str, Any]:
    found = accord(*arguments, "--json", "--resamples", "20")
    assert found.exit_code == 0, found.stderr
    return dict(json.loads(found.stdout))


def write_pairs(folder: Path, name: str, links: dict[str, str]) -> None:
    pairs = [
        {"id": key, "name": key, "source": "x y z", "target": "p q r", "sureAlign": sure, "possibleAlign": ""}
        for key, sure in links.items()
    ]
    (folder / name).write_text(json.dumps(pairs))


def test_word_alignments_of_one_part_are_scored(folder: Path) -> None:
    gold, system = {"a": "0-0", "b": "1-1 2-2", "c": "0-1"}, {"a": "2-2", "b": "1-1", "c": "0-1 1-0"}
    for name, links in (("gold", gold), ("system", system)):
        write_pairs(folder, f"{name}.json", links)
        write_pairs(folder, f"{name}-test.json", {key: links[key] for key in "bc"})
    part = figures("align", "score", "gold.json", "system.json", "--split", "test", "--splits", "splits.csv")
    assert part == figures("align", "score", "gold-test.json", "system-test.json")
    assert part != figures("align", "score", "gold.json", "system.json")
    (folder / "gold.pharaoh").write_text("0-0\n1-1\n0-1\n")
    for arguments, message in (
        (["gold.json", "system.json", "--split", "test"], "--split needs --splits FILE"),
        (["gold.json", "system.json", "--splits", "splits.csv"], "--splits FILE needs --split"),
        (["gold.json", "system.json", "--split", "dev", "--splits", "splits.csv"], "no item belongs to the dev part"),
        (
            ["gold.pharaoh", "gold.pharaoh", "--split", "test", "--splits", "splits.csv"],
            "no sentence pair in this part",
        ),
    ):
        assert message in accord("align", "score", *arguments).stderr


def test_chunk_alignments_of_one_part_are_scored(folder: Path) -> None:
    first, *_ = FILE.split('<sentence id="x2"')
    (folder / "gold.wa").write_text(FILE)
    (folder / "system.wa").write_text(FILE.replace("SPE2", "SIMI"))
    (folder / "one.wa").write_text(first)
    (folder / "one-system.wa").write_text(first.replace("SPE2", "SIMI"))
    (folder / "splits.csv").write_text("item,split\n1,dev\nx2,train\n")
    part = figures("ists", "score", "gold.wa", "system.wa", "--split", "dev", "--splits", "splits.csv")
    assert part == figures("ists", "score", "one.wa", "one-system.wa")
    assert part != figures("ists", "score", "gold.wa", "system.wa")


def test_paraphrase_tables_are_scored_on_pairs_whose_sentences_are_all_in_one_part(folder: Path) -> None:
    (folder / "labels.csv").write_text(LABELS)
    (folder / "sentences.csv").write_text(SENTENCES)
    (folder / "table.csv").write_text("phrase,paraphrase\nhold,keep\nhold,grip\ncourt,yard\nrun,jog\nother,word\n")
    command = ["evaluate", "paraphrase-tables", "labels.csv", "table.csv"]
    noted = accord(*command, "--split", "test", "--splits", "sentences.csv")
    assert "1 pairs have sentences in several parts and are excluded" in noted.stderr
    part = figures(*command, "--split", "test", "--splits", "sentences.csv")
    counts = {name: (each["listed"], each["judged"], each["good"]) for name, each in part["domains"].items()}
    # The part contains “grip” for “hold” in law and “yard” for “court” in sport. The table applies to both domains.
    assert counts == {"law": (3, 1, 0), "sport": (3, 1, 0)}
    with_column = "".join(f"{line},{'split' if line.startswith('phrase') else 'dev'}\n" for line in LABELS.splitlines())
    (folder / "labels.csv").write_text(with_column)
    (folder / "table.csv").write_text("phrase,paraphrase\nhold,keep\nrun,jog\n")
    assert figures(*command, "--split", "dev") == figures(*command)
    assert "no pair belongs to the test part" in accord(*command, "--split", "test").stderr
    assert "needs --split train" in accord(*command, "--splits", "sentences.csv").stderr
    (folder / "labels.csv").write_text(with_column.replace(",dev", ",all"))
    assert "“all” is not one of train, dev, test" in accord(*command, "--split", "dev").stderr
