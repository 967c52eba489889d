"""Tests of credentials, and of operations for annotators. tests/web/study_access sends every request in a study
with every role and with several credentials.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.urls import URLResolver

from annotate.annotator.api.annotation import AnnotatorView
from annotate.api.urls import urlpatterns
from annotate.models import Participation
from annotate.web.api.research import ResearchView
from tests.api.conftest import Api, refused
from tests.api.operations import ANNOTATE, body, filled
from tests.factories import make_annotator, make_study, take

pytestmark = pytest.mark.django_db

OWN = [("GET", "studies"), ("GET", "pay"), ("POST", "studies")]
STUDY = [("GET", "studies/{study}"), ("PATCH", "studies/{study}"), ("POST", "studies/{study}/uploads")]


def views(patterns: Any) -> Iterator[tuple[str, Any]]:
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from views(each.url_patterns)
        elif each.name not in (None, "schema", "docs", "swagger"):  # without a name: all unknown paths
            yield each.name, getattr(each.callback, "cls", None)


def test_every_operation_checks_credentials_alike() -> None:
    """The tests below therefore need only some of the operations."""
    for name, view in views(urlpatterns):
        base = next(base for base in (AnnotatorView, ResearchView) if issubclass(view, base))
        assert view.authentication_classes is base.authentication_classes, name
        assert view.permission_classes == base.permission_classes, name


def test_without_credentials_nothing_is_told(nobody: Api) -> None:
    study = make_study()
    for method, path in (*STUDY, *OWN, *ANNOTATE):
        refused(nobody.ask(method, filled(path, study), body(path)), 401, "not_authenticated")


@pytest.mark.parametrize("given", ["Token forged", "Participation forged", "Basic dTpw", "Token", "Token a b", "\xe9"])
def test_with_wrong_credentials_nothing_is_told(given: str) -> None:
    study, api = make_study(), Api(given)
    for method, path in (*STUDY, *OWN, *ANNOTATE):
        response = api.ask(method, filled(path, study), body(path))
        told = refused(response, 401, response.json()["code"])["code"]
        assert told in ("authentication_failed", "not_authenticated"), f"{method} {path}"


def test_anothers_study_does_not_exist(owner: Api) -> None:
    study = make_study()
    for method, path in STUDY:
        refused(owner.ask(method, filled(path, study), body(path)), 404, "not_found")


def test_a_researchers_token_does_not_annotate(owner: Api) -> None:
    study = make_study()
    for method, path in ANNOTATE:
        refused(owner.ask(method, filled(path, study), body(path)), 401, "not_authenticated")


def test_a_participation_sees_nothing_of_researchers(page: Callable[[Participation], Api]) -> None:
    study = make_study()
    api = page(make_annotator(study))
    for method, path in (*STUDY, *OWN):
        refused(api.ask(method, filled(path, study), body(path)), 401, "not_authenticated")


def test_anothers_assignment_does_not_exist(page: Callable[[Participation], Api]) -> None:
    study = make_study()
    mine, other, elsewhere = make_annotator(study), make_annotator(study), make_annotator(make_study())
    assignment = take(other).public_id
    take(mine)
    for method, path in ANNOTATE[3:]:
        for stranger in (mine, elsewhere):
            refused(page(stranger).ask(method, filled(path, study, assignment), body(path)), 404, "unknown")
