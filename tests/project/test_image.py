"""Tests that the image builds and runs, without Docker: see tests/image.py."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests import image, servers
from tests.bare import CLEAN
from tests.dockerfile import build_files, stages, variables
from tests.project.test_production_shape import SECRETS

ROOT = Path(__file__).resolve().parents[2]
LARGEST_PACKED, LARGEST = 150e6, 420e6  # bytes; registries show and transfer the packed image
STARTS_WITHIN = 240.0  # seconds
PLATFORM_USER = "1000"  # Hugging Face runs containers under this user ID
SIGN_IN = """
import http.client, re, sys, time
connection = http.client.HTTPConnection("127.0.0.1", 8000, timeout=60)
connection.request("GET", "/accounts/login/")
page = connection.getresponse()
cookies = "; ".join(value.partition(";")[0] for name, value in page.getheaders() if name == "Set-Cookie")
token = re.search(r'name="csrfmiddlewaretoken" value="(\\w+)"', page.read().decode())[1]
form = f"csrfmiddlewaretoken={token}&login=nobody@example.org&password=anything"
headers = {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded"}
connection.request("POST", "/accounts/login/", form, headers)
print("sent", flush=True)
reply = connection.getresponse()
print(reply.status, len(reply.read()) > 1000)
"""


def test_the_linter_of_dockerfiles_finds_nothing(tmp_path: Path) -> None:
    linter = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([linter, "Dockerfile"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    (tmp_path / "Dockerfile").write_text("FROM debian\nRUN cd /tmp\n")
    assert subprocess.run([linter, tmp_path / "Dockerfile"], capture_output=True, check=False).returncode == 1


def test_the_build_gets_the_application_without_tests_and_tools() -> None:
    folders = {Path(file).parts[0] for file in build_files(ROOT)}
    assert {"annotate", "bws", "packages", "requirements", "docs", "static", "pyproject.toml", "setup.py"} <= folders
    assert not folders & {"tests", "bench", "script", "node_modules", "deploy", ".git", ".venv", ".env"}
    assert [file for file in build_files(ROOT) if file.endswith(".pyc")] == []


def test_the_reader_understands_stages_continued_lines_and_commands() -> None:
    first, second = stages(
        'FROM debian:12.1-slim AS base\n# a comment\nRUN a \\\n    && b\nENV A=1 B="two words"\n'
        'FROM base\nHEALTHCHECK --interval=1s \\\n    CMD ["x", "y"]\nCMD ["z"]\n'
    )
    assert (first.start, first.name, second.start) == ("debian:12.1-slim", "base", "base")
    assert first.values("RUN") == ["a && b"]
    assert variables(first.values("ENV")[0]) == {"A": "1", "B": "two words"}
    assert second.command("HEALTHCHECK") == ["x", "y"]
    with pytest.raises(AssertionError, match="ADD"):
        stages("FROM base\nADD a b\n")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[image.Image]:
    """Build the image, and let the tests of this file start the programs of the machine's administrator."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", CLEAN["PATH"])
        yield image.build(ROOT, tmp_path_factory.mktemp("image"))


@pytest.mark.nightly
def test_it_is_small(built: image.Image) -> None:
    unpacked, packed = built.size()
    print(f"{unpacked / 1e6:.0f} MB, {packed / 1e6:.0f} MB packed")  # noqa: T201 (with -s, for docs/deployment.md)
    assert packed < LARGEST_PACKED
    assert unpacked < LARGEST
    for package in ("numpy", "scipy"):
        [folder] = built.root.glob(f"opt/accord/lib/*/site-packages/{package}")
        assert list(folder.rglob("tests")) == []


@pytest.mark.nightly
def test_it_serves_on_a_read_only_system_and_answers_the_last_request_before_it_stops(
    built: image.Image, tmp_path: Path
) -> None:
    volume = volume_for(built, tmp_path)
    with built.container(volume, tmp_path / "log") as container:
        until(lambda: healthy(built, container), container, tmp_path / "log")
        assert json.loads(get(container, "/readyz"))["migrations"] == "ok"
        assert "<title>" in get(container, "/accounts/login/")
        server = image.child_of(container)
        owner = Path(f"/proc/{server}/status").read_text()
        assert f"Uid:\t{built.user}\t{built.user}" in owner
        assert probe(container, server, "touch", "/opt/accord/x").returncode != 0
        with entering(container, sys.executable, "-c", SIGN_IN) as client:
            assert client.stdout is not None
            assert client.stdout.readline() == "sent\n"
            time.sleep(0.05)  # now the password is being hashed
            os.kill(server, signal.SIGTERM)
            assert client.communicate()[0] == "200 True\n"
        assert container.wait(30) == 0, (tmp_path / "log").read_text()
    assert (volume / "accord" / "accord.sqlite3").stat().st_uid == int(built.user)


@pytest.mark.nightly
def test_a_platform_can_choose_the_user_id(built: image.Image, tmp_path: Path) -> None:
    volume = volume_for(built, tmp_path)
    with built.container(volume, tmp_path / "log", user=PLATFORM_USER) as container:
        until(lambda: healthy(built, container), container, tmp_path / "log")
    assert (volume / "accord" / "accord.sqlite3").stat().st_uid == int(PLATFORM_USER)


@pytest.mark.nightly
def test_with_postgresql_and_redis_it_runs_every_process_of_compose(built: image.Image, tmp_path: Path) -> None:
    volume, port = volume_for(built, tmp_path), servers.free_port()
    command = ("accord", "serve", f"--port={port}", "--web-processes=1", "--jobs=1")
    with servers.postgres() as database, servers.redis() as broker:
        settings = {"DATABASE_URL": database, "REDIS_URL": broker, "SECRET_KEY": SECRETS["SECRET_KEY"]}
        with built.container(volume, tmp_path / "log", *command, own_network=False, **settings) as container:
            page = f"http://127.0.0.1:{port}"
            until(lambda: status_of(f"{page}/readyz?all") == 200, container, tmp_path / "log")
            [style] = set(re.findall(r"/static/dist/console\.\w+\.css", read(f"{page}/accounts/login/")))
            assert status_of(page + style) == 200
            os.kill(image.child_of(container), signal.SIGTERM)
            assert container.wait(60) == 0, (tmp_path / "log").read_text()
    assert {path.stem for path in (volume / "accord").iterdir()} == {"beat-schedule"}


def status_of(url: str) -> int:
    """Return the status of the reply, or 0 while no server listens."""
    try:
        with urlopen(url, timeout=20) as response:  # noqa: S310 (our own server)
            return int(response.status)
    except HTTPError as error:
        return error.code
    except OSError:
        return 0


def read(url: str) -> str:
    with urlopen(url, timeout=20) as response:  # noqa: S310 (our own server)
        return str(response.read().decode())


def volume_for(built: image.Image, folder: Path) -> Path:
    """Return a new volume, which Docker fills with the mode of the folder in the image."""
    volume = folder / "volume"
    volume.mkdir()
    volume.chmod((built.root / "data").stat().st_mode)
    return volume


def entering(container: "subprocess.Popen[bytes]", *command: str) -> "subprocess.Popen[str]":
    """Start a command of this machine in the network of the container."""
    network = ["nsenter", "--target", str(container.pid), "--net"]
    return subprocess.Popen([*network, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def get(container: "subprocess.Popen[bytes]", path: str) -> str:
    code = (
        f"from urllib.request import urlopen; print(urlopen('http://127.0.0.1:8000{path}', timeout=60).read().decode())"
    )
    with entering(container, sys.executable, "-c", code) as client:
        output, errors = client.communicate()
        assert client.returncode == 0, errors
        return output


def healthy(built: image.Image, container: "subprocess.Popen[bytes]") -> bool:
    """Return whether the health check of the image passes. It runs inside the container, as with Docker."""
    server = image.child_of(container)
    return server != 0 and probe(container, server, *built.stage.command("HEALTHCHECK")).returncode == 0


def probe(container: "subprocess.Popen[bytes]", server: int, *command: str) -> "subprocess.CompletedProcess[bytes]":
    """Run a command in the container, as `docker exec` does."""
    inside = ["nsenter", "--target", str(server), "--all", "--root", "--wd", "env", "-i"]
    environment = Path(f"/proc/{server}/environ").read_text().split("\0")[:-1]
    return subprocess.run([*inside, *environment, *command], capture_output=True, timeout=60, check=False)


def until(condition: Callable[[], bool], container: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait for the condition. Fail with the log if the container stops or if the condition takes too long."""
    deadline = time.monotonic() + STARTS_WITHIN
    while not condition():
        assert container.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.5)
