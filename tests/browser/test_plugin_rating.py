"""Browser tests of the plug-in in examples/plugin-rating: sliders and orders by keyboard, mouse and touch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Locator, Page, expect

from annotate.models import Answer, Participation, Study
from annotate.toolkit import testing
from tests.annotating import enter, until
from tests.chromium import on_each_screen
from tests.plugins import ROOT, installed

ITEMS = "id,set,context,text\n" + "".join(f"i{n},s,Summarise: it rains.,Text number {n}.\n" for n in range(1, 4))
TWO_SCALES = "Fluency: 1 = bad, 5 = good; Content: 0 = missing, 50 = partly, 100 = complete"

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly]


@pytest.fixture(autouse=True)
def _plug_in() -> Iterator[None]:
    with installed(ROOT / "examples" / "plugin-rating", "accord_rating.apps.RatingConfig"):
        yield


def opened(page: Page, **options: Any) -> tuple[Study, Participation]:
    """Open the first question of a study of one set as a new annotator."""
    # The test server collected its static files before this application was installed.
    page.route(
        "**/static/rating/*",
        lambda route: route.fulfill(path=finders.find(route.request.url.partition("/static/")[2])),
    )
    study = testing.opened_study("rating", ITEMS.encode(), options=options)
    person = testing.new_annotator(study)
    enter(page, person)
    page.goto(f"/a/{testing.claimed(person).public_id}")
    expect(page.locator("#task .rating")).to_be_visible()
    return study, person


def stored(page: Page, person: Participation) -> dict[str, Any]:
    """Submit the answer, and return it with the items in screen order."""
    page.locator("#next").click()
    given = Answer.objects.filter(participation=person, given_at__isnull=False)
    until(page, given.exists)
    answer = given.get()
    return {name: [values[place] for place in answer.shown] for name, values in answer.value.items()}


def ranks(page: Page) -> list[str]:
    return page.locator(".rating .rank").all_inner_texts()


def ranked(page: Page) -> list[str]:
    """Return the numbers of the texts in the order, first rank first."""
    return page.locator(".ranked kbd").all_text_contents()


def middle(element: Locator) -> tuple[float, float]:
    box = element.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_slider_has_no_position_until_it_is_moved(page: Page) -> None:
    _, person = opened(page)
    sliders = page.get_by_role("slider")
    expect(sliders).to_have_count(3)
    expect(sliders.first).to_have_attribute("aria-valuetext", "No position yet")
    expect(page.locator("#next")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Enter")
    expect(page.locator("#saved")).to_have_text("Choose a position for “Quality” of text 1.")
    expect(sliders.first).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(sliders.first).to_have_attribute("aria-valuetext", "51, closest to “acceptable”")
    page.keyboard.press("Tab")
    page.keyboard.press("9")
    sliders.nth(2).click()  # the middle, where the slider rests
    expect(sliders.nth(2)).to_have_attribute("aria-valuetext", "50, closest to “acceptable”")
    expect(page.locator("#next")).to_have_attribute("aria-disabled", "false")
    assert stored(page, person) == {"ratings": [[51], [90], [50]]}


def test_several_scales_work_by_keyboard_alone(page: Page) -> None:
    _, person = opened(page, scales=TWO_SCALES)
    page.keyboard.press("3")  # the first slider without a position
    for key in ("End", "5", "Home", "1", "7"):
        page.keyboard.press("Tab")
        page.keyboard.press(key)
    assert page.get_by_role("slider").first.get_attribute("aria-label") == "Fluency, text 1"
    page.keyboard.press("Enter")
    given = Answer.objects.filter(participation=person, given_at__isnull=False)
    until(page, given.exists)
    answer = given.get()
    assert [answer.value["ratings"][place] for place in answer.shown] == [[3, 100], [5, 0], [1, 70]]


def test_an_order_with_a_tie_by_keyboard(page: Page) -> None:
    _, person = opened(page, mode="ranking")
    expect(page.locator(".ranked li")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator("#saved")).to_have_text("Text 1 has no rank yet.")
    for key in ("2", "1", "3"):
        page.keyboard.press(key)
    assert ranked(page) == ["2", "1", "3"]
    page.keyboard.press("ArrowUp")
    assert ranked(page) == ["2", "3", "1"]
    page.keyboard.press("t")
    assert ranks(page) == ["Rank 1", "Rank 1", "Rank 2"]
    page.keyboard.press("t")
    assert ranks(page) == ["Rank 1", "Rank 2", "Rank 3"]
    page.keyboard.press("Backspace")
    assert ranks(page) == ["Rank 1", "Rank 2", "No rank"]
    expect(page.locator("#next")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("3")
    page.keyboard.press("t")
    assert stored(page, person) == {"ranks": [2, 1, 2]}


def test_an_order_without_ties_by_buttons_and_mouse(page: Page) -> None:
    _, person = opened(page, mode="ranking", ties=False)
    for number in (1, 2, 3):
        page.get_by_role("button", name=f"Next rank: Text {number}").click()
    page.keyboard.press("t")
    assert ranked(page) == ["1", "2", "3"]
    expect(page.get_by_role("button", name="Tie with the text above")).to_have_count(0)
    page.get_by_role("button", name="Down: Text 1").click()
    assert ranked(page) == ["2", "1", "3"]
    page.mouse.move(*middle(page.locator(".ranked .grip").last))
    page.mouse.down()
    page.mouse.move(*middle(page.locator(".ranked h2, .rating h2").first), steps=5)
    page.mouse.up()
    assert ranked(page) == ["3", "2", "1"]
    assert stored(page, person) == {"ranks": [3, 2, 1]}


def test_an_order_by_touch(open_page: Callable[..., Page]) -> None:
    page = open_page(390, has_touch=True, is_mobile=True)
    _, person = opened(page, mode="ranking")
    for number in (1, 2, 3):
        page.get_by_role("button", name=f"Next rank: Text {number}").tap()
    page.locator(".ranked .grip").first.scroll_into_view_if_needed()
    touch = page.context.new_cdp_session(page)
    x, start = middle(page.locator(".ranked .grip").first)
    end = middle(page.locator(".ranked li").nth(1))[1] + 40
    points = [start + (end - start) * step / 5 for step in range(6)]
    for kind, y in [("touchStart", points[0]), *(("touchMove", y) for y in points[1:])]:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    until(page, lambda: ranked(page) == ["2", "1", "3"])
    assert stored(page, person) == {"ranks": [2, 1, 3]}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("options", [{"scales": TWO_SCALES}, {"mode": "ranking"}], ids=["rating", "ranking"])
def test_both_pages_are_accessible_on_each_screen(
    page: Page, axe: Callable[[Page], None], options: dict[str, Any], scheme: Any
) -> None:
    page.emulate_media(color_scheme=scheme)
    opened(page, **options)
    for key in "12":
        page.keyboard.press(key)
    for _ in on_each_screen(page):
        axe(page)
