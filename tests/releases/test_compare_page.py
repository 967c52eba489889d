"""Tests of the page Compare with a repeat, of its job, and of its API operation."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import new_api_token
from annotate.core.services.jobs import run
from annotate.models import Job, Membership, Study
from annotate.results.services import make_report
from annotate.server.refusals import Refused
from releases.services.compare import Uploaded, request_comparison
from releases.services.releases import as_zip, make_release
from tests.api.conftest import Api
from tests.console_study import browser_of, page_of
from tests.factories import make_study
from tests.markup import markup
from tests.releases.test_release import ABOUT

pytestmark = pytest.mark.django_db
PAGE = "x/compare/"


def judged(seed: int) -> Study:
    study = make_study(items=8, judgements=3, gold=4)
    simulate(study, user=SYSTEM, annotators=6, careless=0.0, seed=seed)
    make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)
    return study


@pytest.fixture(scope="module")
def shared(share: Callable[..., tuple[Study, Study, bytes]]) -> tuple[Study, Study, bytes]:
    """Return a study, a repeat by its owner, and the sealed release of the repeat."""

    def build() -> tuple[Study, Study, bytes]:
        study, repeat = judged(1), judged(2)
        Study.objects.filter(pk=repeat.pk).update(title="The repeat")
        owner = study.memberships.get(role="owner").user
        Membership.objects.create(study=repeat, user=owner, role="viewer")
        release = make_release(repeat.pk, replace(ABOUT, gold="sealed"), user=SYSTEM)
        return study, repeat, as_zip(release)

    return share(build)


@pytest.fixture
def studies(shared: tuple[Study, Study, bytes]) -> tuple[Study, Study, bytes]:
    study, repeat, content = shared
    return Study.objects.get(pk=study.pk), Study.objects.get(pk=repeat.pk), content


def finished(study: Study) -> Job:
    job = study.jobs.get(kind="compare")
    run(job.pk)
    job.refresh_from_db()
    return job


def text_of(study: Study, role: str = "owner") -> str:
    return " ".join(markup(browser_of(study, role).get(page_of(study, PAGE))).split())


def test_the_page_compares_two_studies_of_the_same_user(studies):
    study, repeat, _ = studies
    browser = browser_of(study)
    assert browser.post(page_of(study, PAGE), {"other": repeat.pk, "role": "repeat"}).status_code == 302
    assert finished(study).state == "done"
    page = text_of(study)
    result = study.reports.get(kind="compare").result
    assert result["conclusion"] in page
    assert "Repeat: “The repeat”" in page
    for cell in ("Spearman’s ρ", "Pearson’s r", "RMSE", "Item pairs in the same order", "Scores in both studies"):
        assert cell in page
    assert f'"x": {result["outcomes"][0]["points"][0]["scores"][0][1]}' in page


def test_an_uploaded_release_can_be_the_original(studies):
    study, _, content = studies
    file = SimpleUploadedFile("repeat-1.0.zip", content)
    assert browser_of(study).post(page_of(study, PAGE), {"file": file, "role": "original"}).status_code == 302
    assert finished(study).state == "done"
    assert study.reports.get(kind="compare").result["runs"][0]["name"] == "repeat-1.0.zip"


def test_the_same_release_is_stored_once_and_not_for_a_refused_comparison(studies):
    study, _, content = studies
    owner = study.memberships.get(role="owner").user
    job = request_comparison(study, Uploaded("r.zip", content), is_original=True, user=owner)
    with pytest.raises(Refused, match="has not finished yet"):
        request_comparison(study, Uploaded("r.zip", content + b" "), is_original=True, user=owner)
    assert request_comparison(study, Uploaded("r.zip", content), is_original=True, user=owner) == job
    assert study.reports.filter(kind="compared-release").count() == 1


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({}, "Choose either a study or the zip file of a release."),
        ({"file": b"no zip"}, "not a zip file"),
        ({"file": b"PK"}, "zip file"),
    ],
)
def test_a_wrong_choice_is_refused_on_the_page_and_nothing_is_stored(studies, sent, message):
    study, _, _ = studies
    files = {name: SimpleUploadedFile("wrong.zip", content) for name, content in sent.items()}
    response = browser_of(study).post(page_of(study, PAGE), {**files, "role": "repeat"})
    assert response.status_code == 422
    assert message in markup(response)
    assert not study.jobs.filter(kind="compare").exists()
    assert not study.reports.filter(kind="compared-release").exists()


def test_a_study_that_the_user_cannot_see_is_not_offered(studies):
    study, _, _ = studies
    other = judged(3)
    page = text_of(study)
    assert f'value="{other.pk}"' not in page
    response = browser_of(study).post(page_of(study, PAGE), {"other": other.pk, "role": "repeat"})
    assert response.status_code == 422
    owner = study.memberships.get(role="owner").user
    with pytest.raises(Refused):
        request_comparison(study, other, is_original=False, user=owner)


def test_viewers_see_the_result_but_not_the_form(studies):
    study, _, _ = studies
    assert "Choose the other study" in text_of(study)
    assert "Choose the other study" not in text_of(study, "viewer")


def test_only_studies_with_results_offer_the_page():
    study = make_study()
    assert browser_of(study).get(page_of(study, PAGE)).status_code == 404
    assert "Compare with a repeat" not in markup(browser_of(study).get(page_of(study, "x/release/")))


def test_the_release_page_leads_to_the_comparison(studies):
    study, _, _ = studies
    assert page_of(study, PAGE) in markup(browser_of(study).get(page_of(study, "x/release/")))


def test_the_api_requests_and_returns_the_comparison(studies):
    study, repeat, content = studies
    owner = study.memberships.get(role="owner").user
    api = Api(f"Token {new_api_token(owner, 'test', scope='write')[1]}")
    path = f"/api/v1/studies/{study.public_id}/comparison"
    assert api.get(path).status_code == 404
    assert api.post(path, {"other": ""}).status_code == 400
    response = api.post(path, {"other": repeat.public_id})
    assert response.status_code == 202, response.content
    finished(study)
    body = json.loads(api.get(path).content)
    assert body["conclusion"] == body["result"]["conclusion"]
    assert body["result"]["matching"][0]["items"] == 8
    request_comparison(study, Uploaded("again.zip", io.BytesIO(content).read()), is_original=False, user=SYSTEM)
