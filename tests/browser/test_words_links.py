"""Tests of links in the word-alignment editor: blocks as bands, movable ends, keys, running text, long pairs and
writing direction.
"""

from __future__ import annotations

import csv
import string
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.aligning import ROOT, arabic_outside_isolates, centre, drag, value_of, word
from tests.word_editor import SHORT, SUGGESTED, Finger, links, log, middle

BLOCK = {"sure": [[i, j] for i in (0, 1) for j in (0, 1, 2)] + [[2, 3]], "possible": []}
WORDS = "the regional transport authority announced on Monday that it had put off the planned closure of stations"
OTHERS = "on Monday the transport authority of the region said the plan to shut eleven stations was postponed"
LONG = " ".join([WORDS, WORDS, WORDS][:3]).split()[:48]
LONGER = " ".join([OTHERS, OTHERS, OTHERS][:3]).split()[:48]
PUNCTUATION = str.maketrans("", "", string.punctuation + "’“”–")
ARABIC = ("رفضت الهيئة الخطة", "لم تقبل EU الخطة")


@pytest.mark.nightly
def test_a_block_is_one_band_and_is_changed_as_one(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT, prealignment=BLOCK)
    band = page.locator(".board .links:not(.raised) .tie.band")
    expect(band).to_have_count(1)
    expect(band.locator("text")).to_have_text("2 × 3")
    expect(page.locator(".board .links:not(.above, .raised) .tie")).to_have_count(2)
    (x1, y1), (x2, y2) = centre(page, 0, 0), centre(page, 1, 1)
    page.mouse.click((x1 + x2) / 2, (y1 + y2) / 2)
    bar = page.get_by_role("group", name="he left – she went away")
    bar.get_by_role("button", name="Possible").click()
    assert links(page) == ([[2, 3]], BLOCK["sure"][:6])
    expect(page.locator(".board .links:not(.raised) .tie.band.possible")).to_have_count(1)
    page.keyboard.press("Backspace")
    assert links(page) == ([[2, 3]], [])
    assert len(log(page)) == 2
    page.keyboard.press("z")
    expect(page.locator(".board .links:not(.raised) .tie.band.possible")).to_have_count(1)
    word(page, 1, 2).focus()
    for key, expected in [("t", "sure"), ("t", "possible"), ("Backspace", None)]:  # by keys, from any word of the block
        page.keyboard.press(key)
        expect(page.locator(f".board .links:not(.raised) .tie.band.{expected}")).to_have_count(1 if expected else 0)
    assert links(page) == ([[2, 3]], [])


@pytest.mark.nightly
def test_an_end_of_a_link_moves_by_mouse_and_by_touch(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT, prealignment=SUGGESTED)
    end = page.locator(".board .tie.possible > circle").nth(1).bounding_box()
    assert end
    drag(page, (end["x"] + end["width"] / 2, end["y"] - 2), centre(page, 1, 2))
    assert links(page) == ([[0, 0], [2, 3]], [[1, 2]])
    assert log(page) == [("move", "drag", [[1, 1], [1, 2]])]
    page.keyboard.press("z")
    assert links(page)[1] == [[1, 1]]
    phone = editor(*SHORT, prealignment=SUGGESTED, width=390, touch=True)
    phone.touchscreen.tap(*middle(phone, 1, 1))
    x, y = (
        phone.locator(".grip")
        .nth(1)
        .evaluate(
            "grip => { const box = grip.getBoundingClientRect();"
            " return [box.x + box.width / 2 - 6, box.y + box.height / 2] }"
        )
    )
    Finger(phone).drag((x, y), (x + 20, centre(phone, 1, 2)[1]))
    assert links(phone) == ([[0, 0], [2, 3]], [[1, 2]])


def test_shift_draws_a_possible_link(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT)
    page.mouse.move(*centre(page, 0, 0))
    page.mouse.down()
    page.mouse.move(*centre(page, 1, 0), steps=3)
    page.keyboard.down("Shift")
    expect(page.locator(".above .tie.possible")).to_have_count(1)
    page.mouse.up()
    page.keyboard.up("Shift")
    word(page, 0, 2).focus()
    for key in ("Space", "ArrowDown", "End", "Shift+Space"):
        page.keyboard.press(key)
    assert links(page) == ([], [[0, 0], [2, 3]])


