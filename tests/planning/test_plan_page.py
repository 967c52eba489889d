"""Tests of the page Plan: calculation by a job, stored plans, impossible plans, and the plan in use."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accord_core.numerics.printed import coefficient, money
from alignment_ui.words.planning import PLANNING as WORDS
from annotate.core.permissions import SYSTEM
from annotate.core.services import jobs
from annotate.data.selectors.design import cost_of
from annotate.data.services.imports import import_file
from annotate.models import Event, Job, Study, User
from annotate.planning.models import Plan
from annotate.planning.selectors.estimates import agreeing_plan, estimate_parameters
from annotate.planning.selectors.plans import plan_in_use, plan_jobs, usual_parameters
from annotate.planning.services.plans import designs_of, planning_of, request_plan, use_plan
from annotate.server.refusals import Refused
from annotate.studies.services.team import create_team_study
from annotate.tasktypes import InvalidOptions
from annotate.tasktypes.plan_calculation import calculate_plan, prepare_plan
from annotate.tasktypes.plan_parameters import clean_parameters
from tests.console_study import browser_of, page_of
from tests.factories import UserFactory, add_items, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db

SAME_FIGURE = "but the predicted agreement stays the same."
FEW = {"studies": 20, "answers": [2, 4], "target": 0.7, "price": 0.6, "budget": 90.0, "per_hit": 10}


@pytest.fixture(scope="module")
def made(share: Callable[[Callable[[], Any]], Any]) -> tuple[int, int]:
    """A draft of 100 items with one plan, and its owner."""

    def make() -> tuple[int, int]:
        user = UserFactory()
        study = make_study(items=100, user=user, state=Study.State.DRAFT, design=False)
        calculated(study)
        return study.pk, user.pk

    return share(make)


@pytest.fixture
def study(made: tuple[int, int]) -> Study:
    return Study.objects.get(pk=made[0])


@pytest.fixture
def owner(made: tuple[int, int]) -> User:
    return User.objects.get(pk=made[1])


@pytest.fixture
def client(owner: User) -> Client:
    client = Client()
    client.force_login(owner)
    return client


def parameters_of(study: Study, **changed: Any) -> dict[str, Any]:
    return {**usual_parameters(study, planning_of(study)), **FEW, **changed}


def calculated(study: Study, **changed: Any) -> Plan:
    job = request_plan(study, parameters_of(study, **changed), user=SYSTEM)
    assert isinstance(job, Job)
    jobs.run(job.pk)
    plan = request_plan(study, parameters_of(study, **changed), user=SYSTEM)
    assert isinstance(plan, Plan)
    return plan


@pytest.mark.nightly
def test_the_first_values_come_from_the_study(study: Study) -> None:
    usual = usual_parameters(study, planning_of(study))
    assert (usual["items"], usual["design"]) == (100, {"size": 4, "factor": study.options["factor"]})
    assert usual["answers"] == [2, 4, 6, 8]
    assert usual["target"] == study.options["target"]


def test_a_plan_is_calculated_once_and_stored(study: Study) -> None:
    plan = study.plans.get()
    assert (plan.number, plan.parameters["studies"], plan.result["studies"]) == (1, 20, 20)
    assert request_plan(study, parameters_of(study), user=SYSTEM) == plan
    planning = planning_of(study)
    again = calculate_plan(
        prepare_plan(planning, clean_parameters(planning, plan.parameters)), lambda share, text: None
    )
    assert again == plan.result


def test_identical_requests_share_a_job_and_other_requests_do_not_wait(study: Study) -> None:
    raw = parameters_of(study, seed=2)
    first, second = (request_plan(study, raw, user=SYSTEM) for _ in range(2))
    assert first == second
    assert isinstance(first, Job)
    other = request_plan(study, parameters_of(study, seed=3), user=SYSTEM)
    assert other not in (first, study.plans.get())


@pytest.mark.nightly
def test_a_repeated_job_stores_one_plan(study: Study) -> None:
    job = request_plan(study, parameters_of(study, seed=2), user=SYSTEM)
    assert isinstance(job, Job)
    jobs.run(job.pk)
    Job.objects.filter(pk=job.pk).update(state=Job.State.WAITING)  # as if the worker had ended before the job's end
    jobs.run(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.DONE
    assert [plan.number for plan in study.plans.order_by("number")] == [1, 2]


def test_the_search_compares_tuple_factors(study: Study) -> None:
    result = study.plans.get().result
    factors = [row["design"]["factor"] for row in result["searched"]]
    assert factors == [2.0, 1.5, 3.0, 4.0]
    reaching = [float(row["cost"]) for row in result["searched"] if row["per_question"]]
    assert float(result["searched"][result["cheapest"]]["cost"]) == min(reaching)


def test_a_design_for_the_budget_can_be_chosen(study: Study) -> None:
    plan = study.plans.get()
    row = plan.result["for_budget"][0]
    chosen = {"per_question": row["per_question"], "design": row["design"]}
    assert chosen in designs_of(plan)
    assert designs_of(plan).count(chosen) == 1
    used = use_plan(plan.pk, **chosen, change_study=False, user=SYSTEM)
    assert used.chosen == chosen
    assert float(row["cost"]) <= plan.parameters["budget"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"items": 0}, "at least 1"),
        ({"items": 1}, "at least 4 items"),
        ({"budget": 0.0}, "A budget of"),
        ({"price": 0.0}, "enter the price"),
        ({"answers": [30]}, "each annotator answers a question only once"),
        ({"items": 100_000, "design": {"size": 4, "factor": 50.0}}, "the limit is 1,000,000"),
        ({"items": 100_000, "answers": [5], "studies": 2000}, "2,000,000,000 judgements in all.*limit is 300,000,000"),
        ({"assumptions": {"careless": [0.3, 0.2]}}, "the lower bound first"),
        ({"assumptions": {"speed": 1}}, "no such assumption"),
        ({"assumptions": {"careless": 10**400}}, "the lower bound first"),
        ({"target": 2}, "at most 0.999"),
        ({"target": 10**400}, "must be a number"),
        ({"items": float("inf")}, "must be an integer"),
        ({"seconds": float("nan")}, "must be a number, not nan"),
        ({"colour": "red"}, "no parameter with this name"),
    ],
)
def test_impossible_plans_are_refused_with_a_sentence(study: Study, changed: dict[str, Any], message: str) -> None:
    with pytest.raises(Refused, match=message) as refused:
        request_plan(study, parameters_of(study, **changed), user=SYSTEM)
    assert refused.value.code in ("invalid", "impossible-plan")
    assert not study.jobs.exclude(state=Job.State.DONE).exists()


def test_alignments_have_lower_limits_because_they_need_more_memory_and_time(study: Study) -> None:
    raw = {**parameters_of(study), "items": 50_000, "design": {}, "assumptions": {}, "answers": [3]}
    with pytest.raises(InvalidOptions, match="studies with 150,000 alignments, but the limit is 100,000"):
        clean_parameters(WORDS, raw)
    with pytest.raises(InvalidOptions, match="the limit is 20,000,000"):
        clean_parameters(WORDS, {**raw, "items": 20_000, "studies": 400})


@pytest.mark.nightly
def test_a_study_calculates_few_plans_at_the_same_time(study: Study) -> None:
    waiting = [request_plan(study, parameters_of(study, seed=seed), user=SYSTEM) for seed in range(100, 105)]
    with pytest.raises(Refused, match="5 plans of this study are being calculated") as refused:
        request_plan(study, parameters_of(study, seed=105), user=SYSTEM)
    assert refused.value.code == "busy"
    assert request_plan(study, parameters_of(study, seed=104), user=SYSTEM) == waiting[-1]


@pytest.mark.nightly
def test_a_target_that_no_design_reaches_is_stated(study: Study) -> None:
    notes = calculated(study, target=0.999, annotators=3, answers=[2], seed=5).result["conclusions"]
    assert any(
        "The target .999 cannot be reached" in note and "even 3 judgements per question with factor 4 give" in note
        for note in notes
    )


def test_numbers_of_judgements_above_the_number_of_annotators_are_named(study: Study) -> None:
    result = calculated(study, target=None, budget=None, annotators=3, answers=[2, 4, 6, 8]).result
    assert result["notes"][-1] == (
        "The plan excludes 4, 6 and 8 judgements per question, because each of the 3 annotators answers a question "
        "only once."
    )


def test_gold_questions_without_effect_are_stated(study: Study) -> None:
    notes = calculated(study, gold=0.1, caught=0.0, target=None, seed=6).result["notes"]
    assert any("as is the case if all gold questions are easy" in note for note in notes)
    assert not any("--" in note for note in notes)


def test_a_design_can_be_used_in_a_draft(study: Study, owner: User) -> None:
    plan = study.plans.get()
    assert plan_in_use(study) is None
    chosen = next(each for each in designs_of(plan) if each["design"]["factor"] == 1.5)
    use_plan(plan.pk, **chosen, change_study=True, user=owner)
    study.refresh_from_db()
    assert plan_in_use(study) == plan
    assert (study.judgements, study.options["factor"]) == (chosen["per_question"], 1.5)
    verbs = list(Event.objects.filter(study=study).order_by("pk").values_list("verb", flat=True))
    assert verbs[-2:] == ["chose plan", "changed settings"]


@pytest.mark.nightly
def test_set_up_shows_what_each_number_of_judgements_costs_and_gains(study: Study, client: Client) -> None:
    study.plans.update(parameters=study.plans.get().parameters | {"items": 50})  # a plan of other items
    page = markup(client.get(page_of(study)))
    assert 'hx-trigger="load"' in page, "the page asks for the estimates by itself"
    assert 'hx-trigger="load"' not in markup(client.get(page_of(study), headers={"HX-Request": "true"})), "but once"
    client.post(page_of(study, "plan/estimate/"))
    jobs.run(plan_jobs(study)[0].pk)
    plan = study.plans.latest("number")
    row = plan.result["designs"][1]
    page = markup(client.get(page_of(study)))
    assert f"{coefficient(row['figures'][plan.result['target_figure']]['value'])}" in page
    assert "20 seconds per question (usual for this task), and the usual quality of work" in page
    assert SAME_FIGURE not in page
    used = client.post(page_of(study, f"plan/{plan.number}/use/"), {"design": "1", "change_study": "on", "setup": "1"})
    assert used.url == page_of(study)
    assert "The study asks for 3 judgements per question." in markup(client.get(used.url))
    study.refresh_from_db()
    assert study.judgements == row["per_question"]


@pytest.mark.nightly
def test_the_slider_and_the_opening_state_the_same_cost(owner: User, client: Client) -> None:
    study = make_study(
        items=23, user=owner, state=Study.State.DRAFT, judgements=2, questions_per_hit=4, gold=8, reward="0.50"
    )
    request_plan(study, estimate_parameters(study, planning_of(study), owner), user=SYSTEM)
    jobs.run(plan_jobs(study)[0].pk)
    cost = money(cost_of(study, study.design).total, "USD")
    page = markup(client.get(page_of(study)))
    assert f'data-says="{{cost}}">{cost}<' in page
    assert f": {cost} with gold questions" in page


@pytest.mark.nightly
def test_the_rule_catches_only_annotators_who_share_enough_gold_questions(owner: User) -> None:
    """Estimates made without the rule's effect no longer agree with the study."""
    study = make_study(
        items=24, user=owner, state=Study.State.DRAFT, judgements=2, questions_per_hit=4, gold=12, rule_minimum=3
    )
    study.rule_threshold = 0.7
    planning = planning_of(study)
    request_plan(study, estimate_parameters(study, planning, owner), user=SYSTEM)
    jobs.run(plan_jobs(study)[0].pk)
    assert usual_parameters(study, planning)["caught"] == 0  # 20 annotators answer few gold questions each
    assert agreeing_plan(study, estimate_parameters(study, planning, owner))
    study.annotator_limit = 2
    assert usual_parameters(study, planning)["caught"] > 0.5
    assert agreeing_plan(study, estimate_parameters(study, planning, owner)) is None


