"""The rate limit of the annotation API."""

from __future__ import annotations

from django.core.cache.backends.locmem import LocMemCache
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from annotate.server.addresses import client_network

MOST_COUNTED = 10_000  # annotators whose requests one process counts


class AnnotateThrottle(SimpleRateThrottle):
    """A rate limit that people never reach, but that stops a faulty script.

    Requests are counted in this process, because a count in Redis would cost as much as several answers.
    """

    scope = "annotate"
    cache = LocMemCache("annotation requests", {"OPTIONS": {"MAX_ENTRIES": MOST_COUNTED}})

    def get_cache_key(self, request: Request, view: APIView) -> str:
        return self.cache_format % {"scope": self.scope, "ident": request.auth or client_network(request)}
