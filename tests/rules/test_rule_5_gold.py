"""Tests of rule 5: the first answer to a gold question is graded. A missed answer is final, explained immediately and
open to dispute. A right answer can be changed like any other answer, without effect on its grade.
"""

import pytest

from annotate.core.permissions import SYSTEM
from annotate.core.selectors.assignments import present
from annotate.core.services.answer import acknowledge, give_answer
from annotate.core.services.standing import accuracy, restore, stop
from annotate.core.services.submit import submit
from annotate.gold.services import exclude_gold
from annotate.models import Answer, Study
from annotate.server.refusals import Refused
from tests.factories import (
    answers_to,
    do_hit,
    gold_in,
    make_annotator,
    make_study,
    member_of,
    raw_answer,
    take,
)

pytestmark = [pytest.mark.rules, pytest.mark.django_db]


@pytest.fixture
def ann():
    return make_annotator(make_study(gold=6))


@pytest.fixture
def mine(ann):
    return take(ann)


@pytest.fixture
def gold(mine):
    return gold_in(mine)[0]


def test_a_missed_gold_question_says_what_was_expected_and_why(ann, mine, gold):
    given = give_answer(ann.pk, mine.public_id, gold.position, raw_answer(gold, right=False))
    (told,) = given.feedback
    assert told.expected == raw_answer(gold, right=True), "in the places that this annotator saw"
    assert told.given == raw_answer(gold, right=False)
    assert told.explanation == gold.question.explanation
    assert (told.passed, told.graded, told.right, given.stopped) == (False, 0, 0, False)


def test_gold_that_was_answered_as_expected_passes_unnoticed(ann, mine, gold):
    assert give_answer(ann.pk, mine.public_id, gold.position, raw_answer(gold)).feedback == []
    ann.refresh_from_db()
    assert (ann.graded, ann.tallies) == (1, {"right": 1, "wrong": 0})


def test_missed_gold_is_graded_once_and_another_answer_is_refused(ann, mine, gold):
    give_answer(ann.pk, mine.public_id, gold.position, raw_answer(gold, right=False))
    with pytest.raises(Refused, match="has already been graded") as refused:
        give_answer(ann.pk, mine.public_id, gold.position, raw_answer(gold))
    assert refused.value.code == "graded"
    with pytest.raises(Refused, match="has already been graded"):
        submit(ann.pk, mine.public_id, acknowledged(ann, mine, gold, answers_to(mine)))
    ann.refresh_from_db()
    assert (ann.graded, ann.tallies) == (1, {"right": 0, "wrong": 1})


def test_a_right_answer_to_gold_can_be_changed_like_any_other_but_keeps_its_grade(ann, mine, gold):
    give_answer(ann.pk, mine.public_id, gold.position, raw_answer(gold))
    graded = Answer.objects.values("value", "given_at", "tally", "passed").get(pk=gold.pk)
    assert give_answer(ann.pk, mine.public_id, gold.position, raw_answer(gold, right=False)).feedback == []
    assert shown(ann, gold)["value"] == raw_answer(gold, right=False)
    receipt = submit(ann.pk, mine.public_id, answers_to(mine, right=False, but=[gold.position]))
    assert (receipt.state, receipt.feedback) == ("done", [])
    assert Answer.objects.values("value", "given_at", "tally", "passed").get(pk=gold.pk) == graded
    ann.refresh_from_db()
    assert (ann.graded, ann.tallies) == (1, {"right": 1, "wrong": 0})


def test_changes_of_graded_answers_end_with_the_submission(ann, mine, gold, refuses):
    submit(ann.pk, mine.public_id, answers_to(mine))
    with pytest.raises(Refused) as refused:
        give_answer(ann.pk, mine.public_id, gold.position, raw_answer(gold, right=False))
    assert refused.value.code == "submitted"
    with refuses("never changes"):
        Answer.objects.filter(pk=gold.pk).update(later=[{"value": 1}])
    ordinary = mine.answers.exclude(pk=gold.pk).first()
    with refuses("never changes|answer_changed_later_only_if_graded"):
        Answer.objects.filter(pk=ordinary.pk).update(later=[{"value": 1}])


def test_only_graded_answers_have_changes_beside_them(ann, mine, gold, refuses):
    with refuses("answer_changed_later_only_if_graded"):
        Answer.objects.filter(pk=gold.pk).update(later=[{"value": 1}])


def test_the_same_gold_answer_again_is_harmless_and_tells_the_same(ann, mine, gold):
    raw = raw_answer(gold, right=False)
    first = give_answer(ann.pk, mine.public_id, gold.position, raw)
    assert give_answer(ann.pk, mine.public_id, gold.position, raw) == first
    ann.refresh_from_db()
    assert ann.graded == 1


def test_a_miss_must_be_looked_at_before_the_hit_is_submitted(ann, mine, gold):
    give_answer(ann.pk, mine.public_id, gold.position, raw_answer(gold, right=False))
    with pytest.raises(Refused, match=f"expected answer to question {gold.position}") as refused:
        submit(ann.pk, mine.public_id, answers_to(mine, but=[gold.position]))
    assert refused.value.code == "unacknowledged"
    acknowledge(ann.pk, mine.public_id, gold.position)
    assert submit(ann.pk, mine.public_id, answers_to(mine, but=[gold.position])).state == "done"


