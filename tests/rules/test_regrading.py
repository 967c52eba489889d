"""Tests of new expected answers: all answers are graded again, annotators keep their answers and the feedback that they
saw, and grades change in no other way.
"""

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from annotate.core.selectors.assignments import present
from annotate.core.selectors.expected_answers import earlier_answers
from annotate.core.services import regrading
from annotate.core.services.answer import acknowledge, give_answer
from annotate.core.services.jobs import run
from annotate.core.services.regrading import change_expected_answer, preview_expected_answer, regrade_late_answers
from annotate.core.services.standing import stop
from annotate.core.services.submit import AnswerSent, submit
from annotate.gold.selectors.gold import gold_rows
from annotate.models import Answer, Job, Question, Study
from annotate.people.selectors.own_data import own_data
from annotate.server import clock
from annotate.server.refusals import Refused
from tests.factories import (
    answers_to,
    assert_slots_add_up,
    do_hit,
    gold_in,
    make_annotator,
    make_study,
    member_of,
    raw_answer,
    take,
)
from tests.recounts import recounted, stored_counts

pytestmark = [pytest.mark.rules, pytest.mark.django_db]


def opposite(question: Question) -> dict[str, int]:
    """Return the expected answer with best and worst exchanged, which is what a careless annotator answers here."""
    order = question.payload["items"]
    return {"best": order.index(question.gold["worst"]) + 1, "worst": order.index(question.gold["best"]) + 1}


@pytest.fixture
def study():
    """Return a study whose only gold question is in each annotator's first HIT, and stops annotators who miss it."""
    return make_study(items=20, gold=1, judgements=4, rule_minimum=1)


@pytest.fixture
def user(study):
    return member_of(study)


@pytest.fixture
def question(study):
    return study.questions.get(kind="gold")


def grades(question: Question) -> dict[int, tuple[object, bool]]:
    graded = question.answers.filter(tally__isnull=False)
    return {pk: (value, passed) for pk, value, passed in graded.values_list("pk", "value", "passed")}


def test_all_answers_are_graded_again_and_changing_back_restores_the_grades(study, user, question):
    do_hit(make_annotator(study))
    do_hit(make_annotator(study), right=False)
    before, first, swapped = grades(question), question.gold, opposite(question)
    previewed = preview_expected_answer(question.pk, swapped, user=user)
    assert grades(question) == before
    effects = change_expected_answer(question.pk, swapped, user=user, reason="The items were swapped.")
    assert effects == previewed
    assert (effects.graded, effects.changed, effects.now_correct, effects.now_wrong) == (2, 2, 1, 1)
    assert grades(question) == {pk: (value, not passed) for pk, (value, passed) in before.items()}
    assert stored_counts(study) == recounted(study)
    (wrong,) = gold_rows(study, [question.pk])[0].wrong
    assert wrong.annotators == 1, "the wrong answers are those that differ from the new expected answer"
    question.refresh_from_db()
    (earlier,) = earlier_answers(question)
    assert (earlier.version, earlier.expected.gold) == (1, first)
    assert (earlier.by, earlier.reason) == (str(user), "The items were swapped.")
    back = opposite(question)
    change_expected_answer(question.pk, back, user=user, reason="Changed back.", explanation="Now clear.")
    question.refresh_from_db()
    assert grades(question) == before
    assert (question.gold, question.gold_version, question.explanation) == (first, 3, "Now clear.")
    assert [each.version for each in earlier_answers(question)] == [2, 1]


def test_only_answers_whose_grade_changes_are_counted_as_changed(study, user, question):
    do_hit(make_annotator(study))
    do_hit(make_annotator(study), right=False)
    order = question.payload["items"]
    best, worst = (order.index(question.gold[end]) + 1 for end in ("best", "worst"))
    other = next(place for place in range(1, 5) if place not in (best, worst))
    effects = change_expected_answer(question.pk, {"best": other, "worst": worst}, user=user, reason="A third item.")
    # The opposite answer is as wrong as before. The other one is now right about the worst item only.
    assert (effects.graded, effects.changed, effects.now_correct, effects.now_wrong) == (2, 1, 0, 1)


