"""Tests of docs/methods.md: each reference from the program leads to a heading, and each folder has an entry."""

import re
from pathlib import Path

from annotate.help.guides import guide

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "packages" / "core"
SOURCES = (
    "annotate", "bws", "paraphrase", "alignment_ui", "evaluation", "layouts", "packages", "releases", "reporting",
)  # fmt: skip
REFERENCE = re.compile(r"methods(?:\.md)?#([\w-]+)")


def anchors() -> set[str]:
    methods = guide("methods")
    assert methods is not None
    return {section.anchor for section in methods.sections}


def test_each_reference_in_the_program_has_a_heading() -> None:
    known = anchors()
    found = {
        (path.relative_to(ROOT), anchor)
        for folder in SOURCES
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".html") and "migrations" not in path.parts
        for anchor in REFERENCE.findall(path.read_text(encoding="utf-8"))
    }
    assert found
    assert [(str(path), anchor) for path, anchor in found if anchor not in known] == []


def test_each_folder_of_calculations_has_an_entry() -> None:
    text = (ROOT / "docs" / "methods.md").read_text(encoding="utf-8")
    folders = {path.relative_to(CORE) for path in (CORE / "accord_core").rglob("numerics")}
    assert len(folders) > 5
    assert [str(folder) for folder in folders if f"`{folder}/" not in text] == []
