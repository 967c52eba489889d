"""The pages about payments, corrections and one annotator's pay (/console/<study>/pay/…)."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.core.permissions import Action
from annotate.models import Study
from annotate.pay.forms.pay import AmountForm
from annotate.pay.selectors import pay as selected
from annotate.pay.services.pay import correct_entry, undo_payment
from annotate.server.refusals import Refused
from annotate.templatetags.figures import money
from annotate.web.pages.access import ConsoleRequest, study_page

PAGE = 25


@study_page()
@require_safe
def payments(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show all payments, newest first."""
    page = Paginator(selected.payments_of(study), PAGE).get_page(request.GET.get("page"))
    return render(request, "console/pay/payments.html", {"study": study, "page": page, "payments": page})


@study_page()
@require_safe
def payment(request: ConsoleRequest, study: Study, number: int) -> HttpResponse:
    """Show a payment with each annotator's share and the corrections."""
    shown = get_object_or_404(selected.payments_of(study), number=number)
    page = Paginator(selected.entries_of(shown.entries.all()), PAGE).get_page(request.GET.get("page"))
    context = {"study": study, "payment": shown, "page": page, "entries": page}
    return render(request, "console/pay/payment.html", context)


@study_page(Action.PAY)
@require_POST
def undo(request: ConsoleRequest, study: Study, number: int) -> HttpResponse:
    """Correct a payment to 0, so its annotators are owed the money again."""
    try:
        undo_payment(study.pk, number, reason=request.POST.get("reason", ""), user=request.user)
    except Refused as refusal:
        messages.error(request, f"Payment {number} was not undone. {refusal.message}")
    else:
        messages.success(
            request, f"Payment {number} is undone. The annotators in this payment are owed the money again."
        )
    known = study.payments.filter(number=number).exists()
    return redirect("console:payment", study.public_id, number) if known else redirect("console:pay", study.public_id)


@study_page()
@require_safe
def annotator(request: ConsoleRequest, study: Study, pseudonym: str) -> HttpResponse:
    """Show an annotator's balance, bonuses and payments."""
    people = study.participations.people()
    participation = get_object_or_404(people, pseudonym=pseudonym)
    context = {
        "study": study,
        "participation": participation,
        "balance": selected.balances(study, [participation.pk])[participation.pk],
        "entries": selected.entries_of(participation.pay_entries.all()),
    }
    return render(request, "console/pay/annotator.html", context)


@study_page(Action.PAY)
@require_POST
def correct(request: ConsoleRequest, study: Study, entry: str) -> HttpResponse:
    """Correct a bonus or an annotator's share of a payment, and return to the annotator's pay page."""
    form = AmountForm(request.POST)
    try:
        form.refuse_errors()
        corrected = correct_entry(study.pk, entry, user=request.user, **form.cleaned_data)
    except Refused as refusal:
        messages.error(request, f"Nothing was corrected. {refusal.message}")
    else:
        amount = money(form.cleaned_data["amount"], study.currency)
        messages.success(request, f"The {corrected.kind} of {corrected.participation.pseudonym} is now {amount}.")
    known = study.pay_entries.filter(public_id=entry).select_related("participation").first()
    if known is None:
        return redirect("console:pay", study.public_id)
    return redirect("console:pay-annotator", study.public_id, known.participation.pseudonym)
