"""The pages on which annotators view and download their payments."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotate.pay.selectors.own_pay import receipt, receipt_csv
from annotate.web.pages.remembered import for_annotators, participation_or_404


@for_annotators
@never_cache
@require_safe
def pay(request: HttpRequest, study_id: str) -> HttpResponse:
    """Show all of the annotator's submitted, paid and returned sets, and the total amount owed."""
    participation = participation_or_404(request, study_id)
    context = {"study": participation.study, "participation": participation, "receipt": receipt(participation)}
    return render(request, "annotate/pay.html", context)


@for_annotators
@never_cache
@require_safe
def pay_file(request: HttpRequest, study_id: str) -> HttpResponse:
    """Return the list of sets as a CSV file."""
    participation = participation_or_404(request, study_id)
    return HttpResponse(
        "".join(receipt_csv(participation)),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{participation.pseudonym}-pay.csv"'},
    )
