"""The page with the lists of people that a study excludes or admits."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.core.permissions import Action
from annotate.models import Study
from annotate.recruiting.forms import ListForm
from annotate.recruiting.selectors import Kind, people_lists
from annotate.recruiting.services.listed import Added, add_file_to_list, clear_list
from annotate.server.refusals import Refused
from annotate.templatetags.figures import with_noun
from annotate.web.body_limits import body_limit
from annotate.web.pages.access import ConsoleRequest, study_page

SHOWN = 100  # matches and pseudonyms
NAMES = {Kind.EXCLUDE: "Excluded people", Kind.ADMIT: "Admitted people"}


@study_page(Action.NAME_ANNOTATORS)
@require_safe
def lists(request: ConsoleRequest, study: Study) -> HttpResponse:
    return _page(request, study, {})


@study_page(Action.NAME_ANNOTATORS)
@require_POST
@body_limit("upload")
def add(request: ConsoleRequest, study: Study, kind: str) -> HttpResponse:
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
    return _page(request, study, {kind: form}, status=422)


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


def _page(request: ConsoleRequest, study: Study, forms: dict[str, ListForm], status: int = 200) -> HttpResponse:
    lists = []
    for each in people_lists(study):
        form = forms.get(each.kind) or ListForm(prefix=each.kind)
        lists.append((each, NAMES[Kind(each.kind)], each.matched[:SHOWN], form))
    return render(request, "console/people_lists.html", {"study": study, "lists": lists}, status=status)
