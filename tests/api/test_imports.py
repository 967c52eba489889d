"""Tests of the operations that simulate annotators and return files."""

import csv
import io
import zipfile

import pytest

from annotate.models import User
from annotate.results.services import make_report
from tests.api.conftest import Api, refused
from tests.factories import do_hit, make_annotator, make_study
from tests.scored_systems import do_jobs

pytestmark = pytest.mark.django_db


def test_a_job_simulates_annotators(owner: Api, user: User) -> None:
    study = make_study(user=user)
    path = f"studies/{study.public_id}/simulations"
    requested = owner.post(path, {"annotators": 2, "hits": 3})
    assert (requested.status_code, requested.json()["kind"]) == (202, "simulate")
    assert do_jobs(study) == ["done"]
    assert study.assignments.filter(state="done").count() == 3
    assert set(study.annotators.values_list("platform", flat=True)) == {"simulated"}
    refused(owner.post(path, {"careless": 2}), 400, "invalid", "careless")
    draft = make_study(user=user, state="draft")
    refused(owner.post(f"studies/{draft.public_id}/simulations", {}), 409, "state")


@pytest.mark.nightly
def test_files_of_a_study_and_its_report(owner: Api, user: User) -> None:
    study = make_study(user=user)
    do_hit(make_annotator(study))
    make_report(study.pk, kind="results", parameters={}, user=user, progress=lambda share, text: None)
    home = f"studies/{study.public_id}"
    [row] = csv.DictReader(io.StringIO(b"".join(owner.get(f"{home}/annotators.csv").streaming_content).decode()))
    assert study.participations.get().pseudonym in row.values()
    assert owner.get(f"{home}/templates/items.csv").getvalue().startswith(b"id,")
    refused(owner.get(f"{home}/templates/results.csv"), 404, "unknown")
    files = {file["filename"] for file in owner.get(f"{home}/reports/results/1/files").json()}
    assert {"report.json", "input.npz"} < files
    report = owner.get(f"{home}/reports/results/1/files/report.json")
    assert b'"number": 1' in b"".join(report.streaming_content)
    refused(owner.get(f"{home}/reports/results/1/files/other.json"), 404, "unknown")
    archive = owner.post(f"{home}/reports/results/1/files.zip", {"figures": {"ranking": "<svg/>"}})
    with zipfile.ZipFile(io.BytesIO(b"".join(archive.streaming_content))) as contents:
        assert contents.read("figures/ranking.svg") == b"<svg/>"
        assert set(contents.namelist()) == files | {"figures/ranking.svg"}
    unsafe = {"figures": {"../ranking": "<svg/>"}}
    refused(owner.post(f"{home}/reports/results/1/files.zip", unsafe), 400, "invalid", "figures")
