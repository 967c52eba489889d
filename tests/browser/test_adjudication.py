"""The page on which a reviewer decides, in a browser: keys, undo, one screen, phones and accessibility."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from accord_core.chunks.formats.ists import write_wa
from accord_core.chunks.numerics.chunks import ChunkLink, IstsPair
from alignment_ui.chunks.answer import to_pair
from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.models import Decision, Study
from annotate.questions.selectors.adjudication import Queue
from annotate.questions.services.refresh import current_figures
from tests import word_study
from tests.alignment_ui.chunks.test_study import answer_all, chunk_study, opened, value_of
from tests.annotating import until
from tests.browser.test_console_results import sign_in
from tests.chromium import check_width
from tests.console_study import collected, page_of
from tests.questions.test_adjudication import flag

pytestmark = pytest.mark.django_db(transaction=True)

SCREENSHOTS = os.environ.get("ACCORD_SCREENSHOTS", "")  # a folder, to look at the pages


def look(page: Page, name: str, axe: Callable[[Page], None]) -> None:
    axe(page)
    if SCREENSHOTS:
        width = page.viewport_size["width"] if page.viewport_size else 0
        page.screenshot(path=Path(SCREENSHOTS) / f"{name}-{width}.png", full_page=True)
    check_width(page)


def refs(study: Study) -> list[str]:
    current_figures(study)
    return list(Queue(study).ordered.values_list("question__ref", flat=True))


def first_disagreement(page: Page, study: Study) -> None:
    """Open the list as the owner of the study, and its first question."""
    sign_in(page, study)
    page.goto(page_of(study, "adjudicate/"))
    page.get_by_role("link", name="Decide the first question").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Which answer")
    expect(page.locator("#differences > li").first).to_be_visible()


def expect_question(page: Page, ref: str) -> None:
    expect(page.get_by_role("heading", level=1, name=f"Which answer to {ref} is right?")).to_be_visible()
    expect(page.locator("#differences > li").first).to_be_visible()


def test_questions_are_decided_and_undone_by_keys_alone(page: Page, axe: Callable[[Page], None]) -> None:
    study = collected(careless=0.5)
    first, second, third, *_ = refs(study)
    first_disagreement(page, study)
    expect_question(page, first)
    look(page, "adjudicate-bws", axe)
    given = page.evaluate("JSON.parse(document.getElementById('given').textContent)")
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    expect_question(page, second)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    items = study.questions.get(ref=first).payload["items"]
    expected = {name: items[number - 1] for name, number in given[1]["value"].items()}
    assert Decision.objects.get(question__ref=first).value == expected
    page.keyboard.press("x")
    page.keyboard.press("Enter")
    expect_question(page, third)
    assert Decision.objects.get(question__ref=second).keep_both
    page.keyboard.press("u")
    expect_question(page, second)
    assert not Decision.objects.filter(question__ref=second).exists()
    page.keyboard.press("j")
    expect_question(page, third)
    page.keyboard.press("k")
    expect_question(page, second)
    page.keyboard.press("?")
    shortcuts = page.get_by_role("dialog", name="Keys in the console")
    expect(shortcuts.get_by_text("Undo the latest decision")).to_be_visible()
    shortcuts.get_by_label("Use single keys").uncheck()
    page.keyboard.press("Escape")
    expect(shortcuts).to_be_hidden()
    page.keyboard.press("b")
    expect(page.get_by_role("button", name="Use B")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Where do annotators disagree")


@pytest.mark.nightly
def test_nothing_is_saved_before_everything_is_chosen(page: Page) -> None:
    study = word_study.collected()
    assert refs(study)
    first_disagreement(page, study)
    address = page.url
    expect(page.locator("#answers .legend")).to_contain_text("link by B")
    expect(page.locator(".decide [aria-pressed='true']")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text("Choose an answer first.")
    differences = page.locator("#differences > li")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("Not chosen yet: ")
    assert page.url == address
    assert not Decision.objects.exists()
    for each in differences.all():  # the reading of the first annotator
        each.get_by_role("button").filter(has=page.locator("b", has_text="A")).click()
    expect(page.get_by_role("button", name="Use A")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".undo button")).to_be_visible()


@pytest.mark.nightly
def test_three_answers_fit_on_one_screen(page: Page, axe: Callable[[Page], None]) -> None:
    study = word_study.collected(annotators=4, judgements=3)
    assert refs(study)
    page.set_viewport_size({"width": 1280, "height": 800})
    first_disagreement(page, study)
    expect(page.get_by_role("button", name="Use C")).to_be_visible()
    expect(page.locator("#answers .board")).to_have_count(1)
    for looks in ("agreed", "first-voice", "other-voice"):
        expect(page.locator(f"#answers .tie.{looks}").first).to_be_attached()
    expect(page.locator("#answers .legend")).to_contain_text("only by others")
    look(page, "adjudicate-words", axe)
    for part in ("#answers .board", "#differences", "#judge"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 800, part


@pytest.mark.nightly
def test_a_mixed_answer_and_an_own_answer_are_saved(page: Page, axe: Callable[[Page], None]) -> None:
    study = word_study.collected()
    first, second, *_ = refs(study)
    first_disagreement(page, study)
    page.keyboard.press("a")
    page.keyboard.press("1")  # the reading of the other annotator
    expect(page.get_by_role("button", name="Use A")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("r")
    page.keyboard.type("Both words name the same site.")
    page.keyboard.press("Control+Enter")
    expect_question(page, second)
    decision = Decision.objects.get(question__ref=first)
    answers = [answer.value for answer in decision.question.answers.filter(value__isnull=False)]
    assert decision.value not in answers
    assert decision.note == "Both words name the same site."
    page.keyboard.press("o")
    expect(page.locator("#task .board")).to_be_visible()
    axe(page)
    page.keyboard.press("Escape")
    expect(page.locator("#task .board")).to_be_hidden()
    page.keyboard.press("a")
    page.keyboard.press("o")
    page.locator("#task .board .tok").first.focus()
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    until(page, lambda: Decision.objects.filter(question__ref=second).exists())
    answers = [answer.value for answer in study.questions.get(ref=second).answers.filter(value__isnull=False)]
    assert Decision.objects.get(question__ref=second).value not in answers


@pytest.mark.nightly
def test_an_own_answer_is_drawn_and_cancelled(page: Page) -> None:
    study = word_study.collected()
    assert refs(study)
    page.set_viewport_size({"width": 1280, "height": 800})
    first_disagreement(page, study)
    own_answer = page.get_by_role("button", name="Own answer")
    page.keyboard.press("o")
    if SCREENSHOTS:
        page.screenshot(path=Path(SCREENSHOTS) / "own-words.png", full_page=True)
    heading, how = page.locator("#ask"), page.locator("#task .how")
    above, below = heading.bounding_box(), how.bounding_box()
    assert above is not None
    assert below is not None
    assert above["width"] > 400
    assert above["y"] + above["height"] <= below["y"]
    page.get_by_role("button", name="Cancel").click()
    expect(own_answer).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#id_value")).to_have_value("")
    page.keyboard.press("a")
    page.keyboard.press("o")
    page.locator("#task .board .tok").first.focus()
    page.keyboard.press("t")  # from sure to possible, or back
    kept = page.locator("#id_value").input_value()
    page.keyboard.press("Escape")
    expect(page.locator("#id_value")).to_have_value(kept)
    if own_answer.get_attribute("aria-pressed") == "true":
        expect(page.locator("#answers .tie.own")).not_to_have_count(0)
        expect(page.locator("#answers .tie.own.dropped")).to_have_count(0)
    if SCREENSHOTS:
        page.screenshot(path=Path(SCREENSHOTS) / "own-decided.png", full_page=True)


@pytest.mark.nightly
def test_a_single_choice_is_drawn_at_once(page: Page) -> None:
    study = word_study.collected()
    assert refs(study)
    first_disagreement(page, study)
    expect(page.locator("#answers .tie.dropped")).to_have_count(0)
    without = page.locator("#differences").get_by_role("button").filter(has_text="no link")
    without.first.click()
    expect(page.locator("#answers .tie.dropped")).not_to_have_count(0)


@pytest.mark.nightly
def test_chunks_are_decided_on_a_phone(phone_page: Page, axe: Callable[[Page], None]) -> None:
    study = opened(chunk_study(judgements=2))
    simulate(study, user=SYSTEM, annotators=2, seed=3)
    assert refs(study)
    phone_page.emulate_media(color_scheme="dark")
    first_disagreement(phone_page, study)
    expect(phone_page.locator("#answers .board").nth(1)).to_be_visible()
    look(phone_page, "adjudicate-chunks", axe)
    phone_page.get_by_role("button", name="Use B").tap()
    expect(phone_page.get_by_role("button", name="Use B")).to_have_attribute("aria-pressed", "true")
    phone_page.get_by_role("button", name="Save").tap()
    expect(phone_page.locator(".undo button")).to_be_visible()


def chunk_value(links: list[tuple[list[int], list[int], str, int]]) -> IstsPair:
    """Return an annotation of the sentences “A dog barks loudly” and “A hound is barking loudly”."""
    source, target = CHUNKS.source, CHUNKS.target
    made = [ChunkLink(tuple(a), tuple(b), kind, frozenset(), score) for a, b, kind, score in links]
    for side, size in enumerate((len(source), len(target))):
        taken = {token for link in made for token in (link.source, link.target)[side]}
        loose = tuple(token for token in range(size) if token not in taken)
        if loose:
            made.append(ChunkLink(loose if side == 0 else (), loose if side == 1 else (), "NOALI"))
    return replace(CHUNKS, links=tuple(made))


def disputed_chunks(*annotations: IstsPair) -> Study:
    """Collect a study with one sentence pair and these annotations of it."""
    items = "".join(write_wa([CHUNKS]))
    study = opened(chunk_study(judgements=len(annotations), items=items, questions_per_hit=1))
    for annotation in annotations:
        answer_all(study, pair1=value_of(annotation))
    return study


CHUNKS = IstsPair("1", ("A", "dog", "barks", "loudly"), ("A", "hound", "is", "barking", "loudly"))
AGREED = ([0, 1], [0, 1], "SIMI", 4)


def open_chunks(page: Page, study: Study) -> None:
    assert refs(study)
    page.set_viewport_size({"width": 1280, "height": 800})
    first_disagreement(page, study)


def reading(page: Page, label: str, words: str) -> Locator:
    group = page.locator("#differences [role=group]").filter(has=page.locator(".what", has_text=re.compile(label)))
    return group.get_by_role("button").filter(has_text=words)


@pytest.mark.nightly
def test_chunk_links_that_cannot_hold_together_exclude_each_other(page: Page) -> None:
    whole = chunk_value([AGREED, ([2, 3], [2, 3, 4], "EQUI", 5)])
    verb = chunk_value([AGREED, ([2], [2, 3], "SPE1", 4)])
    study = disputed_chunks(whole, verb)
    open_chunks(page, study)
    joint, short = reading(page, "is barking loudly$", "EQUI"), reading(page, "is barking$", "SPE1")
    joint.click()
    short.click()
    expect(short).to_have_attribute("aria-pressed", "true")
    expect(joint).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#said")).to_contain_text("Cannot be combined, choose again: barks loudly – is barking loudly")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#said")).to_contain_text("Not chosen yet: ")
    assert not Decision.objects.exists()
    letter = page.locator("b", has_text=short.locator("b").inner_text())
    while page.locator("#differences > li.open").count():
        page.locator("#differences > li.open").first.get_by_role("button").filter(has=letter).click()
    shown = page.locator("#differences [aria-pressed=true]").all_inner_texts()
    assert len(shown) == page.locator("#differences > li").count()
    page.get_by_role("button", name="Save").click()
    until(page, lambda: Decision.objects.exists())
    payload = {"source": CHUNKS.source, "target": CHUNKS.target}
    value = Decision.objects.get().value
    assert value is not None
    assert set(to_pair("1", payload, value).links) == set(verb.links)


@pytest.mark.nightly
def test_keys_of_the_bar_are_off_in_the_editor_and_a_reason_is_only_text(page: Page) -> None:
    study = disputed_chunks(*(chunk_value([AGREED, ([2], [2, 3], "SPE1", score)]) for score in (3, 4)))
    open_chunks(page, study)
    page.keyboard.press("o")
    expect(page.locator("#task .pill")).to_have_count(2)  # the links of both annotators, who differ in a score
    expect(page.locator("#task .pill").nth(1)).to_contain_text("SPE1")
    expect(page.locator("#task .pill").nth(1)).not_to_contain_text(re.compile("3|4"))
    page.get_by_role("button", name="Cancel").click()
    page.keyboard.press("b")
    page.keyboard.press("o")
    expect(page.locator("#task .board")).to_be_visible()
    expect(page.locator("#judge [data-reason] kbd")).to_be_hidden()
    expect(page.locator("#judge [data-reason]")).not_to_have_attribute("aria-keyshortcuts", "R")
    before = page.locator("#id_value").input_value()
    page.get_by_role("button", name="Reason").click()
    page.keyboard.type("REL or EQUI? 12345 sure, is another reason")
    assert page.locator("#id_value").input_value() == before
    expect(page.locator("#id_note")).to_have_value("REL or EQUI? 12345 sure, is another reason")
    if SCREENSHOTS:
        page.screenshot(path=Path(SCREENSHOTS) / "own-chunks.png", full_page=True)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#task .board")).to_be_hidden()
    assert page.locator("#id_value").input_value() == before
    expect(page.locator("#judge [data-reason] kbd")).to_be_visible()


@pytest.mark.nightly
@pytest.mark.parametrize("is_flagged", [False, True])
def test_a_majority_is_suggested_only_without_flagged_annotators(page: Page, is_flagged: bool) -> None:
    study = collected(annotators=3, judgements=3, careless=0.5)
    question = study.questions.get(ref=refs(study)[-1], kind="regular")  # two of three annotators agree
    if is_flagged:
        flag(study, study.participations.filter(answers__question=question)[0])
    sign_in(page, study)
    page.goto(page_of(study, f"adjudicate/{question.public_id}/"))
    expect(page.get_by_role("button", name="Use C")).to_be_visible()
    expect(page.get_by_role("button", name="Majority", exact=True)).to_be_visible(visible=not is_flagged)
    expect(page.locator(".decide [aria-pressed='true']")).to_have_count(0)
    if not is_flagged:
        majority = page.get_by_role("button", name="Majority", exact=True)
        majority.click()
        expect(majority).to_have_attribute("aria-pressed", "true")
        expect(page.locator("[data-use][aria-pressed='true']")).to_have_count(2)
