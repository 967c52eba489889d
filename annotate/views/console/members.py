"""Members: who works on the study, and what they may do."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from annotate.forms.members import ROLES, MemberForm
from annotate.models import Study
from annotate.refusals import Refused
from annotate.services.credentials import signup_is_open
from annotate.services.study import add_member, remove_member

from .access import ConsoleRequest, study_page


@study_page()
@require_GET
def members(request: ConsoleRequest, study: Study) -> HttpResponse:
    return _page(request, study, MemberForm())


@study_page("own")
@require_POST
def add(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Let somebody in, or give a member another role."""
    form = MemberForm(request.POST)
    if form.is_valid():
        try:
            member = add_member(study.pk, user=request.user, **form.cleaned_data)
        except Refused as refusal:
            if refusal.code == "unknown":
                form.add_error("email", _no_account(request))
            else:
                form.refuse(refusal)
        else:
            messages.success(request, f"{member.user} is {member.role} now.")
            return redirect("console:members", study.public_id)
    return _page(request, study, form, status=422)


@study_page("own")
@require_POST
def remove(request: ConsoleRequest, study: Study, member: int) -> HttpResponse:
    membership = get_object_or_404(study.memberships.select_related("user"), pk=member)
    try:
        remove_member(study.pk, member_id=membership.user_id, user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("console:members", study.public_id)
    messages.success(request, f"{membership.user} is a member no more.")
    left = membership.user_id == request.user.pk
    return redirect("console:studies") if left else redirect("console:members", study.public_id)


def _no_account(request: ConsoleRequest) -> str:
    if not signup_is_open():
        return "Nobody with this address has an account here yet; ask whoever runs this server to make them one."
    place = request.build_absolute_uri(reverse("account_signup"))
    return f"Nobody with this address has an account here yet; ask them to sign up at {place}, then add them."


def _page(request: ConsoleRequest, study: Study, form: MemberForm, status: int = 200) -> HttpResponse:
    rows = study.memberships.select_related("user").order_by("pk")
    context = {"study": study, "members": rows, "form": form, "roles": ROLES}
    return render(request, "console/members.html", context, status=status)
