"""Tests of the waiting list of a study with a maximum number of annotators."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client

from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import WAITING_LINKS, new_api_token
from annotate.core.services.returns import withdraw
from annotate.models import Participation, Study, WaitingPerson
from annotate.recruiting.services.join import join
from annotate.recruiting.services.waiting import offer_waiting_places, start_waiting
from annotate.server import clock
from annotate.server.refusals import Refused
from annotate.studies.services.settings import change_settings
from tests.console_study import browser_of, page_of
from tests.factories import make_annotator, make_study
from tests.markup import markup

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("forget_counts")]


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(lambda: make_study(annotator_limit=2, waiting_list=True))


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


@pytest.fixture
def annotators(study: Study) -> list[Participation]:
    return [make_annotator(study), make_annotator(study)]


def leave(participation: Participation) -> None:
    withdraw(participation.pk, keep_answers=True)


@pytest.mark.nightly
def test_free_places_go_to_the_waiting_people_in_order(study: Study, annotators: list[Participation]) -> None:
    door, first, second = f"/join/{study.join_token}", Client(), Client()
    assert "Join the waiting list" in markup(first.get(door))
    Study.objects.filter(pk=study.pk).update(annotator_limit=3)
    assert first.post(f"{door}/waiting", {})["Location"] == door, "with a free place, nobody needs to wait"
    Study.objects.filter(pk=study.pk).update(annotator_limit=2)
    pages = [person.post(f"{door}/waiting", {})["Location"] for person in (first, second)]
    assert "You are the first person on the waiting list." in markup(first.get(pages[0]))
    assert "1 person is ahead of you" in markup(second.get(pages[1]))
    leave(annotators[0])
    assert offer_waiting_places() == 1
    assert offer_waiting_places() == 0
    assert Client().post(door, {}).status_code == 403, "the place belongs to the waiting person"
    with pytest.raises(Refused, match="All places"):
        join(study, platform="web", waiting=WaitingPerson.objects.last().public_id)
    entry = re.search(r'href="([^"]+\?place=[^"]+)"', markup(first.get(pages[0])))
    assert "A place is free for you until" in markup(first.get(pages[0]))
    assert "Take part" in markup(first.get(entry[1]))
    assert first.post(entry[1], {}).status_code == 302
    assert study.waiting.count() == 1
    assert Client().post(entry[1], {}).status_code == 403, "the link admits one person"
    assert second.post(pages[1])["Location"] == door
    leave(annotators[1])
    assert Client().post(door, {}).status_code == 302, "nobody is waiting any more"


def test_an_unused_offer_goes_to_the_next_person(study: Study, annotators: list[Participation]) -> None:
    first, second = start_waiting(study.pk), start_waiting(study.pk)
    leave(annotators[0])
    offer_waiting_places()
    study.waiting.filter(pk=first.pk).update(offered_at=clock.now() - timedelta(hours=48))
    assert "no longer on the waiting list" in markup(Client().get(WAITING_LINKS.path(first.public_id)))
    assert Client().get(f"/join/{study.join_token}?place={WAITING_LINKS.token(first.public_id)}").context["too_late"]
    assert offer_waiting_places() == 1
    assert list(study.waiting.values_list("pk", flat=True)) == [second.pk]
    assert Client().get(WAITING_LINKS.path(first.public_id)).status_code == 404
    assert Client().get(f"/waiting/{second.public_id}").status_code == 404, "without a signature"


def test_the_offer_is_mailed_once_and_the_address_deleted(
    study: Study,
    annotators: list[Participation],
    settings: Any,
    mailoutbox: list[Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert start_waiting(study.pk, email="nobody@example.org").email == "", "there is no mail server"
    settings.EMAIL_HOST = "mail.example.org"
    door = f"/join/{study.join_token}/waiting"
    wrong = Client().post(door, {"email": "ada"})
    assert (wrong.status_code, "Enter a valid e-mail address." in markup(wrong)) == (400, True)
    WaitingPerson.objects.all().delete()
    page = Client().post(door, {"email": "ada@example.org"})["Location"]
    assert "We will then send you an e-mail." in markup(Client().get(page))
    assert start_waiting(study.pk, email="ADA@example.org").email == "", "nobody receives two e-mails"
    leave(annotators[0])
    deliver = EmailBackend.send_messages

    def break_off(self: EmailBackend, messages: list[Any]) -> int:
        raise ConnectionRefusedError("connection refused")

    monkeypatch.setattr(EmailBackend, "send_messages", break_off)
    offer_waiting_places()
    offer_waiting_places()
    ada = study.waiting.get(email="ada@example.org")
    assert ada.mail_due_at > clock.now()
    monkeypatch.setattr(EmailBackend, "send_messages", deliver)
    study.waiting.filter(pk=ada.pk).update(mail_due_at=clock.now())
    offer_waiting_places()
    offer_waiting_places()
    (mail,) = mailoutbox
    assert (mail.to, page in mail.body) == (["ada@example.org"], True)
    assert not study.waiting.exclude(email="").exists()


def test_the_list_is_deleted_when_nobody_can_join_any_more(study: Study, annotators: list[Participation]) -> None:
    start_waiting(study.pk)
    Study.objects.filter(pk=study.pk).update(state="paused")
    leave(annotators[0])
    assert offer_waiting_places() == 0
    assert study.waiting.exists()
    Study.objects.filter(pk=study.pk).update(state="closed")
    offer_waiting_places()
    assert not study.waiting.exists()
    with pytest.raises(Refused, match="no waiting list"):
        start_waiting(study.pk)


def test_the_setting_needs_a_maximum_and_an_open_door(study: Study) -> None:
    for wrong in ({"annotator_limit": None}, {"recruitment": "prolific"}, {"recruitment": "panel"}):
        with pytest.raises(Refused) as refused:
            change_settings(study.pk, user=SYSTEM, **wrong)
        assert refused.value.fields.keys() == {"waiting_list"}


def test_researchers_see_the_list_and_remove_people(study: Study, annotators: list[Participation]) -> None:
    first, second = start_waiting(study.pk), start_waiting(study.pk)
    owner, page = browser_of(study), page_of(study, "waiting/")
    assert "The waiting list has 2 people." in markup(owner.get(page))
    removed = owner.post(f"{page}{first.public_id}/remove/", follow=True)
    assert "The waiting list has 1 person." in markup(removed)
    assert "not on the waiting list" in markup(owner.post(f"{page}{first.public_id}/remove/", follow=True))
    _, key = new_api_token(study.members.get(), "all")
    client, path = Client(headers={"Authorization": f"Token {key}"}), f"/api/v1/studies/{study.public_id}/waiting-list"
    (listed,) = client.get(path).json()["results"]
    assert (listed["id"], listed["position"], listed["may_join"]) == (second.public_id, 1, False)
    assert client.delete(f"{path}/{second.public_id}").status_code == 204
    assert client.delete(f"{path}/{second.public_id}").status_code == 404
