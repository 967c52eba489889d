"""The pages of single sign-on: to the issuer, back from it, and the page on which people sign in again."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable
from functools import wraps

from allauth.account.utils import get_next_redirect_url
from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotate.accounts.sign_in_limits import too_many_requests
from annotate.accounts.sso.adapter import AGAIN, NONCE, fail
from annotate.accounts.sso.issuer import Issuer, Provider

# What django-allauth raises for a response without a part that it needs.
MALFORMED = (OAuth2Error, KeyError, TypeError, ValueError)

# The issuer asks for the password although the person has signed in there (OpenID Connect Core 1.0, 3.1.2.1).
ASK_AGAIN = {"prompt": "login", "max_age": "0"}

Page = Callable[[HttpRequest], HttpResponseBase]
_log = logging.getLogger("accord.signin")


def _with_issuer(page: Page) -> Page:
    """Wrap a page. Without an issuer, its status is 404. If the issuer does not respond or sends an invalid response,
    the page leads back to the sign-in page.
    """

    @wraps(page)
    def wrapped(request: HttpRequest) -> HttpResponseBase:
        if not settings.SSO_ISSUER:
            raise Http404("Single sign-on is off.")
        try:
            try:
                return page(request)
            except OSError as error:
                _log.warning("The issuer of single sign-on did not respond: %s", type(error).__name__)
                fail(request, "unavailable")
            except MALFORMED:
                _log.warning("The issuer of single sign-on sent an invalid response", exc_info=True)
                fail(request, "invalid")
        except ImmediateHttpResponse as failure:
            return failure.response

    return wrapped


@never_cache
@require_POST
@_with_issuer
def start(request: HttpRequest) -> HttpResponseBase:
    """Show a page that leads to the issuer immediately.

    It is not a redirect, because the content security policy would apply to all further redirects of the form, and
    an issuer can redirect to other hosts.
    """
    if not ratelimit.consume(request, action="login"):
        return too_many_requests(request)
    nonce, again = secrets.token_urlsafe(32), AGAIN in request.POST
    response = Provider(request).redirect(
        request,
        AuthProcess.LOGIN,
        next_url=get_next_redirect_url(request),
        auth_params={NONCE: nonce} | (ASK_AGAIN if again else {}),
        **{NONCE: nonce, AGAIN: time.time() if again else 0},
    )
    if response.url == reverse("account_login"):  # django-allauth has caught an error
        return response
    return render(request, "accounts/to_issuer.html", {"url": response.url, "name": settings.SSO_NAME})


@never_cache
@login_required
@require_safe
@_with_issuer
def again(request: HttpRequest) -> HttpResponseBase:
    """Ask a person who has no password in Accord to sign in at the issuer again before a change to the account."""
    return render(request, "accounts/sign_in_again.html", {"next": get_next_redirect_url(request) or ""})


@never_cache
@require_safe
@_with_issuer
def callback(request: HttpRequest) -> HttpResponseBase:
    """Sign in the person who returns from the issuer, or show on the sign-in page why this is not possible."""
    response: HttpResponseBase = OAuth2CallbackView.adapter_view(Issuer(request))(request)
    return response
