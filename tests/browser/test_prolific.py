"""Tests of Prolific in the browser: the settings page, and a participant's way from the join page back to Prolific."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.core.permissions import SYSTEM
from annotate.core.selectors.limits import prolific_settings
from annotate.models import Outcome, Study
from annotate.prolific.selectors.settings import study_url
from annotate.prolific.services.settings import change_prolific
from tests.chromium import add_session, check_width
from tests.factories import do_hit, make_study

pytestmark = pytest.mark.django_db(transaction=True)

Axe = Callable[[Page], None]
IDS = "?PROLIFIC_PID=5f1a&STUDY_ID=60ee&SESSION_ID=61aa"


def fits(page: Page) -> None:
    check_width(page)


def selected(page: Page) -> str:
    return str(page.evaluate("getSelection().toString().trim()"))


@pytest.mark.nightly
def test_from_the_settings_page_to_prolific_and_back(page: Page, open_page: Callable[..., Page], axe: Axe) -> None:
    study = make_study(recruitment=Study.Recruitment.PROLIFIC, consent="Agree?", reward="0.5")
    change_prolific(study.pk, user=SYSTEM, failed_gold="return")
    codes = prolific_settings(study)
    add_session(page, study.memberships.get().user)
    page.goto(f"/console/{study.public_id}/recruit/")
    page.get_by_role("link", name="Study on Prolific").click()
    expect(page.get_by_role("heading", name="Prolific", level=1)).to_be_visible()
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Press Ctrl+C to copy")).to_be_visible()
    assert selected(page).endswith(study_url(f"/join/{study.join_token}"))
    expect(page.get_by_label("Completion code: completed")).to_have_value(codes.code(Outcome.COMPLETED))
    axe(page)
    page.set_viewport_size({"width": 390, "height": 844})
    fits(page)

    phone = open_page(390, color_scheme="dark")
    phone.goto(f"/join/{study.join_token}{IDS}")
    axe(phone)
    phone.get_by_role("button", name="Decline and return to Prolific").click()
    expect(phone.get_by_role("status")).to_have_text(codes.code(Outcome.NO_CONSENT))
    fits(phone)
    axe(phone)
    phone.goto(f"/join/{study.join_token}{IDS}")
    phone.get_by_role("checkbox").check()
    phone.get_by_role("button", name="Take part").click()
    expect(phone.locator("#question")).to_be_visible()
    do_hit(study.participations.get())
    phone.goto(f"/s/{study.public_id}")
    expect(phone.get_by_role("heading", name="Return to Prolific")).to_be_visible()
    axe(phone)
    phone.get_by_role("button", name="Finish the submission").click()
    expect(phone.get_by_role("link", name="Return to Prolific")).to_have_attribute(
        "href", f"https://app.prolific.com/submissions/complete?cc={codes.code(Outcome.COMPLETED)}"
    )
    phone.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    phone.get_by_role("button", name="Copy the code").click()
    expect(phone.get_by_role("button", name="Press Ctrl+C to copy")).to_be_visible()
    assert selected(phone) == codes.code(Outcome.COMPLETED)
    fits(phone)
    axe(phone)
