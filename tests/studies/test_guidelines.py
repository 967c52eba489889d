"""Versions of the guidelines, the terms of a consent text, and what an answer stores about them."""

import pytest

from annotate.core.services.answer import give_answer
from annotate.core.services.standing import stop
from annotate.models import Annotator, Answer, Guidelines, Study
from annotate.recruiting.services.join import join
from annotate.server.refusals import Refused
from annotate.studies.services.settings import change_settings, mark_read, write_consent
from annotate.studies.services.study import open_study
from tests.factories import UserFactory, do_hit, make_annotator, make_study, take

pytestmark = pytest.mark.django_db


def test_each_change_after_opening_is_a_new_version_that_answers_store_once_it_is_read():
    owner = UserFactory()
    study = make_study(items=8, user=owner)
    ann = make_annotator(study)
    do_hit(ann)
    change_settings(study.pk, user=owner, instructions="Choose the closest pair.")
    change_settings(study.pk, user=owner, reward="0.60")  # not a change of the guidelines
    study.refresh_from_db()
    assert study.guidelines_version == 2
    assert list(study.guidelines.values_list("version", "instructions")) == [
        (1, "Choose the pair."),
        (2, "Choose the closest pair."),
    ]
    do_hit(ann)
    assert mark_read(ann.pk, 5) == 2, "a version that does not exist yet cannot be read"
    do_hit(ann)
    versions = Answer.objects.filter(participation=ann).order_by("pk").values_list("guidelines_version", flat=True)
    assert list(dict.fromkeys(versions)) == [1, 2]
    assert list(versions) == [1] * 10 + [2] * 5
    assert make_annotator(study).guidelines_read == 2


def test_changes_of_a_draft_are_not_versions():
    owner = UserFactory()
    study = make_study(items=8, user=owner, state=Study.State.DRAFT)
    assert change_settings(study.pk, user=owner, instructions="New.").guidelines_version == 1
    assert not study.guidelines.exists()


def test_a_version_never_changes():
    owner = UserFactory()
    study = make_study(items=8, user=owner)
    change_settings(study.pk, user=owner, instructions="New.")
    with pytest.raises(Exception, match="never changes"):
        Guidelines.objects.update(instructions="Other.")


@pytest.mark.parametrize("promise", [True, False])
def test_a_study_whose_pay_contradicts_its_consent_text_cannot_be_opened(promise):
    owner = UserFactory()
    study = make_study(items=8, user=owner, state=Study.State.DRAFT, pay_stopped=not promise)
    write_consent(study.pk, "You are paid as follows.", user=owner, pays_stopped=promise)
    with pytest.raises(Refused, match="payment to stopped annotators") as refusal:
        open_study(study.pk, user=owner)
    assert set(refusal.value.fields) == {"consent"}
    change_settings(study.pk, user=owner, pay_stopped=promise)
    assert open_study(study.pk, user=owner).is_open


@pytest.mark.parametrize("promise", [True, False])
def test_a_stop_pays_as_the_accepted_consent_text_says(promise):
    owner = UserFactory()
    study = make_study(items=8, user=owner, state=Study.State.DRAFT, pay_stopped=promise)
    write_consent(study.pk, "You are paid as follows.", user=owner, pays_stopped=promise)
    study = open_study(study.pk, user=owner)
    before, after = make_annotator(study), make_annotator(study)
    started = [take(before), take(after)]
    change_settings(study.pk, user=owner, pay_stopped=not promise)
    for ann, assignment in zip([before, after], started, strict=True):
        give_answer(ann.pk, assignment.public_id, 1, {"best": 1, "worst": 2})
        stop(ann.pk, reason="test", user=owner)
        assignment.refresh_from_db()
        assert assignment.credited is promise


@pytest.mark.parametrize("paid", [True, False])
def test_pay_after_a_stop_cannot_change_under_an_accepted_text_that_does_not_mention_the_payment(paid):
    owner = UserFactory()
    study = make_study(items=8, user=owner, pay_stopped=paid, consent="We pay for every set.")
    join(study, platform=Annotator.Platform.WEB)  # has not accepted the text yet
    change_settings(study.pk, user=owner, pay_stopped=not paid)
    change_settings(study.pk, user=owner, pay_stopped=paid)
    make_annotator(study)
    with pytest.raises(Refused, match="does not mention this payment") as refusal:
        change_settings(study.pk, user=owner, pay_stopped=not paid)
    assert (refusal.value.code, set(refusal.value.fields)) == ("locked", {"pay_stopped"})
    assert Study.objects.get().pay_stopped is paid
    write_consent(study.pk, "We pay for open sets as well.", user=owner, pays_stopped=not paid)
    if paid:  # the annotator works under the old text until the new text is accepted
        with pytest.raises(Refused, match="does not mention this payment"):
            change_settings(study.pk, user=owner, pay_stopped=False)
    else:
        assert change_settings(study.pk, user=owner, pay_stopped=True).pay_stopped
