"""The content security policy for a layout's frame.

The policy depends only on the study's options, which are in the signed URL of the frame. The frame therefore needs
neither a session nor the database.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core import signing
from django.urls import reverse

SALT = "layouts.frame"


def frame_url(hosts: Sequence[str], *, scripts: bool) -> str:
    """Return the URL of the page that runs a layout."""
    token = signing.Signer(salt=SALT).sign_object({"scripts": scripts, "hosts": list(hosts)})
    return reverse("layouts-frame", args=[token])


def read_token(token: str) -> dict[str, Any]:
    """Return the options in a frame's URL. Raises `BadSignature` if the URL was not created by this server."""
    options: dict[str, Any] = signing.Signer(salt=SALT).unsign_object(token)
    return options


def policy(loader: str, hosts: Sequence[str], *, scripts: bool) -> str:
    """Return a frame's policy. `loader` is the URL of Accord's own script in the frame.

    The frame has an opaque origin, so it cannot read cookies, storage or other pages. Forms cannot be sent anywhere.
    """
    files = " ".join(["data:", *hosts])
    own = ["'unsafe-inline'", "'unsafe-eval'", *hosts] if scripts else []
    directives = {
        "sandbox": "allow-scripts allow-forms",
        "default-src": "'none'",
        "script-src": " ".join([loader, *own]),
        "style-src": " ".join(["'unsafe-inline'", *hosts]),
        "img-src": files,
        "media-src": files,
        "font-src": files,
        "connect-src": " ".join(hosts) if scripts and hosts else "'none'",
        "form-action": "'none'",
        "base-uri": "'none'",
        "frame-ancestors": "'self'",
    }
    return "; ".join(f"{name} {value}" for name, value in directives.items())
