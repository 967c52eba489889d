"""The page that shows the pay in each of the user's studies (/console/pay/)."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.core.selectors.studies import studies_of
from annotate.pay.selectors.pay_by_study import pay_by_study, sums_by_currency
from annotate.web.pages.access import ConsoleRequest, console_page


@console_page
@require_safe
def all_pay(request: ConsoleRequest) -> HttpResponse:
    rows = pay_by_study(list(studies_of(request.user)))
    context = {"rows": rows, "currencies": sums_by_currency(rows).items()}
    return render(request, "console/pay/by_study.html", context)
