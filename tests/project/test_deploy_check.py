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
from tests.project.test_settings import read

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.nightly
def test_the_documented_settings_pass_the_deployment_checks(tmp_path: Path) -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    documented = dict(line.split("=", 1) for line in example if line and not line.startswith("#"))
    own = {"ACCORD_DATA": str(tmp_path), "DATABASE_URL": "postgresql://accord@127.0.0.1/accord"}
    environment = {"PATH": os.environ["PATH"], "REDIS_URL": "redis://127.0.0.1:1/0", **documented, **own}
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "INFO"],
        cwd=ROOT,
        env=environment | {"SECRET_KEY": secrets.token_hex(32)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_production_refuses_a_missing_or_simple_key_in_one_line(tmp_path: Path) -> None:
    production = {"DATABASE_URL": "postgresql://accord@127.0.0.1/accord", "REDIS_URL": "redis://127.0.0.1:1/0"}
    keys = ["", "changeme", "a" * 64, "short-but-random-8fj3kd", secrets.token_hex(32)]
    *refused, accepted = read([("SECRET_KEY", key, production) for key in keys], tmp_path)
    for status, line in refused:
        assert status == 3
        assert str(line).startswith("accord: SECRET_KEY is missing or too simple")
        assert str(line).count("\n") == 1
    assert accepted == [0, ""]
    assert not (tmp_path / "data" / "secret-key").exists()


@pytest.mark.nightly
def test_without_redis_a_key_is_made_once(tmp_path: Path) -> None:
    file = tmp_path / "data" / "secret-key"
    file.parent.mkdir()
    file.touch()  # as a full disk leaves it
    keys = []
    for _ in range(2):
        assert read([("SECRET_KEY", "", {})], tmp_path) == [[0, ""]]
        keys.append(file.read_text())
    assert keys[0] == keys[1]
    assert len(keys[0]) >= 50


def test_processes_that_start_at_the_same_time_use_the_same_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as threads:
        keys = set(threads.map(_new_secret_key, [tmp_path / "data" / "secret-key"] * 16))
    assert keys == {(tmp_path / "data" / "secret-key").read_text()}
