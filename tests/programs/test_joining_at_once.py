"""Tests of a program that joins several times at once."""

import pytest

from annotate.core.permissions import SYSTEM
from annotate.programs.services.joining import add_program
from tests.at_once import CALLS, at_once
from tests.factories import make_study

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.nightly
def test_a_program_joins_once() -> None:
    study = make_study(items=8)
    joined = at_once(lambda _: add_program(study.pk, platform="system", name="model", user=SYSTEM).pk)
    assert list(joined.values()) == [CALLS]
    assert study.events.filter(verb="added program").count() == 1
