"""Tests of targets: the prediction, the pause at the target, the overview panel, the to-do list and the API."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from itertools import chain
from typing import Any

import pytest
from django.test import Client

from accord_core.numerics.still_needed import Attained
from annotate import tasktypes
from annotate.annotator.simulation import simulate
from annotate.console.pages.target import rounded, target_panel
from annotate.console.services import todo_of
from annotate.core.permissions import SYSTEM
from annotate.core.services.claim import claim
from annotate.core.services.jobs import request_job, run
from annotate.models import Job, Study
from annotate.people.services import exclude_answer
from annotate.questions.services.refresh import refresh_open_studies
from annotate.results.selectors.reports import Snapshot
from annotate.server import clock
from annotate.server.refusals import Refused
from annotate.studies.selectors import Target, judgements_missing, savings, target_of
from annotate.studies.services.settings import change_settings
from annotate.studies.services.study import close_study, open_study
from annotate.studies.services.target import check_target
from annotate.tasktypes import Headline, extensions
from tests.console_study import browser_of, page_of, report_on
from tests.factories import do_hit, make_annotator, make_study, take
from tests.markup import markup
from tests.word_study import word_study

pytestmark = pytest.mark.django_db

ROUND = 8  # HITs of 40 tuples
LOW, HIGH = Decimal("0.05"), Decimal("0.9999")


def begun() -> Study:
    """Return an open study with 40 tuples, in which three of six rounds of HITs are done."""
    study = make_study(items=20, judgements=6, target_figure="reliability", target_value=LOW, target_pauses=True)
    simulate(study, user=SYSTEM, annotators=6, hits=3 * ROUND, seed=3, as_people=True)
    report_on(study, "progress")
    return study


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(begun)


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def target(study: Study) -> Target:
    found = target_of(Study.objects.get(pk=study.pk))
    assert found is not None
    return found


def panel(study: Study) -> str:
    study = Study.objects.get(pk=study.pk)
    shown = target_panel(study, target_of(study))
    assert shown is not None
    return " ".join([shown.title, shown.label, *shown.outlook, *chain(*shown.details)])


def set_target(study: Study, **settings: Any) -> None:
    change_settings(study.pk, user=SYSTEM, **settings)


class TestPausing:
    def test_a_study_pauses_when_it_reaches_its_target(self, study: Study) -> None:
        assert check_target(study.pk)
        study.refresh_from_db()
        assert study.state == Study.State.PAUSED
        assert study.target_paused_at is not None
        event = study.events.get(verb="paused")
        assert event.user is None
        assert event.detail["judgements_saved"] == 3 * 40
        assert Decimal(event.detail["rewards_saved"]) == 3 * ROUND * study.reward

    def test_the_job_of_a_report_pauses_the_study(self, study: Study) -> None:
        run(request_job(study, "report:progress", user=SYSTEM).pk)
        study.refresh_from_db()
        assert study.state == Study.State.PAUSED

    def test_the_study_pauses_even_if_other_work_on_the_report_fails(
        self, study: Study, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(job: Job) -> None:
            raise Refused("busy", "Another job has not finished.")

        failing = replace(extensions._registry["integrity"], after_report=fail)
        monkeypatch.setitem(extensions._registry, "integrity", failing)
        run(request_job(study, "report:progress", user=SYSTEM).pk)
        study.refresh_from_db()
        assert study.state == Study.State.PAUSED

    def test_annotators_finish_open_hits_but_get_no_new_hits(self, study: Study) -> None:
        annotator, late = make_annotator(study), make_annotator(study)
        open_hit = take(annotator)
        check_target(study.pk)
        again = claim(annotator.pk)
        assert again.resumed
        assert again.assignment == open_hit
        assert claim(late.pk).why == "paused"

    def test_a_second_check_changes_nothing(self, study: Study) -> None:
        assert check_target(study.pk)
        assert not check_target(study.pk)
        assert study.events.filter(verb="paused").count() == 1

    def test_a_study_that_a_person_has_opened_again_is_not_paused_again(self, study: Study) -> None:
        check_target(study.pk)
        open_study(study.pk, user=SYSTEM)
        assert not check_target(study.pk)
        assert "a member opened the study again" in panel(study)

    def test_a_new_target_can_pause_the_study_again(self, study: Study) -> None:
        check_target(study.pk)
        open_study(study.pk, user=SYSTEM)
        set_target(study, target_value=Decimal("0.06"))
        assert check_target(study.pk)

    def test_a_new_target_is_checked_without_a_new_report(self, study: Study) -> None:
        set_target(study, target_value=HIGH)
        refresh_open_studies()
        study.refresh_from_db()
        assert study.is_open
        set_target(study, target_value=LOW)
        refresh_open_studies()
        study.refresh_from_db()
        assert study.state == Study.State.PAUSED

    @pytest.mark.parametrize("settings", [{"target_pauses": False}, {"target_value": HIGH}, {"target_figure": ""}])
    def test_a_study_continues_without_a_reached_target(self, study: Study, settings: dict[str, Any]) -> None:
        set_target(study, **settings)
        assert not check_target(study.pk)
        study.refresh_from_db()
        assert study.is_open

    def test_a_study_continues_below_the_minimum_of_a_single_question(self, study: Study) -> None:
        set_target(study, target_minimum=4)
        assert not check_target(study.pk)
        assert target(study).missing == 40
        assert "40 judgements are missing until each question has the minimum of 4." in panel(study)

    @pytest.mark.nightly
    def test_a_study_continues_after_answers_have_been_excluded_since_the_report(self, study: Study) -> None:
        set_target(study, target_minimum=2)
        answer = study.assignments.first().answers.first()  # type: ignore[union-attr]
        assert answer is not None
        exclude_answer(answer.pk, reason="too fast", user=SYSTEM)
        assert not check_target(study.pk)
        report_on(study, "progress")
        assert check_target(study.pk)

    @pytest.mark.nightly
    def test_a_pilot_is_not_paused(self) -> None:
        study = make_study(
            items=20,
            judgements=3,
            pilot_hits=4,
            piloting=True,
            target_figure="reliability",
            target_value=LOW,
            target_minimum=2,
            target_pauses=True,
        )
        simulate(study, user=SYSTEM, annotators=6, seed=3)
        report_on(study, "progress")
        assert not check_target(study.pk)

    @pytest.mark.nightly
    def test_a_complete_study_is_not_paused(self, study: Study) -> None:
        for _ in range(3):
            annotator = make_annotator(study)
            for _ in range(ROUND):
                do_hit(annotator)
        report_on(study, "progress")
        assert savings(study).judgements == 0
        assert not check_target(study.pk)

    def test_a_closed_study_stays_closed(self, study: Study) -> None:
        close_study(study.pk, user=SYSTEM)
        assert not check_target(study.pk)
        study.refresh_from_db()
        assert study.state == Study.State.CLOSED


class TestPrediction:
    def test_the_minimum_counts_each_question(self, study: Study) -> None:
        assert judgements_missing(study) == 0
        study.target_minimum = 5
        assert judgements_missing(study) == 2 * 40

    def test_without_answers_there_is_no_prediction(self) -> None:
        study = make_study(items=20, target_figure="reliability", target_value=LOW)
        assert not check_target(study.pk)
        assert target(study).needed is None
        assert "The first prediction appears after the first report" in panel(study)

    @pytest.mark.nightly
    def test_with_one_judgement_per_question_there_is_no_prediction(self) -> None:
        study = make_study(items=20, judgements=6, target_figure="reliability", target_value=LOW, target_pauses=True)
        simulate(study, user=SYSTEM, annotators=6, hits=ROUND, seed=3)
        report_on(study, "progress")
        assert target(study).attained is not None
        assert target(study).needed is None
        assert "when the questions have 2 judgements on average" in panel(study)
        assert not check_target(study.pk)

    @pytest.mark.nightly
    def test_a_report_without_the_figure_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("bws.headline.attained", lambda reliability, error: [])
        other = make_study(items=8, judgements=2, target_figure="reliability", target_value=LOW)
        simulate(other, user=SYSTEM, annotators=2)
        report_on(other, "progress")
        assert "The study’s reports do not contain this figure." in panel(other)

    @pytest.mark.nightly
    def test_a_width_also_needs_the_first_judgement_of_each_question(self) -> None:
        study = word_study(gold=False, target_figure="width", target_value=Decimal("0.1"), target_minimum=1)
        questions = study.questions.count()
        width = Attained("width", "width", 0.2, 0.2, 0.2, 2)
        report = Snapshot("progress", 1, clock.now(), 4, Headline("F1", [], attained=[width]))  # two pairs, each twice
        found = target_of(study, [report], 4)
        assert found is not None
        assert found.needed is not None
        assert found.needed.judgements == 3 * 2 + (questions - 2)

    def test_judgements_since_the_report_reduce_the_number(self, study: Study) -> None:
        set_target(study, target_value=Decimal("0.97"))
        before = target(study).needed
        annotator = make_annotator(study)
        do_hit(annotator), do_hit(annotator)
        after = target(study).needed
        assert before is not None
        assert after is not None
        assert before.judgements is not None
        assert after.judgements == before.judgements - 10

    def test_a_target_out_of_reach_is_named(self, study: Study) -> None:
        set_target(study, target_value=HIGH)
        assert target(study).is_out_of_reach
        assert "Even 50 judgements per question would give only about ." in panel(study)
        assert "out of reach" in panel(study)

    def test_a_standard_error_that_more_judgements_cannot_reach_needs_more_questions(self, study: Study) -> None:
        set_target(study, target_figure="standard_error", target_value=Decimal("0.3"))
        found = target(study)
        assert found.attained is not None
        assert found.attained.kind == "error"
        assert 0 < found.attained.floor < found.attained.value
        assert "cannot reach" not in panel(study)
        set_target(study, target_value=Decimal("0.001"))
        assert "Further judgements of the same questions cannot reach the target, but more questions can." in panel(
            study
        )
        assert target(study).is_out_of_reach

    def test_too_few_planned_judgements_are_named(self, study: Study) -> None:
        study = Study.objects.get(pk=study.pk)
        most = target(study).most
        at_end = target(study).at_end
        assert most is not None
        assert at_end is not None
        set_target(study, target_value=Decimal(f"{(most + at_end) / 2:.4f}"))
        assert "Add judgements to reach the target." in panel(study)


class TestPages:
    def test_the_overview_shows_what_the_pause_saves(self, study: Study) -> None:
        check_target(study.pk)
        shown = markup(browser_of(study).get(page_of(study)))
        assert "The study needs 120 fewer judgements than planned, and saves $12.00 in rewards." in shown
        assert "Reliability of the scores (Spearman, splits within tuples): at least .05" in shown

    def test_the_overview_of_a_study_on_prolific_names_the_open_places(self, study: Study) -> None:
        Study.objects.filter(pk=study.pk).update(recruitment=Study.Recruitment.PROLIFIC)
        assert "Places on Prolific stay open." in panel(study)
        check_target(study.pk)
        assert "Pause the study on Prolific, too." in panel(study)

    def test_a_study_without_a_target_has_no_panel(self, study: Study) -> None:
        set_target(study, target_figure="")
        assert 'id="target"' not in markup(browser_of(study).get(page_of(study)))

    def test_the_to_do_list_names_a_reached_target(self, study: Study) -> None:
        check_target(study.pk)
        entry = next(entry for entry in todo_of(Study.objects.get(pk=study.pk)) if entry.key.startswith("target:"))
        assert "120 fewer judgements than planned, and saves $12.00" in entry.detail

    def test_the_api_returns_the_target_with_the_progress(self, study: Study) -> None:
        client: Client = browser_of(study)
        body = client.get(f"/api/v1/studies/{study.public_id}/progress").json()["target"]
        assert body["figure"] == "reliability"
        assert body["judgements_needed"] == 0
        assert body["low"] < body["attained"] < body["high"]
        set_target(study, target_figure="")
        assert client.get(f"/api/v1/studies/{study.public_id}/progress").json()["target"] is None

    @pytest.mark.parametrize(("number", "shown"), [(0, 0), (99, 99), (432, 430), (1_249, 1_200), (98_765, 99_000)])
    def test_predictions_have_two_digits(self, number: int, shown: int) -> None:
        assert rounded(number) == shown


class TestSettings:
    @pytest.mark.parametrize(
        ("settings", "field"),
        [
            ({"target_figure": "f1"}, "target_figure"),
            ({"target_figure": "reliability", "target_value": None}, "target_value"),
            ({"target_figure": "reliability", "target_value": Decimal(1)}, "target_value"),
            ({"target_value": Decimal(-1)}, "target_value"),
            ({"target_figure": "reliability", "target_minimum": 1}, "target_minimum"),
            ({"target_figure": "reliability", "target_minimum": "1"}, "target_minimum"),
            ({"target_figure": "reliability", "target_value": "much"}, "target_value"),
        ],
    )
    def test_impossible_targets_are_refused(self, study: Study, settings: dict[str, Any], field: str) -> None:
        with pytest.raises(Refused) as refusal:
            set_target(study, **settings)
        assert field in refusal.value.fields

    def test_a_target_can_be_set_with_texts_as_the_command_line_does(self, study: Study) -> None:
        set_target(study, target_figure="reliability", target_value="0.9", target_minimum="3")
        study.refresh_from_db()
        assert (study.target_value, study.target_minimum) == (Decimal("0.9"), 3)

    def test_the_settings_page_offers_the_figures_of_the_task_type(self, study: Study) -> None:
        shown = markup(browser_of(study).get(page_of(study, "settings/quality/")))
        for figure in tasktypes.get("bws").reports.targets:
            assert figure.label in shown


def test_every_figure_with_a_target_has_a_possible_usual_target() -> None:
    for task in tasktypes.installed():
        names = [figure.name for figure in task.reports.targets]
        assert len(names) == len(set(names))
        for figure in task.reports.targets:
            assert 0 < figure.usual < 1
