"""Tests of judgements that are added to an existing design."""

import pytest

from annotate import tasktypes
from annotate.permissions import SYSTEM
from annotate.refusals import Refused
from annotate.selectors.progress import progress_of
from annotate.services.claim import claim
from annotate.services.submit import submit
from annotate.services.supply import MOST_AT_ONCE, add_slots, add_where_needed
from tests.factories import answers_to, make_annotator, make_study

pytestmark = pytest.mark.django_db


def test_every_hit_gets_further_slots_round_by_round_at_the_end_of_the_queue():
    study = make_study(judgements=1)
    before = study.supply
    assert add_slots(study.pk, user=SYSTEM, per_hit=2) == 8
    places = study.slots.order_by("place").values_list("place", "hit__number")
    assert list(places) == [(place, (place - 1) % 4 + 1) for place in range(1, 13)]
    study.refresh_from_db()
    assert study.supply == before + 1
    assert study.events.get(verb="added slots").detail == {"slots": 8, "per_hit": 2}


def test_chosen_hits_only():
    study = make_study()
    assert add_slots(study.pk, user=SYSTEM, hits=[3, 1, 99]) == 2
    assert list(study.slots.filter(place__gt=4).order_by("place").values_list("hit__number", flat=True)) == [1, 3]


@pytest.mark.parametrize("per_hit", [0, -1, MOST_AT_ONCE + 1])
def test_a_few_at_once(per_hit):
    study = make_study()
    with pytest.raises(Refused, match=f"Add between 1 and {MOST_AT_ONCE} judgements at a time"):
        add_slots(study.pk, user=SYSTEM, per_hit=per_hit)
    assert study.slots.count() == 4


def test_what_a_task_type_needs_more_of_is_asked_of_others(monkeypatch):
    """If two questions need one further judgement and one question needs two, new HITs are added, and no annotator gets
    the same question again.
    """
    study = make_study(items=20, judgements=1, questions_per_hit=5, gold=0, gold_block=0, rule_threshold="0")
    first = make_annotator(study)
    _do_all(first)
    refs = list(study.questions.filter(kind="regular").order_by("pk").values_list("ref", flat=True)[:3])
    needs = {refs[0]: 1, refs[1]: 1, refs[2]: 2}
    monkeypatch.setattr(type(tasktypes.get("bws")), "needs_more", lambda self, data: needs)
    before = study.hits.count()

    assert add_where_needed(study.pk, user=SYSTEM) == 4

    added = study.hits.filter(number__gt=before).order_by("number")
    asked = [set(hit.questions.values_list("ref", flat=True)) for hit in added]
    assert asked == [{refs[0], refs[1]}, {refs[2]}]
    assert [hit.slots.filter(open=1).count() for hit in added] == [1, 2]
    study.refresh_from_db()
    assert progress_of(study).wanted == study.design.result["judgements"] + 4
    assert claim(first.pk).assignment is None
    second, third = make_annotator(study), make_annotator(study)
    _do_all(second)
    _do_all(third)
    given = study.assignments.filter(state="done").values_list("answers__question__ref", flat=True)
    assert [list(given).count(ref) for ref in refs] == [2, 2, 3]


def _do_all(person):
    while assignment := claim(person.pk).assignment:
        submit(person.pk, assignment.public_id, answers_to(assignment))
