"""The front page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def home(request: HttpRequest) -> HttpResponse:
    """Show the front page, with one entry point for annotators and one entry point for researchers."""
    return render(request, "annotate/home.html")
