"""Tests of panels other than Prolific: IDs in links, their signatures, and the way back."""

from __future__ import annotations

from html import unescape
from urllib.parse import urlencode

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from django.test import Client

from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import participation_token
from annotate.models import Annotator, Study
from annotate.people.personal import sections
from annotate.people.services import remove_identities
from annotate.recruiting.panels import panel_url, signature, signing_key
from annotate.recruiting.services.join import confirm_identity, issue_resume_code, join, resume
from annotate.server.refusals import Refused
from annotate.studies.services.settings import change_settings
from tests.at_once import CALLS, at_once
from tests.console_study import browser_of
from tests.factories import do_hit, make_study

pytestmark = pytest.mark.django_db
PANEL = Annotator.Platform.PANEL
RETURN = "https://panel.example.org/done?code={code}&id={pid}"
INVALID = "This link does not contain a valid ID. Open the study again from the page that sent you here."


@pytest.fixture
def study() -> Study:
    return make_study(recruitment="panel", return_url=RETURN, completion_code="C 7", hits_per_annotator=1)


def open_link(client: Client, study: Study, *, post: bool = False, **parameters: str):
    path = f"/join/{study.join_token}?{urlencode(parameters)}"
    return client.post(path) if post else client.get(path)


def people(study: Study) -> list[tuple[str, bool]]:
    return list(study.annotators.filter(platform=PANEL).order_by("pk").values_list("external_id", "verified"))


# ── IDs ───────────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("name", ["pid", "participantId", "survey_code"])
def test_the_id_in_the_link_identifies_the_annotator(study: Study, client: Client, name: str) -> None:
    Study.objects.update(identity_parameter=name)
    page = open_link(client, study, **{name: "P-17", "assignmentId": "x", "projectId": "y"})
    assert f'<input type="hidden" name="{name}" value="P-17">' in page.content.decode()
    assert open_link(client, study, post=True, **{name: "P-17"}).status_code == 302
    assert people(study) == [("P-17", False)]
    again = open_link(client, study, **{name: "P-17"})
    assert again["Location"] == f"/s/{study.public_id}"


@pytest.mark.parametrize("pid", ["", "%SURVEY_CODE%", "{{pid}}", "a b", "é", "x" * 101, "<b>"])
def test_links_without_a_valid_id_say_so_in_one_sentence(study: Study, client: Client, pid: str) -> None:
    for page in (open_link(client, study, pid=pid), open_link(client, study, post=True, pid=pid)):
        assert unescape(page.content.decode()).count(INVALID) == 1
        assert 'name="reservation"' not in page.content.decode()
    assert people(study) == []


def test_two_ids_in_one_link_are_refused(study: Study, client: Client) -> None:
    assert client.get(f"/join/{study.join_token}?pid=a&pid=b").status_code == 403


def test_an_unsigned_id_gives_no_access_to_the_work_of_its_owner(study: Study, client: Client) -> None:
    open_link(client, study, post=True, pid="P1")
    stranger = Client()
    page = unescape(open_link(stranger, study, pid="P1").content.decode())
    assert "Someone with this ID is already taking part" in page
    assert open_link(stranger, study, post=True, pid="P1").status_code == 409
    assert stranger.get(f"/s/{study.public_id}").status_code == 404
    assert people(study) == [("P1", False)]


def test_another_id_in_the_same_browser_is_refused(study: Study, client: Client) -> None:
    open_link(client, study, post=True, pid="P1")
    for post in (False, True):
        page = open_link(client, study, post=post, pid="P2")
        assert page.status_code == 403
        assert "in this browser with another ID" in page.content.decode()
    signed = {"pid": "P2", "signature": signature(study, "P2")}
    assert open_link(client, study, post=True, **signed).status_code == 302
    assert people(study) == [("P1", False), ("P2", True)]


def test_parameters_have_no_effect_in_studies_with_own_links(client: Client) -> None:
    study = make_study()
    assert open_link(client, study, post=True, pid="P1", signature="wrong").status_code == 302
    assert study.annotators.get().external_id == ""


# ── signatures ────────────────────────────────────────────────────────────────────────────────────────────────
def test_a_signed_id_comes_back_to_its_annotator_in_any_browser(study: Study, client: Client) -> None:
    signed = {"pid": "P1", "signature": signature(study, "P1")}
    open_link(client, study, post=True, **signed)
    other = Client()
    assert open_link(other, study, **signed)["Location"] == f"/s/{study.public_id}"
    assert other.get(f"/s/{study.public_id}").status_code == 200
    assert people(study) == [("P1", True)]


def test_a_link_does_not_replace_the_person_in_a_browser_without_a_click(study: Study, client: Client) -> None:
    links = [{"pid": pid, "signature": signature(study, pid)} for pid in ("P1", "P2")]
    sender = Client()
    for browser, link in zip((client, sender), links, strict=True):
        open_link(browser, study, post=True, **link)
    hub = f"/s/{study.public_id}"
    own, other = (browser.get(hub).context["participation"].pseudonym for browser in (client, sender))
    assert f"under the pseudonym {other}" in open_link(client, study, **links[1]).content.decode()
    assert client.get(hub).context["participation"].pseudonym == own
    assert open_link(client, study, post=True, **links[1])["Location"] == hub
    assert client.get(hub).context["participation"].pseudonym == other


