"""Tests that script/nightly runs every slow test, and fails if a test fails."""

import re
from pathlib import Path

import pytest

from tests import nightly


def test_a_benchmark_is_a_proof_if_it_has_a_limit(tmp_path: Path) -> None:
    measures, gates = tmp_path / "measures.py", tmp_path / "gates.py"
    measures.write_text("print(1)")
    gates.write_text("import sys\nsys.exit(1 > 0)")
    assert (nightly.gates(measures), nightly.gates(gates)) == (False, True)


@pytest.mark.nightly
def test_each_test_is_reported_as_it_ends_and_a_failure_keeps_its_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "test_slow.py").write_text(
        "import pathlib, pytest, time\n"
        "@pytest.mark.nightly\ndef test_holds(): pass\n"
        "@pytest.mark.nightly\ndef test_sees_the_first_line():\n"
        "    until = time.monotonic() + 30\n"
        "    while not pathlib.Path('first line').exists(): assert time.monotonic() < until\n"
        "@pytest.mark.nightly\ndef test_fails(): assert 1 == 2\n"
        "@pytest.mark.nightly\ndef test_is_skipped(): pytest.skip('no server')\n"
        "@pytest.fixture\ndef broken(): raise LookupError('no fixture')\n"
        "@pytest.mark.nightly\ndef test_errs(broken): pass\n"
        "def test_is_quick(): raise SystemError\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = nightly: slow\n")
    monkeypatch.setattr(nightly, "ROOT", tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(Path(nightly.__file__).parents[1]))
    report = nightly.reported

    def note_first(proof: nightly.Proof) -> nightly.Proof:
        (tmp_path / "first line").touch()
        return report(proof)

    monkeypatch.setattr(nightly, "reported", note_first)
    proofs = {proof.name.split("::")[1]: proof for proof in nightly.tests("nightly", tmp_path / "sqlite")}
    assert proofs.keys() == {"test_holds", "test_sees_the_first_line", "test_fails", "test_is_skipped", "test_errs"}
    assert proofs["test_holds"].output == proofs["test_sees_the_first_line"].output == ""
    assert "assert 1 == 2" in proofs["test_fails"].output
    assert "no server" in proofs["test_is_skipped"].output
    assert "no fixture" in proofs["test_errs"].output
    printed = capsys.readouterr().out
    lines = re.findall(r"^(ok|FAILED) +\d", printed, re.MULTILINE)
    assert lines == ["ok", "ok", "FAILED", "FAILED", "FAILED"]
    assert "assert 1 == 2" in printed


@pytest.mark.nightly
def test_a_file_that_cannot_be_imported_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "test_broken.py").write_text("import nothing_of_this_name\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = nightly: slow\n")
    monkeypatch.setattr(nightly, "ROOT", tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(Path(nightly.__file__).parents[1]))
    (proof,) = nightly.tests("nightly", tmp_path / "sqlite")
    assert "nothing_of_this_name" in proof.output
