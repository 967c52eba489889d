"""A test of batches of all task types on a real Turkle server: export, publish, answer, download, import, compare."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Frame, Locator, Page, expect

from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.models import Answer, Assignment, Study
from annotate.mturk.services.batches import import_results
from annotate.results.selectors.downloads import write_export
from tests.aligning import drag
from tests.annotating import SETTLED, until
from tests.browser.test_chunks_work import chunk_study
from tests.factories import make_study
from tests.paraphrasing import paraphrase_study
from tests.turkle.server import PASSWORD, Turkle, turkle_in
from tests.word_study import word_study

pytestmark = [pytest.mark.nightly, pytest.mark.django_db(transaction=True)]
HITS = 2  # that each worker answers


@pytest.fixture(scope="module")
def turkle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Turkle]:
    """Turkle with two workers."""
    with turkle_in(tmp_path_factory.mktemp("turkle")) as turkle:
        for name in ("ann", "ben"):
            turkle.hire(name)
        yield turkle


def choose_pairs(page: Page, task: Frame, number: int) -> None:
    """Choose one of the four items as best, and the next item as worst."""
    page.keyboard.press(str(1 + number % 4))
    page.keyboard.press(f"Shift+{1 + (number + 1) % 4}")


def vote(page: Page, task: Frame, number: int) -> None:
    for candidate in range(task.locator(".cand").count()):
        page.keyboard.press("ny"[(candidate + number) % 2])


def link_words(page: Page, task: Frame, number: int) -> None:
    """Link the first words of both sentences, in addition to the links with which the question begins."""
    connect(page, task, ".board .toks >> nth={} >> .tok >> nth=0")


def link_chunks(page: Page, task: Frame, number: int) -> None:
    """Link the first chunks of both sentences, and leave all others without a counterpart."""
    connect(page, task, ".linker .toks >> nth={} >> .tok >> nth=0")
    page.keyboard.press("e")
    page.keyboard.press("t")


def connect(page: Page, task: Frame, selector: str) -> None:
    task.locator("#task").scroll_into_view_if_needed()
    boxes = [task.locator(selector.format(side)).bounding_box() for side in (0, 1)]
    start, end = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]
    drag(page, start, end)


STUDIES: dict[str, tuple[Callable[[], Study], Callable[[Page, Frame, int], None]]] = {
    "bws": (lambda: make_study(items=10, gold=4, judgements=2, consent="Taking part is voluntary."), choose_pairs),
    "paraphrase": (paraphrase_study, vote),
    "words": (word_study, link_words),
    "chunks": (chunk_study, link_chunks),
}


@pytest.mark.parametrize("slug", STUDIES)
def test_answers_on_turkle_arrive_as_they_were_given(slug: str, chromium: Browser, turkle: Turkle) -> None:
    make, answer = STUDIES[slug]
    study = make()
    template, rows = [written(study, name) for name in ("mturk-template.html", "mturk-input.csv")]
    batch = turkle.publish(slug, template, rows, assignments=2)
    posted: list[list[dict[str, Any]]] = []
    for worker in ("ann", "ben"):
        context = chromium.new_context(viewport={"width": 1280, "height": 1000}, reduced_motion="reduce")
        try:
            posted += work(context, turkle, worker, batch, answer)
        finally:
            context.close()

    results = turkle.results(batch)
    imported = import_results(study.pk, results, "results.csv", user=SYSTEM)
    assert (imported.assignments, imported.faulty, imported.gold_left_out, imported.gold_added) == (2 * HITS, 0, 0, 0)
    assignments = Assignment.objects.filter(study=study, source=Assignment.Source.MTURK).order_by("submitted_at", "pk")
    assert len(posted) == len(assignments) == 2 * HITS
    for sent, assignment in zip(posted, assignments, strict=True):
        stored = Answer.objects.filter(assignment=assignment).select_related("question").order_by("position")
        task = tasktypes.get(slug)
        for one, kept in zip(sent, stored, strict=True):
            question = kept.question
            assert (one["question"], one["shown"], one["position"]) == (question.ref, kept.shown, kept.position)
            assert kept.value == task.clean(question.payload, one["shown"], one["value"], study.options)
            assert kept.seconds == pytest.approx(one["seconds"], abs=0.01)
            if slug == "bws":
                items = [question.payload["items"][at] for at in one["shown"]]
                number = one["position"]
                assert kept.value == {"best": items[number % 4], "worst": items[(number + 1) % 4]}


def written(study: Study, name: str) -> str:
    return b"".join(write_export(study, name)[1]).decode()


def work(
    context: BrowserContext, turkle: Turkle, worker: str, batch: int, answer: Callable[[Page, Frame, int], None]
) -> list[list[dict[str, Any]]]:
    """Submit some HITs in a worker's browser, and return the answers that the browser posts."""
    posted: list[list[dict[str, Any]]] = []
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{turkle.address}/accounts/login/")
    page.locator("[name=username]").fill(worker)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("[name=password]").press("Enter")
    page.wait_for_url(f"{turkle.address}/")
    for done in range(HITS):
        page.goto(f"{turkle.address}/batch/{batch}/accept_next_task/")
        task = page.frame(url=lambda url: "/iframe/" in url)
        assert task
        expect(task.locator("[data-words]")).to_contain_text("Question 1 of")
        expect(task.locator("#instructions .prose")).to_be_visible(visible=not done)  # folded in the second HIT
        expect(task.get_by_role("button", name="Submit", exact=True)).to_have_count(0)  # Turkle adds no button
        posted.append(answer_all(page, task, answer))
        page.wait_for_url(f"{turkle.address}/")
    assert errors == []
    return posted


def answer_all(page: Page, task: Frame, answer: Callable[[Page, Frame, int], None]) -> list[dict[str, Any]]:
    """Answer all questions of a HIT, and return the answers that the browser posts."""
    posted: list[Any] = []
    page.on("request", lambda request: posted.append(request.post_data_json) if request.method == "POST" else None)
    note, shown = task.locator("#note-heading"), task.locator("[data-words]")
    total = int(shown.inner_text().split()[-1])
    for number in range(1, total + 1):
        expect(shown).to_contain_text(f"Question {number} of")
        task.locator("#question").focus()
        answer(page, task, number)
        expect(task.locator("#next")).to_have_attribute("aria-disabled", "false")
        page.keyboard.press("Enter")
        following = shown.filter(has_text=f"Question {number + 1} of")
        until(page, lambda following=following: posted or visible(task, following) or visible(task, note))
        if visible(task, note):
            page.wait_for_timeout(SETTLED)
            page.keyboard.press("Enter")  # the expected answer is different
    until(page, lambda: posted)
    [fields] = posted
    assert set(fields) == {"csrfmiddlewaretoken", "answers"}
    sent: list[dict[str, Any]] = json.loads(fields["answers"])
    return sent


def visible(task: Frame, locator: Locator) -> bool:
    """Return whether an element is visible. Turkle removes the frame after the last question."""
    try:
        return locator.is_visible()
    except Error:
        assert task.is_detached()
        return False
