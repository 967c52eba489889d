"""The page of a HIT on a host, which `script/screenshots` shows in the guide to Turkle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from accord_core.exchange.mturk import fill
from annotate.models import Study
from annotate.mturk.batch import batch_rows, template
from annotate.questions.selectors.data import study_data
from tests.mturk.hosts import TURKLE
from tests.recruitment_pages import show

if TYPE_CHECKING:
    from playwright.sync_api import Page


def pictures(page: Page, study: Study, folder: Path) -> Iterator[tuple[Page, str]]:
    """Show a HIT as its host sends it to workers, with the name of the picture."""
    data = study_data(study)
    file = folder / "hit.html"
    hit = fill(template(data), next(iter(batch_rows(data))))
    file.write_text(TURKLE.replace("PAGE", hit), encoding="utf-8")
    show(page, f"{file.as_uri()}?assignmentId=1&hitId=1&workerId=1", height=600)
    page.locator("#task").wait_for(state="visible")
    for key in ("i", "4", "Shift+Digit3"):  # the first key folds the instructions
        page.keyboard.press(key)
    yield page, "turkle-hit"
