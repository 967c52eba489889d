"""Tests of the slider in Set up in a real browser: with the keyboard, with a budget, by touch, and without scripts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from accord_core.numerics.printed import coefficient
from annotate.core.permissions import SYSTEM
from annotate.models import Study
from annotate.planning.selectors.estimates import estimate_parameters
from annotate.planning.services.plans import make_plan, planning_of
from annotate.questions.selectors.more_judgements import price_for_all
from tests.chromium import add_session, check_in_both_themes, check_width
from tests.factories import make_study

pytestmark = [pytest.mark.nightly, pytest.mark.django_db(transaction=True)]

STUDIES = 20


def opened(page: Page) -> Study:
    study = make_study(items=24, state="draft", design=False, reward="0.50", judgements=2)
    owner = study.memberships.get().user
    parameters = estimate_parameters(study, planning_of(study), owner) | {"studies": STUDIES}
    make_plan(study.pk, parameters, user=SYSTEM, progress=lambda share, text: None)
    add_session(page, owner)
    page.goto(f"/console/{study.public_id}/")
    return study


def figures_of(panel: Locator) -> list[str]:
    return panel.locator(".big").all_inner_texts()


def row_of(study: Study, per_question: int) -> list[str]:
    """The figures of the stored plan as the panel shows them."""
    rows = study.plans.get().result["designs"]
    row = next(each for each in rows if each["per_question"] == per_question)
    return [str(per_question), f"${float(row['cost']):.2f}"]


def test_the_figures_follow_the_slider_and_the_budget(page: Page) -> None:
    study = opened(page)
    panel = page.locator("#estimates")
    slider = panel.get_by_role("slider")
    assert figures_of(panel)[:2] == row_of(study, 2)
    slider.press("ArrowRight")
    assert figures_of(panel)[:2] == row_of(study, 3)
    expect(slider).to_have_attribute("aria-valuetext", "3 judgements per question")
    budget = row_of(study, 5)[1].removeprefix("$")
    panel.get_by_label("budget").fill(budget)
    assert figures_of(panel)[:2] == row_of(study, 5), "the largest number within the budget"
    check_in_both_themes(page)
    panel.get_by_role("button", name="Use 5").press("Enter")
    expect(page.get_by_text("The study asks for 5 judgements per question.")).to_be_visible()
    study.refresh_from_db()
    assert study.judgements == 5
    assert figures_of(panel)[:2] == row_of(study, 5)


def test_further_judgements_show_what_they_give(page: Page, axe: Callable[[Page], None]) -> None:
    study = make_study(items=24, reward="0.50", judgements=2)
    owner = study.memberships.get().user
    parameters = estimate_parameters(study, planning_of(study), owner) | {"studies": STUDIES}
    assert parameters["answers"][:2] == [2, 3]
    result = make_plan(study.pk, parameters, user=SYSTEM, progress=lambda share, text: None).result["designs"]
    add_session(page, owner)
    page.goto(f"/console/{study.public_id}/judgements/")
    panel = page.locator("[data-slides]")
    reached = [coefficient(row["figures"]["reliability"]["value"]) for row in result]
    assert figures_of(panel)[3] == reached[1]
    prices = price_for_all(study), price_for_all(study, 3)
    assert figures_of(panel)[:3] == ["+1", f"+{prices[0].questions}", f"${prices[0].cost:.2f}"]
    panel.get_by_label("target").fill(str(result[3]["figures"]["reliability"]["value"]))
    assert figures_of(panel) == ["+3", f"+{prices[1].questions * 3}", f"${prices[1].cost:.2f}", reached[3]]
    axe(page)
    panel.get_by_role("button", name=f"Add judgements for ${prices[1].cost:.2f}").press("Enter")
    expect(page.get_by_text(f"{prices[1].assignments} assignments were added.")).to_be_visible()


def test_the_panel_fits_a_phone(phone_page: Page, axe: Callable[[Page], None]) -> None:
    study = opened(phone_page)
    panel = phone_page.locator("#estimates")
    slider = panel.get_by_role("slider")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None
    assert box["height"] >= 24
    slider.click(position={"x": box["width"] - 2, "y": box["height"] / 2})
    last = study.plans.get().result["designs"][-1]["per_question"]
    assert figures_of(panel)[0] == str(last)
    check_width(phone_page)
    axe(phone_page)


def test_all_numbers_are_listed_without_scripts(open_page: Callable[..., Page]) -> None:
    page = open_page(java_script_enabled=False)
    study = opened(page)
    panel = page.locator("#estimates")
    panel.get_by_text("All numbers").click()
    expect(panel.get_by_role("row")).to_have_count(1 + len(study.plans.get().result["designs"]))
    panel.get_by_role("slider").press("ArrowRight")
    panel.get_by_role("button", name="Use this number").click()
    study.refresh_from_db()
    assert study.judgements == 3
