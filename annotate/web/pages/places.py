"""The navigation of a study: five places and the settings, each with its tabs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from annotate.core.permissions import Action
from annotate.core.selectors.remarks import unanswered_messages
from annotate.core.setting_steps import STEPS, TASK, SettingStep
from annotate.models import Assignment, Remark, Study
from annotate.tasktypes import extensions
from annotate.tasktypes.extensions import Tab

LABELS = {
    "overview": "Overview",
    "data": "Data",
    "people": "People",
    "review": "Review",
    "results": "Results",
    "settings": "Settings",
}


@dataclass(frozen=True)
class Link:
    """A link to a tab. `work` counts what waits for researchers there."""

    label: str
    href: str
    work: int
    current: bool


@dataclass(frozen=True)
class Place:
    """An entry of the side navigation, with its tabs. A place `is_empty` before it has anything to show."""

    label: str
    tabs: list[Link]
    is_empty: bool

    @property
    def current(self) -> bool:
        return any(tab.current for tab in self.tabs)

    @property
    def aria_current(self) -> str:
        """“page” on the first tab, to which the place leads, “true” on its other tabs, and otherwise empty."""
        return ("page" if self.tabs[0].current else "true") if self.current else ""

    @property
    def work(self) -> int:
        return sum(tab.work for tab in self.tabs)


def places_of(study: Study, may: Mapping[str, bool], home: str, path: str) -> list[Place]:
    """Return the places with the tabs that the actions `may` allow. `home` is the address of the study, and `path` the
    address of the current page below it. The tab with the longest address that begins `path` is current.
    """
    tabs = [tab for tab in _tabs(study) if may[tab.action]]
    begins = {start: tab for tab in tabs for start in tab.paths if path.startswith(start)}
    current = begins[max(begins, key=len)]
    labels = LABELS | {"overview": "Set up"} if study.is_draft else LABELS
    return [
        Place(
            label,
            [Link(tab.label, home + tab.paths[0], tab.work(study), tab is current) for tab in tabs if tab.place == key],
            is_empty=study.opened_at is None and key in ("review", "results"),
        )
        for key, label in labels.items()
    ]


def _tabs(study: Study) -> list[Tab]:
    """Return all tabs of the study in their order. Pages that add data belong to Items, all ways to reach annotators to
    Recruit, and the page of payments to Annotators as long as nobody has earned anything.
    """
    panels = [*extensions.task_panels(study), *extensions.panels(study)]
    paths = {panel: f"x/{panel.slug}/" for panel in panels}
    adding = [paths[panel] for panel in panels if panel.adds_data]
    below = {panel.slug: [paths[each] for each in panels if each.under == panel.slug] for panel in panels}
    recruiting = [way.path for way in extensions.ways()]
    pays = _pays(study)
    look = partial(Tab, action=Action.LOOK)
    return [
        look("overview", "Set up" if study.is_draft else "Overview", ("",)),
        look("data", "Items", ("items/", "bring/", "uploads/", *adding)),
        look("data", "Questions", ("design/", "questions/") if study.is_draft else ("questions/", "design/")),
        look("data", "Gold", ("gold/",)),
        look("people", "Annotators", ("annotators/", "open-hits/", *([] if pays else ["pay/"]))),
        look("people", "Recruit", ("recruit/", *recruiting)),
        look("people", "Messages", ("messages/",), work=_messages),
        *([look("people", "Pay", ("pay/",))] if pays else []),
        look("results", "Reports", ("results/",)),
        look("results", "Files", ("downloads/",)),
        *(look("settings", step.title, _settings(step)) for step in STEPS),
        *extensions.tabs(study),
        *(
            look(panel.place, panel.title, (paths[panel], *below[panel.slug]))
            for panel in panels
            if not panel.adds_data and not panel.under
        ),
        look("settings", "Members", ("members/",)),
        look("settings", "History", ("history/", "jobs/")),
        Tab("settings", "Copy and close", ("state/",), action=Action.COPY),
    ]


def _pays(study: Study) -> bool:
    """Return whether the study pays its annotators or has paid them before."""
    earned = Assignment.objects.filter(participation__study=study, credited=True, reward__gt=0)
    return study.reward > 0 or study.pay_entries.exists() or earned.exists()


def _messages(study: Study) -> int:
    """Return the number of messages without a reply. Reported problems wait in Review."""
    return unanswered_messages(study).exclude(kind=Remark.Kind.PROBLEM).count()


def _settings(step: SettingStep) -> tuple[str, ...]:
    return ("settings/",) if step.slug == TASK else (f"settings/{step.slug}/",)
