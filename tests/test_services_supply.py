"""More judgements than were planned."""

import pytest

from annotate.refusals import Refused
from annotate.services.supply import MOST_AT_ONCE, add_slots
from tests.factories import UserFactory, make_study

pytestmark = pytest.mark.django_db


def test_every_hit_gets_further_slots_round_by_round_at_the_end_of_the_queue():
    study = make_study(judgements=1)
    before = study.supply
    assert add_slots(study.pk, user=UserFactory(), per_hit=2) == 8
    places = study.slots.order_by("place").values_list("place", "hit__number")
    assert list(places) == [(place, (place - 1) % 4 + 1) for place in range(1, 13)]
    study.refresh_from_db()
    assert study.supply == before + 1
    assert study.events.get(verb="added slots").detail == {"slots": 8, "per_hit": 2}


def test_chosen_hits_only():
    study = make_study()
    assert add_slots(study.pk, user=None, hits=[3, 1, 99]) == 2
    assert list(study.slots.filter(place__gt=4).order_by("place").values_list("hit__number", flat=True)) == [1, 3]


@pytest.mark.parametrize("per_hit", [0, -1, MOST_AT_ONCE + 1])
def test_a_few_at_once(per_hit):
    study = make_study()
    with pytest.raises(Refused, match=f"Add from 1 to {MOST_AT_ONCE} judgements at once"):
        add_slots(study.pk, user=None, per_hit=per_hit)
    assert study.slots.count() == 4
