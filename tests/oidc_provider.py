"""An OpenID Connect provider for tests: `python tests/oidc_provider.py PORT`.

The pages and endpoints are those of oidc-provider-mock. This program signs the ID tokens again with its own key, so
that it can also issue tokens that a client must reject. It also demands PKCE, which oidc-provider-mock ignores.

The name of a person (`sub`) determines the fault, for example `wrong-nonce`. A name without a fault gets a valid token.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import time
import warnings
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

warnings.simplefilter("ignore")
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

import flask  # noqa: E402 - the warnings are turned off first
import oidc_provider_mock  # noqa: E402

KEY, OTHER_KEY = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))
FAULTS: dict[str, Callable[[], dict[str, Any]]] = {
    "wrong-audience": lambda: {"aud": "another-client"},
    "wrong-party": lambda: {"aud": ["accord", "another-client"], "azp": "another-client"},
    "wrong-issuer": lambda: {"iss": "https://issuer.example.org"},
    "wrong-nonce": lambda: {"nonce": "replayed"},
    "no-nonce": lambda: {"nonce": None},
    "expired": lambda: {"exp": int(time.time()) - 120},
    "not-asked-again": lambda: {"auth_time": int(time.time()) - 3600},
    "other-address": lambda: {"email": "victim@example.org", "email_verified": None},
    "other-person": lambda: {"sub": "somebody-else"},
}
_challenges: set[str] = set()
_moved_to: list[str] = []


def app() -> flask.Flask:
    """Return the WSGI application."""
    provider = oidc_provider_mock.app()
    provider.before_request(_check_pkce)
    provider.after_request(_sign_again)
    provider.after_request(_without_other_hosts)
    provider.view_functions["oidc-provider-mock.jwks"] = _keys
    provider.add_url_rule("/issuer", view_func=_move, methods=["PUT"])
    return provider


def _check_pkce() -> tuple[str, int] | None:
    request = flask.request
    if request.path == "/oauth2/authorize" and request.args.get("code_challenge_method") == "S256":
        _challenges.add(request.args["code_challenge"])
    if request.path == "/oauth2/token":
        digest = hashlib.sha256(request.form.get("code_verifier", "").encode()).digest()
        challenge = urlsafe_b64encode(digest).decode().rstrip("=")
        if challenge not in _challenges:
            return "The code verifier is missing or wrong.", 400
        _challenges.discard(challenge)
    return None


def _sign_again(response: flask.Response) -> flask.Response:
    if flask.request.path.startswith("/.well-known/") and _moved_to:
        response.set_data(json.dumps(json.loads(response.get_data()) | {"issuer": _moved_to[-1]}))
    if flask.request.path != "/oauth2/token" or response.status_code != 200:
        return response
    body = json.loads(response.get_data())
    claims = jwt.decode(body["id_token"], options={"verify_signature": False})
    fault = claims["sub"]
    claims |= FAULTS[fault]() if fault in FAULTS else {}
    claims = {name: value for name, value in claims.items() if value is not None}
    key = OTHER_KEY if fault == "wrong-key" else KEY
    body["id_token"] = jwt.encode(claims, key, algorithm="RS256", headers={"kid": "test"})
    if fault == "unsigned":
        body["id_token"] = jwt.encode(claims, None, algorithm="none", headers={"kid": "test"})
    if fault == "no-id-token":
        del body["id_token"]
    response.set_data(json.dumps(body))
    return response


def _without_other_hosts(response: flask.Response) -> flask.Response:
    """Remove the style sheet, which is on another host."""
    if response.mimetype == "text/html":
        response.set_data(re.sub(r"<link[^>]*>", "", response.get_data(as_text=True)))
    return response


def _move() -> tuple[str, int]:
    _moved_to[:] = [address] if (address := flask.request.get_data(as_text=True)) else []
    return "", 204


def _keys() -> flask.Response:
    public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key()))
    return flask.jsonify({"keys": [public | {"kid": "test", "use": "sig", "alg": "RS256"}]})


if __name__ == "__main__":
    import werkzeug.serving

    werkzeug.serving.make_server("127.0.0.1", int(sys.argv[1]), app(), threaded=True).serve_forever()
