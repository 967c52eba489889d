"""Activity summaries that really arrive from Chromium. Input through the DevTools protocol is trusted, and events of a
script are not.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from annotate.models import ActivitySummary, Participation
from tests.annotating import choose, enter, question, start, until
from tests.factories import make_annotator, make_study

pytestmark = pytest.mark.django_db(transaction=True)
NAMED = {"consent": "We collect activity summaries.", "consent_names_activity": True}


@pytest.fixture(scope="module")
def chromium(chromium_with_windows: Browser) -> Browser:
    """Return a browser in which a page can lose the focus."""
    return chromium_with_windows


def summary_of(page: Page, annotator: Participation, position: int) -> ActivitySummary:
    """Wait until the summary of this answer has arrived."""
    rows = ActivitySummary.objects.filter(answer__participation=annotator, answer__position=position)
    until(page, rows.exists)
    return rows.get()


def go_on(page: Page, number: int) -> None:
    page.keyboard.press("Enter")
    question(page, number)


@pytest.mark.nightly
def test_what_arrives_from_a_browser(page: Page) -> None:
    annotator = make_annotator(make_study(items=8, activity_summaries=True, **NAMED))
    start(page, annotator)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))

    choose(page, 1, 2)
    go_on(page, 2)
    keyboard = summary_of(page, annotator, 1)
    # Shift is a key of its own.
    assert (keyboard.keys, keyboard.presses, keyboard.untrusted_events, keyboard.webdriver) == (4, 0, 0, True)
    assert keyboard.key_interval_median is not None
    assert (keyboard.pointer_paths, keyboard.straightness, keyboard.focus_losses, keyboard.pastes) == (0, None, 0, 0)

    page.mouse.move(100, 500)
    page.mouse.move(700, 520, steps=12)
    page.locator(".pick label").nth(2).click()
    page.locator(".pick label").nth(1).click()
    page.get_by_role("button", name="Next").click()
    question(page, 3)
    mouse = summary_of(page, annotator, 2)
    assert (mouse.keys, mouse.presses, mouse.untrusted_events) == (0, 3, 0)
    assert mouse.pointer_paths >= 1
    assert 0.8 < mouse.straightness <= 1
    assert mouse.press_interval_median is not None

    page.evaluate(
        """() => {
            for (const name of ["best", "worst"])
                document.querySelectorAll(`input[name=${name}]`)[name === "best" ? 2 : 3].click();
            document.getElementById("next").click();
        }"""
    )
    question(page, 4)
    script = summary_of(page, annotator, 3)
    assert script.untrusted_events >= 3
    assert script.presses >= 1

    page.keyboard.press("1")
    page.get_by_role("button", name="More").click()
    page.get_by_text("Write to the research team about this question").click()
    field = page.get_by_label("Your message")
    field.fill("a text of thirty-one characters")
    field.press("Control+a")
    field.press("Control+c")
    field.press("End")
    field.press("Control+v")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+v")
    lose_focus(page)
    page.keyboard.press("Shift+Digit3")
    page.locator("#next").click()
    question(page, 5)
    pasted = summary_of(page, annotator, 4)
    assert (pasted.pastes, pasted.pasted_length) == (1, "medium"), "only what is pasted outside the message"
    assert pasted.keys < 12, "the keys of the message do not count"
    assert pasted.focus_losses == 1
    assert pasted.unfocused_seconds > 0
    assert pasted.untrusted_events == 0

    sent = [url for url in requests if "/api/" in url]
    assert all("/answers/" in url for url in sent), "no request carries only a summary"


def lose_focus(page: Page) -> None:
    """Look at another tab for a moment. By default, Playwright pretends that every page has the focus."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setFocusEmulationEnabled", {"enabled": False})
    page.evaluate("""() => {
        window.lost = new Promise((resolve) => addEventListener("blur", resolve, { once: true }));
        window.regained = new Promise((resolve) => addEventListener("focus", resolve, { once: true }));
    }""")
    other = page.context.new_page()
    other.bring_to_front()
    page.evaluate("() => window.lost")
    other.wait_for_timeout(200)  # the summary counts tenths of a second
    page.bring_to_front()
    page.evaluate("() => window.regained")
    other.close()


@pytest.mark.nightly
def test_the_module_is_loaded_only_where_the_study_collects_summaries(open_page: Callable[..., Page]) -> None:
    for collects in (False, True):
        page = open_page()
        loaded: list[str] = []
        page.on("request", lambda request, loaded=loaded: loaded.append(request.url))
        annotator = make_annotator(make_study(items=8, activity_summaries=collects, **NAMED))
        start(page, annotator)
        if collects:
            until(page, lambda loaded=loaded: any("/signs" in url for url in loaded))
        choose(page, 1, 2)
        go_on(page, 2)
        until(page, lambda annotator=annotator: annotator.answers.filter(given_at__isnull=False).exists())
        assert ActivitySummary.objects.filter(answer__participation=annotator).exists() is collects
        assert any("/signs" in url for url in loaded) is collects


def test_the_page_works_without_the_module(page: Page, expected_errors: list[str]) -> None:
    expected_errors.append(r"signs\.js")
    annotator = make_annotator(make_study(items=8, activity_summaries=True, **NAMED))
    enter(page, annotator)
    page.route("**/signs*.js", lambda route: route.abort())
    start(page, annotator)
    choose(page, 1, 2)
    go_on(page, 2)
    until(page, lambda: annotator.answers.filter(given_at__isnull=False).exists())
    assert not ActivitySummary.objects.exists()
    expect(page.locator("#progress")).to_have_attribute("aria-valuenow", "2")


@pytest.mark.nightly
def test_what_is_collected_can_be_read_before_joining_and_later(page: Page, axe: Callable[[Page], None]) -> None:
    study = make_study(language="de", activity_summaries=True, **NAMED)
    page.goto(f"/join/{study.join_token}")
    page.locator("summary", has_text="Vollständiger Einwilligungstext").click()
    expect(page.get_by_role("heading", name="Zusammenfassung Ihrer Aktivität")).to_be_visible()
    axe(page)
    enter(page, make_annotator(study))
    page.goto(f"/s/{study.public_id}/study")
    page.locator("summary", has_text="Zusammenfassung Ihrer Aktivität").click()
    told = page.get_by_text("wie gerade sich der Mauszeiger bewegt hat").locator("visible=true")
    expect(told.first).to_be_visible()
    axe(page)
