"""Tests of rule 7: graded and submitted answers, log entries, consent texts and reports cannot be changed
or deleted.
"""

import pytest
from django.db import connection
from django.db.models import ProtectedError
from django.utils import timezone

from annotate.core.permissions import SYSTEM
from annotate.core.services.answer import acknowledge, give_answer
from annotate.core.services.claim import claim
from annotate.core.services.standing import restore, stop
from annotate.core.services.submit import submit
from annotate.models import Annotator, Answer, Consent, Event, Participation, Report, installed_triggers
from annotate.people.services import remove_personal_data
from annotate.questions.selectors.data import study_data
from annotate.recruiting.services.join import accept_consent, issue_resume_code, join, resume
from annotate.server.refusals import Refused
from annotate.studies.services.settings import write_consent
from tests.factories import (
    UserFactory,
    answers_to,
    do_hit,
    gold_in,
    make_annotator,
    make_study,
    member_of,
    raw_answer,
    take,
)

pytestmark = [pytest.mark.rules, pytest.mark.django_db]

FINAL = r"graded or submitted answer never changes"
CHANGES = [
    {"value": {"best": "i1", "worst": "i2"}},
    {"value": None, "given_at": None},
    {"given_at": timezone.now()},
    {"tally": {"right": 1, "wrong": 0}},
    {"tally": {}},
    {"passed": True},
    {"shown": ["another order"]},  # which no shuffle gives
    {"trace": [{"value": "another"}]},
    {"seconds": 1.0},
    {"position": 77},
]


@pytest.fixture(scope="module")
def shared_missed(share):
    return share(make_missed)


@pytest.fixture
def missed(shared_missed, db):
    return Answer.objects.get(pk=shared_missed.pk)


@pytest.fixture(scope="module")
def shared_submitted(share):
    return share(make_submitted)


@pytest.fixture
def submitted(shared_submitted, db):
    return Answer.objects.get(pk=shared_submitted.pk)


def make_missed():
    """Return a missed gold answer in a HIT that has not been submitted."""
    ann = make_annotator(make_study(gold=4))
    mine = take(ann)
    gold = gold_in(mine)[0]
    give_answer(ann.pk, mine.public_id, gold.position, raw_answer(gold, right=False), seconds=9.0)
    return Answer.objects.get(pk=gold.pk)


def make_submitted():
    """Return the answer to a regular question in a submitted HIT."""
    ann = make_annotator(make_study())
    mine = take(ann)
    submit(ann.pk, mine.public_id, answers_to(mine))
    return mine.answers.order_by("position").first()


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: "-".join(change))
def test_a_graded_answer_is_final_at_once(refuses, missed, change):
    assert any(getattr(missed, name) != value for name, value in change.items()), "a change that changes nothing"
    with refuses(FINAL):
        Answer.objects.filter(pk=missed.pk).update(**change)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: "-".join(change))
@pytest.mark.parametrize("state", ["done", "surplus", "void"])
def test_a_submitted_answer_is_final_whatever_became_of_its_hit(refuses, submitted, change, state):
    assignment = submitted.assignment
    type(assignment).objects.filter(pk=assignment.pk).update(state=state)
    with refuses(FINAL):
        Answer.objects.filter(pk=submitted.pk).update(**change)


@pytest.mark.parametrize("link", ["question", "assignment", "participation"])
def test_a_final_answer_cannot_be_moved(refuses, submitted, link):
    study = submitted.assignment.study
    other = take(make_annotator(study))
    elsewhere = {
        "assignment": other,
        "participation": other.participation,
        "question": other.answers.first().question,
    }
    with refuses(FINAL):
        Answer.objects.filter(pk=submitted.pk).update(**{link: elsewhere[link]})


def test_final_answers_cannot_be_deleted(refuses, missed, submitted):
    for answer in (missed, submitted):
        with refuses(FINAL):
            Answer.objects.filter(pk=answer.pk).delete()
        with refuses(FINAL), connection.cursor() as cursor:
            cursor.execute("DELETE FROM annotate_answer WHERE id = %s", [answer.pk])


def test_what_may_be_said_of_a_final_answer_later_can_be(missed):
    mine = missed.assignment
    acknowledge(missed.participation_id, mine.public_id, missed.position, disputed=True, note="I see it differently.")
    missed.refresh_from_db()
    assert missed.disputed


def test_answers_of_a_hit_in_hand_can_still_be_changed():
    mine = take(make_annotator(make_study()))
    give_answer(mine.participation_id, mine.public_id, 1, {"best": 1, "worst": 2})
    give_answer(mine.participation_id, mine.public_id, 1, {"best": 2, "worst": 1})
    assert len(mine.answers.get(position=1).trace) == 1


def test_whatever_answers_hang_from_cannot_be_deleted(submitted):
    assignment = submitted.assignment
    for thing in (assignment, assignment.participation, assignment.participation.annotator, submitted.question):
        with pytest.raises(ProtectedError):
            thing.delete()


def test_every_trigger_is_there():
    assert installed_triggers.differences(connection) == []


