"""Tests of the requests that deliver webhooks: public addresses only, no redirects, and limits on time and size."""

import datetime
import http.server
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from annotate.server import outgoing as webhook_requests
from annotate.server import public_addresses
from annotate.server.outgoing import post
from annotate.server.public_addresses import NotPublic, is_public, public_address

PRIVATE = [
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),  # noqa: S104
    *("192.0.0.170", "192.88.99.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
    *("::1", "::", "fe80::1", "fe80::1%eth0", "fec0::1", "fd00::1", "ff02::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:1::"),
    *("", "localhost", "example.org"),
]


@pytest.mark.parametrize("address", PRIVATE)
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "193.0.6.139", "2001:4860:4860::8888", "2a00:1450:4001:80b::200e"])
def test_public_addresses(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "2130706433", "0x7f.1", "127.1", "localhost", "::1", "::ffff:127.0.0.1", "no-such-host.invalid"],
)
def test_hosts_in_every_spelling_are_resolved_before_the_check(host: str) -> None:
    with pytest.raises(NotPublic, match=r"public address|could not be resolved"):
        public_address(host, 443)


def resolves_to(monkeypatch: pytest.MonkeyPatch, *results: list[str]) -> list[str]:
    """Let each resolution of a name return the next list of addresses. Return the list of the resolved names."""
    names: list[str] = []

    def resolve(host: str, port: int, **options: Any) -> list[Any]:
        names.append(host)
        addresses = results[min(len(names), len(results)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(public_addresses, "getaddrinfo", resolve)
    return names


def test_one_private_address_among_public_ones_is_enough_to_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    resolves_to(monkeypatch, ["93.184.215.14", "10.0.0.1"])
    result = post("https://example.org/", b"{}", {})
    assert result.status is None
    assert "does not have a public address" in result.error


def test_the_connection_goes_to_the_checked_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second resolution would return a private address, as in DNS rebinding."""
    names = resolves_to(monkeypatch, ["93.184.215.14"], ["127.0.0.1"])
    connected: list[tuple[str, int]] = []

    def connect(address: tuple[str, int], timeout: float) -> socket.socket:
        connected.append(address)
        raise ConnectionRefusedError("refused")

    monkeypatch.setattr(webhook_requests.socket, "create_connection", connect)
    assert "refused" in post("https://example.org/", b"{}", {}).error
    assert (names, connected) == (["example.org"], [("93.184.215.14", 443)])


class Receiver(http.server.BaseHTTPRequestHandler):
    """A receiver whose response depends on the path."""

    received: ClassVar[list[tuple[str, str, bytes]]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.received.append((self.path, self.headers["Host"], body))
        getattr(self, self.path[1:].partition("?")[0])()

    def fine(self) -> None:
        self.send_response(204)
        self.end_headers()

    def elsewhere(self) -> None:
        self.send_response(307)
        self.send_header("Location", "/fine")
        self.end_headers()

    def huge(self) -> None:
        self.send_response(500)
        self.end_headers()
        for _ in range(100_000):
            self.wfile.write(b"x" * 10_000)

    def slow(self) -> None:
        """Send a byte again and again, which would never exceed the timeout of a socket."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not self.server.closing.wait(0.01):  # type: ignore[attr-defined]
            self.wfile.write(b"x")
            self.wfile.flush()

    def endless(self) -> None:
        while True:
            self.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)

    def log_message(self, *arguments: Any) -> None:
        """Write no log."""


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """Return `start(context=None)`, which starts a receiver, with TLS if there is a context, and returns its URL."""
    servers = []

    def start(context: ssl.SSLContext | None = None) -> str:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        server.closing = threading.Event()  # type: ignore[attr-defined]
        server.handle_error = lambda *arguments: None  # type: ignore[method-assign]  # clients leave early
        server.daemon_threads = True
        if context:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        servers.append(server)
        return f"{'https' if context else 'http'}://hooks.example.org:{server.server_port}"

    Receiver.received.clear()
    resolves_to(monkeypatch, ["127.0.0.1"])
    monkeypatch.setattr(public_addresses, "is_public", lambda address: True)
    yield start
    for server in servers:
        server.closing.set()
        server.shutdown()
        server.server_close()


def test_a_delivery_sends_the_body_and_the_name_of_the_host(receiver: Callable[..., str]) -> None:
    url = receiver()
    assert post(f"{url}/fine?key=1", b'{"a": 1}', {"Content-Type": "application/json"}).delivered
    assert Receiver.received == [("/fine?key=1", url.removeprefix("http://"), b'{"a": 1}')]


def test_redirects_are_not_followed(receiver: Callable[..., str]) -> None:
    result = post(f"{receiver()}/elsewhere", b"{}", {})
    assert (result.status, result.delivered) == (307, False)
    assert "redirect" in result.error
    assert [path for path, *_ in Receiver.received] == ["/elsewhere"]


def test_only_the_start_of_a_huge_response_is_read(receiver: Callable[..., str]) -> None:
    result = post(f"{receiver()}/huge", b"{}", {})
    assert result.status == 500
    assert len(result.error) <= 500


@pytest.mark.parametrize("path", ["slow", "endless"])
def test_the_time_limit_holds_for_the_whole_response(path: str, receiver: Callable[..., str]) -> None:
    result = post(f"{receiver()}/{path}", b"{}", {}, seconds=0.3)
    assert result.status is None
    assert "did not respond within 0.3 seconds" in result.error


def test_the_time_limit_holds_if_the_connection_opens_at_its_end(
    receiver: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = socket.create_connection

    def late(*arguments: Any) -> socket.socket:
        opened = connect(*arguments)
        time.sleep(0.4)
        return opened

    monkeypatch.setattr(webhook_requests.socket, "create_connection", late)
    assert "did not respond" in post(f"{receiver()}/slow", b"{}", {}, seconds=0.3).error


def test_a_receiver_that_is_not_there(receiver: Callable[..., str]) -> None:
    with closing(socket.socket()) as unused:
        unused.bind(("127.0.0.1", 0))
        result = post(f"http://hooks.example.org:{unused.getsockname()[1]}/", b"{}", {})
    assert result.status is None
    assert "hooks.example.org failed" in result.error


def test_the_certificate_must_be_valid_for_the_host(
    receiver: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes = {}
    for name in ("hooks.example.org", "other.example.org"):
        certificate = self_signed(name, tmp_path)
        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        server.load_cert_chain(certificate)
        trusting = ssl.create_default_context(cafile=str(certificate))
        monkeypatch.setattr(webhook_requests, "tls_context", lambda trusting=trusting: trusting)
        outcomes[name] = post(f"{receiver(server)}/fine", b"{}", {})
    assert outcomes["hooks.example.org"].delivered
    assert "certificate verify failed" in outcomes["other.example.org"].error


def self_signed(name: str, folder: Path) -> Path:
    """Return the file of a new certificate and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = folder / f"{name}.pem"
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path
