"""The page for a person on the waiting list, to which the person can return."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotate.core.selectors.limits import free_places, in_time_zone
from annotate.core.selectors.waiting import waiting_rows
from annotate.core.services.credentials import WAITING_LINKS
from annotate.core.services.limits import too_late
from annotate.models import Study, WaitingPerson
from annotate.recruiting.services.waiting import start_waiting, stop_waiting
from annotate.server.languages import show_in
from annotate.server.refusals import Refused
from annotate.web.pages.flood import limit_joining
from annotate.web.pages.remembered import for_annotators

PLACE = "place"  # the parameter of the join page that contains the token of a waiting person


@for_annotators
@never_cache
@require_POST
def wait(request: HttpRequest, token: str) -> HttpResponse:
    """Add a person to the waiting list of a full study, and open the person's page."""
    study = get_object_or_404(Study, join_token=token)
    show_in(study.language)
    email = request.POST.get("email", "")
    try:
        limit_joining(request, study)
        if study.is_open and not too_late(study):  # a place became free after the person opened the join page
            return redirect("annotator:join", study.join_token)
        person = start_waiting(study.pk, email=email)
    except Refused as refusal:
        context = {"study": study, "refusal": refusal, "email": email, "can_mail": bool(settings.EMAIL_HOST)}
        return render(request, "annotator/waiting_refused.html", context, status=refusal.status)
    return redirect(WAITING_LINKS.path(person.public_id))


@for_annotators
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def waiting(request: HttpRequest, token: str) -> HttpResponse:
    """Show a waiting person's position, or a link to the free place. On a POST request, remove the person from the
    list.
    """
    public_id = WAITING_LINKS.read(token)
    people = WaitingPerson.objects.select_related("study")
    person = get_object_or_404(people, public_id=public_id)
    study = person.study
    show_in(study.language)
    if request.method == "POST":
        stop_waiting(public_id)
        return redirect("annotator:join", study.join_token)
    row = next((row for row in waiting_rows(study, free_places(study) or 0) if row.person == person), None)
    context = {
        "study": study,
        "row": row,
        "until": in_time_zone(study, row.offer_ends_at) if row else "",
        "link": request.build_absolute_uri(WAITING_LINKS.path(public_id)),
        "join": f"{reverse('annotator:join', args=[study.join_token])}?{PLACE}={WAITING_LINKS.token(public_id)}",
    }
    return render(request, "annotator/waiting.html", context)


def place_of(request: HttpRequest) -> str:
    """Return the waiting person's public ID from the URL of the join page, or an empty string."""
    return WAITING_LINKS.read(request.GET.get(PLACE, ""))
