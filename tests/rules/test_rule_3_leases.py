"""Tests of rule 3: a claim creates a lease with an end, and late work is accepted or stored as surplus, credited and
never lost.
"""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.core.permissions import SYSTEM
from annotate.core.services.answer import give_answer, save_draft
from annotate.core.services.claim import claim, reap
from annotate.core.services.standing import stop
from annotate.core.services.submit import AnswerSent, submit
from annotate.models import Assignment
from annotate.questions.services.more_judgements import add_slots
from annotate.server.refusals import Refused
from annotate.studies.services.study import close_study
from tests.factories import (
    answers_to,
    assert_slots_add_up,
    do_hit,
    let_lapse,
    make_annotator,
    make_study,
    raw_answer,
    take,
)

pytestmark = [pytest.mark.rules, pytest.mark.django_db]


def hand_in(assignment):
    return submit(assignment.participation_id, assignment.public_id, answers_to(assignment))


def test_a_lease_ends_after_the_time_that_the_study_gives():
    taken = take(make_annotator(make_study(lease_minutes=10)))
    assert timedelta(minutes=9) < taken.lease_until - timezone.now() <= timedelta(minutes=10)


def test_an_overdue_lease_frees_its_slot_when_somebody_else_claims():
    study = make_study()
    mine = take(make_annotator(study))
    let_lapse(mine)
    other = make_annotator(study)
    assert take(other).slot == mine.slot
    mine.refresh_from_db()
    assert mine.state == "lapsed"
    assert_slots_add_up(study)


def test_an_overdue_lease_that_nobody_needed_is_simply_done():
    mine = take(make_annotator(make_study()))
    let_lapse(mine)
    assert hand_in(mine).state == "done"


def test_a_lapsed_hit_is_done_while_its_slot_is_open():
    study = make_study()
    mine = take(make_annotator(study))
    let_lapse(mine)
    assert reap(study.pk) == 1
    receipt = hand_in(mine)
    assert (receipt.state, receipt.credited) == ("done", True)
    assert_slots_add_up(study)


def test_a_lapsed_hit_takes_any_open_slot_of_its_hit():
    study = make_study(judgements=2)
    first = take(make_annotator(study))
    let_lapse(first)
    other = take(make_annotator(study))  # holds the slot that was the first one's
    assert other.slot == first.slot
    assert hand_in(first).state == "done"
    first.refresh_from_db()
    assert first.slot != other.slot
    assert_slots_add_up(study)


def test_late_work_is_kept_as_surplus_and_credited_when_the_slot_has_gone():
    study = make_study()
    mine = take(make_annotator(study))
    let_lapse(mine)
    assert take(make_annotator(study)).hit == mine.hit
    receipt = hand_in(mine)
    assert (receipt.state, receipt.credited, receipt.reward) == ("surplus", True, study.reward)
    assert mine.answers.filter(given_at=None).count() == 0
    assert_slots_add_up(study)


def test_drafts_and_answers_are_taken_after_the_lease_has_lapsed():
    study = make_study()
    ann = make_annotator(study)
    mine = take(ann)
    let_lapse(mine)
    reap(study.pk)
    assert save_draft(ann.pk, mine.public_id, 1, {"best": 3}, 1) == 1
    give_answer(ann.pk, mine.public_id, 1, {"best": 1, "worst": 4})
    assert mine.answers.get(position=1).value


def test_who_comes_back_takes_the_lapsed_hit_up_again_with_its_drafts():
    study = make_study()
    ann = make_annotator(study)
    mine = take(ann)
    save_draft(ann.pk, mine.public_id, 1, {"best": 3}, 1)
    let_lapse(mine)
    again = claim(ann.pk)
    assert (again.assignment.pk, again.resumed, again.assignment.state) == (mine.pk, True, "leased")
    assert again.assignment.lease_until > timezone.now()
    assert again.assignment.answers.get(position=1).draft == {"best": 3}
    assert_slots_add_up(study)


def test_who_comes_back_too_late_goes_on_with_another_hit():
    study = make_study()
    ann = make_annotator(study)
    mine = take(ann)
    let_lapse(mine)
    take(make_annotator(study))
    assert take(ann).hit.number == 2
    assert hand_in(mine).state == "surplus"


def test_surplus_takes_the_slot_when_its_holder_is_stopped():
    study = make_study()
    late, holder = make_annotator(study), make_annotator(study)
    first = take(late)
    let_lapse(first)
    do_hit(holder)
    assert hand_in(first).state == "surplus"
    openings = type(study).objects.get(pk=study.pk).slot_openings
    stop(holder.pk, reason="careless", user=SYSTEM)
    first.refresh_from_db()
    assert (first.state, first.reason) == ("done", "took a freed slot")
    study.refresh_from_db()
    assert study.slot_openings == openings, "nothing has opened"
    assert_slots_add_up(study)


def test_surplus_takes_the_slot_when_its_holder_lets_it_lapse():
    study = make_study()
    first = take(make_annotator(study))
    let_lapse(first)
    second = take(make_annotator(study))
    hand_in(first)
    let_lapse(second)
    reap(study.pk)
    first.refresh_from_db()
    assert first.state == "done"
    assert hand_in(second).state == "surplus"
    assert_slots_add_up(study)


