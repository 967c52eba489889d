"""Tests of the operations that import the results of a batch, and of a batch that is too large."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accord_core.exchange.mturk_results import write_results
from annotate.models import Event, User
from tests.api.conftest import Api, _forget_rates, member, owner, refused, script, user
from tests.factories import make_study
from tests.mturk.turk import result
from tests.scored_systems import do_jobs

pytestmark = pytest.mark.django_db
__all__ = ["_forget_rates", "member", "owner", "script", "user"]


def test_batch_results_are_checked_and_then_imported(owner: Api, user: User) -> None:
    study = make_study(user=user)
    path = f"studies/{study.public_id}/mturk-results"
    content = "".join(write_results([result(study, 1, "W1"), result(study, 2, "W2")]))
    checked = owner.post(path, {"filename": "Batch_1.csv", "content": content, "dry_run": True}).json()
    assert (checked["assignments"], checked["known"]) == (2, 0)
    assert not study.assignments.exists()
    assert not study.annotators.exists()
    assert not Event.objects.filter(study=study, verb="imported Mechanical Turk results").exists()
    for known in (0, 2):
        file = SimpleUploadedFile("Batch_1.csv", content.encode())
        imported = owner.client.post(
            f"/api/v1/{path}", {"filename": "Batch_1.csv", "file": file}, headers=owner.headers
        ).json()
        assert (imported["assignments"], imported["known"]) == (2 - known, known)
    assert study.assignments.count() == 2
    refused(owner.post(path, {"filename": "a.csv", "content": "id\n1\n"}), 400, "faults", "file")


@pytest.mark.nightly
def test_a_large_results_file_is_previewed_imported_and_undone_by_jobs(owner: Api, user: User, settings: Any) -> None:
    settings.ROWS_AT_ONCE = 1
    study = make_study(user=user, gold=4)
    home = f"studies/{study.public_id}/result-imports"
    content = "".join(write_results([result(study, 1, "W1"), result(study, 2, "W2")]))
    stored = owner.post(home, {"filename": "Batch_7.csv", "content": content, "batch": "second server"})
    assert (stored.status_code, stored.json()["state"], stored.json()["job"]["state"]) == (202, "waiting", "waiting")
    place = f"{home}/{stored.json()['id']}"

    def after_the_job() -> Any:
        assert do_jobs(study)[-1] == "done"
        return owner.get(place).json()

    preview = after_the_job()["preview"]
    assert (preview["counts"]["assignments"], preview["has_statuses"], preview["changes"]) == (2, True, [])
    assert owner.post(place, {"changes": "keep"}).status_code == 202
    imported = after_the_job()
    assert (imported["state"], imported["counts"]["assignments"], imported["preview"]) == ("imported", 2, None)
    assert study.assignments.count() == 2
    refused(owner.post(place, {}), 409, "state")
    assert [row["batch"] for row in owner.get(home).json()["results"]] == ["second server"]
    assert owner.delete(place).status_code == 202
    assert after_the_job()["state"] == "undone"
    assert not study.assignments.exists()
    refused(owner.delete(place), 409, "state")


@pytest.mark.nightly
def test_a_small_results_file_is_previewed_at_once_and_can_be_discarded(owner: Api, user: User) -> None:
    study = make_study(user=user, gold=4)
    home = f"studies/{study.public_id}/result-imports"
    refused(owner.post(home, {"filename": "a.csv", "content": "id\n1\n"}), 400, "faults", "file")
    content = "".join(write_results([result(study, 1, "W1")]))
    stored = owner.post(home, {"filename": "Batch_7.csv", "content": content})
    assert (stored.status_code, stored.json()["preview"]["counts"]["assignments"]) == (201, 1)
    place = f"{home}/{stored.json()['id']}"
    assert owner.delete(place).json()["state"] == "discarded"
    refused(owner.post(place, {}), 409, "imported")
    refused(owner.get(f"{home}/unknown"), 404, "unknown")


def test_a_batch_that_is_too_large_is_said_in_the_apis_shape(owner: Api, user: User) -> None:
    study = f"studies/{make_study(user=user, items=10, gold=4).public_id}"
    owner.patch(study, {"instructions": "Word. " * 9_000})
    said = refused(owner.get(f"{study}/exports/mturk-template.html"), 400, "too-large")
    assert "Shorten the guidelines" in said["message"]
