"""Pages about recruitment, which `script/screenshots` shows in the guides to Prolific, links, Turkle and layouts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from annotate.models import Study

WIDTH = 1280
CODES = {"completed": "C7K2M9QX", "no_consent": "N4T8R2WD", "screened_out": "S6V3H5JB", "failed_gold": "F9P2Y7LE"}
GROUPS = {"Course A": 30, "Course B": 25, "Friends of the lab": None}
# Each run serves the pages at another port.
EXAMPLE_LINKS = """() => {
    const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const node = texts.currentNode;
        node.data = node.data.replace(location.origin, "https://accord.example.org");
    }
}"""
LAYOUT = """\
<script src="https://assets.crowd.aws/crowd-html-elements.js"></script>
<crowd-form>
  <crowd-classifier name="topic" categories="['politics', 'science', 'sports']" header="What is the sentence about?">
    <classification-target><p>${text}</p></classification-target>
    <short-instructions>Choose the main topic.</short-instructions>
  </crowd-classifier>
  <crowd-checkbox name="certain">I am certain</crowd-checkbox>
  <crowd-input name="word" label="Most important word" required></crowd-input>
</crowd-form>
"""
BATCH = """\
text
The parliament votes on the new budget on Friday.
Researchers have found water below the surface of Mars.
The home team won the final after extra time.
The minister answered questions about the reform.
"""


def recruitment_pages(researcher: Page, page: Page, study: Study, folder: Path) -> Iterator[tuple[Page, str]]:
    """Open each page, and yield its window with the name of the picture. `study` is an open study that contains the
    answers of people who joined through its link.
    """
    from tests.rooms import rows

    yield from _links(researcher, study)
    for pictures in rows("PICTURES"):
        yield from pictures(page, study, folder)
    yield from _layout(researcher)
    yield from _prolific(researcher, page, study)


def _links(researcher: Page, study: Study) -> Iterator[tuple[Page, str]]:
    from annotate.core.permissions import SYSTEM
    from annotate.recruiting.services.groups import add_group

    for name, places in GROUPS.items():
        add_group(study.pk, name, places=places, user=SYSTEM)
    show(researcher, f"/console/{study.public_id}/groups/", height=640)
    researcher.evaluate(EXAMPLE_LINKS)
    yield researcher, "links-groups"


def _layout(researcher: Page) -> Iterator[tuple[Page, str]]:
    from annotate.models import Membership, User
    from tests.layout_study import layout_study

    texts = {
        "privacy_notice": "The answers are published without names.",
        "contact": "Mara Lindqvist, mara@example.org",
    }
    study = layout_study(LAYOUT, batch=BATCH, **texts)
    Membership.objects.create(study=study, user=User.objects.get(is_superuser=True), role=Membership.Role.OWNER)
    show(researcher, f"/console/{study.public_id}/x/layout/", height=920)
    researcher.frame_locator("iframe").get_by_label("Most important word").wait_for(state="visible")
    yield researcher, "layouts-preview"


def _prolific(researcher: Page, page: Page, study: Study) -> Iterator[tuple[Page, str]]:
    """Show the Prolific settings, and the page on which a participant returns to Prolific."""
    from annotate.core.permissions import SYSTEM
    from annotate.prolific.services.settings import change_prolific
    from annotate.prolific.services.submissions import Arrival, join_from_prolific
    from annotate.recruiting.services.groups import revoke_group
    from annotate.recruiting.services.join import accept_consent
    from annotate.studies.services.settings import change_settings
    from tests.annotating import enter
    from tests.factories import do_hit

    for group in study.groups.all():
        revoke_group(study.pk, group.public_id, user=SYSTEM)
    change_settings(study.pk, user=SYSTEM, recruitment="prolific")
    change_prolific(study.pk, user=SYSTEM, codes=CODES)
    show(researcher, f"/console/{study.public_id}/settings/prolific/", height=720)
    yield researcher, "prolific-settings"
    study.refresh_from_db()
    participation = join_from_prolific(study, Arrival("5f1a", "60ee", "61aa"))
    consent = study.consents.order_by("-version").first()
    accept_consent(participation.pk, consent.pk if consent else None, eligible=True)
    do_hit(participation)
    enter(page, participation, host="127.0.0.1")
    show(page, f"/s/{study.public_id}", height=440)
    yield page, "prolific-return"


def show(page: Page, address: str, *, height: int) -> None:
    page.set_viewport_size({"width": WIDTH, "height": height})
    page.goto(address)
