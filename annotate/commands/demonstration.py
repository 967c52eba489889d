"""Payments, messages, objections and decisions for an example study, so that every page of the console has content."""

from __future__ import annotations

from decimal import Decimal

from annotate import tasktypes
from annotate.core.services.remarks import object_to_stop, reply_to, send_remark
from annotate.messages.services import send_to_all
from annotate.models import Answer, Assignment, Participation, Question, Remark, Study, User
from annotate.pay.selectors.balances import OWED, pay_rows
from annotate.pay.services import Due, correct_entry, give_bonus, record_payment
from annotate.people.services import add_note
from annotate.questions.services.decisions import decide, keep_both
from annotate.server import clock

DECIDED = 3  # decisions in an example study
COMMENTS = (
    (
        Remark.Kind.COMMENT,
        "I was not sure here, because both answers seem possible to me.",
        "Thank you. Choose the answer that you find slightly better.",
    ),
    (
        Remark.Kind.PROBLEM,
        "A word seems to be missing from this sentence.",
        "Thank you. The sentence is in our source like this, so please judge it as it is.",
    ),
)


def demonstrate_work(study: Study, owner: User) -> None:
    """Add payments, messages and decisions to an example study with answers."""
    pay_annotators(study, owner)
    exchange_messages(study, owner)
    decide_questions(study, owner)


def pay_annotators(study: Study, owner: User) -> None:
    """Record a payment to every second annotator, give one of these annotators a bonus, and correct the bonus."""
    paid = [row for row in pay_rows(study) if row.state == OWED][::2]
    dues = [Due(row.pseudonym, row.owed, row.balance.paid) for row in paid]
    today = clock.now().date()
    record_payment(study.pk, dues, reference="First bank transfer", paid_on=today, user=owner)
    reason = "Thank you for your detailed comments on the instructions."
    bonus = give_bonus(study.pk, paid[0].pseudonym, amount=Decimal("3.00"), reason=reason, user=owner)
    correct_entry(study.pk, bonus.public_id, amount=Decimal("2.00"), reason="The agreed bonus is $2.", user=owner)


def exchange_messages(study: Study, owner: User) -> None:
    """Add annotators' comments and objections, replies, a message to all annotators, and a note. One message stays
    without a reply, so that the study has one thing to decide: the objection of a stopped annotator or, without one, a
    reported problem.
    """
    people = study.participations.order_by("pk")
    stopped = people.filter(standing=Participation.Standing.STOPPED)
    for person, (kind, text, reply) in zip(
        people.filter(standing=Participation.Standing.ACTIVE), COMMENTS, strict=False
    ):
        # Annotators comment on their last set after submitting it.
        assignment = person.assignments.filter(kind=Assignment.Kind.REGULAR, state=Assignment.State.DONE).last()
        if assignment:
            remark = send_remark(person.pk, assignment.public_id, 1, kind=kind, text=text)
            if kind == Remark.Kind.COMMENT or stopped:
                reply_to(study.pk, remark.public_id, text=reply, user=owner)
    for person in stopped:
        object_to_stop(person.pk, text="I read every question carefully. Please check my answers again.")
        add_note(person.pk, text="The answers look random, not only on the gold questions.", user=owner)
    send_to_all(study.pk, text="Thank you for your work so far. New sets will be available on Monday.", user=owner)


def decide_questions(study: Study, owner: User) -> None:
    """Adjudicate the first few disputed questions by deciding all but the last one, and accepting all answers to the
    last one.
    """
    task = tasktypes.get(study.task_type)
    counting = Answer.objects.counting().filter(question__study=study, question__kind=Question.Kind.REGULAR)
    answers: dict[int, list[object]] = {}
    for key, value in counting.order_by("pk").values_list("question", "value"):
        answers.setdefault(key, []).append(value)
    disputed = [key for key, values in answers.items() if any(value != values[0] for value in values)][:DECIDED]
    for place, question in enumerate(Question.objects.filter(pk__in=disputed).order_by("pk"), start=1):
        if place == DECIDED:
            keep_both(question.pk, user=owner, note="Both answers follow the instructions.")
        else:
            raw = task.reveal(question.payload, [], answers[question.pk][0])
            decide(question.pk, raw, user=owner, note="This answer follows the instructions more closely.")
