"""A study can ask annotators some of their own questions again: unrecognisably, without a second judgement, and at the
cost of one more place in a HIT.
"""

import json
import random
from datetime import timedelta

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, connection, transaction
from django.db.models import Count, F, Q
from django.test.utils import CaptureQueriesContext

from annotate.core.permissions import SYSTEM
from annotate.core.selectors.assignments import present
from annotate.core.selectors.counts import totals
from annotate.core.selectors.progress import judgements_per_question, judgements_wanted
from annotate.core.services import standing
from annotate.core.services.claim import claim
from annotate.core.services.returns import return_hit, withdraw
from annotate.core.services.submit import submit
from annotate.models import Answer, Assignment, Hit, HitQuestion, Participation, Question, Study
from annotate.people.services import exclude_answer
from annotate.questions.selectors.data import study_data
from annotate.recruiting.selectors import hits_each, named_rows
from annotate.recruiting.services.named import add_named, join_by_link
from annotate.studies.services.settings import change_settings
from annotate.studies.services.study import open_study
from tests.at_once import at_once
from tests.factories import answers_to, assert_slots_add_up, do_hit, let_lapse, make_annotator, make_study, take
from tests.recounts import recounted, stored_counts

pytestmark = [pytest.mark.rules, pytest.mark.django_db]


def repeating(share: str = "0.25", after: int = 1, hours: int = 0, **settings: object) -> Study:
    study = make_study(**({"items": 60, "questions_per_hit": 5} | settings))
    change_settings(study.pk, repeat_share=share, repeat_after_hits=after, repeat_after_hours=hours, user=SYSTEM)
    return Study.objects.get(pk=study.pk)


def repeats_of(study: Study) -> list[Answer]:
    answers = Answer.objects.filter(participation__study=study, replaces__isnull=False)
    return list(answers.select_related("question", "assignment", "replaces").order_by("pk"))


def finish(annotator: Participation) -> int:
    """Submit HITs until none is left, and return their number."""
    done = 0
    while claimed := claim(annotator.pk).assignment:
        submit(annotator.pk, claimed.public_id, answers_to(claimed))
        done += 1
    return done


def first_with_repeat(annotator: Participation) -> Assignment:
    """Submit HITs until the annotator has claimed one with a repeated question."""
    while not (assignment := take(annotator)).answers.filter(repeat=True).exists():
        submit(annotator.pk, assignment.public_id, answers_to(assignment))
    return assignment


def test_studies_repeat_nothing_by_default() -> None:
    study = make_study(items=60)
    finish(make_annotator(study))
    assert not Answer.objects.filter(repeat=True).exists()


