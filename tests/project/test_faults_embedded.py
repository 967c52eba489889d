"""Tests of `accord serve` while the disk is full: status 503, no partially stored data, and recovery when there is
space.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests import faults
from tests.installation import STUDY
from tests.project.test_embedded import ROOT, serving


@pytest.mark.nightly
def test_a_full_disk_is_a_503_and_the_same_request_succeeds_later(tmp_path: Path) -> None:
    mine = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY")
    kept = {name: value for name, value in os.environ.items() if name not in mine and not name.startswith("ACCORD_")}
    environment = {**kept, "ACCORD_DATA": str(tmp_path / "data"), "DJANGO_SETTINGS_MODULE": "annotate.settings"}
    environment["ACCORD_PRIVACY_NOTICE"] = "Pseudonyms only."
    environment["ACCORD_CONTACT"] = "Mara Lindqvist, mara@example.org"
    log = tmp_path / "log"
    with serving(environment, log) as (url, process):
        shell = [sys.executable, "manage.py", "shell", "--no-imports", "--command", STUDY.format(items=40, people=2)]
        made = subprocess.run(shell, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        _, token, other = made.stdout.split()
        assert send(url, token)[0] == 200
        with faults.full_disk(process.pid):
            status, body = send(url, other)
            assert (status, body["code"]) == (503, "unavailable")
            assert readiness(url) == (503, "disk full")
        status, body = send(url, other)
        assert (status, body["resumed"]) == (200, False)
        assert len(body["assignment"]["questions"]) > 0
        assert readiness(url) == (200, "ok")
    assert "database is locked" not in log.read_text()


def send(url: str, token: str) -> tuple[int, Any]:
    """Claim as an annotator, and return the status and the body of the response."""
    headers = {"Authorization": f"Participation {token}", "Content-Type": "application/json"}
    try:
        with urlopen(Request(f"{url}/api/v1/claims", b"{}", headers), timeout=60) as response:  # noqa: S310 (our server)
            return response.status, json.load(response)
    except HTTPError as error:
        return error.code, json.load(error)


def readiness(url: str) -> tuple[int, str]:
    """Return the status of `/readyz`, and the state of the database that it reports."""
    try:
        with urlopen(f"{url}/readyz", timeout=60) as response:  # noqa: S310 (our server)
            return response.status, json.load(response)["database"]
    except HTTPError as error:
        return error.code, json.load(error)["database"]
