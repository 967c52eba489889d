"""Tests of the systems page: the permissions, the contents, and the difference from the public page."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotate.core.permissions import SYSTEM
from annotate.models import Study
from evaluation.models import Submission
from evaluation.selectors.systems import Row, Table, _best_first
from evaluation.services.systems import submit_system
from tests.alignment_ui.chunks.test_study import WA, answer_all, chunk_study, opened
from tests.console_study import browser_of, page_of
from tests.factories import MembershipFactory, make_study
from tests.markup import markup
from tests.paraphrasing import paraphrase_study
from tests.scored_systems import do_jobs, draw_few, predictions, relatedness_study, words_study

pytestmark = pytest.mark.django_db

SYSTEMS = "x/systems/"


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    with pytest.MonkeyPatch.context() as patch:
        draw_few(patch)
        return share(relatedness_study)


@pytest.fixture
def study(shared_study: Study, db: None, monkeypatch: pytest.MonkeyPatch) -> Study:
    draw_few(monkeypatch)
    return Study.objects.get(pk=shared_study.pk)


def upload(client: Client, study: Study, data: bytes, **more: str):
    file = SimpleUploadedFile("my file.csv", data)
    return client.post(page_of(study, SYSTEMS), {"system": "Bag of words", "file": file, **more})


def scored(study: Study, *, public: bool = False, system: str = "Bag of words", reverse: bool = False) -> Submission:
    submission = submit_system(
        study,
        system=system,
        description="Made in the attic",
        filename="my-file.csv",
        data=predictions(study, reverse=reverse),
        user=MembershipFactory(study=study, role="reviewer", user__name="Ada Reviewer").user,
    )
    do_jobs(study)
    Submission.objects.filter(pk=submission.pk).update(public=public)
    submission.refresh_from_db()
    return submission


def text_of(response) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", markup(response)))


# ── adding a system ───────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.nightly
@pytest.mark.parametrize("role", ["reviewer", "manager", "owner"])
def test_who_reviews_brings_systems_in_and_sees_their_figures(study: Study, role: str) -> None:
    client = browser_of(study, role)
    response = upload(client, study, predictions(study), option_by="source", description="The sum of vectors")
    assert response.status_code == 302
    assert "Scoring in progress" in text_of(client.get(page_of(study, SYSTEMS)))
    do_jobs(study)
    shown = text_of(client.get(page_of(study, SYSTEMS)))
    value = Submission.objects.get().measures[0]["value"]
    assert f"{value:.3f}".removeprefix("0") in shown
    assert "Dice overlap of the two sentences" in shown
    one = text_of(client.get(page_of(study, f"{SYSTEMS}1/")))
    assert "The sum of vectors" in one
    assert "By source" in one


@pytest.mark.nightly
def test_a_viewer_looks_and_brings_nothing_in(study: Study) -> None:
    scored(study)
    viewer = browser_of(study, "viewer")
    page = viewer.get(page_of(study, SYSTEMS))
    assert "Bag of words" in text_of(page)
    assert "Score a system" not in text_of(page)
    upload(viewer, study, predictions(study))
    assert viewer.post(page_of(study, f"{SYSTEMS}1/again/")).status_code == 404
    assert Submission.objects.count() == 1
    assert study.jobs.count() == 1


@pytest.mark.nightly
def test_a_stranger_learns_of_nothing(study: Study) -> None:
    scored(study)
    scored(study)
    stranger = browser_of(make_study(design=False, state="draft"))
    for place in ("", "1/", "1/file", "compare/?one=1&other=2"):
        assert stranger.get(page_of(study, SYSTEMS + place)).status_code == 404
        assert Client().get(page_of(study, SYSTEMS + place)).status_code == 302  # to the sign-in page


@pytest.mark.nightly
def test_a_file_with_faults_comes_back_with_their_lines(study: Study) -> None:
    response = upload(browser_of(study, "reviewer"), study, predictions(study).replace(b"p3,3\n", b"p3,high\n"))
    assert response.status_code == 422
    assert "<span>Line 5, column score: “high” is not a finite number" in markup(response)
    response = upload(browser_of(study, "reviewer"), study, predictions(study, without=1))
    assert "<span>p0 is missing. A system must predict every item" in markup(response)
    assert not Submission.objects.exists()


def test_a_form_without_a_file_or_a_name_says_what_is_missing(study: Study) -> None:
    response = browser_of(study).post(page_of(study, SYSTEMS), {"system": " "})
    assert response.status_code == 422
    assert "Choose a file first." in text_of(response)


@pytest.mark.nightly
def test_every_task_type_has_the_page_once_it_is_open() -> None:
    chunks = opened(chunk_study())
    answer_all(chunks)
    for study in (chunks, words_study(), paraphrase_study(quality=0)):
        assert "Score a system" in text_of(browser_of(study).get(page_of(study, SYSTEMS)))
    response = upload(browser_of(chunks), chunks, WA.encode(), option_version="2015")
    assert response.status_code == 302
    do_jobs(chunks)
    assert "F1 Typ+Sco" in text_of(browser_of(chunks).get(page_of(chunks, SYSTEMS)))
    shown = markup(browser_of(chunks).get(page_of(chunks, SYSTEMS)))
    assert f'<a href="{page_of(chunks, "programs/")}">Programs</a>' in shown
    assert f'<a href="{page_of(chunks, "x/against/")}">Score a file</a>' in shown
    inner = markup(browser_of(chunks).get(page_of(chunks, "x/against/")))
    assert f'<a href="{page_of(chunks, SYSTEMS)}" aria-current="page">Systems</a>' in inner
    draft = make_study(state="draft")
    assert browser_of(draft).get(page_of(draft, SYSTEMS)).status_code == 404


@pytest.mark.nightly
def test_a_submission_is_reached_through_its_own_study_only(study: Study) -> None:
    scored(study)
    other = relatedness_study()
    for place in ("1/", "1/file"):
        assert browser_of(other).get(page_of(other, SYSTEMS + place)).status_code == 404
    assert browser_of(other).post(page_of(other, f"{SYSTEMS}1/show/"), {"public": "yes"}).status_code == 404


def test_the_file_is_given_back_under_a_plain_name(study: Study) -> None:
    upload(browser_of(study), study, predictions(study))
    response = browser_of(study, "viewer").get(page_of(study, f"{SYSTEMS}1/file"))
    assert response.getvalue() == predictions(study)
    assert response["Content-Disposition"] == 'attachment; filename="my-file.csv"'


@pytest.mark.nightly
def test_a_score_that_failed_says_why(study: Study) -> None:
    submission = submit_system(study, system="Mine", filename="s.csv", data=predictions(study), user=SYSTEM)
    study.assignments.update(state="void")  # no judgements count any more
    assert do_jobs(study) == ["failed"]
    assert "Scoring failed" in text_of(browser_of(study).get(page_of(study, SYSTEMS)))
    assert "no item of the study has a score" in text_of(browser_of(study).get(page_of(study, f"{SYSTEMS}1/")))
    submission.refresh_from_db()
    assert submission.result is None


@pytest.mark.nightly
def test_two_systems_are_compared_on_a_page(study: Study) -> None:
    scored(study)
    scored(study, system="Backwards", reverse=True)
    viewer = browser_of(study, "viewer")
    assert "Compare two systems" in text_of(viewer.get(page_of(study, SYSTEMS)))
    found = text_of(viewer.get(page_of(study, f"{SYSTEMS}compare/"), {"one": "1", "other": "2"}))
    assert "Bag of words compared with Backwards" in found
    assert re.search(r"p (<|=) \.00", found)
    same = viewer.get(page_of(study, f"{SYSTEMS}compare/"), {"one": "1", "other": "1"})
    assert same.status_code == 422
    assert "two different systems" in text_of(same)


# ── in public ─────────────────────────────────────────────────────────────────────────────────────────────────
def public_page(study: Study):
    return Client().get(f"/systems/{study.public_id}/")


@pytest.mark.nightly
def test_a_table_is_private_until_a_manager_publishes_it_and_again_after(study: Study) -> None:
    scored(study, public=True)
    assert public_page(study).status_code == 404
    manager = browser_of(study, "manager")
    assert manager.post(page_of(study, f"{SYSTEMS}publish/"), {"heading": "Relatedness 2021"}).status_code == 302
    shown = text_of(public_page(study))
    assert "Relatedness 2021" in shown
    assert "Bag of words" in shown
    assert manager.post(page_of(study, f"{SYSTEMS}withdraw/")).status_code == 302
    assert public_page(study).status_code == 404
    verbs = list(study.events.filter(verb__endswith="systems").order_by("pk").values_list("verb", flat=True))
    assert verbs == ["published systems", "withdrew systems"]


@pytest.mark.nightly
def test_the_public_page_tells_names_figures_and_dates_and_nothing_else(study: Study) -> None:
    hidden = scored(study, system="Not ready")
    scored(study, public=True)
    browser_of(study).post(page_of(study, f"{SYSTEMS}publish/"), {"heading": "Relatedness 2021"})
    response = public_page(study)
    page = markup(response)
    leaks = [
        study.title,
        hidden.system,
        "Made in the attic",
        "my-file.csv",
        "Ada Reviewer",
        "fiction",
        "ferry",
        study.join_token,
        hidden.annotations,
        "/console/" + study.public_id,
        *study.participations.values_list("pseudonym", flat=True),
    ]
    assert [leak for leak in leaks if leak in page] == []
    assert "no-store" in response["Cache-Control"]


@pytest.mark.nightly
def test_public_systems_stand_best_first(study: Study) -> None:
    scored(study, public=True, system="Forwards")
    scored(study, public=True, system="Backwards", reverse=True)
    browser_of(study).post(page_of(study, f"{SYSTEMS}publish/"), {"heading": "Relatedness"})
    page = text_of(public_page(study))
    assert page.index("Forwards") < page.index("Backwards")


def test_a_study_that_is_not_there_and_a_private_one_look_the_same(study: Study) -> None:
    private = public_page(study)
    nowhere = Client().get("/systems/nowhere/")
    assert private.status_code == nowhere.status_code == 404
    assert private.content.replace(study.public_id.encode(), b"nowhere") == nowhere.content


@pytest.mark.nightly
def test_a_reviewer_publishes_nothing(study: Study) -> None:
    scored(study)
    reviewer = browser_of(study, "reviewer")
    assert reviewer.post(page_of(study, f"{SYSTEMS}publish/"), {"heading": "Mine"}).status_code == 404
    assert reviewer.post(page_of(study, f"{SYSTEMS}1/show/"), {"public": "yes"}).status_code == 404
    assert public_page(study).status_code == 404
    assert not Submission.objects.get().public


@pytest.mark.nightly
def test_a_manager_shows_and_hides_single_systems(study: Study) -> None:
    scored(study)
    manager = browser_of(study, "manager")
    manager.post(page_of(study, f"{SYSTEMS}publish/"), {"heading": "Relatedness"})
    assert "This leaderboard has no systems yet." in text_of(public_page(study))
    for said, there in (("yes", True), ("yes", True), ("no", False)):
        manager.post(page_of(study, f"{SYSTEMS}1/show/"), {"public": said})
        assert ("Bag of words" in text_of(public_page(study))) is there
    assert study.events.filter(verb__in=["showed a system", "hid a system"]).count() == 2


def test_systems_with_other_figures_are_ranked_among_themselves() -> None:
    def row(name: str, *values: float | None) -> Row:
        return Row(name, [None if value is None else {"value": value} for value in values])

    rows = [row("list", None, 0.6), row("labels", 0.4, None), row("better list", None, 0.8), row("none", None, None)]
    table = _best_first(Table(["accuracy", "F1"], rows, []))
    assert [each.name for each in table.rows] == ["labels", "better list", "list", "none"]
    assert (table.mixed, table.leading) == (True, "each system’s first figure")
    alone = Table(["accuracy"], [row("labels", 0.4), row("none", None)], [])
    assert (alone.mixed, alone.leading) == (False, "accuracy")
