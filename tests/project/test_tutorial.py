"""Tests of the commands in the tutorial, from sentences to a verified release."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.nightly
def test_the_commands_of_the_tutorial_work_as_they_stand(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    script = "\n".join(BLOCK.findall(page))
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    binaries = Path(sys.executable).parent
    env = kept | {
        "ACCORD": str(ROOT),
        "ACCORD_DATA": str(tmp_path / "data"),
        "PATH": f"{binaries}{os.pathsep}{kept['PATH']}",
    }
    done = subprocess.run(["sh", "-eu", "-c", script], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3_000:]
    assert "all as published" in done.stdout
    assert json.loads((tmp_path / "overlap.json").read_text())

    # The results described on the page: a score for each pair, and a forged digit that is detected.
    with (tmp_path / "pairs.csv").open(newline="") as pairs, (tmp_path / "scores.csv").open(newline="") as scores:
        made, scored = [row["id"] for row in csv.DictReader(pairs)], list(csv.DictReader(scores))
    assert sorted(made) == sorted(row["item"] for row in scored)

    # The numbers that the page states: the scale of the scores, and the largest number of pairs per genre.
    text = " ".join(page.split())
    low, high = map(float, re.search(r"`scores\.csv` contains each pair's score, from (\d) to (\d)", text).groups())
    numbers = [float(row["score"]) for row in scored]
    assert low <= min(numbers) < (low + high) / 2 < max(numbers) <= high
    errors = [float(row["standard_error"]) for row in scored if row["standard_error"]]
    assert errors
    assert all(0 <= error <= (high - low) / 2 for error in errors)
    most = int(re.search(r"samples up to (\d+) pairs per genre", text)[1])
    assert max(Counter(row["genre"] for row in scored).values()) <= most
    data = tmp_path / "tutorial-1.0" / "data" / "scores.csv"
    text = data.read_text()
    digit = re.search(r"\.(\d)", text)
    assert digit
    data.write_text(text[: digit.start(1)] + str((int(digit[1]) + 1) % 10) + text[digit.end(1) :])
    found = subprocess.run(
        [binaries / "accord", "release", "verify", "tutorial-1.0"],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
    )
    assert found.returncode == 1
    assert "data/scores.csv, line 2" in found.stdout
