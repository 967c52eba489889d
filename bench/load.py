"""A small load generator with one process, one loop and raw sockets, so that the clients need little CPU time.

Each client keeps one connection, and sends its next request after the previous response, either immediately or after a
pause.
"""

from __future__ import annotations

import heapq
import json
import selectors
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

Next = Callable[[Any], tuple[str, str, Any]]


@dataclass
class Client:
    """A client whose `script` turns the last response (None at first) into the next request: method, path, JSON
    body."""

    script: Next
    token: str = ""
    connection: socket.socket = field(default_factory=lambda: socket.socket())
    sent_at: float = 0.0
    received: bytes = b""
    reply: Any = None

    def request(self) -> bytes:
        method, path, body = self.script(self.reply)
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(data)}\r\n"
        head += "Content-Type: application/json\r\n" if data else ""
        head += f"Authorization: Participation {self.token}\r\n" if self.token else ""
        return head.encode() + b"\r\n" + data

    def complete(self) -> bool:
        """Return whether a complete response has arrived. Raise AssertionError unless its status is 2xx."""
        head, separator, body = self.received.partition(b"\r\n\r\n")
        if not separator:
            return False
        lowered = head.lower()
        length = int(lowered.partition(b"content-length:")[2].partition(b"\r\n")[0] or 0)
        if len(body) < length:
            return False
        assert b" 2" in head[:10], self.received[:400]
        self.reply = json.loads(body) if body else None
        self.received = b""
        return True


def run(port: int, clients: Sequence[Client], seconds: float, *, pause: float = 0.0) -> list[float]:
    """Run all clients for `seconds`, and return the response times in seconds."""
    times: list[float] = []
    waiting: list[tuple[float, int]] = []
    with selectors.DefaultSelector() as selector:
        for number, client in enumerate(clients):
            client.connection = socket.create_connection(("127.0.0.1", port))
            client.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            selector.register(client.connection, selectors.EVENT_READ, client)
            heapq.heappush(waiting, (time.perf_counter() + pause * number / len(clients), number))
        numbers = {id(client): number for number, client in enumerate(clients)}
        end = time.perf_counter() + seconds
        while (now := time.perf_counter()) < end:
            while waiting and waiting[0][0] <= now:
                client = clients[heapq.heappop(waiting)[1]]
                client.sent_at = time.perf_counter()
                client.connection.sendall(client.request())
            due = waiting[0][0] if waiting else end
            for key, _ in selector.select(max(0.0, min(due, end) - time.perf_counter())):
                client = key.data
                data = client.connection.recv(1 << 18)
                assert data, "the server closed a connection"
                client.received += data
                if client.complete():
                    times.append(time.perf_counter() - client.sent_at)
                    heapq.heappush(waiting, (time.perf_counter() + pause, numbers[id(client)]))
        for client in clients:
            client.connection.close()
    return times
