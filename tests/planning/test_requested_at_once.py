"""Tests of plans that are requested several times at once."""

import pytest

from annotate.core.permissions import SYSTEM
from annotate.planning.selectors.plans import usual_parameters
from annotate.planning.services.plans import MOST_AT_ONCE, planning_of, request_plan
from tests.at_once import CALLS, at_once
from tests.factories import make_study

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_number_of_plans_is_limited() -> None:
    study = make_study(items=8)
    usual = usual_parameters(study, planning_of(study)) | {"studies": 20, "answers": [2]}
    requested = at_once(lambda seed: type(request_plan(study, {**usual, "seed": seed}, user=SYSTEM)).__name__)
    assert requested == {"Job": MOST_AT_ONCE, "busy": CALLS - MOST_AT_ONCE}
