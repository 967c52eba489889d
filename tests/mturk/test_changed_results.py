"""Tests of imported assignments that change in a later file, and of imports that are undone."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.utils import timezone

from accord_core.exchange.mturk_results import Result
from annotate.core.permissions import SYSTEM
from annotate.models import Answer, Participation, Study
from annotate.mturk.services import result_imports
from annotate.mturk.services.batches import import_results
from annotate.mturk.services.result_imports import import_stored, store_preview, undo_import
from annotate.pay.services import Due, record_payment
from annotate.server.refusals import Refused
from tests.factories import assert_slots_add_up, make_study
from tests.mturk.imported_results import assert_counts_are_true, contents, mixed_results, text_of, uploaded
from tests.mturk.turk import altered, bring_in, result

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unpack stored files in small parts, so that characters are split between parts."""
    monkeypatch.setattr(result_imports, "BLOCK", 101)


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


@pytest.mark.nightly
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
    with pytest.raises(Refused, match="1 assignment has changed"):
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


@pytest.mark.nightly
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
    with pytest.raises(Refused, match="has not been imported"):
        undo_import(waiting.pk, user=SYSTEM)
    import_stored(uploaded(study, *mixed_results(study)).pk, user=SYSTEM)
    again = contents(study)
    for part in ("answers", "open", "counts"):
        assert again[part] == after[part]
    assert_slots_add_up(study)
    assert_counts_are_true(study)


@pytest.mark.nightly
def test_an_import_that_was_paid_or_repeated_is_not_undone() -> None:
    study = make_study(items=10, gold=4, judgements=2)
    first, second = uploaded(study, result(study, 1, "W1")), uploaded(study, result(study, 1, "W1", number=2))
    import_stored(first.pk, user=SYSTEM)
    import_stored(second.pk, user=SYSTEM)
    with pytest.raises(Refused, match=r"these questions again .* A-1-W1-2\. Undo") as refused:
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


@pytest.mark.nightly
def test_a_researcher_previews_imports_and_undoes_a_file_in_the_console(client: Any) -> None:
    study = make_study(items=10, gold=4, judgements=2)
    client.force_login(study.memberships.get().user)
    home = f"/console/{study.public_id}/results-files/"
    assert home in client.get(f"/console/{study.public_id}/recruit/").content.decode()

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
