"""Tests that script/nightly runs every slow test, and fails if a test fails."""

from pathlib import Path

import pytest

from tests import nightly


def test_a_benchmark_is_a_proof_if_it_has_a_limit(tmp_path: Path) -> None:
    measures, gates = tmp_path / "measures.py", tmp_path / "gates.py"
    measures.write_text("print(1)")
    gates.write_text("import sys\nsys.exit(1 > 0)")
    assert (nightly.gates(measures), nightly.gates(gates)) == (False, True)


def test_each_test_is_a_proof_and_a_failure_keeps_its_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "test_slow.py").write_text(
        "import pytest\n"
        "@pytest.mark.nightly\ndef test_holds(): pass\n"
        "@pytest.mark.nightly\ndef test_fails(): assert 1 == 2\n"
        "@pytest.mark.nightly\ndef test_is_skipped(): pytest.skip('no server')\n"
        "def test_is_quick(): raise SystemError\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = nightly: slow\n")
    monkeypatch.setattr(nightly, "ROOT", tmp_path)
    proofs = {proof.name.split("::")[1]: proof for proof in nightly.tests("nightly", tmp_path / "sqlite")}
    assert proofs.keys() == {"test_holds", "test_fails", "test_is_skipped"}
    assert proofs["test_holds"].output == ""
    assert "assert 1 == 2" in proofs["test_fails"].output
    assert "no server" in proofs["test_is_skipped"].output
    lines = capsys.readouterr().out.splitlines()
    assert sorted(line.split()[0] for line in lines) == ["FAILED", "FAILED", "ok"]
