"""Tests that set up a study in a real browser, from signing in to opening the study, and of the console on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from annotate.gold.services import draw_candidates
from annotate.models import GoldJudgement, Study, User
from tests.annotating import until
from tests.chromium import add_session
from tests.factories import PASSWORD, UserFactory, do_hit, make_annotator, make_study

pytestmark = pytest.mark.django_db(transaction=True)

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "relatedness"


def sign_in(page: Page, user: User, then: str) -> None:
    """Sign in without the form, and open a page."""
    add_session(page, user)
    page.goto(then)


def tab_to(page: Page, name: str) -> None:
    """Move to a link or a button with only the Tab key."""
    target = page.get_by_role("link", name=name).or_(page.get_by_role("button", name=name)).first
    expect(target).to_be_visible()
    for _ in range(80):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"the Tab key does not get to {name}")


def bring(page: Page, label: str, name: str) -> None:
    form = page.locator("form.drop", has=page.get_by_label(label))
    form.get_by_label(label).set_input_files(EXAMPLE / name)
    form.get_by_role("button", name="Preview the file").click()
    expect(page.get_by_role("heading", name="Ready to import")).to_be_visible()


def test_from_signing_in_to_an_open_study(page: Page, axe: Callable[[Page], None], settings: Any) -> None:
    settings.PRIVACY_NOTICE = settings.CONTACT = ""
    user = UserFactory()
    page.goto("/console/")
    axe(page)
    page.get_by_label("Email").fill(user.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password", exact=True).press("Enter")
    page.wait_for_url("**/console/")
    axe(page)

    page.get_by_role("link", name="Create a study").click()
    page.get_by_label("Title").fill("Relatedness, round 1")
    page.get_by_label("Best–worst scaling").check()
    page.get_by_label("A crowd").check()
    axe(page)
    page.get_by_role("button", name="Create the study").click()

    expect(page.get_by_text("3 things are missing.")).to_be_visible()
    axe(page)
    page.get_by_role("link", name="Add data").click()
    bring(page, "Item file", "items.csv")
    axe(page)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("status").filter(has_text="Accord imported")).to_be_visible()
    axe(page)

    page.get_by_role("navigation", name="Study pages").get_by_role("link", name="Set up").click()
    page.get_by_role("button", name="Build the questions").click()
    expect(page.get_by_text("2 things are missing.")).to_be_visible()

    page.get_by_role("link", name="Add gold").click()
    page.get_by_role("button", name="Add gold questions").click()
    bring(page, "File of gold questions", "gold.csv")
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("not answered yet")).to_be_visible()
    axe(page)

    page.get_by_role("navigation", name="Study pages").get_by_role("link", name="Set up").click()
    expect(page.get_by_text("One thing is missing.")).to_be_visible()
    expect(page.get_by_role("button", name="Open the study")).to_be_disabled()
    page.get_by_role("link", name="Write the privacy notice").click()
    expect(page.get_by_label("Privacy notice")).to_be_focused()
    page.get_by_label("Privacy notice").fill("We store your answers under a pseudonym.")
    page.get_by_label("Contact for annotators").fill("Ada Lovelace, ada@example.org")
    page.get_by_role("button", name="Save the settings").click()
    expect(page.get_by_text("The settings are saved.")).to_be_visible()
    axe(page)

    page.get_by_role("navigation", name="Study pages").get_by_role("link", name="Set up").click()
    expect(page.get_by_text("The study has everything it needs.")).to_be_visible()
    axe(page)
    tab_to(page, "Open the study")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The study is open")).to_be_visible()
    assert Study.objects.get().is_open


@pytest.mark.nightly
def test_input_that_is_refused_is_where_it_was(page: Page, expected_errors: list[str]) -> None:
    expected_errors.append("status of 422")
    user = UserFactory()
    study = make_study(items=0, state="draft", user=user)
    sign_in(page, user, f"/console/{study.public_id}/settings/pay/")
    page.get_by_label("Currency").fill("12$")
    page.get_by_label("Payment terms").fill("Weekly.")
    page.get_by_role("button", name="Save the settings").click()
    expect(page.get_by_label("Currency")).to_be_focused()
    expect(page.get_by_label("Payment terms")).to_have_value("Weekly.")
    page.get_by_label("Currency").fill("EUR")
    page.get_by_role("button", name="Save the settings").click()
    expect(page.get_by_text("The settings are saved.")).to_be_visible()
    study.refresh_from_db()
    assert (study.currency, study.payment_terms) == ("EUR", "Weekly.")


def test_items_are_found_while_one_types(page: Page) -> None:
    user = UserFactory()
    study = make_study(items=60, state="draft", user=user, design=False)
    sign_in(page, user, f"/console/{study.public_id}/items/")
    expect(page.get_by_text("1–25 of 60")).to_be_visible()
    page.get_by_label("Search IDs and texts").press_sequentially("i59")
    expect(page.get_by_text("i59", exact=True)).to_be_visible()
    expect(page.get_by_text("i1", exact=True)).to_have_count(0)
    expect(page).to_have_url(re.compile(r"\?q=i59$"))
    page.set_viewport_size({"width": 390, "height": 844})
    cell = page.get_by_role("rowheader").bounding_box()
    assert cell is not None
    assert cell["width"] > 200, "the ID is not broken into several lines"


@pytest.mark.nightly
def test_a_candidate_is_answered_by_keyboard(page: Page, axe: Callable[[Page], None]) -> None:
    user = UserFactory()
    study = make_study(items=12, state="draft", user=user)
    first, second = draw_candidates(study.pk, 2, user=user)
    sign_in(page, user, f"/console/{study.public_id}/gold/candidates/{first.public_id}/")
    expect(page.get_by_role("heading", name="Which pair is")).to_be_visible()
    page.locator("#main").focus()
    page.keyboard.press("2")
    page.keyboard.press("Shift+4")
    expect(page.get_by_role("status").filter(has_text="Pair 4")).to_have_count(1)
    axe(page)
    page.get_by_label("Reason for this answer").fill("1 is about the same event.")
    tab_to(page, "Save and continue")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=second.ref)).to_be_visible()
    judgement = GoldJudgement.objects.get()
    keys = first.payload["items"]
    assert judgement.value == {"best": keys[1], "worst": keys[3]}
    assert judgement.explanation == "1 is about the same event."
    page.goto(f"/console/{study.public_id}/gold/candidates/{first.public_id}/")
    expect(page.locator("#best-2")).to_be_checked()
    expect(page.locator("#worst-4")).to_be_checked()
    page.goto(f"/console/{study.public_id}/gold/candidates/{second.public_id}/")
    expect(page.get_by_role("heading", name="Which pair is")).to_be_visible()
    for key in ("1", "Shift+3", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("heading", name="Are your gold questions good?")).to_be_visible()
    first_item, _, third_item, _ = second.payload["items"]
    assert GoldJudgement.objects.get(question=second).value == {"best": first_item, "worst": third_item}


@pytest.mark.nightly
def test_gold_is_set_aside_in_a_dialog(page: Page, axe: Callable[[Page], None]) -> None:
    user = UserFactory()
    study = make_study(items=8, gold=2, user=user)
    sign_in(page, user, f"/console/{study.public_id}/gold/")
    page.locator("summary", has_text="gold-1").click()
    page.get_by_role("button", name="Exclude gold-1").click()  # nobody has answered it, so this needs no reason
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("gold-1 is a gold question again.")).to_be_visible()
    for _ in range(2):
        do_hit(make_annotator(study))
    page.goto(f"/console/{study.public_id}/gold/")
    page.locator("summary", has_text="gold-1").click()
    page.get_by_role("button", name="Exclude…").first.click()
    dialog = page.get_by_role("dialog", name="Exclude gold question gold-1?")
    dialog.get_by_label("Reason for excluding").fill("The key is wrong.")
    axe(page)
    dialog.get_by_role("button", name="Exclude").click()
    expect(page.get_by_text("gold-1 is excluded")).to_be_visible()
    assert study.questions.get(ref="gold-1").kind == "retired"


@pytest.mark.nightly
def test_a_study_is_paused_in_the_browser(page: Page, axe: Callable[[Page], None]) -> None:
    user = UserFactory()
    study = make_study(items=8, user=user)
    sign_in(page, user, f"/console/{study.public_id}/state/")
    axe(page)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("The study is paused")).to_be_visible()
    study.refresh_from_db()
    assert study.state == "paused"


@pytest.mark.nightly
def test_settings_of_an_open_study_are_read_before_they_are_edited(page: Page, axe: Callable[[Page], None]) -> None:
    user = UserFactory()
    study = make_study(items=8, user=user)
    sign_in(page, user, f"/console/{study.public_id}/settings/pay/")
    save = page.get_by_role("button", name="Save the settings")
    expect(page.get_by_role("row", name="Payment terms")).to_be_visible()
    expect(save).to_be_hidden()
    axe(page)
    tab_to(page, "Edit Payment of annotators")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Reward")).to_be_focused()
    expect(page.get_by_label("Budget cap")).to_be_hidden()
    axe(page)
    page.get_by_label("Payment terms").fill("Weekly.")
    save.click()
    expect(page.get_by_role("row", name="Payment terms")).to_contain_text("Weekly.")
    # A link to a setting opens its group, and shows the setting if the study does not use it.
    for name in ("Budget cap", "Minimum hourly wage"):
        page.goto(f"/console/{study.public_id}/settings/pay/#id_{name.lower().replace(' ', '_')}")
        expect(page.get_by_label(name)).to_be_focused()


@pytest.mark.nightly
def test_a_setting_is_shown_with_the_one_that_needs_it(page: Page, axe: Callable[[Page], None]) -> None:
    user = UserFactory()
    study = make_study(items=0, user=user, state="draft", reward=0)
    sign_in(page, user, f"/console/{study.public_id}/settings/pay/")
    terms, budget = page.get_by_label("Payment terms"), page.get_by_role("heading", name="Hourly wage and budget")
    expect(terms).to_be_hidden()
    expect(budget).to_be_hidden()
    axe(page)
    page.get_by_label("Reward").fill("0.5")
    expect(page.get_by_text("About $")).to_have_text("About $18.00 per hour, if a HIT takes 100 s as usual.")
    expect(budget).to_be_visible()
    terms.fill("Weekly.")
    page.get_by_label("Reward").fill("0.0")
    expect(terms).to_be_hidden()
    every = page.get_by_role("button", name="Show all settings")
    every.click()
    expect(every).to_have_attribute("aria-pressed", "true")
    expect(terms).to_have_value("Weekly.")
    axe(page)
    page.get_by_role("button", name="Save the settings").click()
    expect(terms).to_be_visible()  # it is not empty any more
    expect(page.get_by_label("Minimum hourly wage")).to_be_hidden()


@pytest.mark.nightly
def test_on_a_phone_the_places_are_a_bar_at_the_bottom(phone_page: Page, axe: Callable[[Page], None]) -> None:
    page, user = phone_page, UserFactory()
    study = make_study(items=8, gold=4, user=user)
    sign_in(page, user, f"/console/{study.public_id}/design/")
    navigation = page.get_by_role("navigation", name="Study pages")
    box = navigation.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] == page.viewport_size["height"]  # type: ignore[index]
    navigation.get_by_role("link", name="Data").tap()
    page.get_by_role("navigation", name="Tabs").get_by_role("link", name="Gold").tap()
    expect(page.get_by_role("heading", name="Are your gold questions good?")).to_be_visible()
    for place in ("items", "design", "gold", "settings", "members", "history"):
        page.goto(f"/console/{study.public_id}/{place}/")
        wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wider <= 0, f"{place} is {wider} px too wide"
        axe(page)


@pytest.mark.nightly
def test_the_menu_of_oneself_opens_closes_and_signs_out(page: Page, axe: Callable[[Page], None]) -> None:
    user = UserFactory()
    sign_in(page, user, "/console/tokens/")
    me = page.locator("details.me")
    me.locator("summary").press("Enter")
    expect(page.get_by_role("link", name="Two-factor authentication")).to_be_visible()
    axe(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Two-factor authentication")).to_be_hidden()
    expect(me.locator("summary")).to_be_focused()
    me.locator("summary").press("Enter")
    page.get_by_role("button", name="Dark theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    axe(page)
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/accounts/login/**")


@pytest.mark.nightly
def test_the_reference_of_the_api_opens_under_the_policy(page: Page) -> None:
    page.goto("/api/v1/swagger/")
    expect(page.get_by_text("/api/v1/claims").first).to_be_visible()


@pytest.mark.nightly
def test_long_lists_start_with_ten_rows_on_a_phone(phone_page: Page, axe: Callable[[Page], None]) -> None:
    page, user = phone_page, UserFactory()
    study = make_study(items=20, user=user)
    sign_in(page, user, f"/console/{study.public_id}/items/")
    rows = page.locator("tbody tr").locator("visible=true")
    expect(rows).to_have_count(10)
    axe(page)
    page.get_by_role("button", name="Show all 20").press("Enter")
    expect(rows).to_have_count(20)
    expect(rows.nth(10).locator("summary")).to_be_focused()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.reload()
    expect(rows).to_have_count(20)
    expect(page.get_by_role("button", name="Show all 20")).to_be_hidden()


@pytest.mark.nightly
def test_a_file_for_several_tasks_is_not_lost_before_the_task_is_chosen(page: Page) -> None:
    sign_in(page, UserFactory(), "/console/new/")  # type: ignore[arg-type]
    pairs = {"name": "pairs.csv", "mimeType": "text/csv", "buffer": b"id,a,b\n1,A dog sleeps.,A cat sleeps.\n"}
    page.get_by_label("Drop your file here").set_input_files(pairs)  # type: ignore[arg-type]
    asked = page.get_by_text("Choose the task below.")
    expect(asked).to_be_visible()
    page.get_by_role("button", name="Create the study").click()
    expect(page.get_by_role("radio", name="Best–worst scaling")).to_be_focused()
    page.get_by_role("radio", name="Word alignment").check()
    expect(asked).to_have_count(0)
    page.get_by_role("button", name="Create the study").click()
    page.wait_for_url(re.compile(r"/console/[\w-]{22}/"))
    assert Study.objects.get(task_type="words").items.count() == 1


def test_a_reading_that_arrives_late_keeps_the_task_chosen_meanwhile(page: Page) -> None:
    sign_in(page, UserFactory(), "/console/new/")  # type: ignore[arg-type]
    held: list[Route] = []
    page.route("**/new/file/", lambda route: held.append(route))  # Playwright sets an attribute on it
    page.get_by_label("Drop your file here").set_input_files(
        {"name": "pairs.csv", "mimeType": "text/csv", "buffer": b"id,a,b\n1,A dog sleeps.,A cat sleeps.\n"}
    )
    until(page, lambda: len(held) == 1)
    words = page.get_by_role("radio", name="Word alignment")
    words.check()
    until(page, lambda: len(held) == 2)
    for route in held:
        with page.expect_response("**/new/file/"):
            route.continue_()
    expect(page.get_by_text("1 pair")).to_be_visible()
    expect(words).to_be_checked()
