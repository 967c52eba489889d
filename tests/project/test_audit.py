"""Tests that script/audit reports on one line if it cannot run, and passes on the findings of pip-audit."""

import os
import subprocess
from pathlib import Path

import pytest

AUDIT = Path(__file__).resolve().parents[2] / "script" / "audit"


def audit(tmp_path: Path, pip_audit: str) -> subprocess.CompletedProcess[str]:
    """Run the script with a pip-audit that has this behaviour."""
    program = tmp_path / "pip-audit"
    program.write_text(f"#!/bin/sh\n{pip_audit}\n")
    program.chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    return subprocess.run([AUDIT], env=environment, capture_output=True, text=True, timeout=30, check=False)


@pytest.mark.parametrize(
    "does",
    [
        'echo "Traceback: ConnectionError" >&2; exit 1',
        'echo "No known vulnerabilities found"; echo "django could not be audited: django (5.2)"',
    ],
)
def test_a_check_that_could_not_be_made_is_one_line(tmp_path: Path, does: str) -> None:
    done = audit(tmp_path, does)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "cannot be reached" in done.stderr


@pytest.mark.parametrize(
    ("does", "code"),
    [('echo "No known vulnerabilities found"', 0), ('echo "Found 2 known vulnerabilities in 1 package"; exit 1', 1)],
)
def test_findings_are_passed_on(tmp_path: Path, does: str, code: int) -> None:
    done = audit(tmp_path, does)
    assert done.returncode == code
    assert done.stdout.count("known vulnerabilities") == 2  # both files of requirements


def test_both_files_of_requirements_are_checked_with_their_hashes(tmp_path: Path) -> None:
    done = audit(tmp_path, 'echo "$@"')
    assert [line.split()[1] for line in done.stdout.splitlines()] == ["requirements/base.txt", "requirements/dev.txt"]
    assert done.stdout.count("--disable-pip") == 2