def test_by_keys_a_link_takes_at_most_four(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT)
    for keys, expected in [("u/s", [[0, 0]]), ("/w", [[0, 0], [1, 1]]), ("/e", [[0, 0], [1, 1], [2, 3]])]:
        for key in keys:
            page.keyboard.press(key)
        assert links(page)[0] == expected
    page.keyboard.press("Enter")  # until then, further letters belong to the word
    page.keyboard.press("u")  # only “away” is open
    expect(word(page, 1, 2)).to_be_focused()
    for key in ("/", "2"):
        page.keyboard.press(key)
    assert [1, 2] in links(page)[0]
    page.keyboard.press("u")
    expect(page.locator("[role=status]").filter(has_text="Every word has a link.")).to_have_count(1)


def test_one_key_links_a_word_with_an_offered_match_and_goes_on(editor: Callable[..., Page]) -> None:
    page = editor("he left the old town early", "early she left an old city")
    page.keyboard.press("u")
    expect(page.locator(".offers button")).to_have_text(["1 early", "2 she", "3 left", "0 No match"])
    expect(page.locator(".tok.match")).to_have_count(3)
    page.keyboard.press("2")
    expect(word(page, 0, 1)).to_be_focused()
    page.keyboard.press("1")
    for key in ("0", "1", "Shift+1"):  # “the” has no match, “old” is the same, and “city” is a possible match
        page.keyboard.press(key)
    assert links(page) == ([[0, 1], [1, 2], [3, 4]], [[4, 5]])
    page.get_by_role("button", name="1 early").click()
    expect(page.get_by_text("Match of “an”:")).to_be_visible()  # the words of the second sentence follow
    page.keyboard.press("0")
    expect(page.locator(".offers")).to_be_hidden()
    expect(page.locator(".tok.match")).to_have_count(0)
    expect(page.get_by_text("That was the last word.")).to_have_count(1)
    assert {entry[1] for entry in log(page)} == {"offer"}
    page.keyboard.press("z")
    assert links(page)[0] == [[0, 1], [1, 2], [3, 4]]
    page.keyboard.press("u")
    page.keyboard.press("Enter")  # this ends the visits, and the next Enter leaves the question
    expect(page.locator(".offers")).to_be_hidden()
    assert page.evaluate("entered") == 0
    page.keyboard.press("Enter")
    assert page.evaluate("entered") == 1
    page.keyboard.press("u")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")  # another word is selected, so a digit no longer chooses
    page.keyboard.press("1")
    assert len(links(page)[0]) == 3


def test_typing_the_match_of_a_visited_word_goes_on_too(editor: Callable[..., Page]) -> None:
    page = editor("he left the old town early", "early she left an old city")
    for key in ("u", "/", "c", "Enter"):  # “he” is not offered “city”
        page.keyboard.press(key)
    assert links(page)[0] == [[0, 5]]
    expect(word(page, 0, 1)).to_be_focused()
    expect(page.locator(".offers button")).to_have_count(4)


def test_letters_link_words_by_one_key_each(editor: Callable[..., Page]) -> None:
    page = editor("he left the old town early", "early she left an old city")

    def typed(*keys: str) -> None:
        for key in keys:
            page.keyboard.press(key)

    typed(",", "b", "c")  # “b” would otherwise open the previous question
    assert links(page)[0] == [[1, 2]]
    expect(page.locator(".tok.match")).to_have_count(12)
    typed("f", "a", "e", "f", "Space")  # one more word would be after the last one
    assert links(page)[0] == [[1, 2], [4, 5], [5, 0]]
    typed("f", "a", "e", "Backspace", "e")  # one link is removed, and another replaced
    assert links(page)[0] == [[1, 2], [4, 4]]
    typed(",", "c", "Space", "d", "Shift+e", "w", "i")  # the letters of no word change nothing
    assert links(page)[1] == [[2, 3], [2, 4], [3, 3], [3, 4]]
    typed("Backspace", "Escape")
    expect(page.locator(".tok.match")).to_have_count(0)
    typed("u", ",", "f")  # a visit goes on
    expect(page.locator(".offers button")).to_have_count(4)
    typed("Enter", ",", "a", "Enter")  # a word waits for its match
    assert page.evaluate("entered") == 0
    typed("Backspace", "Backspace", "Enter")
    assert page.evaluate("entered") == 1


