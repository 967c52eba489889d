"""Limits on sign-in attempts, so that passwords and second-factor codes cannot be guessed.

There are two limits, both counted in the cache:

- an address that fails five times on an account must wait 15 minutes before it can try that account again;
- after failures from many addresses, each address must wait between its attempts on that account, and longer with each
failure. The waiting time is per address, so that a stranger's attempts do not delay the owner.

Accounts that do not exist are limited in the same way, so that the limits do not show which accounts exist.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from allauth.core.exceptions import ImmediateHttpResponse
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.dispatch import Signal
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.crypto import salted_hmac

from annotate.server.addresses import client_network

FAILURES_PER_ADDRESS = 5  # on one account, within `WAIT_OF_ADDRESS`
WAIT_OF_ADDRESS = 15 * 60  # seconds
FAILURES_PER_ACCOUNT = 10  # from all addresses, before every address must wait between attempts
SECONDS_PER_FAILURE = 2  # by which the waiting time grows with each further failure


_NOTED_EVERY = 60  # seconds; shortest time between two log lines about refusals

attempt_refused = Signal()  # arguments: secret, account


@dataclass(frozen=True)
class Secret:
    """A kind of secret.

    Failures are counted for `remembered` seconds, and attempts wait at most `longest_wait` seconds.
    """

    name: str
    remembered: int
    longest_wait: int


PASSWORD = Secret("password", 3600, 60)
# A second-factor code has only six digits, and anyone who is asked for one already knows the password.
CODE = Secret("code", 24 * 3600, 15 * 60)


def admit(request: HttpRequest, secret: Secret, account: str) -> None:
    """Count an attempt, or raise `ImmediateHttpResponse` with status 429 if the client must wait."""
    if wait := _wait_of_account(request, secret, account) or _wait_of_address(request, secret, account):
        if cache.add(_key(secret, account, client_network(request), "noted"), 1, _NOTED_EVERY):
            attempt_refused.send(sender=Secret, secret=secret, account=account)
        raise ImmediateHttpResponse(too_many_requests(request, wait))


def failed(secret: Secret, account: str) -> None:
    """Count a failed attempt for the account."""
    _count(_key(secret, account), secret.remembered)


def succeeded(request: HttpRequest, secret: Secret, account: str) -> None:
    """Reset the count of failed sign-in attempts for this account from this address."""
    for part in ("tries", "until"):
        cache.delete(_key(secret, account, client_network(request), part))


@contextmanager
def limited(request: HttpRequest, secret: Secret, account: str) -> Iterator[None]:
    """Apply the limits to one sign-in attempt. An attempt counts as failed if the block raises `ValidationError`."""
    admit(request, secret, account)
    try:
        yield
    except ValidationError:
        failed(secret, account)
        raise
    succeeded(request, secret, account)


def too_many_requests(request: HttpRequest, wait: int = 60) -> HttpResponse:
    """Return a page with status 429 that states how long the client must wait."""
    response = render(request, "429.html", {"wait": wait, "minutes": math.ceil(wait / 60)}, status=429)
    response["Retry-After"] = str(wait)
    return response


def _wait_of_account(request: HttpRequest, secret: Secret, account: str) -> int:
    excess = cache.get(_key(secret, account), 0) - FAILURES_PER_ACCOUNT
    wait = min(excess * SECONDS_PER_FAILURE, secret.longest_wait)
    if wait <= 0:
        return 0
    turn = _key(secret, account, client_network(request), "turn")
    now = time.time()
    if cache.add(turn, now + wait, wait + WAIT_OF_ADDRESS):
        return wait
    left = math.ceil(cache.get(turn, now) - now)
    if left > 0:
        return left
    return 0 if cache.delete(turn) else 1  # only one of two simultaneous requests can attempt


def _wait_of_address(request: HttpRequest, secret: Secret, account: str) -> int:
    tries, until = (_key(secret, account, client_network(request), part) for part in ("tries", "until"))
    now = time.time()
    cache.add(until, now + WAIT_OF_ADDRESS, WAIT_OF_ADDRESS)
    if _count(tries, WAIT_OF_ADDRESS) <= FAILURES_PER_ADDRESS:
        return 0
    return max(1, math.ceil(cache.get(until, now) - now))


def _count(key: str, seconds: int) -> int:
    cache.add(key, 0, seconds)
    try:
        return cache.incr(key)
    except ValueError:  # the key expired in between
        return 1


def _key(secret: Secret, account: str, *parts: str) -> str:
    text = "\n".join((account.strip().lower(), *parts))
    return f"sign-in:{secret.name}:{salted_hmac('annotate.sign-in-limits', text, algorithm='sha256').hexdigest()}"
