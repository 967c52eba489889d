"""Tests that HEAD and GET mix on the connections of a real nginx in front of a real web process."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.project.test_embedded import environment, serving
from tests.project.test_proxy import Proxy, in_front_of
from tests.raw_http import Connection, Reply, over_tls

__all__ = ["environment"]  # a fixture
CLIENTS = 8
LONGEST = 500  # requests per connection; nginx closes connections after 1,000
PATHS = [
    "/help/",
    "/api/v1/studies",
    "/healthz",
    "/join/none",
    "/login/1/none/",
    "/nothing/here",
    "/static/dist/console.css",
]


@pytest.fixture
def proxy(environment: dict[str, str], tmp_path: Path) -> Iterator[Proxy]:
    folder = tmp_path / "nginx"
    folder.mkdir()
    with serving(environment, tmp_path / "log") as (url, _), in_front_of(port_of(url), folder) as running:
        yield running


@pytest.mark.nightly
def test_head_and_get_mix_on_shared_connections(proxy: Proxy) -> None:
    assert mixed_requests(proxy, 50) == Counter(answered=CLIENTS * 50)


@pytest.mark.nightly
def test_10_000_mixed_requests_have_no_failure(proxy: Proxy) -> None:
    assert mixed_requests(proxy, 1_250) == Counter(answered=10_000)


def port_of(url: str) -> int:
    return int(url.rpartition(":")[2])


def mixed_requests(proxy: Proxy, each: int) -> Counter[str]:
    """Send requests from several clients at once, some of them pipelined, and count the replies that are right."""
    with over_tls(proxy.https) as connection:
        right = {path: ask(connection, ["GET"], [path])[0] for path in PATHS}

    def client(seed: int) -> Counter[str]:
        draw, counted = random.Random(seed), Counter[str]()
        while counted.total() < each:
            counted += one_connection(draw, min(each - counted.total(), LONGEST))
        return counted

    def one_connection(draw: random.Random, requests: int) -> Counter[str]:
        counted = Counter[str]()
        with over_tls(proxy.https) as connection:
            while counted.total() < requests:
                number = min(draw.choice([1, 1, 2, 4]), requests - counted.total())
                methods, paths = draw.choices(["HEAD", "GET"], k=number), draw.choices(PATHS, k=number)
                for method, path, reply in zip(methods, paths, ask(connection, methods, paths), strict=True):
                    counted[outcome(method, reply, right[path])] += 1
        return counted

    with ThreadPoolExecutor(CLIENTS) as clients:
        return sum(clients.map(client, range(CLIENTS)), Counter[str]())


def ask(connection: Connection, methods: list[str], paths: list[str]) -> list[Reply]:
    """Send all requests at once, and read their replies."""
    lines = [
        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n\r\n" for method, path in zip(methods, paths, strict=True)
    ]
    connection.send("".join(lines).encode())
    return [connection.reply(method) for method in methods]


def outcome(method: str, reply: Reply, right: Reply) -> str:
    if (reply.status, reply.headers["Content-Type"]) != (right.status, right.headers["Content-Type"]):
        return f"{method} {reply.status} instead of {right.status} {right.headers}"
    if reply.headers.get("Content-Length") != right.headers.get("Content-Length"):
        return f"{method} with another length"
    if len(reply.body) != (0 if method == "HEAD" else len(right.body)):
        return f"{method} with another body"
    return "answered"
