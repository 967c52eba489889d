"""Tests of questions about paraphrases on the work page and in a Mechanical Turk batch."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.aligning import static_file
from tests.annotating import answer_of, enter, look_at_feedback, on_page, question, until
from tests.factories import make_annotator
from tests.paraphrase_editor import votes
from tests.paraphrasing import paraphrase_study, raw_votes


@pytest.mark.django_db(transaction=True)
def test_a_hit_on_the_work_page_with_its_quality_control_missed(page: Page, axe: Callable[[Page], None]) -> None:
    study = paraphrase_study()
    enter(page, make_annotator(study))
    page.goto(f"/s/{study.public_id}")
    page.locator(f"form[action$='{study.public_id}/start'] button").click()
    expect(page.get_by_role("heading", name="Which of these words could replace")).to_be_focused()
    assignment = on_page(page)
    yes = {key: ["bank branch", "post slope"] for key in study.items.values_list("key", flat=True)}
    for position in (1, 2):
        question(page, position)
        answer = answer_of(assignment, position)
        votes_to_give = raw_votes(answer, yes, "wrong")["votes"]
        expect(page.locator("#next")).to_have_attribute("aria-disabled", "true")
        for vote in votes_to_give:
            page.keyboard.press("y" if vote else "n")
        expect(page.locator("#next")).to_have_attribute("aria-disabled", "false")
        assert votes(page) == votes_to_give
        axe(page)
        page.keyboard.press("Enter")
        if answer.question.gold:
            expect(page.locator(".differs")).to_have_count(6)
            expect(page.get_by_text("We expected the answer “yes” for")).to_be_visible()
            axe(page)
            look_at_feedback(page)
    until(page, lambda: answer_of(assignment, 2).value is not None)
    stored = {answer.question.ref: answer.value for answer in assignment.answers.select_related("question")}
    for position in (1, 2):
        answer = answer_of(assignment, position)
        expected = answer.question.gold
        if expected:
            assert stored[answer.question.ref] == {"votes": [not vote for vote in expected["votes"]]}
        else:
            good = yes[answer.question.payload["item"]]
            assert stored[answer.question.ref] == {
                "votes": [text in good for text in answer.question.payload["paraphrases"]]
            }


def test_inlined_it_leaves_room_for_the_questions_of_a_hit() -> None:
    paraphrase, bws = (static_file(f"/static/{name}/dist/{name}.js") for name in ("paraphrase", "bws"))
    assert paraphrase.stat().st_size - bws.stat().st_size < 9 * 1024
