"""The Pay page in a real browser: two widths and both themes, and a payment, a bonus and a correction by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotate.core.permissions import SYSTEM
from annotate.core.services.standing import stop
from annotate.models import Annotator, Assignment, Study
from annotate.pay.selectors.balances import pay_rows
from annotate.pay.services import give_bonus
from tests.browser.test_console_results import sign_in
from tests.chromium import check_width
from tests.console_study import collected, page_of

pytestmark = pytest.mark.django_db(transaction=True)


def paid_study() -> Study:
    """Return a study with platform IDs, a stopped annotator, a bonus, a budget cap, and a wage below the minimum."""
    study = collected(items=16, annotators=4, minimum_hourly_wage="15.00", budget_cap="20.00")
    Assignment.objects.filter(study=study).update(seconds=144)
    people = list(study.participations.order_by("pseudonym"))
    for number, who in enumerate(people[:3]):
        platform = {"platform": "prolific", "external_id": f"61c0a8e91d27c40b6a1e7be{number}"}
        Annotator.objects.filter(pk=who.annotator_id).update(**platform)
    stop(people[1].pk, reason="haste", user=SYSTEM)
    give_bonus(study.pk, people[0].pseudonym, amount=Decimal("1.50"), reason="Careful notes.", user=SYSTEM)
    return study


@pytest.mark.nightly
def test_annotators_are_paid(page: Page, phone_page: Page, axe: Callable[[Page], None], tmp_path: Path) -> None:
    study = paid_study()
    first, *_, last = pay_rows(study)
    sign_in(page, study)
    page.goto(page_of(study, "pay/"))
    expect(page.get_by_label("Payment reference").first).to_be_hidden()
    page.get_by_label(f"Select {first.pseudonym}").press("Space")
    page.get_by_label(f"Select {last.pseudonym}").press("Space")
    total = first.owed + last.owed
    expect(page.get_by_text(f"2 annotators selected: ${total:.2f}", exact=True)).to_be_visible()
    page.locator("#pay-form").get_by_label("Payment reference").fill("Transfer 7")
    page.get_by_role("button", name="Record the payment").press("Enter")
    expect(page.get_by_text(f"Payment 1 was recorded: ${total:.2f} to 2 annotators.")).to_be_visible()
    expect(page.get_by_label(f"Select {first.pseudonym}")).to_be_disabled()

    page.get_by_role("button", name=f"Give a bonus to {last.pseudonym}").press("Enter")
    dialog = page.get_by_role("dialog", name=f"Give a bonus to {last.pseudonym}")
    axe(page)
    dialog.get_by_label("Amount in USD").fill("2.00")
    dialog.get_by_label("Reason").fill("Detailed comments.")
    dialog.get_by_role("button", name="Give the bonus").press("Enter")
    expect(page.get_by_text(f"{last.pseudonym} is owed a bonus of $2.00.")).to_be_visible()
    page.get_by_role("button", name=f"Correct the bonus to {last.pseudonym}").press("Enter")
    dialog = page.get_by_role("dialog", name=f"Correct this entry: bonus to {last.pseudonym}")
    dialog.get_by_label("Correct amount in USD").fill("1.00")
    dialog.get_by_label("Reason").fill("Agreed amount.")
    dialog.get_by_role("button", name="Correct", exact=True).press("Enter")
    expect(page.get_by_text(f"The bonus of {last.pseudonym} is now $1.00.")).to_be_visible()

    places = ["pay/", "pay/payments/1/", f"pay/annotators/{last.pseudonym}/", "pay/payments/", ""]
    sign_in(phone_page, study)
    for screen, width in ((page, 1280), (phone_page, 390)):
        for scheme in ("light", "dark"):
            screen.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            for place in places:
                screen.goto(page_of(study, place))
                check_width(screen)
                cut = "(all) => all.filter((e) => e.getBoundingClientRect().right > innerWidth).map((e) => e.outerHTML)"
                assert screen.locator(".selbar *, .pays .state").evaluate_all(cut) == [], width
                axe(screen)
                name = place.strip("/").replace("/", "-").replace(last.pseudonym, "annotator") or "overview"
                screen.screenshot(path=tmp_path / f"{name}-{width}-{scheme}.png", full_page=True)
    phone_page.goto(page_of(study, "pay/"))
    phone_page.get_by_role("button", name="Record a payment to all 3").click()
    confirmation = phone_page.get_by_role("dialog", name="to 3 annotators?")
    confirmation.get_by_role("button", name="Record the payment").click()
    expect(confirmation.get_by_label("Payment reference")).to_be_focused()  # the browser asks for the missing reference
    confirmation.get_by_label("Payment reference").fill("Transfer 8")
    confirmation.get_by_role("button", name="Record the payment").click()
    expect(phone_page.get_by_text("to 3 annotators.")).to_be_visible()
    assert {row.state for row in pay_rows(study)} == {"paid"}
