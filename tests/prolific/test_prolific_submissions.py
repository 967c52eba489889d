"""Submissions on Prolific: matching, next steps, imports with preview and undo, rejections, lists and payments."""

from collections.abc import Callable
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from django.core.files.uploadedfile import SimpleUploadedFile

from annotate.commands.study import group
from annotate.core.permissions import SYSTEM
from annotate.core.services.standing import stop
from annotate.models import (
    Annotator,
    BonusList,
    Participation,
    ProlificSettings,
    ProlificSubmission,
    ReportedSubmission,
    Study,
    SubmissionImport,
)
from annotate.pay.selectors.balances import balances
from annotate.pay.services import give_bonus, undo_payment
from annotate.people.selectors.own_data import own_data
from annotate.people.services import remove_identities
from annotate.prolific.advice import Match, Step
from annotate.prolific.selectors.files import APPROVE, BONUSES, REJECT, SUBMISSIONS, write_file
from annotate.prolific.selectors.submissions import SubmissionRow, submission_rows
from annotate.prolific.services.bonuses import cancel_bonus_list, confirm_bonus_list, create_bonus_list, record_approved
from annotate.prolific.services.imports import import_file, undo_import
from annotate.prolific.services.rejections import mark_rejection, unmark_rejection
from annotate.server.refusals import Refused
from tests.console_study import browser_of, page_of
from tests.factories import do_hit, make_annotator, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db

HEADER = "Submission id,Participant id,Status,Started at,Completion code\n"
MESSAGE = "The submission contains no answers at all, although the completion code was entered. " * 2


def make() -> SimpleNamespace:
    """Return a study with three participants: Ann has submitted one HIT, Ben two, and Cy none."""
    study = make_study(items=8, judgements=2, recruitment="prolific", reward=Decimal("1.50"))
    ProlificSettings.objects.filter(study=study).update(hits_per_submission=None)
    people = {}
    for name, hits in (("ann", 1), ("ben", 2), ("cy", 0)):
        person = make_annotator(study, platform=Annotator.Platform.PROLIFIC)
        Annotator.objects.filter(pk=person.annotator_id).update(external_id=f"p{name}")
        ProlificSubmission.objects.create(
            study=study, participation=person, participant_id=f"p{name}", submission_id=f"s{name}"
        )
        for _ in range(hits):
            do_hit(person)
        people[name] = person
    return SimpleNamespace(study=study, **people)


@pytest.fixture(scope="module")
def shared(share: Callable[..., SimpleNamespace]) -> SimpleNamespace:
    return share(make)


@pytest.fixture
def study(shared: SimpleNamespace) -> Study:
    return Study.objects.get(pk=shared.study.pk)


def export(**statuses: str) -> bytes:
    """Return an export in which these participants have these statuses, each with an optional code after a slash."""
    rows = []
    for name, value in statuses.items():
        status, _, code = value.partition("/")
        rows.append(f"s{name},p{name},{status},2026-11-20T10:00:00Z,{code}\n")
    return (HEADER + "".join(rows)).encode()


def imported(study: Study, **statuses: str) -> SubmissionImport | None:
    return import_file(study.pk, export(**statuses), "export.csv", user=SYSTEM)[1]


def rows_of(study: Study) -> dict[str, SubmissionRow]:
    return {row.participant_id.removeprefix("p"): row for row in submission_rows(study)}


def text_of(study: Study, filename: str) -> str:
    return "".join(write_file(study, filename))


def test_submissions_are_matched_and_each_has_a_next_step(study: Study, django_assert_max_num_queries: Any) -> None:
    imported(
        study,
        ann="AWAITING REVIEW/NOCODE",
        ben="TIMED-OUT",
        cy="AWAITING REVIEW/C1",
        dan="AWAITING REVIEW",
        eve="ACTIVE",
    )
    with django_assert_max_num_queries(12):
        rows = rows_of(study)
    assert {name: (row.match, row.step) for name, row in rows.items()} == {
        "ann": (Match.SUBMISSION, Step.APPROVE),
        "ben": (Match.SUBMISSION, Step.BONUS),
        "cy": (Match.SUBMISSION, Step.CONTACT),
        "dan": (Match.NOT_IN_ACCORD, Step.CONTACT),
        "eve": (Match.NOT_IN_ACCORD, Step.WAIT),
    }
    assert (rows["ann"].hits, rows["ann"].due) == (1, 0), "Prolific pays the reward by approval"
    assert (rows["ben"].hits, rows["ben"].due) == (2, Decimal("3.00")), "a timed-out submission is never approved"
    assert "no code" in rows["ann"].instruction
    assert rows["ann"].seconds == 12.5, "five answers of 2.5 seconds"


