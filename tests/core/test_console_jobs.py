"""Tests of jobs in the console: progress, errors, and restarts of failed jobs."""

from collections.abc import Callable

import pytest

from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.core.selectors.jobs import NAMES, job_name
from annotate.core.services import jobs
from annotate.models import Job, Study
from tests.console_study import browser_of, collected, page_of
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(collected)


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


@pytest.mark.nightly
def test_an_unfinished_job_asks_for_itself_and_a_finished_one_does_not(study: Study) -> None:
    client = browser_of(study)
    job = jobs.request_job(study, "report:results", parameters={"splits": 20}, user=SYSTEM)
    place = page_of(study, f"jobs/{job.public_id}/")
    Job.objects.filter(pk=job.pk).update(state="running", progress=0.4, message="scores")
    running = markup(client.get(place))
    assert f'hx-get="{place}"' in running
    assert "40% · scores" in running
    Job.objects.filter(pk=job.pk).update(state="waiting")
    jobs.run(job.pk)
    response = client.get(place)
    assert response["HX-Trigger"] == "job-ended"  # for the list around it
    done = markup(response)
    assert "hx-get" not in done
    assert page_of(study, "results/1/") in done
    assert job.public_id in markup(client.get(page_of(study, "jobs/")))


def test_every_kind_of_job_has_a_name_in_words(study: Study) -> None:
    reports = {f"report-{report}" for report in tasktypes.get("bws").reports.kinds}
    assert {"import-items", "design"} | reports <= set(NAMES)
    assert job_name("report-drift_by_week") == "Report drift by week"
    Job.objects.create(study=study, kind="import-items", state="failed", error="Full.")
    page = markup(browser_of(study).get(page_of(study, "jobs/")))
    assert "Import of items</h2>" in page
    assert "“Import of items” failed" in markup(browser_of(study).get(page_of(study)))


def test_a_failed_job_says_why_and_can_be_asked_for_again(study: Study) -> None:
    work = {"work": "report:results", "splits": 20}
    failed = Job.objects.create(
        study=study, kind="report-results", state="failed", error="The disk is full.", parameters=work
    )
    client = browser_of(study, "reviewer")
    assert "The disk is full." in markup(client.get(page_of(study, "jobs/")))
    client.post(page_of(study, f"jobs/{failed.public_id}/again/"))
    again = study.jobs.get(state="waiting")
    assert (again.kind, again.parameters) == ("report-results", work)


def test_viewers_cannot_ask_again(study: Study) -> None:
    failed = Job.objects.create(
        study=study, kind="report-results", state="failed", parameters={"work": "report:results"}
    )
    client = browser_of(study, "viewer")
    assert client.post(page_of(study, f"jobs/{failed.public_id}/again/")).status_code == 404
    assert "Rerun the job" not in markup(client.get(page_of(study, "jobs/")))
    assert study.jobs.count() == 1


@pytest.mark.nightly
def test_another_studys_job_is_not_found(study: Study) -> None:
    other = jobs.request_job(collected(), "report:results", user=SYSTEM)
    assert browser_of(study).get(page_of(study, f"jobs/{other.public_id}/")).status_code == 404
