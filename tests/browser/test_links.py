"""Tests of the pages about links, groups, lists and the waiting list: axe, small and large screens, and copying."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotate.core.permissions import SYSTEM
from annotate.recruiting.services.groups import add_group
from annotate.recruiting.services.listed import add_file_to_list
from annotate.recruiting.services.waiting import start_waiting
from tests.browser.test_console_results import sign_in
from tests.chromium import check_in_both_themes, on_each_screen
from tests.factories import make_annotator, make_study

pytestmark = pytest.mark.django_db(transaction=True)


def check(page: Page) -> None:
    for _ in on_each_screen(page):
        check_in_both_themes(page)


@pytest.mark.nightly
def test_a_person_waits_for_a_place_and_researchers_see_the_list(page: Page, settings: Any) -> None:
    settings.EMAIL_HOST = "mail.example.org"
    study = make_study(annotator_limit=1, waiting_list=True)
    make_annotator(study)
    page.goto(f"/join/{study.join_token}")
    expect(page.get_by_text("All places in this study are taken.")).to_be_visible()
    check(page)
    page.get_by_role("button", name="Join the waiting list").click()
    expect(page.get_by_text("You are the first person on the waiting list.")).to_be_visible()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    check(page)
    start_waiting(study.pk, email="ada@example.org")
    add_group(study.pk, "Class 7b", places=30, user=SYSTEM)
    add_file_to_list(study.pk, "exclude", b"5f0000000000000000000ada", user=SYSTEM)
    study.listed.update(matched_at=study.created_at)
    sign_in(page, study)
    for place, heading in (("waiting", "Waiting list"), ("groups", "Group links"), ("people-lists", "Lists of people")):
        page.goto(f"/console/{study.public_id}/{place}/")
        expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
        check(page)
