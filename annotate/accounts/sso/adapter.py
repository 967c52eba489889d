"""The configuration of django-allauth for single sign-on."""

from __future__ import annotations

import logging
import time
from typing import Any, NoReturn

from allauth.account import app_settings
from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.account.signals import user_logged_in
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.stages import AuthenticateStage
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base.constants import AuthError
from django.conf import settings
from django.contrib import messages
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.crypto import constant_time_compare

from annotate.accounts.services import note
from annotate.accounts.sso.issuer import LEEWAY_SECONDS, Provider
from annotate.accounts.sso.services import admit, require_access
from annotate.core.services.writing import write
from annotate.models import SignInEvent, User
from annotate.server.refusals import Refused

METHOD = "socialaccount"  # django-allauth's name for sign-ins with an issuer
NONCE = "nonce"
AGAIN = "again"  # when the person began to sign in again for a change, in seconds since 1970, or 0
LINK = "link"  # the method of one-time sign-in links
_log = logging.getLogger("accord.signin")


class SocialAdapter(DefaultSocialAccountAdapter):
    """A django-allauth adapter that knows one issuer and applies the rules in `services.py`."""

    def get_provider(self, request: HttpRequest, provider: str, client_id: str | None = None) -> Provider:
        return Provider(request)

    def list_providers(self, request: HttpRequest) -> list[Provider]:
        return []  # templates/account/login.html shows the issuer

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Connect the identity to the person's account, or go back to the sign-in page."""
        claims, account = sociallogin.claims, sociallogin.user if sociallogin.is_existing else None
        began_again = sociallogin.state[AGAIN]
        if not constant_time_compare(str(claims.get(NONCE)), sociallogin.state[NONCE]):
            fail(request, "invalid", user=account)
        # The browser could have removed `max_age` from the request, so that the issuer did not ask for the password.
        if began_again and (claims.get("auth_time") or began_again) < began_again - LEEWAY_SECONDS:
            fail(request, "too old", user=account)
        try:
            require_access(claims, account)
            with write():
                user = admit(claims, account)
                if account is None:
                    sociallogin.connect(request, user)
        except Refused as refused:
            fail(request, refused.code, refused.message, user=account)

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Provider,
        error: str | None = None,
        exception: Exception | None = None,
        extra_context: dict[str, Any] | None = None,
    ) -> NoReturn:
        """Go back to the sign-in page. Requests that did not begin in this browser are not logged, because anyone can
        send them.
        """
        began_here = "state" in (extra_context or {})
        if exception and "_token" not in str(exception):  # the response to a faulty request could contain a token
            _log.warning("The issuer of single sign-on sent an invalid response: %s", str(exception)[:200])
        if error == AuthError.CANCELLED:
            fail(request, "cancelled", is_logged=began_here)
        fail(request, "unavailable" if isinstance(exception, OSError) else "invalid", is_logged=began_here)


class SecondFactorStage(AuthenticateStage):
    """The step that asks for the second factor, except after single sign-on, where the issuer asks for its own."""

    def handle(self) -> tuple[HttpResponse | None, bool]:
        if used_single_sign_on(self.request, self.login.user):
            return None, True
        response, goes_on = super().handle()
        return response, goes_on


def used_single_sign_on(request: HttpRequest, user: Any) -> bool:
    """Return whether the latest step of the user's sign-in in this session was single sign-on."""
    records = get_authentication_records(request, user)
    return bool(records) and records[-1]["method"] == METHOD


@receiver(user_logged_in)
def _signed_in_again(
    sender: Any, request: HttpRequest, user: User, sociallogin: SocialLogin | None = None, **_: Any
) -> None:
    if sociallogin and sociallogin.state[AGAIN]:
        record_authentication(request, user, METHOD, reauthenticated=True)


def has_signed_in_again(request: HttpRequest) -> bool:
    """Return whether, within the last few minutes, the person has signed in with a one-time link or again at the
    issuer. Other sign-ins at the issuer do not count, because the issuer need not ask for the password.
    """
    proofs = (
        record["at"]
        for record in get_authentication_records(request, request.user)
        if record["method"] == LINK or (record["method"] == METHOD and record.get("reauthenticated"))
    )
    return max(proofs, default=0) > time.time() - app_settings.REAUTHENTICATION_TIMEOUT


def fail(
    request: HttpRequest, reason: str, message: str = "", *, user: User | None = None, is_logged: bool = True
) -> NoReturn:
    """Go back to the sign-in page, which shows the message. The reason is in the sign-in log.

    Raises `ImmediateHttpResponse`, which the pages and django-allauth return.
    """
    if is_logged:
        note(SignInEvent.Kind.FAILED, user, f"single sign-on: {reason}")
    messages.error(request, message or _message(reason))
    raise ImmediateHttpResponse(redirect("account_login"))


def _message(reason: str) -> str:
    name = settings.SSO_NAME
    if reason == "cancelled":
        return f"You cancelled the sign-in at {name}."
    if reason == "unavailable":
        way = "ask the administrator of this server for a sign-in link" if settings.SSO_ONLY else "use your password"
        return f"Accord cannot reach {name}. Try again in a few minutes, or {way}."
    return f"The sign-in at {name} could not be verified or has expired. Sign in again."
