"""Two reviewers who draw a sample of final labels at the same time."""

import pytest

from annotate.core.permissions import SYSTEM
from annotate.results.services import draw_error_sample
from tests.at_once import CALLS, at_once
from tests.results.test_error_sample import make_shared_study

pytestmark = [pytest.mark.rules, pytest.mark.django_db(transaction=True)]


@pytest.mark.nightly
def test_the_same_request_at_once_draws_one_sample() -> None:
    study = make_shared_study()
    assert at_once(lambda _: draw_error_sample(study.pk, wanted=0.2, user=SYSTEM).number) == {"1": CALLS}
    assert study.reports.filter(kind="error-sample").count() == 1
