"""Tests of downloads, of the current data and of stored reports."""

import csv
import hashlib
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from django.core.cache.backends.locmem import LocMemCache
from django.http import HttpResponse

from annotate.commands.main import main
from annotate.core.permissions import SYSTEM
from annotate.core.services import standing
from annotate.models import Study
from annotate.questions.selectors.data import study_data
from annotate.results.selectors import export_sizes
from annotate.results.selectors.downloads import exports_of
from annotate.studies.services.study import create_study
from annotate.templatetags.figures import size
from tests.console_study import browser_of, collected, page_of, report_on, somebody
from tests.factories import UserFactory, make_annotator, make_study, take
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(collected)


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def fetch(study: Study, place: str) -> tuple[HttpResponse, bytes]:
    response = browser_of(study, "viewer").get(page_of(study, place))
    assert response.status_code == 200, response.content
    return response, b"".join(response.streaming_content)


def test_every_answer_is_there_with_whether_it_counts(study: Study) -> None:
    standing.stop(somebody(study).pk, reason="haste", user=SYSTEM)
    take(make_annotator(study, platform="try"))
    response, body = fetch(study, "downloads/answers.jsonl")
    assert 'filename="answers.jsonl"' in response.headers["Content-Disposition"]
    lines = [json.loads(line) for line in body.decode().splitlines()]
    rows = list(study_data(study).answers)
    assert [(line["question"], line["annotator"], line["counts"], line["reason"]) for line in lines] == [
        (row.ref, row.pseudonym, row.counts, row.reason or None) for row in rows
    ]
    assert {line["reason"] for line in lines} == {None, "gold", "void: stopped"}
    assert all(line["value"]["best"] for line in lines)


def test_annotations_are_those_that_count(study: Study) -> None:
    _, body = fetch(study, "downloads/annotations.csv")
    assert len(list(csv.DictReader(io.StringIO(body.decode())))) == 32


@pytest.mark.nightly
def test_scores_wait_for_results(study: Study) -> None:
    client = browser_of(study)
    early = client.get(page_of(study, "downloads/scores.csv"), follow=True)
    assert early.redirect_chain == [(page_of(study, "downloads/"), 302)]
    assert b"Calculate the results" in early.content
    assert b"needs results" in client.get(page_of(study, "downloads/")).content
    report_on(study)
    _, body = fetch(study, "downloads/scores.csv")
    assert len(body.decode().splitlines()) == 9
    assert b"needs results" not in client.get(page_of(study, "downloads/")).content


def test_a_reports_files_are_its_own_input_and_figures(study: Study) -> None:
    report = report_on(study)
    _, data = fetch(study, "results/1/files/input.npz")
    assert hashlib.sha256(data).hexdigest() == report.input_sha256
    assert np.load(io.BytesIO(data))["items"].shape == (32, 4)
    _, body = fetch(study, "results/1/files/report.json")
    document = json.loads(body)
    assert document["result"] == report.result
    assert (document["seed"], document["parameters"], document["input_sha256"]) == (
        report.seed,
        report.parameters,
        report.input_sha256,
    )
    assert set(document["versions"]) == {"python", "accord", "numpy", "scipy"}


@pytest.mark.nightly
def test_a_reports_scores_stay_what_they_were(study: Study) -> None:
    report_on(study)
    before = fetch(study, "results/1/files/scores.csv")[1]
    standing.stop(somebody(study).pk, reason="haste", user=SYSTEM)
    report_on(study)
    assert fetch(study, "results/1/files/scores.csv")[1] == before
    assert fetch(study, "downloads/scores.csv")[1] == fetch(study, "results/2/files/scores.csv")[1] != before


def test_the_folds_are_those_of_the_command_line(study: Study, tmp_path: Path) -> None:
    report_on(study)
    scores, folds = fetch(study, "downloads/scores.csv")[1], fetch(study, "downloads/folds.csv")[1]
    (tmp_path / "scores.csv").write_bytes(scores)
    files = [str(tmp_path / name) for name in ("scores.csv", "scores.csv", "folds.csv")]
    command = ["evaluate", "relatedness", *files[:2], "--write-folds", files[2], "--resamples", "0"]
    result = CliRunner().invoke(main, [*command, "--seed", str(study.seed)])
    assert result.exit_code == 0, result.stderr
    assert folds == (tmp_path / "folds.csv").read_bytes()
    assert {line.rpartition(",")[2] for line in folds.decode().splitlines()[1:]} == {"1", "2", "3", "4", "5"}


