"""Tests of the rules with many threads: slots, leases, answers, stops and restorations at the same time."""

import random
import threading
import time
from collections import Counter
from datetime import date
from decimal import Decimal

import pytest
from django.db import connection
from django.db.utils import OperationalError

from annotate.core.permissions import SYSTEM
from annotate.core.selectors.spend import spend_of
from annotate.core.services.answer import give_answer
from annotate.core.services.claim import claim, reap
from annotate.core.services.counts import sum_counts
from annotate.core.services.regrading import change_expected_answer
from annotate.core.services.standing import restore, stop
from annotate.core.services.submit import submit
from annotate.core.services.writing import write
from annotate.data.known_rows import KnownRows
from annotate.data.services.imports import import_upload
from annotate.data.services.uploads import receive
from annotate.gold.services import exclude_gold
from annotate.models import Answer, Assignment, Participation, Question, Study
from annotate.pay.selectors.balances import balances
from annotate.pay.services import Due, give_bonus, record_payment
from annotate.questions.services.more_judgements import add_slots
from annotate.recruiting.services.join import join
from annotate.server.refusals import Refused
from tests.factories import (
    answers_to,
    assert_slots_add_up,
    let_lapse,
    make_annotator,
    make_study,
    member_of,
)
from tests.recounts import recounted, stored_counts

pytestmark = [pytest.mark.rules, pytest.mark.django_db(transaction=True)]


def threads():
    """Return the number of threads, as in production: web processes on PostgreSQL, and threads of one process on
    SQLite.
    """
    return 8 if connection.vendor == "sqlite" else 40


def test_every_hit_ends_with_exactly_the_judgements_wanted(at_once):
    """Leases expire during the test: every fifth HIT is submitted late or never."""
    study = make_study(items=40, judgements=3)
    people = [make_annotator(study) for _ in range(threads())]
    acknowledged = []

    def work(ann):
        dice = random.Random(ann.pk)
        late = []
        while assignment := claim(ann.pk).assignment:
            sent = answers_to(assignment)
            if dice.random() < 0.2:
                let_lapse(assignment)
                late.append((assignment, sent))
                claim(people[0].pk)  # another annotator's claim lets the lease lapse
                if dice.random() < 0.5:
                    continue
            acknowledged.append(submit(ann.pk, assignment.public_id, sent))
        for assignment, sent in late:
            acknowledged.append(submit(ann.pk, assignment.public_id, sent))

    at_once([lambda ann=ann: work(ann) for ann in people[1:]])
    work(people[0])
    for ann in people:  # annotators who were too early find the slots that have become free in the meantime
        work(ann)

    done = Counter(study.assignments.filter(state="done").values_list("hit__number", flat=True))
    assert done == dict.fromkeys(range(1, study.hits.count() + 1), 3)
    takings = Counter(study.assignments.values_list("hit", "participation"))
    assert max(takings.values()) == 1, "nobody twice on a HIT"
    assert_slots_add_up(study)
    states = dict(study.assignments.values_list("public_id", "state"))
    assert all(receipt.credited for receipt in acknowledged)
    assert {states[receipt.assignment] for receipt in acknowledged} <= {"done", "surplus"}
    given = Answer.objects.filter(assignment__public_id__in=[receipt.assignment for receipt in acknowledged])
    assert given.count() == 5 * len({receipt.assignment for receipt in acknowledged})
    assert not given.filter(given_at=None).exists(), "an acknowledged answer is missing"


def test_two_claims_of_one_annotator_give_one_assignment(at_once):
    study = make_study()
    for _ in range(3):
        ann = make_annotator(study)
        got = at_once([lambda ann=ann: claim(ann.pk).assignment.pk] * 6)
        assert len(set(got)) == 1
    assert_slots_add_up(study)


def test_the_last_slot_goes_to_one_of_many(at_once):
    study = make_study(items=40)
    first = make_annotator(study)
    while study.slots.filter(open=1).count() > 1:
        assignment = claim(first.pk).assignment
        submit(first.pk, assignment.public_id, answers_to(assignment))
    people = [make_annotator(study) for _ in range(threads())]
    got = at_once([lambda ann=ann: claim(ann.pk).assignment for ann in people])
    assert sum(assignment is not None for assignment in got) == 1
    assert_slots_add_up(study)


