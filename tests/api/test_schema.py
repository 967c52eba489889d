"""Tests of the schema: the schema is valid, this server provides it, and the responses of the API conform to it."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from rest_framework.throttling import SimpleRateThrottle
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from annotate.core.services.credentials import new_api_token, participation_token
from annotate.core.services.jobs import request_job
from annotate.data.services.uploads import receive
from annotate.models import Upload, User
from annotate.results.services import make_report
from annotate.wsgi import application
from tests.api.openapi import api_schema
from tests.factories import do_hit, make_annotator, make_study, take

EXAMPLES = [2, pytest.param(40, marks=pytest.mark.nightly)]  # for each operation
CHECKS = [not_a_server_error, status_code_conformance, response_schema_conformance, content_type_conformance]


@pytest.fixture(autouse=True)
def _one_connection() -> Iterator[None]:
    """Keep requests on the test's database connection, as Django's test client does."""
    request_started.disconnect(close_old_connections)
    request_finished.disconnect(close_old_connections)
    yield
    request_started.connect(close_old_connections)
    request_finished.connect(close_old_connections)


@pytest.fixture(scope="module")
def shared_ids(share: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    return share(make_ids)


@pytest.fixture
def ids(shared_ids: dict[str, Any], db: None, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the IDs and credentials of `make_ids`, for requests without rate limits."""
    for scope in list(SimpleRateThrottle.THROTTLE_RATES):
        monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, scope, None)
    return shared_ids


def make_ids() -> dict[str, Any]:
    """Create a study with all objects that paths can name, and with members who send the requests."""
    study = make_study(items=10, gold=4, judgements=2)
    user = User.objects.get(memberships__study=study)
    annotator, stranger = make_annotator(study), make_annotator(study)
    for _ in range(2):
        do_hit(annotator)
    do_hit(stranger, right=False)
    make_report(study.pk, kind="results", parameters={}, user=user, progress=lambda share, text: None)
    upload = receive(study, purpose=Upload.Purpose.GOLD, filename="gold.csv", data=b"id\n", user=user)
    return {
        "paths": {
            "study": study.public_id,
            "upload": upload.public_id,
            "pseudonym": stranger.pseudonym,
            "kind": "results",
            "number": 1,
            "job": request_job(study, "report:results", user=user).public_id,
            "filename": "annotations.csv",
            "assignment": take(annotator).public_id,
            "position": 1,
        },
        "researcher": f"Token {new_api_token(user, 'script')[1]}",
        "annotator": f"Participation {participation_token(annotator)}",
    }


@pytest.mark.nightly
@pytest.mark.parametrize("examples", EXAMPLES)
def test_whatever_is_sent_the_answer_conforms(examples: int, ids: dict[str, Any]) -> None:
    faults = []
    for label, operation in operations().items():
        try:
            with transaction.atomic():  # no operation sees what another has changed
                send(operation, examples, ids)
                transaction.set_rollback(True)
        except (AssertionError, BaseExceptionGroup) as fault:
            faults.append(f"{label}: {fault}")
    assert not faults, "\n\n".join(faults)


def operations() -> dict[str, Any]:
    schema = schemathesis.openapi.from_dict(deepcopy(api_schema()))
    schema.app = application
    return {operation.ok().label: operation.ok() for operation in schema.get_all_operations()}


def send(operation: Any, examples: int, ids: dict[str, Any]) -> None:
    """Send this number of requests, and check the responses."""
    who = ids["annotator" if "annotation" in (operation.tags or ()) else "researcher"]
    modes = [operation.as_strategy(generation_mode=mode) for mode in GenerationMode]
    quick = settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )

    @quick
    @given(case=st.one_of(modes), real=st.integers(0, 3), known=st.booleans())
    def try_it(case: Case, real: int, known: bool) -> None:
        if real:  # in most cases an object that exists
            case.path_parameters = {name: ids["paths"].get(name, value) for name, value in case.path_parameters.items()}
        headers = {"Accept-Encoding": "identity"} | ({"Authorization": who} if known or real else {})
        response = case.call(headers=headers)
        case.validate_response(response, checks=CHECKS)

    try_it()
