"""Tests of the whole life of assignments: random sequences of every action that changes an assignment, compared with a
model.

After each step, the database must match `assignment_model` and obey the rules that need no model.
"""

from collections import Counter
from contextlib import ExitStack

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.core.selectors.progress import progress_of
from annotate.core.services.answer import acknowledge, give_answer, save_draft
from annotate.core.services.claim import claim
from annotate.core.services.standing import restore, stop
from annotate.core.services.submit import AnswerSent, submit
from annotate.models import Answer, Assignment, Hit, HitQuestion, Participation, Study, User
from annotate.people.services import remove_personal_data
from annotate.questions.services.more_judgements import add_slots
from annotate.server.refusals import Refused
from tests.factories import UserFactory, assert_slots_add_up, let_lapse, make_annotator, make_study, raw_answer
from tests.rules.assignment_model import MINIMUM, THRESHOLD, Model, Work

pytestmark = [pytest.mark.rules, pytest.mark.django_db]

PEOPLE = 2
people = st.integers(0, PEOPLE - 1)
actions = st.sampled_from(
    [
        *["claim"] * 8,
        *["draft"] * 3,
        *["answer"] * 5,
        *["acknowledge"] * 2,
        *["submit"] * 8,
        "submit_incomplete",
        *["become_overdue"] * 4,
        "stop",
        "stop",
        *["restore"] * 2,
        "want_more",
        "erase",
    ]
)
choices = st.sampled_from([{"best": 1, "worst": 2}, {"best": 3, "worst": 4}])


def attempt(action, *arguments, **named):
    """Return the code of the `Refused` error, or None with the result of the action."""
    try:
        return None, action(*arguments, **named)
    except Refused as refused:
        return refused.code, None


