"""Gold questions belong to HITs: everyone who takes a HIT gets the same ones, so that two annotators who compare their
screens cannot tell them from the other questions.
"""

from collections import Counter

import pytest
from django.db.models import Count

from annotate.core.permissions import SYSTEM
from annotate.core.services.claim import claim
from annotate.core.services.gold_sets import deal_gold
from annotate.core.services.grading import AnswerSent
from annotate.core.services.returns import return_hit
from annotate.core.services.submit import submit
from annotate.gold.services import draw_candidates, exclude_gold, judge_candidate, promote
from annotate.models import Answer, Assignment, GoldSet, GoldSetQuestion, Hit, Question, Slot, Study
from annotate.questions.services.more_judgements import add_slots, add_to_questions
from annotate.studies.services.copies import copy_contents
from annotate.studies.services.settings import change_settings
from annotate.studies.services.study import open_study
from tests.factories import answers_to, gold_in, make_annotator, make_study, take

pytestmark = [pytest.mark.rules, pytest.mark.django_db]


def questions_in(assignment):
    return list(assignment.answers.order_by("position").values_list("question__ref", flat=True))


def add_gold(study, count):
    """Add further gold questions, as an import does, and return their refs."""
    example = study.questions.filter(kind="gold").first()
    refs = [f"later-{number}" for number in range(count)]
    Question.objects.bulk_create(
        Question(study=study, kind="gold", ref=ref, payload=example.payload, gold=example.gold) for ref in refs
    )
    deal_gold(Study.objects.get(pk=study.pk))
    return set(refs)


def work(annotator):
    """Submit HITs until none is left, and return the gold questions of each HIT."""
    hits = []
    while (claimed := claim(annotator.pk)).assignment:
        hits.append([answer.question.ref for answer in gold_in(claimed.assignment)])
        submit(annotator.pk, claimed.assignment.public_id, answers_to(claimed.assignment))
    return hits, claimed.why


def test_all_annotators_of_a_hit_get_the_same_questions_at_the_same_positions():
    study = make_study(items=20, judgements=3, gold=4, gold_block=3)
    first, second, third = (take(make_annotator(study)) for _ in range(3))
    other = {first.hit_id: questions_in(first), second.hit_id: questions_in(second), third.hit_id: questions_in(third)}
    for assignment in (first, second, third):
        twin = next(a for a in (take(make_annotator(study)) for _ in range(30)) if a.hit_id == assignment.hit_id)
        assert questions_in(twin) == other[assignment.hit_id]


def test_gold_questions_repeat_no_item_of_another_question_in_the_hit():
    study = make_study(items=200, gold=20, gold_block=3, state="draft")
    items = list(study.items.filter(held_out=False).order_by("pk").values_list("key", flat=True))
    for number, question in enumerate(study.questions.filter(kind="gold").order_by("pk")):
        question.payload = {"items": items[2 * number : 2 * number + 4]}  # shares two items with the next question
        question.save()
    deal_gold(study)

    dealt, twice = Counter(), set()
    for hit in study.hits.annotate(size=Count("hit_questions")).filter(size=study.questions_per_hit):
        gold = [key for payload in hit.gold_set.questions.values_list("payload", flat=True) for key in payload["items"]]
        regular = hit.hit_questions.values_list("question__payload", flat=True)
        assert len(gold) == 8
        assert not {key for payload in regular for key in payload["items"]} & set(gold)
        dealt[hit.gold_set_id] += 1
        if len(set(gold)) < len(gold):
            twice.add(hit.gold_set_id)
    assert max(dealt.values()) <= 2 * sum(dealt.values()) / 10
    assert len(twice) <= 1  # the questions that are left for the last of the ten sets


def test_hits_that_contain_all_items_get_different_gold_sets():
    study = make_study(items=20, gold=4, gold_block=5, state="draft")  # five questions of four items are all items
    items = list(study.items.filter(held_out=False).order_by("pk").values_list("key", flat=True))
    for number, question in enumerate(study.questions.filter(kind="gold").order_by("pk")):
        question.payload = {"items": items[4 * number : 4 * number + (3 if number == 0 else 4)]}
        question.save()
    deal_gold(study)

    full = study.hits.annotate(size=Count("hit_questions")).filter(size=study.questions_per_hit)
    dealt = Counter(full.values_list("gold_set", flat=True))
    assert len(dealt) == 4
    assert max(dealt.values()) - min(dealt.values()) <= 1


