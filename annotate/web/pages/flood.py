"""Rate limits per client address for joining a study, entering resume codes and opening report links."""

from __future__ import annotations

import time

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext

from annotate.models import Participation, Study
from annotate.server.addresses import client_network
from annotate.server.refusals import Refused

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}  # by the first letter of the period


def limit_joining(request: HttpRequest, study: Study) -> None:
    """Count a new participation from this address. Raise `Refused` (429) if the number of participations exceeds the
    limit `ACCORD_THROTTLE_JOIN`.
    """
    _count(settings.THROTTLE_JOIN, "join", study.public_id, client_network(request))


def limit_codes(request: HttpRequest) -> None:
    """Count one resume code entered from this address. Raise `Refused` (429) if the number of codes exceeds the limit
    `ACCORD_THROTTLE_RESUME`.
    """
    _count(settings.THROTTLE_RESUME, "resume", client_network(request))


def limit_group_codes(request: HttpRequest, *, wrong: bool) -> None:
    """Count a wrong group code from this address. Raise `Refused` (429), even for a correct code, if the number of
    wrong codes exceeds the limit `ACCORD_THROTTLE_RESUME`. Correct codes do not count, so that a whole class can join.
    """
    _count(settings.THROTTLE_RESUME, "group", client_network(request), events=int(wrong))


def limit_own_mails(participation: Participation, email: str) -> None:
    """Count one e-mail that an annotator sends to a chosen address. Raise `Refused` (429) after five e-mails from one
    annotator or to one address in a day, so that nobody can use Accord to send spam.

    Anyone can join an open study several times, so a limit per annotator alone would not protect the address.
    """
    _count(["5/day"], "own mail", participation.public_id)
    _count(["5/day"], "own mail to", email.lower())


def limit_shared_reports(request: HttpRequest) -> None:
    """Count one visit to a shared report from this address. Raise `Refused` (429) if the number of visits exceeds the
    limit `ACCORD_THROTTLE_SHARED`.
    """
    _count(settings.THROTTLE_SHARED, "shared", client_network(request))


def _count(rates: list[str], *names: str, events: int = 1) -> None:
    """Count events in each time window. If there are no events, only check whether the limit allows another one.

    The counters are atomic. The limits do not apply while the cache is unavailable.
    """
    now = time.time()
    waits = []
    for rate in rates:
        allowed, seconds = parsed(rate)
        window = int(now // seconds)
        text = "\n".join((*names, rate, str(window)))
        key = f"flood:{salted_hmac('annotate.flood', text, algorithm='sha256').hexdigest()}"
        cache.add(key, 0, seconds)
        try:
            used = cache.incr(key, events)
        except ValueError:  # the window ended in the meantime
            used = events
        if used + (1 - events) > allowed:
            waits.append((window + 1) * seconds - now)
    if waits:
        minutes = max(1, -int(-max(waits) // 60))
        raise Refused(
            "too-many",
            ngettext(
                "Too many requests came from your network. Try again in %(minutes)d minute.",
                "Too many requests came from your network. Try again in %(minutes)d minutes.",
                minutes,
            )
            % {"minutes": minutes},
            status=429,
        )


def parsed(rate: str) -> tuple[int, int]:
    """Return the number of events and the number of seconds in a rate such as `20/min`."""
    number, _slash, period = rate.partition("/")
    return int(number), SECONDS[period[0]]
