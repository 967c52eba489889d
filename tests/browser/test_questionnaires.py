"""Questionnaires in a real browser: two widths and both themes, in English and in German, by keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from annotate.core.permissions import SYSTEM
from annotate.models import Questionnaire
from annotate.recruiting.services.questionnaires import change_questionnaire
from tests.browser.test_console_results import sign_in
from tests.chromium import check_in_both_themes, on_each_screen
from tests.console_study import page_of
from tests.factories import UserFactory, make_study

pytestmark = pytest.mark.django_db(transaction=True)

QUESTIONS = [
    {"name": "first", "kind": "single", "label": "Ist Deutsch Ihre Erstsprache?", "options": ["ja", "nein"]},
    {"name": "others", "kind": "multiple", "label": "Weitere Sprachen", "options": ["Englisch", "Polnisch"]},
    {"name": "age", "kind": "number", "label": "Alter", "help": "In Jahren", "required": True, "admitted_minimum": 18},
    {"name": "skill", "kind": "scale", "label": "Wie gut?", "low_label": "wenig", "high_label": "sehr gut"},
    {"name": "job", "kind": "short", "label": "Beruf"},
    {"name": "more", "kind": "long", "label": "Anmerkungen"},
]


@pytest.mark.nightly
def test_questions_are_written_and_answered_by_keyboard(page: Page, expected_errors: list[str]) -> None:
    expected_errors += ["status of 400", "status of 422"]
    study = make_study(user=UserFactory(), language="de")
    screening = Questionnaire.Purpose.SCREENING
    change_questionnaire(study.pk, screening, {"questions": QUESTIONS}, revision=0, user=SYSTEM)
    sign_in(page, study)
    page.goto(page_of(study, "questionnaires/screening/"))
    page.get_by_label("Kind of question").select_option("Single choice")
    page.get_by_role("button", name="Add a question").press("Enter")
    page.get_by_role("textbox", name="Question").fill("Wohnen Sie in Wien?")
    page.get_by_label("Options", exact=True).fill("ja\nnein")
    page.get_by_label("Admitted options").fill("vielleicht")
    page.get_by_role("button", name="Save the question").press("Enter")
    expect(page.get_by_text("is not an option of this question")).to_be_visible()
    page.get_by_label("Admitted options").fill("ja")
    for _ in on_each_screen(page):
        check_in_both_themes(page)
    page.get_by_role("button", name="Save the question").press("Enter")
    expect(page.get_by_text("The question was saved.")).to_be_visible()
    for _ in on_each_screen(page):
        check_in_both_themes(page)
    page.goto(f"/join/{study.join_token}")
    page.get_by_role("button", name="Weiter").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Einige Antworten fehlen")
    expect(page.get_by_label("Alter")).to_have_attribute("aria-invalid", "true")
    for _ in on_each_screen(page):
        check_in_both_themes(page)
    page.get_by_label("Alter").fill("17")
    page.get_by_role("group", name="Wohnen Sie in Wien?").get_by_label("ja").press("Space")
    page.get_by_role("button", name="Weiter").press("Enter")
    expect(page.get_by_text("Leider können Sie nicht teilnehmen")).to_be_visible()
    for _ in on_each_screen(page):
        check_in_both_themes(page)