@pytest.mark.parametrize("most", [50, 1], ids=["in the request", "in a job"])
def test_the_rule_stops_annotators_and_a_researcher_chooses_whom_to_restore(study, user, question, monkeypatch, most):
    monkeypatch.setattr(regrading, "MOST_IN_REQUEST", most)
    good, rescued, unchosen, by_hand = (make_annotator(study) for _ in range(4))
    do_hit(good)
    for ann in (rescued, unchosen):
        assert do_hit(ann, right=False).stopped
    Study.objects.update(rule_threshold=0)
    do_hit(by_hand, right=False)
    stop(by_hand.pk, reason="Two people share this link.", user=user)
    Study.objects.update(rule_threshold="0.7")
    expected = ([good.pseudonym], sorted([rescued.pseudonym, unchosen.pseudonym]))
    previewed = preview_expected_answer(question.pk, opposite(question), user=user)
    assert (previewed.stopped, previewed.restorable) == expected
    chosen = [rescued.pseudonym, by_hand.pseudonym]
    effects = change_expected_answer(question.pk, opposite(question), user=user, reason="Swapped.", restore=chosen)
    assert (effects.stopped, effects.restorable, effects.restored) == (*expected, [rescued.pseudonym])
    assert bool(effects.job) == (most == 1)
    for _ in range(2 if effects.job else 0):  # a job that was interrupted at its end runs again
        Job.objects.update(state=Job.State.WAITING)
        run(Job.objects.get(public_id=effects.job).pk)
        assert Job.objects.get().state == Job.State.DONE, Job.objects.get().error
    standings = dict(study.participations.values_list("pseudonym", "standing"))
    assert standings == {ann.pseudonym: "stopped" for ann in (good, unchosen, by_hand)} | {rescued.pseudonym: "active"}
    assert set(rescued.assignments.values_list("state", "credited")) == {("done", True)}
    assert_slots_add_up(study)
    assert good.events.get(verb="stopped").by_quality_rule


def test_annotators_keep_the_feedback_that_they_saw(study, user, question):
    Study.objects.update(rule_threshold=0)
    unread, read, correct = (make_annotator(study) for _ in range(3))
    first = question.gold
    for ann, right in ((unread, False), (read, False), (correct, True)):
        (gold,) = gold_in(take(ann))
        give_answer(ann.pk, gold.assignment.public_id, gold.position, raw_answer(gold, right=right))
    (gold,) = gold_in(take(read))
    acknowledge(read.pk, gold.assignment.public_id, gold.position, disputed=True, note="They are swapped.")
    order = question.payload["items"]
    assert opposite(question) == {"best": 4, "worst": 1}
    change_expected_answer(question.pk, {"best": 2, "worst": 3}, user=user, reason="Neither.", explanation="New.")
    (shown,) = [q["feedback"] for q in present(take(unread))["questions"] if q["feedback"]]
    (gold,) = gold_in(take(unread))
    assert (shown["expected"]["best"], shown["explanation"]) == (gold.shown.index(0) + 1, "Because of 1.")
    for ann, seen in ((read, first), (correct, None)):
        (gold,) = gold_in(take(ann))
        answers = own_data(ann)["assignments"][0]["answers"]
        expected = next(answer["expected"] for answer in answers if answer["position"] == gold.position)
        keys = [order[place] for place in gold.shown]
        assert (expected and {name: keys[place - 1] for name, place in expected.items()}) == seen
    assert gold_rows(study, [question.pk])[0].doubtful
    change_expected_answer(question.pk, {"best": 4, "worst": 1}, user=user, reason="They were swapped.")
    assert not gold_rows(study, [question.pk])[0].doubtful, "the dispute is settled"
    assert stored_counts(study) == recounted(study)
    assert submit(unread.pk, take(unread).public_id, answers_to(take(unread), but=[gold_in(take(unread))[0].position]))


def test_grades_change_only_together_with_the_expected_answer(study, user, question):
    do_hit(make_annotator(study))
    answers = Answer.objects.filter(question=question)
    for changes in ({"passed": False}, {"passed": False, "graded_version": 2}, {"feedback_version": 2}):
        with pytest.raises(IntegrityError, match="never changes"), transaction.atomic():
            answers.update(**changes)
    change_expected_answer(question.pk, opposite(question), user=user, reason="Swapped.")
    with pytest.raises(IntegrityError, match="never changes"), transaction.atomic():
        answers.update(passed=True)


def test_answers_that_were_graded_meanwhile_are_graded_again(study, user, question):
    ann = make_annotator(study)
    change_expected_answer(question.pk, opposite(question), user=user, reason="Swapped.")
    Question.objects.filter(pk=question.pk).update(gold=question.gold, gold_version=1)  # as another transaction read it
    do_hit(ann)
    Question.objects.filter(pk=question.pk).update(
        gold={"best": question.gold["worst"], "worst": question.gold["best"]}, gold_version=2
    )
    assert regrade_late_answers(study) == [ann.pseudonym]
    answer = Answer.objects.get(question=question)
    assert (answer.passed, answer.graded_version) == (False, 2)
    assert regrade_late_answers(study) == []


