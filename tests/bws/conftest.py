"""Fixtures for tests of `accord bws`."""

import pytest

from tests.bws.cli import ITEMS, annotations


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Change to a folder with a list of items and a file of annotations."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "items.txt").write_text("\n".join(ITEMS))
    (tmp_path / "annotations.csv").write_text(annotations())
    return tmp_path
