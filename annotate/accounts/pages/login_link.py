"""The one-time sign-in link for researchers, which `script/demo` and `accord account sign-in-link` print."""

from allauth.account.internal.flows.login import record_authentication
from allauth.account.utils import perform_login
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotate.core.services.credentials import user_for_login
from annotate.core.services.writing import write


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def login_link(request: HttpRequest, user: str, token: str) -> HttpResponse:
    """Sign in on a POST request with the link instead of a password. Other requests show a page with a button, because
    mail scanners and link previews open links. Researchers who use two-factor authentication must also enter a code.
    """
    if request.method == "POST":
        with write():
            if account := user_for_login(user, token, lock=True):
                record_authentication(request, account, method="link")
                return perform_login(request, account)
    elif account := user_for_login(user, token):
        return render(request, "console/login_link.html", {"account": account})
    messages.error(request, "This link has been used or has expired. Sign in, or ask for a new link.")
    return redirect("account_login")
