"""Two studies that the tests of a module share, and the outcomes of the checks of roles."""

from collections.abc import Callable
from typing import Any

import pytest

from annotate.models import Study
from annotate.web.api import research
from annotate.web.pages import access
from tests.web.study_access.visitors import Two


@pytest.fixture(scope="module")
def two(share: Callable[..., Any]) -> Two:
    return share(Two)


@pytest.fixture(autouse=True)
def _no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rest_framework.throttling.SimpleRateThrottle.allow_request", lambda *_: True)


@pytest.fixture
def permitted(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Return a list that gets, for each check of a role before a page or an operation, whether the role may go on."""
    answers: list[bool] = []
    console, study_for = access.StudyConsole, research.study_for

    def page(study: Study, path: str) -> access.StudyConsole:
        answers.append(True)
        return console(study, path)

    def operation(*arguments: Any, **named: Any) -> Study:
        answers.append(False)
        found = study_for(*arguments, **named)
        answers[-1] = True
        return found

    monkeypatch.setattr(access, "StudyConsole", page)
    monkeypatch.setattr(research, "study_for", operation)
    return answers
