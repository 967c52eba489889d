"""Pages about the people whom researchers recruit: named annotators, groups, lists of people, and the waiting list."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.core.permissions import Action
from annotate.core.selectors.limits import free_places
from annotate.core.selectors.progress import judgements_per_question
from annotate.core.selectors.waiting import waiting_rows
from annotate.core.services.credentials import PERSONAL_LINKS, group_code
from annotate.core.services.jobs import request_job
from annotate.core.setting_steps import setting_place
from annotate.models import Study
from annotate.recruiting.forms import (
    GroupForm,
    ListForm,
    NamesForm,
    PeopleForm,
    PopulationForm,
    QuotaForm,
    ReservationForm,
)
from annotate.recruiting.panels import group_parameter
from annotate.recruiting.selectors import Kind, free_slots, groups_of, links_table, named_rows, people_lists
from annotate.recruiting.services.groups import (
    MOST_JUDGEMENTS,
    add_group,
    restore_group,
    revoke_group,
    set_population,
    set_quota,
)
from annotate.recruiting.services.link_mail import refuse_without_mail_server, to_send
from annotate.recruiting.services.listed import Added, add_file_to_list, clear_list
from annotate.recruiting.services.named import add_file, add_named, remove_named, reserve, share_out, unreserve
from annotate.recruiting.services.waiting import remove_waiting
from annotate.server.own_names import is_local
from annotate.server.refusals import Refused, invalid
from annotate.templatetags.figures import with_noun
from annotate.web.attachments import attachment
from annotate.web.body_limits import body_limit
from annotate.web.pages.access import ConsoleRequest, study_page
from annotate.web.pages.undo import notify_with_undo


@study_page(Action.NAME_ANNOTATORS)
@require_http_methods(["GET", "HEAD", "POST"])
def groups(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the groups with their links. On a POST request, add a group."""
    form = GroupForm(request.POST or None, study=study)
    if request.method == "POST" and form.is_valid():
        with form.show_refusals():
            added = add_group(study.pk, user=request.user, **form.cleaned_data)
            messages.success(
                request, f"The group {added.name} was added. Send the group's link to the people in the group."
            )
            return redirect("console:groups", study.public_id)
    by_parameter = study.recruitment != Study.Recruitment.LINKS
    rows = []
    for group in groups_of(study):
        code = group_code(group.public_id)
        address = request.build_absolute_uri(reverse("annotator:group", args=[study.join_token, code]))
        link = group_parameter(study, code) if by_parameter else address
        quota = QuotaForm(initial={"judgements": group.judgements}, auto_id=f"{group.pk}_%s")
        share = None if group.population is None else f"{group.population:g}"
        population = PopulationForm(initial={"population": share}, auto_id=f"{group.pk}_%s")
        rows.append((group, code, link, quota, population))
    context = {"study": study, "rows": rows, "form": form, "by_parameter": by_parameter}
    return render(request, "recruiting/groups.html", context, status=422 if form.errors else 200)


@study_page(Action.NAME_ANNOTATORS, back="groups/")
@require_POST
def change_quota(request: ConsoleRequest, study: Study, group: str) -> HttpResponse:
    """Set or remove the quota of a group in a draft."""
    form = QuotaForm(request.POST)
    if not form.is_valid():
        raise invalid("judgements", f"Enter a number from 1 to {MOST_JUDGEMENTS}, or leave the field empty.")
    changed = set_quota(study.pk, group, form.cleaned_data["judgements"], user=request.user)
    text = f"{with_noun(changed.judgements, 'judgement')} per question" if changed.judgements else "no quota"
    rebuild = " Rebuild the questions in Set up." if study.design else ""
    messages.success(request, f"The group {changed.name} has {text} now.{rebuild}")
    return redirect("console:groups", study.public_id)


@study_page(Action.NAME_ANNOTATORS, back="groups/")
@require_POST
def change_population(request: ConsoleRequest, study: Study, group: str) -> HttpResponse:
    """Set or remove the share of a group in the population."""
    form = PopulationForm(request.POST)
    if not form.is_valid():
        raise invalid("population", "Enter a positive number, or leave the field empty.")
    changed = set_population(study.pk, group, form.cleaned_data["population"], user=request.user)
    text = (
        "no share of the population" if changed.population is None else f"the population share {changed.population:g}"
    )
    messages.success(request, f"The group {changed.name} has {text} in later reports.")
    return redirect("console:groups", study.public_id)


