"""Packages with task types from outside the project, installed for one test."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings

from annotate.commands.new_tasktype import write_package
from annotate.help import guides, search
from annotate.tasktypes import registry
from tests.api.openapi import forget_schema

NAME = "word-order"
ROOT = Path(__file__).parents[1]


@contextmanager
def installed(package: Path, application: str) -> Iterator[None]:
    """Install the package in this folder, as its entry point does for a process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(package / "src"))
        patch.setattr(registry, "_registry", dict(registry._registry))
        _forget()
        with override_settings(INSTALLED_APPS=[*settings.INSTALLED_APPS, application]):
            yield
    _forget()
    module = application.partition(".")[0]
    for name in [name for name in sys.modules if name.partition(".")[0] == module]:
        del sys.modules[name]


def _forget() -> None:
    """Forget what was calculated from the installed task types."""
    forget_schema()
    if search._index.cache_info().currsize:
        search._index().close()  # because Python 3.13 warns in a later test of a connection that was not closed
    for cached in (guides.guide, search._index, search._sections):
        cached.cache_clear()


@pytest.fixture
def word_order(tmp_path: Path) -> Iterator[Path]:
    """Install a new package for the task type word-order, and return its folder."""
    folder = tmp_path / "package"
    write_package(NAME, folder)
    with installed(folder, "accord_word_order.apps.WordOrderConfig"):
        yield folder
