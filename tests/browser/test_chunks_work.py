"""Tests of chunk alignment on the annotators' pages, with a missed gold question, and on a page without its server."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from annotate.data.services.design import build_design
from annotate.data.services.imports import import_file
from annotate.models import Assignment, Study
from annotate.studies.services.study import create_study, open_study
from tests.aligning import ROOT, drag
from tests.annotating import SETTLED, answer_of, enter, gold_position, on_page, question, until
from tests.factories import UserFactory, make_annotator

pytestmark = pytest.mark.django_db(transaction=True)

EXAMPLE = ROOT / "examples" / "chunks"
ASK = "Link the matching chunks"


def chunk_study() -> Study:
    """Return a study with the example's pairs in HITs of two pairs and one gold pair, and with the default
    instructions.
    """
    user = UserFactory()
    settings = {"questions_per_hit": 2, "gold_block": 2, "practice": False, "rule_threshold": 0, "judgements": 2}
    study = create_study(user=user, title="Chunks", task_type="chunks", seed=1, options={"begin": "chunks"}, **settings)
    for purpose, name in (("items", "items.jsonl"), ("gold", "gold.wa")):
        data = (EXAMPLE / name).read_bytes()
        import_file(study, purpose=purpose, filename=name, data=data, user=user)
    build_design(study.pk, user=user)
    return open_study(study.pk, user=user)


def link_first(page: Page) -> None:
    """Link the first chunks of both sentences with the type EQUI."""
    ends = [first_chunk(page, side).bounding_box() for side in (0, 1)]
    (x1, y1), (x2, y2) = [(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2) for end in ends if end]
    drag(page, (x1, y1), (x2, y2))
    page.keyboard.press("e")


def first_chunk(page: Page, side: int) -> Locator:
    return page.locator(".linker .toks").nth(side).locator(".tok").first


@pytest.mark.nightly
def test_a_hit_with_gold_missed(page: Page, axe: Callable[[Page], None], expected_errors: list[str]) -> None:
    expected_errors.append("Applying inline style")  # axe clones labels, which scripts may place and markup may not
    annotator = make_annotator(chunk_study())
    enter(page, annotator)
    page.goto(f"/s/{annotator.study.public_id}")
    page.locator("form[action$='/start'] button").click()
    expect(page.get_by_role("heading", level=1, name=ASK)).to_be_visible()
    assignment = on_page(page)
    gold = gold_position(assignment)
    for number in range(1, assignment.answers.count() + 1):
        question(page, number)
        if number != gold:
            link_first(page)
            expect(page.locator(".pill")).to_have_text(re.compile("^EQUI5"))
        page.keyboard.press("Enter")
        expect(page.locator("#saved")).to_contain_text(re.compile("Link “.+”, or choose NOALI or ALIC[.]"))
        page.keyboard.press("t")
        if number == 1:
            until(page, lambda: answer_of(assignment, 1).draft)
            page.reload()
            expect(page.locator(".foot .whole")).to_be_visible()  # whole, as it was left
            page.keyboard.press("z")  # what was done before the reload can be undone
            expect(page.locator(".foot .whole")).to_be_hidden()
            page.keyboard.press("Shift+z")
        page.keyboard.press("Enter")
        if number == gold:
            expect(page.get_by_role("heading", name="Our answer is different")).to_be_visible()
            expect(page.locator(".compare .pill.missed").first).to_be_visible()
            axe(page)
            page.wait_for_timeout(SETTLED)
            page.keyboard.press("Enter")
    until(page, lambda: Assignment.objects.filter(pk=assignment.pk, state="done").exists())
    for answer in assignment.answers.all():
        assert [link["type"] for link in answer.value["links"]] == ([] if answer.position == gold else ["EQUI"])
        assert answer.value["left"]


def test_the_list_of_keys_is_the_modules() -> None:
    listed = (ROOT / "alignment_ui/chunks/templates/chunks/keys.html").read_text(encoding="utf-8")
    module = (ROOT / "alignment_ui/chunks/static/chunks/keys.js").read_text(encoding="utf-8")
    keys = re.search(r"const KEYS = \{(.*?)\};", module, re.DOTALL)
    assert keys
    assert dict(re.findall(r'action="(\w+)" usual="([^"]+)"', listed)) == dict(re.findall(r'(\w+): "([^"]+)"', keys[1]))