@study_page(Action.NAME_ANNOTATORS, back="groups/")
@require_POST
def revoke(request: ConsoleRequest, study: Study, group: str) -> HttpResponse:
    revoked = revoke_group(study.pk, group, user=request.user)
    notify_with_undo(
        request,
        "The link was revoked. Nobody else can join through the link.",
        address=reverse("console:restore-group", args=[study.public_id, group]),
        seen=revoked.revoked_at,
    )
    return redirect("console:groups", study.public_id)


@study_page(Action.NAME_ANNOTATORS, back="groups/")
@require_POST
def restore(request: ConsoleRequest, study: Study, group: str) -> HttpResponse:
    """Undo the revocation of a group's link."""
    restore_group(study.pk, group, seen=request.POST.get("seen", ""), user=request.user)
    messages.success(request, "The link works again.")
    return redirect("console:groups", study.public_id)


WAITING_PAGE = 100


@study_page(Action.NAME_ANNOTATORS)
@require_safe
def waiting_list(request: ConsoleRequest, study: Study) -> HttpResponse:
    free = free_places(study)
    rows = waiting_rows(study, free or 0)
    context = {
        "study": study,
        "number": len(rows),
        "free": free,
        "page": Paginator(rows, WAITING_PAGE).get_page(request.GET.get("page")),
        "query": "",
        "place": request.console.home + setting_place("waiting_list"),
    }
    return render(request, "recruiting/waiting.html", context)


@study_page(Action.NAME_ANNOTATORS, back="waiting/")
@require_POST
def remove_from_waiting_list(request: ConsoleRequest, study: Study, person: str) -> HttpResponse:
    remove_waiting(study.pk, person, user=request.user)
    messages.success(request, "The person was removed from the waiting list.")
    return redirect("console:waiting", study.public_id)


SHOWN = 100  # matches and pseudonyms
NAMES = {Kind.EXCLUDE: "Excluded people", Kind.ADMIT: "Admitted people"}


@study_page(Action.NAME_ANNOTATORS)
@require_safe
def lists(request: ConsoleRequest, study: Study) -> HttpResponse:
    return _listed_page(request, study, {})


@study_page(Action.NAME_ANNOTATORS)
@require_POST
@body_limit("upload")
def extend_list(request: ConsoleRequest, study: Study, kind: str) -> HttpResponse:
    form = ListForm(request.POST, request.FILES, prefix=_known(kind))
    if form.is_valid():
        data, source = form.content()
        try:
            added = add_file_to_list(study.pk, kind, data, user=request.user, source=source)
        except Refused as refusal:
            form.add_error("file" if source else "text", refusal.message)
        else:
            form.note_encodings(request)
            messages.success(request, _summary(added))
            return redirect("console:people-lists", study.public_id)
    return _listed_page(request, study, {kind: form}, status=422)


@study_page(Action.NAME_ANNOTATORS)
@require_POST
def clear(request: ConsoleRequest, study: Study, kind: str) -> HttpResponse:
    cleared = clear_list(study.pk, _known(kind), user=request.user)
    messages.success(request, f"Number of entries deleted from the list: {cleared:,}.")
    return redirect("console:people-lists", study.public_id)


def _known(kind: str) -> str:
    if kind not in Kind.values:
        raise Http404("no such list")
    return kind


def _summary(added: Added) -> str:
    text = f"{with_noun(added.added, 'row')} added. Repeated rows: {added.repeated:,}."
    if added.annotators:
        names = ", ".join(added.annotators[:SHOWN])
        text += f" These annotators have joined the study and are on the list: {names}. They were not stopped."
    return text


def _listed_page(request: ConsoleRequest, study: Study, forms: dict[str, ListForm], status: int = 200) -> HttpResponse:
    lists = []
    for each in people_lists(study):
        form = forms.get(each.kind) or ListForm(prefix=each.kind)
        lists.append((each, NAMES[Kind(each.kind)], each.matched[:SHOWN], form))
    # Someone who joins under a pseudonym has no ID and no address, so no row of a list can match.
    nameless = study.recruitment == Study.Recruitment.LINKS and study.admission == Study.Admission.ANONYMOUS
    context = {"study": study, "lists": lists, "place": nameless and request.console.home + setting_place("admission")}
    return render(request, "recruiting/people_lists.html", context, status=status)


NAMED_PAGE = 100


@study_page(Action.NAME_ANNOTATORS)
@require_safe
def named(request: ConsoleRequest, study: Study) -> HttpResponse:
    return _named_page(request, study, NamesForm(), ReservationForm(study=study))


