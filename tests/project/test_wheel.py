"""A wheel contains the whole product: commands, pages, static files, translations and examples."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.metadata import entry_points
from pathlib import Path
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = "import setuptools.build_meta, sys; print(setuptools.build_meta.build_wheel(sys.argv[1]))"
LOCATE = "import annotate, bws; print(annotate.__file__, bws.__file__)"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that contains what the wheel installs. The build starts from the files of the repository alone."""
    folder = tmp_path_factory.mktemp("wheel")
    files = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.rstrip("\0").split("\0")  # fmt: skip
    for name in files:
        if (ROOT / name).is_file() and not name.startswith("tests/"):
            (folder / "source" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / "source" / name)
    subprocess.run(
        [sys.executable, "-c", BUILD, folder], cwd=folder / "source", check=True, capture_output=True, timeout=300
    )
    (wheel,) = folder.glob("*.whl")
    shutil.unpack_archive(wheel, folder / "installed", "zip")
    shutil.rmtree(folder / "source")
    return folder / "installed"


@pytest.fixture
def environment(installed: Path, tmp_path: Path) -> dict[str, str]:
    """An environment outside the checkout. Only the requirements come from this test's own environment."""
    own = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "DJANGO_SETTINGS_MODULE")
    others = {name: value for name, value in os.environ.items() if name not in own and not name.startswith("ACCORD_")}
    return {**others, "PYTHONPATH": os.pathsep.join([str(installed), sysconfig.get_path("purelib")])}


def run(environment: dict[str, str], folder: Path, *arguments: str) -> str:
    # The interpreter without its virtual environment would otherwise import the checkout's packages.
    command = [Path(sys.base_prefix, "bin", Path(sys.executable).resolve().name), *arguments]
    ended = subprocess.run(
        command, env=environment, cwd=folder, check=False, capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@contextmanager
def serving(environment: dict[str, str], folder: Path) -> Iterator[str]:
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        port = probe.getsockname()[1]
    python = Path(sys.base_prefix, "bin", Path(sys.executable).resolve().name)
    command = [python, "-c", "from annotate.cli import main; main()", "serve", "--port", str(port)]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log)
        try:
            deadline = time.monotonic() + 60
            while not reachable(f"http://127.0.0.1:{port}/healthz"):
                assert process.poll() is None, (folder / "log").read_text()
                assert time.monotonic() < deadline, (folder / "log").read_text()
                time.sleep(0.2)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(30)


def reachable(url: str) -> bool:
    try:
        with urlopen(url, timeout=5):  # noqa: S310 (our own server)
            return True
    except OSError:
        return False


def test_the_packages_come_from_the_wheel(installed: Path, environment: dict[str, str], tmp_path: Path) -> None:
    places = run(environment, tmp_path, "-c", LOCATE).split()
    assert [Path(place).is_relative_to(installed) for place in places] == [True, True]


def test_every_group_of_commands_shows_its_help(environment: dict[str, str], tmp_path: Path) -> None:
    groups = sorted(point.name for point in entry_points(group="accord.commands"))
    assert len(groups) >= 10
    for group in groups:
        shown = run(environment, tmp_path, "-c", "from annotate.cli import main; main()", group, "--help")
        assert shown.startswith(f"Usage: accord {group} ")


@pytest.mark.parametrize("folder", ["templates", "static", "examples"])
def test_it_contains_every_shared_file(folder: str, installed: Path) -> None:
    shared = installed / "annotate" / "shared" / folder
    expected = {path.relative_to(ROOT / folder) for path in (ROOT / folder).rglob("*") if path.is_file()}
    assert len(expected) > 5
    assert {path.relative_to(shared) for path in shared.rglob("*") if path.is_file()} == expected


def test_it_contains_the_templates_of_every_application(installed: Path) -> None:
    applications = ("alignment_ui", "annotate", "bws", "evaluation", "paraphrase")
    expected = {
        path.relative_to(ROOT)
        for application in applications
        for path in (ROOT / application).glob("**/templates/**/*.html")
    }
    assert len(expected) > 30
    assert all((installed / path).is_file() for path in expected)


def test_it_serves_pages_and_static_files_from_an_empty_folder(environment: dict[str, str], tmp_path: Path) -> None:
    with serving(environment, tmp_path) as url:
        with urlopen(f"{url}/accounts/login/", timeout=60) as response:  # noqa: S310
            assert b"<form" in response.read()
        with urlopen(f"{url}/static/icons.svg", timeout=60) as response:  # noqa: S310
            assert response.read() == (ROOT / "static" / "icons.svg").read_bytes()
    assert (tmp_path / ".accord" / "accord.sqlite3").stat().st_size > 0


def test_it_fills_the_demonstration(environment: dict[str, str], tmp_path: Path) -> None:
    configured = {**environment, "DJANGO_SETTINGS_MODULE": "annotate.settings"}
    run(configured, tmp_path, "-m", "django", "migrate", "--verbosity", "0")
    created = run(configured, tmp_path, "-m", "django", "demo", "--port", "8000")
    assert created.count("Creating the study") == len(list((ROOT / "examples").glob("*/study.toml")))
