"""Annotators' choices: returning a HIT, skipping a question, sending a message, and withdrawing from a study."""

import pytest
from django.utils import timezone

from annotate.core.permissions import SYSTEM
from annotate.core.selectors.put_aside import put_aside_left
from annotate.core.services.answer import give_answer, save_draft
from annotate.core.services.claim import claim
from annotate.core.services.grading import AnswerSent
from annotate.core.services.networks import note_network
from annotate.core.services.remarks import object_to_stop, reply_to, send_remark
from annotate.core.services.returns import return_hit, withdraw
from annotate.core.services.standing import restore, stop
from annotate.core.services.submit import submit
from annotate.models import Answer, HitQuestion, Participation, Remark
from annotate.questions.selectors.data import study_data
from annotate.server.refusals import Refused
from tests.factories import (
    UserFactory,
    answers_to,
    assert_slots_add_up,
    do_hit,
    gold_in,
    let_lapse,
    make_annotator,
    make_study,
    take,
)
from tests.recounts import recounted, stored_counts

pytestmark = [pytest.mark.rules, pytest.mark.django_db]


def skip(position):
    return AnswerSent(position, skipped="I do not understand a sentence")


def submitted_hit(annotator):
    assignment = take(annotator)
    submit(annotator.pk, assignment.public_id, answers_to(assignment))
    return assignment.hit_id


def refused_aside(annotator):
    with pytest.raises(Refused) as refusal:
        return_hit(annotator.pk, take(annotator).public_id, put_aside=True)
    return refusal.value.code


class TestReturningAHit:
    def test_the_slot_opens_for_others_and_the_hit_comes_back_before_any_other(self):
        study = make_study(items=8, judgements=2)
        ann, other = make_annotator(study), make_annotator(study)
        assignment = take(ann)
        return_hit(ann.pk, assignment.public_id)
        assert_slots_add_up(study)
        assert take(other).hit_id == assignment.hit_id
        again = claim(ann.pk)
        assert again.resumed
        assert again.assignment == assignment
        assert again.assignment.reason == ""
        submit(ann.pk, assignment.public_id, answers_to(assignment))
        assignment.refresh_from_db()
        assert (assignment.state, assignment.credited) == ("done", True)

    def test_the_answers_are_still_there_when_the_hit_comes_back(self):
        ann = make_annotator(make_study(items=8))
        assignment = take(ann)
        give_answer(ann.pk, assignment.public_id, 1, {"best": 1, "worst": 2})
        return_hit(ann.pk, assignment.public_id)
        take(ann)
        assert assignment.answers.exclude(given_at=None).count() == 1

    def test_returning_shows_no_second_hit_while_slots_of_the_first_are_open(self):
        study = make_study(items=40, gold=6, gold_block=5)
        ann = make_annotator(study)
        seen = set()
        for _ in range(10):
            assignment = take(ann)
            seen.add(assignment.hit_id)
            return_hit(ann.pk, assignment.public_id)
        assert len(seen) == 1

    def test_another_hit_follows_if_others_have_taken_the_returned_one(self):
        study = make_study(items=8)
        ann, other = make_annotator(study), make_annotator(study)
        assignment = take(ann)
        return_hit(ann.pk, assignment.public_id)
        do_hit(other)
        assert take(ann).hit_id != assignment.hit_id


