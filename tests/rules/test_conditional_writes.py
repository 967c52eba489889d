"""Of several changes with the `ETag` of the same version, exactly one is made."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.test import Client

from annotate.core.services.credentials import new_api_token
from tests.factories import UserFactory, make_study

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.rules]


def test_one_of_several_changes_to_the_same_version_is_made(
    at_once: Callable[[Sequence[Callable[[], Any]]], list[Any]],
) -> None:
    user = UserFactory()
    study = make_study(user=user, items=0, state="draft")
    url = f"/api/v1/studies/{study.public_id}"
    headers = {"Authorization": f"Token {new_api_token(user, 'script')[1]}"}
    tag = Client().get(url, headers=headers).headers["ETag"]

    def change(number: int) -> Callable[[], int]:
        body, condition = {"title": f"Title {number}"}, headers | {"If-Match": tag}
        return lambda: Client().patch(url, body, content_type="application/json", headers=condition).status_code

    assert sorted(at_once([change(number) for number in range(4)])) == [200, 412, 412, 412]
