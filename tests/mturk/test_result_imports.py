"""Tests of imports of results: previews, encodings, batches, and imports at the same time."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.test import Client

from annotate.celery import app
from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import new_api_token
from annotate.models import Answer, Assignment, Study
from annotate.mturk.models import ResultImport
from annotate.mturk.services import result_imports
from annotate.mturk.services import store as mturk_store
from annotate.mturk.services.batches import ImportedResults, import_results
from annotate.mturk.services.result_imports import import_stored, receive_results, store_preview
from annotate.mturk.tasks import delete_unused_results
from annotate.people.services import remove_expired_personal_data, remove_identities
from annotate.server import clock
from annotate.server.refusals import Refused
from annotate.studies.services.study import archive_study, close_study
from tests.factories import assert_slots_add_up, do_hit, make_annotator, make_study
from tests.mturk.imported_results import assert_counts_are_true, contents, mixed_results, text_of, uploaded
from tests.mturk.turk import altered, bring_in, result

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unpack stored files in small parts, so that characters are split between parts."""
    monkeypatch.setattr(result_imports, "BLOCK", 101)


@pytest.mark.nightly
def test_a_whole_file_has_the_same_effects_as_its_rows_one_by_one() -> None:
    rule = {"rule_minimum": 2, "rule_threshold": "0.7"}
    whole, single = (make_study(items=20, gold=8, judgements=1, **rule) for _ in range(2))
    Study.objects.filter(pk=single.pk).update(seed=whole.seed)
    file = mixed_results(whole)
    done = bring_in(whole, *file)
    assert (done.assignments, done.surplus, done.stopped, done.gold_left_out) == (10, 2, 3, 1)
    for one in sorted(mixed_results(single), key=lambda one: (one.worker_id, one.submit_time)):
        bring_in(single, one)
    assert contents(whole) == contents(single)
    assert_slots_add_up(whole)
    assert_counts_are_true(whole)


def test_a_preview_that_ends_after_the_import_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    study = make_study(items=10, gold=4)
    stored = uploaded(study, result(study, 1, "W1"))
    preview_file = result_imports.preview_file

    def preview_then_import(*arguments: Any, **options: Any) -> Any:
        preview = preview_file(*arguments, **options)
        import_stored(stored.pk, user=SYSTEM)
        return preview

    monkeypatch.setattr(result_imports, "preview_file", preview_then_import)
    store_preview(stored.pk, user=SYSTEM)
    stored.refresh_from_db()
    assert (stored.state, stored.preview) == ("imported", None)


@pytest.mark.nightly
def test_the_preview_reports_the_numbers_of_the_import_and_changes_nothing() -> None:
    study = make_study(items=20, gold=8, rule_minimum=2, rule_threshold="0.7")
    waiting = uploaded(study, *mixed_results(study))
    preview = store_preview(waiting.pk, user=SYSTEM)
    assert not study.assignments.exists()
    assert not study.participations.exists()
    assert preview.has_statuses
    waiting.refresh_from_db()
    assert waiting.preview == preview.as_json()
    assert import_stored(waiting.pk, user=SYSTEM) == preview.counts
    waiting.refresh_from_db()
    assert (waiting.state, waiting.content) == ("imported", None)
    with pytest.raises(Refused, match="already been imported"):
        import_stored(waiting.pk, user=SYSTEM)


@pytest.mark.nightly
def test_results_of_an_archived_study_can_neither_be_imported_nor_discarded(client: Client) -> None:
    study = make_study(items=10, gold=4)
    waiting, owner = uploaded(study, result(study, 1, "W1")), study.memberships.get().user
    close_study(study.pk, user=owner)
    archive_study(study.pk, user=owner)
    with pytest.raises(Refused) as refused:
        bring_in(study, result(study, 2, "W2"))
    assert refused.value.code == "archived"
    script = Client(headers={"Authorization": f"Token {new_api_token(owner, 'script')[1]}"})
    reply = script.delete(f"/api/v1/studies/{study.public_id}/result-imports/{waiting.public_id}")
    assert (reply.status_code, reply.json()["code"]) == (409, "archived")
    client.force_login(owner)
    page = client.post(f"/console/{study.public_id}/results-files/{waiting.public_id}/discard/", follow=True)
    assert "This study is archived, so it cannot be changed." in page.content.decode()
    waiting.refresh_from_db()
    assert waiting.state == "waiting"
    assert not study.assignments.exists()


def test_files_that_nobody_imports_lose_their_contents() -> None:
    study = make_study(items=10, gold=4)
    old, new = (uploaded(study, result(study, hit, "W1")) for hit in (1, 2))
    ResultImport.objects.filter(pk=old.pk).update(created_at=clock.now() - timedelta(days=8))
    schedule = {entry["task"]: entry["schedule"] for entry in app.conf.beat_schedule.values()}
    assert schedule["annotate.mturk.tasks.delete_unused_results"] == 3600
    assert delete_unused_results() == 1
    assert list(study.result_imports.filter(content__isnull=False)) == [new]