class LifeOfAssignments(RuleBasedStateMachine):
    """Each example runs in a transaction that is rolled back."""

    owner: User
    study: Study
    people: list[Participation]

    def __init__(self):
        super().__init__()
        self.example = ExitStack()
        self.example.enter_context(transaction.atomic())
        self.example.callback(transaction.set_rollback, True)
        questions: dict[int, set[int]] = {}
        for hit, question in HitQuestion.objects.filter(hit__study=self.study).values_list("hit_id", "question_id"):
            questions.setdefault(hit, set()).add(question)
        self.model = Model(Counter(self.study.slots.values_list("hit", flat=True)), questions, PEOPLE)
        self.assignments: list[Assignment] = []  # in the order of model.works
        self.graded: dict[int, object] = {}

    def teardown(self):
        self.example.close()

    @rule(
        action=actions,
        person=people,
        older=st.sampled_from([0, 0, 0, 1, 2]),
        position=st.integers(1, 5),
        value=choices,
        flag=st.booleans(),
    )
    def act(self, action, person, older, position, value, flag):
        """One action by or on one person, with the person's latest assignment or an older assignment."""
        own = [number for number, work in enumerate(self.model.works) if work.person == person]
        if action in ("claim", "stop", "restore", "erase", "want_more"):
            getattr(self, action)(person)
        elif own:
            number = own[max(0, len(own) - 1 - older)]
            work, assignment = self.model.works[number], self.assignments[number]
            getattr(self, action)(work, assignment, min(position, work.size), value, flag)

    # ── actions ───────────────────────────────────────────────────────────────────────────────────────────────
    def claim(self, person):
        self.model.reap()
        claimed = claim(self.people[person].pk)
        if self.model.people[person].stopped:
            assert claimed.why == "stopped"
            return
        resumed, hits = self.model.next_for(person)
        if resumed:
            assert claimed.assignment == self.assignments[self.model.works.index(resumed[0])]
            resumed[0].state = "leased"
        elif hits:
            assert claimed.assignment is not None, f"{claimed.why}, although HITs {hits} are open"
            assert claimed.assignment.hit_id in hits
            self.add(person, claimed.assignment)
        else:
            assert claimed.why == "nothing"

    def add(self, person, assignment):
        kinds = dict(assignment.answers.values_list("position", "question__kind"))
        gold = {position for position, kind in kinds.items() if kind == "gold"}
        self.model.works.append(Work(person, assignment.hit_id, len(kinds), gold))
        self.assignments.append(assignment)

    def draft(self, work, assignment, position, draft, newer):
        before = assignment.answers.get(position=position)
        revision = before.revision + 1 if newer else before.revision
        refusal, _ = attempt(save_draft, self.worker(work).pk, assignment.public_id, position, draft, revision)
        if (draft, revision) == (before.draft, before.revision):
            assert refusal is None
        elif work.submitted or not newer:
            assert refusal == ("submitted" if work.submitted else "stale")
        else:
            assert refusal is None
            work.drafts[position] = draft

    def answer(self, work, assignment, position, value, right):
        sent = self.sent(assignment, position, value, right)
        refusal, given = attempt(give_answer, self.worker(work).pk, assignment.public_id, position, sent)
        if work.values.get(position) != sent and work.final(position):
            assert refusal == ("submitted" if work.submitted else "graded")
        else:
            if self.model.answer(work, position, sent, right):
                self.model.look_at_rule(work.person)
            assert (refusal, given.stopped) == (None, self.model.people[work.person].stopped)

    def acknowledge(self, work, assignment, position, value, disputed):
        refusal, _ = attempt(acknowledge, self.worker(work).pk, assignment.public_id, position, disputed=disputed)
        assert refusal == (None if position in work.missed else "ungraded")
        work.unseen.discard(position)

    def submit(self, work, assignment, position, value, right):
        sent = {
            place: self.sent(assignment, place, value, right)
            for place in range(1, work.size + 1)
            if place not in work.values
        }
        self.submit_with(work, assignment, sent, right)

    def submit_incomplete(self, work, assignment, position, value, right):
        left = set(range(1, work.size + 1)) - work.values.keys()
        sent = {place: self.sent(assignment, place, value, right) for place in left - {position}}
        self.submit_with(work, assignment, sent, right)

    def submit_with(self, work, assignment, sent, right):
        missing = set(range(1, work.size + 1)) - work.values.keys() - sent.keys()
        answers = [AnswerSent(position, value) for position, value in sent.items()]
        refusal, receipt = attempt(submit, self.worker(work).pk, assignment.public_id, answers)
        if not work.submitted and work.state != "void" and (work.unseen or missing):
            assert refusal == ("unacknowledged" if work.unseen else "incomplete")
            return
        assert refusal is None
        if not work.submitted:
            for position, value in sent.items():
                self.model.answer(work, position, value, right)
            if not missing:
                self.model.submit(work)
            self.model.look_at_rule(work.person)
        assert (receipt.state, receipt.credited) == (work.state, work.credited)
        assert receipt.stopped == self.model.people[work.person].stopped

    def become_overdue(self, work, assignment, position, value, flag):
        if work.state == "leased":
            let_lapse(assignment)
            work.overdue = True

    def stop(self, person):
        stop(self.people[person].pk, reason="random clicks", user=SYSTEM)
        if not self.model.people[person].stopped:
            self.model.stop(person)

    def restore(self, person):
        void = self.model.works_of(person, "void")
        refusal, restored = attempt(restore, self.people[person].pk, reason="a mistake", user=SYSTEM)
        if not self.model.people[person].stopped:
            assert refusal == "not-stopped"
            return
        self.model.restore(person)
        states = Counter(work.state for work in void)
        assert (restored.counted, restored.surplus) == (states["done"], states["surplus"])

    def want_more(self, person):
        hit = list(self.model.slots)[person]
        add_slots(self.study.pk, user=SYSTEM, hits=[Hit.objects.get(pk=hit).number])
        self.model.add_slot(hit)

    def erase(self, person):
        annotator = self.people[person].annotator
        assert remove_personal_data(annotator.pk, user=self.owner, reason="asked for it") == 1
        annotator.refresh_from_db()
        assert (annotator.external_id, annotator.contact) == ("", "")

    def sent(self, assignment, position, value, right):
        """Return the answer that the browser sends: the expected answer to a gold question, or its opposite."""
        answer = assignment.answers.select_related("question", "participation__study").get(position=position)
        return raw_answer(answer, right=right) if answer.question.gold else value

    def worker(self, work):
        return self.people[work.person]

    # ── rules ─────────────────────────────────────────────────────────────────────────────────────────────────
    @invariant()
    def the_database_obeys_the_rules(self):
        self.assignments_are_as_in_the_model()
        self.acknowledged_answers_and_drafts_are_stored()
        self.slots_are_held_once()
        self.counts_are_those_of_the_model()

    def assignments_are_as_in_the_model(self):
        rows = Assignment.objects.filter(study=self.study).order_by("pk")
        stored = [(row.state, row.submitted_at is not None, row.credited) for row in rows]
        assert stored == [(work.state, work.submitted, work.credited) for work in self.model.works]

    def acknowledged_answers_and_drafts_are_stored(self):
        task = tasktypes.get(self.study.task_type)
        stored = {assignment.pk: [] for assignment in self.assignments}
        for answer in Answer.objects.filter(assignment__study=self.study).select_related("question"):
            stored[answer.assignment_id].append(answer)
            if answer.tally is not None:
                graded = (answer.value, answer.tally, answer.given_at)
                assert self.graded.setdefault(answer.pk, graded) == graded, "a graded answer has changed"
        for work, answers in zip(self.model.works, stored.values(), strict=True):
            values = {
                a.position: task.reveal(a.question.payload, a.shown, a.latest.value) for a in answers if a.given_at
            }
            assert values == work.values
            assert {a.position: a.draft for a in answers if a.draft is not None} == work.drafts
            assert {a.position for a in answers if a.tally is not None and a.acknowledged_at is None} == work.unseen
        met = Counter((answer.participation_id, answer.question_id) for rows in stored.values() for answer in rows)
        assert not met or max(met.values()) == 1, "an annotator has met a question twice"

    def slots_are_held_once(self):
        assert_slots_add_up(self.study)
        open_slots = Counter(self.study.slots.filter(open=1).values_list("hit", flat=True))
        assert open_slots == Counter({hit: self.model.open(hit) for hit in self.model.slots if self.model.open(hit)})

    def counts_are_those_of_the_model(self):
        progress = progress_of(Study.objects.get(pk=self.study.pk))
        done = [work for work in self.model.works if work.state == "done"]
        assert progress.judgements == sum(work.size - len(work.gold) for work in done)
        assert progress.gold_given == sum(len(work.gold & work.values.keys()) for work in self.model.works)
        assert progress.slots_open == sum(map(self.model.open, self.model.slots))
        assert progress.spend.spent == self.study.reward * sum(work.credited for work in self.model.works)
        standings = Participation.objects.filter(study=self.study).order_by("pk").values_list("standing", flat=True)
        assert [standing == "stopped" for standing in standings] == [person.stopped for person in self.model.people]


@pytest.fixture
def machine():
    """The state machine on a study of four HITs, two of which share a question."""
    owner = UserFactory()
    study = make_study(
        user=owner,
        items=6,
        judgements=1,
        gold=6,
        questions_per_hit=4,
        gold_block=4,
        rule_minimum=MINIMUM,
        rule_threshold=str(THRESHOLD),
    )
    twin = Hit.objects.create(study=study, number=99)
    first = HitQuestion.objects.filter(hit__study=study, hit__number=1).first()
    HitQuestion.objects.create(hit=twin, question=first.question, position=1)
    add_slots(study.pk, user=SYSTEM, hits=[twin.number])
    people = [make_annotator(study) for _ in range(PEOPLE)]
    return type("Life", (LifeOfAssignments,), {"owner": owner, "study": study, "people": people})


# Without shrinking, which may take minutes: the last lines of the output say how to repeat a failure.
@pytest.mark.parametrize("examples", [2, pytest.param(200, marks=pytest.mark.nightly)])
def test_every_sequence_of_actions_leaves_what_the_rules_promise(machine, examples):
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=60,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.reuse, Phase.generate],
            print_blob=True,
        ),
    )