@pytest.mark.parametrize(
    ("failed_gold", "step"),
    [(ProlificSettings.FailedGold.PAY, Step.APPROVE), (ProlificSettings.FailedGold.RETURN, Step.ASK_RETURN)],
)
def test_a_stopped_participant_is_paid_or_asked_to_return_but_never_rejected(
    study: Study, shared: SimpleNamespace, failed_gold: str, step: Step
) -> None:
    ProlificSettings.objects.filter(study=study).update(failed_gold=failed_gold)
    stop(shared.ann.pk, reason="too many errors", user=SYSTEM)
    imported(study, ann="AWAITING REVIEW/C1")
    assert rows_of(study)["ann"].step == step
    assert text_of(study, REJECT) == ""


@pytest.mark.parametrize(
    ("outcome", "status", "step"),
    [
        ("no_consent", "AWAITING REVIEW/C2", Step.ASK_RETURN),
        ("screened_out", "AWAITING REVIEW/C3", Step.ASK_RETURN),
        ("screened_out", "SCREENED OUT/C3", Step.NONE),
        ("", "AWAITING REVIEW/NOCODE", Step.ASK_RETURN),
        ("", "RETURNED", Step.NONE),
        ("completed", "ACTIVE", Step.CONTACT),
        ("", "REJECTED", Step.NONE),
    ],
)
def test_the_next_step_depends_on_the_outcome(study: Study, outcome: str, status: str, step: Step) -> None:
    ProlificSubmission.objects.filter(submission_id="scy").update(outcome=outcome)
    imported(study, cy=status)
    assert rows_of(study)["cy"].step == step


def test_a_participant_who_is_still_working_is_not_contacted(study: Study) -> None:
    imported(study, ann="ACTIVE", ben="ACTIVE")
    ProlificSubmission.objects.filter(submission_id="sben").update(outcome="completed")
    assert [rows_of(study)[name].step for name in ("ann", "ben")] == [Step.WAIT, Step.CONTACT]


def test_a_participant_ID_matches_where_the_link_had_no_submission_ID(study: Study, shared: SimpleNamespace) -> None:
    ProlificSubmission.objects.filter(participation=shared.ann).update(submission_id="")
    ProlificSubmission.objects.filter(participation=shared.ben).delete()
    imported(study, ann="AWAITING REVIEW/C1", ben="AWAITING REVIEW/C1")
    rows = rows_of(study)
    assert (rows["ann"].match, rows["ben"].match) == (Match.PARTICIPANT, Match.PARTICIPANT)
    assert rows["ben"].participation == shared.ben
    assert rows["cy"].match == Match.NOT_ON_PROLIFIC


def test_a_borrowed_participant_ID_is_not_approved(study: Study) -> None:
    ProlificSubmission.objects.filter(submission_id="sann").update(participant_id="pcy")
    imported(study, ann="AWAITING REVIEW/C1")
    row = next(row for row in submission_rows(study) if row.submission_id == "sann")
    assert (row.match, row.step) == (Match.CONFLICT, Step.CONTACT)
    assert text_of(study, APPROVE) == ""


def test_hits_belong_to_the_submission_in_which_they_were_submitted(study: Study, shared: SimpleNamespace) -> None:
    later = ProlificSubmission.objects.create(
        study=study, participation=shared.ben, participant_id="pben", submission_id="sben2"
    )
    second = shared.ben.assignments.order_by("-submitted_at").first()
    ProlificSubmission.objects.filter(pk=later.pk).update(arrived_at=second.submitted_at)
    data = export(ben="APPROVED/C1") + b"sben2,pben,RETURNED,2026-11-20T11:00:00Z,\n"
    import_file(study.pk, data, "export.csv", user=SYSTEM)
    rows = {row.submission_id: row for row in submission_rows(study)}
    assert {name: (rows[name].hits, rows[name].due) for name in ("sben", "sben2")} == {
        "sben": (1, Decimal(0)),
        "sben2": (1, Decimal("1.50")),
    }


def test_the_same_file_twice_changes_nothing_and_an_import_can_be_undone(study: Study) -> None:
    first = imported(study, ann="ACTIVE", ben="ACTIVE")
    second = imported(study, ann="AWAITING REVIEW/C1", ben="ACTIVE", dan="RETURNED")
    assert first
    assert second
    assert (second.added, second.changed, second.unchanged) == (1, 1, 1)
    again = imported(study, ann="AWAITING REVIEW/C1", ben="ACTIVE", dan="RETURNED")
    assert again
    assert (again.pk, again.unchanged) == (None, 3)
    assert study.submission_imports.count() == 2
    with pytest.raises(Refused, match="Only the latest import can be undone"):
        undo_import(study.pk, first.public_id, user=SYSTEM)
    undo_import(study.pk, second.public_id, user=SYSTEM)
    statuses = dict(study.reported_submissions.values_list("submission_id", "status"))
    assert statuses == {"sann": "ACTIVE", "sben": "ACTIVE"}
    assert study.reported_submissions.get(submission_id="sann").code == ""
    undo_import(study.pk, first.public_id, user=SYSTEM)
    assert not study.reported_submissions.exists()
    with pytest.raises(Refused) as refused:
        undo_import(study.pk, first.public_id, user=SYSTEM)
    assert refused.value.code == "unknown"


