"""Tests of personal links, and of the page and the API for named annotators."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import PERSONAL_LINKS, new_api_token
from annotate.core.services.standing import stop
from annotate.models import Study
from annotate.pay.selectors.balances import pay_rows
from annotate.questions.services.more_judgements import add_slots
from annotate.recruiting.services.named import add_named
from annotate.studies.services.study import open_study
from tests.console_study import browser_of, page_of
from tests.factories import make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(named_study)


def named_study() -> Study:
    study = make_study(state="draft", admission="named", judgements=1, consent="We keep your answers.")
    add_named(study.pk, ["Ada", "Bea"], user=SYSTEM)
    return open_study(study.pk, user=SYSTEM)


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def test_a_personal_link_joins_and_continues_on_another_device(study: Study) -> None:
    ada = study.named_annotators.get(name="Ada")
    link, hub = PERSONAL_LINKS.path(ada.public_id), reverse("annotator:hub", args=[study.public_id])
    client = Client()
    invitation = markup(client.get(link))
    assert "We keep your answers." in invitation
    assert "Continue with your code" not in invitation, "a personal link has no code"
    assert not study.participations.exists(), "a preview of the link changes nothing"
    assert client.post(link, {"consent": 1}).status_code == 400
    assert client.post(link, {"consent": 1, "agree": "yes"})["Location"] == hub
    ada.refresh_from_db()
    assert ada.participation.consented_at is not None
    assert client.get(link)["Location"] == hub
    other = Client()
    assert ada.participation.pseudonym in markup(other.get(link))
    assert other.get(hub).status_code == 404
    assert other.post(link)["Location"] == hub
    assert other.get(hub).status_code == 200
    assert study.participations.count() == 1
    assert [row.platform_id for row in pay_rows(study)] == ["Ada"], "researchers see whom to pay"


def test_other_links_admit_nobody(study: Study) -> None:
    bea = study.named_annotators.get(name="Bea")
    link = PERSONAL_LINKS.path(bea.public_id)
    assert Client().get(link[:-2] + "xx").status_code == 404
    assert Client().get(f"/personal/{bea.public_id}").status_code == 404
    page = Client().get(f"/join/{study.join_token}")
    assert "open your personal link" in markup(page)
    assert Client().post(f"/join/{study.join_token}", {"consent": 1, "agree": "yes"}).status_code == 403
    study.named_annotators.update(name="")
    assert Client().get(link).status_code == 404


@pytest.mark.nightly
def test_a_manager_adds_annotators_and_reserves_hits_on_the_page(study: Study) -> None:
    client = Client()
    client.force_login(study.members.get())
    path = reverse("console:named", args=[study.public_id])
    page = markup(client.post(f"{path}add/", {"names": "Cleo\nDan"}, follow=True))
    dan = study.named_annotators.get(name="Dan")
    assert PERSONAL_LINKS.path(dan.public_id) in page
    assert "The name “Cleo” appears more than once." in markup(client.post(f"{path}add/", {"names": "Cleo"}))
    sent = {"named": dan.public_id, "hits": "1-2, 4", "questions": ""}
    assert "Reserved HITs: 3." in markup(client.post(f"{path}reserve/", sent, follow=True))
    for wrong in ("two", "4-1", "1-999999", ""):
        assert client.post(f"{path}reserve/", sent | {"hits": wrong}).status_code == 422
    assert "Reserved HITs: 1." in markup(client.post(f"{path}share/", follow=True))
    assert "claim: 3." in markup(client.post(f"{path}{dan.public_id}/end/", follow=True))
    assert "no longer works" in markup(client.post(f"{path}{dan.public_id}/remove/", follow=True))
    assert "Named annotators" in markup(client.get(reverse("console:recruit", args=[study.public_id])))


def test_a_script_adds_annotators_and_shares_the_hits(study: Study) -> None:
    api = Client(headers={"Authorization": f"Token {new_api_token(study.members.get(), 'script')[1]}"})
    base, json = f"/api/v1/studies/{study.public_id}", {"content_type": "application/json"}
    (cleo,) = api.post(f"{base}/named-annotators", {"names": ["Cleo"]}, **json).json()
    assert Client().get(cleo["link"]).status_code == 200
    assert api.post(f"{base}/named-annotators", {"names": ["Cleo"]}, **json).status_code == 400
    own = f"{base}/named-annotators/{cleo['id']}"
    ref = study.hits.get(number=2).questions.first().ref
    reserved = api.post(f"{own}/reservations", {"hits": [1], "questions": [ref]}, **json)
    assert reserved.json() == {"hits": 2}
    assert api.post(f"{base}/shares").json() == {"hits": 2}
    rows = {one["name"]: one for one in api.get(f"{base}/named-annotators").json()["results"]}
    assert {name: row["reserved_hits"] for name, row in rows.items()} == {"Ada": 1, "Bea": 1, "Cleo": 2}
    assert rows["Cleo"]["expected_hits"] == 2
    assert api.delete(f"{own}/reservations").json() == {"hits": 2}
    assert (api.delete(own).status_code, api.delete(own).status_code) == (204, 404)


def test_the_message_about_added_annotators_says_when_their_links_work(study: Study) -> None:
    draft = make_study(state="draft", admission="named", judgements=1)
    for of, next_step in ((study, "Send each annotator"), (draft, "The links work when the study is open.")):
        added = browser_of(of).post(page_of(of, "named/add/"), {"names": "Cleo"}, follow=True)
        assert f"Added annotators: 1. {next_step}" in markup(added)
    assert "The annotator answers every question." in markup(added)


def test_a_stopped_annotator_no_longer_answers_every_question(study: Study) -> None:
    browser = browser_of(study)
    path = page_of(study, "named/")
    page = " ".join(markup(browser.get(path)).split())
    assert "2 annotators together give each question 1 judgement. <a" in page
    add_slots(study.pk, user=SYSTEM)
    assert "Each of the 2 annotators answers every question." in markup(browser.get(path))
    assert "work only on this computer" in markup(browser.get(path, headers={"host": "localhost"}))
    ada = study.named_annotators.get(name="Ada")
    Client().post(PERSONAL_LINKS.path(ada.public_id), {"consent": 1, "agree": "yes"})
    ada.refresh_from_db()
    stop(ada.participation_id, reason="has no time", user=SYSTEM)
    page = " ".join(markup(browser.get(path)).split())
    assert "answers every question" not in page
    assert "Each question needs 2 judgements from different annotators." in page


def test_pages_show_no_open_link(study: Study) -> None:
    browser = browser_of(study)
    for place in ("recruit/",):
        page = markup(browser.get(page_of(study, place)))
        assert study.join_token not in page
        assert f'<a href="/console/{study.public_id}/named/">View the personal links</a>' in page
    browser.post(page_of(study, "state/pause/"))
    opened = markup(browser.post(page_of(study, "state/open/"), follow=True))
    assert "Send each annotator the personal link on the page Named annotators." in opened
    assert "Anyone with this link" not in opened