def test_feedback_waits_through_a_reload_until_it_is_acknowledged(ann, mine, gold):
    give_answer(ann.pk, mine.public_id, gold.position, raw_answer(gold, right=False))
    assert shown(ann, gold)["feedback"]["explanation"] == gold.question.explanation
    acknowledge(ann.pk, mine.public_id, gold.position)
    assert shown(ann, gold)["feedback"] is None


def test_a_dispute_is_kept_and_its_first_words_stand(ann, mine, gold):
    give_answer(ann.pk, mine.public_id, gold.position, raw_answer(gold, right=False))
    acknowledge(ann.pk, mine.public_id, gold.position)
    acknowledge(ann.pk, mine.public_id, gold.position, disputed=True, note="Both are about dogs.")
    acknowledge(ann.pk, mine.public_id, gold.position, disputed=True, note="Something else.")
    acknowledge(ann.pk, mine.public_id, gold.position)
    gold.refresh_from_db()
    assert (gold.disputed, gold.dispute_note) == (True, "Both are about dogs.")


def test_there_is_nothing_to_acknowledge_where_nothing_was_graded(ann, mine, gold):
    with pytest.raises(Refused, match=f"Question {gold.position} has no expected answer to acknowledge"):
        acknowledge(ann.pk, mine.public_id, gold.position)


def test_a_miss_can_still_be_disputed_after_submitting(ann, mine, gold):
    submit(ann.pk, mine.public_id, answers_to(mine, right=False))
    acknowledge(ann.pk, mine.public_id, gold.position, disputed=True, note="The key is wrong.")
    gold.refresh_from_db()
    assert gold.disputed


def test_practice_is_always_explained_and_never_counted():
    study = make_study(gold=2, practice=2)
    ann = make_annotator(study)
    mine = take(ann)
    first, second = gold_in(mine)
    assert give_answer(ann.pk, mine.public_id, first.position, raw_answer(first)).feedback[0].passed
    assert not give_answer(ann.pk, mine.public_id, second.position, raw_answer(second, right=False)).feedback[0].passed
    for answer in (first, second):
        acknowledge(ann.pk, mine.public_id, answer.position)
    receipt = submit(ann.pk, mine.public_id)
    ann.refresh_from_db()
    assert (ann.graded, ann.tallies, receipt.credited, ann.standing) == (0, {}, False, "active")


def test_gold_set_aside_leaves_everyones_accuracy_but_answers_stay():
    study = make_study(gold=3, judgements=2)
    one, other = make_annotator(study), make_annotator(study)
    for ann in (one, other):
        do_hit(ann, right=False)
        do_hit(ann, right=True)
        do_hit(ann, right=True)
    asked = study.questions.filter(kind="gold").order_by("pk").first()
    before = list(asked.answers.order_by("pk").values("value", "tally", "passed"))
    exclude_gold(asked.pk, user=SYSTEM, reason="ambiguous")
    assert list(asked.answers.order_by("pk").values("value", "tally", "passed")) == before
    for ann in (one, other):
        ann.refresh_from_db()
        kept = ann.answers.filter(question__kind="gold", tally__isnull=False)
        assert ann.graded == 2
        assert ann.tallies["right"] == kept.filter(passed=True).count()


def test_gold_set_aside_while_in_hand_is_neither_graded_nor_in_the_way(ann, mine, gold):
    exclude_gold(gold.question.pk, user=SYSTEM, reason="the key is wrong")
    assert give_answer(ann.pk, mine.public_id, gold.position, raw_answer(gold, right=False)).feedback == []
    give_answer(
        ann.pk, mine.public_id, gold.position, raw_answer(gold)
    )  # like any other answer, until the HIT is submitted
    assert submit(ann.pk, mine.public_id, answers_to(mine)).state == "done"
    gold.refresh_from_db()
    ann.refresh_from_db()
    assert (gold.tally, ann.graded) == (None, 0)


def test_setting_aside_leaves_what_was_forgiven_exact():
    study = make_study(items=20, gold=6)
    ann = make_annotator(study)
    user = member_of(study)
    do_hit(ann, right=False)
    do_hit(ann, right=True)
    stop(ann.pk, reason="too fast", user=user)
    restore(ann.pk, reason="was a screen reader", user=user)
    do_hit(ann, right=False)
    early = ann.answers.filter(passed=False).order_by("given_at").first().question
    exclude_gold(early.pk, user=user, reason="ambiguous")
    ann.refresh_from_db()
    assert (ann.graded, ann.tallies) == (2, {"right": 1, "wrong": 1})
    assert (ann.forgiven_graded, ann.forgiven) == (1, {"right": 1, "wrong": 0})
    assert accuracy(ann, since_restored=True) == 0.0


def test_setting_aside_says_how_many_stopped_annotators_would_not_have_been():
    study = make_study(items=20, gold=20, rule_minimum=2, judgements=2)
    rescued, bad = make_annotator(study), make_annotator(study, cursor=4)
    do_hit(rescued, right=True)
    assert do_hit(rescued, right=False).stopped
    do_hit(bad, right=False)
    assert do_hit(bad, right=False).stopped
    missed = rescued.answers.get(passed=False).question
    assert not bad.answers.filter(question=missed).exists()
    assert exclude_gold(missed.pk, user=SYSTEM, reason="ambiguous") == [rescued]
    assert Study.objects.get().participations.filter(standing="stopped").count() == 2, "nobody is restored by it"


def acknowledged(ann, mine, gold, answers):
    acknowledge(ann.pk, mine.public_id, gold.position)
    return answers


def shown(ann, gold):
    return next(q for q in present(take(ann))["questions"] if q["position"] == gold.position)
