"""Tests of the to-do list: what makes each entry appear, what removes each entry, and the e-mail with new entries."""

import re
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from accord_core.numerics.printed import with_noun
from annotate import tasktypes
from annotate.console import services as console_services
from annotate.console.selectors.todo import Todo
from annotate.console.services import recount_changed, refresh_todo_counts, todo_of
from annotate.core.permissions import SYSTEM
from annotate.core.services import remarks, standing
from annotate.core.services.credentials import new_api_token
from annotate.core.services.regrading import change_expected_answer
from annotate.core.services.returns import withdraw
from annotate.core.services.submit import AnswerSent, submit
from annotate.data.services.design import build_design
from annotate.data.services.imports import import_file
from annotate.data.services.removal import remove_import
from annotate.gold.selectors.gold import FEWEST_ON_GOLD
from annotate.gold.services import exclude_gold
from annotate.models import Answer, Assignment, Event, GoldCount, Job, Study, User
from annotate.people.services import mark_reviewed
from annotate.questions.services.more_judgements import add_slots
from annotate.questions.services.refresh import current_figures
from annotate.recruiting.selectors import named_rows
from annotate.recruiting.services.named import add_named, join_by_link
from annotate.server import clock
from annotate.studies.services.settings import change_settings
from annotate.studies.services.study import close_study, open_study
from tests.console_study import browser_of, page_of
from tests.factories import answers_to, do_hit, make_annotator, make_study, take
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared(share: Callable[..., Study]) -> Study:
    return share(lambda: make_study(gold=4, judgements=2))


@pytest.fixture
def study(shared: Study) -> Study:
    return Study.objects.get(pk=shared.pk)


def todo(study: Study) -> list[Todo]:
    return todo_of(Study.objects.get(pk=study.pk))


def titles(study: Study) -> list[str]:
    """Return the titles except pay that is due, which most studies in these tests owe."""
    return [entry.title for entry in todo(study) if not entry.key.startswith("pay:")]


def test_a_team_that_lost_an_annotator_lacks_one() -> None:
    draft = make_study(items=8, gold=0, judgements=2, admission="named", state="draft")
    people = add_named(draft.pk, ["Ada", "Ben"], user=SYSTEM)
    study = open_study(draft.pk, user=SYSTEM)
    ada, ben = (join_by_link(one.pk) for one in people)
    hits = study.hits.count()
    do_hit(ada)
    do_hit(ben)
    assert titles(study) == []
    withdraw(ben.pk, keep_answers=True)
    assert titles(study) == [f"{with_noun(hits - 1, 'HIT has,HITs have')} no annotator"]
    [of_ben] = [row for row in named_rows(study) if row.named.name == "Ben"]
    assert of_ben.submitted == 1
    withdraw(ben.pk, keep_answers=False)
    assert titles(study) == [f"{hits} HITs have no annotator"]
    [of_ben] = [row for row in named_rows(study) if row.named.name == "Ben"]
    assert of_ben.submitted == 1, "as on the list of annotators, although the answers are excluded"
    add_named(study.pk, ["Cleo"], user=SYSTEM)
    assert titles(study) == []


@pytest.mark.nightly
def test_a_failed_job_until_the_same_work_is_done(study: Study) -> None:
    Job.objects.create(study=study, kind="report-results", state="failed", error="The disk is full.")
    assert [(entry.level, entry.title, entry.detail) for entry in todo(study)] == [
        ("bad", "The job “Results” failed", "The disk is full.")
    ]
    Job.objects.create(study=study, kind="report-results", state="done", progress=1)
    assert titles(study) == []


@pytest.mark.nightly
def test_an_outdated_design_until_it_is_built_again() -> None:
    draft = make_study(state="draft")
    change_settings(draft.pk, judgements=3, user=SYSTEM)
    assert titles(draft) == ["The design is out of date"]
    build_design(draft.pk, user=SYSTEM)
    assert titles(draft) == []


@pytest.mark.nightly
def test_a_complete_pilot_until_it_ends() -> None:
    pilot = make_study(pilot_hits=1, piloting=True)
    assert titles(pilot) == []
    do_hit(make_annotator(pilot))
    assert titles(pilot) == ["The pilot is complete"]
    change_settings(pilot.pk, piloting=False, user=SYSTEM)
    assert titles(pilot) == []