def test_a_submission_sent_many_times_at_once_is_taken_once(at_once):
    study = make_study(gold=4)
    ann = make_annotator(study)
    assignment = claim(ann.pk).assignment
    sent = answers_to(assignment)
    receipts = at_once([lambda: submit(ann.pk, assignment.public_id, sent)] * 8)
    assert all(receipt == receipts[0] for receipt in receipts)
    ann.refresh_from_db()
    assert ann.graded == 1


def test_late_answers_to_several_hits_at_once_earn_one_hit(at_once):
    study = make_study(items=100, judgements=2)
    ann = make_annotator(study)
    for _ in range(4):
        assignment = claim(ann.pk).assignment
        give_answer(ann.pk, assignment.public_id, 1, {"best": 1, "worst": 2})
        ann.assignments.update(state="lapsed")
        study.slots.filter(hit=assignment.hit).update(open=0)
    late = list(ann.assignments.all())
    sent = {assignment.pk: answers_to(assignment) for assignment in late}

    stopping = [lambda: stop(ann.pk, reason="random clicks", user=SYSTEM)] * 2
    at_once(
        [
            *stopping,
            *(lambda each=each: give_answer(ann.pk, each.public_id, 2, {"best": 1, "worst": 4}) for each in late),
        ]
    )
    at_once([lambda each=each: submit(ann.pk, each.public_id, sent[each.pk]) for each in late * 2])
    assert ann.assignments.filter(credited=True).count() == 1


def test_joining_many_times_at_once_is_joining_once(at_once):
    study = make_study()
    joined = at_once([lambda: join(study, platform="prolific", external_id="5f3a9", verified=True).pk] * 8)
    assert len(set(joined)) == 1
    assert Participation.objects.count() == 1


def test_overdue_leases_lapse_once_when_everybody_claims(at_once):
    study = make_study(items=40)
    gone = [claim(make_annotator(study).pk).assignment for _ in range(6)]
    let_lapse(*gone)
    openings = Study.objects.get(pk=study.pk).slot_openings
    assert sum(at_once([lambda: reap(study.pk)] * 6)) == 6
    assert Study.objects.get(pk=study.pk).slot_openings > openings
    assert_slots_add_up(study)


