"""Tests of deploy/nginx/nginx.conf on a real nginx: TLS, the redirect, and headers that clients cannot forge."""

import json
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path

import pytest

from tests import servers
from tests.conftest import wait_until
from tests.local_site import Handler, local_site

CONFIGURATION = Path(__file__).resolve().parents[2] / "deploy" / "nginx" / "nginx.conf"


@dataclass
class Proxy:
    """A running nginx, and the requests that it has passed on."""

    http: int
    https: int
    log: Path
    passed_on: list[dict[str, str]] = field(default_factory=list)

    def get(self, path: str = "/", **headers: str) -> tuple[int, dict[str, str]]:
        """Return the status and the body of a GET request over TLS. The body lists the headers that Accord would
        receive.
        """
        with closing(self.connection()) as connection:
            connection.request("GET", path, headers={"Host": "annotate.example.org", **headers})
            reply = connection.getresponse()
            body = reply.read()
            return reply.status, json.loads(body) if reply.status == 200 else {}

    def connection(self) -> HTTPSConnection:
        """Return a TLS connection that accepts the certificate of this test."""
        context = ssl._create_unverified_context()  # noqa: S323 (made a moment ago by this test)
        return HTTPSConnection("127.0.0.1", self.https, context=context, timeout=20)


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """Run nginx with the repository's configuration in front of a server that returns the request headers."""
    passed_on: list[dict[str, str]] = []
    with behind(passed_on) as port, in_front_of(port, tmp_path_factory.mktemp("nginx")) as running:
        running.passed_on = passed_on
        yield running


@contextmanager
def in_front_of(port: int, folder: Path) -> Iterator[Proxy]:
    """Run nginx with the repository's configuration in front of the server on this port."""
    program = servers.nginx_program()
    if program is None:
        pytest.fail("nginx is missing; as root: apt-get install nginx-light")
    (folder / "cache").mkdir()
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=annotate.example.org",
            "-keyout",
            folder / "privkey.pem",
            "-out",
            folder / "fullchain.pem",
        ],
        check=True,
        capture_output=True,
    )
    running = Proxy(servers.free_port(), servers.free_port(), folder / "failures.log")
    places = {
        "listen 8080;": f"listen 127.0.0.1:{running.http};",
        "listen 8443 ssl;": f"listen 127.0.0.1:{running.https} ssl;",
        "web:8000": f"127.0.0.1:{port}",
        "/run/accord/*.conf": str(folder / "https-port.conf"),
        "/dev/stderr": str(folder / "failures.log"),
        "/etc/nginx/certificates": str(folder),
        "/var/cache/nginx": str(folder / "cache"),
        "/tmp/nginx.pid": str(folder / "nginx.pid"),  # noqa: S108 (the place in the file)
    }
    text = CONFIGURATION.read_text(encoding="utf-8")
    for there, here in places.items():
        assert there in text
        text = text.replace(there, here)
    (folder / "https-port.conf").write_text("set $https_port :8443;")
    (folder / "nginx.conf").write_text("daemon off;\nmaster_process off;\n" + text, encoding="utf-8")
    process = subprocess.Popen([program, "-p", folder, "-c", folder / "nginx.conf"], stderr=subprocess.PIPE)
    try:
        deadline = time.monotonic() + 20
        while not listens(running.https):
            assert process.poll() is None, process.stderr.read() if process.stderr else ""
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield running
    finally:
        process.terminate()
        process.communicate(timeout=20)


def test_http_is_redirected_to_https(proxy: Proxy) -> None:
    with closing(HTTPConnection("127.0.0.1", proxy.http, timeout=20)) as connection:
        connection.request("POST", "/join/abc?PROLIFIC_PID=1", headers={"Host": "annotate.example.org"})
        reply = connection.getresponse()
        assert reply.status == 308  # the method stays
        assert reply.getheader("Location") == "https://annotate.example.org:8443/join/abc?PROLIFIC_PID=1"


