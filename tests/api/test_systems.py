"""Tests of the operations for systems, leaderboards and releases."""

import io
import zipfile

import pytest
from django.test import Client

from annotate.core.permissions import SYSTEM
from annotate.core.services.jobs import request_job
from annotate.models import Study
from tests.api.conftest import Api, refused
from tests.factories import MembershipFactory, make_study
from tests.scored_systems import do_jobs, draw_few, predictions, relatedness_study

pytestmark = pytest.mark.django_db


def path_of(study: Study, path: str) -> str:
    return f"studies/{study.public_id}/{path}"


@pytest.mark.nightly
def test_systems_are_added_scored_compared_and_published(owner: Api, user, monkeypatch: pytest.MonkeyPatch) -> None:
    draw_few(monkeypatch)
    study = relatedness_study()
    MembershipFactory(study=study, role="manager", user=user)
    for name, reverse in (("similarity", False), ("opposite", True)):
        file = {"system": name, "filename": "scores.csv", "content": predictions(study, reverse=reverse).decode()}
        for _ in range(2):  # the second request has no effect, because it has the same key
            added = owner.post(path_of(study, "systems"), file, Idempotency_Key=name)
            assert added.status_code == 201, added.json()
    assert (added.json()["number"], added.json()["score"], added.json()["job"]["state"]) == (2, None, "waiting")
    assert do_jobs(study) == ["done", "done"]

    first = owner.get(path_of(study, "systems/1")).json()
    assert first["job"]["state"] == "done"
    assert first["measures"] == first["score"]["measures"]
    assert first["measures"][0]["low"] <= first["measures"][0]["value"] <= first["measures"][0]["high"]
    assert [row["system"] for row in owner.get(path_of(study, "systems")).json()["results"]] == [
        "opposite",
        "similarity",
    ]
    assert owner.get(path_of(study, "systems/1/file")).content == predictions(study)
    compared = owner.get(path_of(study, "systems/comparison?first=1&second=2")).json()
    assert compared[0]["value"] > 0
    assert compared[0]["p"] <= 1
    assert owner.post(path_of(study, "systems/1/score")).status_code == 202
    refused(owner.get(path_of(study, "systems/comparison?first=1")), 400, "invalid", "second")
    refused(owner.get(path_of(study, "systems/3")), 404, "unknown")

    refused(owner.get(path_of(study, "leaderboard")), 404, "unknown")
    url = owner.put(path_of(study, "leaderboard"), {"heading": "Similarity"}).json()["url"]
    assert owner.patch(path_of(study, "systems/1"), {"public": True}).json()["public"] is True
    page = Client().get(url).content.decode()
    assert "similarity" in page
    assert "opposite" not in page
    assert owner.delete(path_of(study, "leaderboard")).status_code == 204
    assert Client().get(url).status_code == 404


def test_faults_of_a_systems_file_are_listed(owner: Api, user) -> None:
    study = make_study(user=user)
    body = {"system": "empty", "filename": "scores.csv", "content": "item,score\n"}
    refused(owner.post(path_of(study, "systems"), body), 400, "faults", "file")
    refused(owner.post(path_of(study, "systems"), {**body, "file": "x"}), 400, "invalid", "file")
    refused(owner.post(path_of(study, "systems"), {"system": "none", "filename": "a"}), 400, "invalid", "content")


@pytest.mark.nightly
def test_a_release_contains_the_statement_and_appears_in_the_list(owner: Api, user) -> None:
    study = make_study(user=user, state="draft", items=8)
    refused(owner.post(path_of(study, "releases"), {}), 409, "no-report")
    study = relatedness_study()
    MembershipFactory(study=study, role="manager", user=user)
    request_job(study, "report:results", user=SYSTEM)
    assert do_jobs(study) == ["done"]
    refused(owner.post(path_of(study, "releases"), {"statement": {"mood": "x"}}), 400, "invalid", "statement")
    refused(owner.get(path_of(study, "split")), 404, "unknown")
    refused(owner.put(path_of(study, "split"), {"train": 90}), 400, "invalid", "train")
    assert owner.put(path_of(study, "split"), {"train": 70, "dev": 20}).json()["test"] == 10
    assert owner.get(path_of(study, "split")).json()["dev"] == 20
    released = owner.post(path_of(study, "releases"), {"version": "2.0", "statement": {"limits": "Only ferries."}})
    with zipfile.ZipFile(io.BytesIO(released.content)) as archive:
        assert "Only ferries." in archive.read(f"{study.public_id}-2.0/README.md").decode()
        assert archive.read(f"{study.public_id}-2.0/data/splits.csv").startswith(b"item,split,group,stratum,kept\n")
    assert owner.delete(path_of(study, "split")).status_code == 204
    [listed] = owner.get(path_of(study, "releases")).json()
    assert (listed["version"], listed["report"], listed["user"]) == ("2.0", 1, user.email)
