"""Tests that annotators receive only random public IDs and never consecutive numbers."""

from __future__ import annotations

import base64
import re
from datetime import timedelta

import pytest
from django.core import signing
from django.test import Client
from django.utils import timezone

from annotate.core.services import credentials
from annotate.core.services.claim import claim
from annotate.core.services.credentials import participation_token, read_participation_token
from annotate.models import Participation, Study, ids
from annotate.recruiting.services.join import issue_resume_code, resume
from annotate.server.refusals import Refused
from tests.api.conftest import Api
from tests.factories import make_annotator, make_study, take

pytestmark = pytest.mark.django_db

RANDOM = re.compile(r"[\w-]{22}")


def unsigned(token: str) -> str:
    """Return the signed part of a token, which anyone can read."""
    payload = token.split(":")[0]
    return base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)).decode()


def test_no_id_begins_like_an_option_of_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["-v" + 20 * "a", "a-" + 20 * "b"])
    monkeypatch.setattr("annotate.models.ids.secrets.token_urlsafe", lambda size: next(drawn))
    assert ids.public_id() == "a-" + 20 * "b"


def test_a_token_shows_a_random_id_only() -> None:
    study = make_study()
    people = [make_annotator(study) for _ in range(3)]
    shown = [unsigned(participation_token(person)).strip('"') for person in people]
    assert shown == [person.public_id for person in people]
    assert all(RANDOM.fullmatch(one) for one in shown)


def test_a_cookie_shows_a_random_id_only(client: Client) -> None:
    study = make_study()
    client.post(f"/join/{study.join_token}", {})
    participation = study.participations.get()
    value = client.cookies[f"accord-{study.public_id}"].value.split(":")[0]
    assert value == participation.public_id


def test_a_token_with_a_primary_key_opens_nothing() -> None:
    participation = make_annotator(make_study())
    for payload in (participation.pk, str(participation.pk), [participation.public_id], None):
        token = signing.dumps(payload, salt="participation")
        if isinstance(payload, str):  # a string is looked up as a public ID, and no participation has this one
            assert not Participation.objects.identified(read_participation_token(token)).exists()
        else:
            with pytest.raises(Refused):
                read_participation_token(token)


def test_a_token_costs_no_query_of_its_own(django_assert_num_queries) -> None:
    token = participation_token(make_annotator(make_study()))
    with django_assert_num_queries(0):
        read_participation_token(token)


def test_services_accept_either_key() -> None:
    participation = make_annotator(make_study())
    assignment = take(participation)
    assert claim(participation.public_id).assignment == assignment
    with pytest.raises(Participation.DoesNotExist):
        claim(str(participation.pk))


def test_a_token_of_a_participation_that_is_gone_is_refused() -> None:
    token = signing.dumps("A" * 22, salt="participation")
    assert Api(f"Participation {token}").post("claims").status_code == 401


def test_resume_codes_last_as_long_as_the_study_and_some_days_longer(settings) -> None:
    settings.RESUME_DAYS = 7
    study = make_study()
    participation = make_annotator(study)
    issued = issue_resume_code(participation.pk)
    assert issued.expires_at is None
    year, now = timedelta(days=365), timezone.now()
    Participation.objects.filter(pk=participation.pk).update(joined_at=now - year)
    assert resume(issued.code) == participation
    Study.objects.filter(pk=study.pk).update(state="closed", closed_at=now - timedelta(days=6))
    assert resume(issued.code) == participation
    assert issue_resume_code(make_annotator(make_study()).pk).expires_at is None
    Study.objects.filter(pk=study.pk).update(closed_at=now - timedelta(days=7))
    with pytest.raises(Refused) as refused:
        resume(issued.code)
    assert (refused.value.code, refused.value.status) == ("expired-code", 410)
    assert "Create a new code" in refused.value.message
    Study.objects.filter(pk=study.pk).update(state="open")
    assert resume(issued.code) == participation, "the study was opened again"


def test_the_page_of_a_code_says_when_it_expires(client: Client) -> None:
    study = make_study()
    client.post(f"/join/{study.join_token}", {})
    html = client.post(f"/s/{study.public_id}/code", follow=True).content.decode()
    assert "The code works while the study is open." in html
    closed = timezone.now()
    Study.objects.filter(pk=study.pk).update(state="closed", closed_at=closed)
    until = closed + timedelta(days=30)
    html = client.post(f"/s/{study.public_id}/code", follow=True).content.decode()
    assert f"The code works until {until.day} {until:%B %Y}." in html


@pytest.mark.nightly
def test_the_link_of_a_code_continues_on_another_device_and_can_be_mailed(client: Client, settings, mailoutbox) -> None:
    study = make_study()
    client.post(f"/join/{study.join_token}", {})
    page = f"/s/{study.public_id}/code"
    assert "Send me the link" not in client.post(page, follow=True).content.decode(), "there is no mail server"
    settings.EMAIL_HOST = "mail.example.org"
    code = re.search(r"<output>([-0-9A-Z]+)</output>", client.post(page, follow=True).content.decode())[1]
    sent = {"code": code, "email": "ada@example.org"}
    assert "We sent the link to ada@example.org." in client.post(f"{page}/mail", sent).content.decode()
    (mail,) = mailoutbox
    path = re.search(r"https?://[^/\s]+(/resume/\S+)", mail.body)[1]
    phone = Client()
    assert code in phone.get(path).content.decode()
    assert phone.get(f"/s/{study.public_id}").status_code == 404, "a preview of the link changes nothing"
    assert phone.post("/resume", {"code": path.split("/")[-1]})["Location"] == f"/s/{study.public_id}"
    wrong = client.post(f"{page}/mail", {**sent, "email": "ada"})
    assert (wrong.status_code, code in wrong.content.decode()) == (400, True)
    assert client.post(f"{page}/mail", {**sent, "code": "AAAA-AAAA-AAAA"}).status_code == 302
    outcomes = [client.post(f"{page}/mail", sent).status_code for _ in range(5)]
    assert (outcomes, len(mailoutbox)) == ([200] * 4 + [429], 5)


def test_the_api_says_when_a_code_expires() -> None:
    participation = make_annotator(make_study())
    reply = Api(f"Participation {participation_token(participation)}").post("resume-code").json()
    assert reply["expires_at"] is None


def test_an_expired_token_names_the_way_on(monkeypatch: pytest.MonkeyPatch) -> None:
    token = participation_token(make_annotator(make_study()))
    monkeypatch.setattr(credentials, "TOKEN_SECONDS", -1)
    with pytest.raises(Refused, match="Reload the page"):
        read_participation_token(token)
