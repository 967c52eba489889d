"""The OpenID Connect issuer: requests to it, and the verification of its claims about a person.

django-allauth makes the requests, with PKCE and a state that is bound to the browser. This module adds
the missing checks: it compares the issuer's name, verifies the signature and the nonce of the ID token, and
compares the subject with that of the user information (OpenID Connect Core 1.0, 3.1.3.7 and 5.3.2).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import jwt
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
LEEWAY_SECONDS = 60  # by which the clocks of the issuer and of Accord can differ
LONGEST_SUBJECT = 191  # characters in the column `uid` of django-allauth
REQUIRED = ["iss", "sub", "aud", "exp", "iat"]


class Issuer(OpenIDConnectOAuth2Adapter):
    """The requests to the issuer during one sign-in.

    All methods raise `OSError` if the issuer does not respond, and `OAuth2Error` if a response is not valid.
    """

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request, settings.SSO_ISSUER)

    @cached_property
    def openid_config(self) -> dict[str, Any]:
        """The issuer's discovery document."""
        config = self._get_json(f"{settings.SSO_ISSUER.rstrip('/')}/.well-known/openid-configuration")
        if str(config.get("issuer")).rstrip("/") != settings.SSO_ISSUER.rstrip("/"):
            raise OAuth2Error(f"The discovery document names another issuer: {config.get('issuer')}")
        return config

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        return f"{settings.SITE_URL}{reverse('sso-callback')}"

    def complete_login(self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any) -> SocialLogin:
        """Return the sign-in, with the claims about the person in `claims`. No claims are stored."""
        verified = self._verify(str(kwargs["response"].get("id_token", "")))
        claims = verified
        if "userinfo_endpoint" in self.openid_config:
            user_information = self._fetch_user_info(token.token)
            if user_information.get("sub") != verified["sub"]:
                raise OAuth2Error("The user information is about another person")
            claims = {**user_information, **verified}
            if claims.get("email") != user_information.get("email"):  # whose confirmation is about another address
                claims["email_verified"] = verified.get("email_verified")
        login = self.get_provider().sociallogin_from_response(request, claims)
        login.claims = claims
        login.account.extra_data = {}
        return login

    def _verify(self, id_token: str) -> dict[str, Any]:
        """Return the claims in an ID token after verifying its signature, issuer, audience and times."""
        try:
            keys = jwt.PyJWKSet.from_dict(self._get_json(self.openid_config["jwks_uri"])).keys
            kid = jwt.get_unverified_header(id_token).get("kid")
            key = next((key for key in keys if kid in (None, key.key_id)), None)
            if key is None:
                raise OAuth2Error("The issuer has no key with the ID of the token's key")
            claims = jwt.decode(
                id_token,
                key,
                algorithms=ALGORITHMS,
                audience=settings.SSO_CLIENT_ID,
                issuer=self.openid_config["issuer"],
                leeway=LEEWAY_SECONDS,
                options={"require": REQUIRED},
            )
        except jwt.PyJWTError as error:
            raise OAuth2Error(f"The ID token is not valid: {error}") from error
        if claims.get("azp", settings.SSO_CLIENT_ID) != settings.SSO_CLIENT_ID:
            raise OAuth2Error("The ID token was issued to another client")
        if len(claims["sub"]) > LONGEST_SUBJECT:
            raise OAuth2Error(f"The subject has more than {LONGEST_SUBJECT} characters")
        return claims

    def _get_json(self, url: str) -> dict[str, Any]:
        with get_adapter().get_requests_session() as session:
            response = session.get(url)
            response.raise_for_status()
        document = response.json()
        if not isinstance(document, dict):
            raise OAuth2Error(f"The response is not a JSON object: {url}")
        return document


class Provider(OpenIDConnectProvider):
    """The issuer from the settings. Identities belong to this issuer, so another issuer's identities never match."""

    def __init__(self, request: HttpRequest) -> None:
        app = SocialApp(
            provider=self.id,
            provider_id=settings.SSO_ISSUER,
            name=settings.SSO_NAME,
            client_id=settings.SSO_CLIENT_ID,
            secret=settings.SSO_CLIENT_SECRET,
            settings={"oauth_pkce_enabled": True, "scope": settings.SSO_SCOPES},
        )
        super().__init__(request, app=app)

    def get_oauth2_adapter(self, request: HttpRequest) -> Issuer:
        return Issuer(request)
