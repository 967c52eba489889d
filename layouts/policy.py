"""The script and the content security policy of a layout's frame.

The policy depends only on the study's options, which are in the signed URL of the frame. The frame therefore needs
neither a session nor the database, and browsers can keep it for questions that are opened without a connection.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.core import signing
from django.urls import reverse

SALT = "layouts.frame"
# The script is part of the frame's page, because browsers do not cache files for pages with an opaque origin.
SCRIPT = (Path(__file__).parent / "static" / "layouts" / "dist" / "frame.js").read_text(encoding="utf-8")
DIGEST = b64encode(sha256(SCRIPT.encode()).digest()).decode()


def frame_url(hosts: Sequence[str], *, scripts: bool) -> str:
    """Return the URL of the page that runs a layout. Another script has another URL, because browsers keep the page."""
    token = signing.Signer(salt=SALT).sign_object({"scripts": scripts, "hosts": list(hosts), "script": DIGEST[:8]})
    return reverse("layouts-frame", args=[token])


def read_token(token: str) -> dict[str, Any]:
    """Return the options in a frame's URL. Raises `BadSignature` if the URL was not created by this server."""
    options: dict[str, Any] = signing.Signer(salt=SALT).unsign_object(token)
    return options


def policy(hosts: Sequence[str], *, scripts: bool) -> str:
    """Return a frame's policy. Without `scripts`, only Accord's own script runs.

    The frame has an opaque origin, so it cannot read cookies, storage or other pages. Forms cannot be sent anywhere.
    """
    files = " ".join(["data:", *hosts])
    code = ["'unsafe-inline'", "'unsafe-eval'", *hosts] if scripts else [f"'sha256-{DIGEST}'"]
    directives = {
        "sandbox": "allow-scripts allow-forms",
        "default-src": "'none'",
        "script-src": " ".join(code),
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