@study_page(Action.NAME_ANNOTATORS)
@require_POST
def add_names(request: ConsoleRequest, study: Study) -> HttpResponse:
    form = NamesForm(request.POST)
    if form.is_valid():
        with form.show_refusals():
            added = add_named(study.pk, form.cleaned_data["names"], user=request.user)
            if "setup" in request.POST:  # the links have no effect before the study opens
                messages.success(request, f"Added annotators: {len(added)}.")
                return redirect(request.console.home)
            messages.success(request, _added(study, len(added)))
            return redirect("console:named", study.public_id)
    return _named_page(request, study, form, ReservationForm(study=study), status=422)


def _added(study: Study, number: int) -> str:
    next_step = "The links work when the study is open." if study.is_draft else "Send each annotator the personal link."
    return f"Added annotators: {number}. {next_step}"


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
            messages.success(request, _added(study, len(added)))
            return redirect("console:named", study.public_id)
    return _named_page(request, study, NamesForm(), ReservationForm(study=study), form, status=422)


@study_page(Action.NAME_ANNOTATORS)
@require_safe
def links_file(request: ConsoleRequest, study: Study) -> StreamingHttpResponse:
    """Return the personal links as a CSV file."""
    return attachment(
        links_table(named_rows(study), lambda named: request.build_absolute_uri(PERSONAL_LINKS.path(named.public_id))),
        "personal-links.csv",
    )


@study_page(Action.NAME_ANNOTATORS, back="named/")
@require_POST
def mail_links(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Start the job that sends the personal links by e-mail."""
    refuse_without_mail_server()
    request_job(study, "links", user=request.user)
    return redirect("console:jobs", study.public_id)


@study_page(Action.NAME_ANNOTATORS, back="named/")
@require_POST
def remove_person(request: ConsoleRequest, study: Study, named: str) -> HttpResponse:
    remove_named(study.pk, named, user=request.user)
    messages.success(request, "The annotator was removed. The personal link no longer works.")
    return redirect("console:named", study.public_id)


@study_page(Action.NAME_ANNOTATORS)
@require_POST
def reserve_hits(request: ConsoleRequest, study: Study) -> HttpResponse:
    form = ReservationForm(request.POST, study=study)
    if form.is_valid():
        with form.show_refusals():
            reserved = reserve(study.pk, user=request.user, **form.cleaned_data)
            messages.success(request, f"Reserved HITs: {reserved}. HITs without a free slot were skipped.")
            return redirect("console:named", study.public_id)
    return _named_page(request, study, NamesForm(), form, status=422)


@study_page(Action.NAME_ANNOTATORS, back="named/")
@require_POST
def share(request: ConsoleRequest, study: Study) -> HttpResponse:
    messages.success(request, f"Reserved HITs: {share_out(study.pk, user=request.user)}.")
    return redirect("console:named", study.public_id)


@study_page(Action.NAME_ANNOTATORS, back="named/")
@require_POST
def end_reservations(request: ConsoleRequest, study: Study, named: str) -> HttpResponse:
    freed = unreserve(study.pk, named=named, user=request.user)
    messages.success(request, f"HITs that every named annotator can now claim: {freed}.")
    return redirect("console:named", study.public_id)


def _named_page(
    request: ConsoleRequest,
    study: Study,
    names: NamesForm,
    reservation: ReservationForm,
    people: PeopleForm | None = None,
    status: int = 200,
) -> HttpResponse:
    rows = named_rows(study)
    number = sum(not (row.named.participation and row.named.participation.has_ended) for row in rows)
    per_question = study.judgements if study.is_draft else judgements_per_question(study) or study.judgements
    page = Paginator(rows, NAMED_PAGE).get_page(request.GET.get("page"))
    context = {
        "study": study,
        "page": page,
        "query": "",
        "number": number,
        "per_question": per_question,
        "local": is_local(request.build_absolute_uri()),
        "rows": [(row, request.build_absolute_uri(PERSONAL_LINKS.path(row.named.public_id))) for row in page],
        "people": people or PeopleForm(),
        "to_send": to_send(study).count() if settings.EMAIL_HOST else 0,
        "admits": study.admission == Study.Admission.NAMED,
        "places": {name: request.console.home + setting_place(name) for name in ("admission", "judgements")},
        "free": free_slots(study),
        "reserves": any(row.reserved or row.open_to_all for row in rows),
        "everything": rows and per_question == number and not study.has_quotas,
        "names": names,
        "reservation": reservation,
    }
    return render(request, "recruiting/named.html", context, status=status)
