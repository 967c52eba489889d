"""Tests of the page Programs in a real browser: a comparison by keyboard, both themes, and phones."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.core.permissions import SYSTEM
from annotate.models import Study
from annotate.programs.services.comparison import compare_programs
from tests.chromium import add_session, check_in_both_themes, check_width
from tests.console_study import collected
from tests.programs.test_programs_page import join_program

pytestmark = pytest.mark.django_db(transaction=True)


NAME = "a language model with a long name, version of 6 August 2024, prompt 12"


def opened(page: Page) -> Study:
    study = collected(items=8, gold=4)
    join_program(study, NAME)
    join_program(study, "model 2.0", hits=1)
    compare_programs(study.pk, epsilon=0.1, fewest_questions=5, user=SYSTEM, progress=lambda share, text: None)
    add_session(page, study.memberships.get().user)
    page.goto(f"/console/{study.public_id}/programs/")
    return study


@pytest.mark.nightly
def test_a_comparison_is_requested_by_keyboard(page: Page, expected_errors: list[str]) -> None:
    expected_errors.append("status of 400")
    study = opened(page)
    expect(page.get_by_role("region", name="Agreement").get_by_role("row")).to_have_count(5)
    check_in_both_themes(page)
    page.get_by_label("Kind of annotator").select_option("other")
    page.get_by_label("Minimum questions per annotator").fill("10")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Enter a value of ε, or choose another kind of annotator.").first).to_be_visible()
    page.get_by_label("Another value of ε", exact=False).fill("0.05")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Comparison of programs")).to_be_visible()
    assert study.jobs.get(kind="programs").parameters["epsilon"] == 0.05


@pytest.mark.nightly
def test_the_tables_fit_a_phone(phone_page: Page, axe: Callable[[Page], None]) -> None:
    opened(phone_page)
    expect(phone_page.get_by_role("heading", name=f"“{NAME}” compared with each annotator")).to_be_visible()
    check_width(phone_page)
    wide = "() => [...document.querySelectorAll('.scroll')].filter(each => each.scrollWidth > each.clientWidth).length"
    assert phone_page.evaluate(wide) == 0
    axe(phone_page)
