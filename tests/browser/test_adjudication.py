"""The Adjudication page in a browser: decisions by keys alone, accessibility, and the width of the page."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotate.models import Decision, Study
from annotate.questions.selectors.adjudication import Queue
from annotate.questions.services.refresh import current_figures
from tests import word_study
from tests.annotating import until
from tests.browser.test_console_results import sign_in
from tests.chromium import check_width
from tests.console_study import collected, page_of

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


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark")])
def test_three_questions_are_decided_by_keys_alone(
    open_page: Callable[..., Page], axe: Callable[[Page], None], width: int, scheme: str
) -> None:
    study = collected(careless=0.5)
    first, second, third, fourth, *_ = refs(study)
    page = open_page(width, color_scheme=scheme)
    sign_in(page, study)
    page.goto(page_of(study, "adjudicate/"))

    def expect_question(ref: str) -> None:
        expect(page.get_by_role("heading", level=2, name=ref, exact=True)).to_be_visible()
        expect(page.locator("#task .bws")).to_be_visible()

    expect_question(first)
    expect(page.locator("#candidates .pair").first).to_be_visible()
    look(page, "adjudicate-bws", axe)
    suggested = page.evaluate("JSON.parse(document.getElementById('suggested').textContent)")
    page.keyboard.press("Enter")
    expect_question(second)
    expect(page.get_by_role("heading", level=2, name=second, exact=True)).to_be_focused()
    other = page.evaluate("JSON.parse(document.getElementById('given').textContent)[1].value")
    page.keyboard.press("Shift+B")
    expect(page.locator(f"#best-{other['best']}")).to_be_checked()
    page.keyboard.press("Enter")
    expect_question(third)
    page.keyboard.press("Shift+X")
    expect_question(fourth)
    outcomes = {row.question.ref: row for row in Decision.objects.select_related("question")}
    items = {ref: row.question.payload["items"] for ref, row in outcomes.items()}
    assert set(outcomes) == {first, second, third}
    for ref, value in ((first, suggested), (second, other)):
        assert outcomes[ref].value == {name: items[ref][number - 1] for name, number in value.items()}
    assert outcomes[third].keep_both
    page.keyboard.press("Shift+U")
    expect_question(third)
    until(page, lambda: not Decision.objects.filter(question__ref=third).exists())
    page.keyboard.press("Shift+J")
    expect_question(fourth)
    page.keyboard.press("Shift+K")
    expect_question(third)
    page.get_by_label("Use the keyboard shortcuts").uncheck()
    page.keyboard.press("Shift+J")
    expect_question(third)


def test_alignments_are_drawn_side_by_side(open_page: Callable[..., Page], axe: Callable[[Page], None]) -> None:
    study = word_study.collected()
    assert refs(study)
    page = open_page(1280)
    sign_in(page, study)
    page.goto(page_of(study, "adjudicate/"))
    expect(page.locator("#candidates .board").nth(1)).to_be_visible()
    expect(page.locator("#task .board")).to_be_visible()
    look(page, "adjudicate-words", axe)
    parts = page.locator("#candidates .part")
    before, taken = parts.count(), parts.first.inner_text()
    page.keyboard.press("Shift+N")
    expect(parts.first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text(taken.partition(":")[0])
    expect(page.get_by_role("button", name=taken)).to_have_count(0)
    expect(page.locator("#candidates h3:focus")).to_have_count(1)
    page.keyboard.press("z")  # the editor's own key for undo
    expect(parts).to_have_count(before)
    answer = page.locator("#candidates > li").nth(1)
    answer.locator(".tie[data-marked]").last.dispatch_event("click")
    expect(answer.locator(".part")).not_to_have_count(before)
    page.keyboard.press("Shift+B")
    expect(page.locator("#said")).to_have_text("Use answer B")
    page.keyboard.press("Enter")
    expect(page.locator(".undo button")).to_be_visible()
