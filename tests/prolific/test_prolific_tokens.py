"""Tests of Prolific's secured URLs. The tests sign tokens with their own keys, which a stand-in server publishes."""

from __future__ import annotations

import http.server
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from django.apps import apps
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client

from annotate.core.permissions import SYSTEM
from annotate.core.selectors.limits import prolific_settings
from annotate.models import Outcome, ProlificStudy, Study
from annotate.prolific.services.settings import change_prolific
from annotate.prolific.services.tokens import KEYS
from annotate.recruiting.services.questionnaires import change_questionnaire
from annotate.server import public_addresses
from tests.factories import make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db
IDS = {"PROLIFIC_PID": "5f1a", "STUDY_ID": "60ee", "SESSION_ID": "61aa"}
REFUSED = "This link is not valid in this browser."


@pytest.fixture(scope="module")
def keys() -> SimpleNamespace:
    """Return the key of the stand-in and a foreign key, which the stand-in does not publish."""
    own, foreign = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))
    return SimpleNamespace(own=own, foreign=foreign)


@pytest.fixture(scope="module")
def server(keys: SimpleNamespace) -> Iterator[SimpleNamespace]:
    """Start a server that publishes the keys like Prolific. A test can change the ID of the key or the response."""
    state = SimpleNamespace(kid="k1", content=None, requests=0)

    class Keys(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            state.requests += 1
            public = jwt.algorithms.RSAAlgorithm.to_jwk(keys.own.public_key(), as_dict=True)
            content = state.content or json.dumps({"keys": [public | {"kid": state.kid, "alg": "RS256"}]}).encode()
            self.send_response(200 if self.path == "/.well-known/study/jwks.json" else 404)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *arguments: Any) -> None:
            """Write no log."""

    listening = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Keys)
    threading.Thread(target=listening.serve_forever, args=(0.01,), daemon=True).start()
    state.url = f"http://prolific.example:{listening.server_port}/.well-known/study/jwks.json"
    yield state
    listening.shutdown()
    listening.server_close()


