"""Access control for console pages, and the navigation on these pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.views.decorators.cache import never_cache

from annotate.core.permissions import Action, allows
from annotate.core.selectors.remarks import unanswered_messages
from annotate.core.selectors.sizes import items_imported, questions_of
from annotate.core.selectors.studies import study_for
from annotate.models import Job, Question, Study, User
from annotate.server.refusals import Refused
from annotate.tasktypes import extensions

View = Callable[..., HttpResponseBase]


class ConsoleRequest(HttpRequest):
    """A request from a researcher who has signed in. Requests for a study's pages also have the attribute `console`."""

    user: User
    console: StudyConsole


@dataclass(frozen=True)
class Entry:
    """An entry in the side navigation. `count` is shown unless it is None."""

    label: str
    href: str
    current: bool
    count: int | None = None


def join_url(request: HttpRequest, study: Study) -> str:
    """Return the study's URL for joining."""
    return request.build_absolute_uri(reverse("annotator:join", args=[study.join_token]))


def join_text(request: HttpRequest, study: Study) -> str:
    """Return the sentence that tells researchers how annotators join the study."""
    if study.admission == Study.Admission.NAMED:
        return "Send each annotator the personal link on the page Named annotators."
    return f"Anyone with this link can join: {join_url(request, study)}"


class StudyConsole:
    """The navigation and permissions on a study's console pages. The counts are queried only when a whole page is
    rendered.
    """

    def __init__(self, study: Study, path: str) -> None:
        self.study = study
        self.home = f"{reverse('console:studies')}{study.public_id}/"
        self._path = path

    @cached_property
    def may(self) -> dict[str, bool]:
        """The names of the actions that the user's role and the study's state allow."""
        return {action: allows(self.study.role, action, self.study.state) for action in Action}  # type: ignore[attr-defined]

    def require(self, action: str) -> None:
        """Raise `Http404` unless the user's role allows the action. The services also check whether the study's state
        allows the action.
        """
        if not allows(self.study.role, action):  # type: ignore[attr-defined]
            raise Http404(f"not allowed: {action}")

    @cached_property
    def groups(self) -> list[list[Entry]]:
        """A study's side navigation, divided into groups."""
        groups = self._groups()
        for place in extensions.places(self.study):
            if self.may[place.action]:
                self._insert(groups, place)
        return groups

    def _insert(self, groups: list[list[Entry]], place: extensions.Place) -> None:
        """Add an entry to the group of the entry that it follows."""
        for group in groups:
            paths = [entry.href.removeprefix(self.home) for entry in group]
            if place.after in paths:
                group.insert(paths.index(place.after) + 1, self._entry(place.title, place.path))

    def _groups(self) -> list[list[Entry]]:
        """The navigation without the entries of rooms that can be removed."""
        study = self.study
        panels = extensions.task_panels(study)
        return [
            [
                self._entry("Overview", ""),
                self._entry("Items", "items/", items_imported(study)),
                self._entry("Design", "design/"),
            ],
            [
                self._entry("Annotators", "annotators/", study.participations.annotators().count()),
                *([self._entry("Named annotators", "named/")] if self._names_annotators else []),
                *([self._entry("Group links", "groups/")] if self._has_groups else []),
                *([self._entry("Lists of people", "people-lists/")] if self.may[Action.NAME_ANNOTATORS] else []),
                *([self._entry("Waiting list", "waiting/", self._waiting)] if self._has_waiting_list else []),
                *([self._entry("Screening", "questionnaires/screening/")] if self.may[Action.CHANGE_SETTINGS] else []),
                *([self._entry("Survey", "questionnaires/survey/")] if self.may[Action.CHANGE_SETTINGS] else []),
                self._entry("Messages", "messages/", unanswered_messages(study).count() or None),
                self._entry("Pay", "pay/"),
                *([self._entry("Prolific submissions", "submissions/")] if self._has_submissions else []),
            ],
            [
                self._entry("Questions", "questions/", questions_of(study, Question.Kind.REGULAR)),
                *([self._entry("Adjudication", "adjudicate/")] if self.may[Action.DECIDE] else []),
                self._entry("Gold questions", "gold/", questions_of(study, Question.Kind.GOLD)),
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

    @property
    def _names_annotators(self) -> bool:
        return self.study.admission == Study.Admission.NAMED and self.may[Action.NAME_ANNOTATORS]

    @property
    def _has_groups(self) -> bool:
        return self.study.recruitment != Study.Recruitment.PROLIFIC and self.may[Action.NAME_ANNOTATORS]

    @property
    def _has_submissions(self) -> bool:
        return self.study.recruitment == Study.Recruitment.PROLIFIC and self.may[Action.SEE_PLATFORM_IDS]

    @property
    def _has_waiting_list(self) -> bool:
        return self.study.waiting_list and self.may[Action.NAME_ANNOTATORS]

    @property
    def _waiting(self) -> int | None:
        return self.study.waiting.count() or None

    def _entry(self, label: str, place: str, count: int | None = None) -> Entry:
        href = self.home + place
        current = self._path.startswith(href) if place else self._path == href
        return Entry(label, href, current, count)


_UNFINISHED = (Job.State.WAITING, Job.State.RUNNING)


def console_page(view: View) -> View:
    """Restrict a page to researchers who have signed in. All console pages are in English and are never cached."""

    @wraps(view)
    @never_cache
    @login_required
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with translation.override("en"):
            request.LANGUAGE_CODE = "en"
            return view(request, *args, **kwargs)

    return guarded


def study_page(may: Action = Action.LOOK, *, back: str = "") -> Callable[[View], View]:
    """Restrict a page to members whose role allows the action `may` (see annotate/core/permissions.py).

    The view receives the `Study` instead of its public ID. Anyone else gets status 404 for every method, so this
    decorator must come before `require_POST`. If the view refuses a POST request, the page at `back` shows the message.
    `back` is a path below the study, which can contain parts of this page's path, such as `annotators/{pseudonym}/`.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        @console_page
        def guarded(request: ConsoleRequest, study: str, **kwargs: Any) -> HttpResponseBase:
            permitted_study = study_for(request.user, study, may=may)
            request.console = StudyConsole(permitted_study, request.path)
            try:
                return view(request, permitted_study, **kwargs)
            except Refused as refusal:  # the view has no place of its own for this message
                if request.method != "POST":
                    raise
                messages.error(request, refusal.message)
                return redirect(request.console.home + back.format(**kwargs))

        guarded.action, guarded.back = may, back  # type: ignore[attr-defined]
        return guarded

    return decorate