def test_an_answer_that_arrives_after_the_annotators_were_locked_counts_once(study, user, question, monkeypatch):
    late, lock = make_annotator(study), regrading._locked

    def answer_meanwhile(*arguments):
        monkeypatch.undo()
        do_hit(late)
        return lock(*arguments)

    monkeypatch.setattr(regrading, "_locked", answer_meanwhile)
    change_expected_answer(question.pk, opposite(question), user=user, reason="Swapped.")
    answer = Answer.objects.get(question=question)
    late.refresh_from_db()
    assert (answer.passed, answer.graded_version, late.tallies["right"]) == (False, 2, 0)


def test_changes_that_cannot_be_made_are_refused(study, user, question):
    swapped = opposite(question)
    for code, arguments in {
        "no-reason": {"raw": swapped, "reason": " "},
        "invalid": {"raw": {"best": 1, "worst": 1}, "reason": "Swapped."},
        "changed": {"raw": swapped, "reason": "Swapped.", "seen": 7},
        "unchanged": {"raw": {"best": 1, "worst": 4}, "reason": "Swapped."},
    }.items():
        with pytest.raises(Refused) as refused:
            change_expected_answer(question.pk, user=user, **arguments)
        assert refused.value.code == code
    with pytest.raises(Refused) as refused:
        preview_expected_answer(study.questions.filter(kind="regular").first().pk, swapped, user=user)
    assert refused.value.code == "kind"
    question.refresh_from_db()
    assert question.gold_version == 1


def test_a_new_explanation_changes_no_grade(study, user, question, monkeypatch):
    do_hit(make_annotator(study), right=False)
    monkeypatch.setattr(regrading, "_grade", None)  # no answer may be graded
    same = {"best": 1, "worst": 4}
    effects = change_expected_answer(question.pk, same, user=user, reason="A typo.", explanation="New.")
    assert (effects.version, effects.graded, effects.changed) == (2, 1, 0)
    assert regrade_late_answers(study) == []


@pytest.mark.parametrize("unit", Study.RuleUnit.values)
def test_the_number_of_queries_does_not_depend_on_the_number_of_annotators(unit):
    study = make_study(items=20, gold=1, judgements=10, rule_minimum=1, rule_unit=unit)
    question, user = study.questions.get(kind="gold"), member_of(study)
    queries, changed = [], []
    for annotators in (2, 4):  # 2 annotators, and then 6 annotators
        for number in range(annotators):
            do_hit(make_annotator(study), right=number % 2 == 0)
        with CaptureQueriesContext(connection) as captured:
            effects = preview_expected_answer(question.pk, opposite(question), user=user)
        queries.append(len(captured))
        changed.append((effects.changed, len(effects.stopped), len(effects.restorable)))
    assert changed == [(2, 1, 1), (6, 3, 3)]
    assert queries[0] == queries[1]


def test_only_graded_answers_are_late(study, user, question):
    Study.objects.update(rule_threshold=0)
    unanswered, skipped, graded = (make_annotator(study) for _ in range(3))
    take(unanswered)
    (gold,) = gold_in(take(skipped))
    Answer.objects.filter(pk=gold.pk).update(skipped="Too hard.", skipped_at=clock.now())
    do_hit(graded)
    change_expected_answer(question.pk, opposite(question), user=user, reason="Swapped.")
    with CaptureQueriesContext(connection) as captured:
        assert regrade_late_answers(study) == []
    assert [query["sql"].split()[0] for query in captured] == ["SELECT"]


def test_own_data_never_contain_feedback_that_was_not_shown(study, user, question):
    Study.objects.update(rule_threshold=0, skips_allowed=True, gold_skips_allowed=0)
    unread, skipped, read = (make_annotator(study) for _ in range(3))
    for ann in (unread, read):
        (gold,) = gold_in(take(ann))
        give_answer(ann.pk, gold.assignment.public_id, gold.position, raw_answer(gold, right=False))
    acknowledge(read.pk, gold.assignment.public_id, gold.position)
    (gold,) = gold_in(take(skipped))
    others = answers_to(gold.assignment, but=[gold.position])
    submit(skipped.pk, gold.assignment.public_id, [AnswerSent(gold.position, skipped="Too hard."), *others])
    assert Answer.objects.get(pk=gold.pk).passed is False, "the annotator has no skips left"
    for raw in (opposite(question), {"best": 2, "worst": 3}):
        change_expected_answer(question.pk, raw, user=user, reason="Swapped.")
        shown = [
            [each["expected"] for each in own_data(ann)["assignments"][0]["answers"] if each["expected"]]
            for ann in (unread, skipped, read)
        ]
        assert [len(each) for each in shown] == [0, 0, 1]
