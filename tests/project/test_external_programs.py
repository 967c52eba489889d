"""Tests that tests and benchmarks start no program that a bare Debian has not and script/test does not install."""

import os
import subprocess
from pathlib import Path

import pytest

from tests import servers
from tests.external_programs import PACKAGES, PROGRAMS, link_programs


def test_only_listed_programs_are_in_the_path() -> None:
    folders = [Path(folder) for folder in os.environ["PATH"].split(os.pathsep)]
    assert {program.name for folder in folders for program in folder.iterdir()} <= set(PROGRAMS)


def test_another_program_of_the_machine_cannot_be_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine, links = tmp_path / "machine", tmp_path / "links"
    machine.mkdir()
    links.mkdir()
    for name in ("curl", "jq"):
        (machine / name).write_text("#!/bin/sh\nexit 0\n")
        (machine / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{machine}:{os.environ['PATH']}")
    monkeypatch.setenv("PATH", link_programs(links))
    codes = [
        subprocess.run(["sh", "-c", name], stderr=subprocess.DEVNULL, check=False).returncode for name in ("curl", "jq")
    ]
    assert codes == [0, 127]
    assert links.stat().st_mode & 0o055 == 0o055  # servers run as another user


def test_every_package_is_installed_if_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = tmp_path / "installed"
    (tmp_path / "apt-get").write_text(f'#!/bin/sh\necho "$@" >> {installed}\n')
    (tmp_path / "apt-get").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(servers, "program_of", lambda package: None)
    monkeypatch.setattr(servers, "postgres_programs", lambda: None)
    monkeypatch.setattr(servers, "_existing", lambda *candidates: iter(()))
    monkeypatch.setattr(servers.faults, "clock_library", lambda: None)
    assert set(servers.install_missing()) == {*PACKAGES, "libfaketime"} - {"chromium-headless-shell", "iproute2"}
    assert {line.split()[-1] for line in installed.read_text().splitlines()[1:]} == {*PACKAGES, "libfaketime"}
