"""Tests of the client as a package: it needs httpx only, is typed, and its types say what the methods return."""

import subprocess
import sys
import zipfile
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


@pytest.mark.nightly
def test_the_wheel_is_complete_and_works_without_pandas(tmp_path: Path) -> None:
    build = f"from setuptools.build_meta import build_wheel; build_wheel({str(tmp_path)!r})"
    copy = tmp_path / "client"
    subprocess.run(["cp", "-r", CLIENT, copy], check=True)
    subprocess.run([sys.executable, "-c", build], cwd=copy, check=True, capture_output=True)
    wheel = next(tmp_path.glob("accord_client-*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {"accord_client/py.typed", "accord_client/generated/models.py"} <= set(names)
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert wheel.stat().st_size < 100_000
    script = (
        f"import sys; sys.path.insert(0, {str(wheel)!r}); sys.modules['pandas'] = None\n"
        "import accord_client; print(accord_client.__file__)\n"
        "print(sorted(name for name in sys.modules if name.split('.')[0] in ('annotate', 'accord_core', 'django')))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"{wheel}/accord_client/__init__.py", "[]"]