@pytest.mark.nightly
def test_only_links_and_the_search_lead_to_the_page(study: Study, client: Client) -> None:
    assert page_of(study, "plan/") in markup(client.get(page_of(study, "find/"), {"q": "plan"}))
    assert page_of(study, "plan/") not in markup(client.get(page_of(study, "items/")))


@pytest.mark.nightly
def test_two_named_annotators_leave_nothing_to_choose(study: Study, owner: User) -> None:
    Study.objects.filter(pk=study.pk).update(admission=Study.Admission.NAMED, annotator_limit=2)
    study.refresh_from_db()
    parameters = estimate_parameters(study, planning_of(study), owner)
    assert parameters["answers"] == []
    assert parameters["assumptions"]["careless"] == [0, 0]
    assert "How many judgements" not in markup(browser_of(study, "owner").get(page_of(study)))


@pytest.mark.nightly
def test_only_one_plan_is_in_use(study: Study, owner: User) -> None:
    first, second = study.plans.get(), calculated(study, seed=7)
    for plan in (first, second):
        use_plan(plan.pk, **designs_of(plan)[0], user=owner)
    assert plan_in_use(study) == second
    with pytest.raises(Refused, match="does not contain this design"):
        use_plan(first.pk, per_question=17, design={}, user=owner)
    assert plan_in_use(study) == second


