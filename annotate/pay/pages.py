"""Pages about pay: the *Pay* page of a study, its payments and corrections, the pay in all studies, and what an
annotator sees of it.
"""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotate.core.permissions import Action
from annotate.core.selectors.spend import actual_wage, spend_of
from annotate.core.selectors.studies import studies_of
from annotate.models import Study
from annotate.pay.forms import PaymentForm, read_amount, read_dues, written
from annotate.pay.selectors import balances as selected
from annotate.pay.selectors.by_study import pay_by_study, sums_by_currency
from annotate.pay.selectors.files import FILES, TYPES, write_payments
from annotate.pay.selectors.own import receipt, receipt_csv
from annotate.pay.services import MOST_AT_ONCE, Due, correct_entry, give_bonus, record_payment, undo_payment
from annotate.pay.shapes import pay_csv
from annotate.server import clock
from annotate.server.refusals import Refused
from annotate.templatetags.figures import money, with_noun
from annotate.web.attachments import CSV_TYPE, attachment
from annotate.web.pages.access import ConsoleRequest, console_page, study_page
from annotate.web.pages.remembered import for_annotators, participation_or_404


@for_annotators
@never_cache
@require_safe
def own_pay(request: HttpRequest, study_id: str) -> HttpResponse:
    """Show all of the annotator's submitted, paid and returned sets, and the total amount owed."""
    participation = participation_or_404(request, study_id)
    context = {"study": participation.study, "participation": participation, "receipt": receipt(participation)}
    return render(request, "annotator/pay.html", context)


@for_annotators
@never_cache
@require_safe
def own_pay_file(request: HttpRequest, study_id: str) -> HttpResponse:
    """Return the list of sets as a CSV file."""
    participation = participation_or_404(request, study_id)
    return HttpResponse(
        "".join(receipt_csv(participation)),
        content_type=CSV_TYPE,
        headers={"Content-Disposition": f'attachment; filename="{participation.pseudonym}-pay.csv"'},
    )


BALANCES_PAGE = 25
LATEST = 5  # payments on the page
ALL_ID = "id_all_%s"  # fields of the form for all annotators, beside the form for the selected ones