def test_an_annotator_alone_answers_every_question_once_and_about_the_share_of_them_twice() -> None:
    study = repeating()
    done = finish(annotator := make_annotator(study))
    first = Answer.objects.filter(participation=annotator, repeat=False)
    assert set(first.values_list("question", flat=True)) == set(study.questions.values_list("pk", flat=True))
    repeated = repeats_of(study)
    # A draw repeats each of the 120 questions; the bounds are three standard deviations from 30.
    assert 16 <= len(repeated) <= 44
    assert all(each.replaces_id != each.question_id for each in repeated)
    sizes = study.assignments.annotate(size=Count("answers")).values_list("size", flat=True)
    assert sorted(sizes, reverse=True)[: done - 1] == [5] * (done - 1), "only the last HIT is shorter"
    assert done == -(-(120 + len(repeated)) // 5)
    assert_slots_add_up(study)


def test_a_question_is_repeated_only_after_so_many_hits_and_hours() -> None:
    study = repeating(after=3)
    finish(annotator := make_annotator(study))
    order = list(annotator.assignments.order_by("pk").values_list("pk", flat=True))
    for each in repeats_of(study):
        first = Answer.objects.get(participation=annotator, question=each.question, repeat=False)
        assert 3 <= order.index(each.assignment_id) - order.index(first.assignment_id) <= 12

    study = repeating(hours=5)
    finish(make_annotator(study))
    assert not repeats_of(study)
    annotator = make_annotator(other := repeating(hours=5))
    do_hit(annotator)
    do_hit(annotator)
    assert not repeats_of(other)
    earlier = annotator.assignments.order_by("pk")[0]
    Assignment.objects.filter(pk=earlier.pk).update(submitted_at=F("submitted_at") - timedelta(hours=6))
    Study.objects.filter(pk=other.pk).update(repeat_share="0.25")
    finish(annotator)
    again = Answer.objects.filter(participation=annotator, repeat=True).values("question")
    assert earlier.answers.filter(question__in=again).count() == again.count()


def test_a_repeated_question_counts_once_and_is_paid() -> None:
    study = repeating()
    done = finish(annotator := make_annotator(study))
    counted, study = totals(study), Study.objects.get(pk=study.pk)
    assert counted.judgements == judgements_wanted(study) == 120
    assert counted.credit == done * study.reward
    assert stored_counts(study) == recounted(study)
    assert Answer.objects.filter(participation=annotator).counting().count() == 120
    rows = [row for row in study_data(study).answers if row.reason == "repeat"]
    assert len(rows) == len(repeats_of(study))
    assert not any(row.counts for row in rows)


def test_what_annotators_receive_does_not_depend_on_repeats() -> None:
    annotator = make_annotator(study := repeating(gold=14, gold_block=5))
    seen: dict[bool, set[tuple[str, ...]]] = {True: set(), False: set()}
    frames = set()
    for _ in range(12):
        assignment = take(annotator)
        page = json.loads(json.dumps(present(assignment), cls=DjangoJSONEncoder))
        again = dict(assignment.answers.values_list("position", "repeat"))
        refs = set(assignment.answers.values_list("question__ref", flat=True))
        assert not any(ref in json.dumps(page) for ref in refs)
        frames.add((len(page["questions"]), tuple(sorted(page))))
        for question in page["questions"]:
            seen[again[question["position"]]].add(tuple(sorted(map(str, forms(question)))))
        submit(annotator.pk, assignment.public_id, answers_to(assignment))
    assert repeats_of(study)
    assert seen[True] == seen[False]
    assert len(frames) == 1


def forms(value: object, path: str = "") -> list[tuple[str, str]]:
    """Return every path in a JSON value, with the type of its value."""
    found = [(path, type(value).__name__)]
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        found += forms(part, f"{path}.{name}")
    return found


def test_positions_and_orders_are_drawn_anew() -> None:
    study = repeating(items=200)
    finish(annotator := make_annotator(study))
    repeated = repeats_of(study)
    first = {each.question_id: each for each in Answer.objects.filter(participation=annotator, repeat=False)}
    assert {each.position for each in repeated} == {1, 2, 3, 4, 5}
    same = sum(first[each.question_id].shown == each.shown for each in repeated)
    assert same <= len(repeated) / 4  # one of 24 orders is expected to be the same


def test_no_item_occurs_twice_in_a_hit_because_of_a_repeat() -> None:
    study = repeating(items=200)

    def twice(questions: list[Question]) -> bool:
        keys = [key for question in questions for key in question.payload["items"]]
        return len(keys) > len(set(keys))

    of_design = {hit.pk: twice(list(hit.questions.all())) for hit in study.hits.all()}
    finish(make_annotator(study))
    changed = {each.assignment for each in repeats_of(study)}
    assert changed
    for assignment in changed:
        if not of_design[assignment.hit_id or 0]:
            assert not twice([answer.question for answer in assignment.answers.select_related("question")])


def test_claims_need_the_same_statements_with_and_without_a_repeat() -> None:
    annotator = make_annotator(study := repeating(items=200))
    do_hit(annotator)
    kinds = {}
    for _ in range(20):
        with CaptureQueriesContext(connection) as queries:
            assignment = take(annotator)
        kinds.setdefault(assignment.answers.filter(repeat=True).exists(), set()).add(len(queries))
        submit(annotator.pk, assignment.public_id, answers_to(assignment))
    assert kinds[True] == kinds[False]
    assert repeats_of(study)


def test_a_returned_hit_comes_back_with_the_same_repeats() -> None:
    annotator = make_annotator(study := repeating())
    assignment = first_with_repeat(annotator)
    before = list(assignment.answers.order_by("position").values_list("question", "shown", "repeat", "replaces"))
    return_hit(annotator.pk, assignment.public_id)
    assert take(annotator) == assignment
    let_lapse(assignment)
    assert take(annotator) == assignment
    assert (
        list(assignment.answers.order_by("position").values_list("question", "shown", "repeat", "replaces")) == before
    )
    assert not study.hits.filter(for_skipped=True).exists(), "only a submission asks the question again"
    submit(annotator.pk, assignment.public_id, answers_to(assignment))
    submit(annotator.pk, assignment.public_id, answers_to(assignment))
    left_out = assignment.answers.filter(repeat=True).values_list("replaces", flat=True)
    assert sorted(HitQuestion.objects.filter(hit__for_skipped=True).values_list("question", flat=True)) == sorted(
        left_out
    )


@pytest.mark.parametrize("end", ["stop", "withdraw"])
def test_questions_left_out_for_an_annotator_who_leaves_are_asked_once(end: str) -> None:
    study = repeating()
    leaver = make_annotator(study)
    for _ in range(12):
        do_hit(leaver)
    assert repeats_of(study)
    if end == "stop":
        standing.stop(leaver.pk, reason="test", user=SYSTEM)
    else:
        withdraw(leaver.pk, keep_answers=False)
    assert not study.hits.filter(for_skipped=True).exists()
    for _ in range(3):
        finish(make_annotator(study))
    assert judged_once(study)
    if end == "stop":
        standing.restore(leaver.pk, reason="test", user=SYSTEM)
        assert_slots_add_up(study)
        assert stored_counts(study) == recounted(study)


def judged_once(study: Study) -> bool:
    judgements = Count("answers", filter=Q(answers__in=Answer.objects.counting()))
    regular = study.questions.filter(kind="regular").annotate(counted=judgements)
    return set(regular.values_list("counted", flat=True)) == {study.judgements}


@pytest.mark.parametrize("size", [1, 5])
def test_a_small_team_answers_every_question(size: int) -> None:
    """Each of three annotators has to answer all questions, and nobody can replace anybody."""
    study = repeating(items=24, judgements=3, order="hits", questions_per_hit=size)
    team = [make_annotator(study) for _ in range(3)]
    working = list(team)
    while working:
        working = [each for each in working if claim(each.pk).assignment and do_hit(each)]
    assert repeats_of(study)
    assert judged_once(study)
    assert not study.slots.filter(open=1).exists()


@pytest.mark.nightly
@pytest.mark.parametrize("number", range(6))
def test_a_team_that_works_in_any_order_leaves_no_question_without_a_suitable_annotator(number: int) -> None:
    study = repeating(items=24, judgements=2 + number % 2, questions_per_hit=3 + number % 3)
    team, generator = [make_annotator(study) for _ in range(3)], random.Random(number)
    while working := [each for each in team if claim(each.pk).assignment]:
        do_hit(generator.choice(working))
    assert_slots_add_up(study)
    assert judged_once(study)


def test_questions_left_out_for_many_annotators_share_hits() -> None:
    study = repeating(items=200)
    crowd = [make_annotator(study) for _ in range(16)]
    for annotator in crowd:
        for _ in range(4):
            if claim(annotator.pk).assignment:
                do_hit(annotator)
    finish(make_annotator(study))
    assert judged_once(study)
    asked = study.assignments.filter(hit__for_skipped=True).annotate(size=Count("answers"))
    assert asked.count() <= -(-len(repeats_of(study)) // 5) + 1
    study.refresh_from_db()
    assert study.assignments_planned == study.slots.count()


def test_named_annotators_get_the_questions_left_out_for_them() -> None:
    study = repeating(items=40, judgements=2, admission="named", state="draft")
    named = add_named(study.pk, ["ana", "ben"], user=SYSTEM)[0]
    open_study(study.pk, user=SYSTEM)
    annotator = join_by_link(named.pk)
    assignment = first_with_repeat(annotator)
    submit(annotator.pk, assignment.public_id, answers_to(assignment))
    slot = study.slots.get(hit__for_skipped=True)
    assert slot.reserved_for == named
    ana, ben = named_rows(study)
    assert (ana.reserved, ana.expected, ben.expected) == (0, ben.expected + 1, hits_each(study)), "a HIT of her own"
    assert judgements_per_question(Study.objects.get(pk=study.pk)) == 2


def test_answers_that_do_not_count_are_not_repeated() -> None:
    study = repeating(share="0.25", items=200)
    annotator = make_annotator(study)
    for _ in range(20):
        assignment = take(annotator)
        submit(annotator.pk, assignment.public_id, answers_to(assignment))
        for answer in assignment.answers.filter(repeat=False):
            exclude_answer(answer.pk, reason="test", user=SYSTEM)
    assert not repeats_of(study)


def test_a_skipped_repeat_is_not_asked_again() -> None:
    study = repeating(skips_allowed=True)
    annotator = make_annotator(study)
    assignment = first_with_repeat(annotator)
    repeat = assignment.answers.filter(repeat=True).first()
    assert repeat
    skipped = [
        type(each)(each.position, skipped="unclear") if each.position == repeat.position else each
        for each in answers_to(assignment)
    ]
    submit(annotator.pk, assignment.public_id, skipped)
    asked = HitQuestion.objects.filter(hit__for_skipped=True).values_list("question", flat=True)
    assert repeat.question_id not in asked
    assert repeat.replaces_id in asked


def test_the_database_refuses_a_third_answer_and_a_grade_of_a_repeat() -> None:
    annotator = make_annotator(repeating())
    repeat = first_with_repeat(annotator).answers.filter(repeat=True)[0]
    other = repeat.assignment.answers.filter(repeat=False)[0]
    for change in ({"repeat": False}, {"tally": {"right": 1}}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Answer.objects.filter(pk=repeat.pk).update(**change)
    with pytest.raises(IntegrityError), transaction.atomic():
        Answer.objects.filter(pk=other.pk).update(replaces=repeat.replaces_id)
    repeat.pk, repeat.position, repeat.replaces = None, 99, other.question
    with pytest.raises(IntegrityError), transaction.atomic():
        repeat.save(force_insert=True)


def test_a_submitted_repeat_never_changes() -> None:
    annotator = make_annotator(repeating())
    assignment = first_with_repeat(annotator)
    submit(annotator.pk, assignment.public_id, answers_to(assignment))
    repeat = assignment.answers.filter(repeat=True)[0]
    with pytest.raises(Exception, match="never changes"), transaction.atomic():
        Answer.objects.filter(pk=repeat.pk).update(replaces=None)


@pytest.mark.django_db(transaction=True)
def test_claims_and_submissions_at_once_lose_and_repeat_nothing() -> None:
    study = repeating(items=40, judgements=2)
    annotators = [make_annotator(study) for _ in range(3)]

    def work(number: int) -> int:
        annotator = annotators[number % len(annotators)]  # some annotators work in several windows
        return finish(annotator)

    assert not [outcome for outcome in at_once(work) if not outcome.isdigit()]
    while any(finish(annotator) for annotator in annotators):
        pass
    twice = repeats_of(study)
    assert twice
    assert len({(each.participation_id, each.question_id) for each in twice}) == len(twice)
    assert_slots_add_up(study)
    assert stored_counts(study) == recounted(study)
    assert judged_once(study)
    assert Hit.objects.filter(study=study, for_skipped=True).exists()
