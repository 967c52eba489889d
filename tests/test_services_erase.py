"""Taking a person's data out: what goes, what stays, and what is on record."""

import pytest

from annotate.models import Annotator, Event
from annotate.services.erase import erase_person
from annotate.services.join import issue_resume_code, join
from tests.factories import UserFactory, do_hit, make_annotator, make_study

pytestmark = pytest.mark.django_db


def test_platform_id_contact_and_resume_code_go():
    study = make_study()
    person = join(study, platform=Annotator.Platform.MTURK, external_id="A1B2C3", contact="ann@example.org")
    issue_resume_code(person.pk)
    assert erase_person(person.annotator_id, user=UserFactory(), reason="asked for it") == 1
    person.refresh_from_db()
    assert person.resume_hash is None
    annotator = person.annotator
    assert (annotator.contact, annotator.external_id.startswith("erased-")) == ("", True)


def test_nothing_that_names_the_person_is_left_in_the_log():
    study = make_study()
    person = join(study, platform=Annotator.Platform.MTURK, external_id="A1B2C3", contact="ann@example.org")
    do_hit(person)
    erase_person(person.annotator_id, user=UserFactory(), reason="asked for it")
    for event in Event.objects.all():
        assert "A1B2C3" not in str(event.detail) + event.reason
        assert "ann@example.org" not in str(event.detail) + event.reason


def test_others_are_left_alone_and_results_stay_the_same():
    study = make_study(judgements=2)
    person, other = make_annotator(study), make_annotator(study)
    do_hit(person)
    kept = Annotator.objects.values().get(pk=other.annotator_id)
    done = study.assignments.filter(state="done").count()
    erase_person(person.annotator_id, user=UserFactory(), reason="asked for it")
    assert Annotator.objects.values().get(pk=other.annotator_id) == kept
    assert study.assignments.filter(state="done").count() == done


def test_erasing_twice_is_harmless():
    person = make_annotator(make_study())
    for _ in range(2):
        assert erase_person(person.annotator_id, user=UserFactory(), reason="asked for it") == 1
