"""Tests of imports of results: files of other hosts, changed assignments, batches, and imports that are undone."""

import csv
import io
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, connection, connections, transaction
from django.utils import timezone

from annotate.exchange.mturk_cells import read_time
from annotate.exchange.mturk_results import COLUMNS, Result, write_results
from annotate.models import Answer, Assignment, HostedAssignment, Participation, ResultImport, Slot, Study
from annotate.models.count import GoldCount, HourCount
from annotate.models.count_triggers import count_anew
from annotate.permissions import SYSTEM
from annotate.refusals import Refused
from annotate.services import mturk_store, result_imports
from annotate.services.mturk import ImportedResults, import_results
from annotate.services.pay import Due, give_bonus, record_payment
from annotate.services.result_imports import import_stored, receive_results, store_preview, undo_import
from tests.factories import assert_slots_add_up, do_hit, make_annotator, make_study
from tests.turk import altered, bring_in, result, without_gold

pytestmark = pytest.mark.django_db


def text_of(*results: Result) -> str:
    return "".join(write_results(results))


def uploaded(study: Study, *results: Result, batch: str = "") -> ResultImport:
    data = text_of(*results).encode()
    return receive_results(study, filename="Batch_1.csv", data=[data[:700], data[700:]], batch=batch, user=SYSTEM)


def mixed_results(study: Study) -> list[Result]:
    """Return results with a worker whom the quality rule stops, repeated and surplus HITs, and missing gold."""
    wrong = [result(study, hit, "W3", right=False, number=hit) for hit in (1, 2, 3)]
    return [
        result(study, 1, "W1", number=1),
        result(study, 2, "W1", number=2),
        result(study, 2, "W1", number=3),
        altered(result(study, 1, "W2", number=4), without_gold),
        *wrong,
        result(study, 1, "W4", number=5),
        result(study, 3, "W4", number=6, right=False),
        result(study, 4, "W5", number=7),
    ]


def contents(study: Study) -> dict[str, Any]:
    """Return everything that an import stores, without primary keys and random names."""
    workers = study.participations.filter(annotator__platform="mturk")
    answers = Answer.objects.filter(assignment__study=study).order_by("assignment__external_id", "position")
    fields = ("position", "question__ref", "shown", "value", "seconds", "repeat", "tally", "passed", "always_missed")
    return {
        "workers": sorted(
            workers.values_list("annotator__external_id", "standing", "standing_reason", "graded"), key=str
        ),
        "tallies": {person.annotator.external_id: person.tallies for person in workers.select_related("annotator")},
        "assignments": sorted(
            study.assignments.values_list("external_id", "state", "reason", "credited", "seconds", "submitted_at")
        ),
        "answers": list(answers.values_list("assignment__external_id", *fields)),
        "open": sorted(Slot.objects.filter(study=study, open=1).values_list("place", flat=True)),
        "counts": counts(study),
    }


def counts(study: Study) -> Any:
    figures = ("judgements", "hits", "submitted", "credit", "gold_given", "gold_right")
    hours: dict[Any, list[Any]] = {}
    rows = HourCount.objects.filter(study=study)
    for worker, *numbers in rows.values_list("participation__annotator__external_id", *figures):
        hours[worker] = [a + b for a, b in zip(hours.get(worker, [0] * 6), numbers, strict=True)]
    gold: dict[str, list[int]] = {}
    for ref, *numbers in GoldCount.objects.filter(question__study=study).values_list(
        "question__ref", "given", "missed", "disputed"
    ):
        gold[ref] = [a + b for a, b in zip(gold.get(ref, [0] * 3), numbers, strict=True)]
    return {who: own for who, own in hours.items() if any(own)}, {ref: own for ref, own in gold.items() if any(own)}


def assert_counts_are_true(study: Study) -> None:
    """Assert that the counts of the triggers and of the import are equal to a new count of all rows."""
    before = counts(study)
    count_anew(connection, study.pk)
    assert counts(study) == before


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


