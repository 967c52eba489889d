"""Access control for console pages, and the navigation on these pages."""

from __future__ import annotations

from collections.abc import Callable
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
from annotate.core.selectors.studies import study_for
from annotate.models import Study, User
from annotate.server.refusals import Refused

from .places import Link, Place, places_of

View = Callable[..., HttpResponseBase]


class ConsoleRequest(HttpRequest):
    """A request from a researcher who has signed in. Requests for a study's pages also have the attribute `console`."""

    user: User
    console: StudyConsole


def join_url(request: HttpRequest, study: Study) -> str:
    """Return the study's URL for joining."""
    return request.build_absolute_uri(reverse("annotator:join", args=[study.join_token]))


def join_text(request: HttpRequest, study: Study) -> str:
    """Return the sentence that tells researchers how annotators join the study."""
    if study.admission == Study.Admission.NAMED:
        if has_only_groups(study):
            return "Send each group its link on the page Groups."
        return "Send each annotator the personal link on the page Named annotators."
    if study.recruitment == Study.Recruitment.PROLIFIC:
        return "Participants join through the study on Prolific."
    if study.recruitment == Study.Recruitment.PANEL:
        return "Participants join through the study on the panel."
    return f"Anyone with this link can join: {join_url(request, study)}"


def has_only_groups(study: Study) -> bool:
    """Return whether a study for named annotators has group links, but no named annotators."""
    return study.groups.filter(revoked_at=None).exists() and not study.named_annotators.exclude(name="").exists()


class StudyConsole:
    """The navigation and permissions on a study's console pages. Pending work is counted only when a whole page is
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
    def names(self) -> dict[str, str]:
        """The names of named annotators by pseudonym, for roles that may see platform IDs. One query."""
        if not self.may[Action.SEE_PLATFORM_IDS]:
            return {}
        named = self.study.named_annotators.exclude(name="").filter(participation__isnull=False)
        return dict(named.values_list("participation__pseudonym", "name"))

    def belongs_to(self, page: str) -> None:
        """Mark the tab of this page (a path below the study) as current, for addresses that do not show the tab."""
        self._path = self.home + page

    @cached_property
    def places(self) -> list[Place]:
        """The places of the study, with the pending work in each. Several queries."""
        return places_of(self.study, self.may, self.home, self._path.removeprefix(self.home))

    @property
    def tabs(self) -> list[Link]:
        """The tabs of the current place."""
        return next((place.tabs for place in self.places if place.current), [])


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
