"""Tests of optional packages: each is a declared extra, and a missing package has one clear message."""

import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from accord_core.exchange.extras import EXTRAS, MissingExtraError, import_extra
from accord_core.exchange.faults import TableError
from accord_core.exchange.spacy_models import load_model
from annotate.commands.main import MainGroup

ROOT = Path(__file__).resolve().parents[2]


def test_each_package_is_declared_as_an_extra():
    declared = set()
    for folder in (ROOT, ROOT / "packages" / "core"):
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        for extra, listed in project["optional-dependencies"].items():
            declared |= {(requirement.partition(">")[0].replace("-", "_"), extra) for requirement in listed}
    assert set(EXTRAS.items()) <= declared


@pytest.mark.parametrize("package", EXTRAS)
def test_a_missing_package_is_named_with_its_extra(monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError) as raised:
        import_extra(package, "Sentence splitting")
    assert str(raised.value) == (
        f"Sentence splitting needs the extra ‘{EXTRAS[package]}’: pip install 'accord-annotation[{EXTRAS[package]}]'"
    )


def test_an_installed_package_is_returned(monkeypatch):
    spacy = ModuleType("spacy")
    monkeypatch.setitem(sys.modules, "spacy", spacy)
    assert import_extra("spacy", "The tagger") is spacy


def test_an_error_inside_an_installed_package_is_not_hidden(monkeypatch, tmp_path):
    (tmp_path / "pysbd.py").write_text("import package_that_does_not_exist\n")
    monkeypatch.delitem(sys.modules, "pysbd", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="package_that_does_not_exist") as raised:
        import_extra("pysbd", "Sentence splitting")
    assert not isinstance(raised.value, MissingExtraError)


def test_the_command_line_prints_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    group = MainGroup("accord", source="accord.nothing")

    @group.command()
    def tag() -> None:
        import_extra("spacy", "The tagger")

    result = CliRunner().invoke(group, ["tag"])
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "accord: The tagger needs the extra ‘spacy’: pip install 'accord-annotation[spacy]'\n"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError("[E050]"), "the spaCy model is not installed. Install the model with python -m spacy download small"),
        (
            ValueError("[E885]"),
            "spaCy cannot load the model ([E885]). Install the model again, or choose another model",
        ),
        (TypeError("vocab"), "spaCy cannot load the model (vocab)"),
    ],
)
def test_a_model_that_cannot_be_loaded_is_one_clear_error(monkeypatch, error, message):
    def load(name):
        raise error

    spacy = ModuleType("spacy")
    spacy.load = load
    monkeypatch.setitem(sys.modules, "spacy", spacy)
    with pytest.raises(TableError) as raised:
        load_model("small", "Parsing")
    assert f"small: {message}" in str(raised.value)