def test_settings_of_an_open_study_stay_as_they_are(study: Study, owner: User) -> None:
    Study.objects.filter(pk=study.pk).update(state=Study.State.OPEN)
    plan = study.plans.get()
    chosen = designs_of(plan)[-1]
    with pytest.raises(Refused, match="locked"):
        use_plan(plan.pk, **chosen, change_study=True, user=owner)
    assert plan_in_use(study) is None
    use_plan(plan.pk, **chosen, user=owner)
    assert plan_in_use(study) == plan


def sent(client: Client, study: Study, **changed: Any) -> Any:
    """Send the form of the page as a browser does, with changed fields."""
    page = client.get(reverse("console:plan", args=[study.public_id]))
    form = page.context["form"]
    values = {name: form[name].value() for name in form.fields}
    return client.post(
        reverse("console:calculate-plan", args=[study.public_id]),
        {name: "" if value is None else value for name, value in {**values, **changed}.items()},
    )


def test_the_page_shows_the_newest_plan(client: Client, study: Study) -> None:
    response = client.get(reverse("console:plan", args=[study.public_id]))
    text = markup(response)
    assert "Plan 1" in text
    assert "The cheapest design with a reliability of at least .70" in text
    assert [chart.id for chart in response.context["charts"]] == ["plan-reliability", "plan-smallest-difference"]
    assert response.context["searched"].columns[0] == "Ratio of questions to items"
    assert response.context["for_budget"].columns[-1] == "Standard error of a score from −1 to 1"
    assert len(response.context["for_budget"].rows) == len(study.plans.get().result["for_budget"]) > 1


