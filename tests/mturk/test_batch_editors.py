"""Tests of the pages of batches without the server: chunk alignment, word alignment, and paraphrases on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from accord_core.exchange.mturk import QUESTION_LIMIT, fill
from annotate import tasktypes
from annotate.models import Study
from annotate.mturk.batch import batch_rows, checked_size, template
from annotate.questions.selectors.data import study_data
from tests.aligning import centre, drag, word
from tests.browser.test_chunks_work import ASK, chunk_study, link_first
from tests.chromium import check_accessibility, check_width
from tests.paraphrase_editor import HOST, row
from tests.paraphrasing import paraphrase_study
from tests.word_study import word_study

pytestmark = [pytest.mark.nightly, pytest.mark.django_db(transaction=True)]


def test_the_editor_of_chunks(page: Page, axe: Callable[[Page], None]) -> None:
    data = study_data(chunk_study())
    rows, whole = list(batch_rows(data)), template(data)
    assert checked_size(data, whole, rows) < QUESTION_LIMIT
    hit = fill(whole, rows[0])
    page.route(re.compile("/hit[.]html"), lambda route: route.fulfill(body=hit, content_type="text/html"))
    page.goto("/hit.html?assignmentId=A1&hitId=H1&workerId=W1&turkSubmitTo=https://www.mturk.com")
    expect(page.get_by_role("heading", level=1, name=ASK)).to_be_visible()
    page.locator("summary").click()
    link_first(page)
    expect(page.locator(".board.rows .pill.chosen")).to_have_css("border-radius", "999px")  # styles travel, too
    axe(page)
    page.keyboard.press("c")
    expect(word(page, 0, 0)).to_be_visible()
    page.keyboard.press("c")
    page.keyboard.press("t")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile("our answer is different|Question 2")).first).to_be_visible()


def test_pages_in_every_language_are_about_as_large_as_in_english() -> None:
    """The page for chunks is close to the limit of Mechanical Turk."""
    study = chunk_study()
    pages = {}
    for language, _name in settings.LANGUAGES:
        texts = tasktypes.get("chunks").texts_in(language)
        Study.objects.update(language=language, instructions=texts.guidelines, examples=texts.worked_examples)
        pages[language] = template(study_data(Study.objects.get(pk=study.pk)))
        assert ('dir="rtl"' in pages[language]) == (language == "ar")
        assert len(pages[language].encode()) < len(pages["en"].encode()) + 2_200


def test_the_editor_of_words(page: Page, axe: Callable[[Page], None]) -> None:
    data = study_data(word_study())
    hit = fill(template(data), next(batch_rows(data)))
    page.route(re.compile("/hit[.]html"), lambda route: route.fulfill(body=hit, content_type="text/html"))
    page.goto("/hit.html?assignmentId=A1&hitId=H1&workerId=W1&turkSubmitTo=https://www.mturk.com")
    expect(page.get_by_role("heading", level=1, name="Link the words")).to_be_visible()
    page.locator("summary").click()
    drag(page, centre(page, 0, 0), centre(page, 1, 0))
    page.keyboard.press("Control+z")
    expect(page.get_by_role("button", name="Redo")).to_have_attribute("aria-disabled", "false")
    axe(page)
    page.keyboard.press("Enter")
    expect(page.locator("[data-words]")).to_have_text(re.compile("Question 2"))


def test_paraphrases_on_a_phone(chromium: Browser) -> None:
    data = study_data(paraphrase_study())
    hit = fill(template(data), next(batch_rows(data)))
    with chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True) as context:
        context.route("**/*", lambda route: route.fulfill(body=hit, content_type="text/html"))
        page = context.new_page()
        page.goto(f"{HOST}/?assignmentId=A1&turkSubmitTo=https://www.mturk.com")
        expect(row(page, 1)).to_be_visible()
        count = page.locator(".cand").count()
        for number in range(1, count + 1):
            row(page, number).get_by_text("No", exact=True).tap()
        expect(page.get_by_role("button", name="Next")).to_have_attribute("aria-disabled", "false")
        check_width(page)
        check_accessibility(page)
