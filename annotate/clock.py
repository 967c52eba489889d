"""The database's clock, without a query each time.

Web and worker processes on several machines must agree on when a lease or a token ends, even if the clock of one
machine is hours off. Each process measures once how far its clock is from the database's, and again if its clock has
been set since: then the wall clock and the monotonic clock have moved apart. SQLite has no clock of its own.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime

from django.core.signing import SignatureExpired, TimestampSigner, b62_decode, b62_encode
from django.db import connection

JUMP = 1.0  # seconds; a clock that is off by less than this is not measured again


class DatabaseClock:
    """The database's time as seen from this process."""

    def __init__(self) -> None:
        self._offset = 0.0
        self._epoch: float | None = None  # of the monotonic clock, when the offset was measured

    def seconds(self) -> float:
        """Seconds since 1970."""
        if connection.vendor == "sqlite":
            return time.time()
        epoch = time.time() - time.monotonic()
        if self._epoch is None or abs(epoch - self._epoch) > JUMP:
            with connection.cursor() as cursor:
                cursor.execute("SELECT EXTRACT(EPOCH FROM clock_timestamp())")
                self._offset = float(cursor.fetchone()[0]) - time.time()
            self._epoch = epoch
        return time.time() + self._offset


_clock = DatabaseClock()


def seconds() -> float:
    """Seconds since 1970 by the database's clock."""
    return _clock.seconds()


def now() -> datetime:
    """The time by the database's clock."""
    return datetime.fromtimestamp(seconds(), UTC)


class Signer(TimestampSigner):
    """Signs with the database's time, so that a token that one web process signed is valid in another."""

    def timestamp(self) -> str:
        return b62_encode(int(seconds()))

    def unsign(self, value: str, max_age: float | None = None) -> str:  # type: ignore[override]
        """The signed value. Raises `BadSignature`, or `SignatureExpired` after `max_age` seconds."""
        unsigned = super().unsign(value)
        signed_at = b62_decode(value.rsplit(self.sep, 2)[1])
        if max_age is not None and seconds() - signed_at > max_age:
            raise SignatureExpired(f"The signature is older than {max_age:g} seconds.")
        return unsigned