def test_the_last_words_of_a_long_sentence_have_two_letters(editor: Callable[..., Page]) -> None:
    page = editor(" ".join(LONG), " ".join(LONGER))
    expect(page.locator(".board.columns")).to_have_count(1)
    for key in (",", "0", "m", "9"):
        page.keyboard.press(key)
    assert links(page)[0] == [[47, 34]]
    expect(word(page, 1, 34)).to_be_in_viewport()  # the page follows


def test_a_doubtful_initial_link_is_visited_and_moved_or_removed_by_one_key(editor: Callable[..., Page]) -> None:
    start = {"sure": [[0, 0], [1, 3], [2, 2], [3, 1]], "possible": []}
    page = editor("we saw red cars", "we saw red cars", prealignment=start)
    page.keyboard.press("u")
    expect(page.get_by_text("“saw” is linked with “cars”. Instead:")).to_be_visible()
    page.keyboard.press("1")
    assert links(page)[0] == [[0, 0], [1, 1], [2, 2], [3, 1]]
    expect(page.get_by_text("“cars” is linked with “saw”. Instead:")).to_be_visible()
    page.keyboard.press("0")
    assert [1, 1] in links(page)[0]
    assert [3, 1] not in links(page)[0]
    words = "we saw red cars".split()
    content = {"source": words, "target": words, "prealignment": start, "f1": 0.7, "ignore_identical": True}
    page = editor("", "", content=content | {"offers": False})  # the study has turned the offers off
    page.keyboard.press("u")
    expect(page.get_by_text("Every word has a link.")).to_have_count(1)


def test_the_words_that_the_aligner_doubts_come_first(editor: Callable[..., Page]) -> None:
    likely = [[0, 0, 1.0], [1, 1, 0.55], [1, 3, 0.2], [2, 2, 0.95], [3, 3, 0.4], [3, 1, 0.001]]
    start = {"sure": [[0, 0], [1, 1], [2, 2]], "possible": [], "likely": likely}
    page = editor("I bought red cars", "I saw red autos", prealignment=start)
    offered = page.locator(".offers")
    page.keyboard.press("u")  # wrong with a probability of .45
    expect(offered).to_contain_text("“bought” is linked with “saw”. Instead:1 autos")
    page.keyboard.press("u")  # the link is right
    expect(offered).to_contain_text("Match of “cars”:1 autos2 saw")
    page.keyboard.press("1")  # “autos” has a link now, and the aligner is sure about the rest
    assert links(page)[0] == [[0, 0], [1, 1], [2, 2], [3, 3]]
    expect(offered).to_be_hidden()
    expect(page.get_by_text("Every word has a link.")).to_have_count(1)
    page.keyboard.press("u")
    expect(offered).to_be_hidden()


def test_with_letters_a_full_stop_links_the_next_two_words(editor: Callable[..., Page]) -> None:
    page = editor("a b c d", "w x y z")

    def typed(*keys: str) -> None:
        for key in keys:
            page.keyboard.press(key)

    typed(",", ".", "a", ".", "b", ".", ".")  # only after two words have been linked
    assert links(page) == ([[0, 1], [1, 2], [2, 3]], [])
    typed(".")  # the second sentence ends
    assert links(page) == ([[0, 1], [1, 2], [2, 3]], [])
    typed("a", "b", ".")  # the last links were removed, and so are the next
    assert links(page) == ([[2, 3]], [])


