"""Tests of the annotator's overview in a browser, on a phone and on a large screen: pay, a stop, withdrawal and
instructions.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotate.core.services.remarks import reply_to
from annotate.core.services.standing import restore
from annotate.models import Remark, Study
from annotate.studies.services.settings import change_settings, write_consent
from tests.annotating import SETTLED, choose_on_gold, enter, gold_position, gold_study, heading, on_page, question
from tests.chromium import check_in_both_themes, on_each_screen
from tests.factories import UserFactory, do_hit, make_annotator

pytestmark = pytest.mark.django_db(transaction=True)

SCREENSHOTS = os.environ.get("ACCORD_SCREENSHOTS", "")  # a folder, to look at the pages


@pytest.mark.nightly
def test_an_annotator_is_treated_fairly_from_the_first_set_to_the_receipt(
    page: Page, expected_errors: list[str]
) -> None:
    """Check every page with axe in both themes, on a phone and on a large screen."""
    expected_errors.append("status of 400")
    owner = UserFactory()
    study = gold_study(
        user=owner,
        items=20,
        skips_allowed=True,
        consent="# Consent\n\nWe store your answers.",
        protocol_number="2026-114",
        payment_terms="Example University pays by bank transfer within 14 days.",
        contact="Mara Lindqvist <mara.lindqvist@example.org>",
    )
    participation = make_annotator(study)
    home = f"/s/{study.public_id}"

    def look(name: str) -> None:
        page.wait_for_load_state()
        for width in on_each_screen(page):
            check_in_both_themes(page)
            if SCREENSHOTS:
                page.screenshot(path=Path(SCREENSHOTS) / f"{name}-{width}.png", full_page=True)

    page.goto(f"/join/{study.join_token}")
    expect(page.get_by_text("within 14 days")).to_be_visible()
    look("join")

    enter(page, participation)
    do_hit(participation)
    page.goto(home)
    page.get_by_text("Your results on check questions").click()
    expect(page.get_by_text("1 of 1").last).to_be_visible()
    expect(page.get_by_text("Create a resume code before you leave")).to_be_visible()
    look("hub")

    Study.objects.filter(pk=study.pk).update(hits_per_annotator=1)
    page.reload()
    expect(page.get_by_text("Total owed to you")).to_be_visible()
    look("finished")
    Study.objects.filter(pk=study.pk).update(hits_per_annotator=None)

    change_settings(study.pk, user=owner, instructions="Choose the nearest pair.\n\nRead both sentences first.")
    write_consent(study.pk, "We store your answers for ten years.", user=owner)
    page.reload()
    look("changed")
    page.get_by_role("link", name="See what has changed").click()
    expect(page.locator("ins").first).to_contain_text("nearest")
    look("guidelines")
    page.get_by_role("button", name="I have read the changes").click()
    page.get_by_label("I agree to the consent text").check()
    page.get_by_role("button", name="Accept and continue").click()
    expect(page.get_by_role("button", name="Start the next set")).to_be_visible()

    page.get_by_role("link", name="About this study").first.click()
    expect(page.get_by_text("for ten years")).to_be_visible()
    look("study")

    participation.refresh_from_db()
    page.goto(home)
    page.get_by_role("button", name="Start the next set").click()
    heading(page)
    page.get_by_role("button", name="More").click()
    for part in page.locator("#choices summary:visible").all():
        part.click()
        look("more")
    page.keyboard.press("Escape")
    look("question")
    assignment = on_page(page)
    for number in range(1, gold_position(assignment) + 1):
        question(page, number)
        choose_on_gold(page, assignment, right=False)
        page.keyboard.press("Enter")
    expect(page.locator("#feedback")).to_be_visible()
    look("feedback")
    page.get_by_role("button", name="I disagree").click()
    look("dispute")
    page.wait_for_timeout(SETTLED)
    page.get_by_role("button", name="Send and continue").click()
    expect(page.get_by_role("heading", name="1 answer that differed")).to_be_visible()
    page.get_by_role("button", name="Send the objection").click()
    expect(page.get_by_label("Why do you disagree?")).to_have_attribute("aria-invalid", "true")
    look("stopped")
    page.get_by_label("Why do you disagree?").fill("Both pairs were equally near.")
    page.get_by_role("button", name="Send the objection").click()
    expect(page.get_by_text("has not replied yet. The reply")).to_be_visible()
    reply_to(study.pk, Remark.objects.get().public_id, text="You are right.", user=owner)
    restore(participation.pk, reason="The gold answer was wrong.", user=owner)
    page.reload()
    expect(page.get_by_text("You are right.")).to_be_visible()

    page.get_by_role("link", name="Withdraw from the study").click()
    expect(page.get_by_label("Exclude my answers")).to_be_visible()
    look("withdraw")
    page.get_by_label("Exclude my answers").check()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="Confirm your withdrawal")).to_be_visible()
    look("confirm")
    page.get_by_role("button", name="Withdraw from the study").click()
    expect(page.get_by_role("heading", name="You have withdrawn from this study")).to_be_visible()
    expect(page.get_by_role("row", name="Total owed to you")).to_contain_text("$1.00")
    look("withdrawn")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the receipt").click()
    assert "total,,,,,1.0000,USD" in Path(download.value.path()).read_text(encoding="utf-8")
    assert Study.objects.get(pk=study.pk).is_open
