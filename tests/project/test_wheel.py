"""Tests that the wheels contain the whole product: commands, pages, static files and examples.

The wheel is installed into an environment of its own, which borrows only the dependencies of this one.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path
from urllib.request import urlopen

import click
import pytest

from annotate.commands.main import main
from tests.project.test_embedded import serving

ROOT = Path(__file__).resolve().parents[2]
APPLICATIONS = ("alignment_ui", "annotate", "bws", "evaluation", "layouts", "paraphrase", "releases", "reporting")
GROUPS = main.list_commands(click.Context(main))


pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheels, and return their folder."""
    folder = tmp_path_factory.mktemp("wheels")
    subprocess.run([ROOT / "script" / "build", folder], check=True, capture_output=True, timeout=600)
    return folder


@pytest.fixture(scope="module")
def accord(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheels, and return the command `accord`."""
    environment = tmp_path_factory.mktemp("wheel") / "environment"
    uv("venv", "--offline", "--python", sys.executable, environment)
    python = environment / "bin" / "python"
    uv("pip", "install", "--offline", "--no-deps", "--python", python, *wheels.glob("*.whl"))
    # Python reads no .pth files in a borrowed folder, so the editable installation of the checkout is not used.
    accord = environment / "bin" / "accord"
    (packages_of(accord) / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return accord


def packages_of(accord: Path) -> Path:
    (packages,) = accord.parents[1].glob("lib/python*/site-packages")
    return packages


@pytest.fixture
def outside(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a user who has only the wheel."""
    hidden = ("ACCORD_", "DATABASE_URL", "REDIS_URL", "SECRET_KEY", "DJANGO_", "PYTHON", "VIRTUAL_ENV")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    return inherited | {"ACCORD_DATA": str(tmp_path / "data")}


def uv(*arguments: object) -> None:
    command = [str(ROOT / ".uv" / "bin" / "uv"), *map(str, arguments)]
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


def run(folder: Path, environment: dict[str, str], *command: object) -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_wheels_are_small_and_the_same_when_built_again(wheels: Path, tmp_path: Path) -> None:
    sizes = {file.name.partition("-")[0]: file.stat().st_size for file in wheels.glob("*.whl")}
    assert sizes["accord_client"] <= 100_000
    assert sizes["accord_core"] <= 1_000_000
    assert sizes["accord_annotation"] <= 8_000_000
    subprocess.run([ROOT / "script" / "build", tmp_path], check=True, capture_output=True, timeout=600)
    assert {file.name: file.read_bytes() for file in tmp_path.glob("*.whl")} == {
        file.name: file.read_bytes() for file in wheels.glob("*.whl")
    }


def test_the_examples_of_accord_core_hold_with_numpy_and_scipy_alone(wheels: Path, tmp_path: Path) -> None:
    uv("venv", "--offline", "--python", sys.executable, tmp_path / "alone")
    python = tmp_path / "alone" / "bin" / "python"
    uv("pip", "install", "--offline", "--no-deps", "--python", python, *wheels.glob("accord_core-*.whl"))
    installed = Path(sysconfig.get_path("platlib"))
    for library in [*installed.glob("numpy*"), *installed.glob("scipy*")]:
        (packages_of(python) / library.name).symlink_to(library)
    code = (
        "import doctest, accord_core as core\n"
        "from accord_core import agreement, alignment, designs, formats, planning, reliability, scores\n"
        "modules = agreement, alignment, designs, formats, planning, reliability, scores\n"
        "print(core.__file__, [doctest.testmod(module).failed for module in modules])"
    )
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    file, _, failures = run(tmp_path, environment, python, "-c", code).strip().partition(" ")
    assert file.startswith(str(packages_of(python)))
    assert failures == "[0, 0, 0, 0, 0, 0, 0]"


def test_accord_client_is_typed_and_needs_neither_accord_nor_pandas(wheels: Path, tmp_path: Path) -> None:
    (wheel,) = wheels.glob("accord_client-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert {"accord_client/py.typed", "accord_client/generated/models.py"} <= set(archive.namelist())
    code = (
        f"import sys; sys.path.insert(0, {str(wheel)!r}); sys.modules['pandas'] = None\n"
        "import accord_client; print(accord_client.__file__)\n"
        "print({name.partition('.')[0] for name in sys.modules} & {'accord_core', 'annotate', 'django'})"
    )
    lines = run(tmp_path, {"PATH": os.environ["PATH"]}, sys.executable, "-c", code).splitlines()
    assert lines == [f"{wheel}/accord_client/__init__.py", "set()"]


@pytest.mark.parametrize("folder", ["templates", "static", "examples", "docs"])
def test_it_contains_every_shared_file(accord: Path, folder: str) -> None:
    shared = packages_of(accord) / "annotate" / "shared" / folder
    expected = {
        path.relative_to(ROOT / folder)
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert len(expected) > 5
    assert {path.relative_to(shared) for path in shared.rglob("*") if path.is_file()} == expected


def test_it_contains_the_templates_of_every_application(accord: Path) -> None:
    expected = [
        path.relative_to(ROOT) for name in APPLICATIONS for path in (ROOT / name).glob("**/templates/**/*.html")
    ]
    assert len(expected) > 30
    assert [path for path in expected if not (packages_of(accord) / path).is_file()] == []


def test_nothing_comes_from_the_checkout(accord: Path, outside: dict[str, str], tmp_path: Path) -> None:
    code = (
        "import importlib, sys\n"
        f"for name in {APPLICATIONS}:\n"
        "    print(*importlib.import_module(name).__path__)\n"
        "print(*sys.path, sep='\\n')"
    )
    places = run(tmp_path, outside, accord.with_name("python"), "-c", code).splitlines()
    assert all(place.startswith(str(accord.parents[1])) for place in places[: len(APPLICATIONS)]), places
    assert str(ROOT) not in places


def test_every_group_of_commands_is_there(accord: Path, outside: dict[str, str], tmp_path: Path) -> None:
    """One process shows the help of all groups, because each process imports Django."""
    shown = run(tmp_path, outside, accord, "--help")
    assert {"account", "backup", "bws", "demo", "labels", "serve", "study"} <= set(GROUPS)
    assert [group for group in GROUPS if not re.search(rf"^  {group} ", shown, re.MULTILINE)] == []
    code = (
        "from annotate.commands.main import main\n"
        f"for group in {GROUPS}:\n"
        "    main([group, '--help'], prog_name='accord', standalone_mode=False)"
    )
    usages = re.findall(
        r"^Usage: accord (\S+)", run(tmp_path, outside, accord.with_name("python"), "-c", code), re.MULTILINE
    )
    assert usages == GROUPS


def test_it_serves_an_example_with_pages_and_static_files(
    accord: Path, outside: dict[str, str], tmp_path: Path
) -> None:
    links = run(tmp_path, outside, accord, "demo", "--example", "relatedness")
    token = re.search(r"/join/(\S+)", links)
    assert token, links
    with serving(outside, tmp_path / "log", accord=accord) as (url, _):
        for path in ("/", f"/join/{token[1]}", "/accounts/login/", "/api/v1/", "/help/", "/help/pay/"):
            page = get(url + path)
            assert page.lower().startswith("<!doctype html>")
            files = set(re.findall(r'(?:href|src)="(/static/[^"#?]+)', page))
            assert files, f"{path} uses no static files"
            for file in files:
                assert get(url + file)
        assert "Relatedness of sentence pairs" in get(f"{url}/join/{token[1]}")


def get(url: str) -> str:
    with urlopen(url, timeout=30) as response:  # noqa: S310 (our own server)
        assert response.status == 200
        text: str = response.read().decode()
        return text