@pytest.mark.nightly
def test_the_other_words_without_a_link_follow_the_doubtful_ones(editor: Callable[..., Page]) -> None:
    start = {"sure": [[0, 0]], "possible": [], "likely": [[0, 0, 1.0], [2, 2, 0.3]]}
    page = editor("I saw cars", "I like autos", prealignment=start)
    offered = page.locator(".offers")
    page.keyboard.press("u")
    expect(offered).to_contain_text("Match of “cars”:1 autos")
    page.keyboard.press("0")
    expect(offered).to_contain_text("Match of “autos”:1 cars")
    page.keyboard.press("u")
    expect(offered).to_be_hidden()
    expect(page.get_by_text("That was the last doubtful word.")).to_have_count(1)
    for word_ahead in ("saw", "like"):
        page.keyboard.press("u")
        expect(offered).to_contain_text(f"Match of “{word_ahead}”")
    page.keyboard.press("u")  # once all have been visited, they come again
    expect(offered).to_contain_text("Match of “saw”")


def test_a_repeated_word_is_reached_by_enter_or_number(editor: Callable[..., Page]) -> None:
    page = editor("the cat the dog", "the dog the cat")
    width = "() => document.querySelectorAll('.board .toks')[1].offsetWidth"
    before = page.evaluate(width)
    page.keyboard.press("/")
    expect(page.locator(".tok.match")).to_have_count(4)
    assert page.evaluate(width) == before  # the numbers move no word away from its links
    page.keyboard.press("Escape")
    for key in ("/", "t"):
        page.keyboard.press(key)
    expect(page.locator(".tok.match")).to_have_count(2)
    expect(page.get_by_text("Press Enter for “the”.")).to_be_visible()
    page.keyboard.press("Enter")  # the nearest
    for key in ("/", "4"):
        page.keyboard.press(key)
    assert links(page)[0] == [[0, 0], [1, 3]]
    expect(word(page, 0, 2)).to_have_accessible_name("the (2 of 2): no match")  # told apart by its position
    page.keyboard.press("/")
    page.keyboard.press("x")
    expect(page.get_by_text("Nothing found for “x”.")).to_be_visible()
    page.keyboard.press("Escape")
    assert links(page)[0] == [[0, 0], [1, 3]]
    expect(page.get_by_role("option", selected=True)).to_have_count(0)


@pytest.mark.nightly
@pytest.mark.parametrize("width", [1280, 900, 390])
def test_the_words_keep_their_place_while_the_line_above_them_changes(editor: Callable[..., Page], width: int) -> None:
    """Words that move under the pointer would end a drag at the wrong word."""
    page = editor(" ".join(LONG), " ".join(LONGER), width=width)
    top = lambda: page.locator(".board").evaluate("board => board.getBoundingClientRect().top + scrollY")  # noqa: E731
    before = top()
    word(page, 0, 0).focus()
    for keys in (["Space"], ["Shift+ArrowDown"] * 12, ["ArrowRight", "Shift+ArrowDown"], ["Enter"]):
        for key in keys:
            page.keyboard.press(key)
        assert top() == pytest.approx(before, abs=1), keys


@pytest.mark.nightly
@pytest.mark.parametrize("number", [5, 50])
def test_words_that_are_typed_to_the_end_change_nothing_else(editor: Callable[..., Page], number: int) -> None:
    """The first letters make the link. The others, and Enter, must not be taken as commands."""
    with (ROOT / "examples/tutorial/sentences.csv").open(encoding="utf-8") as file:
        sentences = [row["text"].translate(PUNCTUATION) for row in csv.DictReader(file)][:number]
    assert len(sentences) == number
    for sentence in sentences:
        page = editor(sentence, sentence)
        words = sentence.split()
        for typed in words:
            page.keyboard.press("/")
            page.keyboard.type(typed)
            page.keyboard.press("Enter")
        assert links(page) == ([[at, at] for at in range(len(words))], [])
        assert [(op, via) for op, via, _ in log(page)] == [("sure", "key")] * len(words)
        assert page.evaluate("window.entered") == 0
        page.close()


def test_a_search_ends_after_a_pause_and_with_any_other_key(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT)
    for key in "/shed":  # “she” is linked at the s
        page.keyboard.press(key)
    assert links(page) == ([[0, 0]], [])
    expect(page.locator("#find")).to_be_hidden()
    expect(word(page, 0, 0)).to_be_focused()
    page.keyboard.press("t")
    assert links(page) == ([], [[0, 0]])
    for key in ["/", "w", "/", "e"]:
        page.keyboard.press(key)
    assert links(page) == ([[1, 1], [2, 3]], [[0, 0]])


