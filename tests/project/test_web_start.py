"""Tests of how soon web processes start, because all clients wait for them after a restart."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from http.client import HTTPException
from pathlib import Path

import pytest

from tests.installation import Installation, installation

ROOT = Path(__file__).resolve().parents[2]
LOAD = """
import sys
import annotate.wsgi
from django.urls import get_resolver
get_resolver().url_patterns
sys.exit("scipy" in sys.modules)
"""
WITHIN = 30.0  # seconds


@pytest.mark.nightly
def test_web_processes_do_not_load_scipy(tmp_path: Path) -> None:
    """It takes as much CPU time as the rest together, so functions that need it import it."""
    environment = {"PATH": os.environ["PATH"], "ACCORD_DATA": str(tmp_path)}
    subprocess.run([sys.executable, "-W", "ignore", "-c", LOAD], cwd=ROOT, env=environment, check=True)


@pytest.mark.nightly
def test_after_a_restart_under_load_clients_get_replies_within_30_seconds() -> None:
    with installation("web", "worker", "worker-long", "beat") as accord:
        _, tokens = accord.make_study(people=16)
        over = threading.Event()
        replied: list[float] = []

        def claim(token: str) -> None:
            while not over.wait(0.1):
                try:
                    if accord.claim(token).status == 200:
                        replied.append(time.monotonic())
                except (OSError, HTTPException):
                    continue  # nobody listens, or the server was killed while it replied

        clients = [threading.Thread(target=claim, args=(token,)) for token in tokens]
        for client in clients:
            client.start()
        try:
            accord.wait(lambda: len(replied) > 100, 60)
            for restart in (end_all, kill_all):
                began = time.monotonic()
                restart(accord)
                restarted = time.monotonic()
                accord.wait(lambda restarted=restarted: replied[-1] > restarted, WITHIN - (restarted - began))
        finally:
            over.set()
            for client in clients:
                client.join()


def end_all(accord: Installation) -> None:
    """End all services, and start each one as soon as it has ended, as a service manager does."""
    ending = dict(accord.processes)
    for process in ending.values():
        process.terminate()
    for name, process in ending.items():
        process.wait(WITHIN)
        accord.start(name)


def kill_all(accord: Installation) -> None:
    for name in list(accord.processes):
        accord.kill(name)
        accord.start(name)
