"""Adaptive rounds: how their questions are chosen, added, logged and reproduced, and how reports use their answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from accord_core.bws.numerics.reliability import split_half_reliability
from accord_core.exchange.arrays import unpack
from annotate.core.permissions import SYSTEM
from annotate.data.selectors.additions import latest_plan, next_round, round_parameters, rounds_of, suggested_questions
from annotate.data.services.rounds import add_round, choose_round
from annotate.models import Job, Report, Study
from annotate.questions.selectors.data import study_data
from annotate.results.selectors.exports import answers_jsonl
from annotate.results.services import make_report, recompute
from annotate.server.refusals import Refused
from annotate.studies.services.study import archive_study, close_study
from bws.columns import judgements_of
from bws.columns import rounds_of as rounds_of_columns
from bws.report import splits_of
from tests.console_study import browser_of, collected
from tests.factories import do_hit, make_annotator, make_study, member_of, take
from tests.markup import markup

pytestmark = pytest.mark.django_db


def ignore(share: float, text: str) -> None:
    """Ignore the progress."""


def report_on(study: Study, kind: str, **parameters: Any) -> Report:
    return make_report(study.pk, kind=kind, parameters=parameters, user=SYSTEM, progress=ignore)


def choose(study: Study, questions: int = 12) -> Report:
    return report_on(study, "round", **round_parameters(now(study), questions))


def now(study: Study) -> Study:
    return Study.objects.select_related("design").get(pk=study.pk)


@pytest.fixture(scope="module")
def shared_study(share: Any) -> Study:
    return share(lambda: collected(items=12, annotators=3, gold=0, reward="0.50"))


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


@pytest.mark.nightly
def test_a_chosen_round_adds_questions_after_all_others(study: Study) -> None:
    before = list(study.questions.filter(kind="regular").order_by("pk").values_list("ref", "payload"))
    wanted, place, hits = now(study).judgements_planned, study.slots.count(), study.hits.count()
    report = choose(study, 12)
    assert study.questions.filter(kind="regular").count() == len(before), "choosing adds nothing"
    plan = latest_plan(now(study))
    assert plan is not None
    size = study.questions_per_hit
    assert (plan.questions, plan.hits, plan.cost) == (12, -(-12 // size), study.reward * -(-12 // size))

    added = add_round(study.pk, report.number, user=SYSTEM)
    questions = list(study.questions.filter(kind="regular").order_by("pk"))
    assert [(each.ref, each.payload) for each in questions[: len(before)]] == before
    new = questions[len(before) :]
    assert [each.adaptive_round for each in new] == [added] * 12
    assert [each.payload for each in new] == report.result["questions"]
    assert new[0].ref == "round-1-01"
    assert now(study).judgements_planned == wanted + 12
    assert list(study.slots.filter(place__gt=place).order_by("place").values_list("hit__number", flat=True)) == [
        *range(hits + 1, hits + 1 + plan.hits)
    ], "each HIT of the round is assigned once"
    design = now(study).design
    assert design is not None
    assert (design.result["questions"], design.result["round"]) == (len(questions), 1)
    event = study.events.get(verb="added adaptive round")
    assert event.detail == {
        "round": 1,
        "report": report.number,
        "seed": study.seed,
        "questions": 12,
        "hits": plan.hits,
    }
    assert latest_plan(now(study)) is None
    assert next_round(study) == 2


def test_the_round_can_be_reproduced_from_its_log_entry(study: Study) -> None:
    add_round(study.pk, choose(study).number, user=SYSTEM)
    event = study.events.get(verb="added adaptive round")
    report = study.reports.get(kind="round", number=event.detail["report"])
    assert recompute(report)["questions"] == report.result["questions"]
    asked = study.questions.filter(adaptive_round__number=event.detail["round"]).order_by("pk")
    assert list(asked.values_list("payload", flat=True)) == recompute(report)["questions"]
    before = list(study.questions.filter(kind="regular", adaptive_round=None).values_list("payload", flat=True))
    assert len(unpack(bytes(report.input))["tuples"]) == len(before)


@pytest.mark.nightly
def test_a_round_is_added_once_and_only_to_the_design_for_which_it_was_chosen(study: Study) -> None:
    first, second = choose(study), choose(study, 8)
    add_round(study.pk, second.number, user=SYSTEM)
    for number in (first.number, second.number):
        with pytest.raises(Refused, match="Choose the round again") as refusal:
            add_round(study.pk, number, user=SYSTEM)
        assert refusal.value.code == "changed"
    with pytest.raises(Refused) as refusal:
        add_round(study.pk, 99, user=SYSTEM)
    assert refusal.value.code == "not_found"
    third = choose(study)
    assert (third.parameters["round"], add_round(study.pk, third.number, user=SYSTEM).number) == (2, 2)
    assert study.questions.filter(kind="regular", adaptive_round__number=2).count() == 12


@pytest.mark.nightly
def test_answers_of_rounds_count_in_scores_but_not_in_reliability(study: Study) -> None:
    before = report_on(study, "results")
    add_round(study.pk, choose(study).number, user=SYSTEM)
    annotator = make_annotator(study)
    while study.slots.filter(open=1).exists():
        do_hit(annotator)
    assert [(row.number, row.judgements) for row in rounds_of(study)] == [(1, 12)]

    after = report_on(study, "results")
    assert after.result["rounds"] == [
        {"round": 0, "judgements": before.result["judgements"]},
        {"round": 1, "judgements": 12},
    ]
    assert after.result["judgements"] == before.result["judgements"] + 12
    assert after.result["reliability"]["whole"] == before.result["reliability"]["whole"]
    assert after.result["noise_ceiling"] == before.result["noise_ceiling"]
    assert sum(after.result["scores"]["appearances"]) == 4 * after.result["judgements"]
    assert "do not include 12 judgements from adaptive rounds" in after.result["headline"]["caption"]
    columns = unpack(bytes(after.input))
    random = judgements_of(columns).take(rounds_of_columns(columns) == 0)
    whole = split_half_reliability(random, splits=splits_of(random), seed=study.seed, unit="tuples")
    assert after.result["reliability"]["whole"]["spearman"]["mean"] == pytest.approx(whole.spearman_mean)
    assert recompute(after) == after.result

    lines = [json.loads(line) for line in b"".join(answers_jsonl(study_data(study))).splitlines()]
    assert sum(line["round"] == 1 for line in lines) == 12


def test_a_round_needs_judgements_a_permission_and_a_suitable_task_type(study: Study) -> None:
    empty = make_study(items=8)
    assert choose(empty).result["reason"] == "No judgements count yet."
    with pytest.raises(Refused, match="No judgements count yet") as refusal:
        add_round(empty.pk, 1, user=SYSTEM)
    assert refusal.value.code == "empty"
    with pytest.raises(Refused, match="Open the study") as refusal:
        choose_round(make_study(items=8, state="draft"), 5, user=SYSTEM)
    for wrong in (0, 10_001):
        with pytest.raises(Refused, match="between 1 and 10,000"):
            choose_round(study, wrong, user=SYSTEM)
    with pytest.raises(Refused, match="role"):
        choose_round(study, 5, user=member_of(study, "reviewer"))
    Study.objects.filter(pk=study.pk).update(task_type="layout")
    with pytest.raises(Refused, match="no adaptive rounds"):
        choose_round(now(study), 5, user=SYSTEM)


def test_a_round_cannot_be_added_to_an_archived_study(study: Study) -> None:
    report = choose(study)
    close_study(study.pk, user=SYSTEM)
    archive_study(study.pk, user=SYSTEM)
    with pytest.raises(Refused) as refusal:
        add_round(study.pk, report.number, user=SYSTEM)
    assert refusal.value.code == "archived"


@pytest.mark.nightly
def test_the_page_shows_the_cost_before_a_round_is_added(study: Study) -> None:
    browser, place = browser_of(study), f"/console/{study.public_id}/rounds/"
    page = markup(browser.get(place))
    assert f'name="questions" value="{suggested_questions(study)}"' in page
    assert browser.post(place, {"questions": "0"}).status_code == 422
    assert browser.post(place, {"questions": "12"}).status_code == 302
    assert study.jobs.get(kind="report-round").parameters["questions"] == 12
    study.jobs.update(state=Job.State.DONE)

    report = choose(study)
    page = markup(browser.get(place))
    assert "Add round 1 for" in page
    answer = browser.post(f"{place}{report.number}/add/", follow=True)
    assert "Round 1 was added" in answer.content.decode()
    assert "Added rounds" in answer.content.decode()
    assert "Choose the round again" in browser.post(f"{place}{report.number}/add/", follow=True).content.decode()
    assert browser_of(study, "reviewer").get(place).status_code == 404


def test_pages_of_other_task_types_do_not_offer_rounds(study: Study) -> None:
    browser = browser_of(study)
    assert "Adaptive rounds" in browser.get(f"/console/{study.public_id}/judgements/").content.decode()
    Study.objects.filter(pk=study.pk).update(task_type="layout")
    assert browser.get(f"/console/{study.public_id}/rounds/").status_code == 404


def test_annotators_claim_the_hits_of_a_round(study: Study) -> None:
    added = add_round(study.pk, choose(study).number, user=SYSTEM)
    assert take(make_annotator(study)).hit.number == added.first_hit


def test_the_suggested_number_fills_whole_hits_within_the_limit(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    size = study.questions_per_hit
    assert suggested_questions(study) == -(-6 // size) * size, "half a question per item"
    monkeypatch.setattr("annotate.data.selectors.additions.items_imported", lambda study, in_design: 1_000_000)
    assert suggested_questions(study) == 10_000 // size * size