def test_a_set_whose_items_are_in_no_hit_does_not_go_to_all_hits():
    study = make_study(items=200, gold=4, gold_block=5, state="draft")  # four sets of one question
    held_out = study.items.filter(held_out=True).order_by("pk").values_list("key", flat=True)[:4]
    items = study.items.filter(held_out=False).order_by("pk").values_list("key", flat=True)
    questions = list(study.questions.filter(kind="gold").order_by("pk"))
    questions[0].payload = {"items": list(held_out)}
    for question in questions[1:]:
        question.payload = {"items": list(items)}  # shares items with every HIT
    for question in questions:
        question.save()
    deal_gold(study)

    dealt = Counter(study.hits.filter(gold_set__number__isnull=False).values_list("gold_set", flat=True))
    assert len(dealt) == 4
    assert max(dealt.values()) <= 2 * -(-sum(dealt.values()) // 4)


def test_claims_prefer_hits_with_new_gold_questions():
    study = make_study(items=40, judgements=1, gold=6, gold_block=3)  # three sets of two
    hits, why = work(make_annotator(study))
    assert [len(gold) for gold in hits[:3]] == [2, 2, 2]
    assert len({ref for gold in hits for ref in gold}) == 6
    assert not any(hits[3:])
    assert why == "nothing"


def test_a_hit_with_new_gold_comes_first_wherever_it_is_in_the_queue():
    study = make_study(items=60, gold=6, gold_block=3)
    annotator = make_annotator(study)
    assignment = take(annotator)
    submit(annotator.pk, assignment.public_id, answers_to(assignment))
    seen = assignment.hit.gold_set
    new = numbered(study).exclude(pk=seen.pk).first()
    # Only the last HIT of the queue has gold questions that are new to the annotator.
    last = Slot.objects.filter(study=study, gold_set__number__isnull=False).order_by("-place").first()
    Slot.objects.filter(study=study).exclude(pk=last.pk).update(gold_set=seen)
    Hit.objects.filter(study=study).exclude(pk=last.hit_id).update(gold_set=seen)
    Slot.objects.filter(pk=last.pk).update(gold_set=new)
    assert take(annotator).hit_id == last.hit_id


def test_an_annotator_who_has_had_all_gold_is_finished_if_the_study_says_so_even_without_a_graded_answer():
    study = make_study(items=40, gold=2, gold_block=3, gold_exhausted="finish", rule_threshold=0)
    annotator = make_annotator(study)
    return_hit(annotator.pk, take(annotator).public_id, put_aside=True)
    assert claim(annotator.pk).why == "finished"
    assert not Answer.objects.filter(tally__isnull=False).exists()


def test_an_annotator_finishes_with_the_last_gold_question():
    study = make_study(items=40, gold=6, gold_block=3, gold_exhausted="finish", rule_threshold=0)
    hits, why = work(make_annotator(study))
    assert ([len(gold) for gold in hits], why) == ([2, 2, 2], "finished")


@pytest.mark.nightly
def test_where_annotators_finish_everyone_who_takes_a_hit_gets_the_same_questions():
    # The last of the three sets has a question of an earlier set, and a short HIT has a set of its own.
    study = make_study(
        items=13, judgements=3, gold=5, gold_block=3, gold_exhausted="finish", rule_threshold=0, skips_allowed=True
    )
    skip_one(study)
    people = [make_annotator(study) for _ in range(5)]
    ended = [work(person)[1] for person in people]
    versions = {}
    for assignment in Assignment.objects.filter(study=study):
        versions.setdefault(assignment.hit_id, set()).add(tuple(questions_in(assignment)))
    assert max(map(len, versions.values())) == 1
    assert "finished" in ended


def test_a_study_without_gold_questions_does_not_finish_anybody():
    study = make_study(items=8, gold_block=3, gold_exhausted="finish")
    hits, why = work(make_annotator(study))
    assert (len(hits), why) == (study.hits.count(), "nothing")


def test_short_hits_get_more_gold_so_that_all_have_the_same_number_of_questions():
    study = make_study(items=8, gold=12, gold_block=5)  # 16 tuples in HITs of five: the last has one
    sizes = {hit: len(questions_in(take(make_annotator(study)))) for hit in study.hits.values_list("pk", flat=True)}
    assert set(sizes.values()) == {6}


def test_a_hit_for_skipped_questions_has_at_most_the_share_of_gold_of_other_hits():
    study = make_study(items=40, gold=12, gold_block=2, skips_allowed=True)
    for skipped, gold in [(1, 0), (2, 1), (3, 1), (4, 2), (5, 3)]:
        again = skip_one(study)
        assert again.questions.count() == skipped
        assert GoldSetQuestion.objects.filter(gold_set__hits=again).count() == gold
        assert again.slots.get().gold_set == again.gold_set


def test_the_sets_share_no_question_and_contain_all():
    study = make_study(items=40, gold=9, gold_block=3)
    sets = [set(gold_set.questions.values_list("ref", flat=True)) for gold_set in numbered(study)]
    assert [len(each) for each in sets] == [2] * 5
    seen = Counter(ref for each in sets for ref in each)
    assert set(seen) == set(study.questions.filter(kind="gold").values_list("ref", flat=True))
    assert seen.total() == 10  # the last set is completed with one question of an earlier set


def numbered(study):
    return GoldSet.objects.filter(study=study, number__isnull=False).order_by("number")


def test_gold_that_is_added_to_an_open_study_reaches_only_hits_that_nobody_has_opened():
    study = make_study(items=40, judgements=2, gold=2, gold_block=5)
    opened = take(make_annotator(study))
    new = add_gold(study, 4)
    again = next(a for a in (take(make_annotator(study)) for _ in range(60)) if a.hit_id == opened.hit_id)
    assert questions_in(again) == questions_in(opened)
    dealt = Question.objects.filter(gold_sets__hits__study=study).values_list("ref", flat=True)
    assert new <= set(dealt)


@pytest.mark.nightly
def test_excluded_gold_is_not_asked_again():
    study = make_study(items=20, judgements=2, gold=2, gold_block=5)
    first = take(make_annotator(study))
    (gold,) = gold_in(first)
    exclude_gold(gold.question_id, user=SYSTEM, reason="wrong")
    for _ in range(study.slots.count() - 1):
        assert gold.question.ref not in questions_in(take(make_annotator(study)))


def test_a_changed_gold_block_deals_the_gold_of_a_draft_again():
    study = make_study(items=20, gold=6, gold_block=5, state="draft")
    assert numbered(study).count() == 6
    change_settings(study.pk, user=SYSTEM, gold_block=3)
    assert numbered(study).count() == 3
    change_settings(study.pk, user=SYSTEM, gold_block=0)
    assert numbered(study).count() == 0


def test_additional_hits_get_gold_too():
    study = make_study(items=40, gold=6, gold_block=5)
    questions = list(study.questions.filter(kind="regular").values_list("pk", flat=True)[:7])
    add_to_questions(study.pk, questions, user=SYSTEM)
    added = study.hits.order_by("-number")[:2]
    assert [hit.gold_set.questions.count() for hit in added] == [3, 2]  # HITs of almost equal size
    for slot in Slot.objects.filter(hit__in=[hit.pk for hit in added]).select_related("hit"):
        assert slot.gold_set_id == slot.hit.gold_set_id


def test_slots_and_hits_agree_on_the_gold_set():
    study = make_study(items=40, judgements=2, gold=6, gold_block=5)
    add_gold(study, 3)
    assert all(slot.gold_set_id == slot.hit.gold_set_id for slot in study.slots.select_related("hit"))
    assert Study.objects.get(pk=study.pk).slots.filter(gold_set=None).count() == 0


class TestGoldThatAnnotatorsNeverAnswer:
    """An annotator who leaves HITs until others have done them uses up gold questions without a grade."""

    def leave(self, annotator, colleague):
        """Return the annotator's HIT, and let a colleague do it, so that it never comes back."""
        assignment = take(annotator)
        return_hit(annotator.pk, assignment.public_id)
        while True:
            done = take(colleague)
            submit(colleague.pk, done.public_id, answers_to(done))
            if done.hit_id == assignment.hit_id:
                return

    def test_ends_the_work_of_an_annotator_who_has_left_too_many_hits(self):
        study = make_study(items=60, gold=12, gold_block=3, rule_minimum=2)  # six sets
        annotator, colleague = make_annotator(study), make_annotator(study)
        for _ in range(6):
            self.leave(annotator, colleague)
        assert claim(annotator.pk).why == "finished"

    @pytest.mark.nightly
    def test_lets_annotators_continue_whom_the_rule_can_still_stop(self):
        study = make_study(items=60, gold=12, gold_block=3, rule_minimum=6)
        annotator, colleague = make_annotator(study), make_annotator(study)
        for _ in range(3):
            self.leave(annotator, colleague)
        hits, why = work(annotator)
        assert [len(gold) for gold in hits[:3]] == [2, 2, 2]
        assert len(hits) > 3
        assert why == "nothing"

    def test_does_not_matter_where_the_rule_stops_nobody(self):
        for settings in ({"rule_threshold": 0}, {"rule_minimum": 50}):
            study = make_study(items=60, gold=2, gold_block=3, **settings)
            annotator, colleague = make_annotator(study), make_annotator(study)
            self.leave(annotator, colleague)
            assert not gold_in(take(annotator))


def test_a_draft_that_has_been_opened_in_the_meantime_keeps_the_gold_of_opened_hits():
    study = make_study(items=40, judgements=2, gold=6, gold_block=5, state="draft")
    outdated = Study.objects.get(pk=study.pk)
    opened = take(make_annotator(open_study(study.pk, user=SYSTEM)))
    deal_gold(outdated)
    assert Hit.objects.get(pk=opened.hit_id).gold_set_id == opened.hit.gold_set_id


def test_gold_that_is_copied_into_a_draft_with_a_design_is_dealt():
    source = make_study(items=20, gold=6, gold_block=3, state="draft", design=False)
    user = source.memberships.get().user
    copy = make_study(items=20, gold=0, gold_block=3, rule_threshold="0.7", state="draft", user=user)
    copy_contents(copy.pk, source.public_id, gold=True, user=user, progress=lambda share, text: None)
    assert set(copy.hits.values_list("gold_set__number", flat=True)) == {0, 1, 2}


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_candidates_that_are_promoted_at_the_same_time_are_all_dealt(at_once):
    study = make_study(items=60, gold=2, gold_block=5)
    user = study.memberships.get().user
    drawn = draw_candidates(study.pk, 8, user=user)
    for question in drawn:
        judge_candidate(question.pk, {"best": 1, "worst": 4}, user=user)
    at_once([lambda one=one: promote([one.pk], study_id=study.pk, user=user) for one in drawn])
    dealt = Question.objects.filter(gold_sets__study=study).values_list("ref", flat=True)
    assert {one.ref for one in drawn} <= set(dealt)
    assert all(slot.gold_set_id == slot.hit.gold_set_id for slot in study.slots.select_related("hit"))


def test_a_hit_for_skipped_questions_with_several_slots_gets_no_more_questions():
    study = make_study(items=40, gold=6, gold_block=5, skips_allowed=True)
    again = skip_one(study)
    add_slots(study.pk, user=SYSTEM, hits=[again.number])
    assert skip_one(study) != again
    assert again.questions.count() == 1
    study.refresh_from_db()
    assert study.judgements_planned == study.slots.aggregate(n=Count("hit__hit_questions"))["n"]


def skip_one(study):
    """Let a new annotator skip a regular question, and return the HIT in which this question is asked again."""
    annotator = make_annotator(study)
    assignment = take(annotator)
    skipped = assignment.answers.filter(question__kind="regular").first()
    sent = [*answers_to(assignment, but=[skipped.position]), AnswerSent(skipped.position, skipped="Too hard.")]
    submit(annotator.pk, assignment.public_id, sent)
    return Hit.objects.filter(for_skipped=True, questions=skipped.question_id).order_by("-number").first()
