"""Authentication of API requests with researchers' tokens or with the participation tokens of annotators' pages."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from annotate.core.services.credentials import api_token_hash, read_participation_token
from annotate.models import ApiToken, User
from annotate.server import clock
from annotate.server.refusals import Refused

if TYPE_CHECKING:  # rest_framework.views imports this module
    from rest_framework.views import APIView


_LAST_USE = timedelta(minutes=1)  # the last use of a token is recorded this precisely


class TokenAuthentication(BaseAuthentication):
    """Authentication of a researcher's script with the header `Authorization: Token <key>`."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        key = _credential(request, "token")
        if key is None:
            return None
        try:
            # Most tokens apply to all studies, so `study` is loaded only for tokens that are limited to one study.
            token = ApiToken.objects.select_related("user").get(hash=api_token_hash(key), user__is_active=True)
        except ApiToken.DoesNotExist:
            message = "This token is unknown. Create a new token in the console."
            raise exceptions.AuthenticationFailed(message) from None
        now = clock.now()
        if token.expires_at <= now:
            raise exceptions.AuthenticationFailed(
                f"This token expired on {token.expires_at:%Y-%m-%d}. Create a new token in the console."
            )
        if _may_have_left(token.user, now):
            raise exceptions.AuthenticationFailed(
                f"You have not signed in with {settings.SSO_NAME} for {settings.SSO_TOKEN_DAYS} days. Sign in to "
                "Accord once, then use this token again."
            )
        if token.used_at is None or now - token.used_at > _LAST_USE:
            ApiToken.objects.filter(pk=token.pk).update(used_at=now)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Token"


class ParticipationAuthentication(BaseAuthentication):
    """Authentication of an annotator's page with the `Authorization: Participation <token>` header.

    `request.auth` becomes the public ID of the participation.

    Cookies are ignored, so the page also works inside another site's frame and needs no CSRF token.
    """

    def authenticate(self, request: Request) -> tuple[AnonymousUser, str] | None:
        token = _credential(request, "participation")
        if token is None:
            return None
        try:
            return AnonymousUser(), read_participation_token(token)
        except Refused as refusal:
            raise exceptions.AuthenticationFailed(refusal.message, code="token") from refusal

    def authenticate_header(self, request: Request) -> str:
        return "Participation"


class WithinScope(BasePermission):
    """Allow only requests within the token's scope (read-only access, or access to one study). Sessions have no
    scope.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        token = request.auth
        if not isinstance(token, ApiToken):
            return True
        if token.scope == ApiToken.Scope.READ and request.method not in SAFE_METHODS:
            raise exceptions.PermissionDenied("This token is read-only. Create a token that can also change studies.")
        if token.study and view.kwargs.get("study", token.study.public_id) != token.study.public_id:
            raise exceptions.NotFound
        if token.study and request.method not in SAFE_METHODS and _creates_study(view):
            raise exceptions.PermissionDenied("This token is limited to one study, so it cannot create studies.")
        return True


def _creates_study(view: APIView) -> bool:
    return "study" not in view.kwargs or getattr(view, "creates_study", False)


class IsAnnotator(BasePermission):
    """Allow only requests with a valid participation token."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return isinstance(request.auth, str)


def _may_have_left(user: User, now: datetime) -> bool:
    """Return whether the person may have lost the groups that give access, because Accord has not read them for
    `ACCORD_SSO_TOKEN_DAYS` days. People with local accounts need no groups.
    """
    if not settings.SSO_GROUPS:
        return False
    identity = SocialAccount.objects.filter(user=user, provider=settings.SSO_ISSUER).first()
    if identity is None:
        return bool(settings.SSO_ONLY)
    return now - identity.last_login > timedelta(days=settings.SSO_TOKEN_DAYS)


def _credential(request: Request, scheme: str) -> str | None:
    parts = get_authorization_header(request).decode("latin-1").split()
    return parts[1] if len(parts) == 2 and parts[0].lower() == scheme else None


class _TokenScheme(OpenApiAuthenticationExtension):
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token <key>`, a researcher's token from the console. Requests outside its scope "
            "get status 403, or 404 for another study. Requests with an expired token get status 401.",
        }


class _ParticipationScheme(OpenApiAuthenticationExtension):
    target_class = ParticipationAuthentication
    name = "participation"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Participation <token>`, the token in the annotator's page.",
        }