@pytest.mark.nightly
def test_stops_restorings_submissions_and_claims_at_once_never_deadlock(at_once):
    """For a few seconds, all services that lock rows of one study run for the same people and HITs, and the counts stay
    correct. Each service must succeed at least once, which takes longer on a busy machine.
    """
    study = make_study(
        items=40, judgements=2, gold=12, rule_minimum=3, questions_per_hit=4, gold_block=4, budget_cap=500
    )
    people = [make_annotator(study) for _ in range(6 if connection.vendor == "sqlite" else 12)]
    user = member_of(study)
    gold = list(study.questions.filter(kind=Question.Kind.GOLD))
    pseudonyms = [ann.pseudonym for ann in people]
    until, latest = time.monotonic() + 4, time.monotonic() + 60
    did, lock = Counter(), threading.Lock()

    def goes_on():
        now = time.monotonic()
        return now < until or (now < latest and not names <= did.keys())

    def loop(seed, deed):
        dice = random.Random(seed)
        while goes_on():
            try:
                deed(dice)
                result = deed.__name__
            except Refused as refused:  # at an unsuitable moment, as can happen in practice
                result = refused.code
            with lock:
                did[result] += 1

    def annotates(dice):
        ann = dice.choice(people)
        assignment = claim(ann.pk).assignment
        if assignment is None:
            return
        sent = answers_to(assignment, right=dice.random() < 0.8)
        if dice.random() < 0.3:
            let_lapse(assignment)
        if dice.random() < 0.8:
            submit(ann.pk, assignment.public_id, sent)

    def stops(dice):
        stop(dice.choice(people).pk, reason="to see what happens", user=user)

    def restores(dice):
        restore(dice.choice(people).pk, reason="to see what happens", user=user)

    def reaps(dice):
        reap(study.pk)

    def sets_aside(dice):
        exclude_gold(dice.choice(gold).pk, user=user, reason="ambiguous")
        time.sleep(0.5)

    def rekeys(dice):
        best, worst = dice.sample([1, 2, 3, 4], 2)
        if dice.random() < 0.5:
            import_corrected(dice.sample(gold, 3), best, worst)
        else:
            change_expected_answer(
                dice.choice(gold).pk, {"best": best, "worst": worst}, user=user, reason="doubt", restore=pseudonyms
            )
        time.sleep(0.2)

    def import_corrected(questions, best, worst):
        rows = ["id,Item1,Item2,Item3,Item4,BestItem,WorstItem,Explanation"]
        for question in questions:
            items = question.payload["items"]
            rows.append(",".join([question.ref, *items, items[best - 1], items[worst - 1], "Corrected."]))
        upload = receive(study, purpose="gold", filename="gold.csv", data="\n".join(rows).encode(), user=user)
        import_upload(upload.pk, user=user, known=KnownRows.UPDATE)

    def wants_more(dice):
        add_slots(study.pk, user=user, hits=[dice.randint(1, 10)])
        time.sleep(0.3)

    def pays(dice):
        chosen = dice.sample(people, 3)
        own = balances(study, [ann.pk for ann in chosen])
        dues = [Due(ann.pseudonym, own[ann.pk].owed, own[ann.pk].paid) for ann in chosen if own[ann.pk].owed > 0]
        record_payment(study.pk, dues, reference="Transfer", paid_on=date(2026, 11, 20), user=user)

    def rewards(dice):
        give_bonus(study.pk, dice.choice(people).pseudonym, amount=Decimal("0.10"), reason="Thanks.", user=user)
        time.sleep(0.1)

    def sums(dice):
        sum_counts(at_once=dice.choice([3, 1000]))
        time.sleep(0.2)

    deeds = [
        *[annotates] * 4,
        stops,
        restores,
        restores,
        reaps,
        sets_aside,
        rekeys,
        wants_more,
        sums,
        pays,
        pays,
        rewards,
    ]
    names = {deed.__name__ for deed in deeds}
    at_once([lambda n=n, deed=deed: loop(n, deed) for n, deed in enumerate(deeds)])

    assert names <= did.keys(), did
    assert_slots_add_up(study)
    assert stored_counts(study) == recounted(study)
    assert stored_counts(study)["hours"]
    assert spend_of(study).committed <= 500
    assert all(balance.owed >= 0 for balance in balances(study).values()), "nobody is paid twice"
    for ann in Participation.objects.filter(study=study):
        states = set(ann.assignments.values_list("state", flat=True))
        if ann.standing == "stopped":
            assert states <= {"void"}, (ann, states)
        graded = ann.answers.filter(question__kind="gold", tally__isnull=False)
        assert ann.graded == graded.count()
        assert ann.tallies.get("right", 0) == graded.filter(passed=True).count()
    current = Answer.objects.filter(question__study=study, question__kind="gold", tally__isnull=False)
    for answer in current.select_related("question"):
        assert answer.passed == (answer.value == answer.question.gold), "graded with the current expected answer"
        assert answer.graded_version == answer.question.gold_version
    submitted = Assignment.objects.filter(submitted_at__isnull=False)
    assert not Answer.objects.filter(assignment__in=submitted, given_at=None).exists()


def test_a_long_write_elsewhere_in_the_process_makes_others_wait_not_fail(at_once):
    """SQLite allows one writer at a time, so other writers wait in the process and get no error that the database is
    locked.
    """
    study = make_study(items=40)
    people = [make_annotator(study) for _ in range(4)]
    begun = threading.Event()

    def long():
        with write():
            Study.objects.filter(pk=study.pk).update(title="A long import")
            begun.set()
            time.sleep(1)

    def short(ann):
        begun.wait(5)
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA busy_timeout = 100")  # far less than the other takes
        assignment = claim(ann.pk).assignment
        try:
            return submit(ann.pk, assignment.public_id, answers_to(assignment)).state
        except OperationalError as error:
            return str(error)

    states = at_once([long, *(lambda ann=ann: short(ann) for ann in people)])
    assert states[1:] == ["done"] * 4


def test_only_one_of_several_people_gets_the_last_place(at_once):
    study = make_study(annotator_limit=3)
    make_annotator(study)

    def come():
        try:
            return join(study, platform="web")
        except Refused as refusal:
            return refusal.code

    outcomes = at_once([come] * 8)
    assert outcomes.count("full") == 6
    assert study.participations.count() == 3