def test_headers_of_the_client_are_replaced_and_not_added_to(proxy: Proxy) -> None:
    forged = {"X-Forwarded-For": "1.2.3.4", "X-Forwarded-Proto": "http", "X-Forwarded-Host": "evil.example"}
    status, headers = proxy.get("/", Forwarded="for=1.2.3.4", **forged)
    assert status == 200
    assert headers["X-Forwarded-For"] == "127.0.0.1"
    assert headers["X-Forwarded-Proto"] == "https"
    assert headers["Host"] == "annotate.example.org"
    assert {"X-Forwarded-Host", "Forwarded"}.isdisjoint(headers)


def test_old_tls_is_refused(proxy: Proxy) -> None:
    context = ssl._create_unverified_context()  # noqa: S323
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    with (
        socket.create_connection(("127.0.0.1", proxy.https), timeout=20) as plain,
        pytest.raises(ssl.SSLError),
        context.wrap_socket(plain),
    ):
        pass


def test_metrics_are_not_for_the_outside(proxy: Proxy) -> None:
    assert proxy.get("/metrics")[0] == 404


def test_a_body_over_the_limit_is_refused_before_it_is_sent(proxy: Proxy) -> None:
    before = len(proxy.passed_on)
    with closing(proxy.connection()) as connection:
        connection.putrequest("POST", "/console/")
        connection.putheader("Content-Length", str(600 * 1024 * 1024))
        connection.endheaders()
        assert connection.getresponse().status == 413
    assert len(proxy.passed_on) == before


def test_a_half_sent_request_does_not_reach_accord(proxy: Proxy) -> None:
    before = len(proxy.passed_on)
    with closing(proxy.connection()) as connection:
        connection.putrequest("POST", "/api/v1/claims")
        connection.putheader("Content-Length", "100")
        connection.endheaders(b"half of the body")
        time.sleep(0.5)
        assert len(proxy.passed_on) == before
        assert proxy.get("/")[0] == 200


def test_a_large_upload_of_an_unknown_client_is_refused_before_its_body_is_read(proxy: Proxy) -> None:
    with closing(proxy.connection()) as connection:
        connection.putrequest("POST", "/api/v1/studies/abc/uploads")
        connection.putheader("Content-Length", str(400 * 1024 * 1024))
        connection.endheaders(b"the beginning of the body")
        reply = connection.getresponse()
        assert reply.status == 401
        assert json.load(reply)["code"] == "not_authenticated"
    assert not [headers for headers in proxy.passed_on if headers.get("Content-Length") == str(400 * 1024 * 1024)]


def test_a_large_upload_of_a_researcher_is_passed_on(proxy: Proxy) -> None:
    body = b"x" * 5_000_000
    with closing(proxy.connection()) as connection:
        connection.request("POST", "/api/v1/studies/abc/uploads", body, {"Authorization": "Token known"})
        assert connection.getresponse().status == 200
    assert proxy.passed_on[-1]["Content-Length"] == str(len(body))


@pytest.mark.parametrize("path", ["/api/v1/claims", "/join/a-secret-token/"])
def test_while_accord_restarts_clients_are_asked_to_try_again(proxy: Proxy, path: str) -> None:
    with closing(proxy.connection()) as connection:
        connection.request("GET", path, headers={"X-Break": "yes"})
        reply = connection.getresponse()
        body = reply.read().decode()
    assert (reply.status, reply.getheader("Retry-After")) == (503, "5")
    if path.startswith("/api/"):
        assert json.loads(body)["code"] == "unavailable"
    wait_until(lambda: "502" in proxy.log.read_text())  # nginx writes the line after the reply
    line = proxy.log.read_text().splitlines()[-1]
    assert "secret" not in proxy.log.read_text()
    assert "127.0.0.1:" in line, "the upstream, not the client"


@contextmanager
def behind(passed_on: list[dict[str, str]]) -> Iterator[int]:
    """Run a server that returns request headers in place of Accord, and yield its port."""

    class Echo(Handler):
        def do_GET(self) -> None:
            if "X-Break" in self.headers:
                self.close_connection = True  # like a web process that ends
                return
            if self.path == "/may-upload":
                self.send_response(204 if "Authorization" in self.headers else 401)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            passed_on.append(dict(self.headers))
            body = json.dumps(dict(self.headers)).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815 (as the base class names it)

    with local_site(Echo) as address:
        yield int(address.rpartition(":")[2])


def listens(port: int) -> bool:
    """Return whether a server accepts connections on the port."""
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
