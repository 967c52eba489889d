"""Benchmarks in processes of their own, on SQLite in a temporary folder."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INSIDE = "--inside"


def on_empty_database(module: str, *runs: Sequence[str]) -> None:
    """Run a benchmark with each of these lists of arguments, one after the other, on the same database."""
    with tempfile.TemporaryDirectory(prefix="accord-bench-") as folder:
        env = os.environ | {"ACCORD_DATA": folder, "DJANGO_SETTINGS_MODULE": "annotate.settings"}
        for command in (["manage.py", "migrate", "-v0"], *(["-m", module, *arguments] for arguments in runs)):
            subprocess.run([sys.executable, *command], cwd=ROOT, env=env, check=True)
