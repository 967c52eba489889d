"""The list of the user's studies (/console/), with a search field, filters and the progress of each study."""

from __future__ import annotations

from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render

from annotate.models import Study
from annotate.selectors.own_studies import SORTS, numbers_by_state, rows_of

from .access import ConsoleRequest, console_page

PAGE = 50


@console_page
def studies(request: ConsoleRequest) -> HttpResponse:
    state, search, sort = (request.GET.get(name, "") for name in ("state", "search", "sort"))
    state = state if state in Study.State.values else ""
    sort = sort if sort.removeprefix("-") in SORTS else ""
    numbers = numbers_by_state(request.user)
    rows = rows_of(request.user, state=state, search=search, sort=sort)
    filters = [("", "All", sum(numbers.values()))]
    filters += [(value, label, numbers[value]) for value, label in Study.State.choices if value in numbers]
    context = {
        "page": Paginator(rows, PAGE).get_page(request.GET.get("page")),
        "filters": filters,
        "any": bool(numbers),
        "state": state,
        "search": search,
        "sort": sort,
        "kept": urlencode({"state": state, "search": search}),
        "query": urlencode({"state": state, "search": search, "sort": sort}) + "&",
    }
    return render(request, "console/studies.html", context)
