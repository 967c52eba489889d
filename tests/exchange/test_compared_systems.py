"""The names of compared systems, the pairs that are compared, and Holm's correction."""

import random
from pathlib import Path

import pytest

from accord_core.exchange.compared_systems import compared_systems
from accord_core.numerics.multiplicity import holm


def test_holm_equals_a_published_example_and_its_definition() -> None:
    # R: p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05), "holm")
    assert holm([0.01, 0.02, 0.03, 0.04, 0.05]) == pytest.approx([0.05, 0.08, 0.09, 0.09, 0.09])
    draws = random.Random(3)
    for count in range(1, 7):
        p_values = [draws.random() ** 3 for _ in range(count)]
        ordered = sorted(p_values)
        for p, corrected in zip(p_values, holm(p_values), strict=True):
            rank = ordered.index(p)
            assert corrected == pytest.approx(max(min(1, (count - n) * ordered[n]) for n in range(rank + 1)))
    assert holm([None, 0.01, None, 0.04]) == pytest.approx([None, 0.02, None, 0.04])
    assert holm([]) == []


def test_names_of_systems(tmp_path: Path) -> None:
    def names(*files: str) -> list[str]:
        return [system.name for system in compared_systems(files).systems]

    assert names("runs/sbert.csv", "SimCSE=runs/2.csv", "-") == ["sbert", "SimCSE", "standard input"]
    assert names("one/run.csv", "two/run.csv", "A=three/run.csv") == ["one/run.csv", "two/run.csv", "A"]
    odd = tmp_path / "seed=3.csv"
    odd.touch()
    assert names(str(odd)) == ["seed=3"]
    with pytest.raises(ValueError, match="Several systems have the name A"):
        compared_systems(["A=one", "A=two"])


def test_pairs_of_systems() -> None:
    def pairs(*files: str, baseline: str | None = None) -> list[tuple[str, str]]:
        return list(compared_systems(files, baseline).pairs)

    assert pairs("a.csv") == []
    assert pairs("a.csv", "b.csv", "c.csv") == [("a", "b"), ("a", "c"), ("b", "c")]
    for baseline in ("B", "b.csv", "B=b.csv"):
        assert pairs("a.csv", "B=b.csv", "c.csv", baseline=baseline) == [("a", "B"), ("c", "B")]
    assert pairs("a.csv", "c.csv", baseline="D=d.csv") == [("a", "D"), ("c", "D")]
