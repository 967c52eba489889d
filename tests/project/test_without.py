"""Tests that the project works without each room that can be removed, and without all of them."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.without import CONTRACTS, ROOMS, SETTINGS, remove

ROOT = Path(__file__).parents[2]


# All tests need about ten minutes, so a room that is removed alone gets only the tests of the whole site.
@pytest.mark.nightly
@pytest.mark.suites
@pytest.mark.parametrize("arguments", [ROOMS, *(["--quick", room] for room in ROOMS)], ids=" ".join)
def test_the_project_works_without_these_rooms(arguments: list[str]) -> None:
    done = subprocess.run([ROOT / "script" / "without", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr


@pytest.mark.nightly
def test_other_rooms_are_refused() -> None:
    for names in ((), ("core",), ("core", "nothing")):
        command = [sys.executable, "-m", "tests.without", *names]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert done.stderr.startswith("script/without: name at least one of the rooms that can be removed: ")


def test_a_room_leaves_neither_a_line_in_the_settings_nor_a_layer(tmp_path: Path) -> None:
    for file in (SETTINGS, CONTRACTS):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes((ROOT / file).read_bytes())
    for room in ROOMS:
        remove(room, tmp_path)
        for file in (SETTINGS, CONTRACTS):
            # `accord_core.planning` is a module of another distribution.
            text = (tmp_path / file).read_text(encoding="utf-8")
            assert room not in text.replace('"formats", "planning"', "")
        with pytest.raises(SystemExit, match="has 0 places for"):
            remove(room, tmp_path)
