"""Tests of the files that a browser with an empty cache loads before the first question is shown, for every
task type.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.models import Study
from bench.pages import MOST_SHIFT, RECORD, largest_window
from tests.annotating import enter
from tests.browser.test_chunks_work import chunk_study
from tests.factories import make_annotator, make_study
from tests.paraphrasing import paraphrase_study
from tests.word_study import word_study

pytestmark = pytest.mark.django_db(transaction=True)
MOST_REQUESTS, MOST_BYTES = 8, 120_000


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(make_study, id="bws"),
        pytest.param(paraphrase_study, id="paraphrase", marks=pytest.mark.nightly),
        pytest.param(word_study, id="words"),
        pytest.param(chunk_study, id="chunks", marks=pytest.mark.nightly),
    ],
)
def test_the_first_question_needs_few_requests(open_page: Callable[..., Page], make: Callable[[], Study]) -> None:
    page = open_page()  # without a worker, because the page is copied only after the first question
    study = make()
    enter(page, make_annotator(study))
    page.goto(f"/s/{study.public_id}")
    page.locator("form[action$='/start'] button").click()
    expect(page.locator("#question")).not_to_be_empty()
    page.context.new_cdp_session(page).send("Network.setCacheDisabled", {"cacheDisabled": True})
    page.add_init_script(RECORD)
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    page.reload(wait_until="networkidle")
    expect(page.locator("#question")).not_to_be_empty()
    bodies = [page.context.request.get(address).body() for address in addresses]
    size = sum(len(gzip.compress(body, mtime=0)) for body in bodies)
    print(f"{len(addresses)} requests, {size:,} bytes compressed")  # noqa: T201 (docs/figures.md shows these figures)
    assert len(addresses) <= MOST_REQUESTS, addresses
    assert size <= MOST_BYTES
    assert largest_window(page.evaluate("window.shifts")) < MOST_SHIFT
