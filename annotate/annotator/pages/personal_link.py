"""The page that a named annotator's personal link opens."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotate.annotator.pages.screening import screening_page, screening_result
from annotate.core.selectors.participations import current_consent
from annotate.core.services.credentials import read_personal_link, reserve_participation, reserved_participation
from annotate.core.services.limits import too_late
from annotate.models import NamedAnnotator
from annotate.recruiting.services.named import join_by_link
from annotate.server.languages import show_in
from annotate.server.refusals import Refused
from annotate.web.pages.remembered import for_annotators, remember, remembered

from .work import facts_about, take_part


@for_annotators
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def personal(request: HttpRequest, token: str) -> HttpResponse:
    """Let a named annotator join the study, or continue on this device. Only a POST request changes data, so link
    previews have no effect.
    """
    people = NamedAnnotator.objects.select_related("study", "participation").exclude(name="")
    named = get_object_or_404(people, public_id=read_personal_link(token))
    study, participation = named.study, named.participation
    show_in(study.language)
    hub = redirect("annotator:hub", study.public_id)
    if participation:
        if request.method == "POST" or remembered(request, study) == participation:
            return remember(request, hub, participation)
        return render(request, "annotate/personal.html", {"study": study, "participation": participation})
    if study.is_open and (page := screening_page(request, study, named.public_id)):
        return page
    refusal = None
    if request.method == "POST":
        try:
            reserved = reserved_participation(study, request.POST.get("reservation", ""))
            result = screening_result(request, study, named.public_id)
            return take_part(request, study, lambda: join_by_link(named.pk, public_id=reserved, screening=result))
        except Refused as refused:
            refusal = refused
    late = too_late(study) if study.is_open else None
    context = facts_about(study) | {
        "consent": current_consent(study),
        "too_late": late,
        "reservation": reserve_participation(study),
        "may_join": study.is_open and not late,
        "refusal": refusal,
    }
    return render(request, "annotate/join.html", context, status=refusal.status if refusal else 200)