class TestPuttingAHitAside:
    def test_the_annotator_never_gets_the_hit_again(self):
        study = make_study(items=8, judgements=2)
        ann = make_annotator(study)
        assignment = take(ann)
        return_hit(ann.pk, assignment.public_id, put_aside=True)
        return_hit(ann.pk, assignment.public_id, put_aside=True)  # again, without effect
        assert_slots_add_up(study)
        hits = {submitted_hit(ann) for _ in range(study.hits.count() - 1)}
        assert assignment.hit_id not in hits
        assert claim(ann.pk).why == "nothing"
        other = make_annotator(study)
        assert assignment.hit_id in {submitted_hit(other) for _ in range(study.hits.count())}

    def test_a_returned_hit_can_still_be_put_aside_but_not_the_reverse(self):
        ann = make_annotator(make_study(items=8))
        assignment = take(ann)
        for put_aside, reason in ((False, "returned"), (True, "put aside"), (False, "put aside")):
            return_hit(ann.pk, assignment.public_id, put_aside=put_aside)
            assignment.refresh_from_db()
            assert assignment.reason == reason

    def test_is_limited_by_the_setting(self):
        ann = make_annotator(make_study(items=40, put_aside_allowed=2))
        for _ in range(2):
            return_hit(ann.pk, take(ann).public_id, put_aside=True)
        assert refused_aside(ann) == "put-aside"
        return_hit(ann.pk, take(ann).public_id)  # can still be returned

    def test_annotators_on_one_network_share_the_limit(self):
        study = make_study(
            items=40, put_aside_allowed=2, network_check=True, consent="We store a hash of your network."
        )
        first, second, elsewhere = (make_annotator(study) for _ in range(3))
        for annotator, network in ((first, "192.0.2.1"), (second, "192.0.2.1"), (elsewhere, "198.51.100.7")):
            Participation.objects.filter(pk=annotator.pk).update(consented_at=timezone.now())
            annotator.refresh_from_db()
            note_network(annotator, network)
        return_hit(first.pk, take(first).public_id, put_aside=True)
        assert [put_aside_left(each) for each in (first, second, elsewhere)] == [1, 1, 2]
        return_hit(second.pk, take(second).public_id, put_aside=True)
        assert (refused_aside(first), refused_aside(second)) == ("put-aside", "put-aside")
        return_hit(elsewhere.pk, take(elsewhere).public_id, put_aside=True)

    def test_never_replaces_the_gold_questions_that_the_quality_rule_needs(self):
        few = make_study(items=40, gold=4, gold_block=5, rule_minimum=3, rule_threshold="0.5", order="rounds")
        ann = make_annotator(few)
        assert put_aside_left(ann) == 1
        return_hit(ann.pk, take(ann).public_id, put_aside=True)
        assert put_aside_left(ann) == 0
        assert refused_aside(ann) == "put-aside"
        while (claimed := claim(ann.pk)).assignment:  # wrong gold answers stop the annotator
            submit(ann.pk, claimed.assignment.public_id, answers_to(claimed.assignment, right=False))
        assert claimed.why == "stopped"


class TestReturnedHits:
    def test_is_not_paid_and_takes_no_further_answers(self):
        ann = make_annotator(make_study(items=8))
        assignment = take(ann)
        give_answer(ann.pk, assignment.public_id, 1, {"best": 1, "worst": 2})
        return_hit(ann.pk, assignment.public_id)
        return_hit(ann.pk, assignment.public_id)  # again, without effect
        for late in (
            lambda: give_answer(ann.pk, assignment.public_id, 2, {"best": 1, "worst": 2}),
            lambda: save_draft(ann.pk, assignment.public_id, 2, {"best": 1}, 5),
            lambda: submit(ann.pk, assignment.public_id, answers_to(assignment)),
        ):
            with pytest.raises(Refused) as refusal:
                late()
            assert refusal.value.code == "returned"
        assignment.refresh_from_db()
        assert (assignment.state, assignment.reason, assignment.credited) == ("lapsed", "returned", False)
        assert not [row for row in study_data(assignment.study).answers if row.counts]

    def test_stays_returned_through_a_stop_and_a_restoration(self):
        ann = make_annotator(make_study(items=8))
        assignment = take(ann)
        return_hit(ann.pk, assignment.public_id)
        stop(ann.pk, reason="test", user=SYSTEM)
        restore(ann.pk, reason="test", user=SYSTEM)
        assignment.refresh_from_db()
        assert (assignment.state, assignment.reason) == ("lapsed", "returned")
        assert take(ann) == assignment

    def test_a_submitted_hit_and_practice_cannot_be_returned(self):
        study = make_study(items=8, practice=2)
        ann = make_annotator(study)
        practice = take(ann)
        with pytest.raises(Refused, match="Practice"):
            return_hit(ann.pk, practice.public_id)
        done = make_annotator(make_study(items=8))
        do_hit(done)
        with pytest.raises(Refused) as refusal:
            return_hit(done.pk, done.assignments.get().public_id)
        assert refusal.value.code == "submitted"