@study_page()
@require_safe
def pay(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the latest payments, and each annotator's pay."""
    return _page(request, study)


@study_page()
@require_safe
def pay_file(request: ConsoleRequest, study: Study) -> StreamingHttpResponse:
    """Return all rows as a CSV file. The file contains platform IDs only for roles that may see them."""
    rows = selected.pay_rows(study, with_platform_ids=request.console.may[Action.SEE_PLATFORM_IDS])
    return attachment(pay_csv(rows), "pay.csv")


@study_page(Action.PAY)
@require_POST
def record(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Record a payment to the selected annotators, or to all annotators who are owed money.

    The form contains the amounts that the researcher has seen, so payments for work that is submitted in the meantime
    are still owed.
    """
    all_ = request.POST.get("who") == "all"
    form = PaymentForm(request.POST, auto_id=ALL_ID if all_ else "id_%s")
    values = request.POST.get("all", "").split(";") if all_ else request.POST.getlist("due")
    if not form.is_valid():
        return _page(request, study, form, ticked=[] if all_ else values, status=422)
    try:
        dues = read_dues(value.strip() for value in values if value.strip())
        payment = record_payment(study.pk, dues, user=request.user, **form.cleaned_data)
    except Refused as refusal:
        form.refuse(Refused(refusal.code, refusal.message))
        return _page(request, study, form, ticked=[] if all_ else values, status=refusal.status)
    total = sum((due.amount for due in dues), selected.ZERO)
    messages.success(
        request,
        f"Payment {payment.number} was recorded: {money(total, study.currency)} to "
        f"{with_noun(len(dues), 'annotator')}.",
    )
    return redirect("console:pay", study.public_id)


@study_page(Action.PAY)
@require_POST
def bonus(request: ConsoleRequest, study: Study, pseudonym: str) -> HttpResponse:
    """Give an annotator a bonus, and return to the annotator's pay page."""
    amount, reason, seen = (request.POST.get(name, "") for name in ("amount", "reason", "seen"))
    try:
        entry = give_bonus(
            study.pk,
            pseudonym,
            amount=read_amount(amount),
            reason=reason,
            seen=read_amount(seen, "Reload the page, then give the bonus again."),
            user=request.user,
        )
    except Refused as refusal:
        messages.error(request, f"The bonus for {pseudonym} was not recorded. {refusal.message}")
    else:
        messages.success(request, f"{pseudonym} is owed a bonus of {money(entry.amount, study.currency)}.")
    if not study.participations.filter(pseudonym=pseudonym).exists():
        return redirect("console:pay", study.public_id)
    return redirect("console:pay-annotator", study.public_id, pseudonym)


def _page(
    request: ConsoleRequest,
    study: Study,
    returned: PaymentForm | None = None,
    *,
    ticked: list[str] | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the page, with the form for the selected or for all annotators if it was returned with faults."""
    today = {"paid_on": clock.now().date()}
    to_all = returned is not None and returned.auto_id == ALL_ID
    may = request.console.may
    ids = may[Action.SEE_PLATFORM_IDS]
    rows = selected.pay_rows(study, with_platform_ids=ids)
    totals = selected.pay_totals(rows)
    show, search, sort = (request.GET.get(name, "") for name in ("show", "search", "sort"))
    sort = sort or "-owed"
    matches = selected.chosen(rows, show=show, search=search, sort=sort)
    page = Paginator(matches, BALANCES_PAGE).get_page(request.GET.get("page"))
    wages = selected.hourly_wages(study, [row.participation_id for row in page])
    payments = selected.payments_of(study)
    filters = urlencode({"show": show, "search": search})
    all_dues = _all_dues(rows) if may[Action.PAY] else []
    by_code = any(row.paid_by_code and row.owed > 0 for row in rows)
    shows_ids = any(row.platform_id and row.pseudonym not in request.console.names for row in rows)
    spend = spend_of(study)
    context = {
        "study": study,
        "here": f"{request.console.home}pay/",
        "form": PaymentForm(initial=today) if returned is None or to_all else returned,
        "all_form": returned if to_all else PaymentForm(initial=today, auto_id=ALL_ID),
        "shows_ids": shows_ids,
        "totals": totals,
        "spend": spend,
        "cap_share": min(100.0, round(float(100 * spend.committed / spend.cap), 2)) if spend.cap else None,
        "wage": actual_wage(study),
        "page": page,
        "rows": [(row, wages.get(row.participation_id), written(_due(row))) for row in page],
        "ticked": set(ticked or ()),
        "all_dues": [written(due) for due in all_dues],
        "all_total": sum((due.amount for due in all_dues), selected.ZERO),
        "payments": payments[:LATEST],
        "payment_count": payments.count(),
        "filters": [
            ("", "All", totals.annotators),
            (selected.OWED, "Owed", totals.annotators_owed),
            (selected.PAID, "Paid", totals.annotators_paid),
        ],
        "show": show,
        "search": search,
        "by_code": by_code,
        "search_in": _search_in(by_code, shows_ids, bool(request.console.names)),
        "sort": sort,
        "kept": filters,
        "query": f"{filters}&{urlencode({'sort': sort})}&",
    }
    return render(request, "pay/pay.html", context, status=status)


def _search_in(by_code: bool, shows_ids: bool, shows_names: bool) -> str:
    if by_code:
        return "Pseudonym or payment code"
    if shows_ids:
        return "Pseudonym or platform ID"
    return "Name or pseudonym" if shows_names else "Pseudonym"


def _due(row: selected.PayRow) -> Due:
    return Due(row.pseudonym, row.owed, row.balance.paid)


def _all_dues(rows: list[selected.PayRow]) -> list[Due]:
    """Return each annotator's share of a payment to all annotators who are owed money, up to the payment limit."""
    owed = [row for row in rows if row.state == selected.OWED]
    return [_due(row) for row in owed[:MOST_AT_ONCE]]


@console_page
@require_safe
def all_pay(request: ConsoleRequest) -> HttpResponse:
    rows = pay_by_study(list(studies_of(request.user)))
    context = {"rows": rows, "currencies": sums_by_currency(rows).items()}
    return render(request, "pay/by_study.html", context)


PAYMENTS_PAGE = 25


@study_page()
@require_safe
def payments(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show all payments, newest first."""
    page = Paginator(selected.payments_of(study), PAYMENTS_PAGE).get_page(request.GET.get("page"))
    return render(request, "pay/payments.html", {"study": study, "page": page, "payments": page})


@study_page()
@require_safe
def payments_file(request: ConsoleRequest, study: Study, filename: str) -> StreamingHttpResponse:
    """Return all payments, bonuses and corrections as a file. The file contains platform IDs only for roles that may
    see them.
    """
    if filename not in FILES:
        raise Http404("no such file")
    chunks = write_payments(study, filename, with_platform_ids=request.console.may[Action.SEE_PLATFORM_IDS])
    return attachment(chunks, filename, TYPES[filename])


@study_page()
@require_safe
def payment(request: ConsoleRequest, study: Study, number: int) -> HttpResponse:
    """Show a payment with each annotator's share and the corrections."""
    shown = get_object_or_404(selected.payments_of(study), number=number)
    page = Paginator(selected.entries_of(shown.entries.all()), PAYMENTS_PAGE).get_page(request.GET.get("page"))
    context = {"study": study, "payment": shown, "page": page, "entries": page}
    return render(request, "pay/payment.html", context)


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
    return render(request, "pay/annotator.html", context)


@study_page(Action.PAY)
@require_POST
def correct(request: ConsoleRequest, study: Study, entry: str) -> HttpResponse:
    """Correct a bonus or an annotator's share of a payment, and return to the annotator's pay page."""
    amount, reason = (request.POST.get(name, "") for name in ("amount", "reason"))
    try:
        corrected = correct_entry(study.pk, entry, amount=read_amount(amount), reason=reason, user=request.user)
    except Refused as refusal:
        messages.error(request, f"Nothing was corrected. {refusal.message}")
    else:
        now = money(read_amount(amount), study.currency)
        messages.success(request, f"The {corrected.kind} of {corrected.participation.pseudonym} is now {now}.")
    known = study.pay_entries.filter(public_id=entry).select_related("participation").first()
    if known is None:
        return redirect("console:pay", study.public_id)
    return redirect("console:pay-annotator", study.public_id, known.participation.pseudonym)
