"""Tests that the counts of the triggers equal the recounted figures after every kind of action."""

import random

import pytest
from django.db import connection

from annotate.core.permissions import SYSTEM
from annotate.core.selectors.counts import hours, totals, totals_by_annotator
from annotate.core.selectors.progress import progress_of
from annotate.core.services import standing
from annotate.core.services.answer import acknowledge
from annotate.core.services.claim import claim, reap
from annotate.core.services.counts import recount, sum_counts
from annotate.core.services.regrading import change_expected_answer
from annotate.core.services.returns import withdraw
from annotate.core.services.submit import submit
from annotate.gold import services as gold_services
from annotate.models import Answer, Assignment, GoldCount, HourCount, Study, installed_triggers
from annotate.questions.services.more_judgements import add_slots
from tests.factories import add_questions, answers_to, do_hit, make_annotator, make_study, member_of, take
from tests.recounts import recounted, stored_counts

pytestmark = [pytest.mark.django_db, pytest.mark.rules]


def agree(study: Study) -> None:
    assert stored_counts(study) == recounted(study)


def test_a_study_that_nobody_has_worked_on_has_only_what_is_wanted() -> None:
    study = make_study(items=8, judgements=2)
    agree(study)
    assert stored_counts(study)["hours"] == {}
    assert stored_counts(study)["assignments wanted"] == study.slots.count() > 0
    assert stored_counts(study)["judgements wanted"] == 32


def test_submissions_stops_and_restores_are_counted() -> None:
    study = make_study(items=8, judgements=2, gold=8, rule_threshold=0)
    annotator = make_annotator(study)
    do_hit(annotator)
    do_hit(annotator, right=False)
    agree(study)
    before = totals(study)
    assert (before.hits, before.judgements, before.credit) == (2, 10, 2 * study.reward)
    assert (before.gold_given, before.gold_right) == (2, 1)
    standing.stop(annotator.pk, reason="haste", user=SYSTEM)
    agree(study)
    assert totals(study).judgements == totals(study).hits == 0
    assert totals(study).submitted == 2
    assert totals(study).gold_given == 2
    standing.restore(annotator.pk, reason="they were right", user=SYSTEM)
    agree(study)
    assert totals(study) == before


def test_gold_answers_excluded_on_withdrawal_are_not_counted_for_the_study() -> None:
    study = make_study(items=8, judgements=2, gold=8, rule_threshold=0)
    annotator, leaver = make_annotator(study), make_annotator(study)
    do_hit(annotator)
    do_hit(leaver, right=False)
    withdraw(leaver.pk, keep_answers=True)
    assert (progress_of(study).gold_given, progress_of(study).gold_right) == (2, 1)
    withdraw(leaver.pk, keep_answers=False)
    agree(study)
    assert (progress_of(study).gold_given, progress_of(study).gold_right) == (1, 1)
    assert (sum(hour.gold_given for hour in hours(study)), sum(hour.gold_right for hour in hours(study))) == (1, 1)
    assert totals_by_annotator(study)[leaver.pk].gold_given == 1


def test_a_surplus_that_takes_a_freed_slot_counts_for_its_own_annotator() -> None:
    study = make_study(items=8, judgements=1)
    late, early = make_annotator(study), make_annotator(study)
    overdue = take(late)
    Assignment.objects.filter(pk=overdue.pk).update(lease_until="2020-01-01T00:00Z")
    reap(study.pk)
    while overdue.slot_id not in Assignment.objects.filter(participation=early).values_list("slot", flat=True):
        do_hit(early)
    submit(late.pk, overdue.public_id, answers_to(overdue))
    assert Assignment.objects.get(pk=overdue.pk).state == "surplus"
    agree(study)
    standing.stop(early.pk, reason="haste", user=SYSTEM)
    assert Assignment.objects.get(pk=overdue.pk).state == "done"
    agree(study)
    assert totals_by_annotator(study)[late.pk].hits == 1


