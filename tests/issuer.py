"""A running OpenID Connect provider (`tests/oidc_provider.py`), and sign-ins with it, for tests of single sign-on."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode, urlsplit

import redis as redis_client
from django.http import HttpResponse
from django.test import Client

from tests import servers

PROGRAM = Path(__file__).parent / "oidc_provider.py"
START, CALLBACK = "/accounts/sso/", "/accounts/sso/callback/"


class Issuer:
    """The running provider. People sign in there by their name alone."""

    def __init__(self, server: servers.Server) -> None:
        self.server, self.url = server, server.url

    def add(self, sub: str, **claims: Any) -> None:
        """Add a person, or replace the person's claims."""
        usual = {"email": f"{sub}@example.org", "email_verified": True, "name": sub.capitalize()}
        response = self._send("PUT", f"/users/{sub}", json.dumps(usual | claims), "application/json")
        assert response.status == 204, response.read()

    def move(self, address: str) -> None:
        """Let the discovery document name this address as its issuer. An empty address means its own again."""
        assert self._send("PUT", "/issuer", address, "text/plain").status == 204

    def enter(self, authorization: str, name: str, **fields: str) -> str:
        """Sign in on the provider's page, and return the address to which the provider redirects."""
        parts = urlsplit(authorization)
        form = urlencode({"sub": name, **fields})
        response = self._send("POST", f"{parts.path}?{parts.query}", form, "application/x-www-form-urlencoded")
        location = response.getheader("Location")
        assert location is not None, response.read()
        return location

    def _send(self, method: str, path: str, body: str, kind: str) -> HTTPResponse:
        connection = HTTPConnection(str(urlsplit(self.url).netloc))
        connection.request(method, path, body, {"Content-Type": kind})
        return connection.getresponse()


def begin(client: Client, **form: str) -> str:
    """Choose single sign-on, and return the address of the provider's page."""
    response = client.post(START, form)
    assert response.status_code == 200, response
    return str(response.context["url"])


def sign_in_with(issuer: Issuer, client: Client, name: str, **form: str) -> HttpResponse:
    """Sign in as a person whom the provider knows, and return Accord's response."""
    parts = urlsplit(issuer.enter(begin(client, **form), name))
    return client.get(f"{parts.path}?{parts.query}")


@contextmanager
def running_issuer() -> Iterator[Issuer]:
    """Run the provider on a free port."""
    port = servers.free_port()
    with TemporaryDirectory() as folder:

        def answers() -> None:
            connection = HTTPConnection("127.0.0.1", port)
            try:
                connection.request("GET", "/jwks")
                connection.getresponse().read()
            except OSError as error:
                raise redis_client.ConnectionError from error  # for which the server is waited
            finally:
                connection.close()

        command: list[object] = [sys.executable, PROGRAM, port]
        server = servers.Server(f"http://127.0.0.1:{port}", command, Path(folder), None, answers)
        server.start()
        try:
            yield Issuer(server)
        finally:
            server.end()
