"""Tests that production starts only with a real secret key, and that Django's deployment checks pass with the
documented settings.
"""

import os
import secrets
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from annotate.settings.base import _new_secret_key

ROOT = Path(__file__).resolve().parents[2]


def check(tmp_path: Path, key: str, *options: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run `manage.py check` with the settings of .env.example and this secret key."""
    example = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    documented = dict(line.split("=", 1) for line in example if line and not line.startswith("#"))
    own = {"ACCORD_DATA": str(tmp_path), "DATABASE_URL": "postgresql://accord@127.0.0.1/accord"}
    environment = {"PATH": os.environ["PATH"], "REDIS_URL": "redis://127.0.0.1:1/0", **documented, **own, **settings}
    return subprocess.run(
        [sys.executable, "manage.py", "check", *options],
        cwd=ROOT,
        env=environment | {"SECRET_KEY": key},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_documented_settings_pass_the_deployment_checks(tmp_path: Path) -> None:
    done = check(tmp_path, secrets.token_hex(32), "--deploy", "--fail-level", "INFO")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("key", ["", "changeme", "a" * 64, "short-but-random-8fj3kd"])
def test_production_refuses_a_missing_or_simple_key_in_one_line(key: str, tmp_path: Path) -> None:
    done = check(tmp_path, key)
    assert done.returncode == 3
    assert done.stderr.startswith("accord: SECRET_KEY is missing or too simple")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "secret-key").exists()


def test_without_redis_a_key_is_made_once(tmp_path: Path) -> None:
    (tmp_path / "secret-key").touch()  # as a full disk leaves it
    for _ in range(2):
        done = check(tmp_path, "", REDIS_URL="", DATABASE_URL="")
        assert done.returncode == 0, done.stderr
    assert len((tmp_path / "secret-key").read_text()) >= 50


def test_processes_that_start_at_the_same_time_use_the_same_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as threads:
        keys = set(threads.map(_new_secret_key, [tmp_path / "data" / "secret-key"] * 16))
    assert keys == {(tmp_path / "data" / "secret-key").read_text()}
