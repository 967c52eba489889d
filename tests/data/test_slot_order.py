"""Tests of the order of a draft's slots after its pilot or its order of assignments has changed."""

from __future__ import annotations

import pytest

from annotate.core.permissions import SYSTEM
from annotate.data.selectors.design import is_outdated
from annotate.data.services.design import build_design
from annotate.models import Study
from annotate.studies.services.settings import change_settings
from tests.factories import make_study

pytestmark = pytest.mark.django_db


def queue(study: Study) -> list[int]:
    """Return the HITs' numbers in the order of the slots."""
    places = list(study.slots.order_by("place").values_list("place", flat=True))
    assert places == list(range(1, len(places) + 1))
    return list(study.slots.order_by("place").values_list("hit__number", flat=True))


@pytest.mark.parametrize("changed", [{"pilot_hits": 2}, {"order": "hits"}, {"order": "hits", "pilot_hits": 3}])
def test_a_changed_pilot_or_order_moves_the_slots_as_a_new_design_would(changed: dict[str, object]) -> None:
    study = make_study(items=40, judgements=3, state="draft")
    before = queue(study)
    study = change_settings(study.pk, user=SYSTEM, **changed)
    moved = queue(study)
    assert moved != before
    assert not is_outdated(study)
    build_design(study.pk, user=SYSTEM)
    assert queue(study) == moved


def test_the_slots_of_another_study_keep_their_places() -> None:
    one, other = make_study(items=40, state="draft"), make_study(items=40, state="draft")
    before = queue(other)
    change_settings(one.pk, user=SYSTEM, pilot_hits=2)
    assert queue(other) == before
