"""The page for the user's API tokens (/console/tokens/)."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from annotate.accounts.forms.tokens import TokenForm
from annotate.accounts.services.tokens import make_token, revoke_token
from annotate.server.refusals import Refused
from annotate.web.pages.access import ConsoleRequest, console_page


@console_page
@reauthentication_required(allow_get=True)
def tokens(request: ConsoleRequest) -> HttpResponse:
    """Show the list of the user's API tokens. After a POST request with the password, the page creates a token and
    shows its key only once.
    """
    form, key, status = TokenForm(user=request.user), "", 200
    if request.method == "POST":
        form, status = TokenForm(request.POST, user=request.user), 422
        if form.is_valid():
            try:
                _, key = make_token(request.user, **form.cleaned_data)
                form, status = TokenForm(user=request.user), 201
            except Refused as refusal:
                form.refuse(refusal)
    own = request.user.api_tokens.select_related("study").order_by("-created_at")
    context = {"form": form, "key": key, "tokens": own, "now": timezone.now()}
    return render(request, "console/tokens.html", context, status=status)


@console_page
@require_POST
def revoke(request: ConsoleRequest, token: str) -> HttpResponse:
    revoke_token(request.user, token)
    messages.success(request, "The token was revoked. Scripts can no longer use this token.")
    return redirect("console:tokens")
