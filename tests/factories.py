"""Users, studies and annotators for tests, created through the same services as in production if that is fast enough.

study = make_study(items=8, judgements=2, gold=4)    open, its design built
ann = make_annotator(study)
do_hit(ann, right=False)                             a claim and a submission, every gold answered wrongly
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from datetime import timedelta
from itertools import combinations, islice
from typing import Any

import factory
from django.utils import timezone

from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.core.services.claim import claim
from annotate.core.services.submit import AnswerSent, Receipt, submit
from annotate.data.services.design import build_design
from annotate.models import (
    Annotator,
    AnnotatorGroup,
    Answer,
    Assignment,
    Item,
    Membership,
    Participation,
    Question,
    Study,
    Upload,
    User,
)
from annotate.recruiting.services.join import accept_consent, join
from annotate.studies.services.study import create_study, open_study
from tests import study_copies

PASSWORD = "correct horse battery"


class UserFactory(factory.django.DjangoModelFactory):
    """A factory for researchers who can sign in with `PASSWORD`."""

    class Meta:
        model = User

    email = factory.Sequence(lambda number: f"researcher{number}@example.org")
    name = factory.Sequence(lambda number: f"Researcher {number}")

    @classmethod
    def _create(cls, model_class: type[User], *args: Any, **fields: Any) -> User:
        return User.objects.create_user(**{"password": PASSWORD} | fields)


class MembershipFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Membership

    user = factory.SubFactory(UserFactory)
    role = Membership.Role.VIEWER


class AnnotatorFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Annotator

    platform = Annotator.Platform.WEB


class ParticipationFactory(factory.django.DjangoModelFactory):
    """A factory for annotators who have joined the study and accepted the consent text. `study` is required."""

    class Meta:
        model = Participation

    annotator = factory.SubFactory(AnnotatorFactory, study=factory.SelfAttribute("..study"))
    pseudonym = factory.Sequence(lambda number: f"quiet-heron-{number}")
    seed = factory.Sequence(lambda number: 1_000 + number)


class UploadFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Upload

    purpose = Upload.Purpose.ITEMS
    filename = "items.csv"
    content = zlib.compress(b"")
    size = 0
    sha256 = ""
    revealed_at = factory.LazyFunction(timezone.now)


class ItemFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Item

    key = factory.Sequence(lambda number: f"item-{number}")
    content = factory.LazyAttribute(lambda item: {"text": f"The text of {item.key}."})


def make_study(
    *,
    items: int = 8,
    judgements: int = 1,
    gold: int = 0,
    practice: int = 0,
    practice_first: bool = True,
    user: User | None = None,
    state: str = Study.State.OPEN,
    consent: str = "",
    design: bool = True,
    options: dict[str, Any] | None = None,
    task_type: str = "bws",
    **settings: Any,
) -> Study:
    """Create a best–worst study of `items` items with a design and gold questions. Without gold questions, the study
    has neither a gold block nor a quality rule.

    With the default factor of 2, eight items result in 16 tuples: three HITs of five tuples and one HIT of one tuple.
    """
    user = user or UserFactory()
    arguments: dict[str, Any] = {
        "items": items,
        "judgements": judgements,
        "gold": gold,
        "practice": practice,
        "practice_first": practice_first,
        "state": state,
        "consent": consent,
        "design": design,
        "options": options,
        "task_type": task_type,
        **settings,
    }
    return study_copies.copied_or_made(arguments, user, lambda: _make_study(user, **arguments))


def _make_study(
    user: User,
    *,
    items: int,
    judgements: int,
    gold: int,
    practice: int,
    practice_first: bool,
    state: str,
    consent: str,
    design: bool,
    **settings: Any,
) -> Study:
    if not gold:
        settings = {"gold_block": 0, "rule_threshold": 0} | settings
    study = create_study(
        user=user,
        title="Relatedness",
        consent=consent,
        **{
            "judgements": judgements,
            "seed": 1,
            "instructions": "Choose the pair.",
            "reward": "0.50",
            "contact": "Mara Lindqvist, mara@example.org",
            "practice": practice_first,
        }
        | settings,
    )
    add_items(study, items)
    add_questions(study, Question.Kind.GOLD, gold)
    add_questions(study, Question.Kind.PRACTICE, practice)
    if design and items:
        build_design(study.pk, user=SYSTEM)
    if state != Study.State.DRAFT:
        open_study(study.pk, user=SYSTEM)
        Study.objects.filter(pk=study.pk).update(state=state)
    return Study.objects.get(pk=study.pk)


def add_items(study: Study, count: int, *, prefix: str = "i", held_out: bool = False) -> list[Item]:
    upload = UploadFactory(study=study, rows=count)
    return Item.objects.bulk_create(
        [
            Item(
                study=study,
                upload=upload,
                key=f"{prefix}{number}",
                content={"text": f"Text {number}."},
                held_out=held_out,
            )
            for number in range(count)
        ]
    )


def add_questions(study: Study, kind: str, count: int) -> list[Question]:
    """Create gold questions from different sets of four held-out items, with the first item as best and the last as
    worst.
    """
    if not count:
        return []
    keys = [item.key for item in add_items(study, 12, prefix=kind, held_out=True)]
    sets = list(islice(combinations(keys, 4), count))
    return Question.objects.bulk_create(
        [
            Question(
                study=study,
                kind=kind,
                ref=f"{kind}-{number}",
                payload={"items": list(chosen)},
                gold={"best": chosen[0], "worst": chosen[-1]},
                explanation=f"Because of {number}.",
            )
            for number, chosen in enumerate(sets, start=1)
        ]
    )


def member_of(study: Study, role: str = Membership.Role.MANAGER) -> User:
    """Add another member to the study, by default a manager."""
    user: User = MembershipFactory(study=study, role=role).user
    return user


def make_annotator(
    study: Study, *, platform: str = Annotator.Platform.WEB, group: AnnotatorGroup | None = None, **fields: Any
) -> Participation:
    """Create an annotator who has joined the study and accepted its consent text."""
    participation = join(study, platform=platform, group=group)
    consent = study.consents.order_by("-version").first()
    accept_consent(participation.pk, consent.pk if consent else None, eligible=True)
    if fields:
        Participation.objects.filter(pk=participation.pk).update(**fields)
    return Participation.objects.select_related("study", "annotator").get(pk=participation.pk)


def take(participation: Participation) -> Assignment:
    """Claim a HIT, and fail if no HIT is available."""
    claimed = claim(participation.pk)
    assert claimed.assignment is not None, claimed.why
    return claimed.assignment


def do_hit(participation: Participation, *, right: bool = True) -> Receipt:
    """Claim and submit a HIT, with correct or incorrect answers to gold questions."""
    assignment = take(participation)
    return submit(participation.pk, assignment.public_id, answers_to(assignment, right=right))


def answers_to(assignment: Assignment, *, right: bool = True, but: Sequence[int] = ()) -> list[AnswerSent]:
    """Return an answer for each position that is not in `but`."""
    return [
        AnswerSent(answer.position, raw_answer(answer, right=right), seconds=2.5)
        for answer in assignment.answers.select_related("question").order_by("position")
        if answer.position not in but
    ]


def raw_answer(answer: Answer, *, right: bool = True) -> Any:
    """Return the answer that a browser sends: the expected answer to a gold question or, for best–worst scaling, its
    opposite.
    """
    question = answer.question
    if question.gold is None:
        return {"best": 1, "worst": 2}
    task = tasktypes.get(answer.participation.study.task_type)
    expected = task.reveal(question.payload, answer.shown, question.gold)
    return expected if right else {"best": expected["worst"], "worst": expected["best"]}


def gold_in(assignment: Assignment) -> list[Answer]:
    """Return the answers of an assignment that will be graded, by position."""
    graded = assignment.answers.filter(question__kind__in=[Question.Kind.GOLD, Question.Kind.PRACTICE])
    return list(graded.select_related("question", "participation__study").order_by("position"))


def let_lapse(*assignments: Assignment) -> None:
    """Make leases overdue, so that the next claim of the study lets the assignments lapse."""
    past = timezone.now() - timedelta(hours=1)
    Assignment.objects.filter(pk__in=[assignment.pk for assignment in assignments]).update(lease_until=past)


def held_slots(study: Study) -> list[int]:
    """Return the occupied slots. A slot is in the list twice if two assignments hold the slot."""
    holding = [Assignment.State.LEASED, Assignment.State.DONE]
    return list(study.assignments.filter(kind="regular", state__in=holding).values_list("slot", flat=True))


def assert_slots_add_up(study: Study) -> None:
    """Check the first rule in the whole database: each slot is either open or held by one assignment of its own HIT."""
    held = held_slots(study)
    closed = set(study.slots.filter(open=0).values_list("pk", flat=True))
    assert len(held) == len(set(held)), "a slot is held twice"
    assert set(held) == closed, f"closed without holder {closed - set(held)}, held but open {set(held) - closed}"
    astray = [a.pk for a in study.assignments.select_related("slot") if a.slot and a.slot.hit_id != a.hit_id]
    assert not astray, f"assignments on another HIT's slot: {astray}"
