"""Tests that a demonstration accepts only the host names of this machine."""

import re
import socket
from pathlib import Path

import pytest

from annotate.server.own_names import own_names

DEMO = (Path(__file__).resolve().parents[2] / "script" / "demo").read_text()


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])  # noqa: S104
def test_a_server_on_every_address_answers_to_its_own_names(host: str) -> None:
    names = own_names(host)
    assert {"127.0.0.1", "localhost", "[::1]", socket.gethostname()} <= set(names)
    assert not any("*" in name or name.startswith(".") or not name for name in names)


@pytest.mark.parametrize(("host", "last"), [("192.0.2.7", "192.0.2.7"), ("2001:db8::7", "[2001:db8::7]")])
def test_a_server_on_one_address_answers_to_it(host: str, last: str) -> None:
    assert own_names(host) == ["127.0.0.1", "localhost", last]


def test_the_demonstration_takes_its_host_names_from_here() -> None:
    assert re.findall(r"hosts=(.*)", DEMO) == ['$(.venv/bin/python -m annotate.server.own_names "$host")']
