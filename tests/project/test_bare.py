"""Tests that README's two commands work on a bare Debian, where nothing is installed that they do not bring."""

import subprocess
from pathlib import Path

import pytest

from tests.bare import SUITES

ROOT = Path(__file__).parents[2]


@pytest.mark.nightly
@pytest.mark.suites
@pytest.mark.parametrize("suite", SUITES)
def test_the_commands_in_the_readme_work_on_a_bare_debian(suite: str) -> None:
    done = subprocess.run([ROOT / "script" / "bare", suite], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr


@pytest.mark.nightly
@pytest.mark.suites
@pytest.mark.parametrize("suite", SUITES)
def test_the_wheels_run_a_study_from_a_file_to_its_release_on_a_bare_debian(suite: str) -> None:
    done = subprocess.run([ROOT / "script" / "bare", "--wheels", suite], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr
