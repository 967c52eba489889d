"""Tests of rule 1: a HIT has as many slots as requested assignments, and two assignments never hold the same slot."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotate.core.permissions import SYSTEM
from annotate.core.services.claim import claim
from annotate.core.services.submit import submit
from annotate.models import Assignment, Slot, Study
from annotate.questions.services.more_judgements import add_slots
from annotate.server.refusals import Refused
from annotate.studies.services.settings import change_settings
from tests.factories import (
    ParticipationFactory,
    answers_to,
    assert_slots_add_up,
    do_hit,
    make_annotator,
    make_study,
    take,
)

pytestmark = [pytest.mark.rules, pytest.mark.django_db]


def hold(study, slot, **fields):
    """Insert an assignment without using the services."""
    values = {
        "study": study,
        "participation": ParticipationFactory(study=study),
        "hit": slot.hit,
        "slot": slot,
        "lease_until": timezone.now() + timedelta(hours=1),
    }
    return Assignment.objects.create(**values | fields)


def test_a_hit_has_as_many_slots_as_judgements_are_wanted():
    study = make_study(judgements=3)
    assert {hit.slots.count() for hit in study.hits.all()} == {3}
    assert sorted(study.slots.values_list("place", flat=True)) == list(range(1, study.slots.count() + 1))


@pytest.mark.parametrize("second", ["leased", "done"])
@pytest.mark.parametrize("first", ["leased", "done"])
def test_the_database_refuses_a_second_holder(refuses, first, second):
    study = make_study()
    slot = study.slots.first()
    hold(study, slot, state=first, submitted_at=timezone.now() if first == "done" else None)
    with refuses("slot"):
        hold(study, slot, state=second, submitted_at=timezone.now() if second == "done" else None)


@pytest.mark.parametrize("state", ["lapsed", "surplus", "void"])
def test_whoever_holds_a_slot_no_longer_leaves_it_to_others(state):
    study = make_study()
    slot = study.slots.first()
    hold(study, slot, state=state, submitted_at=timezone.now() if state == "surplus" else None)
    assert hold(study, slot).pk


def test_the_database_refuses_a_holder_without_a_slot(refuses):
    study = make_study()
    taken = hold(study, study.slots.first())
    with refuses("assignment_has_slot"):
        Assignment.objects.filter(pk=taken.pk).update(slot=None)


def test_the_database_refuses_two_takings_of_a_hit_by_one_annotator(refuses):
    study = make_study(judgements=2)
    first, second = Slot.objects.filter(hit=study.hits.first())
    taken = hold(study, first)
    with refuses("hit"):
        hold(study, second, participation=taken.participation, source="api")


def test_the_database_refuses_two_web_leases_of_one_annotator(refuses):
    study = make_study()
    first, second = study.slots.all()[:2]
    taken = hold(study, first)
    with refuses("participation"):
        hold(study, second, participation=taken.participation)
    assert hold(study, second, participation=taken.participation, source="api").pk


def test_the_database_refuses_states_that_do_not_exist(refuses):
    study = make_study()
    with refuses("slot_open_is_0_or_1"):
        Slot.objects.filter(study=study).update(open=2)
    taken = hold(study, study.slots.first())
    with refuses("assignment_state"):
        Assignment.objects.filter(pk=taken.pk).update(state="lost")
    with refuses("assignment_submitted"):
        Assignment.objects.filter(pk=taken.pk).update(state="done")


def test_the_database_refuses_a_submitted_hit_to_be_taken_up_again(refuses):
    study = make_study()
    taken = hold(study, study.slots.first(), state="done", submitted_at=timezone.now())
    for state in ("leased", "lapsed"):
        with refuses("assignment_submitted"):
            Assignment.objects.filter(pk=taken.pk).update(state=state)


def test_work_goes_out_round_by_round():
    study = make_study(judgements=2)
    hits = study.hits.count()
    ann = make_annotator(study)
    assert [take_number(ann) for _ in range(hits)] == list(range(1, hits + 1))
    assert claim(ann.pk).why == "nothing"
    assert take_number(make_annotator(study)) == 1


def test_work_goes_out_hit_by_hit_where_the_study_says_so():
    study = make_study(judgements=2, order=Study.Order.HITS)
    assert [take(make_annotator(study)).hit.number for _ in range(4)] == [1, 1, 2, 2]


def test_a_claim_is_returned_as_it_is_when_claimed_again():
    study = make_study()
    ann = make_annotator(study)
    first = take(ann)
    again = claim(ann.pk)
    assert (again.assignment, again.resumed) == (first, True)
    assert study.slots.filter(open=0).count() == 1


def test_whoever_finds_nothing_is_not_searched_for_until_slots_open():
    study = make_study()
    first, ann = make_annotator(study), make_annotator(study)
    while claim(first.pk).assignment:
        do_hit(first)
    assert claim(ann.pk).why == "nothing"
    with CaptureQueriesContext(connection) as queries:
        assert claim(ann.pk).why == "nothing"
    assert not [query for query in queries if "annotate_slot" in query["sql"]]
    add_slots(study.pk, user=SYSTEM)
    assert take(ann).hit.number == 1


def test_further_slots_go_to_other_annotators_and_to_chosen_hits_only():
    study = make_study()
    ann = make_annotator(study)
    for _ in range(study.hits.count()):
        do_hit(ann)
    assert add_slots(study.pk, user=SYSTEM, per_hit=2, hits=[2]) == 2
    assert claim(ann.pk).why == "nothing"
    others = [make_annotator(study) for _ in range(3)]
    assert [(got.hit.number if got else None) for got in (claim(o.pk).assignment for o in others)] == [2, 2, None]
    assert_slots_add_up(study)


def test_the_cursor_goes_once_around():
    study = make_study(judgements=1)
    last = study.slots.order_by("-place").first()
    ann = make_annotator(study, cursor=last.place)
    assert take(ann).slot.place == 1


def test_an_annotator_gets_no_more_hits_than_the_study_allows():
    study = make_study(hits_per_annotator=2)
    ann = make_annotator(study)
    do_hit(ann)
    do_hit(ann)
    assert claim(ann.pk).why == "limit"
    assert take(make_annotator(study)).hit.number == 3


def test_only_the_pilot_goes_out_while_piloting_and_the_rest_afterwards():
    study = make_study(pilot_hits=1, piloting=True, judgements=2)
    ann = make_annotator(study)
    assert take_number(ann) == 1
    assert claim(ann.pk).why == "nothing"
    change_settings(study.pk, user=SYSTEM, piloting=False)
    assert take_number(ann) == 2, "who ran dry in the pilot looks again"


@pytest.mark.parametrize(("state", "why"), [("paused", "paused"), ("closed", "closed")])
def test_nothing_goes_out_of_a_study_that_is_not_open_but_work_in_hand_is_finished(state, why):
    study = make_study()
    ann, late = make_annotator(study), make_annotator(study)
    mine = take(ann)
    Study.objects.filter(pk=study.pk).update(state=state)
    assert claim(late.pk).why == why
    assert claim(ann.pk).assignment == mine
    assert do_hit(ann).state == "done"
    assert claim(ann.pk).why == why


def test_nothing_goes_out_of_an_archived_study():
    study = make_study()
    ann = make_annotator(study)
    Study.objects.filter(pk=study.pk).update(state="archived")
    with pytest.raises(Refused) as refused:
        claim(ann.pk)
    assert refused.value.code == "archived"


def test_a_claim_costs_the_same_number_of_queries_whatever_was_done():
    study = make_study(items=40, judgements=2)
    ann = make_annotator(study)

    def cost():
        with CaptureQueriesContext(connection) as queries:
            taken = take(ann)
        submit(ann.pk, taken.public_id, answers_to(taken))
        return len(queries)

    costs = [cost() for _ in range(12)]
    assert len(set(costs[1:])) == 1, costs


def test_a_hit_without_questions_is_not_built():
    study = make_study(items=7, questions_per_hit=4)
    assert [hit.hit_questions.count() for hit in study.hits.order_by("number")] == [4, 4, 4, 2]


def take_number(ann):
    assignment = take(ann)
    do_hit(ann)
    return assignment.hit.number


def test_the_queue_is_searched_by_its_index_and_closed_slots_are_not_read():
    """The result must not depend on the statistics, which describe an empty or a completely open table when a study
    begins.
    """
    study = make_study(items=40)
    study.slots.filter(place__lt=12).update(open=0)
    ann = make_annotator(study)
    with CaptureQueriesContext(connection) as queries:
        take(ann)
    statements = [query["sql"] for query in queries]
    (search,) = [sql for sql in statements if "FROM annotate_slot" in sql and "LIMIT 1" in sql]
    study.slots.filter(place=12).update(open=1)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"EXPLAIN QUERY PLAN {search}")
        else:
            cursor.execute("SET LOCAL enable_seqscan = off")  # a table of sixteen rows is one page
            cursor.execute(f"EXPLAIN {search}")
        plan = "\n".join(str(row) for row in cursor.fetchall())
    assert "slot_queue" in plan or "slot_open" in plan, plan
    assert "TEMP B-TREE" not in plan, plan
    queue = plan.split("SubPlan")[0]  # within the questions of one HIT, PostgreSQL can sort a few rows
    assert "Sort" not in queue, plan
