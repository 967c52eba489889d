"""Tests that simulated annotators are never counted as people, although their answers count."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from click.testing import CliRunner
from django.test import Client

from accord_core.numerics.printed import annotators
from annotate.annotator import simulation
from annotate.annotator.simulation import simulate
from annotate.commands.study import group
from annotate.core.permissions import SYSTEM
from annotate.core.selectors.progress import progress_of
from annotate.core.selectors.spend import actual_wage
from annotate.core.services import jobs
from annotate.core.services.submit import submit
from annotate.models import Job, Report, Study
from annotate.pay.selectors.balances import pay_rows
from annotate.results.selectors.comparison import compare
from annotate.results.selectors.downloads import write_export
from annotate.results.services import recompute, share_report
from annotate.server.refusals import Refused
from tests.console_study import browser_of, page_of, report_on
from tests.factories import do_hit, make_annotator, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db


def simulated_study() -> Study:
    study = make_study(items=12, judgements=2, gold=4, rule_threshold=0, reward="0.50")
    simulate(study, user=SYSTEM, annotators=3, seed=3)
    study.assignments.update(seconds=60)
    report_on(study)
    return study


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(simulated_study)


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


@pytest.mark.nightly
def test_figures_count_judgements_but_no_people(study: Study) -> None:
    progress = progress_of(study)
    assert progress.judgements > 0
    assert (sum(progress.standings.values()), progress.simulated, progress.at_work) == (0, 3, 0)
    assert list(pay_rows(study)) == []
    assert actual_wage(study) is None
    figures = browser_of(study).get(f"/api/v1/studies/{study.public_id}/progress").json()
    assert figures["simulated_annotators"] == 3
    assert sum(figures["annotators"].values()) == figures["annotators_at_work"] == 0


@pytest.mark.nightly
def test_pages_name_simulated_annotators(study: Study) -> None:
    browser = browser_of(study)
    overview = markup(browser.get(page_of(study)))
    assert "Active annotators: 0" in overview
    assert "Simulated annotators: 3" in overview
    assert "3 simulated annotators." in " ".join(markup(browser.get(page_of(study, "annotators/"))).split())
    assert "by 3 simulated annotators" in " ".join(markup(browser.get(page_of(study, "results/1/"))).split())
    downloads = markup(browser.get(page_of(study, "downloads/")))
    assert "The answers are from 3 simulated annotators." in " ".join(downloads.split())


@pytest.mark.nightly
def test_reports_are_complete_and_state_the_number_of_simulated_annotators(study: Study) -> None:
    report = study.reports.get(kind="results")
    assert report.parameters["simulated_annotators"] == 3
    assert len(report.result["people"]) == report.result["annotators"] == 3
    assert recompute(report) == report.result
    _, token = share_report(report.pk, days=1, user=SYSTEM)
    shown = " ".join(markup(Client().get(f"/shared/{token}/")).split())
    assert "by 3 simulated annotators" in shown
    rows = {row.row.name: row.texts for row in compare(report, Report(study=study, result=report.result))[0].rows}
    assert rows["Simulated annotators"][:2] == ("3", "–")


def test_downloads_mark_the_answers(study: Study) -> None:
    lines = [json.loads(line) for line in b"".join(write_export(study, "answers.jsonl")[1]).splitlines()]
    assert lines
    assert all(line["simulated"] for line in lines)


def test_people_who_join_later_are_counted_beside_simulated_annotators(study: Study) -> None:
    person = make_annotator(study)
    progress = progress_of(study)
    assert (progress.standings["active"], progress.simulated) == (1, 3)
    assert [row.pseudonym for row in pay_rows(study)] == [person.pseudonym]
    page = " ".join(markup(browser_of(study).get(page_of(study, "annotators/"))).split())
    assert "4 annotators, including 3 simulated annotators" in page


def test_a_study_with_answers_of_people_cannot_be_simulated() -> None:
    study = make_study(items=40)
    do_hit(make_annotator(study))
    with pytest.raises(Refused, match="contains answers from people") as refusal:
        simulate(study, user=SYSTEM, annotators=1)
    assert refusal.value.code == "people"
    assert study.participations.count() == 1


@pytest.mark.nightly
def test_a_restarted_job_submits_only_the_remaining_hits(monkeypatch: pytest.MonkeyPatch) -> None:
    study = make_study(items=12, judgements=2)
    parameters = {"annotators": 2, "careless": 0.0, "seed": 1, "hits": 5}
    job = jobs.request_job(study, "simulate", parameters=parameters, user=SYSTEM)
    with monkeypatch.context() as worker:
        worker.setattr(simulation, "submit", fail_after(3, submit))
        with pytest.raises(MemoryError):
            jobs.run(job.pk)
    assert study.assignments.filter(state="done").count() == 3
    Job.objects.filter(pk=job.pk).update(state="waiting")
    jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, study.assignments.filter(state="done").count()) == ("done", 5)
    other = jobs.request_job(study, "simulate", parameters={**parameters, "hits": 1}, user=SYSTEM)
    jobs.run(other.pk)
    assert study.assignments.filter(state="done").count() == 6, "a new job counts only its own HITs"


def fail_after(number: int, service: Callable[..., Any]) -> Callable[..., Any]:
    """Return the service, which fails after this number of calls."""
    calls = count()

    def failing(*args: Any) -> Any:
        if next(calls) >= number:
            raise MemoryError
        return service(*args)

    return failing


def test_a_simulation_ends_if_people_answer_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "CHECK_EVERY", 2, raising=False)
    study = make_study(items=12, judgements=2)
    person, progress = make_annotator(study), []

    def answer(share: float, message: str) -> None:
        progress.append((share * study.assignments_planned, message))
        if not person.assignments.exists():
            do_hit(person)

    with pytest.raises(Refused, match="People answered questions in this study during") as refusal:
        simulate(study, user=SYSTEM, annotators=2, progress=answer)
    assert refusal.value.code == "people"
    assert study.assignments.filter(state="done").exclude(participation=person).count() == 2
    assert progress == [(1, "1 HIT submitted")], "the second HIT is followed by a check"


def test_the_command_needs_the_complete_id() -> None:
    study = make_study(items=40)
    result = CliRunner().invoke(group, ["simulate", study.public_id[:-1], "--annotators", "1"])
    assert result.exit_code == 1
    assert "This command needs the complete ID" in result.output
    assert not study.participations.exists()
    result = CliRunner().invoke(group, ["simulate", study.public_id, "--annotators", "1", "--max-hits", "1"])
    assert "1 simulated annotators submitted 1 HITs" in result.output


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((12, 0), "12 annotators"),
        ((1, 1), "1 simulated annotator"),
        ((1200, 1200), "1,200 simulated annotators"),
        ((12, 2), "12 annotators, including 2 simulated annotators"),
        ((0, 0), "0 annotators"),
        ((None, 0), "– annotators"),
    ],
)
def test_texts_name_simulated_annotators(numbers: tuple[int | None, int], text: str) -> None:
    assert annotators(*numbers) == text
