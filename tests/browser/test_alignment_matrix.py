"""Tests of the table of links in the editor of word alignment, and of its toolbar."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.aligning import centre, drag
from tests.word_editor import SHORT, SUGGESTED, links, log


@pytest.mark.nightly
def test_the_matrix_says_and_does_the_same(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT, prealignment=SUGGESTED)
    page.keyboard.press("m")
    grid = page.get_by_role("grid")
    expect(grid.get_by_role("gridcell", name="he – she: sure, as suggested")).to_be_visible()
    assert grid.locator("td[tabindex='0']").count() == 1
    grid.locator("td[tabindex='0']").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    expect(grid.get_by_role("gridcell", name="left – away: not linked")).to_be_focused()
    page.keyboard.press("Space")
    expect(grid.get_by_role("gridcell", name="left – away: sure, added by you")).to_be_focused()
    expect(page.locator("#spoken")).to_have_text("left – away: sure")
    assert log(page) == [("sure", "matrix", [[1, 2]])]
    page.keyboard.press("d")
    assert links(page)[1] == [[1, 1], [1, 2]]
    page.keyboard.press("Backspace")
    expect(grid.get_by_role("gridcell", name="left – away: not linked")).to_be_focused()
    page.keyboard.press("Control+Home")
    expect(grid.get_by_role("gridcell", name="he – she: sure, as suggested")).to_be_focused()
    expect(page.locator(".board .tie.on")).to_have_count(1)  # lit in both views
    drag(page, centre(page, 0, 0), centre(page, 1, 0))
    expect(grid.get_by_role("gridcell", name="he – she: suggestion removed")).to_be_attached()
    grid.get_by_role("gridcell", name="early – early").first.click()  # in the middle, where identical words have a dot
    assert links(page)[0] == []


def test_a_diagonal_links_one_word_with_one_by_mouse_and_by_keys(editor: Callable[..., Page]) -> None:
    page = editor("a b c d e", "v w x y z")
    page.keyboard.press("m")
    page.evaluate("scrollTo(0, 1000)")
    cell = [[page.locator(".matrix tbody tr").nth(i).locator("td").nth(j) for j in range(5)] for i in range(5)]
    page.keyboard.down("Alt")
    drag(page, middle_of(cell[0][1]), middle_of(cell[2][3]))
    page.keyboard.up("Alt")
    assert links(page)[0] == [[0, 1], [1, 2], [2, 3]]
    assert log(page) == [("sure", "matrix", [[0, 1], [1, 2], [2, 3]])]
    page.keyboard.down("Alt")
    drag(page, middle_of(cell[4][0]), middle_of(cell[3][4]))  # upwards, and only as far as the shorter side
    page.keyboard.up("Alt")
    assert links(page)[0] == [[0, 1], [1, 2], [2, 3], [3, 1], [4, 0]]
    cell[3][3].focus()
    page.keyboard.press(".")  # nothing is selected
    for key in ("Shift+ArrowDown", "Shift+ArrowRight"):
        page.keyboard.press(key)
    expect(page.locator(".matrix td.marked")).to_have_count(4)
    page.keyboard.press(".")
    expect(page.locator(".matrix td.marked")).to_have_count(0)
    assert links(page)[0][3:] == [[3, 1], [3, 3], [4, 0], [4, 4]]


def middle_of(cell: Locator) -> tuple[float, float]:
    box = cell.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_matrix_stays_shown_and_is_left_out_on_a_phone(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT)
    page.get_by_role("button", name="Table").click()
    page.evaluate("begin(null)")
    expect(page.get_by_role("grid")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 800})
    expect(page.get_by_role("grid")).to_be_hidden()
    expect(page.get_by_role("button", name="Table")).to_be_hidden()


def test_the_toolbar_has_one_tab_stop(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT)
    bar = page.get_by_role("toolbar")
    assert bar.locator("[tabindex='0']").count() == 1
    bar.locator("[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Possible")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_role("radio", name="Possible")).to_be_checked()
    page.keyboard.press("End")
    expect(page.get_by_role("button", name="Table")).to_be_focused()
    assert bar.locator("[tabindex='0']").count() == 1
