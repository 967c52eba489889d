"""The search of the whole console finds each page by its name, and nothing that the role may not see."""

from __future__ import annotations

import pytest
from django.test import Client

from annotate.console.pages import find
from annotate.core.setting_steps import STEPS
from annotate.models import Annotator, Study
from annotate.web.pages.access import StudyConsole
from tests.console_study import browser_of, page_of
from tests.factories import UserFactory, make_annotator, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db


def results(client: Client, study: Study, text: str) -> str:
    response = client.get(page_of(study, "find/"), {"q": text})
    assert response.status_code == 200
    return markup(response)


def hrefs(client: Client, study: Study, text: str) -> list[str]:
    page = results(client, study, text)
    return [part.split('"')[0] for part in page.split('href="')[1:]]


def navigation(study: Study, role: str) -> dict[str, str]:
    """Return the addresses of the navigation's entries by their names."""
    study.role = role  # type: ignore[attr-defined]
    pages = reversed(find._pages(StudyConsole(study, "/")))
    return {hit.name: hit.href for hit in pages}  # the first of two pages with the same name


@pytest.mark.nightly
@pytest.mark.parametrize("role", ["viewer", "owner"])
def test_each_entry_of_the_navigation_is_found_first_by_its_name(role: str) -> None:
    study = make_study(gold=2)
    client = browser_of(study, role)
    entries = navigation(study, role)
    assert len(entries) > 10
    for name, href in entries.items():
        assert href in hrefs(client, study, name)[:3], name


@pytest.mark.nightly
def test_a_viewer_does_not_find_pages_of_managers() -> None:
    study = make_study()
    hidden = navigation(study, "owner").items() - navigation(study, "viewer").items()
    assert "Lists of people" in dict(hidden)
    viewer = browser_of(study, "viewer")
    for name, href in hidden:
        assert href not in hrefs(viewer, study, name)


def test_settings_are_found_with_their_page() -> None:
    study = make_study()
    client = browser_of(study)
    page = results(client, study, "reward")
    assert "Pay settings" in page
    assert page_of(study, "settings/pay/#id_reward") in page
    assert all(f"{step.title} settings" in results(client, study, f"{step.title} settings") for step in STEPS)


def test_annotators_are_found_by_pseudonym_and_never_by_platform_id() -> None:
    study = make_study()
    client = browser_of(study)
    person = make_annotator(study, pseudonym="quiet-heron")
    Annotator.objects.filter(pk=person.annotator_id).update(platform="prolific", external_id="5f1e0c0ffee0123456789abc")
    assert page_of(study, "annotators/quiet-heron/") in hrefs(client, study, "heron")
    assert "quiet-heron" not in results(client, study, "5f1e0c0ffee")


def test_items_and_studies_are_those_of_the_member() -> None:
    study, own, other = make_study(), make_study(), make_study()
    Study.objects.exclude(pk=study.pk).update(title="Zebra study")
    client = browser_of(study)
    own.memberships.create(user=study.memberships.get(role="owner").user, role="viewer")
    item = study.items.first()
    assert page_of(study, f"items/?q={item.key}") in hrefs(client, study, item.key)
    page = results(client, study, "zebra")
    assert own.public_id in page
    assert other.public_id not in page
    assert own.public_id in markup(client.get("/console/find/", {"q": "zebra"}))
    assert client.get(page_of(other, "find/"), {"q": "zebra"}).status_code == 404


def test_guides_are_found_by_their_headings() -> None:
    client = Client()
    client.force_login(UserFactory())
    page = markup(client.get("/console/find/", {"q": "budget cap"}))
    assert "/help/pay/#budget-cap" in page


@pytest.mark.nightly
def test_more_results_than_shown_are_mentioned_by_kind() -> None:
    study = make_study(items=find.MOST + 1)
    client = browser_of(study)
    prefix = study.items.first().key[:1]
    assert f"Only the first {find.MOST} pages" in results(client, study, "")
    assert "No results contain all these words" in results(client, study, "no such words anywhere")
    assert 'id="find-items"' not in results(client, study, prefix), "one letter is in almost every item"


def test_what_can_be_done_with_a_study_is_found_by_its_verb() -> None:
    draft, opened = make_study(state="draft"), make_study()
    assert page_of(draft, "state/") in hrefs(browser_of(draft), draft, "delete")
    assert page_of(opened, "state/") not in hrefs(browser_of(opened), opened, "delete")
    assert page_of(opened, "state/") in hrefs(browser_of(opened), opened, "close")
    viewer = browser_of(opened, "viewer")
    assert page_of(opened, "state/") not in hrefs(viewer, opened, "close")
