"""Exports read a study in batches: the same rows as ever, in little memory."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.models import Answer, Study
from annotate.selectors import data
from annotate.selectors.data import study_data
from annotate.selectors.downloads import exports_of, write_export
from annotate.selectors.stored import StoredResult
from tests.console_study import collected, report_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return collected(items=12, annotators=5)


def whole(study: Study, name: str) -> bytes:
    return b"".join(write_export(study, name)[1])


def test_batches_of_any_size_hold_the_same_rows(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = study_data(study)
    assert [row.ref for row in at_once.questions] == list(
        study.questions.filter(kind="regular").order_by("pk").values_list("ref", flat=True)
    )
    given = Answer.objects.filter(participation__study=study, given_at__isnull=False)
    assert len(at_once.answers) == given.count()
    report_on(study)
    files = {export.filename: whole(study, export.filename) for export in exports_of(study)}
    monkeypatch.setattr(data, "ROWS", 3)
    monkeypatch.setattr(data, "ASSIGNMENTS", 2)
    assert study_data(study) == at_once
    assert {name: whole(study, name) for name in files} == files


def test_streamed_rows_are_rows(study: Study) -> None:
    at_once, streamed = study_data(study), study_data(study, streamed=True)
    for name in ("items", "questions", "gold", "answers", "hits"):
        rows = getattr(streamed, name)
        assert list(rows) == list(rows) == getattr(at_once, name)
        assert (len(rows), rows[0], bool(rows)) == (len(getattr(at_once, name)), getattr(at_once, name)[0], True)


def test_queries_of_an_export_follow_its_batches_only(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "ASSIGNMENTS", 4)
    with CaptureQueriesContext(connection) as queries:
        lines = whole(study, "answers.jsonl").splitlines()
    assignments = study.assignments.count()
    read = [query for query in queries.captured_queries if 'FROM "annotate_answer"' in query["sql"]]
    assert len(read) == -(-assignments // 4)
    assert len(lines) > assignments


def test_a_stored_result_is_the_report_s(study: Study) -> None:
    report = report_on(study)

    def plain(part: object) -> object:
        return {name: plain(part[name]) for name in part} if isinstance(part, StoredResult) else part

    stored = StoredResult(report)
    assert plain(stored) == json.loads(json.dumps(report.result))
    assert len(stored) == len(report.result)
    assert "nothing" not in stored
    with pytest.raises(KeyError):
        stored["nothing"]
