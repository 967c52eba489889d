"""The members page, which shows a study's members, roles and pending invitations, and the page of an invitation."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import record_authentication
from allauth.account.utils import perform_login
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.accounts.services import account_of, confirm_address
from annotate.core.permissions import Action
from annotate.models import Invitation, Membership, Study, User
from annotate.server.refusals import Refused
from annotate.studies.forms.members import ROLES, InvitationForm, NewAccountForm, OwnPasswordForm, RoleForm
from annotate.studies.services.members import (
    accept,
    accept_with_new_account,
    change_role,
    deliver,
    invitation_of,
    invite,
    mail_is_set_up,
    remove_member,
    shown_link,
    withdraw,
)
from annotate.web.forms import ConsoleForm
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
        with form.show_refusals():
            invitation = invite(study.pk, user=request.user, **form.cleaned_data)
            _deliver(request, invitation)
            return redirect("console:members", study.public_id)
    return _page(request, study, form, status=422)


@study_page(Action.CHANGE_MEMBERS)
@require_POST
def withdraw_invitation(request: ConsoleRequest, study: Study, invitation: str) -> HttpResponse:
    withdraw(study.pk, invitation=invitation, user=request.user)
    messages.success(request, "The invitation was withdrawn. The link in the invitation no longer works.")
    return redirect("console:members", study.public_id)


@study_page(Action.CHANGE_MEMBERS, back="members/")
@require_POST
def set_role(request: ConsoleRequest, study: Study, member: str) -> HttpResponse:
    membership, form = _membership(study, member), RoleForm(request.POST)
    if form.is_valid():
        change_role(study.pk, member=membership.user, role=form.cleaned_data["role"], user=request.user)
        messages.success(request, f"{membership.user} now has the role {form.cleaned_data['role']}.")
    return redirect("console:members", study.public_id)


@study_page(Action.CHANGE_MEMBERS, back="members/")
@require_POST
def remove(request: ConsoleRequest, study: Study, member: str) -> HttpResponse:
    membership = _membership(study, member)
    remove_member(study.pk, member=membership.user, user=request.user)
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
    memberships = list(study.memberships.select_related("user").order_by("pk"))
    owners = [membership for membership in memberships if membership.role == Membership.Role.OWNER]
    context = {
        "study": study,
        "members": memberships,
        "only_owner": owners[0] if len(owners) == 1 else None,
        "mails_todo": study.memberships.filter(user=request.user, mails_todo=True).exists(),
        "mail_is_set_up": mail_is_set_up(),
        "form": form,
        "roles": ROLES,
        "now": timezone.now(),
        "invitations": [(one, shown_link(one)) for one in pending],
    }
    return render(request, "studies/members.html", context, status=status)


@sensitive_post_parameters("password", "repeated")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show the invitation, and accept it on a POST request. A GET request does not accept the invitation, because mail
    scanners open links.
    """
    try:
        pending = invitation_of(token)
    except Refused as refusal:
        refused = {"title": "This invitation link no longer works", "why": refusal.message}
        return render(request, "web/invitation_over.html", refused, status=refusal.status)
    way = _way(request, pending)
    form = _form(request, pending, way)
    if request.method == "POST" and way in ("create", "join", "confirm") and form.is_valid():
        try:
            return _accept(request, token, pending, way, form)
        except Refused as refusal:
            form.add_error(None, refusal.message)
    context = {"invitation": pending, "way": way, "form": form}
    return render(request, "studies/invitation.html", context, status=422 if form.errors else 200)


def _way(request: HttpRequest, pending: Invitation) -> str:
    """Return the next step towards accepting the invitation: create, join, confirm (the address), sign-in,
    single sign-on or sign-out.
    """
    owner = account_of(pending.email)
    if request.user.is_authenticated:
        if request.user == owner:
            return "join"
        return "confirm" if owner is None and request.user.email == pending.email else "sign-out"
    if settings.SSO_ONLY:
        return "single sign-on"
    return "sign-in" if owner or User.objects.filter(email=pending.email).exists() else "create"


def _form(request: HttpRequest, pending: Invitation, way: str) -> ConsoleForm:
    sent = request.POST if request.method == "POST" else None
    if way == "create":
        return NewAccountForm(sent, email=pending.email)
    return OwnPasswordForm(sent) if way == "confirm" else ConsoleForm(sent)


def _accept(request: HttpRequest, token: str, pending: Invitation, way: str, form: ConsoleForm) -> HttpResponse:
    then = _place_of(pending)
    if way == "create":
        new = accept_with_new_account(
            token, name=form.cleaned_data["name"], password=form.cleaned_data["password"]
        ).accepted_by
        record_authentication(request, new, method="invitation", email=pending.email)
        return perform_login(request, new, signup=True, redirect_url=then)
    user = request.user
    if not isinstance(user, User):
        raise Refused("signed-out", "Sign in, then open the link again.", status=403)
    if way == "confirm":
        # The link in the e-mail message proves that the address belongs to the person. The password proves that the
        # account belongs to this person.
        if not get_adapter().reauthenticate(user, form.cleaned_data["password"]):
            raise Refused("password", "The password is not correct.", status=403)
        confirm_address(user)
    accept(token, user=user)
    messages.success(request, "You have joined.")
    return redirect(then)


def _place_of(pending: Invitation) -> str:
    if pending.study is None:
        return reverse("console:studies")
    if pending.role:
        return reverse("console:overview", args=[pending.study.public_id])
    return reverse("annotator:join", args=[pending.study.join_token])
