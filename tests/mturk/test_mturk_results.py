"""Tests of the import of results from a Mechanical Turk batch."""

import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections

from accord_core.exchange.mturk_results import write_results
from annotate.core.permissions import SYSTEM
from annotate.core.services.standing import restore
from annotate.models import Annotator, Answer, Assignment, Participation, Question, Study
from annotate.mturk.services.batches import ImportedResults, import_results
from annotate.questions.selectors.data import study_data
from annotate.server.refusals import Refused
from tests.factories import assert_slots_add_up, make_annotator, make_study, take
from tests.mturk.turk import MORNING, altered, bring_in, result

pytestmark = pytest.mark.django_db


@pytest.mark.nightly
def test_results_become_assignments_that_count() -> None:
    study = make_study(items=10, gold=4)
    done = bring_in(study, result(study, 1, "W1"), result(study, 2, "W2", right=False))
    assert (done.assignments, done.answers, done.repeats, done.surplus) == (2, 12, 0, 0)
    first, second = study.assignments.order_by("hit__number")
    assert {(a.state, a.source, a.credited, a.reward) for a in (first, second)} == {
        ("done", "mturk", True, study.reward)
    }
    assert first.external_id == "A-1-W1-1"
    assert first.submitted_at == MORNING + timedelta(minutes=1)
    assert first.participation.annotator.platform == Annotator.Platform.MTURK
    assert first.participation.tallies == {"right": 1, "wrong": 0}
    assert second.participation.tallies == {"right": 0, "wrong": 1}
    counted = [row for row in study_data(study).answers if row.counts]
    assert len(counted) == 10
    assert_slots_add_up(study)
    assert study.events.filter(verb="imported Mechanical Turk results").count() == 1


def test_workers_of_a_batch_belong_to_no_group_of_a_study_with_quotas() -> None:
    study = make_study(items=10, gold=4)
    Study.objects.filter(pk=study.pk).update(has_quotas=True)
    study.refresh_from_db()
    with pytest.raises(Refused, match="belong to no group"):
        bring_in(study, result(study, 1, "W1"))
    assert not study.assignments.exists()


def test_a_disputed_gold_answer_keeps_its_note() -> None:
    study = make_study(items=10, gold=4)

    def dispute(answers: list[dict[str, Any]]) -> None:
        for answer in answers:
            if answer["feedback"]:
                answer |= {"feedback": "disputed", "note": "I read it otherwise."}

    bring_in(study, altered(result(study, 1, "W1", right=False), dispute))
    disputed = Answer.objects.get(disputed=True)
    assert disputed.dispute_note == "I read it otherwise."
    assert disputed.question.kind == Question.Kind.GOLD
    assert disputed.acknowledged_at


def test_the_same_file_twice_changes_nothing() -> None:
    study = make_study(items=10, gold=4)
    results = [result(study, 1, "W1"), result(study, 2, "W1"), result(study, 1, "W2")]
    bring_in(study, *results)
    before = [list(model.objects.order_by("pk").values()) for model in (Answer, Assignment, Participation)]
    again = bring_in(study, *results)
    assert again == ImportedResults(known=3)
    assert before == [list(model.objects.order_by("pk").values()) for model in (Answer, Assignment, Participation)]


def test_only_the_first_answer_to_a_gold_question_is_graded() -> None:
    study = make_study(items=10, gold=1)  # the same gold in every HIT
    later = result(study, 1, "W1", right=True, number=9)
    earlier = result(study, 2, "W1", right=False, number=3)
    done = bring_in(study, later, earlier)
    assert done.repeats == 1
    worker = Participation.objects.get(study=study)
    assert worker.tallies == {"right": 0, "wrong": 1}  # the earlier assignment, regardless of its line
    repeat = Answer.objects.get(repeat=True)
    assert (repeat.assignment.external_id, repeat.tally) == (later.assignment_id, None)
    assert [row.reason for row in study_data(study).answers if row.ref == "gold-1"] == ["gold", "gold"]


