"""Single answers that a researcher excludes: they stay stored, stop counting, and their questions are asked again."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from annotate.core.permissions import SYSTEM
from annotate.core.selectors.counts import totals
from annotate.core.services import standing
from annotate.core.services.claim import claim
from annotate.core.services.counts import recount
from annotate.core.services.returns import withdraw
from annotate.core.services.submit import submit
from annotate.models import Answer, HitQuestion, Study
from annotate.people.services import exclude_answer, include_answer
from annotate.questions.selectors.data import study_data
from annotate.server.refusals import Refused
from annotate.studies.services.study import archive_study, close_study
from tests.factories import answers_to, assert_slots_add_up, do_hit, make_annotator, make_study, take
from tests.recounts import recounted, stored_counts

pytestmark = [pytest.mark.rules, pytest.mark.django_db]


def submitted(study: Study) -> Answer:
    """The first answer of a new annotator who has submitted one HIT."""
    assignment = take(annotator := make_annotator(study))
    submit(annotator.pk, assignment.public_id, answers_to(assignment))
    return assignment.answers.filter(question__kind="regular").select_related("question").order_by("position")[0]


def exclude(answer: Answer, reason: str = "the reverse of every other answer") -> None:
    exclude_answer(answer.pk, reason=reason, user=SYSTEM)


def test_the_answer_stays_stored_and_no_longer_counts() -> None:
    study = make_study(items=8, judgements=2)
    answer = submitted(study)
    before = totals(study)
    exclude(answer)
    stored = Answer.objects.get(pk=answer.pk)
    assert (stored.value, stored.given_at, stored.seconds) == (answer.value, answer.given_at, answer.seconds)
    assert totals(study).judgements == before.judgements - 1
    assert totals(study).credit == before.credit, "the annotator keeps the pay"
    assert stored_counts(study) == recounted(study)
    assert Answer.objects.counting().filter(question=answer.question_id).count() == 0
    row = next(row for row in study_data(study).answers if row.ref == answer.question.ref)
    assert (row.counts, row.reason) == (False, "excluded")
    entry = study.events.get(verb="excluded answer")
    assert (entry.reason, entry.detail["question"]) == ("the reverse of every other answer", answer.question.ref)


def test_another_annotator_gets_the_question_once() -> None:
    study = make_study(items=8, judgements=1)
    answer = submitted(study)
    exclude(answer)
    exclude(answer)  # again, without effect
    hit = study.hits.get(for_skipped=True)
    assert list(hit.questions.all()) == [answer.question]
    assert study.events.filter(verb="excluded answer").count() == 1
    while claim(answer.participation_id).assignment:
        do_hit(answer.participation)
    assert hit.slots.get().open == 1, "the same annotator never gets the question again"
    do_hit(make_annotator(study))
    study.refresh_from_db()
    assert hit.assignments.get().state == "done"
    assert Answer.objects.counting().filter(question=answer.question_id).count() == 1
    assert stored_counts(study) == recounted(study)
    assert_slots_add_up(study)


def test_including_the_answer_again_closes_the_slot_that_nobody_has_claimed() -> None:
    study = make_study(items=8, judgements=2)
    one, other = submitted(study), submitted(study)
    before = stored_counts(study)
    exclude(one)
    exclude(other)
    assert include_answer(one.pk, reason="a mistake", user=SYSTEM).withdrawn
    assert set(HitQuestion.objects.filter(hit__for_skipped=True).values_list("question", flat=True)) == {
        other.question_id
    }
    assert include_answer(other.pk, reason="a mistake", user=SYSTEM).withdrawn
    assert not study.hits.filter(for_skipped=True).exists()
    assert stored_counts(study) == recounted(study) == before
    assert_slots_add_up(study)
    assert study.events.get(verb="included answer", participation=one.participation_id).reason == "a mistake"


def test_including_the_answer_again_keeps_the_new_answer() -> None:
    study = make_study(items=8, judgements=1)
    answer = submitted(study)
    exclude(answer)
    new = make_annotator(study)
    while not study.hits.get(for_skipped=True).assignments.exists():
        do_hit(new)
    assert not include_answer(answer.pk, reason="both are fine", user=SYSTEM).withdrawn
    assert Answer.objects.counting().filter(question=answer.question_id).count() == 2
    assert stored_counts(study) == recounted(study)


def test_questions_join_a_hit_from_which_another_question_was_taken_back() -> None:
    study = make_study(items=8, judgements=1, questions_per_hit=3)
    first, second, third = Answer.objects.filter(assignment=submitted(study).assignment_id).order_by("position")
    exclude(first)
    exclude(second)
    include_answer(first.pk, reason="a mistake", user=SYSTEM)
    exclude(third)
    exclude(first)
    assert study.hits.filter(for_skipped=True).count() == 1
    assert HitQuestion.objects.filter(hit__for_skipped=True).count() == 3


def test_the_exclusion_outlasts_a_stop_and_a_restoration() -> None:
    study = make_study(items=8, judgements=2)
    answer = submitted(study)
    exclude(answer)
    standing.stop(answer.participation_id, reason="haste", user=SYSTEM)
    assert stored_counts(study) == recounted(study)
    standing.restore(answer.participation_id, reason="a mistake", user=SYSTEM)
    assert totals(study).judgements == 4
    assert stored_counts(study) == recounted(study)
    assert_slots_add_up(study)
    recount(study.pk)
    assert totals(study).judgements == 4


@pytest.mark.parametrize(
    ("code", "which"),
    [
        ("kind", lambda study: do_hit(make_annotator(study)) and Answer.objects.filter(question__kind="gold").first()),
        ("not-counted", lambda study: take(make_annotator(study)).answers.filter(question__kind="regular").first()),
    ],
)
def test_only_regular_answers_that_count_can_be_excluded(code: str, which: Callable[[Study], Answer]) -> None:
    study = make_study(items=8, judgements=2, gold=4)
    with pytest.raises(Refused) as refusal:
        exclude(which(study))
    assert refusal.value.code == code
    assert not study.events.filter(verb="excluded answer").exists()


def test_a_reason_is_needed_and_only_excluded_answers_are_included() -> None:
    study = make_study(items=8)
    answer = submitted(study)
    for call, code in (
        (lambda: exclude(answer, " "), "no-reason"),
        (lambda: include_answer(answer.pk, reason="x", user=SYSTEM), "not-excluded"),
    ):
        with pytest.raises(Refused) as refusal:
            call()
        assert refusal.value.code == code


def test_an_archived_study_keeps_its_answers_as_they_are() -> None:
    study = make_study(items=8)
    answer = submitted(study)
    close_study(study.pk, user=SYSTEM)
    archive_study(study.pk, user=SYSTEM)
    with pytest.raises(Refused) as refusal:
        exclude(answer)
    assert refusal.value.code == "archived"
    assert Answer.objects.get(pk=answer.pk).excluded == ""


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
def test_many_exclusions_and_claims_at_once_open_one_slot_for_each_answer(
    at_once: Callable[[Sequence[Callable[[], Any]]], list[Any]],
) -> None:
    study = make_study(items=8, judgements=3)
    first = submitted(study)
    answers = list(Answer.objects.filter(assignment=first.assignment_id))
    people = [make_annotator(study) for _ in range(2)]

    def work(person: Any) -> None:
        while claim(person.pk).assignment:
            do_hit(person)

    at_once([lambda answer=answer: exclude(answer) for answer in answers * 2])
    assert HitQuestion.objects.filter(hit__for_skipped=True).count() == len(answers) == 5
    included = [lambda answer=answer: include_answer(answer.pk, reason="x", user=SYSTEM) for answer in answers[:2]]
    outcomes = at_once([*included, *[lambda person=person: work(person) for person in people]])
    asked = HitQuestion.objects.filter(hit__for_skipped=True).count()
    assert asked == len(answers) - sum(one.withdrawn for one in outcomes[:2])
    for person in people:
        work(person)
    assert stored_counts(study) == recounted(study)
    assert_slots_add_up(study)
    questions = [answer.question_id for answer in answers]
    wanted = HitQuestion.objects.filter(question__in=questions, hit__slots__isnull=False)
    still_open, excluded = wanted.filter(hit__slots__open=1), study_answers(study).exclude(excluded="")
    judgements = Answer.objects.counting().filter(question__in=questions)
    assert judgements.count() == wanted.count() - still_open.count() - excluded.count()
    assert excluded.count() == 3


def study_answers(study: Study) -> Any:
    return Answer.objects.filter(participation__study=study)


def slots_for(study: Study, answer: Answer) -> int:
    """The number of judgements that the question can still get, or has got."""
    hits = study.hits.filter(questions=answer.question_id)
    counting = Answer.objects.counting().filter(question=answer.question_id)
    return counting.count() + sum(hit.slots.filter(open=1).count() for hit in hits)


@pytest.mark.parametrize("end", ["stop", "withdraw"])
def test_an_excluded_answer_of_an_annotator_who_leaves_is_asked_again_once(end: str) -> None:
    study = make_study(items=8, judgements=1)
    answer = submitted(study)
    exclude(answer)
    if end == "stop":
        standing.stop(answer.participation_id, reason="haste", user=SYSTEM)
    else:
        withdraw(answer.participation_id, keep_answers=False)
    assert slots_for(study, answer) == 1, "the whole HIT is open again, so its question needs no other slot"
    assert not study.hits.filter(for_skipped=True).exists()
    assert not include_answer(answer.pk, reason="a mistake", user=SYSTEM).withdrawn
    assert slots_for(study, answer) == 1
    assert stored_counts(study) == recounted(study)


def test_a_restored_annotators_excluded_answer_is_asked_again() -> None:
    study = make_study(items=8, judgements=1)
    answer = submitted(study)
    exclude(answer)
    standing.stop(answer.participation_id, reason="haste", user=SYSTEM)
    standing.restore(answer.participation_id, reason="a mistake", user=SYSTEM)
    assert slots_for(study, answer) == 1
    assert study.hits.filter(for_skipped=True, questions=answer.question_id).count() == 1
    study.refresh_from_db()
    assert study.judgements_planned == 16 + 1


def test_a_claimed_additional_slot_is_not_opened_a_second_time() -> None:
    study = make_study(items=8, judgements=1)
    answer = submitted(study)
    exclude(answer)
    other = make_annotator(study)
    while claim(other.pk).assignment:
        do_hit(other)
    standing.stop(answer.participation_id, reason="haste", user=SYSTEM)
    standing.restore(answer.participation_id, reason="a mistake", user=SYSTEM)
    assert slots_for(study, answer) == 1, "the other annotator's answer already replaces the excluded answer"
