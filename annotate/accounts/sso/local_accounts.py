"""The middleware that removes the pages of local accounts if `ACCORD_SSO_ONLY` is on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

LOCAL_PAGES = frozenset(
    {
        "account_signup",
        "account_email",
        "account_reauthenticate",
        "account_change_password",
        "account_set_password",
        "account_reset_password",
        "account_reset_password_done",
        "account_reset_password_from_key",
        "account_reset_password_from_key_done",
    }
)


class LocalAccounts:
    """With `ACCORD_SSO_ONLY`, pages for passwords, sign-up and addresses do not exist."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: Any) -> None:
        match = request.resolver_match
        if settings.SSO_ONLY and match and match.url_name in LOCAL_PAGES:
            raise Http404("This server has no local accounts.")
