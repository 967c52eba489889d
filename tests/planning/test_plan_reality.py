"""Tests of the “Planned and actual” panel: a plan in use beside the answers of the study so far."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.template.loader import render_to_string

from accord_core.numerics.predictions import Prediction
from accord_core.numerics.unfinished import Measured
from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.core.selectors.counts import hours
from annotate.core.selectors.progress import progress_of
from annotate.core.services import jobs
from annotate.models import Job, Report, Study
from annotate.planning.models import Plan
from annotate.planning.pages.reality import reality_panel
from annotate.planning.selectors.checks import PlanCheck, latest_check, plan_checks
from annotate.planning.selectors.plans import plan_in_use, usual_parameters
from annotate.planning.selectors.reality import Amounts, PlanReality, plan_reality
from annotate.planning.services.checks import draws_of
from annotate.planning.services.plans import designs_of, planning_of, request_plan, use_plan
from annotate.questions.services import refresh
from annotate.server import clock
from annotate.tasktypes.plan_parameters import PlanParameters
from tests.console_study import browser_of, page_of
from tests.factories import make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db

ITEMS, JUDGEMENTS = 40, 3
PARAMETERS = {
    "studies": 20, "answers": [2, JUDGEMENTS], "target": None, "annotators": 12, "price": 0.5, "fee": 0.2,
    "assumptions": {"spread": [1, 6], "careless": [0, 0.3]},
}  # fmt: skip


@pytest.fixture(scope="module")
def made(share: Callable[[Callable[[], Any]], Any]) -> int:
    """A study in which simulated annotators have given a third of the judgements under a plan."""

    def make() -> int:
        study = make_study(items=ITEMS, judgements=JUDGEMENTS)
        use(planned(study))
        simulate(study, user=SYSTEM, annotators=12, careless=0.1, hits=study.assignments_planned // 3)
        refreshed()
        return study.pk

    return share(make)


@pytest.fixture
def study(made: int) -> Study:
    return Study.objects.get(pk=made)


def planned(study: Study, **changed: Any) -> Plan:
    parameters = {**usual_parameters(study, planning_of(study)), **PARAMETERS, "items": ITEMS, **changed}
    job = request_plan(study, parameters, user=SYSTEM)
    assert isinstance(job, Job)
    jobs.run(job.pk)
    return study.plans.order_by("-number")[0]


def use(plan: Plan) -> None:
    use_plan(plan.pk, **designs_of(plan)[-1], user=SYSTEM)


def refreshed() -> None:
    """Run the jobs that the periodic task requests."""
    refresh.refresh_open_studies()
    for job in Job.objects.filter(state="waiting"):
        jobs.run(job.pk)


def reality_of(study: Study) -> PlanReality:
    reality = plan_reality(study, progress_of(study), hours(study), None)
    assert reality is not None
    return reality


@pytest.mark.nightly
def test_the_figure_of_the_study_lies_in_the_predicted_interval_of_its_plan(study: Study) -> None:
    plan = plan_in_use(study)
    assert plan is not None
    (check,) = plan_checks(study, plan)
    assert check.simulated
    assert check.judgements == progress_of(study).judgements
    (_, upper) = study.reports.get(kind="progress").headline["ends"]
    assert check.measured.value == pytest.approx(upper["value"])
    assert check.position == "inside"


@pytest.mark.nightly
def test_the_study_is_compared_again_after_more_judgements(study: Study) -> None:
    plan = plan_in_use(study)
    assert plan is not None
    refreshed()
    assert len(plan_checks(study, plan)) == 1, "nothing has changed"
    simulate(study, user=SYSTEM, annotators=12, careless=0.1)
    refreshed()
    first, last = plan_checks(study, plan)
    assert last.per_question == JUDGEMENTS
    assert last.predicted.value > first.predicted.value
    assert last.position == "inside"
    at_end = reality_of(study).at_end
    assert at_end is not None
    assert last.predicted.value == pytest.approx(at_end.value, abs=0.05)
    assert reality_of(study).latest == replace(last, predicted=at_end), "as planned: the interval of Set up"
    Plan.objects.filter(pk=plan.pk).update(parameters=plan.parameters | {"annotators": 13})
    assert reality_of(study).latest == last, "fewer annotators than planned"


@pytest.mark.nightly
def test_another_plan_starts_a_new_comparison(study: Study) -> None:
    use(planned(study, assumptions={"spread": [15, 15], "careless": [0, 0]}))
    assert reality_of(study).checks == []
    refreshed()
    reality = reality_of(study)
    assert reality.latest is not None
    assert reality.latest.position == "below"
    page = " ".join(markup(browser_of(study).get(page_of(study))).split())
    assert "is below the predicted interval" in page


def test_a_study_with_too_few_answers_states_what_is_missing() -> None:
    study = make_study(items=8, judgements=1)
    use(planned(study, items=8))
    simulate(study, user=SYSTEM, annotators=2, hits=1)
    refreshed()
    reality = reality_of(study)
    assert reality.latest is not None
    assert "At least 10 items must have two or more answers (so far: " in reality.latest.reason
    panel = reality_panel(reality)
    assert panel.chart is None
    assert panel.advice[0].text.startswith(f"After {reality.latest.judgements} judgements, the quality could not be")
    assert len(Report.objects.filter(study=study, kind="check-plan")) == 1


def test_a_study_without_a_plan_has_no_panel() -> None:
    study = make_study(items=8)
    assert plan_reality(study, progress_of(study), hours(study), None) is None
    refreshed()
    assert not study.reports.filter(kind="check-plan").exists()
    assert browser_of(study).get(f"/api/v1/studies/{study.public_id}/plans/comparison").json()["comparison"] is None


@pytest.mark.nightly
def test_the_overview_and_the_api_show_the_plan_beside_the_study(study: Study) -> None:
    browser = browser_of(study)
    page = " ".join(markup(browser.get(page_of(study))).split())
    assert "Planned and actual" in page
    assert "Details of the plan" in page
    plan = browser.get(f"/api/v1/studies/{study.public_id}/plans/comparison").json()["comparison"]
    assert (plan["plan"], plan["figure"], plan["checks"][0]["position"]) == (1, "reliability", "inside")
    assert plan["judgements"]["planned"] == 2 * ITEMS * JUDGEMENTS
    hits = 2 * ITEMS * JUDGEMENTS / study.questions_per_hit
    assert plan["cost"]["planned"] == pytest.approx(hits * 0.5 * 1.2, rel=0.1)
    assert plan["days"]["so_far"] < 1


def test_a_study_that_was_closed_early_expects_no_further_judgements(study: Study) -> None:
    before = reality_of(study)
    assert before.judgements.expected == 2 * ITEMS * JUDGEMENTS
    assert before.cost.expected is not None
    study.state = Study.State.CLOSED
    after = reality_of(study)
    assert (after.judgements.so_far, after.judgements.expected) == (before.judgements.so_far, None)
    assert after.cost.expected is None
    assert (before.ended, after.ended) == (False, True)


def test_the_comparison_needs_two_queries(study: Study, django_assert_num_queries: Any) -> None:
    progress, worked = progress_of(study), hours(study)
    with django_assert_num_queries(2):
        plan_reality(study, progress, worked, None)


def reality(
    check: PlanCheck | None,
    *,
    cost: tuple[float, float] = (100, 100),
    days: tuple[float, float] = (5, 5),
    wanted: int = 400,
    **further: bool,
) -> PlanReality:
    plan = Plan(number=3, parameters={"currency": "EUR"}, result={})
    return PlanReality(
        plan, "f1", "F1 of all links", [check] if check else [], Prediction(0.9, 0.85, 0.93), Amounts(400, 120, wanted),
        Amounts(cost[0], 30, cost[1]), Amounts(days[0], 1.5, days[1]), **further,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("value", "position", "level"), [(0.7, "below", "warn"), (0.85, "inside", "good"), (0.95, "above", "info")]
)
def test_the_panel_says_where_the_figure_lies_and_what_to_do(value: float, position: str, level: str) -> None:
    check = PlanCheck(clock.now(), 120, Measured(value, value - 0.03, value + 0.03), Prediction(0.85, 0.8, 0.9))
    panel = reality_panel(reality(check))
    assert check.position == position
    (advice,) = panel.advice
    assert advice.level == level
    assert f"This figure is {position} the predicted interval (.800 to .900)" in advice.text
    # Without an interval: the report's interval is calculated in another way.
    assert panel.rows[0][:3] == ("F1 of all links at 120 judgements", ".800 to .900", f"{value:.3f}".lstrip("0"))


def test_an_ended_study_is_compared_without_so_far_and_without_the_expected_end() -> None:
    study = Study(public_id="study", task_type="bws")
    check = PlanCheck(clock.now(), 120, Measured(0.85, 0.82, 0.88), Prediction(0.85, 0.8, 0.9))
    for ended in (True, False):
        panel = reality_panel(reality(check, ended=ended))
        shown = render_to_string("planning/reality.html", {"study": study, "reality": panel})
        assert ("so far" in shown, "Expected at the end" in shown) == (not ended, not ended)


@pytest.mark.parametrize(("value", "position"), [(0.7, "below"), (0.95, "above")])
def test_a_figure_outside_the_interval_of_its_own_pilot_makes_the_plan_doubtful(value: float, position: str) -> None:
    check = PlanCheck(clock.now(), 120, Measured(value), Prediction(0.85, 0.8, 0.9))
    (advice,) = reality_panel(reality(check, has_own_pilot=True)).advice
    assert advice.level == "warn"
    assert f"is {position} the predicted interval (.800 to .900), although the plan was estimated" in advice.text
    (agrees,) = reality_panel(reality(replace(check, measured=Measured(0.85)), has_own_pilot=True)).advice
    assert agrees.level == "good"


@pytest.mark.parametrize("is_pilot", [False, True])
def test_a_figure_with_a_wide_interval_contradicts_no_plan(is_pilot: bool) -> None:
    check = PlanCheck(clock.now(), 120, Measured(0.97, 0.12, 0.99), Prediction(0.85, 0.8, 0.9))
    (advice,) = reality_panel(reality(check, has_own_pilot=is_pilot)).advice
    assert (advice.level, advice.again) == ("info", False)
    assert "is above the predicted interval (.800 to .900), but its own interval is so wide" in advice.text


def test_undefined_figures_are_not_compared() -> None:
    check = PlanCheck(clock.now(), 120, Measured(None), Prediction(0.85, 0.8, 0.9))
    panel = reality_panel(reality(check))
    assert [advice.level for advice in panel.advice] == ["info"]
    assert (check.position, panel.chart) == (None, None)


def test_higher_costs_and_later_ends_are_reported() -> None:
    inside = PlanCheck(clock.now() - timedelta(hours=1), 120, Measured(0.85), Prediction(0.85, 0.8, 0.9))
    assert len(reality_panel(reality(inside, cost=(100, 109), days=(0.5, 1.4))).advice) == 1
    _, cost, days = reality_panel(reality(inside, cost=(100, 125), days=(5, 9.26))).advice
    assert cost.text.startswith("The expected total cost is €125.00 instead of the planned €100.00.")
    assert cost.text.endswith("Check the reward in the settings.")
    assert days.text.startswith("At the current pace, the study takes 9.3 days instead of the planned 5.0.")
    _, cost = reality_panel(reality(inside, cost=(100, 125), wanted=500)).advice
    assert cost.text.endswith("The study asks for 500 judgements instead of 400.")
    _, cost, days = reality_panel(reality(inside, cost=(100, 125), days=(5, 9.26), complete=True)).advice
    assert (cost.level, cost.text) == ("info", "The study cost €125.00 instead of the planned €100.00.")
    assert (days.level, days.text) == ("info", "The study took 9.3 days instead of the planned 5.0.")


def test_the_latest_check_belongs_to_the_plan(study: Study) -> None:
    plan = plan_in_use(study)
    assert plan is not None
    assert latest_check(study, plan) == plan_checks(study, plan)[-1]
    assert latest_check(study, Plan(number=99)) is None


def test_an_assumption_that_is_newer_than_the_plan_has_values_from_its_range(study: Study) -> None:
    plan = plan_in_use(study)
    assert plan is not None
    plan.result["draws"] = {"spread": [2.0] * 200}  # estimated from a pilot, by a model without careless annotators
    spread, careless = draws_of(plan, planning_of(study), PlanParameters(**plan.parameters)).T
    assert set(spread) == {2.0}
    assert 0 <= careless.min() < 0.05 < 0.25 < careless.max() <= 0.3
