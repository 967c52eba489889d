"""Tests of several processes that migrate the same empty database at the same time."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.installations import ROOT, on


@pytest.mark.nightly
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_processes_that_migrate_at_the_same_time_wait_for_each_other(database: str, tmp_path: Path) -> None:
    with on(database, tmp_path / "data") as installation:
        started = [
            subprocess.Popen(
                [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity", "0"],
                cwd=ROOT,
                env=installation.environment,
                stderr=subprocess.PIPE,
                text=True,
            )
            for _ in range(2)
        ]
        errors = [process.communicate(timeout=300)[1] for process in started]
        assert [process.returncode for process in started] == [0, 0], errors
        assert "[ ]" not in installation.python("manage.py", "showmigrations")
