"""Tests that spreadsheets cannot run the cells of exported files as formulas, and that Accord reads the original cells
back.
"""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from accord_core.bws.formats import read_tuples, write_tuples
from accord_core.exchange.csvtext import escape_formula
from accord_core.pairs.formats.goldalign import read_goldalign, write_goldalign
from accord_core.pairs.formats.pairs import read_pairs
from accord_core.pairs.formats.tabs import iter_cells, tab_line
from annotate.annotator.simulation import simulate
from annotate.commands.main import main
from annotate.core.permissions import SYSTEM
from annotate.data.services.design import build_design
from annotate.data.services.imports import import_file
from annotate.models import Study
from annotate.results.selectors.downloads import exports_of, write_export
from annotate.results.services import make_report
from annotate.studies.services.study import create_study, open_study
from tests.factories import UserFactory

FORMULAS = ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "＝1", "'=1", "- dash"]
BY_DESIGN = {"mturk-input.csv", "webanno.tsv"}  # annotators and INCEpTION would see the apostrophes


def cells(name: str, data: bytes) -> Iterator[str]:
    text = data.decode()
    rows = csv.reader(io.StringIO(text)) if name.endswith(".csv") else (line.split("\t") for line in text.splitlines())
    return (cell for row in rows for cell in row)


def study_of(task_type: str) -> Study:
    user = UserFactory()
    ids = [f"{FORMULAS[n % 7]}{n}" for n in range(12)]
    if task_type == "bws":
        items = [{"id": key, "text": f"={key}", "=meta": "@x"} for key in ids]
    elif task_type == "paraphrase":
        items = [
            {
                "id": key,
                "sentence": "=A word stood here.",
                "phrase": "word",
                "paraphrases": ["-term", "=sign"],
                "domain": "=d",
            }
            for key in ids
        ]
    else:
        items = [{"id": key, "source": "=1 b", "target": "@c d", "subcorpus": "=s"} for key in ids]
    study = create_study(
        user=user,
        title="=T",
        task_type=task_type,
        gold_block=0,
        rule_threshold=0,
        practice=False,
        seed=1,
        instructions="Do.",
        judgements=2,
    )
    lines = "".join(json.dumps(item) + "\n" for item in items)
    import_file(study, purpose="items", filename="i.jsonl", data=lines.encode(), user=user)
    build_design(study.pk, user=user)
    open_study(study.pk, user=user)
    simulate(study, user=SYSTEM, annotators=2, seed=1)
    return Study.objects.get(pk=study.pk)


@pytest.mark.nightly
@pytest.mark.django_db
@pytest.mark.parametrize("task_type", ["bws", "words", "paraphrase", "chunks"])
def test_every_table_that_a_study_can_be_downloaded_as(task_type: str) -> None:
    study = study_of(task_type)
    report = make_report(study.pk, kind="results", parameters={"splits": 10}, user=SYSTEM, progress=lambda *_: None)
    tables = [one for one in exports_of(study) if one.filename.endswith((".csv", ".tsv"))]
    for export in tables:
        if export.filename not in BY_DESIGN:
            _, chunks = write_export(study, export.filename, report if export.needs_report else None)
            dangerous = [
                cell
                for cell in cells(export.filename, b"".join(chunks))
                if escape_formula(cell) != cell and not cell.startswith("'")
            ]
            assert not dangerous, (export.filename, dangerous[:5])


def test_tuples_come_back_as_they_were() -> None:
    tuples = [tuple(FORMULAS[:4]), tuple(FORMULAS[3:])]
    text = "".join(write_tuples(tuples))
    assert not any(cell[0] in "=+-@＝" for cell in cells("t.tsv", text.encode()))
    assert read_tuples(text.encode(), name="t.tsv") == tuples


def test_tab_separated_cells_come_back_as_they_were() -> None:
    text = tab_line(FORMULAS)
    assert not any(cell[0] in "=+-@＝" for cell in text.split("\t"))
    assert list(iter_cells(text.encode(), name="t")) == [(1, FORMULAS)]


def test_pairs_and_goldalign_come_back_as_they_were() -> None:
    text = tab_line(["id", "source", "target"]) + tab_line(["=1", "- a", "@b c"])
    read = read_pairs(text.encode(), "pairs.tsv", longest=None)
    assert [(row.key, row.source, row.target) for row in read.rows] == [("=1", ("-", "a"), ("@b", "c"))]
    line = "'=1\t'- a\t\t'@b c\t\t\t\t0-0\t\t\n"
    corpus = read_goldalign(line.encode(), name="g")
    assert corpus.pairs[0].source == ("-", "a")
    assert "".join(write_goldalign(corpus.pairs)) == line


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        (["bws", "tuples", "items.txt"], {"items.txt": "\n".join(f"{FORMULAS[n % 7]}{n}" for n in range(12)) + "\n"}),
        (
            ["align", "phrases", "links.pharaoh", "--sentences", "pairs.tsv"],
            {"links.pharaoh": "0-0 1-1\n", "pairs.tsv": "=a b\t@c d\n"},
        ),
        (
            ["align", "convert", "links.pharaoh", "-", "--to", "goldalign", "--sentences", "pairs.tsv"],
            {"links.pharaoh": "0-0 1-1\n", "pairs.tsv": "=a b\t@c d\n"},
        ),
    ],
    ids=["tuples", "phrases", "goldalign"],
)
def test_tables_of_the_command_line(arguments: list[str], files: dict[str, str], tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = CliRunner().invoke(main, [str(tmp_path / word) if word in files else word for word in arguments])
    assert done.exit_code == 0, done.output
    shown = list(cells("o.tsv", done.stdout_bytes))
    assert any(cell.startswith("'") for cell in shown)
    assert [cell for cell in shown if escape_formula(cell) != cell and not cell.startswith("'")] == []
