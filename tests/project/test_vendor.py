"""Tests that the browser's libraries are byte for byte the libraries in `static/vendor/VERSIONS`."""

import csv
import hashlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
with (ROOT / "static/vendor/VERSIONS").open(encoding="utf-8", newline="") as lines:
    VERSIONS = list(csv.DictReader(lines, delimiter="\t"))


@pytest.mark.parametrize("row", VERSIONS, ids=[row["name"] for row in VERSIONS])
def test_a_vendored_file_has_the_listed_checksum_and_its_licence_beside_it(row: dict[str, str]) -> None:
    path = ROOT / row["file"]
    assert hashlib.sha256(path.read_bytes()).hexdigest() == row["sha256"]
    assert row["licence"] in {"MIT", "0BSD", "CC-BY-4.0", "ISC", "MPL-2.0"}
    assert path.with_name(path.name.split(".min.")[0] + ".LICENSE").stat().st_size > 0


def test_every_vendored_file_is_listed() -> None:
    listed = {row["file"] for row in VERSIONS}
    present = {
        str(path.relative_to(ROOT))
        for folder in (ROOT / "static/vendor", ROOT / "tests/vendor")
        for path in folder.iterdir()
        if path.suffix != ".LICENSE" and path.name != "VERSIONS"
    }
    assert present == listed


@pytest.mark.parametrize("row", VERSIONS, ids=[row["name"] for row in VERSIONS])
def test_no_vendored_file_refers_to_a_source_map(row: dict[str, str]) -> None:
    assert "sourceMappingURL" not in (ROOT / row["file"]).read_text(encoding="utf-8")