def test_two_batches_can_have_the_same_ids_and_two_studies_too() -> None:
    study, other = make_study(items=10, gold=4, judgements=2), make_study(items=10, gold=4)
    first = result(study, 1, "W1", assignment_id="1")
    bring_in(study, first)
    bring_in(other, result(other, 1, "W9", assignment_id="1"))
    second = result(study, 2, "W2", assignment_id="1")
    with pytest.raises(Refused, match="1 assignments have changed") as refused:
        bring_in(study, second)
    assert "enter a name for that batch" in refused.value.message
    file = text_of(second).encode()
    done = import_results(study.pk, file, "second.csv", user=SYSTEM, batch="second server")
    assert (done.assignments, done.known) == (1, 0)
    assert import_results(study.pk, file, "second.csv", user=SYSTEM, batch="second server").known == 1
    assert study.assignments.filter(external_id="1").count() == 2


def change_worker(study: Study, one: Result) -> Result:
    return replace(one, worker_id="W8")


def change_hit(study: Study, one: Result) -> Result:
    return result(study, 2, one.worker_id, assignment_id=one.assignment_id)


def change_answers(study: Study, one: Result) -> Result:
    def swap(answers: list[dict[str, Any]]) -> None:
        value = answers[0]["value"]
        answers[0]["value"] = {"best": value["worst"], "worst": value["best"]}

    return altered(one, swap)


def reject(study: Study, one: Result) -> Result:
    return replace(one, assignment_status="Rejected")


def approve(study: Study, one: Result) -> Result:
    return replace(one, assignment_status="Approved")


@pytest.mark.parametrize(
    ("change", "columns", "left"),
    [
        (change_worker, ["worker"], 2),
        (change_hit, ["HIT", "answers"], 2),
        (change_answers, ["answers"], 2),
        (reject, ["status"], 1),
        (approve, ["status"], 2),
    ],
)
def test_changed_assignments_are_shown_and_taken_or_kept(change: Any, columns: list[str], left: int) -> None:
    study = make_study(items=10, gold=4, judgements=2)
    one, other = result(study, 1, "W1"), result(study, 1, "W2", number=2)
    bring_in(study, one, other)
    before = contents(study)
    changed, new = change(study, one), result(study, 2, "W5", number=3)
    waiting = uploaded(study, changed, other, new)
    preview = store_preview(waiting.pk, user=SYSTEM)
    (shown,) = preview.changes
    assert (shown["assignment"], [each["column"] for each in shown["differences"]]) == (one.assignment_id, columns)
    with pytest.raises(Refused, match="1 assignments have changed"):
        import_stored(waiting.pk, user=SYSTEM)
    assert contents(study) == before
    kept = import_stored(waiting.pk, user=SYSTEM, changes="keep")
    assert (kept.assignments, kept.known, kept.changed, kept.replaced) == (1, 1, 1, 0)
    assert study.events.get(verb="kept a Mechanical Turk assignment").reason.startswith(
        f"Assignment {one.assignment_id}"
    )
    undo_import(waiting.pk, user=SYSTEM)
    taken = import_results(study.pk, text_of(changed, other).encode(), "new.csv", user=SYSTEM, changes="take")
    assert taken.replaced == 1
    assert study.assignments.filter(state="done").count() == left
    again = import_results(study.pk, text_of(changed, other).encode(), "new.csv", user=SYSTEM)
    assert (again.known, again.rejected, again.changed) == (left, 2 - left, 0)
    assert_slots_add_up(study)
    assert_counts_are_true(study)


def test_an_import_without_digests_compares_the_answers_themselves() -> None:
    study = make_study(items=10, gold=4)
    one = result(study, 1, "W1")
    bring_in(study, one)
    HostedAssignment.objects.update(digest="", status="", result_import=None)
    assert bring_in(study, one).known == 1
    with pytest.raises(Refused, match="answers"):
        bring_in(study, change_answers(study, one))


