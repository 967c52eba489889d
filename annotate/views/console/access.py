"""Who may open a page of the console, and what is around it: the study's navigation and the reader's rights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.views.decorators.cache import never_cache

from annotate import extensions, tasktypes
from annotate.models import Job, Question, Study, User
from annotate.refusals import Refused
from annotate.selectors.sizes import items_imported, questions_of
from annotate.selectors.studies import MAY, study_for

View = Callable[..., HttpResponseBase]


class ConsoleRequest(HttpRequest):
    """A request of a researcher who has signed in; `console` is there on a study's pages."""

    user: User
    console: StudyConsole


@dataclass(frozen=True)
class Entry:
    """A line of the side navigation; `count` is shown where it is known."""

    label: str
    href: str
    current: bool
    count: int | None = None


def join_url(request: HttpRequest, study: Study) -> str:
    """The address that annotators come in by."""
    return request.build_absolute_uri(reverse("annotator:join", args=[study.join_token]))


class StudyConsole:
    """What the frame around a study's page shows. Counts are queried only when a whole page is drawn."""

    def __init__(self, study: Study, path: str) -> None:
        self.study = study
        self.home = f"{reverse('console:studies')}{study.public_id}/"
        self._path = path

    @cached_property
    def may(self) -> dict[str, bool]:
        """What the reader's role allows: `review`, `manage`, `own`."""
        return {deed: self.study.role in roles for deed, roles in MAY.items()}  # type: ignore[attr-defined]

    @cached_property
    def groups(self) -> list[list[Entry]]:
        """The side navigation, in groups."""
        study = self.study
        panels = tasktypes.get(study.task_type).console_panels()
        return [
            [
                self._entry("Overview", ""),
                self._entry("Items", "items/", items_imported(study)),
                self._entry("Design", "design/"),
            ],
            [
                self._entry(
                    "Annotators", "annotators/", study.participations.exclude(annotator__platform="try").count()
                ),
                self._entry("Questions", "questions/", questions_of(study, Question.Kind.REGULAR)),
                self._entry("Gold", "gold/", questions_of(study, Question.Kind.GOLD)),
                *[self._entry(panel.title, f"x/{panel.slug}/") for panel in panels],
            ],
            [
                self._entry("Results", "results/"),
                self._entry("Downloads", "downloads/"),
                *[self._entry(panel.title, f"x/{panel.slug}/") for panel in extensions.panels(study)],
                self._entry("Jobs", "jobs/", study.jobs.filter(state__in=_UNFINISHED).count() or None),
            ],
            [
                self._entry("Members", "members/"),
                self._entry("Settings", "settings/"),
                self._entry("History", "history/"),
            ],
        ]

    def _entry(self, label: str, place: str, count: int | None = None) -> Entry:
        href = self.home + place
        current = self._path.startswith(href) if place else self._path == href
        return Entry(label, href, current, count)


_UNFINISHED = (Job.State.WAITING, Job.State.RUNNING)


def console_page(view: View) -> View:
    """For researchers who have signed in; in English whatever the browser asks for, and never from a cache."""

    @wraps(view)
    @never_cache
    @login_required
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with translation.override("en"):
            request.LANGUAGE_CODE = "en"
            return view(request, *args, **kwargs)

    return guarded


def study_page(may: str = "look") -> Callable[[View], View]:
    """For members of the study in the path whose role allows `may`: look, review, manage or own.

    The view is called with the `Study` in place of its public id. Everybody else gets a 404, whatever the method: so
    this decorator stands outside of `require_POST`.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        @console_page
        def guarded(request: ConsoleRequest, study: str, **kwargs: Any) -> HttpResponseBase:
            found = study_for(request.user, study, may=may)
            request.console = StudyConsole(found, request.path)
            try:
                return view(request, found, **kwargs)
            except Refused as refusal:  # of a deed whose page has no place of its own to say it
                if request.method != "POST":
                    raise
                messages.error(request, refusal.message)
                return redirect(request.console.home)

        return guarded

    return decorate