def test_a_dry_run_and_a_faulty_file_change_nothing(study: Study) -> None:
    plan, stored = import_file(study.pk, export(ann="ACTIVE", dan="ACTIVE"), "e.csv", user=SYSTEM, dry_run=True)
    assert (len(plan.added), plan.unmatched, stored) == (2, 1, None)
    with pytest.raises(Refused, match="Nothing was imported") as refused:
        import_file(study.pk, export(ann="ACTIVE", ben="GONE"), "e.csv", user=SYSTEM)
    assert refused.value.fields["line 3, column Status"]
    imported(study, ann="ACTIVE")
    with pytest.raises(Refused, match="already belongs to participant pann") as refused:
        import_file(study.pk, HEADER.encode() + b"sann,other,ACTIVE,,\n", "e.csv", user=SYSTEM)
    assert refused.value.code == "conflict"
    assert study.reported_submissions.count() == 1


def test_only_a_person_rejects_and_only_with_a_reason_that_prolific_accepts(study: Study) -> None:
    imported(study, ann="AWAITING REVIEW/C1", ben="APPROVED/C1", cy="AWAITING REVIEW/C1")
    sent = {"category": "NO_DATA", "participant_message": MESSAGE, "user": SYSTEM}
    for wrong in ({"category": "BAD_GOLD"}, {"participant_message": "Too short."}):
        with pytest.raises(Refused) as refused:
            mark_rejection(study.pk, "sann", **sent | wrong)
        assert list(refused.value.fields) == list(wrong)
    with pytest.raises(Refused, match="only submissions that are awaiting review"):
        mark_rejection(study.pk, "sben", **sent)
    assert text_of(study, APPROVE) == "pann\n"
    mark_rejection(study.pk, "sann", **sent)
    assert (text_of(study, APPROVE), text_of(study, REJECT)) == ("", "pann\n")
    unmark_rejection(study.pk, "sann", user=SYSTEM)
    assert (text_of(study, APPROVE), text_of(study, REJECT)) == ("pann\n", "")


def test_each_amount_is_in_one_bonus_list_and_is_paid_once(study: Study, shared: SimpleNamespace) -> None:
    give_bonus(study.pk, shared.ann.pseudonym, amount=Decimal("0.40"), reason="thorough", user=SYSTEM)
    imported(study, ann="APPROVED/C1", ben="RETURNED", cy="RETURNED")
    bonuses = create_bonus_list(study.pk, user=SYSTEM)
    assert sorted(text_of(study, BONUSES).splitlines()) == ["pann,0.40", "pben,3.00"]
    with pytest.raises(Refused) as refused:
        create_bonus_list(study.pk, user=SYSTEM)
    assert refused.value.code == "nothing-due"
    assert rows_of(study)["ben"].instruction == "The amount owed is in a bonus list that is not paid yet."
    cancel_bonus_list(study.pk, bonuses.number, user=SYSTEM)
    second = create_bonus_list(study.pk, user=SYSTEM)
    assert second.shares.count() == 2
    assert confirm_bonus_list(study.pk, second.number, user=SYSTEM).state == BonusList.State.PAID
    for action in (confirm_bonus_list, cancel_bonus_list):
        with pytest.raises(Refused) as refused:
            action(study.pk, second.number, user=SYSTEM)
        assert refused.value.code == "state"
    money = balances(study)
    assert (money[shared.ben.pk].owed, money[shared.ann.pk].owed) == (0, Decimal("1.50"))
    assert not any(row.due for row in submission_rows(study))