def test_whoever_joined_with_the_id_loses_access_when_its_owner_arrives(study: Study, client: Client) -> None:
    open_link(client, study, post=True, pid="P1")
    do_hit(study.participations.get())
    code = issue_resume_code(study.participations.get().pk).code
    page_of_stranger = {"Authorization": f"Participation {participation_token(study.participations.get())}"}
    owner, signed = Client(), {"pid": "P1", "signature": signature(study, "P1")}
    assert open_link(owner, study, **signed)["Location"] == f"/s/{study.public_id}"
    assert client.get(f"/s/{study.public_id}").status_code == 404
    with pytest.raises(Refused, match="unknown"):
        resume(code)
    for path, method in (("claims", client.post), ("resume-code", client.post), ("guidelines-read", client.put)):
        response = method(f"/api/v1/{path}", {"version": 1}, content_type="application/json", headers=page_of_stranger)
        assert (path, response.status_code) == (path, 401)
    assert people(study) == [("P1", True)]
    assert open_link(Client(), study, **signed).status_code == 302
    assert owner.get(f"/s/{study.public_id}").status_code == 200
    assert study.participations.get().assignments.count() == 1


def test_the_signature_is_the_hmac_of_other_programs(study: Study) -> None:
    other = HMAC(signing_key(study).encode(), SHA256())
    other.update(b"P-1=x")
    assert signature(study, "P-1=x") == other.finalize().hex()


def test_a_wrong_or_missing_signature_is_refused(study: Study, client: Client) -> None:
    of_other_study = signature(make_study(recruitment="panel"), "P1")
    for given in ("x", of_other_study, signature(study, "P2")):
        page = open_link(client, study, post=True, pid="P1", signature=given)
        assert (page.status_code, INVALID in unescape(page.content.decode())) == (403, True)
    Study.objects.update(identity_signed=True)
    assert open_link(client, study, post=True, pid="P1").status_code == 403
    assert people(study) == []
    signed = {"pid": "P1", "signature": signature(study, "P1")}
    assert open_link(client, study, post=True, **signed).status_code == 302


@pytest.mark.rules
@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("verified", [True, False])
def test_simultaneous_arrivals_of_one_person_create_one_annotator(verified: bool) -> None:
    study = make_study(recruitment="panel")
    results = at_once(lambda number: join(study, platform=PANEL, external_id="P1", verified=verified).pk)
    assert study.participations.count() == study.annotators.count() == 1
    refused = 0 if verified else CALLS - 1
    assert (results["known-id"], sum(results.values())) == (refused, CALLS)


@pytest.mark.rules
@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_simultaneous_arrivals_with_a_signature_take_the_access_once() -> None:
    study = make_study(recruitment="panel")
    stranger = join(study, platform=PANEL, external_id="P1", verified=False)
    results = at_once(lambda number: confirm_identity(stranger).public_id)
    assert results == {study.participations.get().public_id: CALLS}
    assert stranger.public_id not in results
    assert people(study) == [("P1", True)]


# ── the way back ──────────────────────────────────────────────────────────────────────────────────────────────
def test_annotators_return_with_the_code_and_their_id(study: Study, client: Client) -> None:
    open_link(client, study, post=True, pid="P+1")
    hub = f"/s/{study.public_id}"
    assert "panel.example.org" not in client.get(hub).content.decode()
    do_hit(study.participations.get())
    page = client.get(hub).content.decode()
    assert 'href="https://panel.example.org/done?code=C%207&amp;id=P%2B1" rel="noreferrer"' in page
    assert '<output id="completion-code">C 7</output>' in page


def test_a_code_without_an_address_is_shown(study: Study, client: Client) -> None:
    Study.objects.update(return_url="")
    open_link(client, study, post=True, pid="P1")
    do_hit(study.participations.get())
    page = client.get(f"/s/{study.public_id}").content.decode()
    assert '<output id="completion-code">C 7</output>' in page
    assert 'rel="noreferrer"' not in page


@pytest.mark.parametrize(
    "address",
    [
        "http://panel.example.org/",
        "javascript:alert(1)",
        "//panel.example.org/",
        "https://panel.example.org/{name}",
        "https://{pid}",
        "https://panel.example.org{pid}/",
        "https://{code}.panel.example.org/done",
        "panel",
    ],
)
def test_only_https_addresses_are_accepted(study: Study, address: str) -> None:
    with pytest.raises(Refused, match="return_url: must be an https:// address") as refusal:
        change_settings(study.pk, user=SYSTEM, return_url=address)
    assert list(refusal.value.fields) == ["return_url"]


def test_a_panel_needs_a_study_for_everyone_and_a_code_for_its_place(study: Study) -> None:
    with pytest.raises(Refused, match="recruitment: can be another panel only if"):
        change_settings(study.pk, user=SYSTEM, admission="account")
    with pytest.raises(Refused, match="completion_code: is missing"):
        change_settings(study.pk, user=SYSTEM, completion_code="")


# ── personal data and the console ─────────────────────────────────────────────────────────────────────────────
def test_ids_are_in_the_own_data_until_they_are_removed(study: Study, client: Client) -> None:
    open_link(client, study, post=True, pid="P1")
    annotators = study.annotators.filter(platform=PANEL)
    assert sections(annotators)["you"]["platform_id"] == "P1"
    remove_identities(annotators)
    assert people(study) == [("", False)]


def test_the_console_shows_the_url_and_the_key_to_managers(study: Study) -> None:
    Study.objects.update(identity_parameter="survey_code")
    study.refresh_from_db()
    manager, viewer = browser_of(study), browser_of(study, "viewer")
    page = unescape(manager.get(f"/console/{study.public_id}/panel/").content.decode())
    assert panel_url(f"http://testserver/join/{study.join_token}", study) in page
    assert page.count(signing_key(study)) == 1
    assert viewer.get(f"/console/{study.public_id}/panel/").status_code == 404
    assert "Study on another panel" in manager.get(f"/console/{study.public_id}/recruit/").content.decode()
