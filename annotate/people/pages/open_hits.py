"""The page that lists open HITs (/console/<study>/open-hits/), where reviewers can end leases."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.core.permissions import Action
from annotate.core.selectors import open_hits as selected
from annotate.core.services import open_hits as services
from annotate.models import Study
from annotate.server import clock
from annotate.server.refusals import Refused
from annotate.web.pages.access import ConsoleRequest, study_page

PAGE = 50


@study_page()
@require_safe
def open_hits(request: ConsoleRequest, study: Study) -> HttpResponse:
    page = Paginator(selected.open_hits(study), PAGE).get_page(request.GET.get("page"))
    return render(request, "console/open_hits.html", {"study": study, "page": page, "now": clock.now()})


@study_page(Action.END_LEASES)
@require_POST
def end_lease(request: ConsoleRequest, study: Study, assignment: str) -> HttpResponse:
    """End the lease on one open HIT."""
    try:
        opened = services.end_lease(study.pk, assignment, user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        slot = "Another annotator can now get the HIT." if opened else "A surplus assignment now counts instead."
        messages.success(request, f"The lease has ended. {slot}")
    return redirect("console:open-hits", study.public_id)
