"""Tests of the gold questions that belong to a row of a Mechanical Turk batch."""

from dataclasses import replace
from typing import Any

import pytest

from accord_core.exchange.mturk_results import Result
from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.core.selectors.progress import progress_of
from annotate.core.services.regrading import change_expected_answer
from annotate.core.services.standing import restore
from annotate.models import Participation, Question, Study
from annotate.mturk.batch import batch_rows
from annotate.questions.selectors.data import study_data
from annotate.server.refusals import Refused
from tests.factories import add_questions, assert_slots_add_up, make_study
from tests.mturk.turk import altered, bring_in, opened, result, without_gold

pytestmark = pytest.mark.django_db


def with_more_gold(study: Study, hit: int) -> Any:
    """Adds every further gold question of the study, answered as expected."""
    theirs = {question["question"] for question in opened(list(batch_rows(study_data(study)))[hit - 1])}

    def change(answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        further = Question.objects.filter(study=study, kind="gold").exclude(ref__in=theirs)
        return answers + [
            {"question": gold.ref, "shown": [0, 1, 2, 3], "value": {"best": 1, "worst": 4}} for gold in further
        ]

    return change


@pytest.mark.nightly
def test_gold_that_is_left_out_counts_as_missed_and_is_shown(client: Any) -> None:
    study = make_study(items=10, gold=4)
    done = bring_in(study, altered(result(study, 1, "W1"), without_gold), result(study, 2, "W2"))
    assert (done.gold_left_out, done.gold_added, done.answers) == (1, 0, 11)
    worker = Participation.objects.get(study=study, annotator__external_id="W1")
    assert (worker.tallies, worker.graded) == ({"right": 0, "wrong": 1}, 1)
    missed = worker.answers.get(passed=False)
    assert (missed.value, missed.question.kind, missed.position) == (None, "gold", 6)
    event = study.events.get(verb="changed the gold questions of a HIT")
    assert event.participation == worker
    assert f"did not answer {missed.question.ref}" in event.reason
    assert study.events.get(verb="imported Mechanical Turk results").detail["gold_left_out"] == 1
    assert Participation.objects.get(study=study, annotator__external_id="W2").tallies == {"right": 1, "wrong": 0}
    client.force_login(study.memberships.get().user)
    page = client.get(f"/console/{study.public_id}/annotators/{worker.pseudonym}/").content.decode()
    assert "Not answered" in page
    assert "No gold answers yet" not in page
    assert event.reason in page
    assert client.get(f"/console/{study.public_id}/").status_code == 200, "the gold chart needs the times of answers"


def test_gold_that_the_row_does_not_have_counts_as_missed_even_if_right() -> None:
    study = make_study(items=10, gold=4)
    done = bring_in(study, altered(result(study, 1, "W1"), with_more_gold(study, 1)))
    assert (done.gold_left_out, done.gold_added) == (0, 3)
    worker = Participation.objects.get(study=study)
    assert worker.tallies == {"right": 1, "wrong": 3}
    assert study.events.get(verb="changed the gold questions of a HIT").reason.count("gold-") == 3


@pytest.mark.nightly
def test_additional_gold_stays_missed_when_its_expected_answer_changes() -> None:
    study = make_study(items=10, gold=4)
    bring_in(study, altered(result(study, 1, "W1"), with_more_gold(study, 1)))
    worker = Participation.objects.get(study=study, annotator__external_id="W1")
    penalised = worker.answers.filter(question__kind="gold", always_missed=True)
    assert penalised.count() == 3
    before = worker.tallies
    for answer in penalised.select_related("question"):
        for swapped in (False, True, False):
            gold, order = answer.question.gold, answer.question.payload["items"]
            best, worst = order.index(gold["best"]) + 1, order.index(gold["worst"]) + 1
            raw = {"best": worst, "worst": best} if swapped else {"best": best, "worst": worst}
            change_expected_answer(
                answer.question_id, raw, user=SYSTEM, reason="why", explanation=f"Now swapped: {swapped}."
            )
    worker.refresh_from_db()
    assert worker.tallies == before
    assert set(penalised.values_list("passed", flat=True)) == {False}


def test_left_out_gold_can_stop_its_worker() -> None:
    study = make_study(items=20, gold=8, rule_minimum=2, rule_threshold="0.7")
    done = bring_in(study, *[altered(result(study, hit, "W1", number=hit), without_gold) for hit in (1, 2)])
    assert (done.gold_left_out, done.stopped) == (2, 1)
    assert (progress_of(study).gold_given, progress_of(study).gold_right) == (2, 0)
    worker = Participation.objects.get(study=study)
    assert worker.standing == Participation.Standing.STOPPED
    assert_slots_add_up(study)
    assert restore(worker.pk, reason="A fault of the page.", user=SYSTEM).counted == 2


@pytest.mark.nightly
@pytest.mark.parametrize("change", ["add", "set aside"])
def test_a_row_keeps_its_gold_whatever_becomes_of_the_studys(change: str) -> None:
    study = make_study(items=10, gold=4)
    published = [result(study, hit, f"W{hit}") for hit in (1, 2, 3)]
    left_out = altered(result(study, 4, "W4"), without_gold)
    if change == "add":
        add_questions(study, "practice", 3)
        Question.objects.filter(study=study, kind="practice").update(kind="gold")
    else:
        gold_4 = {q["question"] for q in opened(dict(left_out.input)) if "gold" in q}
        spared = Question.objects.filter(study=study, kind="gold").exclude(ref__in=gold_4).first()
        Question.objects.filter(pk=spared.pk).update(kind="retired")
    done = bring_in(study, *published, left_out)
    assert (done.gold_left_out, done.gold_added) == (1, 0)


def test_without_the_rows_in_the_results_the_gold_is_drawn_again() -> None:
    study = make_study(items=10, gold=4)

    def bare(one: Result) -> Result:
        return replace(one, input={name: one.input[name] for name in ("study", "hit")})

    done = bring_in(study, bare(result(study, 1, "W1")), bare(altered(result(study, 2, "W2"), without_gold)))
    assert (done.gold_left_out, done.gold_added) == (1, 0)


def test_a_row_of_another_hit_is_refused() -> None:
    study = make_study(items=10, gold=4)
    one, two = result(study, 1, "W1"), result(study, 2, "W2")
    cells = (two.input["questions"], "s.", "s.?", "s.AAAA", "[]x", '[{"sealed": "?"}]', '[{"sealed": "AAAA"}]', "7")
    for questions in cells:
        wrong = replace(one, input={**one.input, "questions": questions})
        with pytest.raises(Refused) as refused:
            bring_in(study, wrong)
        assert list(refused.value.fields) == ["line 2, column Input.questions"]


def test_every_task_type_grades_gold_that_was_left_out_as_badly_as_can_be() -> None:
    candidates = {
        "bws": {"best": "a", "worst": "b"},
        "words": {"sure": [[0, 0]], "possible": []},
        "paraphrase": {"votes": [True, False, True]},
        "chunks": {},
        "layout": {"fields": {"topic": "politics", "certain": True}},
    }
    for task in tasktypes.installed():
        grade = task.missed({}, candidates[task.slug])
        assert not grade.passed
        for measure in task.measures:
            assert task.accuracy(grade.tally, measure) == 0.0, (task.slug, measure)
