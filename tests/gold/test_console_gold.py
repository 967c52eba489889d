"""Tests of gold questions in the console: candidates, agreement between authors, and wrong expected answers."""

import json
from collections import Counter

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from annotate.core.selectors.counts import GoldTotals
from annotate.core.services import standing
from annotate.core.services.answer import acknowledge
from annotate.gold.pages.gold import _verdict
from annotate.gold.selectors.gold import gold_health, gold_rows
from annotate.models import Answer, GoldJudgement, Participation, Question, Study, User
from annotate.studies.services.team import create_team_study
from tests.console_study import browser_of, collected
from tests.factories import MembershipFactory, UserFactory, do_hit, make_annotator, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture
def authors() -> tuple[User, User]:
    return UserFactory(), UserFactory()


@pytest.fixture
def study(authors: tuple[User, User]) -> Study:
    first, second = authors
    study = make_study(items=12, state="draft", user=first)
    MembershipFactory(study=study, user=second, role="manager")
    return study


def as_(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def at(name: str, study: Study, *more: str) -> str:
    return reverse(f"console:{name}", args=[study.public_id, *more])


def judge(user: User, study: Study, question: Question, best: int, worst: int, why: str = "") -> HttpResponse:
    value = json.dumps({"best": best, "worst": worst})
    return as_(user).post(at("candidate", study, question.public_id), {"value": value, "explanation": why})


def drawn(study: Study, user: User, count: int) -> list[Question]:
    as_(user).post(at("draw", study), {"count": count})
    return list(study.questions.filter(kind="candidate").order_by("pk"))


def test_a_gold_question_with_its_own_content_is_recognised_by_its_text() -> None:
    study = create_team_study(user=UserFactory(), title="Phrases", task_type="paraphrase")
    content = {"sentence": "It rains a lot.", "phrase": "a lot", "start": 9, "paraphrases": ["much"]}
    payload, votes = {"content": content, "synonyms": 1}, {"votes": [True]}
    gold = study.questions.create(ref="q1", kind="gold", payload=payload, gold=votes)
    assert gold_rows(study, [gold.pk])[0].text == "It rains “a lot”."


def test_only_what_authors_agree_on_becomes_gold(study: Study, authors: tuple[User, User]) -> None:
    first, second = authors
    same, different, alone = drawn(study, first, 3)
    for user, why in ((first, "Both rain."), (second, "One event.")):
        judge(user, study, same, 1, 2, why)
    judge(first, study, different, 1, 2)
    judge(second, study, different, 2, 1)
    judge(first, study, alone, 3, 4)
    page = as_(first).get(at("gold", study))
    agreement = page.context["agreement"]
    assert (agreement.questions, agreement.pairs, agreement.equal) == (2, 2, 1)
    assert "Identical pairs of answers: <b>1 of 2</b>" in markup(page)
    assert '<option value="2" selected>2 (1 candidate)</option>' in markup(page)
    assert '<option value="1">1 (2 candidates)</option>' in markup(page)
    as_(first).post(at("promote", study), {"authors": 2})
    assert [q.ref for q in study.questions.filter(kind="gold")] == [same.ref]
    same.refresh_from_db()
    assert same.explanation == "Both rain. One event."


@pytest.mark.parametrize(("role", "authors"), [("", 1), ("viewer", 1), ("reviewer", 2), ("owner", 2)])
def test_two_authors_have_to_agree_as_soon_as_a_second_member_may_review(role: str, authors: int) -> None:
    owner, second = UserFactory(), UserFactory()
    study = make_study(items=12, state="draft", user=owner)
    if role:
        MembershipFactory(study=study, user=second, role=role)
    drawn(study, owner, 1)
    page = markup(as_(owner).get(at("gold", study)))
    assert f'<option value="{authors}" selected>{authors} (0 candidates)</option>' in page


@pytest.mark.nightly
def test_answered_candidates_lead_to_their_promotion_without_those_that_are_unclear() -> None:
    owner = UserFactory()
    study = make_study(items=12, state="draft", user=owner, gold_block=5)
    clear, unclear = drawn(study, owner, 2)
    assert "Answer 2 candidates" in markup(as_(owner).get(at("overview", study)))
    for question in (clear, unclear):
        judge(owner, study, question, 1, 2)
    page = markup(as_(owner).get(at("gold", study)))
    assert "Promote your candidates to turn them into gold questions." in page
    assert 'data-opens="promote-dialog">Promote 2 candidates</button>' in page
    assert page.index('data-opens="promote-dialog"') < page.index('id="candidates"')
    assert "Promote 2 candidates" in markup(as_(owner).get(at("overview", study)))
    as_(owner).post(at("promote", study), {"authors": 1, "unclear": [unclear.public_id]})
    assert [question.ref for question in study.questions.filter(kind="gold")] == [clear.ref]
    assert [question.ref for question in study.questions.filter(kind="candidate")] == [unclear.ref]


@pytest.mark.nightly
def test_setting_up_recommends_a_minimum_that_annotators_reach() -> None:
    owner = UserFactory()
    study = make_study(items=40, gold=4, gold_block=5, rule_threshold="0.7", rule_minimum=10, state="draft", user=owner)
    for page in ("overview", "gold"):
        assert "The quality rule never applies: it needs 10 gold answers" in markup(as_(owner).get(at(page, study)))
    Study.objects.filter(pk=study.pk).update(rule_minimum=3)
    assert "The quality rule never applies" not in markup(as_(owner).get(at("overview", study)))
    Study.objects.filter(pk=study.pk).update(recruitment=Study.Recruitment.PROLIFIC)  # one HIT per participant
    reason = "an annotator who submits 1 HIT answers only 1 of the 4 gold questions"
    assert reason in markup(as_(owner).get(at("overview", study)))


@pytest.mark.nightly
def test_the_page_without_gold_names_a_minimum_out_of_reach() -> None:
    owner = UserFactory()
    study = make_study(items=8, gold=0, gold_block=5, rule_threshold="0.7", rule_minimum=3, state="draft", user=owner)
    reached = markup(as_(owner).get(at("gold", study)))
    assert "Write 3 or more: the quality rule needs 3 answers from an annotator." in reached
    Study.objects.filter(pk=study.pk).update(rule_minimum=50)
    assert "an annotator gets at most" in markup(as_(owner).get(at("gold", study)))


@pytest.mark.nightly
def test_excluding_a_question_names_those_whom_the_rule_would_not_stop() -> None:
    owner = UserFactory()
    study = make_study(items=20, gold=20, rule_minimum=2, judgements=2, user=owner)
    rescued, decided = make_annotator(study), make_annotator(study)
    do_hit(rescued)
    assert do_hit(rescued, right=False).stopped
    do_hit(decided)
    standing.stop(decided.pk, reason="haste", user=owner)
    missed = rescued.answers.get(passed=False).question
    place = at("set-aside", study, missed.public_id)
    page = markup(as_(owner).post(place, {"reason": "The key is wrong."}, follow=True))
    link = f'<a href="/console/{study.public_id}/annotators/{rescued.pseudonym}/">{rescued.pseudonym}</a>'
    assert f"Without it, the quality rule would not stop {link}." in page


@pytest.mark.nightly
def test_others_answers_are_hidden_until_one_has_answered(study: Study, authors: tuple[User, User]) -> None:
    first, second = authors
    (question,) = drawn(study, first, 1)
    judge(first, study, question, 1, 2, "The secret reason.")
    before = as_(second).get(at("gold", study))
    assert "The secret reason." not in markup(before)
    assert before.context["candidate_rows"][0].agreement == ""
    assert "The secret reason." not in markup(as_(second).get(at("candidate", study, question.public_id)))
    judge(second, study, question, 1, 2)
    after = as_(second).get(at("gold", study))
    assert "The secret reason." in markup(after)
    assert after.context["candidate_rows"][0].agreement == "1 of 1"


def test_an_answer_that_cannot_be_is_refused_with_the_explanation_kept(
    study: Study, authors: tuple[User, User]
) -> None:
    first, _ = authors
    (question,) = drawn(study, first, 1)
    response = judge(first, study, question, 1, 1, "I typed this.")
    assert response.status_code == 422
    assert "Choose two different answers." in markup(response)
    assert "I typed this." in markup(response)
    assert as_(first).post(at("candidate", study, question.public_id), {"value": "{nonsense"}).status_code == 422
    assert not GoldJudgement.objects.exists()


def test_answering_leads_to_the_next_candidate_and_then_back(study: Study, authors: tuple[User, User]) -> None:
    first, _ = authors
    one, two = drawn(study, first, 2)
    assert judge(first, study, one, 1, 2).url == at("candidate", study, two.public_id)
    assert judge(first, study, two, 1, 2).url == at("gold", study)


@pytest.mark.nightly
def test_too_many_or_no_candidates_are_refused(study: Study, authors: tuple[User, User]) -> None:
    for count in ("0", "501", "many"):
        response = as_(authors[0]).post(at("draw", study), {"count": count})
        assert response.status_code == 422
        assert "count" in response.context["draw_form"].errors
    assert not study.questions.filter(kind="candidate").exists()


@pytest.mark.nightly
def test_a_disputed_key_is_set_aside_with_a_reason() -> None:
    owner = UserFactory()
    study = make_study(items=8, gold=3, user=owner)
    annotator = make_annotator(study)
    do_hit(annotator, right=False)
    answer = Answer.objects.filter(tally__isnull=False).select_related("question").first()
    acknowledge(annotator.pk, answer.assignment.public_id, answer.position, disputed=True, note="Pair 2 is closer.")
    page = as_(owner).get(at("gold", study))
    row = page.context["rows"][0]
    assert (row.question, row.missed, row.disputes) == (answer.question, 1.0, 1)
    assert "0 of 3 work; 1 needs a look: disputed; 2 have fewer than 5 answers." in markup(page)
    place = at("set-aside", study, answer.question.public_id)
    silent = as_(owner).post(place, {"reason": " "})
    assert silent.status_code == 422
    assert "reason" in silent.context["aside_form"].errors
    as_(owner).post(place, {"reason": "The key is wrong."})
    answer.question.refresh_from_db()
    assert answer.question.kind == "retired"
    assert study.events.get(verb="excluded gold question").reason == "The key is wrong."


@pytest.mark.nightly
def test_gold_of_another_study_is_not_there() -> None:
    owner = UserFactory()
    study, other = make_study(items=8, gold=2, user=owner), make_study(items=8, gold=2)
    foreign = other.questions.filter(kind="gold").first()
    assert as_(owner).post(at("set-aside", study, foreign.public_id), {"reason": "x"}).status_code == 404
    foreign.refresh_from_db()
    assert foreign.kind == "gold"


def test_an_incomplete_last_set_needs_another_hit() -> None:
    study = make_study(items=40, gold=5, gold_block=3, rule_threshold=0, state="draft")  # two gold questions per HIT
    page = as_(study.memberships.get().user).get(at("gold", study))
    assert "An annotator has seen all of them after 3 HITs." in markup(page)


@pytest.mark.nightly
def test_the_page_says_how_far_gold_goes_and_the_settings_whom_the_rule_stops() -> None:
    study = make_study(items=40, gold=4, gold_block=5, rule_threshold="0.7", rule_minimum=2, state="draft")
    client = as_(study.memberships.get().user)
    page = client.get(at("gold", study))
    assert "4 gold questions, not answered yet." in markup(page)
    assert "An annotator has seen all of them after 4 HITs." in markup(page)
    cover = page.context["cover"]
    assert (cover.gold, cover.in_hit, cover.hits, cover.lasts) == (4, 1, 4, False)
    # Right nine times in ten, looked at after two of four answers: stopped unless the first two are right and at least
    # three of four, or one of three was missed after them (2/3 < .7 stops as well).
    two_right = 0.9**2
    stays = two_right * 0.9 * 0.9 + two_right * 0.9 * 0.1
    settings = client.get(at("settings-step", study, "quality"))
    careful = settings.context["rule"]["annotators"][0]
    assert careful["accuracy"] == pytest.approx(0.9)  # assumed, because there are no answers yet
    assert careful["stopped"] == pytest.approx(1 - stays, abs=1e-5)


# ── doubtful questions ────────────────────────────────────────────────────────────────────────────────────────────
def test_doubtful_questions_are_first_by_the_limits_of_the_to_do_list(monkeypatch: pytest.MonkeyPatch) -> None:
    study = make_study(items=8, gold=5)
    one, disputed, most, half, right = study.questions.filter(kind="gold").order_by("pk").values_list("pk", flat=True)
    totals = {
        one: GoldTotals(given=1, missed=1),
        disputed: GoldTotals(given=9, missed=1),
        most: GoldTotals(given=5, missed=3),
        half: GoldTotals(given=6, missed=3),
        right: GoldTotals(given=9),
    }
    monkeypatch.setattr("annotate.gold.selectors.gold.gold_totals", lambda study: totals)
    monkeypatch.setattr("annotate.gold.selectors.gold.disputes_by_question", lambda study: Counter([disputed]))
    health = gold_health(study)
    assert health.keys == [disputed, most, one, half, right]
    assert [row.doubtful for row in gold_rows(study, health.keys)] == [True, True, False, False, False]
    assert _verdict(study, health) == (
        "2 of 5 work; 2 need a look: 1 disputed, 1 missed by most annotators (gold-3 by 3 of 5); "
        "1 has fewer than 5 answers."
    )
    make_annotator(study, standing=Participation.Standing.STOPPED)
    assert _verdict(study, health).endswith("5 answers. Answers from stopped annotators are included.")
    few = dict.fromkeys(totals, GoldTotals(given=4, missed=4))
    monkeypatch.setattr("annotate.gold.selectors.gold.gold_totals", lambda study: few)
    monkeypatch.setattr("annotate.gold.selectors.gold.disputes_by_question", lambda study: Counter())
    assert _verdict(study, gold_health(study)) == "Too early to tell: no gold question has 5 answers yet."


@pytest.mark.nightly
def test_wrong_answers_are_listed_with_the_most_frequent_first() -> None:
    study = collected(gold=4, annotators=6, careless=0.8)
    wrong = Answer.objects.filter(question__study=study, question__kind="gold", passed=False)
    rows = gold_rows(study, gold_health(study).keys)
    assert any(row.wrong for row in rows)
    for row in rows:
        answers = Counter(json.dumps(answer.value) for answer in wrong.filter(question=row.question))
        assert [each.annotators for each in row.wrong] == sorted(answers.values(), reverse=True)[:5]
    client = browser_of(study)
    page = markup(client.get(at("gold", study)))
    assert "Most frequent wrong answers" in page
    first = next(row for row in rows if row.wrong)
    listed = client.get(f"/api/v1/studies/{study.public_id}/gold?page_size=2").json()
    assert listed["count"] == 4
    by_ref = {row["ref"]: row for row in client.get(f"/api/v1/studies/{study.public_id}/gold").json()["results"]}
    assert by_ref[first.question.ref]["wrong_answers"][0] == {
        "words": first.wrong[0].words,
        "annotators": first.wrong[0].annotators,
    }


# ── new expected answers ──────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.nightly
def test_the_effects_of_a_new_expected_answer_are_shown_before_anything_changes() -> None:
    owner = UserFactory()
    study = make_study(items=12, gold=1, judgements=3, rule_minimum=1, user=owner)
    good, stopped = make_annotator(study), make_annotator(study)
    do_hit(good)
    assert do_hit(stopped, right=False).stopped
    question = study.questions.get(kind="gold")
    client, place = as_(owner), at("expected-answer", study, question.public_id)
    for page in (at("gold", study), at("question", study, question.public_id)):
        assert place in markup(client.get(page))
    assert json.loads(client.get(place).context["value"]) == {"best": 1, "worst": 4}
    sent = {"value": '{"best": 4, "worst": 1}', "explanation": "Swapped.", "reason": "They were swapped.", "seen": 1}
    assert "reason" in client.post(place, sent | {"reason": " "}).context["form"].errors
    page = client.post(place, sent)
    assert (page.context["effects"].stopped, page.context["effects"].restorable) == (
        [good.pseudonym],
        [stopped.pseudonym],
    )
    assert "2 of 2 answers will get a different grade" in markup(page)
    question.refresh_from_db()
    assert question.gold_version == 1
    confirmed = sent | {"confirmed": page.context["confirmed"], "restore": [stopped.pseudonym]}
    other = client.post(place, confirmed | {"value": '{"best": 4, "worst": 2}'})
    assert other.context["effects"].now_correct == 0, "the effects of another answer are shown first"
    done = client.post(place, confirmed, follow=True)
    assert f"The quality rule stopped {good.pseudonym}. Restored: {stopped.pseudonym}." in markup(done)
    assert "current version is version 2" in markup(done)
    assert "Another researcher has changed" in markup(client.post(place, confirmed)), "the version that was seen is old"
    assert "They were swapped." in markup(client.get(place))
    assert json.loads(client.get(f"{place}?version=1").context["value"]) == {"best": 1, "worst": 4}


@pytest.mark.nightly
def test_the_api_changes_an_expected_answer_and_returns_the_effects() -> None:
    owner = UserFactory()
    study = make_study(items=12, gold=1, judgements=3, rule_minimum=1, user=owner)
    annotator = make_annotator(study)
    do_hit(annotator, right=False)
    (row,) = as_(owner).get(f"/api/v1/studies/{study.public_id}/gold").json()["results"]
    place = f"/api/v1/studies/{study.public_id}/gold/{row['id']}/expected-answer"
    sent = {"value": {"best": 4, "worst": 1}, "reason": "Swapped.", "restore": [annotator.pseudonym], "version": 1}
    expected = {"graded": 1, "changed": 1, "now_correct": 1, "now_wrong": 0, "restorable": [annotator.pseudonym]}
    for more, restored in (({"dry_run": True}, []), ({}, [annotator.pseudonym])):
        effects = as_(owner).post(place, sent | more, content_type="application/json").json()
        assert effects == expected | {"version": 2, "stopped": [], "restored": restored, "job": ""}
    again = as_(owner).post(place, sent, content_type="application/json")
    assert (again.status_code, again.json()["code"]) == (409, "changed")
