"""The list of the user's studies (/console/), with their progress."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from annotate.selectors.own_studies import rows_of

from .access import ConsoleRequest, console_page


@console_page
def studies(request: ConsoleRequest) -> HttpResponse:
    return render(request, "console/studies.html", {"rows": rows_of(request.user)})
