"""Tests of the migrations that change accounts: which addresses an upgrade confirms."""

from importlib import import_module
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.db import connection
from django.db.migrations import RunPython

from annotate.models import User

pytestmark = pytest.mark.django_db


def run(name: str, state: Any) -> None:
    """Run the Python steps of a migration."""
    for operation in import_module(f"annotate.migrations.{name}").Migration.operations:
        if isinstance(operation, RunPython):
            operation.code(state, connection.schema_editor())


def test_only_administrators_of_the_old_version_are_confirmed() -> None:
    User.objects.create(email="old@example.org", is_superuser=True)
    User.objects.create(email="researcher@example.org")
    run("0021_earlier_accounts", apps)
    assert list(EmailAddress.objects.values_list("email", "verified", "primary")) == [("old@example.org", True, True)]
    User.objects.create(email="new@example.org", is_superuser=True)
    run("0035_account_security", apps)
    assert EmailAddress.objects.count() == 1, "an administrator who was added later confirms the address"