def test_rewards_paid_by_approval_are_recorded_once_and_an_undone_payment_is_not_offered_as_bonus(
    study: Study, shared: SimpleNamespace
) -> None:
    give_bonus(study.pk, shared.ann.pseudonym, amount=Decimal("0.40"), reason="thorough", user=SYSTEM)
    imported(study, ann="APPROVED/C1", ben="APPROVED/C1")
    payment = record_approved(study.pk, user=SYSTEM)
    money = balances(study)
    assert (money[shared.ann.pk].owed, money[shared.ben.pk].owed) == (Decimal("0.40"), 0)
    assert rows_of(study)["ann"].due == Decimal("0.40")
    with pytest.raises(Refused) as refused:
        record_approved(study.pk, user=SYSTEM)
    assert refused.value.code == "nothing-due"
    undo_payment(study.pk, payment.number, reason="wrong study", user=SYSTEM)
    assert [rows_of(study)[name].due for name in ("ann", "ben")] == [Decimal("0.40"), 0]
    record_approved(study.pk, user=SYSTEM)
    assert balances(study)[shared.ben.pk].owed == 0


def test_participants_can_download_what_prolific_has_reported(study: Study, shared: SimpleNamespace) -> None:
    imported(study, ann="AWAITING REVIEW/C1", ben="RETURNED")
    (reported,) = own_data(Participation.objects.get(pk=shared.ann.pk))["reported_by_prolific"]
    assert (reported["submission_id"], reported["status"]) == ("sann", "AWAITING REVIEW")


def test_the_command_exports_the_lists_of_studies_on_prolific_only(study: Study) -> None:
    imported(study, ann="AWAITING REVIEW/C1", ben="APPROVED/C1")

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(group, ["export", study.public_id, *arguments])
        return result.stdout + result.stderr

    assert run(APPROVE) == "pann\n"
    assert "Error: This study has no unpaid bonus list." in run(BONUSES)
    assert APPROVE in run()
    Study.objects.filter(pk=study.pk).update(recruitment=Study.Recruitment.LINKS)
    assert APPROVE not in run()
    assert f"The file {APPROVE} does not exist." in run(APPROVE)


def test_removing_personal_data_deletes_reported_submissions(study: Study, shared: SimpleNamespace) -> None:
    first = imported(study, ann="ACTIVE", ben="ACTIVE")
    remove_identities(Annotator.objects.filter(participations=shared.ann))
    assert list(study.reported_submissions.values_list("submission_id", flat=True)) == ["sben"]
    assert first
    with pytest.raises(Refused):
        undo_import(study.pk, first.public_id, user=SYSTEM)
    assert "sann" not in str(list(SubmissionImport.objects.values_list("before", "rows")))


@pytest.mark.nightly
def test_the_page_previews_imports_and_offers_lists(study: Study, shared: SimpleNamespace) -> None:
    client = browser_of(study)
    assert "Prolific submissions" in markup(client.get(page_of(study, "recruit/")))
    empty = markup(client.get(page_of(study, "submissions/")))
    assert "Not reported" in empty
    wrong = client.post(page_of(study, "submissions/upload/"), {"file": SimpleUploadedFile("e.csv", b"a,b\n1,2\n")})
    assert wrong.status_code == 422
    assert "the file has no column Submission id or Participant id or Status" in markup(wrong)
    data = export(ann="AWAITING REVIEW/C1", ben="RETURNED", dan="ACTIVE")
    sent = client.post(page_of(study, "submissions/upload/"), {"file": SimpleUploadedFile("e.csv", data)})
    preview = markup(client.get(sent["Location"]))
    assert "The import adds 3 submissions and changes 0 submissions" in preview
    assert "1 submission in the file cannot be matched" in preview
    assert not study.reported_submissions.exists()
    client.post(f"{sent['Location']}import/")
    page = markup(client.get(page_of(study, "submissions/")))
    assert "Approve: 1 participant ID" in page
    assert "Bonuses due on Prolific: $3.00 to 1 participant." in page
    assert "Undo this import" in page
    assert "pdan" not in markup(client.get(page_of(study, "submissions/?show=approve")))
    approve = client.get(page_of(study, f"submissions/files/{APPROVE}"))
    assert b"".join(approve.streaming_content) == b"pann\n"  # type: ignore[attr-defined]
    client.post(page_of(study, "submissions/bonuses/"))
    bonuses = client.get(page_of(study, "submissions/bonuses/1.csv"))
    assert b"".join(bonuses.streaming_content) == b"pben,3.00\n"  # type: ignore[attr-defined]
    client.post(page_of(study, "submissions/sann/reject/"), {"category": "NO_DATA", "participant_message": MESSAGE})
    page = markup(client.get(page_of(study, "submissions/")))
    assert "Marked for rejection: NO_DATA" in page
    assert "Not paid yet" in page
    client.post(page_of(study, "submissions/bonuses/1/paid/"))
    assert "Payment 1" in markup(client.get(page_of(study, "submissions/")))
    assert "sann,pann" in text_of(study, SUBMISSIONS)
    assert ReportedSubmission.objects.get(submission_id="sann").rejected_by is not None
    assert Participation.objects.filter(pk=shared.ann.pk).exists()
