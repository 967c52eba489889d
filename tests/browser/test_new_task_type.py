"""A browser test of the task type that `accord new-tasktype` writes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Page, Route, expect

from annotate.models import Answer
from annotate.toolkit import testing
from tests.annotating import enter, until
from tests.plugins import NAME
from tests.plugins import word_order as word_order  # a fixture

pytestmark = pytest.mark.django_db(transaction=True)


def static_name(route: Route) -> str:
    return route.request.url.partition("/static/")[2]


@pytest.mark.nightly
@pytest.mark.usefixtures("word_order")
def test_answers_in_a_browser(page: Page, axe: Callable[[Page], None]) -> None:
    # The test server collected its static files before this application was installed.
    page.route("**/static/word-order/*", lambda route: route.fulfill(path=finders.find(static_name(route))))
    study = testing.opened_study(NAME, b"id,statement\ns1,Berlin is north of Rome.\n", questions_per_hit=1)
    person = testing.new_annotator(study)
    enter(page, person)
    page.goto(f"/s/{study.public_id}")
    page.locator("form[action$='/start'] button").click()
    expect(page.get_by_role("heading", level=1, name="Is this statement true?")).to_be_visible()
    axe(page)
    page.keyboard.press("?")
    expect(page.get_by_text("Yes or no")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("y")
    expect(page.get_by_role("button", name="Yes")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    given = Answer.objects.filter(participation=person, given_at__isnull=False)
    until(page, given.exists)
    assert given.get().value == {"yes": True}
