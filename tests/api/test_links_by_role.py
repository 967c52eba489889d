"""Tests that only people and tokens that can invite annotators receive the secrets with which people join.

tests/web/study_access/test_requests.py looks for the same secrets on every page.
"""

from __future__ import annotations

from typing import Any

import pytest

from annotate.core.permissions import SYSTEM, Action, allows
from annotate.core.services.credentials import PERSONAL_LINKS, group_code, new_api_token
from annotate.models import Membership, Study, User
from annotate.prolific.services.settings import change_prolific
from annotate.recruiting.services.groups import add_group
from annotate.recruiting.services.named import add_named
from tests.api.conftest import Api
from tests.api.operations import LOOK, MANAGE, OWNER, filled, text_of
from tests.console_study import member
from tests.factories import make_annotator, make_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    study = make_study()
    make_annotator(study)
    return study


def api(user: User, scope: str) -> Api:
    return Api(f"Token {new_api_token(user, 'script', scope=scope)[1]}")


@pytest.mark.nightly
@pytest.mark.parametrize("role", Membership.Role.values)
@pytest.mark.parametrize("scope", ["read", "write"])
def test_the_join_token_is_for_people_who_can_invite(study: Study, role: str, scope: str) -> None:
    client = api(member(study, role), scope)
    expected = study.join_token if scope == "write" and allows(role, Action.NAME_ANNOTATORS) else None
    assert client.get(f"studies/{study.public_id}").json()["join_token"] == expected
    assert [one["join_token"] for one in client.get("studies").json()["results"]] == [expected]


def test_no_response_to_a_read_only_token_contains_a_secret(study: Study) -> None:
    client = api(study.memberships.get().user, "read")
    secrets = secrets_of(study)
    for method, path in (*LOOK, *MANAGE, *OWNER):
        if method == "GET":
            response: Any = client.client.get(f"/api/v1/{filled(path, study)}", headers=client.headers)
            text = text_of(b"".join(response) if response.streaming else response.content)
            assert not [secret for secret in secrets if secret in text], path


def secrets_of(study: Study) -> list[str]:
    """Create every secret with which somebody can join or finish, and return the secrets."""
    group = add_group(study.pk, name="Class 7b", user=SYSTEM)
    Study.objects.filter(pk=study.pk).update(admission=Study.Admission.NAMED)
    (ada,) = add_named(study.pk, ["Ada"], user=SYSTEM)
    Study.objects.filter(pk=study.pk).update(admission=study.admission)
    codes = change_prolific(study.pk, user=SYSTEM, hits_per_submission=2).codes.values()
    return [study.join_token, group_code(group.public_id), PERSONAL_LINKS.path(ada.public_id), *filter(None, codes)]