@pytest.mark.nightly
def test_a_complete_study_until_it_closes_or_gets_more_judgements() -> None:
    whole = make_study(questions_per_hit=20, reward=Decimal(0))
    annotator = make_annotator(whole)
    assignment = take(annotator)
    assert titles(whole) == []
    comment = remarks.send_remark(annotator.pk, assignment.public_id, 1, kind="comment", text="Interesting.")
    assert titles(whole) == ["1 comment has no reply"]
    remarks.reply_to(whole.pk, comment.public_id, text="Thank you.", user=whole.memberships.get().user)
    do_hit(annotator)
    assert titles(whole) == ["The study is complete"]
    upload = import_file(whole, purpose="items", filename="more.csv", data=b"id,text\nnew,A boat.\n", user=SYSTEM)
    assert titles(whole) == ["1 item without a question"]
    remove_import(upload.pk, user=SYSTEM)
    add_slots(whole.pk, user=SYSTEM)
    assert titles(whole) == []
    do_hit(make_annotator(whole))
    assert titles(whole) == ["The study is complete"]
    page = markup(browser_of(whole).get(page_of(whole)))
    assert "Close the study" in page
    assert "View the results" not in page
    assert page.count("Calculate the results") == 1, "in the header"
    assert f'action="{page_of(whole, "results/compute/")}"' in page
    primary = re.compile(r'class="b b-main"[^>]*>\s*([^<]+?)\s*<')
    assert primary.findall(markup(browser_of(whole).get(page_of(whole)))) == ["Close the study"]
    standing.stop(annotator.pk, reason="haste", user=SYSTEM)
    remarks.object_to_stop(annotator.pk, text="I was careful.")
    do_hit(make_annotator(whole))
    page = markup(browser_of(whole).get(page_of(whole)))
    assert primary.findall(page) == [], "the to-do list below is the next step"
    assert page.index("Close the study") < page.index("More actions")
    close_study(whole.pk, user=SYSTEM)
    closed = markup(browser_of(whole).get(page_of(whole)))
    assert f'href="{page_of(whole, "x/release/")}"' in closed


@pytest.mark.nightly
def test_an_objection_until_it_has_a_reply(study: Study) -> None:
    annotator = make_annotator(study)
    standing.stop(annotator.pk, reason="haste", user=SYSTEM)
    assert titles(study) == ["1 annotator stopped since yesterday"]
    objection = remarks.object_to_stop(annotator.pk, text="I was careful.")
    assert titles(study)[0] == f"{annotator.pseudonym} objects to being stopped"
    remarks.reply_to(study.pk, objection.public_id, text="We restored you.", user=study.memberships.get().user)
    standing.restore(annotator.pk, reason="a mistake", user=SYSTEM)
    assert titles(study) == []


def test_failed_practice_needs_no_action(study: Study) -> None:
    standing.stop_unqualified(make_annotator(study), "2 of 4 practice questions answered as expected")
    assert titles(study) == []


@pytest.mark.nightly
def test_a_restored_annotator_has_been_answered(study: Study) -> None:
    annotator = make_annotator(study)
    standing.stop(annotator.pk, reason="haste", user=SYSTEM)
    objection = remarks.object_to_stop(annotator.pk, text="I was careful.")
    messages = browser_of(study)
    assert "Unanswered</div>" in markup(messages.get(page_of(study, "messages/")))
    standing.restore(annotator.pk, reason="a mistake", user=SYSTEM)
    assert titles(study) == []
    page = messages.get(page_of(study, "messages/"))
    assert page.context["counts"].unanswered == 0
    assert "Unanswered</div>" not in markup(page)
    standing.stop(annotator.pk, reason="haste", user=SYSTEM)
    assert remarks.object_to_stop(annotator.pk, text="Again, I was careful.") != objection
    assert [entry.key for entry in todo(study) if "objection" in entry.key] != [f"objection:{objection.public_id}"]
    assert sum("objects to being stopped" in title for title in titles(study)) == 1


