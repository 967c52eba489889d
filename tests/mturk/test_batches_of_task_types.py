"""Tests of the batches of word alignment."""

import csv
import io

import pytest

from annotate.mturk.batch import batch_rows
from annotate.questions.selectors.data import study_data
from tests.alignment_ui.words.test_rounds import LEARNED, extend, shared_study, study
from tests.alignment_ui.words.test_study import written
from tests.mturk.turk import opened as questions_in
from tests.word_study import word_study

pytestmark = [pytest.mark.nightly, pytest.mark.django_db]
__all__ = ["shared_study", "study"]


def test_a_mechanical_turk_batch_fits_with_the_texts_that_a_study_begins_with():
    study = word_study(options={"blank": 0.25, "sample": 6}, consent="Taking part is voluntary.")
    page = written(study, "mturk-template.html")
    batch = list(csv.DictReader(io.StringIO(written(study, "mturk-input.csv").decode())))
    assert len(batch) == study.hits.count()
    assert len(page) + max(len(row["questions"].encode()) for row in batch) < 65_535
    for row in batch:
        for question in questions_in(row):
            assert set(question["content"]) == {"source", "target", "prealignment"}


def test_pages_of_mechanical_turk_show_the_same_links(study, monkeypatch):
    extend(study)
    rows = []
    monkeypatch.setattr("annotate.mturk.batch.seal", lambda contents, **named: rows.append(contents) or "")
    list(batch_rows(study_data(study)))
    for contents in rows:
        links = [question["content"]["prealignment"] for question in contents]
        assert len({start == LEARNED for start in links}) == 1
        assert all(question["shown"] == [] for question in contents), "results files contain the same orders as before"
    assert {contents[0]["content"]["prealignment"] == LEARNED for contents in rows} == {True, False}