def test_the_log_is_append_only(refuses):
    study = make_study()
    assert Event.objects.filter(study=study).exists()
    with refuses("append-only"):
        Event.objects.filter(study=study).update(reason="nothing happened")
    with refuses("append-only"):
        Event.objects.filter(study=study).delete()


def test_a_report_never_changes_and_stays(refuses):
    report = make_study().design
    with refuses("report never changes"):
        Report.objects.filter(pk=report.pk).update(result={"reliability": 0.99})
    with refuses("report never changes"):
        Report.objects.filter(pk=report.pk).update(seed=7)
    with refuses("report never changes"), connection.cursor() as cursor:
        cursor.execute("DELETE FROM annotate_report WHERE id = %s", [report.pk])


def test_a_consent_text_never_changes_and_a_new_wording_is_a_new_version(refuses):
    study = make_study(consent="I agree.")
    first = study.consents.get()
    with refuses("consent text never changes"):
        Consent.objects.filter(pk=first.pk).update(text="I agree to more.")
    with refuses("consent text never changes"):
        Consent.objects.filter(pk=first.pk).delete()
    user = study.members.get()
    assert write_consent(study.pk, "I agree.", user=user) == first, "the same wording is the same version"
    assert write_consent(study.pk, "I agree to more.", user=user).version == 2


def test_everyone_is_asked_anew_when_the_consent_text_changes_and_the_version_is_kept():
    study = make_study(consent="I agree.")
    ann = make_annotator(study)
    do_hit(ann)
    first = study.consents.get()
    second = write_consent(study.pk, "I agree to more.", user=study.members.get())
    with pytest.raises(Refused, match="Accept the current consent text") as refused:
        claim(ann.pk)
    assert (refused.value.code, refused.value.status) == ("consent", 403)
    with pytest.raises(Refused, match="Read the current version"):
        accept_consent(ann.pk, first.pk, eligible=True)
    accept_consent(ann.pk, second.pk, eligible=True)
    assert claim(ann.pk).assignment
    accepted = Event.objects.filter(verb="consented", participation=ann).order_by("pk")
    assert [event.detail["version"] for event in accepted] == [1, 2]
    ann.refresh_from_db()
    assert (ann.consent, ann.consented_at is not None) == (second, True)


def test_answers_count_or_do_not_with_the_reason():
    study = make_study(gold=8, judgements=2, pilot_hits=1, pilot_counts=False)
    ann = make_annotator(study)
    for _ in range(2):
        do_hit(ann)
    stopped = make_annotator(study)
    do_hit(stopped)
    stop(stopped.pk, reason="random clicks", user=SYSTEM)
    trying = make_annotator(study, platform="try")
    do_hit(trying)
    rows = study_data(study).answers
    reasons = {(row.pseudonym, row.hit): row.reason for row in rows if row.kind == "regular"}
    assert reasons == {(ann.pseudonym, 1): "pilot", (ann.pseudonym, 2): "", (stopped.pseudonym, 1): "void: stopped"}
    assert {row.reason for row in rows if row.kind == "gold"} == {"gold"}
    assert all(row.counts == (row.reason == "") for row in rows)


def test_answers_survive_stopping_and_restoring_unchanged():
    study = make_study()
    ann, user = make_annotator(study), member_of(study)
    do_hit(ann)
    before = list(ann.answers.order_by("pk").values())
    stop(ann.pk, reason="by mistake", user=user)
    restore(ann.pk, reason="by mistake", user=user)
    assert list(ann.answers.order_by("pk").values()) == before


def test_taking_a_persons_data_out_leaves_answers_under_pseudonyms():
    owner = UserFactory()
    studies = [make_study(user=owner), make_study(user=owner)]
    one, two = (
        join(study, platform=Annotator.Platform.PROLIFIC, external_id="5f3a9", contact="ann@example.org")
        for study in studies
    )
    assert one.annotator_id != two.annotator_id
    assert one.pseudonym != two.pseudonym
    do_hit(one)
    code = issue_resume_code(one.pk).code
    answers = list(Answer.objects.filter(participation=one).order_by("pk").values())
    assert remove_personal_data(one.annotator_id, user=owner, reason="asked for it") == 2
    assert list(Answer.objects.filter(participation=one).order_by("pk").values()) == answers
    assert not Annotator.objects.filter(external_id__contains="5f3a9").exists()
    assert not Annotator.objects.exclude(contact="").exists()
    with pytest.raises(Refused, match="This code is unknown"):
        resume(code)
    assert Event.objects.filter(verb="removed personal data", reason="asked for it").count() == 2
    assert Participation.objects.get(pk=one.pk).pseudonym == one.pseudonym
    again = join(studies[0], platform=Annotator.Platform.PROLIFIC, external_id="5f3a9")
    assert again.annotator_id != one.annotator_id


def test_pseudonyms_are_one_of_a_kind_in_a_study(refuses):
    study = make_study()
    ann, other = make_annotator(study), make_annotator(study)
    with refuses("pseudonym"):
        Participation.objects.filter(pk=other.pk).update(pseudonym=ann.pseudonym)
    with refuses("annotator"):
        Participation.objects.filter(pk=other.pk).update(annotator=ann.annotator)
