"""Tests that a study has the same files after its installation has moved to PostgreSQL and back to SQLite.

Every export, report file, release and raw download is compared byte for byte, and every report is still current.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from accord_core.exchange.arrays import pack
from annotate import tasktypes
from annotate.annotator.simulation import simulate
from annotate.models import Report, Study, User
from annotate.questions.selectors.data import study_data
from annotate.results.selectors.downloads import exports_of
from annotate.results.selectors.exports import report_document
from annotate.results.selectors.files import report_files
from annotate.results.selectors.reports import RESULTS
from annotate.results.services import make_report, recompute
from annotate.server.refusals import Refused
from releases.contents.folder import About
from releases.services.releases import as_zip, make_release
from tests.installations import Installation, full_on_sqlite, on_postgresql, on_sqlite
from tests.layout_study import layout_study
from tests.rooms import rows

Files = dict[str, bytes]


@pytest.fixture(scope="module", autouse=True)
def _other_databases(django_db_blocker: Any) -> Iterator[None]:
    """These tests use databases of their own."""
    with django_db_blocker.unblock():
        yield


@pytest.mark.nightly
def test_studies_of_every_task_type_keep_their_files(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    first = full_on_sqlite(tmp_path / "first", tmp_path_factory)
    with first.connected():
        add_layout_study()
        assert set(Study.objects.values_list("task_type", flat=True)) == {task.slug for task in tasktypes.installed()}
    moved_there_and_back(first, tmp_path, every_study=False)


@pytest.mark.nightly
def test_the_example_studies_keep_their_files(tmp_path: Path) -> None:
    first = on_sqlite(tmp_path / "first")
    first.migrate()
    first.accord("demo")
    moved_there_and_back(first, tmp_path)


def moved_there_and_back(first: Installation, folder: Path, *, every_study: bool = True) -> None:
    """Restore the installation on PostgreSQL and, with `every_study`, then on SQLite, and compare the files.

    Otherwise, test_backup.py compares the tables after the way back, and the same tables in SQLite give the same files.
    """
    with first.connected():
        calculate_missing_results()
    before = files(first, every_study)
    last = on_sqlite(folder / "last")
    with on_postgresql(folder / "middle", language="en-US") as middle:
        move(first, middle)
        compare(before, files(middle, every_study))
        if every_study:
            move(middle, last)
            compare(before, files(last, every_study))


def move(source: Installation, target: Installation) -> None:
    source.accord("backup", "-o", source.folder / "moving.backup")
    target.accord("restore", source.folder / "moving.backup")


def compare(before: Files, after: Files) -> None:
    assert before.keys() == after.keys()
    assert [name for name in before if before[name] != after[name]] == []


def add_layout_study() -> None:
    """Add a study whose files have more columns than PostgreSQL's order of JSON keys would keep in place."""
    study = layout_study(
        batch="text,place,zz,a,source\n" + "".join(f"Sentence {n},Rome,1,2,{n % 2}\n" for n in range(4))
    )
    simulate(study, user=owner(study), annotators=4, careless=0.25, hits=4, seed=1)


def calculate_missing_results() -> None:
    """Calculate the results of each study with current answers."""
    for study in Study.objects.exclude(state="draft"):
        try:
            make_report(study.pk, kind=RESULTS, parameters={}, user=owner(study), progress=lambda share, message: None)
        except Refused:
            assert not study.assignments.exists() or study.state == "archived"


def owner(study: Study) -> User:
    return study.memberships.filter(role="owner").order_by("pk")[0].user


def files(installation: Installation, every_study: bool) -> Files:
    """Return the files of each study by the study's ID and the name of the file."""
    with installation.connected():
        return {
            f"{study.public_id} {name}": data
            for study in chosen(every_study)
            for name, data in files_of(study, every_study)
        }


def chosen(every_study: bool) -> list[Study]:
    """Return all studies or the first one of each task type with judgements."""
    studies = list(Study.objects.order_by("pk"))
    if every_study:
        return studies
    first: dict[str, Study] = {}
    for study in studies:
        if study.reports.filter(kind=RESULTS, judgements__gt=0).exists():
            first.setdefault(study.task_type, study)
    return list(first.values())


def files_of(study: Study, every_study: bool) -> Iterator[tuple[str, bytes]]:
    task = tasktypes.get(study.task_type)
    for report in Report.objects.filter(study=study).order_by("pk"):
        yield f"{report} fingerprint", report.input_sha256.encode()
        yield f"{report} result", json.dumps(report_document(report), ensure_ascii=False).encode()
        if report.kind == RESULTS:
            for file in report_files(study, report):
                yield f"{report} {file.name}", b"".join(file.write())
            if every_study:
                yield f"{report} recalculated", json.dumps(recompute(report), ensure_ascii=False).encode()
    if study.is_draft:
        return
    yield "input", pack(task.reports.columns(study_data(study)))
    yield from downloads(study)
    latest = study.reports.filter(kind=RESULTS).order_by("-number").first()
    if latest is not None and latest.judgements:
        yield "release", released(study)


def downloads(study: Study) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the downloads page, as the browser receives them."""
    browser = Client(SERVER_NAME="127.0.0.1")
    browser.force_login(owner(study), "django.contrib.auth.backends.ModelBackend")
    names = [f"downloads/{export.filename}" for export in exports_of(study)]
    for name in (*names, "annotators/annotators.csv", *rows("DOWNLOADS")):
        response = browser.get(f"/console/{study.public_id}/{name}")
        body = response.getvalue() if response.streaming else response.content
        yield name, str(response.status_code).encode() + (body if response.status_code == 200 else b"")


def released(study: Study) -> bytes:
    about = About(version="1.0", licence="CC-BY-4.0", published=date(2026, 11, 1))
    try:
        return as_zip(make_release(study.pk, about, user=owner(study)))
    except Refused as refusal:
        return refusal.code.encode()
