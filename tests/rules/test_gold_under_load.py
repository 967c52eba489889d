"""Gold sets, credit and the limit on HITs that are put aside, with many threads."""

import random

import pytest
from django.db import connection

from annotate.core.permissions import SYSTEM
from annotate.core.services.answer import give_answer
from annotate.core.services.claim import claim
from annotate.core.services.grading import AnswerSent
from annotate.core.services.networks import note_network
from annotate.core.services.returns import return_hit
from annotate.core.services.standing import stop
from annotate.core.services.submit import submit_and_claim
from annotate.gold.services import draw_candidates, judge_candidate, promote
from annotate.models import Assignment, Hit, Study
from annotate.questions.services.more_judgements import add_slots
from annotate.server.refusals import Refused
from tests.factories import (
    answers_to,
    assert_slots_add_up,
    gold_in,
    let_lapse,
    make_annotator,
    make_study,
    raw_answer,
    take,
)

pytestmark = [pytest.mark.rules, pytest.mark.django_db(transaction=True)]


@pytest.mark.nightly
def test_everyone_who_takes_a_hit_gets_the_same_gold_while_gold_and_slots_are_added(at_once):
    study = make_study(
        items=120, judgements=2, gold=6, gold_block=5, skips_allowed=True, rule_threshold=0, put_aside_allowed=50
    )
    user = study.memberships.get().user
    candidates = draw_candidates(study.pk, 12, user=user)
    for candidate in candidates:
        judge_candidate(candidate.pk, {"best": 1, "worst": 4}, user=user)
    people = [make_annotator(study) for _ in range(4 if connection.vendor == "sqlite" else 12)]

    def annotate(person):
        dice = random.Random(person.pk)
        assignment = claim(person.pk).assignment
        for _ in range(6):
            if assignment is None:
                return
            if dice.random() < 0.3:
                return_hit(person.pk, assignment.public_id, put_aside=dice.random() < 0.5)
                assignment = claim(person.pk).assignment
                continue
            skipped = assignment.answers.order_by("position").values_list("position", flat=True)[dice.randrange(5)]
            sent = [*answers_to(assignment, but=[skipped]), AnswerSent(skipped, skipped="Too hard.")]
            _receipt, claimed = submit_and_claim(person.pk, assignment.public_id, sent)
            assignment = claimed.assignment if claimed else None

    at_once(
        [lambda person=person: annotate(person) for person in people]
        + [lambda one=one: promote([one.pk], study_id=study.pk, user=user) for one in candidates]
        + [lambda: add_slots(study.pk, user=SYSTEM) for _ in range(2)]
    )
    assert_slots_add_up(study)
    for slot in study.slots.select_related("hit"):
        assert slot.gold_set_id == slot.hit.gold_set_id
    for assignment in Assignment.objects.filter(study=study).select_related("hit__gold_set"):
        gold_set = assignment.hit.gold_set
        in_set = set(gold_set.questions.values_list("pk", flat=True)) if gold_set else set()
        assert {answer.question_id for answer in gold_in(assignment)} <= in_set
    assert not Hit.objects.filter(study=study, gold_set=None, for_skipped=False).exists()


@pytest.mark.nightly
def test_a_stop_earns_one_hit_however_many_late_answers_arrive_at_once(at_once):
    study = make_study(items=60, judgements=4, gold=6, gold_block=5, pay_stopped=True)
    annotator = make_annotator(study)
    begun = []
    for _ in range(5):
        assignment = take(annotator)
        let_lapse(assignment)
        claim(make_annotator(study).pk)
        Assignment.objects.filter(pk=assignment.pk).update(state="lapsed", reason="put aside")
        begun.append(assignment)
    Assignment.objects.filter(pk__in=[each.pk for each in begun]).update(reason="")
    stop(annotator.pk, reason="random clicks", user=SYSTEM)
    answers = [each.answers.select_related("question", "participation__study").first() for each in begun]

    def send(number):
        assignment, answer = begun[number % 5], answers[number % 5]
        give_answer(annotator.pk, assignment.public_id, answer.position, raw_answer(answer), seconds=2.0)

    at_once([lambda number=number: send(number) for number in range(20)])
    assert Assignment.objects.filter(participation=annotator, credited=True).count() <= 1


@pytest.mark.nightly
def test_annotators_of_one_network_share_the_hits_that_they_can_put_aside(at_once):
    study = make_study(items=60, judgements=4, network_check=True, put_aside_allowed=3)
    people = [make_annotator(study) for _ in range(10)]
    taken = []
    for person in people:
        note_network(person, "192.0.2.7")
        taken.append(take(person))

    def put_aside(person, assignment):
        try:
            return_hit(person.pk, assignment.public_id, put_aside=True)
        except Refused as refusal:
            return refusal.code
        return "done"

    outcomes = at_once([lambda p=p, a=a: put_aside(p, a) for p, a in zip(people, taken, strict=True)])
    assert sorted(outcomes) == ["done"] * 3 + ["put-aside"] * 7
    assert Study.objects.get(pk=study.pk).assignments.filter(reason="put aside").count() == 3