@pytest.mark.parametrize(
    "place", ["downloads/secrets.csv", "results/1/files/annotations.csv", "results/9/files/report.json"]
)
def test_other_files_are_not_there(study: Study, place: str) -> None:
    report_on(study)
    assert browser_of(study).get(page_of(study, place)).status_code == 404


@pytest.mark.nightly
def test_the_page_says_what_each_file_is(study: Study) -> None:
    report_on(study)
    page = markup(browser_of(study).get(page_of(study, "downloads/")))
    names = ("scores.csv", "tuples.tsv", "annotations.csv", "answers.jsonl", "annotators.csv", "mturk-input.csv")
    places = [page.index(f">{name}</a>") for name in (*names, "report-1.zip")]
    assert places == sorted(places), "results come first, other formats and reports last"
    assert "is in JSON Lines format" in page
    response = browser_of(study).get(re.search(r'href="([^"]+files.zip)"', page)[1])
    assert response.headers["Content-Disposition"] == 'attachment; filename="report-1.zip"'


def test_a_file_without_rows_is_not_offered() -> None:
    study = make_study(items=6)
    page = markup(browser_of(study).get(page_of(study, "downloads/")))
    for name in ("messages.csv", "answers.jsonl", "annotators.csv"):
        row = re.search(rf'<th scope="row">\s*{name}\s*</th>.*?data-name="Size">\s*([^<]*?)\s*</td>', page, re.DOTALL)
        assert row
        assert row[1] == "empty"
    assert ">tuples.tsv</a>" in page


@pytest.mark.nightly
def test_each_download_has_its_size(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_sizes, "cache", LocMemCache("exact sizes", {}))
    report_on(study)
    page = markup(browser_of(study).get(page_of(study, "downloads/")))
    current = page.partition("<tbody>")[2].partition("report-1.zip")[0].rpartition("<tbody>")[0]
    entry = r"<th scope=\"row\">\s*<a href=\"([^\"]+)\">([^<]+)</a>.*?data-name=\"Size\">\s*([^<]*?)\s*</td>"
    files = re.findall(entry, current, flags=re.DOTALL)
    assert {"scores.csv", "answers.jsonl", "annotators.csv"} <= {name for _, name, _ in files}
    for place, name, shown in files:
        assert shown == size(len(fetch(study, place.removeprefix(page_of(study)))[1])), name


def test_sizes_of_large_files_are_estimated_or_those_of_the_last_download(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_sizes, "MOST_ROWS", 20)
    monkeypatch.setattr(export_sizes, "cache", LocMemCache("estimated sizes", {}))
    exports = {export.filename: export for export in exports_of(study)}
    known = export_sizes.export_sizes(study, exports.values(), None)
    actual = len(fetch(study, "downloads/answers.jsonl")[1])
    assert not known["answers.jsonl"].exact
    assert known["answers.jsonl"].bytes == pytest.approx(actual, rel=0.25)
    assert "scores.csv" not in known, "there are no results"
    assert "annotations.csv" not in known, "nothing is written before all answers are read"
    written = len(fetch(study, "downloads/annotations.csv")[1])
    known = export_sizes.export_sizes(study, [exports["annotations.csv"]], None)
    assert (known["annotations.csv"].bytes, known["annotations.csv"].exact) == (written, False)


@pytest.mark.nightly
@pytest.mark.parametrize("task_type", ["bws", "words", "chunks", "paraphrase"])
def test_a_draft_without_a_design_has_a_page_of_downloads(task_type: str) -> None:
    draft = create_study(user=UserFactory(), title="Draft", task_type=task_type)
    assert browser_of(draft).get(page_of(draft, "downloads/")).status_code == 200


def test_files_that_need_results_wait_for_judgements() -> None:
    study = make_study()
    report_on(study)
    page = markup(browser_of(study).get(page_of(study, "downloads/")))
    assert "downloads/tuples.tsv" in page
    assert "downloads/scores.csv" not in page
