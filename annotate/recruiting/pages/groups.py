"""The page that lists a study's groups and their links."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from annotate.core.permissions import Action
from annotate.core.services.credentials import group_code
from annotate.models import Study
from annotate.recruiting.forms import GroupForm
from annotate.recruiting.selectors import groups_of
from annotate.recruiting.services.groups import add_group, revoke_group
from annotate.server.refusals import Refused
from annotate.web.pages.access import ConsoleRequest, study_page


@study_page(Action.NAME_ANNOTATORS)
@require_http_methods(["GET", "HEAD", "POST"])
def groups(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Show the groups with their links. On a POST request, add a group."""
    form = GroupForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            added = add_group(study.pk, user=request.user, **form.cleaned_data)
        except Refused as refusal:
            form.refuse(refusal)
        else:
            messages.success(
                request, f"The group {added.name} was added. Send the group's link to the people in the group."
            )
            return redirect("console:groups", study.public_id)
    rows = []
    for group in groups_of(study):
        code = group_code(group.public_id)
        link = request.build_absolute_uri(reverse("annotator:group", args=[study.join_token, code]))
        rows.append((group, code, link))
    context = {"study": study, "rows": rows, "form": form}
    return render(request, "console/groups.html", context, status=422 if form.errors else 200)


@study_page(Action.NAME_ANNOTATORS)
@require_POST
def revoke(request: ConsoleRequest, study: Study, group: str) -> HttpResponse:
    try:
        revoke_group(study.pk, group, user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, "The link was revoked. Nobody else can join through the link.")
    return redirect("console:groups", study.public_id)
