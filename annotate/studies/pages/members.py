"""The members page, which shows a study's members, their roles and pending invitations."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotate.core.permissions import Action
from annotate.models import Invitation, Membership, Study
from annotate.server.refusals import Refused
from annotate.studies.forms.members import ROLES, InvitationForm, RoleForm
from annotate.studies.services.invitations import deliver, invite, mail_is_set_up, shown_link, withdraw
from annotate.studies.services.members import change_role, remove_member
from annotate.web.pages.access import ConsoleRequest, study_page


@study_page()
@require_safe
def members(request: ConsoleRequest, study: Study) -> HttpResponse:
    return _page(request, study, InvitationForm(study=study))


@study_page(Action.CHANGE_MEMBERS)
@require_POST
def invite_member(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Invite an e-mail address. The invitation link is sent by e-mail, or shown on the page if no mail server is
    configured.
    """
    form = InvitationForm(request.POST, study=study)
    if form.is_valid():
        try:
            invitation = invite(study.pk, user=request.user, **form.cleaned_data)
        except Refused as refusal:
            form.refuse(refusal)
        else:
            _deliver(request, invitation)
            return redirect("console:members", study.public_id)
    return _page(request, study, form, status=422)


@study_page(Action.CHANGE_MEMBERS)
@require_POST
def withdraw_invitation(request: ConsoleRequest, study: Study, invitation: str) -> HttpResponse:
    withdraw(study.pk, invitation=invitation, user=request.user)
    messages.success(request, "The invitation was withdrawn. The link in the invitation no longer works.")
    return redirect("console:members", study.public_id)


@study_page(Action.CHANGE_MEMBERS)
@require_POST
def set_role(request: ConsoleRequest, study: Study, member: str) -> HttpResponse:
    membership, form = _membership(study, member), RoleForm(request.POST)
    if form.is_valid():
        try:
            change_role(study.pk, member=membership.user, role=form.cleaned_data["role"], user=request.user)
        except Refused as refusal:
            messages.error(request, refusal.message)
        else:
            messages.success(request, f"{membership.user} now has the role {form.cleaned_data['role']}.")
    return redirect("console:members", study.public_id)


@study_page(Action.CHANGE_MEMBERS)
@require_POST
def remove(request: ConsoleRequest, study: Study, member: str) -> HttpResponse:
    membership = _membership(study, member)
    try:
        remove_member(study.pk, member=membership.user, user=request.user)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("console:members", study.public_id)
    messages.success(request, f"{membership.user} was removed from the study.")
    left = membership.user_id == request.user.pk
    return redirect("console:studies") if left else redirect("console:members", study.public_id)


def _membership(study: Study, member: str) -> Membership:
    return get_object_or_404(study.memberships.select_related("user"), user__public_id=member)


def _deliver(request: ConsoleRequest, invitation: Invitation) -> None:
    try:
        sent = deliver(invitation)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return
    messages.success(
        request,
        f"An invitation was sent to {invitation.email} by e-mail."
        if sent
        else f"Copy the link below and send it to {invitation.email} yourself.",
    )


def _page(request: ConsoleRequest, study: Study, form: InvitationForm, status: int = 200) -> HttpResponse:
    owns = request.console.may[Action.CHANGE_MEMBERS]
    pending = list(study.invitations.pending().order_by("pk")) if owns else []
    context = {
        "study": study,
        "members": study.memberships.select_related("user").order_by("pk"),
        "mails_todo": study.memberships.filter(user=request.user, mails_todo=True).exists(),
        "mail_is_set_up": mail_is_set_up(),
        "form": form,
        "roles": ROLES,
        "now": timezone.now(),
        "invitations": [(one, shown_link(one)) for one in pending],
    }
    return render(request, "console/members.html", context, status=status)
