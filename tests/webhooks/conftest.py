"""The clients of the API in these tests."""

from tests.api.conftest import _forget_rates, member, owner, script, user

__all__ = ["_forget_rates", "member", "owner", "script", "user"]