def test_an_undone_import_leaves_nothing_and_can_be_repeated() -> None:
    study = make_study(items=20, gold=8, judgements=2, rule_minimum=2, rule_threshold="0.7")
    bring_in(study, result(study, 4, "W1", number=20), result(study, 5, "W3", number=21))
    before = contents(study)
    waiting = uploaded(study, *mixed_results(study))
    import_stored(waiting.pk, user=SYSTEM)
    after = contents(study)
    assert Participation.objects.get(study=study, annotator__external_id="W3").standing == "stopped"
    assert undo_import(waiting.pk, user=SYSTEM) == 10
    undone = contents(study)
    assert [row[:2] for row in undone["assignments"]] == [row[:2] for row in before["assignments"]]
    for part in ("answers", "open", "counts"):
        assert undone[part] == before[part]
    assert {who: own for who, own in undone["tallies"].items() if who in before["tallies"]} == before["tallies"]
    assert Participation.objects.get(study=study, annotator__external_id="W3").standing == "active"
    with pytest.raises(Refused, match="is not imported"):
        undo_import(waiting.pk, user=SYSTEM)
    import_stored(uploaded(study, *mixed_results(study)).pk, user=SYSTEM)
    again = contents(study)
    for part in ("answers", "open", "counts"):
        assert again[part] == after[part]
    assert_slots_add_up(study)
    assert_counts_are_true(study)


def test_an_import_that_was_paid_or_repeated_is_not_undone() -> None:
    study = make_study(items=10, gold=4, judgements=2)
    first, second = uploaded(study, result(study, 1, "W1")), uploaded(study, result(study, 1, "W1", number=2))
    import_stored(first.pk, user=SYSTEM)
    import_stored(second.pk, user=SYSTEM)
    with pytest.raises(Refused, match=r"same questions again .* A-1-W1-2\. Undo") as refused:
        undo_import(first.pk, user=SYSTEM)
    assert refused.value.code == "answered-again"
    undo_import(second.pk, user=SYSTEM)
    worker = Participation.objects.get(study=study)
    due = Due(worker.pseudonym, Decimal("0.50"), Decimal(0))
    record_payment(study.pk, [due], reference="transfer", paid_on=timezone.now().date(), user=SYSTEM)
    before = contents(study)
    with pytest.raises(Refused, match=rf"already been paid .* {worker.pseudonym}") as refused:
        undo_import(first.pk, user=SYSTEM)
    assert refused.value.code == "paid"
    assert contents(study) == before


def test_only_answers_of_an_import_that_is_being_undone_can_be_deleted() -> None:
    study = make_study(items=10, gold=4)
    bring_in(study, result(study, 1, "W1"))
    answers = Answer.objects.filter(assignment__study=study)
    with pytest.raises(IntegrityError, match="never changes"), transaction.atomic():
        answers._raw_delete(answers.db)