def test_a_hit_done_twice_by_one_worker_counts_once() -> None:
    study = make_study(items=10, gold=4, judgements=2)
    done = bring_in(study, result(study, 1, "W1", number=1), result(study, 1, "W1", number=2))
    assert (done.assignments, done.surplus, done.repeats) == (2, 1, 6)
    assert sum(row.counts for row in study_data(study).answers) == 5
    assert study.assignments.get(external_id="A-1-W1-2").credited
    assert_slots_add_up(study)


def test_work_on_a_hit_that_has_all_it_wanted_is_surplus_and_paid() -> None:
    study = make_study(items=10, gold=4, judgements=1)
    on_the_site = make_annotator(study)
    held = take(on_the_site)
    done = bring_in(study, result(study, held.hit.number, "W1"))
    assert done.surplus == 1
    extra = study.assignments.get(source="mturk")
    assert (extra.state, extra.credited, extra.slot) == ("surplus", True, None)
    assert {row.counts for row in study_data(study).answers} == {False}
    assert_slots_add_up(study)


@pytest.mark.nightly
def test_the_quality_rule_stops_workers_and_their_work_can_be_restored() -> None:
    study = make_study(items=20, gold=8, rule_minimum=2, rule_threshold="0.7")
    results = [result(study, hit, "W1", right=False, number=hit) for hit in (1, 2, 3)]
    done = bring_in(study, *results, result(study, 4, "W2"))
    assert done.stopped == 2  # the assignment at which the rule stopped the worker, and the next one
    worker = Participation.objects.get(study=study, annotator__external_id="W1")
    assert worker.standing == Participation.Standing.STOPPED
    assert set(worker.assignments.values_list("state", "credited")) == {("void", True)}
    assert sum(row.counts for row in study_data(study).answers) == 5  # those of W2
    assert_slots_add_up(study)
    assert restore(worker.pk, reason="The gold was wrong.", user=SYSTEM).counted == 3
    assert sum(row.counts for row in study_data(study).answers) == 20
    assert_slots_add_up(study)


@pytest.mark.nightly
def test_a_study_that_is_closed_still_takes_results_and_rejected_work_is_left_out() -> None:
    study = make_study(items=10, gold=4, state=Study.State.CLOSED, practice=2, admission="account")
    done = bring_in(study, result(study, 1, "W1"), result(study, 2, "W2", assignment_status="Rejected"))
    assert (done.assignments, done.rejected) == (1, 1)
    assert Participation.objects.get(study=study).standing == Participation.Standing.ACTIVE


def test_a_draft_takes_no_results() -> None:
    study = make_study(items=10, gold=4, state=Study.State.DRAFT)
    with pytest.raises(Refused, match="Open the study before"):
        bring_in(study, result(study, 1, "W1"))


def test_time_on_a_question_is_kept_where_it_is_a_time() -> None:
    study = make_study(items=10, gold=4)
    wrong: Iterable[Any] = ("soon", -1, True, None, float("inf"), 7)

    def times(answers: list[dict[str, Any]]) -> None:
        for answer, seconds in zip(answers, wrong, strict=True):
            answer["seconds"] = seconds

    bring_in(study, altered(result(study, 1, "W1"), times))
    assert list(Answer.objects.order_by("position").values_list("seconds", flat=True)) == [None] * 5 + [7]


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_the_same_file_twice_at_once_is_taken_once() -> None:
    study = make_study(items=10, gold=4, judgements=2)
    data = "".join(write_results([result(study, hit, f"W{n}") for n in (1, 2) for hit in (1, 2)])).encode()
    together = threading.Barrier(3)

    def import_it(number: int) -> ImportedResults:
        try:
            together.wait(30)
            return import_results(study.pk, data, "Batch_1.csv", user=SYSTEM)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(import_it, range(3)))
    assert sorted(one.assignments for one in done) == [0, 0, 4]
    assert sorted(one.known for one in done) == [0, 4, 4]
    assert study.assignments.count() == 4
    assert_slots_add_up(study)
