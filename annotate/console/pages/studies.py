"""The front page, the list of the user's studies with filters and progress, and the switch for e-mails about new to-do
entries.
"""

from __future__ import annotations

from datetime import timedelta
from math import ceil
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from annotate.console.selectors.own_studies import SORTS, numbers_by_state, rows_of
from annotate.console.services import recount_changed, set_todo_mail
from annotate.models import Study
from annotate.server import clock
from annotate.web.pages.access import ConsoleRequest, console_page, study_page

PAGE = 50


@console_page
def studies(request: ConsoleRequest) -> HttpResponse:
    state, search, sort = (request.GET.get(name, "") for name in ("state", "search", "sort"))
    state = state if state in Study.State.values else ""
    sort = sort if sort.removeprefix("-") in SORTS else ""
    recount_changed(request.user)
    numbers = numbers_by_state(request.user)
    rows = rows_of(request.user, state=state, search=search, sort=sort)
    filters = [("", "All", sum(numbers.values()))]
    filters += [(value, label, numbers[value]) for value, label in Study.State.choices if value in numbers]
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    counted_at = min(
        (row.todo_at for row in page if row.todo_at and row.study.state != Study.State.ARCHIVED), default=None
    )
    context = {
        "page": page,
        "count_age": ceil((clock.now() - counted_at) / timedelta(minutes=1)) if counted_at else None,
        "filters": filters,
        "any": bool(numbers),
        "state": state,
        "search": search,
        "sort": sort,
        "kept": urlencode({"state": state, "search": search}),
        "query": urlencode({"state": state, "search": search, "sort": sort}) + "&",
    }
    return render(request, "console/studies.html", context)


def home(request: HttpRequest) -> HttpResponse:
    """Show the front page, with one entry point for annotators and one for researchers."""
    return render(request, "annotator/home.html")


@study_page()
@require_POST
def todo_mail(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Turn the user's e-mails about new to-do list entries on or off."""
    wanted = "wanted" in request.POST
    set_todo_mail(study.pk, user=request.user, wanted=wanted)
    change = "turned on" if wanted else "turned off"
    messages.success(request, f"E-mails about new to-do entries are {change}.")
    return redirect("console:members", study.public_id)