class TestSkippingAQuestion:
    def test_does_not_count_and_opens_one_more_slot_for_the_question(self):
        study = make_study(items=8, skips_allowed=True)
        ann, hits = make_annotator(study), study.hits.count()
        assignment = take(ann)
        skipped = assignment.answers.get(position=2).question
        submit(ann.pk, assignment.public_id, [skip(2), *answers_to(assignment, but=[2])])
        new = study.hits.get(number=hits + 1)
        assert list(new.questions.all()) == [skipped]
        assert new.slots.get().open == 1
        answer = assignment.answers.get(position=2)
        assert (answer.value, answer.given_at, answer.skipped) == (None, None, "I do not understand a sentence")
        assert skipped.ref not in {row.ref for row in study_data(study).answers}
        assert stored_counts(study) == recounted(study)
        other = make_annotator(study)
        assert new.pk in {submitted_hit(other) for _ in range(hits)}, "three HITs of the design, and the new one"
        assert claim(ann.pk).why == "nothing", "the annotator has skipped the question, so gets no other question"
        assert_slots_add_up(study)

    def test_skipped_questions_share_a_hit_until_it_is_full_or_claimed(self):
        study = make_study(items=8, questions_per_hit=2, skips_allowed=True)
        before = study.hits.count()
        people = [make_annotator(study) for _ in range(4)]
        for ann in people[:3]:
            assignment = take(ann)
            submit(ann.pk, assignment.public_id, [skip(1), *answers_to(assignment, but=[1])])
        sizes = [HitQuestion.objects.filter(hit=hit).count() for hit in study.hits.filter(number__gt=before)]
        assert sizes == [2, 1]
        assert_slots_add_up(study)

    @pytest.mark.parametrize("options", [{}, {"gold": 8, "gold_block": 2}], ids=["without gold", "with gold"])
    def test_a_small_team_gets_every_skipped_question_that_somebody_has_not_met(self, options):
        """Each of the three has answered one of the skipped questions, which would wait in one HIT for nobody."""
        study = make_study(items=24, judgements=2, questions_per_hit=4, skips_allowed=True, **options)
        team = [make_annotator(study) for _ in range(3)]
        for ann in team:
            assignment = take(ann)
            first = next(each for each in assignment.answers.order_by("position") if each.question.kind == "regular")
            others = answers_to(assignment, but=[first.position])
            submit(ann.pk, assignment.public_id, [skip(first.position), *others])
        while working := [each for each in team if claim(each.pk).assignment]:
            do_hit(working[0])
            assert_slots_add_up(study)
        waiting = HitQuestion.objects.filter(hit__slots__open=1, hit__slots__study=study).values("question")
        for ann in team:
            met = Answer.objects.filter(participation=ann).values("question")
            assert not study.questions.filter(pk__in=waiting).exclude(pk__in=met).exists()
        assert stored_counts(study) == recounted(study)

    def test_a_skip_in_a_surplus_hit_is_asked_again_only_after_the_hit_counts(self):
        study = make_study(items=8, skips_allowed=True)
        late, other = make_annotator(study), make_annotator(study)
        assignment = take(late)
        let_lapse(assignment)
        while claim(other.pk).assignment:
            do_hit(other)
        submit(late.pk, assignment.public_id, [skip(2), *answers_to(assignment, but=[2])])
        assignment.refresh_from_db()
        assert assignment.state == "surplus"
        assert not study.hits.filter(for_skipped=True).exists(), "the other annotator has answered the question"
        stop(other.pk, reason="haste", user=SYSTEM)
        assignment.refresh_from_db()
        assert assignment.state == "done"
        asked_again = study.hits.get(for_skipped=True)
        assert list(asked_again.questions.all()) == [assignment.answers.get(position=2).question]
        restore(other.pk, reason="a mistake", user=SYSTEM)
        assert study.hits.filter(for_skipped=True).count() == 1
        assert stored_counts(study) == recounted(study)
        assert_slots_add_up(study)

    def test_is_refused_where_the_study_does_not_allow_it_and_nothing_is_stored(self):
        ann = make_annotator(make_study(items=8))
        assignment = take(ann)
        with pytest.raises(Refused) as refusal:
            submit(ann.pk, assignment.public_id, [skip(1), *answers_to(assignment, but=[1])])
        assert refusal.value.code == "no-skip"
        assert not assignment.answers.exclude(value=None).exists()

    def test_an_answer_replaces_a_skip_and_a_skip_an_answer_before_the_submission(self):
        ann = make_annotator(make_study(items=8, skips_allowed=True))
        assignment = take(ann)
        give_answer(ann.pk, assignment.public_id, 1, {"best": 1, "worst": 2})
        give_answer(ann.pk, assignment.public_id, 1, None, skipped="too hard")
        answer = assignment.answers.get(position=1)
        assert (answer.value, answer.skipped, len(answer.trace)) == (None, "too hard", 1)
        give_answer(ann.pk, assignment.public_id, 1, {"best": 1, "worst": 2})
        answer.refresh_from_db()
        assert (answer.skipped, answer.skipped_at) == ("", None)
        assert answer.value is not None

    def test_skipped_gold_counts_as_missed_after_the_allowed_number(self):
        study = make_study(items=40, gold=20, questions_per_hit=2, gold_block=2, skips_allowed=True)
        ann = make_annotator(study)
        graded = []
        for _ in range(4):
            assignment = take(ann)
            position = gold_in(assignment)[0].position
            receipt = submit(ann.pk, assignment.public_id, [skip(position), *answers_to(assignment, but=[position])])
            assert receipt.feedback == [], "feedback would reveal which questions are gold"
            ann.refresh_from_db()
            graded.append((ann.gold_skips, ann.graded))
        assert graded == [(1, 0), (2, 0), (3, 1), (4, 2)]
        assert not study.hits.filter(for_skipped=True).exists(), "gold questions are not asked again"

    def test_the_reply_to_a_skip_does_not_reveal_gold(self):
        study = make_study(items=40, gold=20, questions_per_hit=2, gold_block=2, skips_allowed=True)
        ann = make_annotator(study)
        assignment = take(ann)
        outcomes = {
            give_answer(ann.pk, assignment.public_id, answer.position, None, skipped="x").__repr__()
            for answer in assignment.answers.all()
        }
        assert len(outcomes) == 1

    def test_a_submitted_skip_never_changes(self):
        study = make_study(items=8, skips_allowed=True)
        ann = make_annotator(study)
        assignment = take(ann)
        submit(ann.pk, assignment.public_id, [skip(1), *answers_to(assignment, but=[1])])
        with pytest.raises(Exception, match="never changes"):
            Answer.objects.filter(assignment=assignment, position=1).update(skipped="", skipped_at=None)


