"""Tests of touch input in the word-alignment editor: scrolling, drawing, cancelling, and no unintended changes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.aligning import centre, value_of, word
from tests.word_editor import SHORT, Finger, links

IS_GUTTER = "([x, y]) => [document.elementFromPoint(x, y)].some((at) => at.closest('.board') && !at.closest('.tok'))"
PINNED = ".an-foot { position: fixed; inset: auto 0 0; block-size: 80px; background: white; z-index: 4 }"


@pytest.fixture
def phone(editor: Callable[..., Page]) -> Page:
    letters = " ".join("abcdefghij" * 5)
    return editor(letters, letters, width=390, touch=True)


def test_a_tablet_shows_no_keys_and_leaves_half_its_height_to_long_sentences(editor: Callable[..., Page]) -> None:
    words = " ".join("abcdefghij" * 5)
    page = editor(words, words, width=768, height=1024, touch=True)
    assert page.locator("kbd").filter(visible=True).count() == 0
    word(page, 0, 44).tap()
    word(page, 1, 44).tap()
    assert links(page) == ([[44, 44]], [])
    assert page.locator(".stick").evaluate("element => element.getBoundingClientRect().bottom") < 512


def test_a_vertical_swipe_on_a_word_scrolls_and_links_nothing(phone: Page) -> None:
    x, y = centre(phone, 0, 6)
    Finger(phone).drag((x, y), (x + 20, y - 240))
    phone.wait_for_function("scrollY > 100")
    assert value_of(phone) is None
    expect(phone.get_by_role("option", selected=True)).to_have_count(0)


def test_a_drag_to_a_distant_word_that_scrolls_is_explained(phone: Page) -> None:
    (x, y), (beyond, _) = centre(phone, 0, 3), centre(phone, 1, 3)
    finger = Finger(phone)
    finger.drag((x, y), (x + 10, y - 60), lift=False)
    phone.wait_for_function("scrollY > 20")
    finger.move((beyond, y - 240))
    finger.up()
    assert value_of(phone) is None
    expect(phone.locator(".says")).to_have_text("The page scrolled. Tap both words instead.")


@pytest.mark.nightly
def test_a_link_is_drawn_sideways_or_after_a_long_press(phone: Page) -> None:
    finger = Finger(phone)
    finger.drag(centre(phone, 0, 2), centre(phone, 1, 3))
    (x, top), (beyond, bottom) = centre(phone, 0, 1), centre(phone, 1, 4)
    finger.drag((x, top), (x + 4, bottom), hold=True, lift=False)  # straight down, which would scroll otherwise
    for share in (1 / 2, 1):  # few steps, because a drag that rests on the last of several words links them all
        finger.move((x + (beyond - x) * share, bottom))
    assert phone.evaluate("scrollY") == 0
    finger.up()
    assert links(phone) == ([[1, 4], [2, 3]], [])


def test_a_long_press_alone_picks_the_word_up(phone: Page) -> None:
    finger = Finger(phone)
    finger.drag(centre(phone, 0, 2), centre(phone, 1, 2))
    finger.down(centre(phone, 0, 2))
    phone.wait_for_timeout(550)
    expect(word(phone, 0, 2)).to_contain_class("source")
    finger.up()
    assert links(phone) == ([[2, 2]], [])
    expect(word(phone, 0, 2)).to_have_attribute("aria-selected", "true")


@pytest.mark.parametrize("away", [11, -14])
def test_a_tap_in_the_gutter_does_not_hit_a_link_that_is_not_under_the_finger(phone: Page, away: int) -> None:
    Finger(phone).drag(centre(phone, 0, 2), centre(phone, 1, 2))
    before = value_of(phone)
    x, y = phone.viewport_size["width"] / 2, centre(phone, 0, 2)[1]
    phone.touchscreen.tap(x, y + away)
    assert value_of(phone) == before
    expect(phone.locator(".board.lit, .linkbar:not([hidden])")).to_have_count(0)


def test_a_drop_on_what_lies_over_the_board_links_nothing(phone: Page) -> None:
    phone.add_style_tag(content=PINNED)
    hidden = next(n for n in range(50) if centre(phone, 1, n)[1] > 800 - 60)
    Finger(phone).drag(centre(phone, 0, hidden - 4), centre(phone, 1, hidden))
    assert value_of(phone) is None


def test_a_refusal_brings_the_button_that_confirms_into_view(phone: Page) -> None:
    button = phone.get_by_role("button", name="No words match")
    expect(button).not_to_be_in_viewport()
    assert phone.evaluate("editor.refuse()").startswith("No words are linked yet.")
    expect(button).to_be_in_viewport(ratio=1)
    boxes = button.bounding_box(), phone.locator(".an-foot").bounding_box()
    assert all(boxes)
    assert boxes[0]["y"] + boxes[0]["height"] < boxes[1]["y"]


@pytest.mark.nightly
def test_the_bar_of_a_link_hides_none_of_its_words(phone: Page) -> None:
    finger = Finger(phone)
    lowest = max(n for n in range(50) if centre(phone, 0, n)[1] < 700)
    finger.drag(centre(phone, 0, lowest), centre(phone, 1, lowest))
    phone.touchscreen.tap(phone.viewport_size["width"] / 2, centre(phone, 0, lowest)[1])
    bar = phone.get_by_role("group", name="–").bounding_box()
    assert bar
    for side in (0, 1):
        box = word(phone, side, lowest).bounding_box()
        assert box
        assert box["y"] + box["height"] < bar["y"]


@pytest.mark.nightly
def test_a_tap_that_opens_the_bar_of_a_link_presses_nothing_in_the_bar(phone: Page) -> None:
    phone.evaluate("begin({ sure: Array.from({ length: 50 }, (_, n) => [n, n]), possible: [], log: [] })")
    before, opened = value_of(phone), 0
    for x in (165, 195, 225):
        for y in range(150, 800, 50):
            # The page scrolls to uncover the words of a link, so each tap starts from a known place.
            phone.evaluate("scrollTo({ top: 500, behavior: 'instant' })")
            if phone.evaluate(IS_GUTTER, [x, y]):
                phone.touchscreen.tap(x, y)
                opened += phone.locator(".linkbar").is_visible()
                assert value_of(phone) == before, (x, y)
                phone.keyboard.press("Escape")
    assert opened > 10


@pytest.mark.parametrize("picked", [None, 7])
def test_a_drag_in_progress_is_drawn_strongest_and_its_source_is_marked(phone: Page, picked: int | None) -> None:
    finger = Finger(phone)
    finger.drag(centre(phone, 0, 5), centre(phone, 1, 5))
    if picked is not None:
        word(phone, 0, picked).tap()  # everything else is dimmed
    finger.drag(centre(phone, 0, 2), centre(phone, 1, 3), lift=False)
    expect(word(phone, 0, 2)).to_contain_class("source")
    style = "tie => [getComputedStyle(tie).strokeOpacity, getComputedStyle(tie.querySelector('.line')).strokeWidth]"
    (opacity, width), (other, thinner) = (
        phone.locator(where).evaluate(style) for where in (".above .tie", ".links:not(.above) .tie")
    )
    assert opacity == "1"
    assert float(opacity) >= float(other)
    assert float(width.removesuffix("px")) > float(thinner.removesuffix("px"))
    finger.up()
    expect(phone.locator(".source")).to_have_count(0)


@pytest.mark.parametrize("way", ["Escape", "second finger"])
def test_a_drag_is_given_up(phone: Page, way: str) -> None:
    finger = Finger(phone)
    start, end = centre(phone, 0, 2), centre(phone, 1, 2)
    finger.drag(start, end, lift=False)
    expect(phone.locator(".above .tie")).to_have_count(1)
    if way == "Escape":
        phone.keyboard.press("Escape")
    else:
        finger.down(end, (200, 700))
        finger.move(end, (200, 690))
    expect(phone.locator(".above .tie")).to_have_count(0)
    expect(phone.locator(".source")).to_have_count(0)
    finger.up()
    assert value_of(phone) is None
    expect(phone.get_by_role("option", selected=True)).to_have_count(0)


def test_escape_gives_up_a_drag_by_mouse_wherever_the_focus_is(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT)
    page.mouse.move(*centre(page, 0, 1))
    page.mouse.down()
    page.mouse.move(*centre(page, 1, 3), steps=3)
    page.locator("#question").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".above .tie")).to_have_count(0)
    page.mouse.up()
    assert value_of(page) is None
