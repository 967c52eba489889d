"""Tests of operations that restart jobs, remove personal data, start try-outs and list guidelines."""

from collections.abc import Callable

import pytest

from annotate.core.permissions import SYSTEM
from annotate.core.services.jobs import request_job
from annotate.models import Job, Study, User
from annotate.recruiting.services.join import join
from annotate.studies.services.settings import change_settings
from tests.api.conftest import Api, refused
from tests.factories import make_study

pytestmark = pytest.mark.django_db


def test_a_failed_job_is_restarted(user: User, owner: Api, member: Callable[[Study, str], Api]) -> None:
    study = make_study(user=user)
    job = request_job(study, "report:results", parameters={"pilot": "counted"}, user=user)
    path = f"studies/{study.public_id}/jobs/{job.public_id}/again"
    refused(owner.post(path), 409, "not-failed")
    Job.objects.filter(pk=job.pk).update(state=Job.State.FAILED)
    refused(member(study, "viewer").post(path), 404, "not_found")
    restarted = owner.post(path)
    assert restarted.status_code == 202
    again = Job.objects.get(public_id=restarted.json()["id"])
    assert (again.kind, again.parameters) == (job.kind, job.parameters)
    refused(owner.post(f"studies/{study.public_id}/jobs/x/again"), 404, "unknown")


def test_personal_data_is_removed_with_a_reason(user: User, owner: Api) -> None:
    study = make_study(user=user)
    participation = join(study, platform="prolific", external_id="p1", verified=True)
    path = f"studies/{study.public_id}/annotators/{participation.pseudonym}/erase"
    refused(owner.post(path, {}), 400, "invalid", "reason")
    assert owner.post(path, {"reason": "on request"}).json() == {"studies": 1}
    participation.annotator.refresh_from_db()
    assert participation.annotator.external_id == ""


def test_a_try_out_works_in_a_draft_and_counts_nowhere(user: User, owner: Api) -> None:
    study = make_study(user=user, state="draft")
    started = owner.post(f"studies/{study.public_id}/try-outs")
    assert started.status_code == 201
    page = Api(f"Participation {started.json()['token']}")
    assert page.post("claims").json()["assignment"]["kind"] == "try"
    assert owner.get(f"studies/{study.public_id}/annotators").json()["results"] == []


def test_versions_of_the_guidelines_are_listed(user: User, owner: Api) -> None:
    study = make_study(user=user)
    change_settings(study.pk, user=SYSTEM, instructions="Choose the closest pair.")
    listed = owner.get(f"studies/{study.public_id}/guidelines").json()["results"]
    assert [(row["version"], row["instructions"]) for row in listed] == [
        (2, "Choose the closest pair."),
        (1, "Choose the pair."),
    ]