class TestWithdrawing:
    def test_keeps_the_answers_under_the_pseudonym(self):
        study = make_study(items=8)
        ann = make_annotator(study)
        do_hit(ann)
        open_hit = take(ann)
        withdraw(ann.pk, keep_answers=True)
        assert sum(row.counts for row in study_data(study).answers) == 5
        assert claim(ann.pk).why == "withdrawn"
        with pytest.raises(Refused):
            submit(ann.pk, open_hit.public_id, answers_to(open_hit))
        assert_slots_add_up(study)

    def test_excludes_the_answers_and_leaves_the_pay(self):
        study = make_study(items=8)
        ann = make_annotator(study)
        do_hit(ann)
        withdraw(ann.pk, keep_answers=True)
        withdraw(ann.pk, keep_answers=False)  # the annotator may still decide to exclude the answers
        withdraw(ann.pk, keep_answers=True)  # but not to include them again
        assert not list(study_data(study).answers)
        done = ann.assignments.get()
        assert (done.state, done.reason, done.credited) == ("void", "withdrawn", True)
        assert study.slots.filter(open=1).count() == study.slots.count()
        assert_slots_add_up(study)

    def test_a_withdrawn_annotator_is_neither_stopped_nor_restored(self):
        ann = make_annotator(make_study(items=8))
        withdraw(ann.pk, keep_answers=True)
        stop(ann.pk, reason="test", user=SYSTEM)
        ann.refresh_from_db()
        assert ann.standing == Participation.Standing.WITHDRAWN
        with pytest.raises(Refused):
            restore(ann.pk, reason="test", user=SYSTEM)


class TestMessages:
    def test_a_comment_is_stored_once_and_gets_a_reply(self):
        owner = UserFactory()
        study = make_study(items=8, user=owner)
        ann = make_annotator(study)
        assignment = take(ann)
        for _ in range(2):
            send_remark(ann.pk, assignment.public_id, 1, kind="problem", text=" The sentence is cut off. ")
        remark = Remark.objects.get()
        assert remark.text == "The sentence is cut off."
        reply_to(study.pk, remark.public_id, text="Thank you, we have corrected it.", user=owner)
        remark.refresh_from_db()
        assert (remark.replied_by, bool(remark.replied_at)) == (owner, True)
        with pytest.raises(Refused, match="role"):
            reply_to(study.pk, remark.public_id, text="No.", user=UserFactory())

    def test_only_a_stopped_annotator_can_object(self):
        study = make_study(items=8)
        ann = make_annotator(study)
        with pytest.raises(Refused):
            object_to_stop(ann.pk, text="Why?")
        stop(ann.pk, reason="test", user=SYSTEM)
        object_to_stop(ann.pk, text="I answered carefully.")
        assert study.remarks.get().kind == "objection"
        with pytest.raises(Refused, match="Write a message"):
            object_to_stop(ann.pk, text="  ")

    def test_an_annotator_has_one_open_objection_at_a_time(self):
        owner = UserFactory()
        study = make_study(items=8, user=owner)
        ann = make_annotator(study)
        stop(ann.pk, reason="test", user=owner)
        first = object_to_stop(ann.pk, text="I answered carefully.")
        assert object_to_stop(ann.pk, text=" I answered carefully. ") == first
        with pytest.raises(Refused) as refusal:
            object_to_stop(ann.pk, text="Please look again.")
        assert refusal.value.code == "waiting"
        reply_to(study.pk, first.public_id, text="We have looked.", user=owner)
        object_to_stop(ann.pk, text="Please look again.")
        assert study.remarks.count() == 2


def take_and_submit(ann):
    assignment = take(ann)
    submit(ann.pk, assignment.public_id, answers_to(assignment))
    return assignment
