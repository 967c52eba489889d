"""Tests of quotas: each question gets exactly as many judgements from each group of annotators as its quota says."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from annotate.core.permissions import SYSTEM
from annotate.core.selectors.quotas import groups_with_quota
from annotate.core.services.claim import claim, free_by
from annotate.core.services.returns import return_hit, withdraw
from annotate.core.services.standing import restore, stop
from annotate.core.services.submit import AnswerSent, submit
from annotate.data.services.design import build_design
from annotate.data.services.extension import add_items
from annotate.models import AnnotatorGroup, Answer, Assignment, Participation, Question, Slot, Study
from annotate.people.services import exclude_answer, include_answer
from annotate.questions.services.more_judgements import add_to_all, add_to_questions
from annotate.recruiting.services.groups import add_group, revoke_group, set_quota
from annotate.recruiting.services.join import join
from annotate.recruiting.services.named import add_named, join_by_link, share_out
from annotate.server.refusals import Refused
from annotate.studies.services.settings import change_settings
from annotate.studies.services.study import missing_before_opening, open_study
from tests.factories import add_items as import_items
from tests.factories import answers_to, assert_slots_add_up, do_hit, let_lapse, make_annotator, make_study, take
from tests.word_study import word_study

pytestmark = [pytest.mark.rules, pytest.mark.django_db]
QUOTAS = {"learners": 2, "native speakers": 1, "teachers": 3}


def quota_study(quotas: Mapping[str, int] = QUOTAS, **settings: Any) -> tuple[Study, list[AnnotatorGroup]]:
    """Return an open study with these quotas, and its groups."""
    study = make_study(state="draft", design=False, privacy_notice="Only pseudonyms are stored.", **settings)
    for name, judgements in quotas.items():
        add_group(study.pk, name, judgements=judgements, user=SYSTEM)
    build_design(study.pk, user=SYSTEM)
    study = open_study(study.pk, user=SYSTEM)
    return study, list(groups_with_quota(study))


def cells(study: Study) -> Counter[tuple[int, int | None]]:
    """Count the judgements by question and by the group of the annotator, from the answers alone."""
    answers = Answer.objects.counting().filter(question__study=study, question__kind=Question.Kind.REGULAR)
    return Counter(answers.values_list("question", "participation__group"))


def wanted(study: Study, more: Mapping[tuple[int, int], int] | None = None) -> Counter[tuple[int, int | None]]:
    """Return the judgements of each cell according to the quotas and additional judgements."""
    questions = study.questions.filter(kind=Question.Kind.REGULAR).values_list("pk", flat=True)
    quotas = {(question, group.pk): group.judgements for question in questions for group in study.groups.all()}
    return Counter({cell: number for cell, number in quotas.items() if number}) + Counter(more or {})


def work(person: Participation) -> int:
    """Let the annotator submit HITs until there are none, and return their number."""
    number = 0
    while assignment := claim(person.pk).assignment:
        submit(person.pk, assignment.public_id, answers_to(assignment))
        number += 1
    return number


def finish(study: Study) -> None:
    """Let new annotators of each group answer everything that is left."""
    for group in groups_with_quota(study):
        while work(make_annotator(study, group=group)):
            pass


# ── the design ────────────────────────────────────────────────────────────────────────────────────────────────────
def test_each_hit_has_the_slots_of_each_quota() -> None:
    study, groups = quota_study()
    assert (study.judgements, study.has_quotas) == (6, True)
    for hit in study.hits.all():
        assert Counter(hit.slots.values_list("group", flat=True)) == {group.pk: group.judgements for group in groups}
    first = study.slots.order_by("place").filter(hit__number=1).values_list("group__name", flat=True)
    assert list(first)[:3] == list(QUOTAS), "groups take turns"


def test_a_study_without_quotas_has_slots_without_groups() -> None:
    study = make_study(judgements=2)
    group = add_group(study.pk, "Class 7b", user=SYSTEM)
    assert not study.slots.exclude(group=None).exists()
    assert work(make_annotator(study, group=group)) == 4


def test_changed_quotas_make_the_design_outdated() -> None:
    study = make_study(state="draft", judgements=3)
    first, second = (add_group(study.pk, name, user=SYSTEM) for name in ("A", "B"))
    assert missing_before_opening(study) == {}
    set_quota(study.pk, first.public_id, 2, user=SYSTEM)
    set_quota(study.pk, second.public_id, 1, user=SYSTEM)
    assert "quotas" in missing_before_opening(Study.objects.get(pk=study.pk))["design"]
    build_design(study.pk, user=SYSTEM)
    assert missing_before_opening(Study.objects.get(pk=study.pk)) == {}
    set_quota(study.pk, first.public_id, 1, user=SYSTEM)
    set_quota(study.pk, second.public_id, 2, user=SYSTEM)
    study.refresh_from_db()
    assert study.judgements == 3
    assert "quotas" in missing_before_opening(study)["design"], "the sum alone does not make the same slots"
    for group in (first, second):
        set_quota(study.pk, group.public_id, None, user=SYSTEM)
    study.refresh_from_db()
    assert (study.has_quotas, study.judgements) == (False, 2), "the last quotas that were set remain the judgements"


def test_quotas_are_locked_after_opening_and_determine_the_judgements() -> None:
    study, groups = quota_study()
    with pytest.raises(Refused, match="locked"):
        set_quota(study.pk, groups[0].public_id, 5, user=SYSTEM)
    with pytest.raises(Refused, match="locked"):
        add_group(study.pk, "Late", judgements=1, user=SYSTEM)
    assert add_group(study.pk, "Late", user=SYSTEM).judgements is None
    draft = make_study(state="draft")
    add_group(draft.pk, "A", judgements=2, user=SYSTEM)
    with pytest.raises(Refused, match="sum of the quotas"):
        change_settings(draft.pk, user=SYSTEM, judgements=3)
    assert change_settings(draft.pk, user=SYSTEM, judgements=2).judgements == 2
    for impossible in (0, -1, 99):
        with pytest.raises(Refused) as refused:
            add_group(draft.pk, f"Group {impossible}", judgements=impossible, user=SYSTEM)
        assert refused.value.fields.keys() == {"judgements"}


@pytest.mark.nightly
def test_questions_with_their_own_number_of_judgements_contradict_quotas() -> None:
    study = word_study(opened=False, options={"double": 4})
    add_group(study.pk, "A", judgements=2, user=SYSTEM)
    with pytest.raises(Refused) as refused:
        build_design(study.pk, user=SYSTEM)
    assert refused.value.code == "quotas"


def test_a_study_opens_only_if_each_group_can_reach_its_quota() -> None:
    study = make_study(state="draft", admission="named", design=False)
    groups = [add_group(study.pk, name, judgements=2, user=SYSTEM) for name in ("A", "B")]
    named = add_named(study.pk, ["Ada", "Bea", "Cleo"], user=SYSTEM)
    for one, group in zip(named, (groups[0], groups[0], groups[1]), strict=True):
        one.group = group
        one.save()
    build_design(study.pk, user=SYSTEM)
    study.refresh_from_db()
    assert "named" not in missing_before_opening(study), "anyone can join through the groups' links"
    for group in groups:
        revoke_group(study.pk, group.public_id, user=SYSTEM)
    assert "2 judgements from the group B" in missing_before_opening(study)["named"]
    set_quota(study.pk, groups[1].public_id, 1, user=SYSTEM)
    assert "named" not in missing_before_opening(Study.objects.get(pk=study.pk))


# ── joining ───────────────────────────────────────────────────────────────────────────────────────────────────────
def test_only_people_in_a_group_with_a_quota_join() -> None:
    study, groups = quota_study()
    late = add_group(study.pk, "Late", user=SYSTEM)
    for group in (None, late):
        with pytest.raises(Refused) as refused:
            join(study, platform="web", group=group)
        assert refused.value.code == "group"
    assert join(study, platform="web", group=groups[0]).group == groups[0]
    assert not study.participations.exclude(group=groups[0]).exists()


def test_an_annotator_without_a_group_gets_nothing() -> None:
    study, _groups = quota_study()
    stranger = join(study, platform="simulated", external_id="without a group")
    assert claim(stranger.pk).why == "nothing"
    assert free_by(stranger) is None


# ── the database ──────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("state", ["leased", "done"])
def test_the_database_refuses_a_holder_of_another_group(refuses: Any, state: str) -> None:
    study, (first, second, _third) = quota_study()
    assignment = take(make_annotator(study, group=first))
    foreign = Slot.objects.filter(hit=assignment.hit, group=second).first()
    with refuses("belongs to annotators in the group"):
        Assignment.objects.filter(pk=assignment.pk).update(slot=foreign)
    with refuses("belongs to annotators in the group"):
        Assignment.objects.create(
            study=study,
            participation=make_annotator(study, group=second),
            hit=assignment.hit,
            slot=Slot.objects.filter(hit=assignment.hit, group=first, open=1).first(),
            state=state,
            lease_until=assignment.lease_until,
            submitted_at=assignment.lease_until if state == "done" else None,
        )


def test_neither_slots_nor_annotators_change_their_group(refuses: Any) -> None:
    study, (first, second, _third) = quota_study()
    person = make_annotator(study, group=first)
    with refuses("moves to another group"):
        Slot.objects.filter(study=study, group=first).update(group=second)
    with refuses("moves to another group"):
        Participation.objects.filter(pk=person.pk).update(group=None)
    Participation.objects.filter(pk=person.pk).update(group=first)


def test_the_queue_of_a_group_is_searched_by_its_index() -> None:
    study, groups = quota_study(items=40)
    person = make_annotator(study, group=groups[1])
    with CaptureQueriesContext(connection) as queries:
        take(person)
    (search,) = [q["sql"] for q in queries if "FROM annotate_slot" in q["sql"] and "LIMIT 1" in q["sql"]]
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"EXPLAIN QUERY PLAN {search}")
        else:
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute(f"EXPLAIN {search}")
        plan = "\n".join(str(row) for row in cursor.fetchall())
    assert "slot_open_in_group" in plan, plan
    assert "TEMP B-TREE" not in plan, plan
    assert "Sort" not in plan.split("SubPlan")[0], plan


# ── claims and everything that reopens a slot ─────────────────────────────────────────────────────────────────────
def test_each_question_gets_exactly_its_quotas() -> None:
    study, groups = quota_study()
    person = make_annotator(study, group=groups[1])
    assert work(person) == 4
    assert claim(make_annotator(study, group=groups[1]).pk).why == "nothing", "the quota of this group is full"
    finish(study)
    assert cells(study) == wanted(study)
    assert_slots_add_up(study)


def test_a_freed_slot_stays_in_its_group() -> None:
    study, (first, second, _third) = quota_study()
    own, other, late = (make_annotator(study, group=group) for group in (second, first, second))
    assignment = take(own)
    return_hit(own.pk, assignment.public_id, put_aside=True)
    assert take(other).hit == assignment.hit
    assert take(late).slot == assignment.slot
    stop(late.pk, reason="test", user=SYSTEM)
    assert take(make_annotator(study, group=second)).slot == assignment.slot
    restore(late.pk, reason="test", user=SYSTEM)
    assert claim(late.pk).assignment.hit != assignment.hit, "the HIT has no other slot of the group"


def test_surplus_of_another_group_takes_no_freed_slot() -> None:
    study, (first, second, _third) = quota_study({"A": 1, "B": 1, "C": 1}, hits_per_annotator=1)
    late, other, own = (make_annotator(study, group=group) for group in (first, second, first))
    lapsed = take(late)
    let_lapse(lapsed)
    assert take(own).slot == lapsed.slot
    submit(own.pk, take(own).public_id, answers_to(take(own)))
    assert submit(late.pk, lapsed.public_id, answers_to(lapsed)).state == "surplus"
    do_hit(other)
    stop(other.pk, reason="test", user=SYSTEM)
    lapsed.refresh_from_db()
    assert lapsed.state == "surplus", "the slot of the other group stays open"
    assert add_to_all(study.pk, group=second.public_id, user=SYSTEM) == 4
    lapsed.refresh_from_db()
    assert lapsed.state == "surplus"
    stop(own.pk, reason="test", user=SYSTEM)
    lapsed.refresh_from_db()
    assert lapsed.state == "done", "the slot of its own group counts"
    assert_slots_add_up(study)


@pytest.mark.nightly
def test_skipped_and_excluded_questions_are_asked_again_in_the_same_group() -> None:
    study, (first, second, third) = quota_study(skips_allowed=True)
    skipping = make_annotator(study, group=second)
    assignment = take(skipping)
    sent = answers_to(assignment, but=[1])
    submit(skipping.pk, assignment.public_id, [*sent, AnswerSent(1, None, skipped="unclear")])
    again = study.slots.filter(hit__for_skipped=True).order_by("pk")
    assert list(again.values_list("group", flat=True)) == [second.pk]
    excluded = make_annotator(study, group=first)
    do_hit(excluded)
    others = Answer.objects.filter(participation=excluded, question__kind="regular").exclude(
        question__in=again.values("hit__questions")
    )
    answer = others.earliest("pk")
    exclude_answer(answer.pk, reason="test", user=SYSTEM)
    assert list(again.values_list("group", flat=True)) == [second.pk, first.pk]
    include_answer(answer.pk, reason="test", user=SYSTEM)
    assert list(again.values_list("group", flat=True)) == [second.pk]
    exclude_answer(answer.pk, reason="test", user=SYSTEM)
    withdraw(make_annotator(study, group=third).pk, keep_answers=True)
    finish(study)
    assert cells(study) == wanted(study)


def skipped_and_answered_by(study: Study, group: AnnotatorGroup) -> tuple[Participation, Participation, int]:
    """Return an annotator who has skipped a question, another who has answered only this question, and its key."""
    skipping = make_annotator(study, group=group)
    assignment = take(skipping)
    sent = [*answers_to(assignment, but=[1]), AnswerSent(1, None, skipped="unclear")]
    submit(skipping.pk, assignment.public_id, sent)
    question_id = assignment.answers.get(position=1).question_id
    instead = make_annotator(study, group=group)
    slots = study.slots.filter(group=group, open=1, hit__for_skipped=False)
    elsewhere = list(slots.exclude(hit__questions=question_id).values_list("pk", flat=True))
    Slot.objects.filter(pk__in=slots).exclude(pk__in=elsewhere).update(open=0)  # until the additional slot is claimed
    while question_id not in take(instead).answers.values_list("question", flat=True):
        do_hit(instead)
    Slot.objects.filter(study=study, assignments=None).update(open=1)
    do_hit(instead)
    return skipping, instead, question_id


@pytest.mark.parametrize("then", ["another", "stop the other", "stop the other later", "include"])
def test_what_exceeds_a_quota_after_a_stop_is_paid_and_excluded(then: str) -> None:
    study, (group, *_others) = quota_study({"A": 1, "B": 1}, skips_allowed=True)
    skipping, instead, question_id = skipped_and_answered_by(study, group)
    stop(skipping.pk, reason="test", user=SYSTEM)
    if then == "stop the other":
        stop(instead.pk, reason="test", user=SYSTEM)
    finish(study)
    exceeding = Answer.objects.exclude(excluded="").filter(question=question_id)
    assert exceeding.count() == 1
    assert all(answer.assignment.credited for answer in exceeding.select_related("assignment"))
    assert cells(study) == wanted(study)
    if then == "another":
        stop(exceeding.get().participation_id, reason="test", user=SYSTEM)
        restore(skipping.pk, reason="test", user=SYSTEM)
        assert cells(study)[question_id, group.pk] == 1
    if then == "stop the other later":
        stop(instead.pk, reason="test", user=SYSTEM)
        assert not exceeding.exists(), "the annotator could not answer the question again"
        assert cells(study)[question_id, group.pk] == 1
    if then == "include":
        assert not include_answer(exceeding.get().pk, reason="test", user=SYSTEM).withdrawn
        assert cells(study)[question_id, group.pk] == 2, "a researcher's decision takes precedence over the quota"
        return
    finish(study)
    assert cells(study) == wanted(study)
    assert_slots_add_up(study)


@pytest.mark.nightly
def test_added_judgements_and_items_belong_to_groups() -> None:
    study, groups = quota_study()
    question = study.questions.filter(kind=Question.Kind.REGULAR).earliest("pk").pk
    for group in ("", "unknown"):
        with pytest.raises(Refused, match="Choose the group"):
            add_to_all(study.pk, user=SYSTEM, group=group)
        with pytest.raises(Refused, match="Choose the group"):
            add_to_questions(study.pk, [question], user=SYSTEM, group=group)
    add_to_questions(study.pk, [question], per_question=2, group=groups[2].public_id, user=SYSTEM)
    import_items(study, 4, prefix="late")
    add_items(study.pk, user=SYSTEM)
    finish(study)
    assert cells(study) == wanted(study, {(question, groups[2].pk): 2})


def test_named_annotators_get_reservations_in_their_group() -> None:
    study = make_study(state="draft", design=False, admission="named")
    for name in ("A", "B"):
        add_group(study.pk, name, judgements=1, user=SYSTEM)
    named = add_named(study.pk, ["Ada", "Bea", "Cleo"], user=SYSTEM)
    groups = list(groups_with_quota(study))
    for one, group in zip(named, (groups[0], groups[0], groups[1]), strict=True):
        one.group = group
        one.save()
    build_design(study.pk, user=SYSTEM)
    study = open_study(study.pk, user=SYSTEM)
    assert share_out(study.pk, user=SYSTEM) == 8
    assert not [s for s in study.slots.select_related("reserved_for") if s.reserved_for.group_id != s.group_id]
    assert Counter(study.slots.values_list("reserved_for__name", flat=True)) == {"Ada": 2, "Bea": 2, "Cleo": 4}
    assert [work(join_by_link(one.pk)) for one in named] == [2, 2, 4]
    assert cells(study) == wanted(study)


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", range(8))
def test_no_cell_is_wrong_after_lapses_returns_skips_stops_and_restorations_at_once(
    seed: int, at_once: Callable[[Sequence[Callable[[], Any]]], list[Any]]
) -> None:
    study, groups = quota_study(items=20, gold=6, gold_block=5, rule_threshold="0.7", skips_allowed=True)
    each = 2 if connection.vendor == "sqlite" else 8
    people = [make_annotator(study, group=group) for _ in range(each) for group in groups]

    def disturb(person: Participation) -> None:
        dice = random.Random(f"{seed} {person.pk}")
        late: list[Assignment] = []
        while assignment := claim(person.pk).assignment:
            chance = dice.random()
            if chance < 0.15:
                let_lapse(assignment)
                late.append(assignment)
                claim(people[0].pk)
            elif chance < 0.25:
                try:
                    return_hit(person.pk, assignment.public_id, put_aside=True)
                except Refused:
                    submit(person.pk, assignment.public_id, answers_to(assignment))
            elif chance < 0.45:
                regular = assignment.answers.filter(question__kind="regular").earliest("position").position
                sent = [*answers_to(assignment, but=[regular]), AnswerSent(regular, None, skipped="unclear")]
                submit(person.pk, assignment.public_id, sent)
            else:
                submit(person.pk, assignment.public_id, answers_to(assignment))
            if dice.random() < 0.1:
                stop(person.pk, reason="test", user=SYSTEM)
                if dice.random() < 0.5:
                    restore(person.pk, reason="test", user=SYSTEM)
        for assignment in late:
            submit(person.pk, assignment.public_id, answers_to(assignment))

    at_once([lambda person=person: disturb(person) for person in people])
    assert not cells(study) - wanted(study), "no cell has too many judgements"
    work(people[0])  # other annotators' claims for lapsed leases can have given this annotator another HIT
    finish(study)
    assert cells(study) == wanted(study)
    assert_slots_add_up(study)
    held = study.assignments.filter(state__in=["leased", "done"], kind="regular")
    assert not held.exclude(slot__group=F("participation__group")).exists()