def test_the_end_of_the_retention_period_empties_files_that_wait_for_their_import() -> None:
    study = make_study(items=10, gold=4)
    study.annotators.create(platform="mturk", external_id="W1")
    waiting = uploaded(study, result(study, 1, "W1"))
    Study.objects.filter(pk=study.pk).update(state="closed", closed_at=clock.now() - timedelta(days=4000))
    remove_expired_personal_data()
    waiting.refresh_from_db()
    assert waiting.content is None


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "windows-1252"])
def test_files_of_turkle_and_excel_are_read(encoding: str) -> None:
    study = make_study(items=10, gold=4)
    one = altered(
        replace(result(study, 1, "Zoë", right=False), title="Größe"),
        lambda answers: [
            answer | {"feedback": answer["feedback"] and "disputed", "note": "naïve"} for answer in answers
        ],
    )
    header, *lines = text_of(one).splitlines()
    place = header.split(",").index("AssignmentStatus")
    columns = header.replace(",AssignmentStatus", "")
    # The cells before the status contain no commas.
    rows = [",".join(cell for n, cell in enumerate(line.split(",", place + 1)) if n != place) for line in lines]
    data = "\r\n".join([columns, *rows, ""]).replace("UTC", "EST").encode(encoding)
    waiting = receive_results(study, filename="turkle.csv", data=data, user=SYSTEM)
    preview = store_preview(waiting.pk, user=SYSTEM)
    assert (preview.has_statuses, preview.counts.assignments) == (False, 1)
    import_stored(waiting.pk, user=SYSTEM)
    assignment = study.assignments.get()
    assert assignment.participation.annotator.external_id == "Zoë"
    assert assignment.hosted.status == "Submitted"
    assert assignment.submitted_at == one.submit_time + timedelta(hours=5)
    assert Answer.objects.get(disputed=True).dispute_note == "naïve"


@pytest.mark.nightly
def test_two_batches_can_have_the_same_ids_and_two_studies_too() -> None:
    study, other = make_study(items=10, gold=4, judgements=2), make_study(items=10, gold=4)
    first = result(study, 1, "W1", assignment_id="1")
    bring_in(study, first)
    bring_in(other, result(other, 1, "W9", assignment_id="1"))
    second = result(study, 2, "W2", assignment_id="1")
    with pytest.raises(Refused, match="1 assignment has changed") as refused:
        bring_in(study, second)
    assert "enter a name for that batch" in refused.value.message
    file = text_of(second).encode()
    done = import_results(study.pk, file, "second.csv", user=SYSTEM, batch="second server")
    assert (done.assignments, done.known) == (1, 0)
    assert import_results(study.pk, file, "second.csv", user=SYSTEM, batch="second server").known == 1
    assert study.assignments.filter(external_id="1").count() == 2


@pytest.mark.nightly
def test_the_same_file_under_another_batch_name_is_not_paid_again() -> None:
    study = make_study(items=10, gold=4, judgements=2)
    file = [result(study, hit, "W1", number=hit) for hit in (1, 2)]
    bring_in(study, *file)
    new = result(study, 3, "W1", number=3)
    renamed = uploaded(study, *file, new, batch="second server")
    assert store_preview(renamed.pk, user=SYSTEM).counts.known == 2
    done = import_stored(renamed.pk, user=SYSTEM)
    assert (done.assignments, done.known) == (1, 2)
    assert study.assignments.filter(credited=True).count() == 3
    remove_identities(study.annotators.all())
    again = import_results(study.pk, text_of(*file, new).encode(), "again.csv", user=SYSTEM, batch="third server")
    assert (again.assignments, again.known) == (0, 3)


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_an_import_that_is_cut_off_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    study = make_study(items=20, gold=8)
    waiting = uploaded(study, *mixed_results(study))
    openings = Study.objects.get(pk=study.pk).slot_openings
    complete = mturk_store._insert
    inserted: list[int] = []

    def cut_off(*args: Any) -> None:
        complete(*args)
        inserted.append(Assignment.objects.count())
        if len(inserted) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(mturk_store, "AT_ONCE", 3)
    monkeypatch.setattr(mturk_store, "_insert", cut_off)
    with pytest.raises(KeyboardInterrupt):
        import_stored(waiting.pk, user=SYSTEM)
    assert inserted == [3, 6]
    assert not Assignment.objects.exists()
    assert not study.participations.exists()
    assert Study.objects.get(pk=study.pk).slot_openings > openings
    monkeypatch.undo()
    assert import_stored(waiting.pk, user=SYSTEM).assignments == 10


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_two_imports_and_annotators_at_once_lose_and_double_nothing() -> None:
    study = make_study(items=20, gold=8, judgements=2)
    first = uploaded(study, *(result(study, hit, f"W{n}", number=n) for n in (1, 2) for hit in (1, 2)))
    second = uploaded(study, *(result(study, hit, f"W{n}", number=n) for n in (2, 3) for hit in (1, 2, 3)))
    annotators = [make_annotator(study) for _ in range(2)]
    together = threading.Barrier(4)

    def work(number: int) -> Any:
        try:
            together.wait(30)
            if number < 2:
                return import_stored((first, second)[number].pk, user=SYSTEM)
            return [do_hit(annotators[number - 2]) for _ in range(2)]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(work, range(4)))
    imported: list[ImportedResults] = done[:2]
    assert sum(one.assignments for one in imported) == 8
    assert sum(one.known for one in imported) == 2
    ids = list(study.assignments.filter(source="mturk").values_list("external_id", flat=True))
    assert len(set(ids)) == len(ids) == 8
    assert study.assignments.filter(source="web", submitted_at__isnull=False).count() == 4
    assert_slots_add_up(study)
    assert_counts_are_true(study)
