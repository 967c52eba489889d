"""The tour of the demonstration leads from an annotator's page to the report, and ends for good with one press."""

from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Locator, Page, expect

from annotate.core.demonstration import OWNER, SEED
from annotate.models import Study, User
from tests.chromium import add_session
from tests.console_study import page_of
from tests.factories import make_study

pytestmark = pytest.mark.django_db(transaction=True)

PLACES = {"Open the overview": "", "Read the objection": "messages/?show=objection", "Open the report": "results/"}


@pytest.fixture
def study() -> Study:
    return make_study(user=User.objects.create_superuser(OWNER, name="Mara Lindqvist"), seed=SEED)


def tour_on(page: Page, study: Study) -> Locator:
    add_session(page, study.memberships.get().user)
    page.goto("/console/")
    return page.get_by_role("complementary", name="Tour")


@pytest.mark.nightly
def test_each_link_of_the_tour_leads_to_a_page_and_to_the_next_step(
    page: Page, study: Study, axe: Callable[[Page], None]
) -> None:
    tour = tour_on(page, study)
    expect(tour).to_contain_text("step 1 of 4")
    axe(page)
    with page.context.expect_page() as opened:
        tour.get_by_role("link", name="Annotate in a new tab").click()
    expect(opened.value.get_by_role("button", name="Take part")).to_be_visible()
    opened.value.close()
    for step, (name, place) in enumerate(
        (
            ("Open the overview", ""),
            ("Read the objection", "messages/?show=objection"),
            ("Open the report", "results/"),
        ),
        start=2,
    ):
        expect(tour).to_contain_text(f"step {step} of 4")
        tour.get_by_role("link", name=name).click()
        page.wait_for_url(f"**{page_of(study, place)}")
    expect(tour).to_be_hidden()


def test_the_tour_ends_for_good_with_one_press(page: Page, study: Study) -> None:
    tour = tour_on(page, study)
    tour.get_by_role("button", name="End the tour").press("Enter")
    expect(tour).to_be_hidden()
    expect(page.locator("#main")).to_be_focused()
    page.goto(page_of(study, ""))
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(tour).to_be_hidden()


def test_only_pages_of_the_demonstrations_studies_show_the_tour(study: Study, client: Client) -> None:
    owner = study.memberships.get().user
    client.force_login(owner)
    assert "data-tour" in client.get(page_of(study, "")).content.decode()
    for place in ("/console/new/", page_of(make_study(user=owner), "")):
        assert "data-tour" not in client.get(place).content.decode()
    client.force_login(make_study().memberships.get().user)
    assert "data-tour" not in client.get("/console/").content.decode()
