"""The page about named annotators, with their personal links, progress and reserved HITs."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.core.permissions import Action
from annotate.core.services.credentials import personal_path
from annotate.core.services.jobs import request_job
from annotate.core.setting_steps import setting_place
from annotate.models import Study
from annotate.recruiting.forms import NamesForm, PeopleForm, ReservationForm
from annotate.recruiting.selectors import free_slots, links_table, named_rows
from annotate.recruiting.services.link_mail import refuse_without_mail_server, to_send
from annotate.recruiting.services.named import add_file, add_named, remove_named, reserve, share_out, unreserve
from annotate.server.refusals import Refused
from annotate.web.body_limits import body_limit
from annotate.web.pages.access import ConsoleRequest, study_page

PAGE = 100


@study_page(Action.NAME_ANNOTATORS)
@require_safe
def named(request: ConsoleRequest, study: Study) -> HttpResponse:
    return _page(request, study, NamesForm(), ReservationForm(study=study))


@study_page(Action.NAME_ANNOTATORS)
@require_POST
def add(request: ConsoleRequest, study: Study) -> HttpResponse:
    form = NamesForm(request.POST)
    if form.is_valid():
        try:
            added = add_named(study.pk, form.cleaned_data["names"], user=request.user)
        except Refused as refusal:
            form.refuse(refusal)
        else:
            messages.success(request, f"Added annotators: {len(added)}. Send each annotator the personal link below.")
            return redirect("console:named", study.public_id)
    return _page(request, study, form, ReservationForm(study=study), status=422)


@study_page(Action.NAME_ANNOTATORS)
@require_POST
@body_limit("upload")
def add_people(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Add the people in a CSV file."""
    form = PeopleForm(request.POST, request.FILES)
    if form.is_valid():
        file = form.cleaned_data["file"]
        try:
            added = add_file(study.pk, file.read(), file.name, user=request.user)
        except Refused as refusal:
            form.add_error("file", refusal.message)
        else:
            form.note_encodings(request)
            messages.success(request, f"Added annotators: {len(added)}. Send each annotator the personal link below.")
            return redirect("console:named", study.public_id)
    return _page(request, study, NamesForm(), ReservationForm(study=study), form, status=422)


@study_page(Action.NAME_ANNOTATORS)
@require_safe
def links_file(request: ConsoleRequest, study: Study) -> StreamingHttpResponse:
    """Return the personal links as a CSV file."""
    return StreamingHttpResponse(
        links_table(named_rows(study), lambda named: request.build_absolute_uri(personal_path(named.public_id))),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="personal-links.csv"'},
    )


@study_page(Action.NAME_ANNOTATORS)
@require_POST
def mail_links(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Start the job that sends the personal links by e-mail."""
    try:
        refuse_without_mail_server()
        request_job(study, "links", user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("console:named", study.public_id)
    return redirect("console:jobs", study.public_id)


@study_page(Action.NAME_ANNOTATORS)
@require_POST
def remove(request: ConsoleRequest, study: Study, named: str) -> HttpResponse:
    remove_named(study.pk, named, user=request.user)
    messages.success(request, "The annotator was removed. The personal link no longer works.")
    return redirect("console:named", study.public_id)


@study_page(Action.NAME_ANNOTATORS)
@require_POST
def reserve_hits(request: ConsoleRequest, study: Study) -> HttpResponse:
    form = ReservationForm(request.POST, study=study)
    if form.is_valid():
        try:
            reserved = reserve(study.pk, user=request.user, **form.cleaned_data)
        except Refused as refusal:
            form.refuse(refusal)
        else:
            messages.success(request, f"Reserved HITs: {reserved}. HITs without a free slot were skipped.")
            return redirect("console:named", study.public_id)
    return _page(request, study, NamesForm(), form, status=422)


@study_page(Action.NAME_ANNOTATORS)
@require_POST
def share(request: ConsoleRequest, study: Study) -> HttpResponse:
    messages.success(request, f"Reserved HITs: {share_out(study.pk, user=request.user)}.")
    return redirect("console:named", study.public_id)


@study_page(Action.NAME_ANNOTATORS)
@require_POST
def end_reservations(request: ConsoleRequest, study: Study, named: str) -> HttpResponse:
    freed = unreserve(study.pk, named=named, user=request.user)
    messages.success(request, f"HITs that every named annotator can now claim: {freed}.")
    return redirect("console:named", study.public_id)


def _page(
    request: ConsoleRequest,
    study: Study,
    names: NamesForm,
    reservation: ReservationForm,
    people: PeopleForm | None = None,
    status: int = 200,
) -> HttpResponse:
    rows = named_rows(study)
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    context = {
        "study": study,
        "page": page,
        "query": "",
        "number": len(rows),
        "rows": [(row, request.build_absolute_uri(personal_path(row.named.public_id))) for row in page],
        "people": people or PeopleForm(),
        "to_send": to_send(study).count() if settings.EMAIL_HOST else 0,
        "admits": study.admission == Study.Admission.NAMED,
        "places": {name: request.console.home + setting_place(name) for name in ("admission", "judgements")},
        "free": free_slots(study),
        "everything": rows and study.judgements == len(rows),
        "names": names,
        "reservation": reservation,
    }
    return render(request, "console/named.html", context, status=status)
