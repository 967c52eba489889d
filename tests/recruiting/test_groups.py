"""Tests of groups of annotators: their links and codes, their places, the page and the API."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import group_code, new_api_token
from annotate.core.services.standing import stop
from annotate.models import AnnotatorGroup, Study
from annotate.people.selectors.annotators_file import annotators_csv
from annotate.recruiting.panels import PANELS, group_parameter, panel_url
from annotate.recruiting.services.groups import add_group, revoke_group
from annotate.studies.services.settings import change_settings
from tests.console_study import browser_of, page_of
from tests.factories import make_annotator, make_study
from tests.markup import markup

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("forget_counts")]


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(make_study)


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def link_of(group: AnnotatorGroup) -> str:
    return reverse("annotator:group", args=[group.study.join_token, group_code(group.public_id)])


@pytest.mark.nightly
def test_a_group_link_admits_so_many_people_and_marks_them(study: Study) -> None:
    group = add_group(study.pk, "Class 7b", places=2, user=SYSTEM)
    link, first = link_of(group), Client()
    assert "Take part" in markup(first.get(link))
    assert not study.participations.exists(), "a preview of the link changes nothing"
    assert first.post(link, {}).status_code == 302
    assert first.post(link, {}).status_code == 302, "the form was sent twice"
    assert Client().post(link, {}).status_code == 302
    assert list(study.participations.values_list("group__name", flat=True)) == ["Class 7b"] * 2
    late = Client().post(link, {})
    assert (late.status_code, "All places for this link are taken." in markup(late)) == (403, True)
    assert "Take part" not in markup(Client().get(link))
    assert Client().post(f"/join/{study.join_token}", {}).status_code == 302, "the open link has its own places"
    stop(study.participations.filter(group=group).first().pk, reason="test", user=SYSTEM)
    assert Client().post(link, {}).status_code == 302


def test_a_group_link_of_a_full_study_offers_the_waiting_list() -> None:
    study = make_study(annotator_limit=1, waiting_list=True)
    link = link_of(add_group(study.pk, "Class 7b", user=SYSTEM))
    assert "Join the waiting list" not in markup(Client().get(link))
    make_annotator(study)
    assert "Join the waiting list" in markup(Client().get(link))


def test_a_revoked_link_admits_nobody_but_its_annotators_continue(study: Study) -> None:
    group = add_group(study.pk, "Class 7b", user=SYSTEM)
    inside = Client()
    inside.post(link_of(group), {})
    revoke_group(study.pk, group.public_id, user=SYSTEM)
    refused = Client().post(link_of(group), {})
    assert (refused.status_code, study.participations.count()) == (404, 1)
    assert "This link no longer works." in markup(refused)
    assert inside.get(link_of(group))["Location"] == f"/s/{study.public_id}"


@pytest.mark.nightly
def test_a_study_with_personal_links_also_admits_groups_by_their_code(settings) -> None:
    settings.THROTTLE_RESUME = ["2/hour"]
    study = make_study(admission="named", state="draft")
    Study.objects.filter(pk=study.pk).update(state="open")
    group = add_group(study.pk, "Class 7b", user=SYSTEM)
    door = f"/join/{study.join_token}"
    assert "Code of your group" in markup(Client().get(door))
    assert Client().post(door, {}).status_code == 403
    person, code = Client(), group_code(group.public_id)
    there = person.post(f"{door}/group", {"code": code.lower().replace("-", " ")})["Location"]
    assert person.post(there, {}).status_code == 302
    assert study.participations.get().group == group
    guesser = Client()
    outcomes = [guesser.get(f"{door}/group/AAAA-BBBB-CCC{number}").status_code for number in range(4)]
    assert outcomes == [404, 404, 429, 429]
    assert guesser.get(there).status_code == 429, "a correct code after too many wrong ones"
    assert Client(REMOTE_ADDR="198.51.100.7").get(there).status_code == 200
    assert Client().post(f"{door}/group", {"code": "../../"}).status_code == 302


@pytest.mark.nightly
def test_the_page_adds_and_revokes_groups_and_the_table_shows_them(study: Study) -> None:
    owner, page = browser_of(study), page_of(study, "groups/")
    assert owner.post(page, {"name": " "}).status_code == 422
    assert "Class 7b was added" in markup(owner.post(page, {"name": "Class 7b", "places": "30"}, follow=True))
    group = study.groups.get()
    assert link_of(group) in markup(owner.get(page))
    assert "already has a group" in markup(owner.post(page, {"name": "Class 7b"}))
    assert owner.post(page, {"name": "Class 7c", "places": "0"}).status_code == 422
    Client().post(link_of(group), {})
    other = make_annotator(study)
    inside = study.participations.get(group=group)
    table = markup(owner.get(page_of(study, f"annotators/?group={group.public_id}")))
    assert inside.pseudonym in table
    assert other.pseudonym not in table
    rows = list(csv.DictReader(io.StringIO(b"".join(annotators_csv(study)).decode())))
    assert {row["pseudonym"]: row["group"] for row in rows} == {inside.pseudonym: "Class 7b", other.pseudonym: ""}
    revoked = owner.post(f"{page}{group.public_id}/revoke/", follow=True)
    assert "no working link" in markup(revoked)
    assert link_of(group) not in markup(revoked)


@pytest.mark.nightly
def test_a_revocation_can_be_undone_until_the_link_is_revoked_again(study: Study) -> None:
    owner, group = browser_of(study), add_group(study.pk, "Class 7b", user=SYSTEM)
    place = page_of(study, f"groups/{group.public_id}/")
    notice = markup(owner.post(f"{place}revoke/", follow=True))
    assert "You can undo this until you leave the page." in notice
    (seen,) = re.findall(r'name="seen" value="([^"]+)"', notice)
    assert browser_of(study, "viewer").post(f"{place}restore/", {"seen": seen}).status_code == 404
    for _ in range(2):  # the second press changes nothing
        assert link_of(group) in markup(owner.post(f"{place}restore/", {"seen": seen}, follow=True))
    revoke_group(study.pk, group.public_id, user=SYSTEM)
    refused = markup(owner.post(f"{place}restore/", {"seen": seen}, follow=True))
    assert "Nothing was undone" in refused
    assert link_of(group) not in refused
    verbs = list(study.events.filter(verb__endswith="group link").order_by("pk").values_list("verb", flat=True))
    assert verbs == ["revoked group link", "restored group link", "revoked group link"]


def test_the_api_adds_lists_and_revokes_groups(study: Study) -> None:
    owner = study.members.get()
    (_, key), (_, reading) = new_api_token(owner, "all"), new_api_token(owner, "reads", scope="read")
    client, path = Client(headers={"Authorization": f"Token {key}"}), f"/api/v1/studies/{study.public_id}/groups"
    added = client.post(path, {"name": "Class 7b", "places": 3}, content_type="application/json").json()
    assert re.search(rf"/join/{study.join_token}/group/[0-9A-Z-]{{14}}$", added["link"])
    assert client.post(path, {"name": "Class 7b"}, content_type="application/json").status_code == 400
    (listed,) = client.get(path).json()["results"]
    assert (listed["joined"], listed["places"], listed["link"]) == (0, 3, added["link"])
    reader = Client(headers={"Authorization": f"Token {reading}"})
    assert reader.get(path).json()["results"][0]["link"] is None
    assert client.delete(f"{path}/{added['id']}").status_code == 204
    assert client.get(path).json()["results"][0]["link"] is None
    assert client.delete(f"{path}/unknown").status_code == 404


def test_a_study_on_prolific_has_no_group_links(study: Study) -> None:
    group = add_group(study.pk, "Class 7b", user=SYSTEM)
    change_settings(study.pk, user=SYSTEM, recruitment="prolific")
    assert Client().get(link_of(group)).status_code == 404
    page = markup(browser_of(study).get(page_of(study, "groups/")))
    assert f"&amp;GROUP={group_code(group.public_id)}" in page
    assert link_of(group) not in page


@pytest.mark.parametrize("parameter", PANELS)
def test_the_text_of_a_group_fits_the_study_url_on_each_panel(study: Study, client: Client, parameter: str) -> None:
    group = add_group(study.pk, "Class 7b", user=SYSTEM)
    change_settings(study.pk, user=SYSTEM, recruitment="panel", identity_parameter=parameter)
    study.refresh_from_db()
    text = group_parameter(study, group_code(group.public_id))
    assert escape(text) in markup(browser_of(study).get(page_of(study, "groups/")))
    url = panel_url(f"/join/{study.join_token}", study).replace("%SURVEY_CODE%", "P1") + text
    page = client.get(url if parameter in url else f"{url}&{parameter}=P1")  # CloudResearch Connect adds the ID itself
    assert f'name="GROUP" value="{group_code(group.public_id)}"' in markup(page)


@pytest.mark.parametrize(("host", "local"), [("127.0.0.1", True), ("annotate.example.org", False)])
def test_the_page_says_whether_links_work_only_on_this_computer(
    study: Study, settings: Any, host: str, local: bool
) -> None:
    settings.ALLOWED_HOSTS, settings.SITE_URL = [host], f"http://{host}"
    page = markup(browser_of(study).get(page_of(study, "recruit/"), headers={"host": host}))
    assert f"http://{host}/join/" in page
    assert ("work only on this computer" in page) == local
