"""Pages of accounts: API tokens, one-time sign-in links, and the activation of a second factor."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.login import record_authentication
from allauth.account.utils import perform_login
from allauth.account.views import password_set
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.views import ActivateTOTPView
from django.contrib import messages
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotate.accounts.forms import TokenForm
from annotate.accounts.services import make_token, revoke_token
from annotate.accounts.sso.adapter import LINK, has_signed_in_again
from annotate.accounts.sso.services import signs_in_at_issuer
from annotate.core.services.credentials import user_for_login
from annotate.core.services.writing import write
from annotate.web.pages.access import ConsoleRequest, console_page


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def login_link(request: HttpRequest, user: str, token: str) -> HttpResponse:
    """Sign in on a POST request with the link instead of a password. Other requests show a page with a button, because
    mail scanners and link previews open links. Researchers who use two-factor authentication must also enter a code.
    """
    if request.method == "POST":
        with write():
            if account := user_for_login(user, token, lock=True):
                record_authentication(request, account, method=LINK)
                return perform_login(request, account)
    elif account := user_for_login(user, token):
        return render(request, "accounts/login_link.html", {"account": account})
    messages.error(request, "This link has been used or has expired. Sign in, or ask for a new link.")
    return redirect("account_login")


class ActivateSecondFactorView(ActivateTOTPView):
    """The page of django-allauth, except if another request has activated a second factor at the same moment."""

    def form_valid(self, form: ActivateTOTPForm) -> HttpResponse:
        try:
            return super().form_valid(form)
        except IntegrityError:
            return redirect("mfa_index")


set_password = reauthentication_required(password_set)  # instead of django-allauth's page, which asks for no proof


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
            with form.show_refusals():
                _, key = make_token(request.user, **form.cleaned_data)
                form, status = TokenForm(user=request.user), 201
    own = request.user.api_tokens.select_related("study").order_by("-created_at")
    signs_in_again = signs_in_at_issuer(request.user) and not has_signed_in_again(request)
    context = {"form": form, "key": key, "tokens": own, "now": timezone.now(), "signs_in_again": signs_in_again}
    return render(request, "accounts/tokens.html", context, status=status)


@console_page
@require_POST
def revoke(request: ConsoleRequest, token: str) -> HttpResponse:
    revoke_token(request.user, token)
    messages.success(request, "The token was revoked. Scripts can no longer use this token.")
    return redirect("console:tokens")
