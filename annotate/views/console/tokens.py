"""/console/tokens/: keys for one's own scripts."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from annotate.forms.tokens import TokenForm
from annotate.refusals import Refused
from annotate.services.tokens import make_token, revoke_token

from .access import ConsoleRequest, console_page


@console_page
def tokens(request: ConsoleRequest) -> HttpResponse:
    """The list; a POST makes a token and shows its key in the answer, the only time that it is there."""
    form, key, status = TokenForm(), "", 200
    if request.method == "POST":
        form, status = TokenForm(request.POST), 422
        if form.is_valid():
            try:
                _, key = make_token(request.user, form.cleaned_data["name"])
                form, status = TokenForm(), 201
            except Refused as refusal:
                form.refuse(refusal)
    own = request.user.api_tokens.order_by("-created_at")
    return render(request, "console/tokens.html", {"form": form, "key": key, "tokens": own}, status=status)


@console_page
@require_POST
def revoke(request: ConsoleRequest, token: int) -> HttpResponse:
    revoke_token(request.user, token)
    messages.success(request, "The token works no more.")
    return redirect("console:tokens")