def test_enter_takes_the_word_that_is_marked(editor: Callable[..., Page]) -> None:
    many = " ".join(f"word{n}" for n in range(1, 12))
    page = editor(many, many, prealignment={"sure": [[n, n] for n in (0, 1, 2)], "possible": []})
    for key in ("/", "1"):  # the first word, which is linked, or the tenth or the eleventh, which are not
        page.keyboard.press(key)
    expect(page.locator(".tok.match")).to_have_count(3)
    expect(page.locator(".tok.aim")).to_have_text("word1")
    page.keyboard.press("Enter")
    assert [3, 0] in links(page)[0]


def test_a_rectangle_of_the_table(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT)
    page.keyboard.press("m")
    cell = page.locator(".matrix tbody td")
    boxes = [cell.nth(number).bounding_box() for number in (0, 6)]
    drag(page, *[(box["x"] + 12, box["y"] + 12) for box in boxes if box])
    assert links(page)[0] == [[i, j] for i in (0, 1) for j in (0, 1, 2)]
    assert log(page) == [("sure", "matrix", links(page)[0])]
    page.keyboard.press("z")
    cell.nth(0).focus()
    for key in ("Shift+ArrowDown", "Shift+ArrowRight", "Space"):
        page.keyboard.press(key)
    assert links(page)[0] == [[0, 0], [0, 1], [1, 0], [1, 1]]


def test_running_text_lights_the_other_sentence_and_links(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT, prealignment=SUGGESTED, width=600)
    first, second = page.locator(".texts .sent").all()
    expect(first).to_have_text(SHORT[0])
    first.get_by_text("left").hover()
    expect(second.locator(".mate")).to_have_text("went")
    expect(word(page, 1, 1)).to_contain_class("mate")
    expect(second.locator(".loose")).to_have_text("away")
    first.get_by_text("left").click()
    second.get_by_text("away").click()
    assert links(page)[0] == [[0, 0], [1, 2], [2, 3]]


@pytest.mark.nightly
def test_a_long_pair_stays_workable(editor: Callable[..., Page]) -> None:
    page = editor(" ".join(LONG), " ".join(LONGER), width=1366, height=768)
    gutter = page.evaluate("""() => { const [a, b] = document.querySelectorAll('.board .toks');
        return b.getBoundingClientRect().left - a.getBoundingClientRect().right }""")
    assert gutter > 500
    page.mouse.move(*centre(page, 0, 3))
    page.mouse.down()
    page.mouse.move(700, 690, steps=3)
    page.wait_for_function("scrollY > 500")  # a drag scrolls
    page.keyboard.press("Escape")
    page.mouse.up()
    tools, texts, foot = (page.locator(name).bounding_box() for name in (".bar", ".texts", ".an-foot"))
    assert tools
    assert texts
    assert foot
    assert tools["y"] >= 0
    assert texts["y"] + texts["height"] < 300
    assert foot["y"] + foot["height"] <= 769
    page.keyboard.press("u")
    for _ in range(3):
        page.keyboard.press("u")
    box = page.locator(".tok:focus").bounding_box()
    assert box
    assert texts["y"] + texts["height"] <= box["y"] <= foot["y"] - box["height"]
    page.keyboard.press("m")
    page.evaluate("document.querySelector('.matrix').scrollTo({ top: 400, left: 400, behavior: 'instant' })")
    head, matrix = page.locator(".matrix thead th").nth(30).bounding_box(), page.locator(".matrix").bounding_box()
    assert head
    assert matrix
    assert matrix["y"] - 2 <= head["y"] <= matrix["y"] + 10


