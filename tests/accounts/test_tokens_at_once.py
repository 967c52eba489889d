"""Requests for API tokens that arrive at the same time."""

import pytest

from annotate.accounts import services
from tests.at_once import at_once
from tests.factories import UserFactory


@pytest.mark.rules
@pytest.mark.django_db(transaction=True)
def test_requests_at_once_make_only_as_many_tokens_as_a_person_can_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST", 3)
    user = UserFactory()
    assert at_once(lambda number: type(services.make_token(user, f"token {number}")).__name__) == {
        "tuple": 3,
        "too-many": 5,
    }
    assert user.api_tokens.count() == 3
