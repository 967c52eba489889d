"""The one-time sign-in link for researchers, which `script/demo` and `accord account sign-in-link` print."""

from allauth.account.internal.flows.login import record_authentication
from allauth.account.utils import perform_login
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache

from annotate.services.credentials import user_for_login


@never_cache
def login_link(request: HttpRequest, user: str, token: str) -> HttpResponse:
    """Sign in with the link instead of a password. Researchers who use two-factor authentication must also enter a
    code.
    """
    account = user_for_login(user, token)
    if account is None:
        messages.error(request, "This link has been used or has expired. Sign in, or ask for a new link.")
        return redirect("account_login")
    record_authentication(request, account, method="link")
    return perform_login(request, account)
