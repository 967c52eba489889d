"""Tests that exports read a study in batches, with the same rows as before and with little memory."""

import json
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.core.selectors.stored import StoredResult
from annotate.core.services.standing import stop
from annotate.models import Answer, Study
from annotate.questions.selectors import data
from annotate.questions.selectors.data import study_data
from annotate.results.selectors.downloads import exports_of, write_export
from tests.console_study import collected, report_on
from tests.factories import make_study

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(lambda: collected(items=12, annotators=5))


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def whole(study: Study, name: str) -> bytes:
    return b"".join(write_export(study, name)[1])


@pytest.mark.nightly
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
    # skipped questions, whether questions were repeated, and whether members answered take one query each
    assert len(read) == -(-assignments // 4) + 3
    assert len(lines) > assignments


@pytest.mark.nightly
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


def test_columns_of_a_report_are_the_counted_answers_in_the_order_of_their_times(study: Study) -> None:
    stop(study.participations.order_by("pk").first().pk, reason="haste", user=SYSTEM)  # type: ignore[union-attr]
    rows = study_data(study)
    columns = tasktypes.get("bws").reports.columns(rows)
    counted = sorted((row for row in rows.answers if row.counts), key=lambda row: row.given_at)
    gold = [row for row in rows.answers if row.kind == "gold"]
    keys = [item.key for item in rows.items if not item.held_out]
    names = sorted({row.pseudonym for row in rows.answers})
    assert counted
    assert [[keys[item] for item in items] for items in columns["items"]] == [row.payload["items"] for row in counted]
    assert [keys[item] for item in columns["best"]] == [row.value["best"] for row in counted]
    assert [keys[item] for item in columns["worst"]] == [row.value["worst"] for row in counted]
    for name in ("best", "worst"):
        places = [row.shown.index(row.payload["items"].index(row.value[name])) for row in counted]
        assert columns[f"{name}_place"].tolist() == places
    assert [names[who] for who in columns["annotator"]] == [row.pseudonym for row in counted]
    assert [names[who] for who in columns["gold_annotator"]] == [row.pseudonym for row in gold]
    assert columns["gold_passed"].tolist() == [int(bool(row.passed)) for row in gold]
    assert json.loads(columns["gold_ref"].tobytes()) == [row.ref for row in gold]
    empty = tasktypes.get("bws").reports.columns(study_data(make_study(items=8)))
    assert [empty[name].shape for name in ("items", "annotator", "gold_passed")] == [(0, 4), (0,), (0,)]
