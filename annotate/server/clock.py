"""The database clock, which each process can read without a query.

Web and worker processes on several machines must agree on the end of a lease or token, even if the clock of one machine
is wrong by hours. Each process measures the offset between its clock and the database's clock once, and again after its
clock was set, which shows as a difference between the wall clock and the monotonic clock. SQLite uses the clock of the
process.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime

from django.core.signing import SignatureExpired, TimestampSigner, b62_decode, b62_encode
from django.db import connection

JUMP = 1.0  # seconds; smaller changes of the clock do not cause a new measurement


class DatabaseClock:
    """The database's time, as calculated by this process."""

    def __init__(self) -> None:
        self._offset = 0.0
        self._epoch: float | None = None  # wall clock minus monotonic clock at the time of the measurement

    def seconds(self) -> float:
        """Return the database's current time in seconds since the Unix epoch."""
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
    """Return the database's current time in seconds since the Unix epoch."""
    return _clock.seconds()


def now() -> datetime:
    """Return the database's current time."""
    return datetime.fromtimestamp(seconds(), UTC)


class Signer(TimestampSigner):
    """A signer that uses the database's time, so that tokens from one web process are valid in all
    other web processes.
    """

    def timestamp(self) -> str:
        return b62_encode(int(seconds()))

    def unsign(self, value: str, max_age: float | None = None) -> str:  # type: ignore[override]
        """Return the signed value. Raise `BadSignature` if the signature is invalid, or `SignatureExpired` after
        `max_age` seconds.
        """
        unsigned = super().unsign(value)
        signed_at = b62_decode(value.rsplit(self.sep, 2)[1])
        if max_age is not None and seconds() - signed_at > max_age:
            raise SignatureExpired(f"The signature is older than {max_age:g} seconds.")
        return unsigned