@pytest.mark.nightly
def test_gold_that_is_set_aside_or_disputed_is_counted() -> None:
    study = make_study(items=8, judgements=2, gold=4, rule_threshold=0)
    annotator = make_annotator(study)
    do_hit(annotator, right=False)
    missed = Answer.objects.get(participation=annotator, question__kind="gold")
    acknowledge(annotator.pk, missed.assignment.public_id, missed.position, disputed=True, note="No.")
    agree(study)
    assert next(iter(stored_counts(study)["gold"].values())).disputed == 1
    gold_services.exclude_gold(missed.question_id, reason="the key is wrong", user=study.members.get())
    agree(study)
    assert totals(study).gold_given == 0


def test_try_outs_and_practice_never_count() -> None:
    study = make_study(items=8, gold=4, practice=2)
    trying = make_annotator(study, platform="try")
    do_hit(trying, right=False)
    agree(study)
    assert stored_counts(study)["hours"] == stored_counts(study)["gold"] == {}


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in (1, 2))])
def test_random_work_and_sums_keep_the_counts_right(seed: int) -> None:
    draw = random.Random(seed)
    study = make_study(items=8, judgements=2, gold=12, rule_minimum=3, rule_threshold="0.4")
    people = [make_annotator(study) for _ in range(4)]
    user = member_of(study)
    for _ in range(40):
        someone = draw.choice(people)
        someone.refresh_from_db()
        step = draw.choice(["hit", "hit", "hit", "lapse", "stop", "restore", "more", "sum", "aside", "rekey"])
        if step == "hit" and (assignment := claim(someone.pk).assignment):
            submit(someone.pk, assignment.public_id, answers_to(assignment, right=draw.random() < 0.7))
            for answer in assignment.answers.filter(tally__isnull=False, acknowledged_at=None):
                acknowledge(someone.pk, assignment.public_id, answer.position, disputed=draw.random() < 0.5)
        elif step == "lapse" and claim(someone.pk).assignment:
            Assignment.objects.filter(study=study, state="leased").update(lease_until="2020-01-01T00:00Z")
            reap(study.pk)
        elif step == "stop":
            standing.stop(someone.pk, reason="haste", user=user)
        elif step == "restore" and someone.standing == "stopped":
            standing.restore(someone.pk, reason="fine", user=user)
        elif step == "more":
            add_slots(study.pk, user=user, hits=[1])
        elif step == "aside" and (question := study.questions.filter(kind="gold").last()):
            gold_services.exclude_gold(question.pk, reason="doubtful", user=user)
        elif step == "rekey":
            best, worst = draw.sample([1, 2, 3, 4], 2)
            question = draw.choice(study.questions.filter(kind="gold").order_by("pk"))
            change_expected_answer(question.pk, {"best": best, "worst": worst}, reason="doubtful", user=user)
        elif step == "sum":
            sum_counts(at_once=draw.choice([3, 1000]))
        agree(study)
    before = stored_counts(study)
    sum_counts()
    assert not HourCount.objects.filter(summed=False).exists()
    assert not GoldCount.objects.filter(summed=False).exists()
    assert HourCount.objects.filter(study=study).count() == len(before["hours"])
    assert stored_counts(study) == before
    recount(study.pk)
    assert stored_counts(study) == before


def test_hours_say_how_many_annotators_were_active() -> None:
    study = make_study(items=8, judgements=2)
    for _ in range(2):
        do_hit(make_annotator(study))
    found = hours(study)
    assert sum(hour.judgements for hour in found) == 10
    assert sum(hour.hits for hour in found) == 2
    assert max(hour.annotators for hour in found) in (1, 2)  # the hour may have changed in between
    assert found[-1].annotators >= 1


def test_counting_anew_repairs_what_happened_without_triggers() -> None:
    study = make_study(items=8, judgements=2, gold=8)
    other = make_study(items=8)
    do_hit(make_annotator(other))
    unchanged = stored_counts(other)
    installed_triggers.drop(connection)
    do_hit(make_annotator(study))
    installed_triggers.create(connection)
    assert stored_counts(study) != recounted(study)
    recount(study.pk)
    agree(study)
    assert stored_counts(other) == unchanged == recounted(other)


def test_more_gold_and_slots_move_what_is_wanted() -> None:
    study = make_study(items=8, judgements=1)
    add_questions(study, "gold", 2)
    add_slots(study.pk, user=SYSTEM, per_hit=2)
    agree(study)
    assert stored_counts(study)["judgements wanted"] == 48
