"""One annotator's answers in a real browser: drawn for each task type, filtered, and one of them excluded."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.data.services.design import build_design
from annotate.data.services.imports import import_file
from annotate.models import Participation, Study, User
from annotate.people.selectors.answers import answers_of
from annotate.studies.services.study import create_study, open_study
from tests.browser.test_console_results import sign_in
from tests.chromium import on_each_screen
from tests.console_study import collected, page_of, somebody
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db(transaction=True)

EXAMPLES = Path(__file__).parents[2] / "examples"
SCREENSHOTS = os.environ.get("ACCORD_SCREENSHOTS", "")  # a folder, to look at the pages
# The example study of each task type, and what a drawn answer contains.
KINDS = {
    "bws": ("relatedness", ".pair.is-most .tag"),
    "paraphrase": ("paraphrase", ".cand .state"),
    "words": ("alignment", ".board svg path"),
    "chunks": ("chunks", ".board svg path"),
}


def answered_study(task_type: str, user: User) -> Study:
    """The items of the example study, with three simulated annotators who have answered two HITs each."""
    folder = EXAMPLES / KINDS[task_type][0]
    options: dict[str, Any] = {"begin": "chunks"} if task_type == "chunks" else {}
    study = create_study(
        user=user,
        title="Answers",
        task_type=task_type,
        seed=1,
        options=options,
        judgements=3,
        questions_per_hit=3,
        practice=False,
        rule_threshold=0,
        gold_block=3,
    )
    for purpose in ("items", "gold"):
        file = next(path for path in folder.iterdir() if path.stem == purpose)
        import_file(study, purpose=purpose, filename=file.name, data=file.read_bytes(), user=SYSTEM)
    build_design(study.pk, user=user)
    open_study(study.pk, user=user)
    with (folder / "truth.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))[1:]
    truth = {key: float(value) if value.replace(".", "", 1).isdigit() else value for key, value in rows}
    simulate(study, user=SYSTEM, annotators=3, seed=3, hits=6, truth=truth)
    return study


@pytest.mark.nightly
def test_answers_are_drawn_filtered_and_excluded(phone_page: Page, axe: Callable[[Page], None]) -> None:
    owner = UserFactory()
    for task_type, (_, drawn) in KINDS.items():
        study = answered_study(task_type, owner)
        who = study.participations.order_by("pk").first()
        assert who is not None
        if task_type == "bws":
            sign_in(phone_page, study)
        phone_page.emulate_media(color_scheme="light" if task_type == "bws" else "dark")
        phone_page.goto(page_of(study, f"annotators/{who.pseudonym}/"))
        expect(phone_page.locator(".answers > li")).to_have_count(8)
        first = phone_page.locator(".answers > li").first
        first.locator("summary").click()
        expect(first.locator(drawn).first).to_be_attached()
        axe(phone_page)
        for width in on_each_screen(phone_page):
            if SCREENSHOTS:
                phone_page.screenshot(path=Path(SCREENSHOTS) / f"{task_type}-{width}.png")
                second = phone_page.locator(".answers > li").nth(1)
                second.screenshot(path=Path(SCREENSHOTS) / f"{task_type}-{width}-one.png")
    exclude_one(phone_page, study, who)


def exclude_one(page: Page, study: Study, who: Participation) -> None:
    page.get_by_role("navigation", name="Filter answers").get_by_role("link", name="Gold 2").click()
    expect(page.locator(".answers > li")).to_have_count(2)
    page.locator(".answers summary").first.click()
    expect(page.get_by_text("Expected answer:").first).to_be_visible()
    page.get_by_role("navigation", name="Filter answers").get_by_role("link", name="All 8").click()
    expect(page.locator(".answers > li")).to_have_count(8)
    page.locator(".answers summary").first.click()
    button = page.get_by_role("button", name="Exclude the answer").first
    ref = button.get_attribute("data-who")
    button.click()
    page.get_by_label("Reason").and_(page.locator(":visible")).fill("Every link is in the wrong place.")
    page.get_by_role("dialog").get_by_role("button", name="Exclude the answer").click()
    expect(page.get_by_text(f"The answer to question {ref} no longer counts.")).to_be_visible()
    expect(page.get_by_text("Reason for excluding the answer:")).to_be_visible()
    answer = who.answers.exclude(excluded="").get()
    page.get_by_role("navigation", name="Filter answers").get_by_role("link", name="Excluded 1").click()
    expect(page.locator(".answers > li").locator(f"#answer-{answer.pk}")).to_have_count(1)
    page.locator(".answers summary").click()
    page.get_by_role("button", name="Include the answer").first.click()
    page.get_by_label("Reason").and_(page.locator(":visible")).fill("A mistake.")
    page.get_by_role("dialog").get_by_role("button", name="Include the answer").click()
    expect(page.get_by_text("The additional slot for the question is closed.")).to_be_visible()
    assert study.events.filter(verb="included answer", reason="A mistake.").exists()


@pytest.mark.nightly
def test_a_link_to_an_answer_beyond_the_first_ten_shows_it(page: Page) -> None:
    study = collected()
    who = somebody(study)
    last = list(answers_of(who))[-1]
    place = page_of(study, f"annotators/{who.pseudonym}/")
    sign_in(page, study.memberships.get(role="owner").user)
    page.goto(f"{place}#answer-{last.pk}")
    expect(page).to_have_url(re.compile(rf"\?answer={last.pk}#answer-{last.pk}$"))
    expect(page.locator(f"#answer-{last.pk}")).to_be_in_viewport()