def test_surplus_takes_an_added_slot_before_anyone_claims_it():
    study = make_study()
    first = take(make_annotator(study))
    let_lapse(first)
    do_hit(make_annotator(study))
    assert hand_in(first).state == "surplus"
    assert add_slots(study.pk, user=SYSTEM, hits=[first.hit.number]) == 1
    first.refresh_from_db()
    assert (first.state, first.slot.open, first.reason) == ("done", 0, "took a freed slot")
    assert not study.slots.filter(hit=first.hit, open=1).exists()
    assert_slots_add_up(study)


def test_surplus_of_a_stopped_annotator_is_not_promoted():
    study = make_study()
    late, holder = make_annotator(study), make_annotator(study)
    first = take(late)
    let_lapse(first)
    do_hit(holder)
    hand_in(first)
    stop(late.pk, reason="careless", user=SYSTEM)
    stop(holder.pk, reason="careless, too", user=SYSTEM)
    first.refresh_from_db()
    assert first.state == "void"
    assert_slots_add_up(study)


def test_leases_lapse_a_few_at_a_time_and_none_is_left_over(monkeypatch):
    monkeypatch.setattr("annotate.core.services.claim.REAP_AT_ONCE", 4)
    study = make_study(items=8, judgements=1, questions_per_hit=2)
    taken = [take(make_annotator(study)) for _ in range(6)]
    let_lapse(*taken)
    assert [reap(study.pk), reap(study.pk), reap(study.pk)] == [4, 2, 0]
    assert_slots_add_up(study)


def test_practice_and_tryouts_do_not_lapse():
    study = make_study(practice=1)
    practice = take(make_annotator(study))
    tried = take(make_annotator(study, platform="try"))
    let_lapse(practice, tried)
    assert reap(study.pk) == 0
    assert set(Assignment.objects.values_list("state", flat=True)) == {"leased"}


def test_work_in_hand_can_be_submitted_after_closing():
    study = make_study()
    mine = take(make_annotator(study))
    close_study(study.pk, user=SYSTEM)
    assert hand_in(mine).state == "done"


def test_submitting_twice_changes_nothing_and_says_the_same():
    study = make_study(gold=4)
    mine = take(make_annotator(study))
    sent = answers_to(mine, right=False)
    first = submit(mine.participation_id, mine.public_id, sent)
    kept = list(mine.answers.order_by("position").values())
    for again in (sent, answers_to(mine, right=True), []):
        assert submit(mine.participation_id, mine.public_id, again) == first
    assert list(mine.answers.order_by("position").values()) == kept
    assert first.feedback, "a reply that got lost must not take the feedback with it"


def test_an_incomplete_submission_names_what_is_missing_and_changes_nothing():
    study = make_study(gold=4)
    ann = make_annotator(study)
    mine = take(ann)
    missing = next(a.position for a in mine.answers.select_related("question") if a.question.kind == "regular")
    with pytest.raises(Refused, match=f"Answer question {missing} before you submit") as refused:
        submit(ann.pk, mine.public_id, answers_to(mine, right=False, but=[missing]))
    assert (refused.value.code, list(refused.value.fields)) == ("incomplete", [f"answers.{missing}"])
    # The submission is accepted completely or not at all, so a wrong gold answer in it was not graded either. No
    # expected answer was shown, and the page still has every answer, so no acknowledged answer is lost.
    ann.refresh_from_db()
    assert (ann.graded, ann.tallies) == (0, {})
    assert not mine.answers.exclude(given_at=None).exists()
    assert hand_in(mine).state == "done"


def test_an_impossible_answer_among_others_changes_nothing():
    study = make_study(gold=4)
    ann = make_annotator(study)
    mine = take(ann)
    sent = [*answers_to(mine)[:-1], AnswerSent(mine.answers.count(), {"best": 2, "worst": 2})]
    with pytest.raises(Refused, match="the same answer for “most related” and “least related”") as refused:
        submit(ann.pk, mine.public_id, sent)
    assert list(refused.value.fields) == [f"answers.{mine.answers.count()}.worst"]
    ann.refresh_from_db()
    assert ann.graded == 0
    assert not mine.answers.exclude(given_at=None).exists()


def test_answers_given_before_need_not_be_sent_again():
    study = make_study()
    ann = make_annotator(study)
    mine = take(ann)
    for answer in mine.answers.all():
        give_answer(ann.pk, mine.public_id, answer.position, raw_answer(answer), seconds=1.5)
    assert submit(ann.pk, mine.public_id).state == "done"


def test_anothers_assignment_is_as_unknown_as_one_that_never_was():
    study = make_study()
    mine, other = take(make_annotator(study)), make_annotator(study)
    elsewhere = make_annotator(make_study())
    for participation, assignment in ((other, mine.public_id), (elsewhere, mine.public_id), (other, "never-was")):
        with pytest.raises(Refused, match=r"^This assignment does not exist\.$") as refused:
            submit(participation.pk, assignment, answers_to(mine))
        assert (refused.value.code, refused.value.status) == ("unknown", 404)
        with pytest.raises(Refused, match="This assignment does not exist"):
            give_answer(participation.pk, assignment, 1, {"best": 1, "worst": 2})
        with pytest.raises(Refused, match="This assignment does not exist"):
            save_draft(participation.pk, assignment, 1, {}, 1)
    assert not mine.answers.exclude(given_at=None).exists()


def test_a_question_that_is_not_in_the_assignment_is_unknown():
    ann = make_annotator(make_study())
    mine = take(ann)
    for position in (0, -1, mine.answers.count() + 1):
        with pytest.raises(Refused, match=f"no question {position}") as refused:
            give_answer(ann.pk, mine.public_id, position, {"best": 1, "worst": 2})
        assert refused.value.status == 404
