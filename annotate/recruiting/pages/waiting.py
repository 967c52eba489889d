"""The page that shows a study's waiting list."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.core.permissions import Action
from annotate.core.selectors.limits import free_places
from annotate.core.selectors.waiting import waiting_rows
from annotate.core.setting_steps import setting_place
from annotate.models import Study
from annotate.recruiting.services.waiting import remove_waiting
from annotate.server.refusals import Refused
from annotate.web.pages.access import ConsoleRequest, study_page

PAGE = 100


@study_page(Action.NAME_ANNOTATORS)
@require_safe
def waiting_list(request: ConsoleRequest, study: Study) -> HttpResponse:
    free = free_places(study)
    rows = waiting_rows(study, free or 0)
    context = {
        "study": study,
        "number": len(rows),
        "free": free,
        "page": Paginator(rows, PAGE).get_page(request.GET.get("page")),
        "query": "",
        "place": request.console.home + setting_place("waiting_list"),
    }
    return render(request, "console/waiting.html", context)


@study_page(Action.NAME_ANNOTATORS)
@require_POST
def remove(request: ConsoleRequest, study: Study, person: str) -> HttpResponse:
    try:
        remove_waiting(study.pk, person, user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, "The person was removed from the waiting list.")
    return redirect("console:waiting", study.public_id)