@pytest.fixture(autouse=True)
def prolific(server: SimpleNamespace, settings: Any, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Let the name of the stand-in lead to this machine, and forget the keys."""
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0))]
    monkeypatch.setattr(public_addresses, "getaddrinfo", lambda *arguments, **options: found)
    monkeypatch.setattr(public_addresses, "is_public", lambda address: True)
    settings.PROLIFIC_KEYS_URL = server.url
    cache.delete_many([KEYS, f"{KEYS}-requested"])
    server.kid, server.content, server.requests = "k1", None, 0
    return server


@pytest.fixture(scope="module")
def study(share: Callable[..., Study]) -> Study:
    def secured() -> Study:
        study = make_study(judgements=3, recruitment=Study.Recruitment.PROLIFIC, consent="Agree?")
        change_prolific(study.pk, user=SYSTEM, secured=True)
        return study

    return share(secured)


@pytest.fixture
def token(keys: SimpleNamespace, study: Study) -> Callable[..., str]:
    """Return a function that signs a token. Arguments replace claims, and None removes a claim."""

    def sign(*, key: Any = keys.own, kid: str | None = "k1", algorithm: str = "RS256", **changes: Any) -> str:
        audience = f"http://testserver/join/{study.join_token}"
        claims = {"iss": "https://www.prolific.com", "aud": audience, "exp": time.time() + 300, "prolific": IDS}
        claims = {name: value for name, value in (claims | changes).items() if value is not None}
        return jwt.encode(claims, key, algorithm=algorithm, headers={"kid": kid} if kid else None)

    return sign


def link(study: Study, token: str = "", **ids: str) -> str:
    query = "&".join(f"{name}={value}" for name, value in (IDS | ids).items())
    return f"/join/{study.join_token}?{query}" + (f"&prolific_token={token}" if token else "")


def come_in(client: Client, study: Study, token: str = "", **ids: str) -> str:
    """Open the link, follow the redirect and take part. Return the error, or an empty text."""
    page = client.get(link(study, token, **ids), follow=True)
    if "Return to Prolific" in markup(page) or page.status_code != 200:
        return markup(page)
    if page.redirect_chain and page.redirect_chain[-1][0].startswith("/s/"):
        return ""
    joined = client.post(link(study, **ids), {"agree": "yes", "consent": "1"})
    return "" if joined.status_code == 302 else markup(joined)


@pytest.mark.nightly
def test_a_token_confirms_the_ids_and_disappears_from_the_url(
    client: Client, study: Study, token: Callable[..., str]
) -> None:
    opened = client.get(link(study, token()))
    assert opened.status_code == 302
    assert opened["Location"] == link(study)
    cookie = client.cookies[f"accord-{study.public_id}-prolific"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert come_in(client, study) == ""
    person = study.participations.select_related("annotator").get()
    assert (person.annotator.external_id, person.annotator.verified) == ("5f1a", True)
    submission = study.prolific_submissions.get()
    assert (submission.participation, submission.submission_id, submission.verified) == (person, "61aa", True)


FORGED: dict[str, dict[str, Any]] = {
    "expired": {"exp": time.time() - 60},
    "without an expiry": {"exp": None},
    "with an expiry that is not a number": {"exp": "never"},
    "with an expiry after the last year of the calendar": {"exp": 10**12},
    "for another server": {"aud": "https://other.example/join/x"},
    "for a server with a similar name": {"aud": "http://testserver.evil.example/"},
    "for another study on this server": {"aud": "http://testserver/join/another-study"},
    "for a malformed address": {"aud": "http://[testserver"},
    "without an audience": {"aud": None},
    "without IDs": {"prolific": None},
    "with a text instead of IDs": {"prolific": "5f1a"},
    "with an invalid ID": {"prolific": IDS | {"PROLIFIC_PID": "a b"}},
    "without the submission": {"prolific": {"PROLIFIC_PID": "5f1a", "STUDY_ID": "60ee"}},
    "with an unknown key": {"kid": "k9"},
    "without a key ID": {"kid": None},
}


@pytest.mark.parametrize("fault", FORGED)
def test_invalid_tokens_are_refused(client: Client, study: Study, token: Callable[..., str], fault: str) -> None:
    refused = client.get(link(study, token(**FORGED[fault])))
    assert refused.status_code == 403
    assert REFUSED in markup(refused)
    assert "Take part" not in markup(refused)
    assert not study.prolific_submissions.exists()
    assert f"accord-{study.public_id}-prolific" not in client.cookies


@pytest.mark.nightly
def test_tokens_with_other_signatures_are_refused(
    client: Client, study: Study, token: Callable[..., str], keys: SimpleNamespace
) -> None:
    own = token()
    header, _, _ = own.split(".")
    _, claims, signature = token(prolific=IDS | {"PROLIFIC_PID": "77cc"}).split(".")
    forged = [
        token(key=keys.foreign),
        token(key="a secret of more than thirty-two bytes", algorithm="HS256"),
        token(key=None, algorithm="none"),
        f"{header}.{claims}.{own.split('.')[2]}",
        f"{own.rsplit('.', 1)[0]}.",
        f"{header}.{claims}.{signature[:-8]}",
        "a.b.c",
        "x" * 9_000,
    ]
    for each in forged:
        assert client.get(link(study, each)).status_code == 403, each
    assert not study.prolific_submissions.exists()


def test_a_token_must_fit_the_ids_in_the_url(client: Client, study: Study, token: Callable[..., str]) -> None:
    borrowed = token()
    assert client.get(link(study, borrowed, PROLIFIC_PID="77cc")).status_code == 400
    assert client.get(link(study, borrowed)).status_code == 403, "the token has been used"
    assert not study.participations.exists()


@pytest.mark.nightly
def test_a_used_token_opens_nothing_in_another_browser(client: Client, study: Study, token: Callable[..., str]) -> None:
    used = token()
    assert come_in(client, study, used) == ""
    thief = Client()
    replayed = thief.get(link(study, used))
    assert (replayed.status_code, REFUSED in markup(replayed)) == (403, True)
    assert thief.get(f"/s/{study.public_id}").status_code == 404
    assert client.get(link(study, used), follow=True).redirect_chain[-1][0] == f"/s/{study.public_id}"
    client.cookies.pop(f"accord-{study.public_id}-prolific")
    assert client.get(link(study, used), follow=True).redirect_chain[-1][0] == f"/s/{study.public_id}"
    assert study.participations.count() == 1


def tables() -> dict[str, list[Any]]:
    """Return every row of every table except sessions, which store the time of their last request."""
    models = [model for model in apps.get_models() if model is not Session]
    return {model._meta.label: list(model._default_manager.order_by("pk").values()) for model in models}


@pytest.mark.nightly
def test_only_the_use_of_a_token_is_recorded_by_a_get_request(
    client: Client, study: Study, token: Callable[..., str]
) -> None:
    """Prolific sends participants to the URL, so the request is a GET. If the token were recorded only when the
    participant joins, everyone who copies the URL before that could take part under the participant's ID.
    """
    client.head(link(study, token()))
    before = tables()
    client.get(link(study, token()))
    after = tables()
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {"annotate.ProlificSubmission"}
    submission = study.prolific_submissions.get()
    assert submission.participation is None
    client.get(link(study))
    assert tables() == after


@pytest.mark.nightly
def test_a_new_token_opens_the_same_work_in_another_browser(
    client: Client, study: Study, token: Callable[..., str]
) -> None:
    assert come_in(client, study, token()) == ""
    elsewhere = Client()
    assert elsewhere.get(link(study, token(exp=time.time() + 400)), follow=True).redirect_chain[-1][0] == (
        f"/s/{study.public_id}"
    )
    assert study.participations.count() == 1


@pytest.mark.nightly
def test_a_study_with_secured_urls_accepts_no_ids_without_a_token(
    client: Client, study: Study, token: Callable[..., str]
) -> None:
    assert REFUSED in come_in(client, study)
    declined = client.post(link(study), {"decline": "yes"})
    assert REFUSED in markup(declined)
    assert prolific_settings(study).code(Outcome.NO_CONSENT) not in markup(declined)
    client.get(link(study, token()))
    assert REFUSED in come_in(client, study, PROLIFIC_PID="77cc"), "the cookie confirms one participant"
    assert not study.participations.exists()
    assert come_in(client, study) == ""
    change_prolific(study.pk, user=SYSTEM, submissions_per_participant=2)
    assert REFUSED in markup(client.get(link(study, SESSION_ID="62bb")))
    assert study.prolific_submissions.count() == 1


def test_a_token_takes_back_an_id_that_another_person_used_before(
    client: Client, study: Study, token: Callable[..., str]
) -> None:
    change_prolific(study.pk, user=SYSTEM, secured=False)
    borrower = Client()
    assert come_in(borrower, study, SESSION_ID="62bb") == ""
    change_prolific(study.pk, user=SYSTEM, secured=True, submissions_per_participant=2)
    client.get(link(study, token()))
    hub = f"/s/{study.public_id}"
    assert borrower.get(hub).status_code == 200
    assert client.post(link(study))["Location"] == hub
    assert study.annotators.get().verified
    assert (client.get(hub).status_code, borrower.get(hub).status_code) == (200, 404)


def test_a_token_in_the_own_browser_confirms_the_person_who_began_without(
    client: Client, study: Study, token: Callable[..., str]
) -> None:
    change_prolific(study.pk, user=SYSTEM, secured=False)
    assert come_in(client, study) == ""
    assert come_in(client, study, token()) == ""
    assert study.annotators.get().verified
    assert client.get(f"/s/{study.public_id}").status_code == 200


def test_the_keys_are_requested_once_and_again_for_a_new_key(
    client: Client, study: Study, token: Callable[..., str], prolific: SimpleNamespace
) -> None:
    for number in range(3):
        client.get(link(study, token(exp=time.time() + 300 + number)))
        client.cookies.clear()
    assert prolific.requests == 1
    prolific.kid = "k2"
    assert client.get(link(study, token(kid="k2", exp=time.time() + 400))).status_code == 403
    assert prolific.requests == 1, "forged key IDs cannot cause many requests"
    cache.delete(f"{KEYS}-requested")
    assert client.get(link(study, token(kid="k2", exp=time.time() + 400))).status_code == 302
    assert prolific.requests == 2


@pytest.mark.parametrize("content", [b"not JSON", b"x" * 200_000, b"[" * 50_000])
def test_without_keys_the_link_is_neither_accepted_nor_used(
    client: Client, study: Study, token: Callable[..., str], prolific: SimpleNamespace, content: bytes
) -> None:
    prolific.content = content
    later = token()
    for _ in range(2):
        page = client.get(link(study, later))
        assert (page.status_code, "could not be checked" in markup(page)) == (503, True)
    assert prolific.requests == 1
    prolific.content = None
    cache.delete(f"{KEYS}-requested")
    assert client.get(link(study, later)).status_code == 302


@pytest.mark.parametrize("content", [b"[]", b'{"keys": null}', b'{"keys": ["k1", {"kid": "k1"}]}', b'"keys"'])
def test_other_key_sets_confirm_nothing(
    client: Client, study: Study, token: Callable[..., str], prolific: SimpleNamespace, content: bytes
) -> None:
    prolific.content = content
    assert client.get(link(study, token())).status_code == 403


def test_private_addresses_are_never_asked(
    client: Client, study: Study, token: Callable[..., str], prolific: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_addresses, "is_public", lambda address: False)
    assert client.get(link(study, token())).status_code == 503
    assert prolific.requests == 0


def test_studies_without_prolific_ignore_tokens(client: Client, prolific: SimpleNamespace) -> None:
    assert client.get(link(make_study(), "a.b.c")).status_code == 200
    assert prolific.requests == 0


@pytest.mark.nightly
def test_answers_under_an_invented_id_do_not_screen_out_the_confirmed_participant(
    client: Client, study: Study, token: Callable[..., str]
) -> None:
    change_prolific(study.pk, user=SYSTEM, secured=False)
    options = {"options": ["yes", "no"], "admitted": ["yes"], "required": True}
    question = {"name": "language", "kind": "single", "label": "Is English your first language?", **options}
    change_questionnaire(study.pk, "screening", {"questions": [question]}, revision=0, user=SYSTEM)
    answer = {"screening": "1", "q-language": "no"}
    stranger = Client()
    stranger.post(link(study, SESSION_ID=""), answer)
    assert "Is English" not in markup(stranger.get(link(study, SESSION_ID="")))
    assert study.prolific_submissions.get().outcome == Outcome.SCREENED_OUT
    assert "Is English" in markup(client.get(link(study, token()), follow=True))
    stranger.post(link(study), {"decline": "1"})
    assert study.prolific_submissions.get(submission_id="61aa").outcome == ""
    client.post(link(study), answer | {"q-language": "yes"})
    assert come_in(client, study) == ""
    assert study.annotators.get().verified


@pytest.mark.parametrize("audience", ["/join/{}", "/join/{}/", "/join/{}?PROLIFIC_PID=5f1a", "", "/"])
def test_a_token_can_name_the_url_of_the_study_or_the_server(
    client: Client, study: Study, token: Callable[..., str], audience: str
) -> None:
    url = f"http://testserver{audience.format(study.join_token)}"
    assert come_in(client, study, token(aud=url)) == ""


@pytest.mark.nightly
def test_a_token_for_another_study_on_prolific_does_not_open_a_linked_study(
    client: Client, study: Study, token: Callable[..., str]
) -> None:
    linked = ProlificStudy.objects.create(study=study, prolific_id="70ff")
    assert REFUSED in come_in(client, study, token(aud="http://testserver"))
    assert not study.participations.exists()
    linked.prolific_id = IDS["STUDY_ID"]
    linked.save()
    assert come_in(client, study, token(aud="http://testserver")) == ""
