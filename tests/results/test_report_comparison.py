"""Tests of comparisons of two reports, of the zip archive of a report, and of the sizes of its files."""

import io
import json
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accord_core.exchange.zips import zipped
from annotate import tasktypes
from annotate.models import Membership, Report, Study
from annotate.results.pages import reports as report_pages
from annotate.tasktypes import FigureRow, Value, signed, value_at
from annotate.templatetags.figures import size
from tests.console_study import browser_of, collected, page_of, report_on
from tests.factories import make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    def make() -> Study:
        study = collected(items=16, annotators=4)
        report_on(study)
        return study

    return share(make)


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def second_report(study: Study, of: Study, number: int = 2) -> Report:
    """Store a report of another study whose main figures are lower than those of the first report."""
    result = json.loads(json.dumps(study.reports.get(kind="results", number=1).result))
    result["judgements"] -= 10
    result["reliability"]["whole"]["spearman"]["mean"] -= 0.125
    return of.reports.create(kind="results", number=number, seed=1, result=result)


@pytest.mark.nightly
def test_figures_of_two_reports_are_side_by_side_with_their_differences(study: Study) -> None:
    second_report(study, study)
    client = browser_of(study, "viewer")
    page = markup(client.get(page_of(study, "results/1/compare/"), {"with": f"{study.public_id}-2"}))
    assert (
        '<th scope="row">Judgements</th><td class="num">64</td><td class="num">54</td><td class="num">−10</td>' in page
    )
    assert "−.125</td>" in page
    assert "Report 1 (older)" in page
    other_way = markup(client.get(page_of(study, "results/2/compare/"), {"with": f"{study.public_id}-1"}))
    assert page.split("<table")[1:] == other_way.split("<table")[1:]
    assert "f1_" not in page
    assert "spearman" not in page


@pytest.mark.nightly
def test_reports_of_other_studies_need_a_role_there_and_the_same_task_type(study: Study) -> None:
    other, words = make_study(), make_study()
    Study.objects.filter(pk=other.pk).update(title="A second study")
    Study.objects.filter(pk=words.pk).update(title="Alignment", task_type="words")
    other.refresh_from_db()
    words.refresh_from_db()
    second_report(study, other)
    words.reports.create(kind="results", number=2, seed=1, result={"judgements": 3})
    client = browser_of(study, "viewer")
    member = study.memberships.get(role="viewer").user
    Membership.objects.create(study=words, user=member, role="owner")
    place = page_of(study, "results/1/compare/")
    for hidden in (other, words):
        assert client.get(place, {"with": f"{hidden.public_id}-2"}).status_code == 404
        assert hidden.title not in markup(client.get(place))
    Membership.objects.create(study=other, user=member, role="viewer")
    page = markup(client.get(place, {"with": f"{other.public_id}-2"}))
    assert "A second study: Report 2" in page
    for wrong in ("2", f"{other.public_id}-", f"{other.public_id}-x", f"{other.public_id}-{'9' * 30}"):
        assert client.get(place, {"with": wrong}).status_code in (200, 404), wrong


def test_the_page_says_that_the_list_lacks_older_reports(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_pages, "MOST_REPORTS", 2)
    for number in (2, 3, 4):
        second_report(study, study, number)
    client, place = browser_of(study, "viewer"), page_of(study, "results/1/compare/")
    page = markup(client.get(place))
    assert page.count("<option") == 2
    assert "The list shows the newest 2 of 3 reports." in page
    monkeypatch.setattr(report_pages, "MOST_REPORTS", 3)
    assert "The list shows" not in markup(client.get(place))


def test_every_figure_of_a_task_type_is_in_its_report(study: Study) -> None:
    result = study.reports.get(kind="results", number=1).result
    for table in tasktypes.get("bws").reports.figures:
        for row in table.rows:
            assert value_at(result, row.place).value is not None, row.place


def test_values_and_differences_are_formatted_like_reports() -> None:
    result = {"rows": [{"f1": 0.1}, {"f1": {"value": 0.8004, "low": 0.75, "high": None}}], "keys": [1, 2, 3]}
    assert value_at(result, "rows.-1.f1") == Value(0.8004, 0.75, None)
    assert value_at(result, "keys").value == 3
    assert value_at(result, "rows.0.none.deeper") == Value(None)
    assert Value(0.831, 0.8, 0.85).printed("coefficient") == ".831 (.800 to .850)"
    assert Value(None).printed("count") == "–"
    assert [signed(0.064, "coefficient"), signed(-0.0001, "coefficient"), signed(-8710, "count")] == [
        "+.064",
        ".000",
        "−8,710",
    ]
    assert signed(-0.0125, "percent") == "−1.2 points"
    assert FigureRow("F1", "f1").format == "coefficient"


def test_one_archive_contains_all_files_and_the_drawings_of_the_charts(study: Study) -> None:
    client = browser_of(study, "viewer")
    drawings = {"scores": "<svg>bars</svg>", "../outside": "<svg/>", "number": 3}
    upload = SimpleUploadedFile("figures.json", json.dumps(drawings).encode())
    response = client.post(page_of(study, "results/1/files.zip"), {"figures": upload})
    archive = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
    assert archive.testzip() is None
    assert set(archive.namelist()) == {
        *("scores.csv", "scores-full.csv", "folds.csv", "report.json", "input.npz"),
        "figures/scores.svg",
    }
    assert archive.read("figures/scores.svg") == b"<svg>bars</svg>"
    assert json.loads(archive.read("report.json"))["number"] == 1
    for wrong in (b"[1]", b"{"):
        files = {"figures": SimpleUploadedFile("figures.json", wrong)}
        assert client.post(page_of(study, "results/1/files.zip"), files).status_code == 400
    assert client.get(page_of(study, "results/9/files.zip")).status_code == 404


def test_pages_show_the_size_of_every_file_of_a_report(study: Study) -> None:
    client = browser_of(study, "viewer")
    page = client.get(page_of(study, "results/1/"))
    total = 0
    for file in page.context["files"]:
        body = b"".join(client.get(file.href).streaming_content)
        assert file.size == len(body) > 0, file.name
        total += len(body)
    assert f"The files total {size(total)} before compression." in page.content.decode()


def test_an_archive_depends_only_on_its_files() -> None:
    at = datetime(2026, 11, 22, 12, 0, 0, tzinfo=UTC)
    files = [("a.txt", [b"one ", b"two"]), ("b.bin", [b"\0" * 100_000])]
    first, second = (b"".join(zipped(files, at)) for _ in range(2))
    assert first == second
    assert zipfile.ZipFile(io.BytesIO(first)).read("a.txt") == b"one two"