def test_a_figure_that_no_design_defines_has_no_chart(client: Client, study: Study) -> None:
    stored = study.plans.get()
    for row in stored.result["designs"]:
        row["figures"]["smallest_difference"] = {"value": None, "low": None, "high": None}
    stored.save(update_fields=["result"])
    response = client.get(reverse("console:plan", args=[study.public_id]))
    assert [chart.id for chart in response.context["charts"]] == ["plan-reliability"]


@pytest.mark.nightly
def test_an_open_study_is_offered_a_design_with_its_own_questions(client: Client, study: Study) -> None:
    def offered() -> dict[str, Any]:
        response = client.get(reverse("console:plan", args=[study.public_id]))
        return designs_of(study.plans.get())[response.context["use_form"].initial["design"]]

    cheapest = offered()
    assert cheapest["design"]["factor"] != study.options["factor"]
    Study.objects.filter(pk=study.pk).update(state=Study.State.OPEN, judgements=4)
    assert offered() == {"per_question": 4, "design": {**cheapest["design"], "factor": 2.0}}


@pytest.mark.nightly
def test_the_form_requests_a_plan_or_opens_the_stored_plan(client: Client, study: Study) -> None:
    stored = sent(client, study)
    assert stored.url == reverse("console:stored-plan", args=[study.public_id, 1])
    requested = sent(client, study, assume_careless="0.05-0.2", answers="2,3")
    assert requested.url == reverse("console:plan", args=[study.public_id])
    job = study.jobs.get(state=Job.State.WAITING)
    assert job.parameters["plan"]["assumptions"] == {"spread": [1.5, 1.5], "careless": [0.05, 0.2]}
    assert job.parameters["plan"]["answers"] == [2, 3]
    waiting = client.get(requested.url)
    assert "waiting for a free worker" in markup(waiting)
    assert waiting.context["form"]["assume_careless"].value() == "0.05-0.2"
    jobs.run(job.pk)
    assert "Plan 2" in markup(client.get(requested.url))


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("changed", "status", "message"),
    [
        ({"answers": "2;4"}, 400, "Enter whole numbers separated by commas"),
        ({"assume_careless": "many"}, 400, "many is not a number or a range"),
        ({"budget": "0"}, 409, "A budget of"),
        ({"design_size": "9"}, 400, "less than or equal to 6"),
    ],
)
def test_the_form_states_errors(
    client: Client, study: Study, changed: dict[str, str], status: int, message: str
) -> None:
    response = sent(client, study, **changed)
    assert response.status_code == status
    assert message in markup(response)


