"""Tests of the paraphrase module by mouse, keyboard and touch, on a page without other elements."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.chromium import check_accessibility, check_width
from tests.paraphrase_editor import MANY, RAMBLING, WORDS, Open, complete, places, row, tried, votes


@pytest.fixture
def editor(paraphrase_editor: Open) -> Open:
    return paraphrase_editor


# ── answering ─────────────────────────────────────────────────────────────────────────────────────────────────────
def test_by_mouse(editor: Open) -> None:
    page = editor()
    assert (
        page.locator("#question").inner_text()
        == "Which of these words could replace the marked words in this sentence?"
    )
    for number in range(1, 6):
        assert not complete(page)
        row(page, number).get_by_text("Yes" if number < 3 else "No", exact=True).click()
    assert page.evaluate("value") == {"votes": [True, True, False, False, False]}
    assert complete(page)
    row(page, 1).get_by_text("No", exact=True).click()
    assert page.evaluate("value.votes[0]") is False


def test_by_keys_alone_each_answer_leads_on_to_the_next_open_one(editor: Open) -> None:
    page = editor(value={"votes": [None, True, None, None, None]})
    page.keyboard.press("y")
    assert page.evaluate("words") == "prune: Yes. 2 of 5 answered"
    expect(row(page, 3).get_by_role("radio", name="Yes")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("n")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("n")  # the fourth again: the fifth is open
    page.keyboard.press("Shift+Y")  # another key
    page.keyboard.press("3")
    page.keyboard.press("y")
    page.keyboard.press("y")
    assert page.evaluate("value") == {"votes": [True, True, True, False, True]}
    assert complete(page)


def test_single_keys_off_leaves_tab_arrows_and_space(editor: Open) -> None:
    page = editor(single=False)
    page.keyboard.press("y")
    assert votes(page) == [None] * 5
    first = row(page, 1).get_by_role("radio", name="Yes")
    for _ in range(5):
        page.keyboard.press("Tab")
        if first.evaluate("radio => radio === document.activeElement"):
            break
    page.keyboard.press("Space")
    expect(first).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")  # from yes to no, as radios do
    assert votes(page) == [True, False, None, None, None]
    page.keyboard.press("End")
    expect(row(page, 5).get_by_role("radio", name="Yes")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="None of these words is right")).to_be_focused()


def test_by_touch_at_390_px(editor: Open) -> None:
    page = editor(390, 844)
    for button in page.locator(".yn label, .none, .heads button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["width"] >= 44
    row(page, 4).locator(".sent").tap()
    assert tried(page) == "curtail"
    row(page, 1).get_by_text("Yes", exact=True).tap()
    assert tried(page) == "trim"  # what is judged next
    for number in range(2, 6):
        row(page, number).get_by_text("No", exact=True).tap()
    assert page.evaluate("value") == {"votes": [True, False, False, False, False]}


def test_none_is_right_is_said_on_purpose_and_can_be_taken_back(editor: Open) -> None:
    page = editor()
    none = page.get_by_role("button", name="None of these words is right")
    page.keyboard.press("y")
    assert not complete(page)
    page.keyboard.press("0")
    assert page.evaluate("value") == {"votes": [False] * 5}
    assert complete(page)
    expect(none).to_have_attribute("aria-pressed", "true")
    none.click()
    assert page.evaluate("value") == {"votes": [True, None, None, None, None]}
    none.click()
    row(page, 2).get_by_text("Yes", exact=True).click()
    none.click()
    none.click()
    assert page.evaluate("value") == {"votes": [False, True, False, False, False]}


# ── the sentence with a candidate in its place ────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("width", [390, 1280])
def test_resting_on_a_candidate_shows_it_in_place_and_moves_nothing(editor: Open, width: int) -> None:
    page = editor(width, 1200, candidates=[*WORDS, RAMBLING])
    before = places(page)
    assert tried(page) == "prune"
    for number in (2, 6, 4):
        if width >= 768:
            row(page, number).locator(".sent").hover()
        else:
            row(page, number).locator(".sent").tap()
        assert tried(page) == [*WORDS, RAMBLING][number - 1]
        assert places(page) == before
    for number in range(1, 7):
        row(page, number).get_by_role("radio", name="No").focus()
        assert tried(page) == [*WORDS, RAMBLING][number - 1]
        assert places(page) == before
    page.keyboard.press("0")
    assert places(page) == before


@pytest.mark.parametrize(
    ("before", "language", "shown"),
    [
        ("He sat in a ", "en-GB", "He sat in a(n) angry box."),
        ("An ", "en", "A(n) angry box."),
        ("The panda’s pizza ", "en", "The panda’s pizza angry box."),
        ("Era a ", "pt", "Era a angry box."),
    ],
)
def test_an_article_suits_each_candidate(editor: Open, before: str, language: str, shown: str) -> None:
    page = editor(candidates=["angry", "small"], before=before, phrase="big", after=" box.", language=language)
    expect(page.locator(".tried .here")).to_have_text(shown)
    expect(page.locator(".whole .sent")).to_have_text(f"{before}big box.")


def test_a_pointer_at_rest_does_not_hold_the_sentence_against_keys(editor: Open) -> None:
    page = editor(candidates=MANY)
    row(page, 3).locator(".sent").hover()
    assert tried(page) == "candidate 3"
    page.keyboard.press("y")  # the turn is still the first one's
    assert tried(page) == "candidate 2"
    for _ in range(30):
        page.keyboard.press("ArrowDown")
    assert page.evaluate("scrollY") > 0
    assert tried(page) == "candidate 32"
    page.mouse.move(5, 5)
    assert tried(page) == "candidate 32"


def test_it_is_described_to_those_who_do_not_see_it(editor: Open) -> None:
    page = editor()
    group = page.get_by_role("group", name="trim", exact=True)
    expect(group).to_have_accessible_description("The growers want to trim the vines along the wall.")
    assert group.get_by_role("radio").count() == 2


# ── long lists, other scripts ─────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("width", [390, 1280])
def test_in_a_long_list_the_sentence_stays_and_the_next_open_one_is_found(editor: Open, width: int) -> None:
    answered = [number != 40 for number in range(1, 46)]
    page = editor(width, 844, candidates=MANY, value={"votes": [True if done else None for done in answered]})
    page.keyboard.press("1")
    assert tried(page) == "candidate 1"
    jump = page.get_by_role("button", name="44 of 45 answered. Go to a candidate without an answer")
    jump.click()
    assert tried(page) == "candidate 40"
    sentence, there = page.locator(".room").bounding_box(), row(page, 40).bounding_box()
    assert sentence is not None
    assert there is not None
    assert 0 <= sentence["y"] < 844
    if width < 768:  # under the sentence, over the buttons
        foot = page.locator(".an-foot").bounding_box()
        assert foot is not None
        assert sentence["y"] + sentence["height"] <= there["y"] <= foot["y"] - there["height"]
    else:
        assert 0 <= there["y"] <= 844 - there["height"]
    page.keyboard.press("n")
    expect(page.get_by_role("button", name="45 of 45 answered")).to_be_disabled()
    assert complete(page)


def test_what_is_missing_is_said_and_shown(editor: Open) -> None:
    answered = [number not in (7, 40) for number in range(1, 46)]
    page = editor(390, 844, candidates=MANY, value={"votes": [True if done else None for done in answered]})
    for key in "45":
        page.keyboard.press(key)
    assert page.evaluate("editor.refuse({ votes: [] })") == "45 candidates have no answer yet. Choose Yes or No."
    said = page.evaluate("votes => editor.refuse({ votes })", [True if done else None for done in answered])
    assert said == "2 candidates have no answer yet. Choose Yes or No."
    assert tried(page) == "candidate 7"
    expect(row(page, 7)).to_be_in_viewport()


def test_two_digits_make_a_number_when_they_come_together(editor: Open) -> None:
    page = editor(candidates=MANY)
    page.keyboard.press("4")
    page.keyboard.press("0")
    assert tried(page) == "candidate 40"
    page.keyboard.press("9")  # there is no 409th
    assert tried(page) == "candidate 9"
    page.keyboard.press("y")
    page.keyboard.press("0")
    assert page.evaluate("value") == {"votes": [False] * 45}


def test_two_columns_where_there_is_room(editor: Open) -> None:
    page = editor(1600, candidates=MANY)
    lefts = {box["x"] for box in places(page)[2:-2]}
    assert len(lefts) == 2
    page.keyboard.press("2")
    page.keyboard.press("3")
    page.keyboard.press("ArrowDown")
    assert tried(page) == "candidate 24"


@pytest.mark.nightly
def test_a_sentence_that_is_too_long_for_the_screen_shows_the_words_in_question(editor: Open) -> None:
    page = editor(390, 844, before="It went on and on. " * 60, candidates=MANY)
    page.keyboard.press("7")
    box, words = page.locator(".room").bounding_box(), page.locator(".room .here ins").bounding_box()
    assert box is not None
    assert words is not None
    assert box["height"] <= 844 / 3
    assert box["y"] <= words["y"] <= box["y"] + box["height"] - words["height"]
    expect(page.locator(".room")).to_have_attribute("tabindex", "0")
    check_accessibility(page)


def test_right_to_left(editor: Open) -> None:
    parts = {"before": "يريد المزارعون ", "phrase": "تقليم", "after": " الكروم."}
    page = editor(candidates=["تشذيب", "قص"], language="ar", direction="rtl", **parts)
    for sentence in page.locator(".sent").all():
        assert sentence.get_attribute("lang") == "ar"
        assert sentence.get_attribute("dir") == "rtl"
    sentence, words = page.locator(".whole .sent").bounding_box(), page.locator("mark").bounding_box()
    assert sentence is not None
    assert words is not None
    assert words["x"] > sentence["x"] + sentence["width"] / 2  # the sentence begins on the right
    check_accessibility(page)


# ── drafts, compared answers, decisions ───────────────────────────────────────────────────────────────────────────
def test_a_draft_goes_on_where_it_was_left(editor: Open) -> None:
    page = editor(value={"votes": [True, False, None, None, None]})
    assert votes(page) == [True, False, None, None, None]
    assert tried(page) == "reduce"
    page.keyboard.press("y")
    assert page.evaluate("value") == {"votes": [True, False, True, None, None]}
    page.evaluate("editor.setValue({ votes: [false, true, false, true, false] })")
    assert votes(page) == [False, True, False, True, False]
    assert page.evaluate("value") == {"votes": [True, False, True, None, None]}  # no answer has changed


def test_disabled_shows_the_answer_and_takes_none(editor: Open) -> None:
    page = editor(value={"votes": [True, False, True, False, True]}, disabled=True)
    row(page, 2).get_by_text("Yes", exact=True).click(force=True)
    page.get_by_role("button", name="None of these words is right").click(force=True)
    page.keyboard.press("0")
    page.keyboard.press("y")
    assert votes(page) == [True, False, True, False, True]
    assert page.evaluate("window.value") is None
    row(page, 1).focus()
    page.keyboard.press("ArrowDown")
    assert tried(page) == "trim"
    check_accessibility(page)


def test_feedback_names_what_was_expected_beside_what_was_given(editor: Open) -> None:
    page = editor(disabled=True)
    said = page.evaluate(
        """() => editor.feedback(document.getElementById("task"), {
            expected: { votes: [true, true, false, false, true] },
            given: { votes: [true, false, true, true, true] } })"""
    )
    assert said == "We expected the answer “yes” for “trim”. We expected the answer “no” for “reduce” and “curtail”."
    rows = page.locator(".cand").all_inner_texts()
    assert ["expected answer" in text and "your answer" in text for text in rows] == [False, True, True, True, False]
    assert "Yes: your answer, as expected" in rows[0]
    assert "The growers want to trim the vines" in " ".join(rows[1].split())
    check_accessibility(page)
    same = page.evaluate(
        "value => editor.feedback(document.getElementById('task'), { expected: value, given: value })",
        {"votes": [True] * 5},
    )
    assert same == ""


@pytest.mark.parametrize(("given", "passes"), [("TTTFFF", True), ("TTFFFT", True), ("TTTTTF", True), ("TTTTTT", False)])
def test_without_a_server_quality_control_passes_as_on_ours(editor: Open, given: str, *, passes: bool) -> None:
    candidates = [*WORDS, "snip"]
    page = editor(candidates=candidates)
    pair = [{"votes": [letter == "T" for letter in text]} for text in (given, "TTTFFF")]
    assert page.evaluate("([given, expected]) => editor.agrees(given, expected)", pair) is passes


def test_a_researcher_sees_how_annotators_voted(editor: Open) -> None:
    others = [{"name": f"A{n}", "words": "", "value": {"votes": [True, n > 1, False, n > 2, True]}} for n in (1, 2, 3)]
    page = editor(given=others)
    assert page.locator(".cand small").all_inner_texts() == [
        "3 yes, 0 no",
        "2 yes, 1 no",
        "0 yes, 3 no",
        "1 yes, 2 no",
        "3 yes, 0 no",
    ]
    # Candidates on which all annotators agree do not have to be decided.
    chosen = [box.get_attribute("value") for box in page.locator(".cand input:checked").all()]
    assert len(chosen) == 3


@pytest.mark.parametrize("width", [390])
def test_nobody_is_left_out(editor: Open, width: int) -> None:
    page = editor(width, 844, candidates=[*WORDS, RAMBLING], value={"votes": [True, False, None, None, None, None]})
    check_accessibility(page)
    check_width(page)
    page.emulate_media(color_scheme="dark")
    page.keyboard.press("0")
    check_accessibility(page)
