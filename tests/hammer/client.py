"""An HTTP client that repeats each request until the server has responded.

The client sends some requests twice at the same time, and cuts some connections during the request or before the
response.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from .tally import Tally

REPLY_WITHIN = 30.0  # seconds until the client gives a request up and sends it again
PAUSE = 0.25  # seconds before a request is sent again
CUT, TWICE = 0.01, 0.02  # shares of the requests


class Stuck(Exception):
    """Error raised if the server has not recovered without intervention."""


@dataclass(frozen=True)
class Reply:
    """A final response, with a status other than 429 and 5xx. `at_once` is true if the request was sent only once.
    `whole` is true if the response was read completely.
    """

    status: int
    body: Any
    at_once: bool
    whole: bool = True

    @property
    def ok(self) -> bool:
        return self.status < 300

    @property
    def code(self) -> str:
        return str(self.body.get("code", self.status)) if isinstance(self.body, dict) else str(self.status)


class Client:
    """The consecutive requests of several people over one persistent connection."""

    def __init__(self, port: int, tally: Tally, dice: Random, *, mishaps: bool, stuck_after: float) -> None:
        self.port, self.tally, self.dice, self.mishaps, self.stuck_after = port, tally, dice, mishaps, stuck_after
        self._idle_connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        authorization: str,
        mishaps: bool = True,
        unsure: Callable[[], None] = lambda: None,
        headers: str = "",
        download: bool = False,
    ) -> Reply:
        """Send the request until there is a response, and call `unsure` if the first attempt gets no response.

        A `download` may take longer than the time between two faults, so a fault may end it after its first bytes.
        Raises `Stuck` if there is no reply after `stuck_after` seconds.
        """
        request = _bytes(method, path, body, authorization, headers)
        attempts, failed_at = 0, None
        if mishaps and self.mishaps and self.dice.random() < CUT:
            attempts, failed_at = 1, time.monotonic()
            unsure()
            await self._cut(request)
        while True:
            attempts += 1
            twice = mishaps and self.mishaps and attempts == 1 and self.dice.random() < TWICE
            status, text, whole = await self._attempt(request, twice=twice, download=download)
            if status is not None and status < 500 and status != 429:
                if failed_at is not None:
                    self.tally.recovered(time.monotonic() - failed_at)
                reply = Reply(status, _parsed(text), attempts == 1 and not twice, whole)
                if not reply.ok:
                    self.tally.refusals[f"{status} {reply.code}"] += 1
                return reply
            if failed_at is None:
                failed_at = time.monotonic()
                unsure()
            if time.monotonic() - failed_at > self.stuck_after:
                raise Stuck(f"{method} {path}: {status} {text[:200]!r}")
            await asyncio.sleep(PAUSE)

    def close(self) -> None:
        if self._idle_connection is not None:
            self._idle_connection[1].close()
            self._idle_connection = None

    async def _attempt(self, request: bytes, *, twice: bool, download: bool) -> tuple[int | None, bytes, bool]:
        """Send one request, or the same request twice at the same time. The status is None if there is no response."""
        tries = [self._once(request, fresh=False, download=download)]
        if twice:
            self.tally.twice += 1
            tries.append(self._once(request, fresh=True, download=download))
        replies = await asyncio.gather(*tries)
        return min(replies, key=lambda reply: reply[0] or 999)

    async def _once(self, request: bytes, *, fresh: bool, download: bool) -> tuple[int | None, bytes, bool]:
        self.tally.requests += 1
        began = time.monotonic()
        connection, status = None, None
        try:
            async with asyncio.timeout(REPLY_WITHIN):
                connection = None if fresh else self._idle_connection
                self._idle_connection = self._idle_connection if fresh else None
                connection = connection or await asyncio.open_connection("127.0.0.1", self.port)
                connection[1].write(request)
                head = (await connection[0].readuntil(b"\r\n\r\n")).lower()
                status, lasting = int(head[9:12]), b"\r\nconnection: close" not in head
                text = await _body(connection[0], status, head)
        except (OSError, EOFError, asyncio.LimitOverrunError, TimeoutError) as error:
            if connection is not None:
                connection[1].close()
            if download and status == 200:
                return status, b"", False
            self.tally.failures[f"no reply ({type(error).__name__})"] += 1
            return None, b"", False
        if fresh or not lasting:
            connection[1].close()
        else:
            self._idle_connection = connection
        if status >= 500 or status == 429:
            parsed = _parsed(text)
            self.tally.failures[f"{status} {parsed.get('code', '') if isinstance(parsed, dict) else ''}".strip()] += 1
            if status == 500:
                self.tally.errors += 1
        else:
            self.tally.slowest = max(self.tally.slowest, time.monotonic() - began)
        return status, text, True

    async def _cut(self, request: bytes) -> None:
        """Send the request completely or in part, and close the connection before the response."""
        self.tally.cut += 1
        self.tally.requests += 1
        part = len(request) if self.dice.random() < 0.5 else self.dice.randrange(1, len(request))
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return  # the server is away: the request is as good as cut
        writer.write(request[:part])
        await asyncio.sleep(0)
        writer.transport.abort() if self.dice.random() < 0.5 else writer.close()


async def _body(reader: asyncio.StreamReader, status: int, head: bytes) -> bytes:
    """Read the body that belongs to these response headers, which are in lower case."""
    at = head.find(b"\r\ncontent-length:")
    if at >= 0:
        return await reader.readexactly(int(head[at + 17 : head.index(b"\r\n", at + 2)]))
    if b"\r\ntransfer-encoding: chunked" in head:
        return await _chunks(reader)
    return b"" if status == 204 else await reader.read()


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    parts = []
    while size := int(await reader.readuntil(b"\r\n"), 16):  # raises IncompleteReadError if the server is gone
        parts.append(await reader.readexactly(size))
        await reader.readexactly(2)
    await reader.readexactly(2)
    return b"".join(parts)


def _bytes(method: str, path: str, body: Any, authorization: str, headers: str) -> bytes:
    text = b"" if body is None else json.dumps(body).encode()
    head = (
        f"{method} /api/v1/{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: {authorization}\r\n{headers}"
        f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
    )
    return head.encode() + text


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text) if text else {}
    except ValueError:
        return {}  # an export, or an error page of the web server itself