@pytest.mark.nightly
@pytest.mark.parametrize("ending", ["taken", "closed"])
def test_reopened_slots_until_they_are_taken_or_the_study_is_closed(ending: str) -> None:
    study = make_study(items=8, practice=2)
    annotator = make_annotator(study)
    for _ in range(3):
        do_hit(annotator)  # the first one is practice
    standing.stop(annotator.pk, reason="haste", user=SYSTEM)
    [entry] = [entry for entry in todo(study) if entry.key == "stopped"]
    assert entry.detail == "2 HITs are open again."
    if ending == "closed":
        close_study(study.pk, user=SYSTEM)
    else:
        other = make_annotator(study)
        for _ in range(5):
            do_hit(other)
    assert [entry for entry in todo(study) if entry.key == "stopped"] == []
    restored = standing.restore(annotator.pk, reason="a mistake", user=SYSTEM)
    assert restored.counted + restored.surplus == 2, "practice is not an assignment that counts again"


@pytest.mark.nightly
def test_reported_problems_are_one_entry_until_all_have_a_reply(study: Study) -> None:
    annotator = make_annotator(study)
    assignment = take(annotator)
    sent = [
        remarks.send_remark(annotator.pk, assignment.public_id, place, kind="problem", text=f"Mistake {number}.")
        for place in (1, 2)
        for number in range(2)
    ]
    (entry,) = todo(study)
    assert (entry.title, entry.detail) == ("Annotators report problems with 2 questions", "“Mistake 1.”")
    assert entry.links == [("Review the reports", "problem-reports/")]
    owner = study.memberships.get().user
    for remark in sent:
        remarks.reply_to(study.pk, remark.public_id, text="Thank you.", user=owner)
    assert titles(study) == []


@pytest.mark.nightly
def test_pay_and_decisions_become_urgent_when_the_study_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    paid = make_study(judgements=2, questions_per_hit=20, reward=Decimal("0.50"))
    monkeypatch.setattr(type(tasktypes.get(paid.task_type)), "decides", True)
    do_hit(make_annotator(paid))
    assert [(each.level, each.title, each.links) for each in todo(paid)] == [
        ("info", "1 annotator waits for pay", [("Pay $0.50", "pay/?show=owed")])
    ]
    do_hit(make_annotator(paid), right=False)
    current_figures(paid)
    disputed = paid.questions.filter(kind="regular", figures__agreement__lt=1).count()
    assert disputed > 1
    entries = {each.title: each.level for each in todo(paid) if each.key.startswith(("pay", "decisions"))}
    assert entries == {f"{disputed} questions wait for a decision": "warn", "2 annotators wait for pay": "warn"}


def test_a_doubtful_key_until_the_question_is_set_aside(study: Study) -> None:
    gold = study.questions.filter(kind="gold").first()
    assert gold is not None
    counts = GoldCount.objects.create(question=gold, given=FEWEST_ON_GOLD - 1, missed=FEWEST_ON_GOLD - 1)
    assert titles(study) == []
    GoldCount.objects.filter(pk=counts.pk).update(given=FEWEST_ON_GOLD)
    assert titles(study) == [f"4 of 5 annotators miss gold question “{gold.ref}”"]
    exclude_gold(gold.pk, user=SYSTEM, reason="The key is wrong.")
    assert titles(study) == []


@pytest.mark.nightly
def test_a_disputed_gold_question_until_it_is_set_aside(study: Study) -> None:
    do_hit(make_annotator(study), right=False)
    answer = Answer.objects.filter(participation__study=study, question__kind="gold").select_related("question").get()
    Answer.objects.filter(pk=answer.pk).update(disputed=True, acknowledged_at=clock.now())
    assert titles(study) == [f"1 annotator disputes gold question “{answer.question.ref}”"]
    exclude_gold(answer.question_id, user=SYSTEM, reason="The key is wrong.")
    assert titles(study) == []


@pytest.mark.nightly
def test_the_last_entry_of_a_kind_can_stand_for_one_more(study: Study) -> None:
    annotator = make_annotator(study)
    for _hit in range(4):
        do_hit(annotator, right=False)
    answers = Answer.objects.filter(participation__study=study, question__kind="gold")
    assert answers.update(disputed=True, acknowledged_at=clock.now()) == 4
    assert "1 more gold question is disputed" in titles(study)


