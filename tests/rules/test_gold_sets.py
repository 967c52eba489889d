"""Gold questions belong to HITs: everyone who takes a HIT gets the same ones, so that two annotators who compare their
screens cannot tell them from the other questions.
"""

from collections import Counter

import pytest

from annotate.models import Answer, GoldSet, Hit, Question, Slot, Study
from annotate.permissions import SYSTEM
from annotate.services.claim import claim
from annotate.services.gold import exclude_gold
from annotate.services.gold_sets import deal_gold
from annotate.services.returns import return_hit
from annotate.services.settings import change_settings
from annotate.services.submit import submit
from annotate.services.supply import add_to_questions
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


def test_a_study_without_gold_questions_does_not_finish_anybody():
    study = make_study(items=8, gold_block=3, gold_exhausted="finish")
    hits, why = work(make_annotator(study))
    assert (len(hits), why) == (study.hits.count(), "nothing")


def test_short_hits_get_more_gold_so_that_all_have_the_same_number_of_questions():
    study = make_study(items=8, gold=12, gold_block=5)  # 16 tuples in HITs of five: the last has one
    sizes = {hit: len(questions_in(take(make_annotator(study)))) for hit in study.hits.values_list("pk", flat=True)}
    assert set(sizes.values()) == {6}


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
    assert [hit.gold_set.questions.count() for hit in added] == [4, 1]  # a short HIT of two, and a full one
    for slot in Slot.objects.filter(hit__in=[hit.pk for hit in added]).select_related("hit"):
        assert slot.gold_set_id == slot.hit.gold_set_id


def test_slots_and_hits_agree_on_the_gold_set():
    study = make_study(items=40, judgements=2, gold=6, gold_block=5)
    add_gold(study, 3)
    assert all(slot.gold_set_id == slot.hit.gold_set_id for slot in study.slots.select_related("hit"))
    assert Study.objects.get(pk=study.pk).slots.filter(gold_set=None).count() == 0