@pytest.mark.django_db(transaction=True)
def test_an_import_that_is_cut_off_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    study = make_study(items=20, gold=8)
    waiting = uploaded(study, *mixed_results(study))
    supply = Study.objects.get(pk=study.pk).supply
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
    assert Study.objects.get(pk=study.pk).supply > supply
    monkeypatch.undo()
    assert import_stored(waiting.pk, user=SYSTEM).assignments == 10


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


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unpack stored files in small parts, so that characters are split between parts."""
    monkeypatch.setattr(result_imports, "BLOCK", 101)


def test_a_researcher_previews_imports_and_undoes_a_file_in_the_console(client: Any) -> None:
    study = make_study(items=10, gold=4, judgements=2)
    client.force_login(study.memberships.get().user)
    home = f"/console/{study.public_id}/results-files/"
    assert home in client.get(f"/console/{study.public_id}/downloads/").content.decode()

    def upload(*results: Result) -> Any:
        file = SimpleUploadedFile("Batch_7.csv", text_of(*results).encode())
        return client.post(home, {"file": file, "batch": ""}, follow=True)

    one = result(study, 1, "W1")
    page = upload(one)
    place = page.redirect_chain[-1][0]
    assert "1 new assignment" in page.content.decode()
    page = client.post(f"{place}import/", follow=True).content.decode()
    assert "Accord imported Batch_7.csv." in page
    assert "1 imported assignment" in page
    changed = upload(change_worker(study, one))
    text, second = changed.content.decode(), changed.redirect_chain[-1][0]
    assert "W8" in text
    assert "Choose what to do" in text
    assert client.post(f"{second}import/").status_code == 422
    assert "Accord imported" in client.post(f"{second}import/", {"changes": "keep"}, follow=True).content.decode()
    page = client.post(f"{place}undo/", follow=True).content.decode()
    assert "The import was undone" in page
    assert not study.assignments.exists()
    faulty = upload(replace(one, answers={"answers": "[]"}), result(study, 2, "W2"))
    assert "Assignments whose answers cannot be read" in faulty.content.decode()
    third = faulty.redirect_chain[-1][0]
    assert "Nothing was imported" in client.post(f"{third}import/").content.decode()
    assert "deleted the contents" in client.post(f"{third}discard/", follow=True).content.decode()
    other = make_study(items=10, gold=4)
    wrong = upload(result(other, 1, "W1")).content.decode()
    assert "line 2, column Input.study" in wrong
    assert "Undone" in client.get(home).content.decode()


def rows_of(response: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))


def test_results_of_any_study_are_written_in_the_format_of_the_host(client: Any) -> None:
    study = make_study(items=20, gold=8, judgements=2, rule_minimum=2, rule_threshold="0.7")
    imported = [replace(one, hit_id="3HIT") for one in mixed_results(study)]
    bring_in(study, replace(imported[0], assignment_status="Approved"), *imported[1:])
    do_hit(make_annotator(study))
    worker = study.participations.get(annotator__external_id="W2")
    give_bonus(study.pk, worker.pseudonym, amount=Decimal("1.50"), reason="Thanks.", user=SYSTEM)
    Assignment.objects.filter(external_id=imported[-1].assignment_id).update(credited=False)
    client.force_login(study.memberships.get().user)
    home = f"/console/{study.public_id}/host-files/"
    written = {row["AssignmentId"]: row for row in rows_of(client.get(f"{home}decisions.csv"))}
    first = written[imported[0].assignment_id]
    assert list(first) == [*COLUMNS, "Input.study", "Input.hit", "Answer.answers", "Approve", "Reject"]
    assert (first["WorkerId"], first["HITId"], first["Reward"]) == ("W1", "3HIT", "$0.5000")
    assert (first["Approve"], first["Reject"]) == ("", "")
    assert written[imported[1].assignment_id]["Approve"] == "x"
    assert written[imported[-1].assignment_id]["Reject"].startswith("The study does not pay")
    for one in imported:
        sent, stored = json.loads(one.answers["answers"]), json.loads(written[one.assignment_id]["Answer.answers"])
        for before, after in zip(sent, stored, strict=True):
            # A position without its gold question moves up, and repeated gold questions have no feedback.
            assert before | {name: after[name] for name in ("position", "feedback")} == after
        if one.worker_id == "W1":
            assert stored == sent
        assert read_time(written[one.assignment_id]["SubmitTime"]) == one.submit_time
    assert len(written) == 11
    open_to_all = rows_of(client.get(f"{home}mturk-results.csv"))
    names = set(study.participations.values_list("pseudonym", flat=True))
    assert {row["WorkerId"] for row in open_to_all} <= names
    assert {row["Approve"] + row["Reject"] for row in open_to_all} == {""}
    stopped = rows_of(client.get(f"{home}exclude.csv"))
    assert {row["WorkerId"] for row in stopped} == {"W3", "W4"}
    assert all("below the pass mark" in row["Reason"] for row in stopped)
    assert {row["WorkerId"] for row in rows_of(client.get(f"{home}qualify.csv"))} == {"W1", "W2", "W5"}
    (bonus,) = rows_of(client.get(f"{home}bonuses.csv"))
    assert bonus == {
        "WorkerId": "W2",
        "AssignmentId": imported[3].assignment_id,
        "BonusAmount": "1.5",
        "Reason": "Thanks.",
    }
    assert client.get(f"{home}other.csv").status_code == 404
