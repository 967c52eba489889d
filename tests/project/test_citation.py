"""Tests of what makes the project known: its citation, its metadata and its addresses, which stand in one file."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from tests.project.citation import CITATION, CODEMETA, ROOT, citation, codemeta, settings

SCHEMA = json.loads((ROOT / "tests" / "vendor" / "cff-1.2.0.schema.json").read_text(encoding="utf-8"))
# A host or an e-mail domain, with the path after it.
ADDRESS = re.compile(r"(?:https?://|[\w.+-]+@)((?:[a-z0-9-]+\.)+[a-z]{2,})(/[^\s\"'`<>)\]]*)?", re.IGNORECASE)
RESERVED = re.compile(r"(?:.*\.)?(?:example(?:\.(?:org|com|net))?|test|localhost)", re.IGNORECASE)
FILLED_IN_LATER = re.compile(
    r"^(?:your|my|some|the)[-.]|[-.](?:domain|company|host)\.|^(?:domain|company)\.", re.IGNORECASE
)
NOT_TEXT = (".png", ".svg", ".mo", ".backup", ".map", ".lock", ".txt", ".woff2")


def published() -> dict[str, Any]:
    """Return project.toml with real addresses, a date and a DOI."""
    project = deepcopy(settings()[1])
    project["addresses"] |= {
        "repository": "https://code.example.org/accord",
        "issues": "https://code.example.org/accord/issues",
        "documentation": "https://accord.example.org/docs",
    }
    return project | {"released": "2027-01-31", "doi": "10.5281/zenodo.1234567"}


def test_the_files_are_up_to_date() -> None:
    assert CITATION.read_text(encoding="utf-8") == citation(*settings()), "run script/reference"
    assert CODEMETA.read_text(encoding="utf-8") == codemeta(*settings()), "run script/reference"


@pytest.mark.parametrize("project", [settings()[1], published()], ids=["now", "published"])
def test_the_citation_is_valid(project: dict[str, Any]) -> None:
    fields = yaml.safe_load(citation(settings()[0], project))
    jsonschema.Draft7Validator(SCHEMA).validate(fields)
    assert ("repository-code" in fields) is ("date-released" in fields) is ("doi" in fields) is bool(project["doi"])


def test_placeholders_are_left_out_and_addresses_are_not() -> None:
    package = settings()[0]
    project = settings()[1]
    assert any(".invalid" in address for address in project["addresses"].values()) is (not project["released"])
    assert ".invalid" not in CITATION.read_text(encoding="utf-8") + CODEMETA.read_text(encoding="utf-8")
    fields = json.loads(codemeta(package, published()))
    assert fields["codeRepository"] == "https://code.example.org/accord"
    assert fields["issueTracker"] == "https://code.example.org/accord/issues"
    assert fields["softwareHelp"] == "https://accord.example.org/docs"


@pytest.mark.nightly
@pytest.mark.parametrize("address", ["https://code.example.org/accord", "https://repository.invalid"])
def test_the_package_has_the_addresses_that_exist(tmp_path: Path, address: str) -> None:
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "requirements/base.in"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    text = (ROOT / "project.toml").read_text(encoding="utf-8")
    changed = re.sub(r'^repository = ".*"$', f'repository = "{address}"', text, flags=re.MULTILINE)
    (tmp_path / "project.toml").write_text(changed, encoding="utf-8")
    build = "from setuptools import build_meta; print(build_meta.prepare_metadata_for_build_wheel('.'))"
    done = subprocess.run(
        [sys.executable, "-c", build], cwd=tmp_path, capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    metadata = (tmp_path / done.stdout.split()[-1] / "METADATA").read_text(encoding="utf-8")
    assert (f"Project-URL: Repository, {address}" in metadata) is (".invalid" not in address)
    assert ".invalid" not in metadata


@pytest.mark.nightly
def test_only_project_toml_contains_placeholders() -> None:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", ".", ":!tests", ":!**/dist/*"]
    command += [":!static/vendor", ":!project.toml", ":!package-lock.json"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    texts = {name: ROOT / name for name in names if not name.endswith(NOT_TEXT) and (ROOT / name).is_file()}
    assert len(texts) > 1_000
    found = [
        f"{name}: {host}{path}"
        for name, file in texts.items()
        for host, path in ADDRESS.findall(file.read_text(encoding="utf-8", errors="ignore"))
        if is_placeholder(host, path)
    ]
    assert found == []


def is_placeholder(host: str, path: str) -> bool:
    """Return whether an address stands for one that does not exist yet, or looks like one of the project's own."""
    if RESERVED.fullmatch(host):
        return False
    own = "accord" in host.lower() or re.search(r"/accord(?:[-/.]|$)", path, re.IGNORECASE)
    return bool(host.endswith(".invalid") or own or FILLED_IN_LATER.search(host))


@pytest.mark.parametrize(
    ("host", "path", "expected"),
    [
        ("accord.example.org", "/join/x", False),
        ("zenodo.org", "/records/1", False),
        ("github.com", "/hltcoe/turkle", False),
        ("repository.invalid", "", True),
        ("accord-annotation.org", "", True),
        ("github.com", "/someone/accord", True),
        ("your-server.org", "", True),
    ],
)
def test_placeholders_are_recognised(host: str, path: str, expected: bool) -> None:
    assert is_placeholder(host, path) is expected
