"""A test that the libraries `datasets` and `mlcroissant` read the tables of releases without a connection."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from annotate.models import Study
from annotate.permissions import SYSTEM
from annotate.services.reports import make_report
from annotate.services.simulate import simulate
from evaluation.release.folder import About
from evaluation.services.releases import make_release
from evaluation.services.splits import SplitChoice, choose_split
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
    "chunks": (chunk_study, ["soft-links", "splits"]),
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
    assert list(found["datasets"]) == list(found["croissant"]) == names
    for name in names:
        [table] = [
            each for each in (folder / "data").iterdir() if each.stem == name and each.suffix in (".csv", ".tsv")
        ]
        expected = rows(table)
        for library in ("datasets", "croissant"):
            assert [shown(row) for row in found[library][name]] == expected, f"{library}: {name}"
