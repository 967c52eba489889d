"""The adjudication queue: order, filters, hidden names, majorities, and decisions that keep all answers."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotate.core.permissions import SYSTEM
from annotate.core.services import standing
from annotate.models import Answer, Decision, Participation, Question, QuestionFigures, Report, Slot, Study
from annotate.people.services import mark_reviewed
from annotate.questions.selectors.adjudication import Place, Queue, undecided, unfinished
from annotate.questions.selectors.data import study_data
from annotate.questions.selectors.decisions import to_decide
from annotate.questions.selectors.flags import below_pass_mark
from annotate.questions.selectors.questions import agreement, answers_that_count
from annotate.questions.services.decisions import decide, keep_both, version_of, withdraw
from annotate.questions.services.figures import calculate_figures
from annotate.questions.services.refresh import current_figures
from annotate.server.refusals import Refused
from annotate.tasktypes import RESULTS
from releases.contents.raw import raw_files
from releases.contents.raw import study_data as released
from tests.console_study import browser_of, collected, page_of
from tests.factories import do_hit, make_annotator, make_study, member_of
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(make_shared_study)


@pytest.fixture
def study(shared_study: Study, db: None) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def make_shared_study() -> Study:
    study = collected(careless=0.5)
    current_figures(study)
    return study


WITH_GOLD = (Question.Kind.GOLD, Question.Kind.PRACTICE, Question.Kind.RETIRED)


def disputed(study: Study) -> list[int]:
    return list(Queue(study).ordered.values_list("question", flat=True))


def test_stored_figures_are_those_of_the_answers(study: Study) -> None:
    stored = {row.question_id: row for row in QuestionFigures.objects.filter(study=study)}
    for question in study.questions.exclude(kind=Question.Kind.PRACTICE):
        values = list(answers_that_count(study).filter(question=question).values_list("value", flat=True))
        if values:
            row = stored.pop(question.pk)
            assert (row.judgements, row.agreement) == (len(values), agreement(study, question, values))
    assert not stored


def test_the_queue_begins_with_the_lowest_agreement(study: Study) -> None:
    rows = list(Queue(study).ordered)
    assert rows
    assert [row.agreement for row in rows] == sorted(row.agreement for row in rows if row.agreement < 1)


@pytest.mark.parametrize("kind", [kind for kind in Question.Kind if kind != Question.Kind.REGULAR])
def test_only_regular_questions_are_in_the_queue(study: Study, kind: str) -> None:
    questions = disputed(study)
    Question.objects.filter(pk=questions[0]).update(kind=kind, gold={} if kind in WITH_GOLD else None)
    assert disputed(study) == questions[1:]
    assert undecided(study) == len(questions) - 1


def test_figures_follow_submissions_and_stops(study: Study) -> None:
    assert current_figures(study).current
    standing.stop(study.participations.order_by("pk")[0].pk, reason="haste", user=SYSTEM)
    before = dict(QuestionFigures.objects.values_list("question", "judgements"))
    assert current_figures(study).current
    after = dict(QuestionFigures.objects.values_list("question", "judgements"))
    assert sum(after.values()) < sum(before.values())
    assert calculate_figures(study.pk, progress=lambda share, step: None) == len(after)


def test_a_submission_makes_the_figures_current_on_the_next_page() -> None:
    study = make_study(items=8, judgements=2)
    assert current_figures(study).calculated_at is None
    do_hit(make_annotator(study))
    assert current_figures(study).current
    assert QuestionFigures.objects.filter(study=study, judgements=1, agreement=None).exists()
    assert not disputed(study)


def test_a_question_that_misses_judgements_waits_for_them_until_the_study_closes(study: Study) -> None:
    questions = disputed(study)
    QuestionFigures.objects.filter(question=questions[0]).update(judgements=study.judgements - 1)
    Study.objects.filter(pk=study.pk).update(state=Study.State.OPEN)
    study.refresh_from_db()
    assert disputed(study) == questions  # in this design, the question needs no more judgements
    slot = Slot.objects.filter(hit__questions=questions[0])[:1]
    Slot.objects.filter(pk__in=slot.values("pk")).update(open=1)
    assert disputed(study) == questions[1:]
    assert questions[0] in set(Queue(study, "all").rows.values_list("question", flat=True))
    assert unfinished(study) == 1
    Study.objects.filter(pk=study.pk).update(state=Study.State.CLOSED)
    study.refresh_from_db()
    assert disputed(study) == questions
    assert unfinished(study) == 0


def test_filters_and_progress_follow_decisions(study: Study) -> None:
    first, second, *rest = disputed(study)
    user = member_of(study)
    decide(first, {"best": 1, "worst": 2}, user=user)
    keep_both(second, user=user, note="Both readings are possible.")
    assert disputed(study) == rest
    assert {row.question_id for row in Queue(study, "decided").rows} == {first, second}
    assert {row.question_id for row in Queue(study, "all").rows} == {first, second, *rest}
    assert undecided(study) == len(rest)
    withdraw(second, user=user)
    assert disputed(study) == [second, *rest]


def test_search_finds_texts_and_metadata(study: Study) -> None:
    question = study.questions.get(pk=disputed(study)[0])
    item = study.items.get(key=question.payload["items"][0])
    item.metadata = {"source": "Łódź news"}
    item.save()
    found = {row.question_id for row in Queue(study, search="łódź NEWS").rows}
    found |= {row.question_id for row in Queue(study, search="Łódź news").rows}
    expected = {q.pk for q in study.questions.filter(pk__in=disputed(study)) if item.key in q.payload["items"]}
    assert question.pk in found
    assert found == expected


def test_neighbours_are_in_the_order_of_the_queue(study: Study) -> None:
    keys, queue = disputed(study), Queue(study)
    for number, key in enumerate(keys, 1):
        place = queue.place(study.questions.get(pk=key))
        assert place.number == number
        assert place.before == (keys[number - 2] if number > 1 else None)
        assert place.after == (keys[number] if number < len(keys) else None)


def test_a_decided_question_stays_in_the_queue_when_only_one_answer_counts(study: Study) -> None:
    lone, other, *_ = disputed(study)
    for key in (lone, other):
        decide(key, {"best": 1, "worst": 2}, user=member_of(study))
    QuestionFigures.objects.filter(question=lone).update(agreement=None, judgements=1)
    queue = Queue(study, "decided")
    assert list(queue.ordered.values_list("question", flat=True)) == [other, lone]
    assert queue.place(study.questions.get(pk=lone)) == Place(2, other, None)
    assert queue.place(study.questions.get(pk=other)) == Place(1, None, lone)
    client, question = browser_of(study), study.questions.get(pk=lone)
    assert "one answer counts" in markup(client.get(page_of(study, "adjudicate/?show=decided")))
    page = markup(client.get(page_of(study, f"adjudicate/{question.public_id}/")))
    line = page.partition('<p class="sub">')[2].partition("</p>")[0]
    assert "Decided by" in line
    assert " of " not in line, "the question is not among the undecided ones"


def test_keeping_all_answers_changes_no_results_and_travels_with_a_release(study: Study) -> None:
    key = disputed(study)[0]
    before = study_data(study)
    decision = keep_both(key, user=member_of(study), note="Either is right.")
    assert (decision.value, decision.keep_both) == (None, True)
    data = study_data(study)
    ref = decision.question.ref
    assert (dict(data.decisions), set(data.keep_both)) == ({}, {ref})
    assert list(data.answers) == list(before.answers)
    assert set(released(raw_files(data)).keep_both) == {ref}


def test_keeping_all_answers_needs_two_answers() -> None:
    study = make_study(items=8, judgements=1)
    do_hit(make_annotator(study))
    answer = Answer.objects.filter(participation__study=study, given_at__isnull=False)[0]
    with pytest.raises(Refused) as refusal:
        keep_both(answer.question_id, user=member_of(study))
    assert refusal.value.code == "one-answer"


def test_names_are_hidden_until_the_question_is_decided(study: Study) -> None:
    client = browser_of(study)
    question = study.questions.get(pk=disputed(study)[0])
    names = list(study.participations.filter(answers__question=question).values_list("pseudonym", flat=True))
    place = page_of(study, f"adjudicate/{question.public_id}/")
    hidden = client.get(place).content.decode()
    assert names
    assert not any(name in hidden for name in names)
    keep_both(question.pk, user=member_of(study))
    shown = client.get(place).content.decode()
    assert all(name in shown for name in names)


@pytest.mark.nightly
def test_letters_do_not_follow_annotators_from_question_to_question(study: Study) -> None:
    user = member_of(study)
    orders: dict[frozenset[str], set[tuple[str, ...]]] = {}
    for key in disputed(study):
        question, decision = study.questions.get(pk=key), keep_both(key, user=user)
        names = [tuple(each.pseudonym for each in to_decide(study, question, decision).candidates) for _ in range(2)]
        assert names[0] == names[1]
        orders.setdefault(frozenset(names[0]), set()).add(names[0])
    assert any(len(different) > 1 for different in orders.values())


def test_nothing_is_chosen_before_the_reviewer_chooses(study: Study) -> None:
    client = browser_of(study)
    question = study.questions.get(pk=disputed(study)[0])
    place = page_of(study, f"adjudicate/{question.public_id}/")
    shown = client.get(place)
    assert shown.context["value"] is None
    assert not shown.context["keep_both"]
    assert 'aria-pressed="true"' not in shown.content.decode().partition('class="decide"')[2]
    assert client.post(place, {"value": "", "keep_both": "", "note": "I agree."}).status_code == 422
    assert not Decision.objects.exists()


@pytest.fixture
def answered_by_four(db: None) -> Question:
    """Return a question with the answers of four annotators."""
    study = collected(annotators=4, judgements=4)
    return study.questions.filter(kind=Question.Kind.REGULAR)[0]


def voters(question: Question) -> int:
    return to_decide(question.study, question, None).voters


def flag(study: Study, *annotators: Participation) -> None:
    signs = [{"title": "Always the same", "detail": "", "p": 0.001}]
    rows = [{"pseudonym": each.pseudonym, "flags": signs, "flag": signs[0]} for each in annotators]
    number = study.reports.count() + 1
    Report.objects.create(study=study, kind=RESULTS, number=number, result={"people": rows}, seed=1)


def test_a_majority_needs_three_annotators_who_are_not_flagged(answered_by_four: Question) -> None:
    study = answered_by_four.study
    first, second, *_ = study.participations.filter(answers__question=answered_by_four)
    assert voters(answered_by_four) == 4
    flag(study, first)
    assert voters(answered_by_four) == 3
    flag(study, first, second)
    assert voters(answered_by_four) == 0, "two annotators are not a majority"
    mark_reviewed(second.pk, text="The answers are careful.", user=SYSTEM)
    assert voters(answered_by_four) == 3, "the second annotator's answers were reviewed"


@pytest.mark.nightly
def test_annotators_below_the_pass_mark_do_not_count_towards_a_majority(answered_by_four: Question) -> None:
    study = answered_by_four.study
    first = study.participations.filter(answers__question=answered_by_four)[0]
    assert not below_pass_mark(study, first, 20)
    Participation.objects.filter(pk=first.pk).update(tallies={"right": 2, "wrong": 18})
    first.refresh_from_db()
    study.rule_threshold = Decimal("0.7")
    assert below_pass_mark(study, first, 20)
    assert not below_pass_mark(study, first, 0)


def test_two_answers_have_no_majority(study: Study) -> None:
    assert voters(study.questions.get(pk=disputed(study)[0])) == 0


@pytest.mark.nightly
def test_the_page_records_and_goes_on_to_the_next_question(study: Study) -> None:
    client = browser_of(study)
    first, second = (study.questions.get(pk=key) for key in disputed(study)[:2])
    place = page_of(study, f"adjudicate/{first.public_id}/")
    response = client.post(place, {"keep_both": "on", "note": ""})
    assert response.url.startswith(page_of(study, f"adjudicate/{second.public_id}/"))
    assert Decision.objects.get().keep_both
    shown = client.get(response.url)
    assert shown.context["undo"].question == first
    seen = shown.context["undo_seen"]
    client.post(place, {"value": '{"best": 1, "worst": 2}', "note": "No."})
    undo = page_of(study, f"adjudicate/{first.public_id}/undo/")
    client.post(undo, {"seen": seen})
    assert not Decision.objects.get().keep_both, "the decision has changed since the page was opened"
    assert client.post(undo, {"seen": version_of(Decision.objects.get())}).url.startswith(place)
    assert Decision.objects.get().keep_both, "the earlier decision is restored"
    withdraw(first.pk, user=study.members.get())
    assert client.post(place, {"note": "because"}).status_code == 422


def test_the_queue_needs_the_same_number_of_queries_for_any_size(
    study: Study, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = browser_of(study)
    client.get(page_of(study, "adjudicate/"))
    with django_assert_max_num_queries(40):
        client.get(page_of(study, "adjudicate/"))


def test_rows_show_that_their_texts_continue(study: Study) -> None:
    long = "The ferry was late again, so the passengers waited in the rain."
    for item in study.items.all():
        item.content = dict.fromkeys(item.content, long)
        item.save()
    assert f"{long} – {long}"[:119] + "…" in markup(browser_of(study).get(page_of(study, "adjudicate/")))


def test_the_api_lists_the_queue_and_keeps_all_answers(study: Study, client: Client) -> None:
    user: Any = member_of(study)
    client.force_login(user)
    home = f"/api/v1/studies/{study.public_id}"
    listed = client.get(f"{home}/adjudication").json()
    assert listed["count"] == len(disputed(study))
    ref = listed["results"][0]["question"]
    assert listed["results"][0]["decided"] is False
    sent = client.put(f"{home}/decisions/{ref}", {"keep_both": True}, content_type="application/json")
    assert (sent.status_code, sent.json()["keep_both"], sent.json()["value"]) == (200, True, None)
    both = {"keep_both": True, "value": {"best": 1, "worst": 2}}
    assert client.put(f"{home}/decisions/{ref}", both, content_type="application/json").status_code == 400
    assert client.put(f"{home}/decisions/{ref}", {}, content_type="application/json").status_code == 400
    assert client.get(f"{home}/adjudication?show=decided").json()["results"][0]["question"] == ref


def test_the_questions_page_sorts_by_agreement_and_by_time(study: Study) -> None:
    client = browser_of(study)
    rows = QuestionFigures.objects.filter(study=study, question__kind="regular", agreement__isnull=False)
    for sort, order in (("agreement", ("agreement", "question")), ("seconds", ("-seconds", "-question"))):
        expected = list(rows.order_by(*order).values_list("question", flat=True))
        shown = client.get(page_of(study, f"questions/?sort={sort}")).context["rows"]
        assert [row.question.pk for row in shown] == expected[: len(shown)]
        assert shown


@pytest.mark.nightly
def test_a_decision_of_another_reviewer_is_not_overwritten_unseen() -> None:
    study = collected()
    owner = study.memberships.get().user
    question = study.questions.filter(kind="regular").first()
    first = decide(question.pk, {"best": 1, "worst": 2}, user=owner, seen="")
    with pytest.raises(Refused, match="Another reviewer has changed the decision"):
        decide(question.pk, {"best": 2, "worst": 1}, user=owner, seen="")
    assert decide(question.pk, {"best": 2, "worst": 1}, user=owner, seen=version_of(first)).value != first.value
    page = browser_of(study).get(f"{page_of(study)}adjudicate/{question.public_id}/").text
    assert f'name="seen" value="{version_of(Decision.objects.get(question=question))}"' in page
