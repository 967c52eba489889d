"""The page of adaptive rounds in a real browser: the cost of a chosen round, adding it, and the report with rounds."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.data.selectors.additions import round_parameters
from annotate.models import Study
from tests.browser.test_console_setup import sign_in
from tests.console_study import collected, report_on
from tests.factories import do_hit, make_annotator

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.nightly
def test_a_round_is_added_with_the_keyboard_and_appears_in_the_report(
    page: Page, phone_page: Page, axe: Callable[[Page], None]
) -> None:
    study = collected(items=12, gold=0, reward="0.50")
    owner, place = study.memberships.get().user, f"/console/{study.public_id}/"
    study = Study.objects.select_related("design").get(pk=study.pk)
    report_on(study, "round", **round_parameters(study, 10))
    sign_in(page, owner, f"{place}judgements/")
    page.get_by_role("link", name="Adaptive rounds").click()
    expect(page.get_by_role("heading", name="Round 1, not added yet")).to_be_visible()
    axe(page)
    sign_in(phone_page, owner, f"{place}rounds/")
    axe(phone_page)
    add = page.get_by_role("button", name="Add round 1 for")
    add.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Round 1 was added")).to_be_visible()
    phone_page.reload()
    axe(phone_page)

    annotator = make_annotator(study)
    while study.slots.filter(open=1).exists():
        do_hit(annotator)
    report_on(study)
    page.goto(f"{place}results/1/")
    expect(page.get_by_text("Round 1: 10 judgements")).to_be_visible()
    axe(page)