@pytest.mark.nightly
def test_the_page_uses_a_design(client: Client, study: Study) -> None:
    plan = study.plans.get()
    place = reverse("console:use-plan", args=[study.public_id, plan.number])
    response = client.post(place, {"design": 1, "change_study": "on"}, follow=True)
    assert "The study uses plan 1" in markup(response)
    study.refresh_from_db()
    assert study.judgements == 4
    assert "Choose one of the designs" in markup(client.post(place, {"design": 99}, follow=True))


def test_viewers_see_plans_but_cannot_calculate_them(study: Study) -> None:
    viewer = browser_of(study, "viewer")
    text = markup(viewer.get(reverse("console:plan", args=[study.public_id])))
    assert "Plan 1" in text
    assert "Calculate" not in text
    assert "Use this plan" not in text
    assert viewer.post(reverse("console:calculate-plan", args=[study.public_id]), {}).status_code == 404


def test_layouts_have_no_page(client: Client, owner: User) -> None:
    layout = make_study(items=0, user=owner, state=Study.State.DRAFT, task_type="layout", options={})
    assert client.get(reverse("console:plan", args=[layout.public_id])).status_code == 404
    assert "/plan/" not in markup(client.get(reverse("console:overview", args=[layout.public_id])))


@pytest.mark.nightly
def test_a_new_study_without_items_can_be_planned(client: Client, owner: User) -> None:
    empty = make_study(items=0, user=owner, state=Study.State.DRAFT)
    response = client.get(reverse("console:plan", args=[empty.public_id]))
    assert response.context["form"]["items"].value() is None
    assert "The share of annotators stopped by the quality rule is unknown." in markup(response)
    assert "This field is required" in markup(sent(client, empty))
    requested = sent(client, empty, items="2000", budget="1500", price="0.6")
    assert requested.url == reverse("console:plan", args=[empty.public_id])


def test_plans_of_an_archived_study_can_only_be_read(client: Client, study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(state=Study.State.ARCHIVED)
    text = markup(client.get(reverse("console:plan", args=[study.public_id])))
    assert "Plan 1" in text
    assert "Calculate" not in text
    with pytest.raises(Refused, match="This study is archived"):
        request_plan(study, parameters_of(study, seed=9), user=SYSTEM)


def test_the_usual_design_is_read_from_some_items(study: Study, django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(20) as queries:
        usual_parameters(study, planning_of(study))
    (items,) = [query["sql"] for query in queries if "annotate_item" in query["sql"]]
    assert "LIMIT 500" in items


def test_the_first_plan_has_number_1(client: Client, study: Study) -> None:
    assert client.get(reverse("console:stored-plan", args=[study.public_id, 1])).status_code == 200
    assert client.get(reverse("console:stored-plan", args=[study.public_id, 0])).status_code == 404


def test_a_team_gets_estimates_when_its_annotators_are_known() -> None:
    study = create_team_study(user=UserFactory(), title="Pairs", task_type="bws")
    add_items(study, 8)
    browser = browser_of(study)
    assert not browser.get(page_of(study)).context["estimates"]
    browser.post(page_of(study, "named/add/"), {"names": "Ada\nBea\nCai", "setup": "1"})
    assert "How many judgements per question?" in markup(browser.get(page_of(study)))


@pytest.mark.nightly
def test_set_up_says_if_more_annotators_do_not_change_the_figure() -> None:
    study = create_team_study(user=UserFactory(), title="Pairs", task_type="chunks")
    table = "source,target\n" + "".join(f"Cat {number} sleeps,Dog {number} runs\n" for number in range(12))
    import_file(study, purpose="items", filename="pairs.csv", data=table.encode(), user=SYSTEM)
    browser = browser_of(study)
    browser.post(page_of(study, "named/add/"), {"names": "Ada\nBea\nCai", "setup": "1"})
    browser.post(page_of(study, "plan/estimate/"))
    jobs.run(plan_jobs(study)[0].pk)
    assert f"More annotators per pair add work, {SAME_FIGURE}" in markup(browser.get(page_of(study)))