@pytest.mark.parametrize("page_direction", ["ltr", "rtl"])
def test_words_of_another_direction_are_isolated(editor: Callable[..., Page], page_direction: str) -> None:
    page = editor(*ARABIC, language="ar", prealignment={"sure": [[0, 2], [0, 3]], "possible": []})
    page.evaluate("direction => { document.documentElement.dir = direction; begin(null) }", page_direction)
    word(page, 0, 0).hover()
    line = page.locator(".says")
    expect(line.locator("bdi")).to_have_text(["رفضت", "EU", "الخطة"])
    left = """node => { const range = document.createRange(); range.selectNode(node);
        return range.getBoundingClientRect().x }"""
    first, second, third = (each.evaluate(left) for each in line.locator("bdi").all())
    assert second < third  # inside the English phrase
    assert (first < second) if page_direction == "ltr" else (first > third)
    name = word(page, 0, 0).get_attribute("aria-label") or ""
    assert name.startswith("\u2068رفضت\u2069: ")
    assert "\u2068الخطة\u2069" in name


@pytest.mark.parametrize("width", [1280, 390])
def test_an_arabic_pair_is_linked_from_right_to_left(editor: Callable[..., Page], width: int) -> None:
    page = editor(*ARABIC, language="ar", width=width)
    page.evaluate("Object.assign(document.documentElement, { dir: 'rtl', lang: 'ar' }); begin(null)")
    assert centre(page, 0, 0)[0] >= centre(page, 0, 1)[0]
    word(page, 0, 0).focus()
    shape = "columns" if page.locator(".board.columns").count() else "rows"
    page.keyboard.press("ArrowLeft" if shape == "rows" else "ArrowDown")  # arrow keys follow the eye
    expect(word(page, 0, 1)).to_be_focused()
    page.keyboard.press("Space")
    word(page, 1, 1).focus()
    page.keyboard.press("Space")
    drag(page, centre(page, 0, 2), centre(page, 1, 3))
    assert links(page) == ([[1, 1], [2, 3]], [])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if width < 768:
        return  # phones have no table
    page.keyboard.press("m")
    cells = page.get_by_role("grid").locator("tbody tr").first.locator("td")
    first, second = (cells.nth(index).bounding_box() for index in (0, 1))
    assert first
    assert second
    assert first["x"] > second["x"]
    cells.first.focus()
    page.keyboard.press("ArrowLeft")
    expect(cells.nth(1)).to_be_focused()
    page.keyboard.press("Space")
    assert links(page)[0] == [[0, 1], [1, 1], [2, 3]]


@pytest.mark.nightly
def test_every_inserted_word_is_isolated(editor: Callable[..., Page]) -> None:
    page = editor("رفضت الهيئة ٣ خطط", "قبلت ٤ خطط", language="ar", prealignment={"sure": [[1, 2]], "possible": []})
    drag(page, centre(page, 0, 2), centre(page, 1, 1))  # two numbers, which a dash alone would make change places
    for key in ("z", "/"):
        page.keyboard.press(key)
        assert arabic_outside_isolates(page) == []
    page.keyboard.insert_text("س")  # no word begins so
    expect(page.locator("#find-said")).to_contain_text("س")
    assert arabic_outside_isolates(page) == []
    for key in ("Escape", "Space", "m"):
        page.keyboard.press(key)
        assert arabic_outside_isolates(page) == []


def test_the_history_survives_a_reload(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT, prealignment=SUGGESTED)
    drag(page, centre(page, 0, 1), centre(page, 1, 2))
    drag(page, centre(page, 0, 0), centre(page, 1, 3))
    page.keyboard.press("z")
    kept = value_of(page)
    page.evaluate("kept => begin(kept)", kept)
    page.keyboard.press("Shift+z")
    assert links(page)[0] == [[0, 0], [0, 3], [1, 2], [2, 3]]
    for _ in range(2):
        page.keyboard.press("z")
    assert links(page) == ([[0, 0], [2, 3]], [[1, 1]])
    times = [entry[0] for entry in value_of(page)["log"]]
    assert times == sorted(times)


def test_sure_and_possible_lines_cross_without_gaps(editor: Callable[..., Page]) -> None:
    page = editor(*SHORT, prealignment={"sure": [[0, 3], [2, 1]], "possible": [[1, 0]]})
    expect(page.locator(".board .halo")).to_have_count(0)
    dashes = "line => getComputedStyle(line).strokeDasharray"
    assert {line.evaluate(dashes) for line in page.locator(".board .tie.sure .line").all()} == {"none"}
    assert page.locator(".board .tie.possible .line").first.evaluate(dashes) != "none"
