"""Functions that recognise phones and tablets."""

from __future__ import annotations

from django.http import HttpRequest


def is_handheld(request: HttpRequest) -> bool:
    """Return whether the request comes from a phone or tablet, according to the browser's headers.

    Some tablets send the headers of a computer, and Accord cannot recognise these tablets.
    """
    hint = request.headers.get("Sec-CH-UA-Mobile", "")
    agent = request.headers.get("User-Agent", "")
    return hint == "?1" or any(sign in agent for sign in ("Mobi", "Android", "iPad"))