@pytest.mark.nightly
def test_a_disputed_gold_question_until_its_expected_answer_is_changed(study: Study) -> None:
    do_hit(make_annotator(study), right=False)
    answer = Answer.objects.filter(participation__study=study, question__kind="gold").select_related("question").get()
    Answer.objects.filter(pk=answer.pk).update(disputed=True, acknowledged_at=clock.now())
    assert titles(study) == [f"1 annotator disputes gold question “{answer.question.ref}”"]
    task = tasktypes.get(study.task_type)
    given = task.reveal(answer.question.payload, [], answer.value)
    change_expected_answer(answer.question_id, given, user=SYSTEM, reason="The annotator was right.")
    assert titles(study) == []


def test_an_explanation_with_a_fixed_place_until_it_has_a_token(study: Study) -> None:
    gold = study.questions.filter(kind="gold")
    gold.filter(pk=gold.first().pk).update(explanation="Pair 2 is closer.")
    assert titles(study) == ["1 explanation of gold questions should be checked"]
    gold.filter(explanation="Pair 2 is closer.").update(explanation="Pair {2} is closer.")
    assert titles(study) == []


@pytest.mark.nightly
def test_a_careless_annotator_until_the_answers_are_reviewed(study: Study) -> None:
    annotator = make_annotator(study)
    sign = {"title": "Position bias", "detail": "Chose place 2 as best 20 times in 26.", "p": 1e-6}
    figures = [{"pseudonym": annotator.pseudonym, "flags": [sign]}]
    study.reports.create(number=1, kind="results", seed=1, result={"people": figures})
    assert titles(study) == [f"Position bias: {annotator.pseudonym}"]
    mark_reviewed(annotator.pk, text="The answers are fine.", user=study.memberships.get().user)
    assert titles(study) == []


@pytest.mark.nightly
def test_the_budget_and_the_wage_until_they_are_raised(study: Study) -> None:
    change_settings(study.pk, budget_cap=Decimal("2.50"), minimum_hourly_wage=Decimal(15), user=SYSTEM)
    for _ in range(2):
        annotator = make_annotator(study)
        for _ in range(2):
            do_hit(annotator)
    do_hit(make_annotator(study))
    Assignment.objects.filter(study=study).update(seconds=144)
    assert titles(study) == [
        "The budget cap is reached",
        "The actual hourly wage of $12.50 is below the minimum of $15.00",
    ]
    change_settings(study.pk, budget_cap=Decimal(10), reward=Decimal("0.60"), user=SYSTEM)
    assert titles(study) == []


@pytest.fixture
def reader(study: Study, settings: Any) -> User:
    """Return the owner, who gets to-do entries by e-mail."""
    settings.EMAIL_HOST, settings.SITE_URL = "mail.example.org", "https://accord.example.org"
    owner = study.memberships.get().user
    client = browser_of(study)
    saved = markup(client.post(page_of(study, "members/todo-mail/"), {"wanted": "on"}, follow=True))
    assert "E-mails about new to-do entries are turned on." in saved
    assert 'name="wanted" checked' in saved
    return owner


def a_day_later() -> None:
    User.objects.update(todo_mailed_at=clock.now() - timedelta(hours=25))


@pytest.mark.nightly
def test_an_email_contains_the_new_entries_once_a_day(study: Study, reader: User) -> None:
    assert console_services.send_todo_mails() == 0
    Job.objects.create(study=study, kind="report-results", state="failed", error="The disk is full.")
    assert console_services.send_todo_mails() == 1
    Job.objects.create(study=study, kind="design", state="failed", error="Too few items.")
    assert console_services.send_todo_mails() == 0, "less than a day has passed"
    a_day_later()
    assert console_services.send_todo_mails() == 1
    a_day_later()
    assert console_services.send_todo_mails() == 0, "all entries have been sent"
    first, second = mail.outbox
    assert (first.to, first.subject) == ([reader.email], "Accord: 1 new to-do entry")
    assert "- The job “Results” failed\n  The disk is full." in first.body
    assert f"View jobs: https://accord.example.org/console/{study.public_id}/jobs/" in first.body
    assert "Too few items." in second.body
    assert "The disk is full." not in second.body


