"""Tests of the work page of each task type for screen readers (as in screen_reader.md), zoomed in, and in print."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.data.services.design import build_design
from annotate.models import Item, Participation
from annotate.studies.services.study import create_study, open_study
from tests.aligning import NEXT_FRAME, ROOT, centre
from tests.annotating import enter
from tests.chromium import check_width
from tests.factories import UserFactory, make_annotator, take
from tests.word_study import bring

pytestmark = pytest.mark.django_db(transaction=True)

PAIR = "id,sentence1,sentence2\ncat,The cat saw the dog.,The dog was seen.\n"
CANDIDATES = "id,sentence,phrase,start,paraphrases,domain\n"
ITEMS = {
    "bws": "id,sentence1,sentence2\n" + "".join(f"{number},First.,Second.\n" for number in range(8)),
    "paraphrase": CANDIDATES + "bank,The bank was closed on Monday.,bank,,branch|slope,news\n",
    "words": PAIR,
    "chunks": PAIR,
}
TITLES = {
    "bws": "Best–worst scaling",
    "paraphrase": "Paraphrase in context",
    "words": "Word alignment",
    "chunks": "Chunk alignment",
}


def section(kind: str) -> str:
    text = (ROOT / "tests/browser/screen_reader.md").read_text(encoding="utf-8")
    return text.split(f"\n### {TITLES[kind]}\n")[1].split("\n### ")[0]


def scripts(kind: str) -> list[str]:
    """Return the documented scripts of the page: as it opens and, for alignments, of the sentences after the keys. A
    line that does not begin with a hyphen continues the line above.
    """
    blocks = re.findall(r"```yaml\n(.*?)\n```", section(kind), re.DOTALL)
    return [re.sub(r"\n +(?!-| )", " ", block) for block in blocks]


# Collects what a screen reader says: each text of a status message, and the name of each element that gets the focus.
LISTEN = """() => {
  window.said = [];
  const hear = (records) => {
    const changed = records.map(({ target }) => target.parentElement?.closest("[role=status]") ?? target);
    for (const status of [...new Set(changed.toReversed())].toReversed())
      if (status.role === "status" && status.textContent) window.said.push([status.textContent.trim(), "status"]);
  };
  new MutationObserver(hear).observe(document.body, { subtree: true, childList: true, characterData: true });
  const focused = ({ target }) => target.ariaLabel && window.said.push([target.ariaLabel, "focus"]);
  document.addEventListener("focusin", focused);
}"""
LONGEST = 8  # words of an announcement


def announcements(kind: str) -> list[tuple[str, str]]:
    """Return the documented keys, separated by spaces, each with the words that a screen reader says. Those of word
    alignment are in the guide.
    """
    source = (ROOT / "docs/annotating.md").read_text(encoding="utf-8") if kind == "words" else section(kind)
    blocks = re.findall(r"```text\n(.*?)\n```", source, re.DOTALL)
    return [(key, words) for line in "\n".join(blocks).splitlines() for key, words in [line.split(" → ")]]


def spoken(page: Page) -> str:
    """Return what was said since the last time, with slashes between two announcements."""
    page.evaluate(NEXT_FRAME)
    said: list[tuple[str, str]] = page.evaluate("said.splice(0)")
    announced = [words for words, by in said if by == "status"]
    assert len(set(announced)) == len(announced), "an announcement comes twice"
    assert [words for words in announced if len(re.findall(r"\w+", words)) > LONGEST] == []
    return " / ".join(words for words, _ in said)


def annotator_of(kind: str, language: str = "en") -> Participation:
    """Return an annotator with one HIT of one question, whose items have the order of the documentation."""
    user = UserFactory()
    settings = {"questions_per_hit": 1, "judgements": 1, "gold_block": 0, "rule_threshold": 0, "practice": False}
    options = {"bws": {"factor": 0.5}, "words": {"tokenise": False}}.get(kind)
    study = create_study(
        user=user,
        title="Reading",
        task_type=kind,
        seed=1,
        language=language,
        instructions="Read.",
        options=options,
        **settings,
    )
    bring(study, "items", ITEMS[kind].encode(), "items.csv")
    build_design(study.pk, user=user)
    annotator = make_annotator(open_study(study.pk, user=user))
    answers = take(annotator).answers.select_related("question")
    answer = answers.get()
    answers.update(shown=sorted(answer.shown))
    if kind == "bws":
        for item, animal in zip(answer.question.payload["items"], ("fox", "cat", "dog", "hen"), strict=True):
            content = {"sentence1": f"The {animal} ran.", "sentence2": f"The {animal} was running."}
            Item.objects.filter(study=study, key=item).update(content=content)
    return annotator


def begin(page: Page, annotator: Participation) -> None:
    enter(page, annotator)
    page.goto(f"/s/{annotator.study.public_id}")
    page.locator("form[action$='/start'] button").click()
    expect(page.locator("#answering")).to_be_visible()


@pytest.mark.parametrize("kind", ITEMS)
def test_the_page_reads_as_the_documentation_says(page: Page, kind: str) -> None:
    begin(page, annotator_of(kind))
    expect(page.locator("#question")).to_be_focused()
    opening, *changed = scripts(kind)
    assert page.locator("main").aria_snapshot() == opening
    page.evaluate(LISTEN)
    for keys, words in announcements(kind):
        for key in keys.split():
            page.keyboard.press(key)
        assert spoken(page) == words
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    assert [region.aria_snapshot() for region in page.get_by_role("region").all()] == changed


def choose(page: Page, kind: str) -> None:
    """Make a choice, so that a part of the answer is selected. The alignment editors show a selected tool anyway."""
    if kind not in PARTS:
        page.keyboard.press(announcements(kind)[0][0])


# What each task shows as selected, and a control of the same kind that is not selected.
SELECTED = {
    "bws": ("label[for=best-1]", "label[for=best-2]"),
    "paraphrase": ("label[for=yes-1]", "label[for=no-1]"),
    "words": (".seg .b[aria-checked=true]", ".seg .b[aria-checked=false]"),
    "chunks": (".seg .b[aria-checked=true]", ".seg .b[aria-checked=false]"),
}
LOOK = """element => {
    const { backgroundColor, outlineStyle } = getComputedStyle(element);
    return `${backgroundColor} ${outlineStyle}`;
}"""
APART = """parts => parts.map((part) => part.getBoundingClientRect())
    .sort((a, b) => a.left - b.left)
    .every(({ left }, at, all) => !at || all[at - 1].right <= left)"""
# Controls whose label and icon are both hidden, whose text is wider or higher than the control, or that are too small
# to touch (WCAG 2.5.8). The cap of a key is no label.
CONTROLS = "button, .an a.b, [role=option], label:has(> b, > kbd, > .t), .pick label, .yn label"
FAULTS = """controls => controls.filter((control) => control.checkVisibility()).flatMap((control) => {
    const range = document.createRange();
    const rects = [...control.querySelectorAll("svg")].map((icon) => icon.getBoundingClientRect());
    const walker = document.createTreeWalker(control, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const holder = walker.currentNode.parentElement;
        const box = holder.getBoundingClientRect();
        const hidden = !holder.checkVisibility({ visibilityProperty: true }) || box.width <= 1 || holder.closest("kbd");
        if (hidden || !walker.currentNode.data.trim()) continue;
        range.selectNodeContents(walker.currentNode);
        rects.push(...range.getClientRects());
    }
    const { left, right, top, bottom, width, height } = control.getBoundingClientRect();
    const inside = (rect) =>
        rect.left > left - 1 && rect.right < right + 1 && rect.top > top - 3 && rect.bottom < bottom + 3;
    const faults = [
        rects.some((rect) => rect.width > 4 && rect.height > 8) ? "" : "blank",
        rects.filter((rect) => rect.width).every(inside) ? "" : "clipped",
        width >= 24 && height >= 24 ? "" : `small ${width}x${height}`,
    ];
    return faults.filter(Boolean).map((fault) => `${fault}: ${control.outerHTML}`);
})"""
WIDTHS = (320, 360, 390, 768, 1024, 1366, 1920)
# Further parts of the editors: the bar of a link, and the panel of a link in the second step, each with the keys that
# open the part.
PARTS = {"words": (".linkbar", []), "chunks": (".inspect:not(.idle)", ["w", "c", "/", "1"])}


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ITEMS)
def test_zoom_widths_forced_colours_and_another_language(
    open_page: Callable[..., Page], axe: Callable[[Page], None], kind: str
) -> None:
    """A window of 1,280 px has 640 CSS px at 200 % zoom and 320 CSS px at 400 %."""
    page = open_page(640, forced_colors="active", reduced_motion="reduce")
    begin(page, annotator_of(kind, language="fa"))
    choose(page, kind)
    for width, height in ((768, 1024), (640, 450), (320, 225)):
        page.set_viewport_size({"width": width, "height": height})
        check_width(page)
        assert page.locator(".brand, .an-progress, .an-tools").evaluate_all(APART)
        chosen, other = (page.locator(place).first.evaluate(LOOK) for place in SELECTED[kind])
        assert chosen != other
        assert page.evaluate("document.getAnimations().length") == 0
        axe(page)
    fits_every_width(page)
    if kind in PARTS:
        part, keys = PARTS[kind]
        for key in keys:
            page.keyboard.press(key)
        if kind == "words":
            (x, top), (end, bottom) = centre(page, 0, 0), centre(page, 1, 0)
            page.mouse.click((x + end) / 2, (top + bottom) / 2)
        expect(page.locator(part)).to_be_visible()
        fits_every_width(page)
    html = page.locator("html")
    assert (html.get_attribute("lang"), html.get_attribute("dir")) == ("en", "ltr")  # no translation
    for sentence in page.locator(".sent, [role=group] > p[lang], .toks").all():
        assert (sentence.get_attribute("lang"), sentence.get_attribute("dir")) == ("fa", "auto")


def fits_every_width(page: Page) -> None:
    assert page.locator(CONTROLS).count() > 5
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        page.evaluate(NEXT_FRAME)
        check_width(page)
        assert page.locator(CONTROLS).evaluate_all(FAULTS) == [], width


TOOLS = ".an-tools, .an-foot, [role=toolbar], .inspect, .tried, dialog"


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ITEMS)
def test_the_question_and_its_answer_are_printed_without_tools(page: Page, kind: str) -> None:
    begin(page, annotator_of(kind))
    choose(page, kind)
    tools = page.locator(TOOLS)
    assert tools.filter(visible=True).count() > 1
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": 717, "height": 1000})  # A4 with margins
    assert tools.filter(visible=True).count() == 0
    page.evaluate(NEXT_FRAME)  # the links are drawn again for the width of the paper
    check_width(page)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(247, 245, 240)"  # never dark
    expect(page.locator(".sent, .board .tok, .chunker .tok").filter(visible=True).first).to_be_visible()
    if kind in ("bws", "paraphrase"):
        chosen, other = (page.locator(place).first.evaluate(LOOK) for place in SELECTED[kind])
        assert chosen != other
    if kind == "words":
        end, tok = page.locator(".tie circle").first.bounding_box(), page.locator(".board .tok").first.bounding_box()
        assert end
        assert tok
        assert tok["x"] < end["x"] < tok["x"] + tok["width"]
