"""The page of submissions on Prolific in a real browser: both widths and themes, and a rejection by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotate.core.permissions import SYSTEM
from annotate.models import ProlificStudy
from annotate.prolific.services.bonuses import create_bonus_list
from annotate.prolific.services.imports import import_file, preview_import
from tests.browser.test_console_results import sign_in
from tests.chromium import check_width
from tests.console_study import page_of
from tests.prolific.test_prolific_submissions import export, make

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.nightly
def test_submissions_are_reviewed(
    page: Page, phone_page: Page, axe: Callable[[Page], None], tmp_path: Path, settings: Any
) -> None:
    settings.PROLIFIC_TOKEN, settings.PROLIFIC_STUDIES = "token", ["*"]
    study = make().study
    waiting = {"ann": "AWAITING REVIEW/C1A2B3", "cy": "AWAITING REVIEW/NOCODE", "dan": "AWAITING REVIEW/C1A2B3"}
    import_file(study.pk, export(**waiting, ben="TIMED-OUT", eve="ACTIVE"), "export.csv", user=SYSTEM)
    create_bonus_list(study.pk, user=SYSTEM)
    later = preview_import(study.pk, export(ann="APPROVED/C1A2B3", fay="ACTIVE"), "later.csv", user=SYSTEM)
    sign_in(page, study)
    page.goto(page_of(study, "submissions/"))
    page.get_by_role("button", name="Reject… submission scy").press("Enter")
    dialog = page.get_by_role("dialog", name="Reject submission scy?")
    dialog.get_by_label("Reason for Prolific").select_option("No data")
    dialog.get_by_label("Message to the participant").fill("The submission contains no answers to our questions. " * 3)
    dialog.get_by_role("button", name="Mark for rejection").press("Enter")
    expect(page.get_by_text("Submission scy is on the list of rejections.")).to_be_visible()
    sign_in(phone_page, study)
    for screen, width, scheme, place in (
        (page, 1280, "light", ""),
        (phone_page, 390, "dark", f"imports/{later.public_id}/"),
        (phone_page, 390, "dark", ""),
    ):
        screen.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        screen.goto(page_of(study, f"submissions/{place}"))
        check_width(screen)
        axe(screen)
        # The later screens show the actions for a study that is linked with a study on Prolific.
        ProlificStudy.objects.update_or_create(study=study, prolific_id="671b8ae84509b9a624b95e13")
        name = "preview" if place else "submissions"
        screen.screenshot(path=tmp_path / f"{name}-{width}-{scheme}.png", full_page=True)
