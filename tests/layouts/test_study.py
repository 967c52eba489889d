"""Tests of a study with a layout, from the batch file to the results file."""

from __future__ import annotations

import csv
import io

import pytest

from annotate.models import Study
from annotate.permissions import SYSTEM
from annotate.refusals import Refused
from annotate.selectors.assignments import present
from annotate.services.reports import make_report, recompute
from annotate.services.settings import change_settings
from annotate.services.simulate import simulate
from tests.console_study import browser_of, page_of
from tests.factories import make_annotator, take
from tests.layout_study import CROWD, GOLD, PLAIN, layout_study

pytestmark = pytest.mark.django_db


def download(study: Study, name: str) -> list[dict[str, str]]:
    response = browser_of(study).get(page_of(study, f"downloads/{name}"))
    return list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))


def test_a_study_from_simulated_answers_to_a_report_and_its_files() -> None:
    study = layout_study(gold=GOLD)
    simulate(study, user=SYSTEM, annotators=3, seed=3)
    report = make_report(study.pk, kind="results", parameters={"resamples": 20}, user=SYSTEM, progress=lambda *_: None)
    fields = {field["name"]: field for field in report.result["fields"]}
    assert list(fields) == ["topic", "certain", "length", "comment"]
    assert "krippendorff_alpha_interval" in fields["length"]["agreement"]
    assert recompute(report) == report.result
    page = browser_of(study).get(page_of(study, "results/1/")).content.decode()
    assert "Krippendorff’s α, interval" in page
    rows = download(study, "mturk-results.csv")
    assert len(rows) == 8
    assert set(rows[0]) >= {"HITId", "Input.text", "Answer.topic", "Answer.certain", "Approve"}
    labels = download(study, "labels.csv")
    assert len(labels) == 4
    assert {row["topic"] for row in labels} <= {"politics", "sports", ""}
    assert [row["text"] for row in download(study, "batch.csv")][0].startswith("Sentence <")
