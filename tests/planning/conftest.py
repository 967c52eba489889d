"""The clients of the API and the threads in these tests."""

from tests.api.conftest import _forget_rates, member, owner, script, user
from tests.rules.conftest import at_once

__all__ = ["_forget_rates", "at_once", "member", "owner", "script", "user"]
