"""Tests of what the chunk editor shows: labels, long pairs, narrow screens, directions and feedback."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.aligning import arabic_outside_isolates
from tests.chromium import check_width
from tests.chunking import (
    DRAFT,
    LEFT,
    LINKS,
    SOURCE,
    TARGET,
    at,
    chunk,
    chunks,
    pill,
    pull,
    told,
    word,
)

OVERLAPS = """boxes => { const all = [...document.querySelectorAll(boxes)].map(box => box.getBoundingClientRect());
  return all.filter((a, n) => all.some((b, m) => m < n && a.left < b.right && b.left < a.right && a.top < b.bottom
    && b.top < a.bottom)).length; }"""


@pytest.fixture
def editor(chunk_editor: Callable[..., Page]) -> Callable[..., Page]:
    return chunk_editor


@pytest.mark.parametrize("width", [390, 1280])
def test_labels_never_overlap(editor: Callable[..., Page], width: int) -> None:
    words = " ".join(f"w{n}" for n in range(12))
    every = {"source": [[n] for n in range(12)], "target": [[n] for n in range(12)]}
    crowd = [(n, n) for n in range(12)] + [(n, 11 - n) for n in range(0, 12, 2)]
    crowded = [{"source": n, "target": m, "type": "SIMI", "score": 3, "flags": []} for n, m in crowd]
    page = editor(words, words, width=width, many=True, value={**DRAFT, "chunks": every, "links": crowded, "left": []})
    expect(page.locator(".pill")).to_have_count(len(crowded))
    assert page.evaluate(OVERLAPS, ".pill") == 0
    assert page.evaluate(OVERLAPS, ".pill, .linker .tok") == 0
    check_width(page)


def test_rows_where_both_fit_and_columns_otherwise(editor: Callable[..., Page]) -> None:
    long = " ".join(f"word{n}" for n in range(50))
    groups = [[n, n + 1] for n in range(0, 50, 2)]
    page = editor(value=DRAFT)
    expect(page.locator(".board.rows")).to_be_visible()
    page.set_viewport_size({"width": 600, "height": 800})
    expect(page.locator(".board.columns")).to_be_visible()
    page = editor(long, long, chunks={"source": groups, "target": groups})
    expect(page.locator(".board.columns")).to_be_visible()
    check_width(page)


def is_in_sight(locator: Locator) -> bool:
    box, height = locator.bounding_box(), locator.page.viewport_size["height"]  # type: ignore[index]
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= height


def test_along_a_long_pair_tools_text_panel_and_status_stay_in_sight(editor: Callable[..., Page]) -> None:
    long = " ".join(f"word{n}" for n in range(50))
    groups = [[n, n + 1] for n in range(0, 50, 2)]
    every = [{"source": n, "target": n, "type": "SIMI", "score": 3, "flags": []} for n in range(25)]
    value = {**DRAFT, "chunks": {"source": groups, "target": groups}, "links": every, "left": []}
    page = editor(long, long, width=1366, value=value)
    page.set_viewport_size({"width": 1366, "height": 768})
    pill(page, "word20 word21").click()
    page.evaluate("scrollBy({ top: 500, behavior: 'instant' })")
    assert page.evaluate("scrollY") > 200
    for part in (".bar", ".texts", ".inspect", ".foot"):
        assert is_in_sight(page.locator(part)), part
    page.keyboard.press("/")  # all are linked
    expect(told(page)).to_have_text("Every chunk is linked or marked.")


def test_a_chunk_in_the_running_text_lights_its_counterpart(editor: Callable[..., Page]) -> None:
    page = editor(value=DRAFT, width=700)
    page.locator(".texts [data-token='4']").first.hover()  # in the chunk “carried … out”
    expect(page.locator(".texts .on")).to_have_text(["carried ", "out "])
    expect(page.locator(".texts .mate")).to_have_text(["rescued "])
    expect(chunk(page, 1, 1)).to_have_class(re.compile("mate"))
    chunk(page, 1, 0).hover()
    expect(page.locator(".texts .mate")).to_have_text(["two ", "men "])


def test_on_the_narrowest_phone_each_button_shows_what_it_is(editor: Callable[..., Page]) -> None:
    page = editor(value=DRAFT, width=320, touch=True)
    for button in page.locator(".bar .b:visible").all():
        parts = button.locator("svg, span").evaluate_all("all => all.map(part => part.getBoundingClientRect().width)")
        assert max(parts) > 8, button.get_attribute("class")
    check_width(page)


def test_selected_states_show_in_forced_colours(editor: Callable[..., Page]) -> None:
    page = editor(value=DRAFT)
    page.emulate_media(forced_colors="active")
    pill(page, "two men – a crew").click()
    for chosen, other in [
        (".seg .b[aria-checked='true']", ".seg .b[aria-checked='false']"),
        (".types input:checked + label", ".types input:not(:checked) + label"),
        (".pill.chosen", ".pill:not(.chosen)"),
    ]:
        looks = [
            page.locator(each).first.evaluate("e => getComputedStyle(e).backgroundColor") for each in (chosen, other)
        ]
        assert looks[0] != looks[1], chosen


def test_right_to_left(editor: Callable[..., Page]) -> None:
    page = editor("رفضت الهيئة الخطة", "لم تقبل الخطة", language="ar")
    pull(page, word(page, 0, 0), word(page, 0, 1))
    page.keyboard.press("w")
    assert chunks(page)["source"] == [[0, 1], [2]]
    assert at(word(page, 0, 0))[0] > at(word(page, 0, 2))[0]
    page.get_by_role("button", name="Link the chunks").click()
    assert at(chunk(page, 0, 0))[0] > at(chunk(page, 0, 1))[0]
    expect(chunk(page, 0, 0)).to_be_focused()
    assert page.locator(".foot .says bdi").count() == 1  # words of another direction leave the sentence as it is
    page.keyboard.press("ArrowLeft")
    expect(chunk(page, 0, 1)).to_be_focused()
    page.keyboard.press("/")
    assert arabic_outside_isolates(page) == []
    for key in ("3", "s", "3", "Backspace", "u", "n"):
        page.keyboard.press(key)
        assert arabic_outside_isolates(page) == []
    assert len(page.evaluate("heard")) == 7


@pytest.mark.nightly
def test_feedback_side_by_side(editor: Callable[..., Page], axe: Callable[[Page], None]) -> None:
    page = editor(value=DRAFT)
    own = {**DRAFT, "links": [{**LINKS[0], "score": 2}, {**LINKS[1], "target": 2}]}
    sentence = page.evaluate(
        "both => editor.feedback(document.getElementById('feedback'), both)", {"expected": DRAFT, "given": own}
    )
    counts, *judgements = sentence
    assert counts == "1 of your links was not expected. 1 expected link is missing. 1 link has a different score."
    (judgement,) = judgements
    assert re.sub("[\u2066-\u2069]", "", judgement).endswith(
        ": your answer is SIMI, 2. The expected answer is SIMI, 3."
    )
    labels = [stage.locator(".pill").all_inner_texts() for stage in page.locator("#feedback .stage").all()]
    assert [[text.replace("\n", " ") for text in side] for side in labels] == [
        ["≠ SIMI 2", "− SPE1 F 4"],
        ["≠ SIMI 3", "+ SPE1 F 4"],
    ]
    axe(page)
    stops = [{"source": 3, "target": 3, "type": "EQUI", "score": 5, "flags": []}]
    apart = {"expected": {**DRAFT, "links": LINKS + stops, "left": LEFT[:1] + LEFT[2:3]}, "given": DRAFT}
    feedback = "both => editor.feedback(document.getElementById('feedback'), both)"
    assert page.evaluate(feedback, apart) == ""  # final punctuation need not be linked
    expect(page.locator("#feedback .missed")).to_have_count(0)
    same = page.evaluate(
        "both => editor.feedback(document.getElementById('feedback'), both)", {"expected": DRAFT, "given": DRAFT}
    )
    assert same == ""


@pytest.mark.parametrize("given", [DRAFT, {**DRAFT, "links": LINKS[:1]}, {**DRAFT, "links": []}])
def test_agrees_as_the_server_grades(editor: Callable[..., Page], given: Any) -> None:
    from alignment_ui.chunks.tasktype import Chunks

    page = editor()
    payload = {"source": SOURCE.split(), "target": TARGET.split()}
    graded = Chunks().grade(payload, DRAFT, given, {"f1": 0.7})
    assert page.evaluate("([given, expected]) => editor.agrees(given, expected)", [given, DRAFT]) is graded.passed


@pytest.mark.nightly
@pytest.mark.parametrize(("width", "scheme"), [(390, "dark")])
def test_axe_finds_nothing(editor: Callable[..., Page], axe: Callable[[Page], None], width: int, scheme: Any) -> None:
    page = editor(value={**DRAFT, "links": [LINKS[0], {**LINKS[1], "type": None}], "left": LEFT[:2]}, width=width)
    page.emulate_media(color_scheme=scheme)
    pill(page, "two men – a crew").click()
    axe(page)  # with the panel
    for key in ("u", "/"):
        page.keyboard.press(key)
    axe(page)  # with the search
    for key in ("Escape", "c"):
        page.keyboard.press(key)
    word(page, 0, 2).click()
    axe(page)
