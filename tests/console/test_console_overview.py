"""Tests of the overview: figures with their uncertainty, matters that need attention, and automatic updates."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import pairwise

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from annotate.annotator.simulation import simulate
from annotate.console.pages.charts import headline_chart
from annotate.console.selectors.overview import POINTS, WINDOW, judgements_over_time, moving_share
from annotate.core.permissions import SYSTEM
from annotate.core.selectors import spend
from annotate.core.selectors.counts import hours
from annotate.core.selectors.progress import progress_of
from annotate.core.selectors.spend import actual_wage
from annotate.core.services import standing
from annotate.core.services.claim import claim
from annotate.core.services.submit import submit
from annotate.models import Answer, Assignment, Job, Study
from annotate.questions.services.more_judgements import add_slots
from annotate.recruiting.services.named import add_named
from annotate.results.selectors.reports import snapshots
from annotate.studies.services.settings import change_settings
from annotate.studies.services.study import open_study
from annotate.web.pages.charts import forecast_sentence
from bws.headline import headline
from tests.console_study import browser_of, collected, page_of, report_on, somebody
from tests.factories import answers_to, make_annotator, make_study, take
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(collected)


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def body(study: Study, **headers: str) -> str:
    response = browser_of(study).get(page_of(study), headers=headers)
    assert response.status_code == 200
    return markup(response)


@pytest.mark.nightly
def test_a_study_without_gold_shows_its_annotators_instead_of_gold_accuracy(study: Study) -> None:
    assert "Gold accuracy" in body(study)
    empty = make_study(gold=4)
    assert "No gold answers yet" in body(empty)
    without = make_study(gold=0, gold_block=0, rule_threshold=0)
    shown = body(without)
    assert "No gold questions" in shown
    assert "0 of 0" not in shown
    assert "Gold accuracy" not in shown
    team = make_study(state="draft", gold=0, gold_block=0, rule_threshold=0, admission="named")
    add_named(team.pk, ["Ada", "Ben"], user=SYSTEM)
    open_study(team.pk, user=SYSTEM)
    assert "Not joined yet: 2" in body(team)


@pytest.mark.nightly
def test_the_target_follows_added_judgements(study: Study) -> None:
    assert f"32 judgements, {study.judgements} per question" in body(study)
    add_slots(study.pk, user=SYSTEM)
    study.refresh_from_db()
    assert f"{study.judgements_planned} judgements, {study.judgements + 1} per question" in body(study)


@pytest.mark.nightly
def test_open_hits_are_told_apart_from_available_and_submitted_ones() -> None:
    study = make_study()
    slots = progress_of(study).slots
    assert f"HITs taken: 0 of {slots}\n" in body(study).replace("<", "\n")
    claim(make_annotator(study).pk)
    assert f"HITs taken: 1 of {slots}, 1 of them open" in body(study)


def test_judgements_money_and_gold_are_counted(study: Study) -> None:
    page = body(study)
    assert "32 <small>of 32</small>" in page
    given = Answer.objects.filter(question__kind="gold", tally__isnull=False)
    assert f"{given.filter(passed=True).count()} of {given.count()}" in page
    assert "$4.00</span>" in page  # eight assignments at half a dollar, and no further assignments


@pytest.mark.nightly
def test_what_the_study_will_cost_has_work_in_hand_and_open_slots_in_it(study: Study) -> None:
    standing.stop(somebody(study).pk, reason="haste", user=SYSTEM)
    progress = progress_of(study)
    assert progress.slots_open > 0
    claim(make_annotator(study).pk)
    after = progress_of(study)
    assert after.spend.leased == study.reward
    assert after.slots_open == progress.slots_open - 1
    cost = after.spend.spent + study.reward * progress.slots_open
    assert f"Expected total: about ${cost:.2f}" in body(study)
    (spent,) = [each for each in browser_of(study).get(page_of(study)).context["figures"] if each.name == "Spent"]
    assert spent.meter.filled == pytest.approx(100 * float(after.spend.spent) / float(cost), abs=0.01)


@pytest.mark.nightly
def test_reliability_is_a_bracket_with_its_next_step(study: Study) -> None:
    assert "Not calculated yet" in body(study)
    found = report_on(study, "progress").result["reliability"]
    halves = [found[name]["spearman"]["mean"] for name in ("within", "whole")]
    low, high = sorted(2 * half / (1 + half) for half in halves)
    page = body(study)
    assert f"{low:.3f}–{high:.3f}".replace("0.", ".") in page
    assert "target .85" in page
    assert "Calculate now" not in page


@pytest.mark.nightly
def test_a_figure_older_than_the_data_says_so_and_can_be_computed_anew(study: Study) -> None:
    report_on(study, "progress")
    standing.stop(somebody(study).pk, reason="haste", user=SYSTEM)
    page = body(study)
    assert "From 32 judgements" in page
    assert "Calculate now" in page
    browser_of(study).post(page_of(study, "progress/compute/"))
    assert study.jobs.get().parameters["work"] == "report:progress"


def test_viewers_are_offered_nothing_that_they_may_not_do(study: Study) -> None:
    page = markup(browser_of(study, "viewer").get(page_of(study)))
    assert "Calculate now" not in page
    assert browser_of(study, "viewer").post(page_of(study, "progress/compute/")).status_code == 404
    assert not study.jobs.exists()


@pytest.mark.nightly
def test_it_refreshes_only_when_something_has_changed(study: Study) -> None:
    client = browser_of(study)
    seen = client.get(page_of(study)).context["signature"]
    again = page_of(study, f"?seen={seen}")
    assert client.get(again, headers={"HX-Request": "true"}).status_code == 204
    standing.stop(somebody(study).pk, reason="haste", user=SYSTEM)
    moved = client.get(again, headers={"HX-Request": "true"})
    assert moved.status_code == 200
    assert b"<html" not in moved.content
    assert b"1 annotator stopped since yesterday" in moved.content


@pytest.mark.nightly
def test_what_needs_somebody_is_named_worst_first(study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(state="closed")
    assert "Nothing needs your attention." in body(make_study())
    gold = study.questions.filter(kind="gold").first()
    answer = Answer.objects.filter(question__kind="gold", participation__study=study).first()
    Answer.objects.filter(pk=answer.pk).update(disputed=True, passed=False, acknowledged_at=timezone.now())
    Job.objects.create(study=study, kind="report-results", state="failed", error="The disk is full.")
    page = body(study)
    assert gold is not None
    places = [page.index(text) for text in ("The disk is full.", f"gold question “{answer.question.ref}”", "for pay")]
    assert places == sorted(places)
    # After the same work has succeeded, the earlier failure is not shown.
    Job.objects.create(study=study, kind="report-results", state="done", progress=1)
    assert "The disk is full." not in body(study)


@pytest.mark.nightly
def test_gold_that_most_miss_is_named() -> None:
    study = collected(annotators=6, gold=3, careless=1.0, items=20)
    answers = Answer.objects.filter(participation__study=study, question__kind="gold", tally__isnull=False)
    missed = {
        ref
        for ref in set(answers.values_list("question__ref", flat=True))
        if answers.filter(question__ref=ref).count() >= 5
        and answers.filter(question__ref=ref, passed=False).count() * 2 > answers.filter(question__ref=ref).count()
    }
    assert missed, "the careless simulation missed nothing"
    page = body(study)
    assert all(f"gold question “{ref}”" in page for ref in missed)


@pytest.mark.nightly
def test_the_number_of_queries_does_not_grow_with_the_study(study: Study) -> None:
    larger = collected(items=20, annotators=8, gold=12)
    counts = []
    for one in (study, larger):
        report_on(one)
        report_on(one, "progress")
        client = browser_of(one)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            client.get(page_of(one))
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert counts[0] <= 45


def test_judgements_over_time_end_at_those_that_count(study: Study) -> None:
    points = judgements_over_time(study, hours(study))
    assert points[0].count == 0
    assert points[-1].count == 32
    assert all(one.at <= two.at and one.count <= two.count for one, two in pairwise(points))
    assert judgements_over_time(make_study(), []) == []


@given(st.lists(st.booleans(), min_size=1, max_size=500))
def test_the_moving_share_looks_back_on_the_last_hundred(passed: list[bool]) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    points = moving_share((start + timedelta(minutes=n), right) for n, right in enumerate(passed))
    window = passed[-WINDOW:]
    assert points[-1].share == pytest.approx(sum(window) / len(window))
    assert points[-1].at == start + timedelta(minutes=len(passed) - 1)
    assert len(points) <= POINTS
    assert all(point.low <= point.share <= point.high for point in points)


def test_the_forecast_speaks_of_what_is_still_missing() -> None:
    def said(within: int | None, whole: int | None, planned: int = 0, value: float = 0.8, careful: float = 0.65) -> str:
        ends = {"low": 0.65, "high": 0.75}
        interval = {"spearman": ends, "generalises_to": "tuples"}
        if within is None and whole is None:
            interval["spearman"] = {"low": None, "high": None}
        same = {"low": careful, "high": 0.99}
        half = {"spearman": {"mean": value, "sd": 0.02}, "interval": interval, "same_annotators": same}
        halves = {"within": half | {"annotations": 2}, "whole": half}
        all_of = {"within_of_all": value, "whole_of_all": value}
        forecast = {"target": 0.85, "within": within, "whole": whole, **all_of}
        return forecast_sentence(headline({**halves, "forecast": forecast}), 1_000, planned)

    assert said(1_200, 1_500) == "The target needs 200 to 500 more judgements, as new tuples."
    assert said(None, 1_500, 5) == "The target needs 500 more judgements, as new tuples. The study plans 5 more."
    assert said(900, 1_001) == "The target needs up to 1 more judgement, as new tuples."
    assert said(900, 1_000) == "The target is reached."
    assert said(900, 1_000, 1) == "The target is reached, and 1 more judgement is planned."
    assert "too early" in said(None, None, 5)
    assert said(None, None) == "", "a complete study has nothing to predict"
    assert said(None, None, 5, value=0.95, careful=0.9) == (
        "Rough estimates reach the target, and 5 more judgements are planned."
    )
    assert said(None, None, value=0.95, careful=0.1) == (
        "The estimates reach the target, but they are too uncertain to count it as reached."
    )


@pytest.mark.nightly
def test_the_headline_is_drawn_at_each_number_of_judgements_as_it_was_found_last(study: Study) -> None:
    for judgements, value in ((5, 0.4), (10, 0.5), (10, 0.6), (20, None), (30, 0.7)):
        ends = [{"name": "kappa", "label": "over all pairs", "value": value}]
        result = {"judgements": judgements, "headline": {"name": "Cohen’s κ", "ends": ends, "target": None}}
        chart = headline_chart(snapshots(study))
        assert chart is None, "two points are no curve"
        study.reports.create(number=study.reports.count() + 1, kind="results", seed=1, result=result)
    chart = headline_chart(snapshots(study))
    assert chart is not None
    assert chart.data == {
        "points": [
            {"judgements": 5, "values": [0.4]},
            {"judgements": 10, "values": [0.6]},
            {"judgements": 30, "values": [0.7]},
        ],
        "target": None,
        "present": 2,
    }
    assert chart.label == "Cohen’s κ by number of judgements: .700 over all pairs, at 30 judgements"
    assert "Cohen’s κ" in body(study)
    # An annotator is stopped, so the latest report covers fewer judgements than an earlier report.
    ends = [{"name": "kappa", "label": "over all pairs", "value": 0.8}]
    result = {"judgements": 20, "headline": {"name": "Cohen’s κ", "ends": ends, "target": None}}
    study.reports.create(number=study.reports.count() + 1, kind="results", seed=1, result=result)
    chart = headline_chart(snapshots(study))
    assert chart is not None
    assert [point["judgements"] for point in chart.data["points"]] == [5, 10, 20, 30]
    assert chart.data["present"] == 2
    assert chart.label == "Cohen’s κ by number of judgements: .800 over all pairs, at 20 judgements"
    page = body(study)
    assert '<span class="big">.800</span>' in page


@pytest.mark.nightly
def test_an_annotator_with_something_against_them_is_named(study: Study) -> None:
    who = somebody(study)
    report = report_on(study)
    person = next(p for p in report.result["people"] if p["pseudonym"] == who.pseudonym)
    person["flags"] = [{"title": "Position bias", "detail": "Chose place 2 as best 20 times in 26."}]
    study.reports.create(number=9, kind="results", seed=1, result=report.result)
    assert f"Position bias: {who.pseudonym}" in body(study)
    standing.stop(who.pk, reason="always the second", user=SYSTEM)
    assert "Position bias" not in body(study)


def test_annotators_join_at_any_time(study: Study) -> None:
    make_annotator(study)
    assert "Active annotators: 4" in body(study)


@pytest.mark.nightly
def test_a_complete_pilot_is_pointed_out_until_it_ends() -> None:
    study = make_study(items=8, gold=0, questions_per_hit=4, judgements=1, pilot_hits=1, piloting=True, reward="0.50")
    assert "0 of 1 HIT done" in body(study)
    assert "The pilot is complete" not in body(study)
    annotator = make_annotator(study)
    assignment = take(annotator)
    submit(annotator.pk, assignment.public_id, answers_to(assignment))
    page = body(study)
    assert "The pilot is complete" in page
    later = study.slots.count() - 1
    assert f"<td>${later * 0.5:.2f}</td>" in page
    browser_of(study).post(f"{page_of(study)}pilot/end/")
    study.refresh_from_db()
    assert not study.piloting
    assert "The pilot is complete" not in body(study)
    assert study.events.filter(verb="changed settings").exists()


@pytest.mark.nightly
def test_a_reached_budget_cap_needs_attention_until_it_is_raised() -> None:
    study = make_study(items=20, budget_cap="1.00")
    simulate(study, annotators=1, hits=2, user=SYSTEM, as_people=True)
    page = " ".join(body(study).split())
    assert "The budget cap is reached" in page
    assert "The study has committed $1.00 of $1.00." in page
    assert "The budget cap allows 0 more HITs." in page
    change_settings(study.pk, budget_cap=Decimal("1.60"), user=SYSTEM)
    page = " ".join(body(study).split())
    assert "The budget cap is reached" not in page
    assert "The budget cap allows 1 more HIT." in page
    assert "Expected total: about $1.50" in page


@pytest.mark.nightly
def test_a_wage_below_the_minimum_needs_attention_until_the_reward_is_raised() -> None:
    study = make_study(items=20, minimum_hourly_wage="15.00", planned_hourly_wage="18.00")
    simulate(study, annotators=1, hits=5, user=SYSTEM, as_people=True)
    Assignment.objects.filter(study=study).update(seconds=144)
    page = " ".join(body(study).split())
    assert "The actual hourly wage of $12.50 is below the minimum of $15.00" in page
    assert "The median time of 5 submitted HITs is 144 s." in page
    assert "Planned hourly wage: $18.00" in page
    change_settings(study.pk, reward=Decimal("0.60"), user=SYSTEM)
    page = body(study)
    assert "below the minimum" not in page
    assert "Actual hourly wage (median): $15.00" in page


def test_the_actual_wage_waits_for_a_few_timed_hits() -> None:
    study = make_study(items=20, minimum_hourly_wage="15.00")
    simulate(study, annotators=1, hits=4, user=SYSTEM, as_people=True)
    Assignment.objects.filter(study=study).update(seconds=1_000)
    assert "hourly wage" not in body(study)


@pytest.mark.nightly
def test_the_wage_is_that_of_the_median_time() -> None:
    study = make_study(items=40)
    simulate(study, annotators=1, hits=6, user=SYSTEM, as_people=True)
    for assignment, seconds in zip(study.assignments.order_by("pk"), (10, 500, 90, 110, 1, 9_000), strict=True):
        Assignment.objects.filter(pk=assignment.pk).update(seconds=seconds)
    wage = actual_wage(study)
    assert wage is not None
    assert (wage.seconds, wage.hourly) == (100, Decimal("18.00"))


def test_the_median_time_of_many_hits_is_read_again_when_their_number_has_grown(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spend, "MANY_SUBMITTED", 0)
    cache.clear()
    before = actual_wage(study, 1_000)
    assert before is not None
    Assignment.objects.filter(study=study).update(seconds=3_600)
    assert actual_wage(study, 1_009) == before
    after = actual_wage(study, 1_011)
    assert after is not None
    assert after.seconds == 3_600
    Assignment.objects.filter(study=study).update(seconds=60)
    fewer = actual_wage(study, 1_010)
    assert fewer is not None
    assert fewer.seconds == 60
