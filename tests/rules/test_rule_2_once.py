"""Tests of rule 2: no annotator gets the same question twice in a study, including gold questions."""

import pytest

from annotate.core.permissions import SYSTEM
from annotate.core.services.claim import claim
from annotate.gold.services import exclude_gold
from annotate.models import Answer, Hit, HitQuestion, Question, Slot, Study
from tests.factories import (
    ParticipationFactory,
    assert_slots_add_up,
    do_hit,
    gold_in,
    make_annotator,
    make_study,
    take,
)

pytestmark = [pytest.mark.rules, pytest.mark.django_db]


def test_the_database_refuses_a_question_twice_unless_it_is_marked_a_repeat(refuses):
    study = make_study()
    assignment = take(make_annotator(study))
    known = assignment.answers.first()
    row = {"assignment": assignment, "participation": assignment.participation, "question": known.question}
    with refuses("question"):
        Answer.objects.create(**row, position=99)
    assert Answer.objects.create(**row, position=99, repeat=True).pk
    with refuses("position"):
        Answer.objects.create(**row, position=1, repeat=True)


def test_another_annotator_may_get_the_same_question():
    study = make_study(judgements=2, order=Study.Order.HITS)
    one, other = take(make_annotator(study)), take(make_annotator(study))
    assert one.hit_id == other.hit_id
    assert questions_of(one) == questions_of(other)


def test_a_hit_that_shares_a_question_with_one_that_was_answered_is_passed_over():
    study = make_study()
    first = study.hits.order_by("number").first()
    twin = Hit.objects.create(study=study, number=99)
    for position, row in enumerate(first.hit_questions.order_by("-position")[:2], start=1):
        HitQuestion.objects.create(hit=twin, question=row.question, position=position)
    Slot.objects.create(study=study, hit=twin, place=99)
    ann = make_annotator(study)
    numbers = []
    while assignment := claim(ann.pk).assignment:
        numbers.append(assignment.hit.number)
        do_hit(ann)
    assert numbers == [1, 2, 3, 4]
    other = take(make_annotator(study))
    assert other.hit == twin
    assert [answer.question_id for answer in other.answers.order_by("position")] == [
        row.question_id for row in twin.hit_questions.order_by("position")
    ], "a question in two HITs is laid out once, in the HIT's own order"


def test_gold_is_not_repeated_and_the_last_hits_go_without_it():
    study = make_study(items=20, gold=3)
    ann = make_annotator(study)
    met = [[answer.question_id for answer in gold_in(take_and_do(ann))] for _ in range(5)]
    assert [len(gold) for gold in met] == [1, 1, 1, 0, 0]
    assert len({question for gold in met for question in gold}) == 3


def test_who_has_seen_all_gold_is_done_where_the_study_says_so():
    study = make_study(items=20, gold=2, gold_exhausted=Study.GoldExhausted.FINISH)
    ann = make_annotator(study)
    do_hit(ann)
    do_hit(ann)
    assert claim(ann.pk).why == "finished"
    ann.refresh_from_db()
    assert (ann.standing, ann.standing_reason) == ("done", "has seen all gold questions")
    assert claim(ann.pk).why == "finished"
    assert ann.events.filter(verb="finished").count() == 1
    assert_slots_add_up(study)


def test_gold_differs_in_order_and_place_from_annotator_to_annotator():
    study = make_study(items=20, gold=8, judgements=12)
    first_gold = [gold_in(take(make_annotator(study)))[0] for _ in range(12)]
    assert len({answer.question_id for answer in first_gold}) > 2
    assert len({answer.position for answer in first_gold}) > 2


def test_all_hits_show_the_same_number_of_questions():
    study = make_study(items=8, gold=20)  # 16 tuples: the last HIT has one question only
    ann = make_annotator(study)
    shown = [take_and_do(ann).answers.count() for _ in range(4)]
    assert shown == [6, 6, 6, 6]
    assert study.hits.get(number=4).hit_questions.count() == 1


@pytest.mark.parametrize(("block", "expected"), [(5, 2), (4, 3), (10, 1), (0, 0), (25, 1)])
def test_one_gold_question_stands_in_each_block(block, expected):
    study = make_study(items=10, gold=12, questions_per_hit=10, gold_block=block)
    kinds = [answer.question.kind for answer in take(make_annotator(study)).answers.order_by("position")]
    assert kinds.count(Question.Kind.GOLD) == expected
    for number in range(expected):  # each within its own block and the gold question in it
        part = kinds[number * (block + 1) : (number + 1) * (block + 1)]
        assert part.count(Question.Kind.GOLD) == 1


def test_gold_that_was_set_aside_is_asked_no_more():
    study = make_study(items=20, gold=2)
    wrong_key = study.questions.filter(kind="gold").first()
    exclude_gold(wrong_key.pk, user=SYSTEM, reason="ambiguous")
    ann = make_annotator(study)
    for _ in range(3):
        assert wrong_key.pk not in questions_of(take_and_do(ann))


def test_a_researcher_tries_hit_after_hit_and_nothing_of_it_counts():
    study = make_study(gold=6, state=Study.State.DRAFT)
    trying = make_annotator(study, platform="try")
    tried = [take_and_do(trying) for _ in range(study.hits.count())]
    assert [assignment.hit.number for assignment in tried] == [1, 2, 3, 4]
    assert claim(trying.pk).why == "nothing"
    assert not study.slots.filter(open=0).exists()
    asked = [question for assignment in tried for question in questions_of(assignment)]
    assert len(asked) == len(set(asked))


def test_practice_comes_first_and_once():
    study = make_study(practice=2)
    ann = make_annotator(study)
    assert ann.standing == "practising"
    practice = take_and_do(ann)
    assert (practice.kind, practice.answers.count()) == ("practice", 2)
    ann.refresh_from_db()
    assert ann.standing == "active"
    assert take(ann).kind == "regular"


def test_no_practice_where_the_study_wants_none():
    study = make_study(practice=2, practice_first=False)
    assert take(make_annotator(study)).kind == "regular"


def test_an_answer_of_one_annotator_does_not_keep_another_from_the_question():
    study = make_study(judgements=2, order=Study.Order.HITS)
    assert take_and_do(make_annotator(study)).hit == take(ParticipationFactory(study=study)).hit


def take_and_do(participation):
    assignment = take(participation)
    do_hit(participation)
    return assignment


def questions_of(assignment):
    return set(assignment.answers.values_list("question", flat=True))
