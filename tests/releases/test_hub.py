"""A test that the libraries `datasets` and `mlcroissant` read the tables of releases without a connection."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from accord_core.evaluation.numerics.splits import PARTS
from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.models import Study
from annotate.results.services import make_report
from evaluation.services.splits import SplitChoice, choose_split
from releases.contents.folder import About
from releases.contents.json_records import JsonRecords, json_records_in
from releases.services.releases import make_release
from tests.browser.test_chunks_work import chunk_study
from tests.factories import make_study
from tests.paraphrasing import paraphrase_study
from tests.word_study import word_study

pytestmark = [pytest.mark.nightly, pytest.mark.django_db]
ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".hub" / "bin" / "python"
STUDIES: dict[str, tuple[Callable[[], Study], list[str]]] = {
    "bws": (lambda: make_study(items=12, judgements=2), ["scores", "scores-full", "folds", "annotations", "splits"]),
    "paraphrase": (
        paraphrase_study,
        [
            *("labels-by-sentence", "labels-by-domain", "domain-against-domain", "votes", "soft-labels"),
            *("quality-control-answers", "splits"),
        ],
    ),
    "words": (word_study, ["pairs", "soft-links", "phrases", "edits", "splits"]),
    "chunks": (chunk_study, ["pairs", "links", "soft-links", "splits"]),
}

DIVIDED = {
    "bws": ["scores", "scores-full"],
    "paraphrase": ["labels-by-sentence", "votes", "soft-labels"],
    "words": ["pairs", "soft-links", "phrases"],
    "chunks": ["pairs", "links", "soft-links"],
}


def shown(row: dict[str, Any]) -> dict[str, str]:
    """Return the cells of a row as text. Numbers are rounded, because a table writes 1.0 as 1.000000."""
    return {name: "" if value is None else number(str(value)) for name, value in row.items()}


def number(text: str) -> str:
    try:
        return f"{float(text):.9g}"
    except ValueError:
        return text


def rows(path: Path) -> list[dict[str, str]]:
    """Read a table of a release independently of both libraries."""
    text = path.read_text()
    if path.suffix == ".tsv":
        header, *lines = [line.split("\t") for line in text.removesuffix("\n").split("\n")]
        return [shown(dict(zip(header, line, strict=True))) for line in lines]
    return [shown(row) for row in csv.DictReader(io.StringIO(text, newline=""))]


@pytest.mark.parametrize("kind", STUDIES)
def test_libraries_read_every_table_of_a_release(kind: str, tmp_path: Path) -> None:
    assert PYTHON.exists(), "The readers are missing. Run script/setup --hub."
    make, names = STUDIES[kind]
    study = make()
    simulate(study, user=SYSTEM, annotators=6, careless=0.3, seed=7)
    make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)
    about = About("1.0", "CC-BY-4.0", date(2026, 11, 21), creators="A. Author")
    choose_split(study.pk, SplitChoice(train=40, dev=10, test=50, stratify="", test_only=False), user=SYSTEM)
    release = make_release(study.pk, about, user=SYSTEM)
    folder = tmp_path / "release"
    for path, data in release.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    environment = {**os.environ, "HF_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    command = [str(PYTHON), str(ROOT / "tests" / "hub" / "read_release.py"), str(folder)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["faults"] == []
    assert found["first"] == names[0]
    assert list(found["datasets"]) == list(found["croissant"])[: len(names)] == names
    for name in names:
        [table] = [
            each for each in (folder / "data").iterdir() if each.stem == name and each.suffix in (".csv", ".tsv")
        ]
        expected = rows(table)
        splits = {part: [shown(row) for row in loaded] for part, loaded in found["datasets"][name].items()}
        assert splits.pop("full") == [shown(row) for row in found["croissant"][name]] == expected, name
        in_parts = {part: [row for row in expected if row["split"] == part] for part in PARTS if name in DIVIDED[kind]}
        assert splits == {part: chosen for part, chosen in in_parts.items() if chosen}, name
    files = {path: data for path, data in release.files.items() if path != "croissant.json"}
    described = {each.name: each for each in json_records_in(files, names)}
    assert {"raw-items", "raw-questions", "raw-annotations", "report-results"} <= described.keys()
    assert list(found["croissant"])[len(names) :] == list(described)
    for name, records in described.items():
        assert found["croissant"][name], name
        assert [as_read(row) for row in found["croissant"][name]] == expected_records(release.files, records), name


def as_read(row: dict[str, Any]) -> dict[str, Any]:
    return {name: comparable(value) for name, value in row.items()}


def expected_records(files: Mapping[str, bytes], records: JsonRecords) -> list[dict[str, Any]]:
    """Return the described values of a JSON or JSON Lines file, read without the library."""
    text = files[records.path].decode()
    if records.layout == "lines":
        objects = [json.loads(line) for line in text.splitlines()]
    else:
        objects = json.loads(text) if records.layout == "list" else [json.loads(text)]
    return [
        {field.name: comparable(reduce(lambda value, key: value[key], field.path, each)) for field in records.fields}
        for each in objects
    ]


def comparable(value: Any) -> Any:
    """Return a value without differences of notation: pandas reads 007 as 7, and times in UTC."""
    if isinstance(value, list):
        return [comparable(each) for each in value]
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value).astimezone(UTC).isoformat() if "T" in value else number(value)
        except ValueError:
            return value
    return value if value is None or isinstance(value, bool) else number(str(value))
