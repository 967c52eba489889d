"""Test of the client's types, which state what each method returns, and find misspelt arguments."""

import subprocess
import sys
from pathlib import Path

import pytest

CLIENT = Path(__file__).parents[2] / "packages" / "client"
TYPED = """
from collections.abc import AsyncIterator, Iterator
from typing import assert_type

from accord_client import Accord, Annotated, AsyncAccord, models, operations

accord = Accord("https://accord.example.org", "key")
study = accord.create_study(title="Words", task_type="bws")
assert_type(study.progress(), models.ProgressShape)
assert_type(study.answers(programs=True), Iterator[models.AnswerShape])
assert_type(study.annotate("model", lambda question: {"best": 1, "worst": 2}), Annotated)
assert_type(accord.send(operations.studies_exports_retrieve("s", "scores.csv")), bytes)


async def twin() -> None:
    async with AsyncAccord("https://accord.example.org", "key") as accord:
        study = await accord.create_study(title="Words", task_type="bws")
        assert_type(await study.progress(), models.ProgressShape)
        assert_type(study.answers(), AsyncIterator[models.AnswerShape])


study.import_file("itmes", "items.csv")
accord.create_study(titel="Words", task_type="bws")
study.progress()["judgments"]
"""


@pytest.mark.nightly
def test_the_types_name_results_and_find_misspelt_arguments(tmp_path: Path) -> None:
    script, config = tmp_path / "script.py", tmp_path / "mypy.ini"
    script.write_text(TYPED)
    config.write_text(f"[mypy]\nstrict = True\nmypy_path = {CLIENT}\n[mypy-pandas]\nignore_missing_imports = True\n")
    command = [sys.executable, "-m", "mypy", "--config-file", config, "--cache-dir", tmp_path / "cache", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    faults = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert len(faults) == 3, done.stdout + done.stderr
    for fault, name in zip(faults, ("itmes", "titel", "judgments"), strict=True):
        assert name in fault
