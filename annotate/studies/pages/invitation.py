"""The page for a personal invitation (/invitation/…/)."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import record_authentication
from allauth.account.utils import perform_login
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from annotate.accounts.services import account_of, confirm_address
from annotate.models import Invitation, User
from annotate.server.refusals import Refused
from annotate.studies.forms.invitation import NewAccountForm, OwnPasswordForm
from annotate.studies.services.invitations import accept, accept_with_new_account, invitation_of
from annotate.web.forms.looks import ConsoleForm


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
        return render(request, "console/invitation_over.html", refused, status=refusal.status)
    way = _way(request, pending)
    form = _form(request, pending, way)
    if request.method == "POST" and way in ("create", "join", "confirm") and form.is_valid():
        try:
            return _accept(request, token, pending, way, form)
        except Refused as refusal:
            form.add_error(None, refusal.message)
    context = {"invitation": pending, "way": way, "form": form}
    return render(request, "console/invitation.html", context, status=422 if form.errors else 200)


def _way(request: HttpRequest, pending: Invitation) -> str:
    """Return the next step towards accepting the invitation: create, join, confirm (the address), sign-in
    or sign-out.
    """
    owner = account_of(pending.email)
    if request.user.is_authenticated:
        if request.user == owner:
            return "join"
        return "confirm" if owner is None and request.user.email == pending.email else "sign-out"
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
