"""Tests that precompiled statements have the same effect as the statements of the ORM."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.core.services.locks import TEXTS, locked_participation
from annotate.models import Answer, Assignment, Participation, Question
from annotate.models.compiled import Select, insert_all, update, update_all
from tests.factories import do_hit, make_annotator, make_study, take

pytestmark = [pytest.mark.django_db, pytest.mark.rules]
STORED = [field.attname for field in Answer._meta.concrete_fields]


def test_a_select_gives_the_instances_of_its_queryset_for_every_value() -> None:
    study = make_study(gold=4, gold_block=5)
    annotators = [make_annotator(study), make_annotator(study)]
    for annotator in annotators:
        do_hit(annotator)

    def build(participation_id: int, public_id: str) -> object:
        answers = Answer.objects.filter(participation=participation_id, assignment__public_id=public_id)
        return answers.select_related("question", "assignment").order_by("position")

    select: Select[Answer] = Select(build, int, str)  # type: ignore[arg-type]
    for assignment in Assignment.objects.all():
        expected = list(build(assignment.participation_id, assignment.public_id))  # type: ignore[call-overload]
        got = select(assignment.participation_id, assignment.public_id)
        assert len(got) == 6
        for one, other in zip(got, expected, strict=True):
            assert _values(one) == _values(other)
            assert _values(one.question) == _values(other.question)
            assert _values(one.assignment) == _values(other.assignment)
    assert select(annotators[0].pk, "no such assignment") == []


def test_the_locked_participation_is_the_one_asked_for() -> None:
    study = make_study()
    first, second = make_annotator(study), make_annotator(study)
    for annotator in (first, second):
        for key in (annotator.pk, annotator.public_id):
            locked = locked_participation(key)
            assert (locked.pk, locked.study.pk, locked.annotator.pk) == (
                annotator.pk,
                study.pk,
                annotator.annotator_id,
            )
            deferred = {f"study__{name}" for name in locked.study.get_deferred_fields()}
            assert deferred == set(TEXTS)
    with pytest.raises(Participation.DoesNotExist):
        locked_participation("nobody")


def test_update_saves_the_named_fields_and_no_others() -> None:
    assignment = take(make_annotator(make_study()))
    assignment.reason, assignment.credited, assignment.external_id = "a reason", True, "not saved"
    update(assignment, ("reason", "credited"))
    kept = Assignment.objects.get(pk=assignment.pk)
    assert (kept.reason, kept.credited, kept.external_id) == ("a reason", True, "")


@pytest.mark.parametrize("alike", [True, False])
def test_update_all_saves_each_row_with_its_own_values(alike: bool) -> None:
    answers = list(take(make_annotator(make_study())).answers.order_by("position"))
    for number, answer in enumerate(answers):
        answer.draft = {"best": 1 if alike else bool(number), "text": "“ü” \\ %s"}
        answer.revision = 7 if alike else number
        answer.seconds = None if number % 2 else 1.5
        answer.given_at = None
    update_all(answers, ("draft", "revision", "seconds", "given_at"))
    kept = list(Answer.objects.filter(pk__in=[answer.pk for answer in answers]).order_by("position"))
    assert [_values(one) for one in kept] == [_values(one) for one in answers]


def test_insert_all_inserts_what_bulk_create_inserts() -> None:
    assignment = take(make_annotator(make_study()))
    study, now = assignment.study, timezone.now()
    questions = Question.objects.bulk_create(
        Question(study=study, ref=f"new-{number}", payload={"items": []}) for number in range(3)
    )

    def answers(first: int) -> list[Answer]:
        return [
            Answer(
                assignment=assignment,
                participation=assignment.participation,
                question=question,
                position=first + number,
                shown=[number, "x"],
                draft=None if number else {"best": 1},
                given_at=now - timedelta(seconds=number),
                value={"best": number},
                repeat=first == 200,
            )
            for number, question in enumerate(questions)
        ]

    inserted = insert_all(answers(100))
    expected = Answer.objects.bulk_create(answers(200))
    differ = {"id", "position", "repeat"}
    for one, other in zip(inserted, expected, strict=True):
        kept, usual = Answer.objects.get(pk=one.pk), Answer.objects.get(pk=other.pk)
        assert kept.position == one.position
        assert {k: v for k, v in _values(kept).items() if k not in differ} == {
            k: v for k, v in _values(usual).items() if k not in differ
        }


def _values(instance: object) -> dict[str, object]:
    return {field.attname: getattr(instance, field.attname) for field in instance._meta.concrete_fields}  # type: ignore[attr-defined]
