"""Tests that R reads the tables and JSON files of releases, and recalculates their main figures."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.results.services import make_report
from releases.contents.folder import About
from releases.contents.reading import in_r
from releases.contents.tables import Table, tables_in
from releases.services.releases import make_release
from tests.external_programs import NIGHTLY
from tests.layout_study import layout_study
from tests.releases.test_hub import STUDIES

pytestmark = [pytest.mark.nightly, pytest.mark.django_db]
ROOT = Path(__file__).resolve().parents[2]
KINDS = {**{kind: make for kind, (make, _) in STUDIES.items()}, "layout": layout_study}


def released(kind: str, folder: Path) -> dict[str, bytes]:
    """Write a release of a study of this kind to the folder, and return its files."""
    study = KINDS[kind]()
    simulate(study, user=SYSTEM, annotators=6, careless=0.3, seed=7)
    make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)
    files = dict(make_release(study.pk, About("1.0", "CC-BY-4.0", date(2026, 11, 21)), user=SYSTEM).files)
    write(files, folder)
    return files


def write(files: Mapping[str, bytes], folder: Path) -> None:
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


def r(program: Path, *arguments: str) -> str:
    for package, file in NIGHTLY.items():
        assert file.exists(), f"R is not complete. Install it: apt-get install {package}"
    done = subprocess.run(
        ["Rscript", "--vanilla", str(program), *arguments],
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def cells_of(table: Table, data: bytes) -> list[list[str]]:
    """Return the rows of a table without its header, read independently of the release's own reader."""
    text = data.decode()
    if table.separator == "\t":
        return [line.split("\t") for line in text.removesuffix("\n").split("\n")][1:]
    return list(csv.reader(io.StringIO(text, newline="")))[1:]


def as_text(value: Any) -> str:
    """Return a cell as text. Numbers lose zeros at their end, which R does not keep."""
    if value is None:
        return ""
    try:
        return f"{float(value):.9g}"
    except ValueError:
        return str(value)


def check(files: Mapping[str, bytes], tables: list[Table], folder: Path) -> dict[str, Any]:
    """Compare each cell that R reads with the file, and return the output of R."""
    rows = [cells_of(table, files[table.path]) for table in tables]
    lines = [in_r(table, cells)[0] for table, cells in zip(tables, rows, strict=True)]
    read: dict[str, Any] = json.loads(r(ROOT / "tests" / "hub" / "read_release.R", str(folder), *lines))
    for table, cells, columns in zip(tables, rows, read["tables"], strict=True):
        assert len(columns) == len(table.columns)
        for column, values, expected in zip(table.columns, columns, zip(*cells, strict=True), strict=True):
            if column.kind == "text" and any(values):
                assert all(value is None or isinstance(value, str) for value in values), column
                assert [value or "" for value in values] == list(expected), (table.path, column)
            else:
                assert [as_text(value) for value in values] == [as_text(cell or None) for cell in expected], column
    return read


@pytest.mark.parametrize("kind", KINDS)
def test_r_reads_each_table_of_a_release(kind: str, tmp_path: Path) -> None:
    files = released(kind, tmp_path)
    headers = {path: data for path, data in files.items() if path.startswith("data/") and b"#FORMAT" not in data[:9]}
    tables = [table for table in tables_in(headers) if table.name != "tuples" and cells_of(table, files[table.path])]
    assert tables
    read = check(files, tables, tmp_path)
    annotations = [json.loads(line) for line in files["raw/annotations.jsonl"].decode().splitlines()]
    assert read["streamed"]["raw/annotations.jsonl"] == [len(annotations)]
    assert read["counted"] == [sum(row["counts"] for row in annotations)]
    ends = json.loads(files["report/results.json"])["result"]["headline"]["ends"]
    assert read["headline"] == pytest.approx([end["value"] for end in ends])


def test_r_keeps_texts_that_it_would_convert_by_default(tmp_path: Path) -> None:
    files = released("bws", tmp_path)
    header, *lines = ["id,truth,word,number", "007,T,NA,1", '012,F,"a ""b"", c",', "100,T,ß ☃ العربية,2.5"]
    files["data/hard.csv"] = "\n".join([header, *lines, ""]).encode()
    files["data/hard.tsv"] = b"word\tmore\n\"a\tit's\n#b\tNA\n"
    write(files, tmp_path)
    tables = tables_in({path: files[path] for path in ("data/hard.csv", "data/hard.tsv")})
    check(files, tables, tmp_path)


def test_the_example_recalculates_the_scores_and_the_agreement(tmp_path: Path) -> None:
    program = ROOT / "examples" / "release" / "figures.R"
    files = released("bws", tmp_path / "bws")
    counted = {
        row["item"]: float(row["score"]) for row in csv.DictReader(io.StringIO(r(program, str(tmp_path / "bws"))))
    }
    published = csv.DictReader(io.StringIO(files["data/scores-full.csv"].decode()))
    assert counted == {row["item"]: pytest.approx(float(row["score"]), abs=1e-6) for row in published}
    files = released("paraphrase", tmp_path / "paraphrase")
    [end] = json.loads(files["report/results.json"])["result"]["headline"]["ends"]
    assert float(r(program, str(tmp_path / "paraphrase")).split(": ")[1]) == pytest.approx(end["value"], abs=1e-6)
