"""The pages on which annotators join a study, work, or continue on another device. The work page saves answers through
the API.
"""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate import tasktypes
from annotate.core.selectors.assignments import present
from annotate.core.selectors.own_gold import own_counts
from annotate.core.selectors.participations import credited
from annotate.core.selectors.put_aside import put_aside_left
from annotate.core.services.claim import claim
from annotate.core.services.credentials import participation_token
from annotate.models import Assignment, Participation
from annotate.recruiting.pages.survey import asks_first
from annotate.server.refusals import Refused
from annotate.web.pages.remembered import (
    assignment_or_404,
    for_annotators,
    forget,
    participation_or_404,
    remember,
)

from .codes import resume_url

ENDED = (Assignment.State.DONE, Assignment.State.SURPLUS, Assignment.State.VOID)


@for_annotators
@require_POST
def start(request: HttpRequest, study_id: str) -> HttpResponse:
    """Claim an assignment and open its page."""
    return next_page(participation_or_404(request, study_id))


def next_page(participation: Participation) -> HttpResponse:
    """Claim an assignment, and return the redirect to its page. If no assignment is available, return the redirect to
    the overview page, which states the reason.
    """
    study_id = participation.study.public_id
    if asks_first(participation):
        return redirect("annotator:survey", study_id)
    try:
        claimed = claim(participation.pk)
    except Refused:  # the consent text has changed, and the overview links to it
        return redirect("annotator:hub", study_id)
    if claimed.assignment is None:
        return redirect("annotator:hub", study_id)
    return redirect("annotator:work", claimed.assignment.public_id)


@for_annotators
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def not_me(request: HttpRequest, study_id: str) -> HttpResponse:
    """Let the next person on a shared device start as a new annotator. The previous annotator can continue only with a
    resume code.
    """
    participation = participation_or_404(request, study_id)
    study = participation.study
    if request.method == "POST":
        return forget(request, redirect("annotator:join", study.join_token), participation)
    context = {"study": study, "participation": participation}
    return render(request, "annotator/not_me.html", context)


@for_annotators
@never_cache
@require_safe
def work(request: HttpRequest, assignment_id: str) -> HttpResponse:
    """Show the page where the annotator answers questions."""
    assignment = assignment_or_404(request, assignment_id)
    study = assignment.study
    unread = assignment.answers.filter(tally__isnull=False, acknowledged_at=None)
    if assignment.state in ENDED and not unread.exists():
        return redirect("annotator:hub", study.public_id)
    context = {
        "study": study,
        "participation": assignment.participation,
        "assignment": present(assignment),
        "token": participation_token(assignment.participation),
        "api": reverse("api:docs"),
        "hub": reverse("annotator:hub", args=[study.public_id]),
        "work": reverse("annotator:work", args=["ASSIGNMENT"]),
        "changes": reverse("annotator:guidelines", args=[study.public_id]),
        "earned": credited(assignment.participation),
        "gold": own_counts(assignment.participation),
        "put_aside_left": put_aside_left(assignment.participation),
        "owner": f"{study.public_id}:{assignment.participation.pseudonym}",
        "resume_url": resume_url(request),
        "task_styles": tasktypes.styles_of(study.task_type),
        "task_strings": f"{study.task_type}/strings.html",
        "task_keys": f"{study.task_type}/keys.html",
        "task_gestures": [f"{study.task_type}/gestures.html", "annotator/gestures.html"],
    }
    return remember(request, render(request, "annotator/work.html", context), assignment.participation)


@never_cache
@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker. The URL of the service worker limits its scope to the work pages."""
    return HttpResponse(_worker_source(), content_type="text/javascript; charset=utf-8")


@cache
def _worker_source() -> str:
    return (settings.SHARED_DIR / "static" / "js" / "annotate" / "worker.js").read_text(encoding="utf-8")
