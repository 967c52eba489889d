"""Tests of the tokens of annotators' pages and of researchers: their expiry, their scope and their last use."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core import signing
from django.utils import timezone

from annotate.core.services import credentials
from annotate.core.services.credentials import new_api_token
from annotate.models import Annotator, ApiToken, Participation, Study, User
from annotate.recruiting.services.named import add_named
from annotate.studies.services.members import invite
from tests.api.conftest import Api, refused
from tests.api.operations import LOOK, MANAGE, REVIEW, body, filled
from tests.factories import make_annotator, make_study

pytestmark = pytest.mark.django_db


def test_a_page_that_was_open_for_too_long_is_told_so(
    page: Callable[[Participation], Api], monkeypatch: pytest.MonkeyPatch
) -> None:
    api = page(make_annotator(make_study()))
    assert api.post("claims").status_code == 200
    monkeypatch.setattr(credentials, "TOKEN_SECONDS", -1)
    said = refused(api.post("claims"), 401, "authentication_failed")
    assert "Reload the page" in said["message"]


def test_a_token_signed_for_something_else_does_not_let_in() -> None:
    participation = make_annotator(make_study())
    for salt in ("", "resume", "login"):
        token = signing.dumps(participation.pk, salt=salt or "django.core.signing")
        refused(Api(f"Participation {token}").post("claims"), 401, "authentication_failed")


def test_a_token_ends_with_its_user_and_says_when_it_was_used(user: User) -> None:
    token, key = new_api_token(user, "script")
    api = Api(f"Token {key}")
    assert api.get("studies").status_code == 200
    token.refresh_from_db()
    assert timezone.now() - token.used_at < timedelta(minutes=1)
    User.objects.filter(pk=user.pk).update(is_active=False)
    refused(api.get("studies"), 401, "authentication_failed")
    User.objects.filter(pk=user.pk).update(is_active=True)
    ApiToken.objects.all().delete()
    refused(api.get("studies"), 401, "authentication_failed")


def test_the_consoles_session_needs_its_csrf_token_to_write(user: User) -> None:
    api = Api()
    api.client.handler.enforce_csrf_checks = True
    api.client.force_login(user)
    assert api.get("studies").status_code == 200
    refused(api.post("studies", {"title": "S", "task_type": "bws"}), 403, "permission_denied")
    assert not Study.objects.exists()


# ── the scope of a token ──────────────────────────────────────────────────────────────────────────────────────
def test_a_token_that_can_read_changes_nothing(user: User) -> None:
    study = make_study(user=user)
    api = Api(f"Token {new_api_token(user, 'script', scope='read')[1]}")
    assert api.get(f"studies/{study.public_id}").status_code == 200
    refused(api.patch(f"studies/{study.public_id}", {"title": "Mine"}), 403, "permission_denied")
    refused(api.post("studies", {"title": "S", "task_type": "bws"}), 403, "permission_denied")
    assert list(Study.objects.values_list("title", flat=True)) == [study.title]


def test_a_token_for_one_study_opens_no_other(user: User) -> None:
    study, other = make_study(user=user), make_study(user=user)
    api = Api(f"Token {new_api_token(user, 'script', study=study)[1]}")
    assert [row["id"] for row in api.get("studies").json()["results"]] == [study.public_id]
    assert api.get(f"studies/{study.public_id}/items").status_code == 200
    for method, path in (*LOOK, *REVIEW, *MANAGE):
        refused(api.ask(method, filled(path, other), body(path)), 404, "not_found")
    refused(api.post("studies", {"title": "S", "task_type": "bws"}), 403, "permission_denied")


def test_a_token_for_one_study_reaches_no_other_study_through_a_parameter(user: User) -> None:
    study, other = make_study(user=user), make_study(user=user)
    for each in (study, other):
        each.reports.create(kind="results", number=1, seed=1, result={"judgements": 1})
        person = make_annotator(each)
        Annotator.objects.filter(pk=person.annotator_id).update(platform="prolific", external_id="worker-4711")
    api = Api(f"Token {new_api_token(user, 'script', study=study)[1]}")
    own = f"studies/{study.public_id}"
    refused(api.get(f"{own}/reports/results/1/comparison/1?study={other.public_id}"), 404, "not_found")
    pseudonym = study.participations.get().pseudonym
    assert api.post(f"{own}/annotators/{pseudonym}/erase", {"reason": "Asked."}).json() == {"studies": 1}
    assert set(Annotator.objects.values_list("study", "external_id")) == {(study.pk, ""), (other.pk, "worker-4711")}


def test_a_token_that_can_read_sees_no_link_with_which_it_could_write(user: User) -> None:
    study = make_study(user=user, admission="named", state="draft")
    invite(study.pk, email="colleague@example.org", role="owner", user=user)
    add_named(study.pk, ["Ada"], user=user)
    reading = Api(f"Token {new_api_token(user, 'script', scope='read')[1]}")
    writing = Api(f"Token {new_api_token(user, 'script')[1]}")
    for path in ("invitations", "named-annotators"):
        hidden, shown = (api.get(f"studies/{study.public_id}/{path}").json()["results"] for api in (reading, writing))
        assert [row["link"] for row in hidden] == [None]
        assert all("/" in row["link"] for row in shown)


def test_an_expired_token_is_refused_with_its_date(user: User) -> None:
    _, key = new_api_token(user, "script", days=1)
    assert Api(f"Token {key}").get("studies").status_code == 200
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    said = refused(Api(f"Token {key}").get("studies"), 401, "authentication_failed")
    assert f"{timezone.now() - timedelta(seconds=1):%Y-%m-%d}" in said["message"]


def test_the_last_use_of_a_token_is_written_once_a_minute(user: User) -> None:
    _, key = new_api_token(user, "script")
    Api(f"Token {key}").get("studies")
    first = ApiToken.objects.get().used_at
    Api(f"Token {key}").get("studies")
    assert ApiToken.objects.get().used_at == first
    ApiToken.objects.update(used_at=first - timedelta(minutes=2))
    Api(f"Token {key}").get("studies")
    assert ApiToken.objects.get().used_at > first
