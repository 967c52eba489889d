"""The search that opens with Ctrl K on every console page. It finds pages, settings, annotators and items of a study,
guides, and the researcher's studies.

The results contain only what the researcher can also reach in other ways: the pages in the navigation, and names that
all members see. Neither platform IDs nor the names of people are searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import Truncator
from django.views.decorators.http import require_safe

from annotate import tasktypes
from annotate.accounts.sso.local_accounts import LOCAL_PAGES
from annotate.console.selectors.own_studies import matching_studies
from annotate.core.selectors.studies import studies_of
from annotate.core.setting_steps import STEPS, TASK, SettingStep, setting_place, step_of
from annotate.data.selectors.design import item_rows, items_of
from annotate.help.search import search
from annotate.models import Study, User
from annotate.studies.forms.study import StudyForm
from annotate.studies.pages import states
from annotate.tasktypes import extensions
from annotate.web.pages.access import ConsoleRequest, StudyConsole, console_page, study_page

MOST = 8  # results of a kind
FEWEST = 2  # letters. A shorter text finds only pages and settings, because it is in almost every item
LONGEST = 200
ALL_SETTINGS = SettingStep(TASK, "Settings", tuple(group for step in STEPS for group in step.groups))
# The pages outside studies, by the names of their URLs.
OUTSIDE = {
    "Studies": "console:studies",
    "Create a study": "console:new",
    "Pay in all studies": "console:all-pay",
    "API tokens": "console:tokens",
    "API reference": "api:docs",
    "E-mail address": "account_email",
    "Password": "account_change_password",
    "Two-factor authentication": "mfa_index",
    "Help": "help:guides",
}


@dataclass(frozen=True)
class Hit:
    """A result: a name, a place or a description in small print, and its address."""

    name: str
    detail: str
    href: str


@console_page
@require_safe
def find(request: ConsoleRequest) -> HttpResponse:
    """Return the search results outside studies for the text in the parameter `q`."""
    text = _text(request)
    return _results(request, text, {"Pages": _matching(_outside(), text), **_everywhere(request.user, text)})


@study_page()
@require_safe
def find_in_study(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Return the results of a study for the text in the parameter `q`. Without a text, return its first pages."""
    text = _text(request)
    kinds = {"Pages": _matching([*_pages(request.console), *_outside()], text)}
    if text:
        kinds["Settings"] = _matching(_settings(study, request.console.home), text)
    if len(text) >= FEWEST:
        kinds["Annotators"] = _annotators(study, text, request.console.names)
        kinds["Items"] = _items(study, text, request.console.home)
    return _results(request, text, kinds | _everywhere(request.user, text))


def _text(request: ConsoleRequest) -> str:
    return request.GET.get("q", "").strip()[:LONGEST]


def _results(request: ConsoleRequest, text: str, kinds: Mapping[str, list[Hit]]) -> HttpResponse:
    """Return the first results of each kind, and name the kinds that have more."""
    context = {
        "text": text,
        "kinds": [(title, hits[:MOST]) for title, hits in kinds.items() if hits],
        "longer": [title.lower() for title, hits in kinds.items() if len(hits) > MOST],
        "most": MOST,
    }
    return render(request, "web/found.html", context)


def _matching(hits: Iterable[Hit], text: str) -> list[Hit]:
    """Return the results that contain all words. Those whose names begin with the text come first."""
    text = text.casefold()
    contain = [hit for hit in hits if all(word in f"{hit.name} {hit.detail}".casefold() for word in text.split())]
    return sorted(contain, key=lambda hit: (not hit.name.casefold().startswith(text), text not in hit.name.casefold()))


def _outside() -> list[Hit]:
    absent = LOCAL_PAGES if settings.SSO_ONLY else ()
    return [Hit(name, "", reverse(url)) for name, url in OUTSIDE.items() if url not in absent]


def _pages(console: StudyConsole) -> list[Hit]:
    """Return the tabs with the names of their places, then the pages to which *Recruit* and other tabs lead, and the
    actions on the whole study.
    """
    study, home = console.study, console.home
    tabs = [Hit(tab.label, place.label, tab.href) for place in console.places for tab in place.tabs]
    ways = [way for way in extensions.ways() if console.may[way.action] and way.offered(study)]
    further = [page for page in extensions.further(study) if console.may[page.action]]
    inner = [panel for panel in extensions.task_panels(study) if panel.adds_data or panel.under]
    return [
        *tabs,
        *(Hit(page.label, page.place.capitalize(), home + page.paths[0]) for page in further),
        *(Hit(way.title, "Recruit", home + way.path) for way in ways),
        *(Hit(deed, "Copy and close", f"{home}state/") for deed in states.deeds(console)),
        *(Hit(panel.title, panel.under.capitalize() or "Items", f"{home}x/{panel.slug}/") for panel in inner),
    ]


def _settings(study: Study, home: str) -> list[Hit]:
    """Return the settings with the titles of their pages."""
    form = StudyForm(task=tasktypes.get(study.task_type), study=study, step=ALL_SETTINGS)
    return [
        Hit(str(field.label), f"{step_of(field.name).title} settings", home + setting_place(field.name))
        for field in form.visible_fields()
    ]


def _annotators(study: Study, text: str, names: Mapping[str, str]) -> list[Hit]:
    """Return annotators by pseudonym, and those by name of whom the role may see the `names`."""
    named = [pseudonym for pseudonym, name in names.items() if text.casefold() in name.casefold()]
    matching = Q(pseudonym__icontains=text) | Q(pseudonym__in=named)
    found = study.participations.annotators().filter(matching).order_by("pseudonym")[: MOST + 1]
    return [
        Hit(
            names.get(each.pseudonym, each.pseudonym),
            each.get_standing_display(),
            reverse("console:annotator", args=[study.public_id, each.pseudonym]),
        )
        for each in found
    ]


def _items(study: Study, text: str, home: str) -> list[Hit]:
    rows = item_rows(study, items_of(study, text)[: MOST + 1])
    return [Hit(row.item.key, _excerpt(row.parts), f"{home}items/?{urlencode({'q': row.item.key})}") for row in rows]


def _excerpt(parts: Mapping[str, Any]) -> str:
    return Truncator(" · ".join(part for part in parts.values() if isinstance(part, str))).chars(80)


def _everywhere(user: User, text: str) -> dict[str, list[Hit]]:
    """Return the matching sections of guides and the user's matching studies."""
    if len(text) < FEWEST:
        return {}
    sections = search(text)[: MOST + 1]
    return {
        "Guides": [
            Hit(
                hit.section.title,
                hit.guide.title if hit.guide.title != hit.section.title else "",
                f"{reverse('help:guide', args=[hit.guide.slug])}#{hit.section.anchor}",
            )
            for hit in sections
        ],
        "Studies": [
            Hit(study.title, study.get_state_display(), reverse("console:overview", args=[study.public_id]))
            for study in matching_studies(studies_of(user), search=text)[: MOST + 1]
        ],
    }
