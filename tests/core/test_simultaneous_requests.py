"""Tests of the same request sent several times at once, such as by a double click."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections

from annotate.core.permissions import SYSTEM
from annotate.planning.selectors.plans import usual_parameters
from annotate.planning.services.plans import planning_of
from annotate.planning.services.requests import MOST_AT_ONCE, request_plan
from annotate.programs.services.joining import add_program
from annotate.server.refusals import Refused
from tests.factories import make_study

pytestmark = pytest.mark.django_db(transaction=True)

CALLS = 8


def at_once(call: Callable[[int], object]) -> Counter[str]:
    """Call the function with 0 to 7 at the same time, and count the results and the codes of refusals."""
    start = Barrier(CALLS)

    def one(number: int) -> str:
        try:
            start.wait()
            return str(call(number))
        except Refused as refusal:
            return refusal.code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(CALLS) as threads:
        return Counter(threads.map(one, range(CALLS)))


def test_a_program_joins_once_and_plans_are_limited() -> None:
    study = make_study(items=8)
    joined = at_once(lambda _: add_program(study.pk, platform="system", name="model", user=SYSTEM).pk)
    assert list(joined.values()) == [CALLS]
    assert study.events.filter(verb="added program").count() == 1

    usual = usual_parameters(study, planning_of(study)) | {"studies": 20, "answers": [2]}
    requested = at_once(lambda seed: type(request_plan(study, {**usual, "seed": seed}, user=SYSTEM)).__name__)
    assert requested == {"Job": MOST_AT_ONCE, "busy": CALLS - MOST_AT_ONCE}
