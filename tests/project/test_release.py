"""Tests that all packages have the version of the newest section of the changelog."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHANGES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
SECTIONS = re.findall(r"^## (\d+)\.(\d+)\.(\d+)( \(unreleased\))?$", CHANGES, re.MULTILINE)


def test_the_changelog_has_a_section_for_each_version_with_the_next_one_on_top() -> None:
    assert len(SECTIONS) == len(re.findall(r"^## ", CHANGES, re.MULTILINE)) > 0
    versions = [tuple(map(int, section[:3])) for section in SECTIONS]
    assert versions == sorted(set(versions), reverse=True)
    assert [bool(section[3]) for section in SECTIONS[1:]] == [False] * (len(SECTIONS) - 1)


def test_every_package_has_the_version_on_top() -> None:
    files = [ROOT / "pyproject.toml", *(ROOT / "packages").glob("*/pyproject.toml")]
    versions = {str(file): tomllib.loads(file.read_text(encoding="utf-8"))["project"]["version"] for file in files}
    assert set(versions.values()) == {".".join(SECTIONS[0][:3])}, versions
