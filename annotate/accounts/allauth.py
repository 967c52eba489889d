"""The configuration of django-allauth for researchers' accounts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter, get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.dispatch import receiver
from django.http import HttpRequest
from django.shortcuts import redirect
from django.urls import reverse

from annotate.accounts import sign_in_limits
from annotate.accounts.services import revoke_all_tokens
from annotate.accounts.sso.adapter import fail, has_signed_in_again
from annotate.accounts.sso.services import signs_in_at_issuer
from annotate.core.services.credentials import signup_is_open
from annotate.models import User
from annotate.models.user import password_changed
from annotate.server import encryption
from annotate.server.addresses import client_address

ASKS_ALWAYS = "allauth.mfa.stages.AuthenticateStage"
SECOND_FACTOR = "annotate.accounts.sso.adapter.SecondFactorStage"


@dataclass(frozen=True)
class Site:
    """The site in the templates of django-allauth's e-mail messages."""

    domain: str
    name: str


class AccountAdapter(DefaultAccountAdapter):
    """A django-allauth adapter with Accord's sign-in limits and client addresses."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return signup_is_open()

    def is_reauthentication_required(self, *, app: str) -> bool:
        """Return whether a change needs the password or a second factor again. People who sign in only at the issuer
        are sent there instead, because django-allauth would let them continue.
        """
        request = context.request
        if not signs_in_at_issuer(request.user):
            return bool(super().is_reauthentication_required(app=app))
        if not has_signed_in_again(request):
            query = urlencode({"next": request.get_full_path()})
            raise ImmediateHttpResponse(redirect(f"{reverse('sso-again')}?{query}"))
        return False

    def get_login_stages(self) -> list[str]:
        return [SECOND_FACTOR if stage == ASKS_ALWAYS else stage for stage in super().get_login_stages()]

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request) or "unknown"

    def format_email_subject(self, subject: str) -> str:
        return f"[{_site().name}] {subject}"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an e-mail message whose links begin with the site's address. django-allauth takes the address from the
        request, whose `Host` header can contain another port.
        """
        links = {name: _link(value) for name, value in context.items() if _is_link(value)}
        super().send_mail(template_prefix, email, {**context, **links, "current_site": _site()})

    def send_notification_mail(
        self, template_prefix: str, user: User, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Send e-mail messages only about changes to the account's e-mail address. `annotate/accounts/services.py`
        sends all other mail.
        """
        if template_prefix.startswith("account/email/email_"):
            super().send_notification_mail(template_prefix, user, context, email)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        if settings.SSO_ONLY:
            fail(request, "password", "This server has no passwords. Use single sign-on.")
        sign_in_limits.admit(request, sign_in_limits.PASSWORD, _account(credentials))

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        user: User | None = super().authenticate(request, **credentials)
        if user and signs_in_at_issuer(user):
            fail(
                request, "password", f"Your account has no password here. Sign in with {settings.SSO_NAME}.", user=user
            )
        if user:
            sign_in_limits.succeeded(request, sign_in_limits.PASSWORD, _account(credentials))
        return user

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        sign_in_limits.failed(sign_in_limits.PASSWORD, _account(credentials))


class MFAAdapter(DefaultMFAAdapter):
    """A django-allauth adapter that encrypts second-factor secrets."""

    def encrypt(self, text: str) -> str:
        return encryption.encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        return encryption.decrypt(encrypted_text)


class LimitedAuthenticateForm(AuthenticateForm):
    """The form that asks for the second factor at sign-in, with Accord's sign-in limits."""

    def clean_code(self) -> str:
        with sign_in_limits.limited(context.request, sign_in_limits.CODE, str(self.user.pk)):
            code: str = super().clean_code()
        return code


class ActivateOnceForm(ActivateTOTPForm):
    """The form that activates a second factor. The code cannot be used again, so nobody else can sign in with it."""

    def clean_code(self) -> str:
        code: str = super().clean_code()
        factor = Authenticator(
            user=self.user, type=Authenticator.Type.TOTP, data={"secret": encryption.encrypt(self.secret)}
        )
        if not factor.wrap().validate_code(code):
            raise get_adapter().validation_error("incorrect_code")
        return code


class LimitedReauthenticateForm(ReauthenticateForm):
    """The form that asks for the second factor before an account change, with Accord's sign-in limits."""

    def clean_code(self) -> str:
        with sign_in_limits.limited(context.request, sign_in_limits.CODE, str(self.user.pk)):
            code: str = super().clean_code()
        return code


@receiver(password_changed)
def _end_tokens(sender: Any, user: User, **_: Any) -> None:
    revoke_all_tokens(user)


def _site() -> Site:
    """Return the site as the e-mail messages name it."""
    host = urlsplit(settings.SITE_URL).netloc
    return Site(domain=host, name=host)


def _is_link(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(("http://", "https://"))


def _link(url: str) -> str:
    """Return the link with the address of the site."""
    parts = urlsplit(url)
    return settings.SITE_URL + urlunsplit(("", "", parts.path, parts.query, parts.fragment))


def _account(credentials: dict[str, Any]) -> str:
    return str(credentials.get("email") or credentials.get("username") or "")
