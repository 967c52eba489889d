"""Tests of a whole results file with all columns, a corrected second file, and undoing both imports."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta, timezone
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest

from accord_core.exchange.mturk_results import Result
from annotate.core.permissions import SYSTEM
from annotate.models import Study
from annotate.mturk.models import ResultImport
from annotate.mturk.services.batches import import_results
from annotate.mturk.services.result_imports import undo_import
from annotate.questions.selectors.data import study_data
from annotate.server.refusals import Refused
from tests.factories import assert_slots_add_up, make_study
from tests.mturk.imported_results import contents, text_of
from tests.mturk.turk import result

pytestmark = [pytest.mark.django_db, pytest.mark.rules]

PST, PDT = timezone(timedelta(hours=-8), "PST"), timezone(timedelta(hours=-7), "PDT")


def complete(one: Result, zone: timezone, *, status: str = "Approved") -> Result:
    """Return the result with a value in every column that Mechanical Turk fills in."""
    assert one.submit_time
    submitted = one.submit_time.astimezone(zone)
    return replace(
        one,
        hit_type_id="3TYPE",
        title="Choose",
        description='The "best", and the worst',
        reward=Decimal("0.25"),
        creation_time=submitted - timedelta(days=1),
        max_assignments=2,
        requester_annotation="BatchId:4711;OriginalHitTemplateId:9;",
        assignment_duration_in_seconds=3600,
        auto_approval_delay_in_seconds=259_200,
        expiration=submitted + timedelta(days=6),
        lifetime_in_seconds=604_800,
        assignment_status=status,
        accept_time=submitted - timedelta(minutes=2),
        submit_time=submitted,
        auto_approval_time=submitted + timedelta(days=3),
        approval_time=submitted if status == "Approved" else None,
        rejection_time=submitted if status == "Rejected" else None,
        work_time_in_seconds=118,
    )


def load(study: Study, results: list[Result], **options: Any) -> Any:
    return import_results(study.pk, text_of(*results).encode(), "Batch_4711.csv", user=SYSTEM, **options)


def counted_by_hand(text: str) -> Mapping[str, int]:
    """Return the number of answers to each regular question in the raw rows that were not rejected."""
    rows = [row for row in csv.DictReader(StringIO(text)) if row["AssignmentStatus"] != "Rejected"]
    answers = [answer for row in rows for answer in json.loads(row["Answer.answers"])]
    return Counter(answer["question"] for answer in answers if not answer["question"].startswith("gold"))


@pytest.mark.nightly
def test_a_corrected_file_replaces_rows_and_undoing_both_files_leaves_no_assignments() -> None:
    study = make_study(items=10, gold=4, judgements=2)
    pairs = [(hit, worker, zone) for hit in (1, 2) for worker, zone in (("W1", PST), ("W2", PDT))]
    results = [complete(result(study, hit, worker, number=hit), zone) for hit, worker, zone in pairs]
    results.append(complete(result(study, 1, "W3", number=9), PST, status="Rejected"))
    assert load(study, results).rejected == 1
    assert Counter(row.ref for row in study_data(study).answers if row.counts) == counted_by_hand(text_of(*results))
    assert {one.submitted_at for one in study.assignments.all()} == {one.submit_time for one in results[:4]}
    first = contents(study)

    # The first row is now rejected, the rejected row approved, a row is new, and two rows are missing.
    corrected = [
        replace(results[0], assignment_status="Rejected"),
        replace(results[4], assignment_status="Approved"),
        results[2],
        complete(result(study, 2, "W4", number=12), PST),
    ]
    with pytest.raises(Refused) as refused:
        load(study, corrected)
    assert refused.value.code == "changes"
    load(study, corrected, changes="take")
    assert set(study.assignments.filter(state="done").values_list("external_id", flat=True)) == {
        one.assignment_id for one in (results[1], results[2], results[3], results[4])
    }
    assert study.assignments.get(external_id=corrected[3].assignment_id).state == "surplus"
    assert_slots_add_up(study)

    for one in ResultImport.objects.order_by("-pk"):
        undo_import(one.pk, user=SYSTEM)
    assert not study.assignments.exists()
    assert_slots_add_up(study)
    load(study, results)
    again = contents(study)
    for part in ("assignments", "answers", "open"):
        assert again[part] == first[part]
