"""Tests of the removal of personal data: the removed and the remaining data, the affected studies, and the log."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotate.models import (
    Annotator,
    Event,
    Membership,
    Participation,
    ProlificSubmission,
    ReportedSubmission,
    Study,
    User,
)
from annotate.people.services import remove_expired_personal_data, remove_personal_data
from annotate.recruiting.services.join import issue_resume_code, join
from annotate.server import clock
from annotate.server.refusals import Refused
from tests.factories import MembershipFactory, UserFactory, do_hit, make_annotator, make_study

pytestmark = pytest.mark.django_db

PLATFORMS = (Annotator.Platform.MTURK, Annotator.Platform.PROLIFIC)


@pytest.fixture
def owner() -> User:
    return UserFactory()


def person_in(study: Study, platform: str = Annotator.Platform.MTURK) -> Participation:
    return join(study, platform=platform, external_id="A1B2C3", contact="ann@example.org")


def known(person: Participation) -> bool:
    """Return whether any data still identifies the person."""
    person.refresh_from_db()
    annotator = Annotator.objects.get(pk=person.annotator_id)
    return bool(annotator.external_id or annotator.contact or person.resume_hash)


def test_platform_id_contact_and_resume_code_go(owner: User) -> None:
    person = person_in(make_study(user=owner))
    issue_resume_code(person.pk)
    assert remove_personal_data(person.annotator_id, user=owner, reason="asked for it") == 1
    assert not known(person)


def test_nothing_that_names_the_person_is_left_in_the_log(owner: User) -> None:
    person = person_in(make_study(user=owner))
    do_hit(person)
    remove_personal_data(person.annotator_id, user=owner, reason="asked for it")
    for event in Event.objects.all():
        assert "A1B2C3" not in str(event.detail) + event.reason
        assert "ann@example.org" not in str(event.detail) + event.reason


def test_others_are_left_alone_and_results_stay_the_same(owner: User) -> None:
    study = make_study(judgements=2, user=owner)
    person, other = make_annotator(study), make_annotator(study)
    do_hit(person)
    before = Annotator.objects.values().get(pk=other.annotator_id)
    done = study.assignments.filter(state="done").count()
    remove_personal_data(person.annotator_id, user=owner, reason="asked for it")
    assert Annotator.objects.values().get(pk=other.annotator_id) == before
    assert study.assignments.filter(state="done").count() == done


def test_erasing_twice_is_harmless(owner: User) -> None:
    person = make_annotator(make_study(user=owner))
    for _ in range(2):
        assert remove_personal_data(person.annotator_id, user=owner, reason="asked for it") == 1


def test_erased_annotators_do_not_become_one_person(owner: User) -> None:
    """Their empty IDs are equal, and equal IDs mean one person only if they are not empty."""
    study = make_study(user=owner)
    first, second = (
        join(study, platform=Annotator.Platform.MTURK, external_id=name, contact="x@example.org") for name in "AB"
    )
    remove_personal_data(first.annotator_id, user=owner, reason="asked for it")
    assert remove_personal_data(first.annotator_id, user=owner, reason="asked again") == 1
    assert known(second)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_same_person_in_anothers_study_is_out_of_reach(owner: User, platform: str) -> None:
    theirs = person_in(make_study(), platform)
    mine = person_in(make_study(user=owner), platform)  # the attack: join one's own study with another person's ID
    assert remove_personal_data(mine.annotator_id, user=owner, reason="attack") == 1
    assert not known(mine)
    assert known(theirs)
    assert not theirs.events.filter(verb="removed personal data").exists()


def test_all_studies_that_the_user_manages_are_reached(owner: User) -> None:
    first, second, third = make_study(user=owner), make_study(user=owner), make_study()
    MembershipFactory(study=third, user=owner, role=Membership.Role.MANAGER)
    people = [person_in(study) for study in (first, second, third)]
    assert remove_personal_data(people[0].annotator_id, user=owner, reason="asked for it") == 3
    assert not any(known(person) for person in people)


@pytest.mark.parametrize("role", [Membership.Role.VIEWER, Membership.Role.REVIEWER, None])
def test_who_does_not_manage_the_study_erases_nobody(owner: User, role: str | None) -> None:
    study = make_study()
    if role:
        MembershipFactory(study=study, user=owner, role=role)
    person = person_in(study)
    with pytest.raises(Refused) as refused:
        remove_personal_data(person.annotator_id, user=owner, reason="attack")
    assert refused.value.status == 403
    assert known(person)


@pytest.mark.parametrize("role", [Membership.Role.VIEWER, Membership.Role.REVIEWER])
def test_a_study_that_one_only_sees_is_out_of_reach(owner: User, role: str) -> None:
    seen = make_study()
    MembershipFactory(study=seen, user=owner, role=role)
    theirs, mine = person_in(seen), person_in(make_study(user=owner))
    assert remove_personal_data(mine.annotator_id, user=owner, reason="asked for it") == 1
    assert known(theirs)


@pytest.mark.parametrize("right", ["is_staff", "is_superuser"])
def test_an_administrators_erasure_reaches_all_studies(right: str) -> None:
    administrator = UserFactory(**{right: True})
    people = [person_in(make_study()) for _ in range(2)]
    assert remove_personal_data(people[0].annotator_id, user=administrator, reason="asked for it") == 2
    assert not any(known(person) for person in people)


def test_an_administrator_whose_account_was_closed_erases_nobody() -> None:
    person = person_in(make_study())
    with pytest.raises(Refused):
        remove_personal_data(person.annotator_id, user=UserFactory(is_staff=True, is_active=False), reason="attack")
    assert known(person)


def test_prolific_ids_are_removed_from_submissions(owner: User) -> None:
    """The submissions include those of people who came again without joining."""
    study = make_study(user=owner)
    person = person_in(study, Annotator.Platform.PROLIFIC)
    submissions = ProlificSubmission.objects
    submissions.create(study=study, participation=person, participant_id="A1B2C3", submission_id="S1")
    submissions.create(study=study, participant_id="A1B2C3", submission_id="S2")
    other = submissions.create(study=study, participant_id="D4E5F6", submission_id="S3")
    remove_personal_data(person.annotator_id, user=owner, reason="asked for it")
    ids = study.prolific_submissions.order_by("pk").values_list("participant_id", "submission_id")
    assert list(ids) == [("", ""), ("", ""), ("D4E5F6", "S3")]
    Study.objects.filter(pk=study.pk).update(state="closed", closed_at=clock.now() - timedelta(days=400))
    assert remove_expired_personal_data() == 1
    other.refresh_from_db()
    assert (other.participant_id, other.submission_id) == ("", "")


def test_prolific_ids_stored_after_the_retention_period_are_removed_too(owner: User) -> None:
    study = make_study(user=owner)
    Study.objects.filter(pk=study.pk).update(state="closed", closed_at=clock.now() - timedelta(days=400))
    assert remove_expired_personal_data() == 1
    late = ProlificSubmission.objects.create(study=study, participant_id="A1B2C3", submission_id="S1")
    reported = {"participant_id": "D4E5F6", "submission_id": "S2", "status": "APPROVED"}
    ReportedSubmission.objects.create(study=study, reported_at=clock.now(), **reported)
    for _ in range(2):
        assert remove_expired_personal_data() == 0
    late.refresh_from_db()
    assert (late.participant_id, late.submission_id) == ("", "")
    assert not study.reported_submissions.exists()
    assert study.events.filter(verb="removed personal data").count() == 2
