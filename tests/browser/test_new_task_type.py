"""Tests of the task type in examples/task-types in a browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Page, Route, expect

from annotate.models import Answer
from tests.annotating import enter, until
from tests.factories import make_annotator
from tests.tasktypes.test_new_task_type import installed as _installed  # noqa: F401 - a fixture
from tests.tasktypes.test_new_task_type import opened

pytestmark = pytest.mark.django_db(transaction=True)


def static_name(route: Route) -> str:
    return route.request.url.partition("/static/")[2]


@pytest.mark.nightly
@pytest.mark.usefixtures("_installed")
def test_answers_in_a_browser(page: Page, axe: Callable[[Page], None]) -> None:
    # The test server collected its static files before this application was installed.
    page.route("**/static/acceptability/*", lambda route: route.fulfill(path=finders.find(static_name(route))))
    study = opened(gold_block=0, questions_per_hit=1)
    person = make_annotator(study)
    enter(page, person)
    page.goto(f"/s/{study.public_id}")
    page.locator("form[action$='/start'] button").click()
    expect(page.get_by_role("heading", level=1, name="Is this sentence acceptable?")).to_be_visible()
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