def test_a_rejected_email_is_sent_later(study: Study, reader: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def reject(*args: Any) -> None:
        raise ConnectionRefusedError("The mail server does not respond.")

    Job.objects.create(study=study, kind="report-results", state="failed", error="The disk is full.")
    with monkeypatch.context() as broken:
        broken.setattr(console_services, "send_mail", reject)
        assert console_services.send_todo_mails() == 0
    assert console_services.send_todo_mails() == 1


def test_only_members_who_want_it_get_the_email(study: Study, reader: User, settings: Any) -> None:
    Job.objects.create(study=study, kind="report-results", state="failed", error="The disk is full.")
    api = Client(headers={"Authorization": f"Token {new_api_token(reader, 'script')[1]}"})
    root = f"/api/v1/studies/{study.public_id}"
    (entry,) = api.get(f"{root}/todo").json()
    assert (entry["title"], entry["links"]) == ("The job “Results” failed", [{"text": "View jobs", "path": "jobs/"}])
    sent = api.put(f"{root}/todo-mail", {"wanted": False}, content_type="application/json")
    assert sent.json() == {"wanted": False}
    assert console_services.send_todo_mails() == 0
    api.put(f"{root}/todo-mail", {"wanted": True}, content_type="application/json")
    settings.EMAIL_HOST = ""
    assert console_services.send_todo_mails() == 0
    assert "E-mails to you about this study" not in markup(browser_of(study).get(page_of(study, "members/")))


def test_the_length_of_the_list_is_stored_for_the_list_of_studies(study: Study) -> None:
    Job.objects.create(study=study, kind="report-results", state="failed", error="The disk is full.")
    assert refresh_todo_counts() == 1
    study.refresh_from_db()
    assert study.todo_count == 1


@pytest.mark.nightly
def test_the_list_of_studies_counts_again_after_an_event_and_shows_the_age_of_the_counts(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = browser_of(study)
    client.get(page_of(study))
    page = markup(client.get("/console/"))
    assert "1 entry" not in page
    assert "are at most 1 minute old" in page
    Job.objects.create(study=study, kind="report-results", state="failed", error="The disk is full.")
    assert "1 entry" not in markup(client.get("/console/")), "a failed job alone is found by the periodic task"
    Event.objects.create(study=study, verb="changed settings")
    assert "1 entry" not in markup(client.get("/console/")), "the last count is less than a minute old"
    later = clock.now() + timedelta(seconds=61)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert "1 entry" in markup(client.get("/console/"))


@pytest.mark.nightly
def test_the_list_of_studies_counts_the_studies_with_the_oldest_counts_first(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = User.objects.create(email="reader@example.org")
    studies = [make_study(items=0, state="draft", user=reader) for _ in range(5)]
    start, recounted = clock.now(), []
    for minute, number in enumerate([2, 0, 4, 1, 3]):
        monkeypatch.setattr(clock, "now", lambda minute=minute: start + timedelta(minutes=minute))
        todo_of(studies[number])
        Event.objects.create(study=studies[number], verb="changed settings")
    monkeypatch.setattr(clock, "now", lambda: start + timedelta(minutes=10))
    monkeypatch.setattr(console_services, "todo_of", lambda each: recounted.append(each.pk))
    recount_changed(reader)
    assert recounted == [studies[number].pk for number in (2, 0, 4)]


@pytest.mark.nightly
def test_an_annotator_who_skips_whole_hits() -> None:
    study = make_study(items=20, gold=4, questions_per_hit=2, skips_allowed=True, gold_skips_allowed=9)
    whole, partly = make_annotator(study), make_annotator(study)
    for ann, but in ((whole, []), (whole, []), (partly, [1])):
        assignment = take(ann)
        answers = [each for each in answers_to(assignment) if each.position in but]
        positions = [place for place in range(1, assignment.answers.count() + 1) if place not in but]
        skips = [AnswerSent(place, skipped="Too hard.") for place in positions]
        assert submit(ann.pk, assignment.public_id, [*answers, *skips]).credited
    (entry,) = [each for each in todo(study) if each.key.startswith("careless:")]
    assert entry.key == f"careless:{whole.pseudonym}"
    assert "2 of 2 submitted HITs" in entry.detail
