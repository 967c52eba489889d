"""Tests of accord-core as other programs use it: its public modules, its examples, and what it needs."""

import doctest
import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from accord_core.agreement import krippendorff_alpha
from accord_core.alignment import ists_scores, symmetrize
from accord_core.designs import DesignError, best_worst_design
from accord_core.reliability import split_half_reliability
from accord_core.scores import Judgements, Labels

PACKAGE = Path(__file__).resolve().parents[2] / "packages" / "core" / "accord_core"
PUBLIC = [import_module(f"accord_core.{file.stem}") for file in sorted(PACKAGE.glob("[a-z]*.py"))]
JUDGEMENTS = Judgements(np.array([[0, 1, 2, 3]] * 2), np.array([0, 1]), np.array([3, 3]), n_items=4)
LABELS = Labels(np.array([0, 0]), np.array([0, 1]), np.array([0, 1]), n_items=1, n_annotators=2, n_labels=2)
# Imports every module of the package while nothing but the standard library, NumPy and SciPy can be imported.
ALONE = """
import sys
from importlib import import_module
from pathlib import Path

class Others:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names | {"numpy", "scipy", "accord_core"}:
            raise ModuleNotFoundError(f"{name} is not part of what accord-core needs", name=top)

sys.meta_path.insert(0, Others())
package = Path(sys.argv[1])
for file in sorted(package.rglob("*.py")):
    import_module(".".join(file.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__"))
sys.exit("scipy.stats" in sys.modules)
"""


def test_the_public_modules_are_the_files_of_the_package() -> None:
    names = {module.__name__.partition(".")[2] for module in PUBLIC}
    assert names == {"agreement", "alignment", "designs", "formats", "planning", "reliability", "scores"}


@pytest.mark.parametrize("module", PUBLIC, ids=lambda module: module.__name__)
def test_the_examples_are_true(module: ModuleType) -> None:
    outcome = doctest.testmod(module)
    assert outcome.attempted >= 3
    assert outcome.failed == 0


@pytest.mark.parametrize("module", PUBLIC, ids=lambda module: module.__name__)
def test_each_public_name_is_documented(module: ModuleType) -> None:
    public = {name: getattr(module, name) for name in module.__all__}
    undocumented = [name for name, value in public.items() if inspect.isfunction(value) and not inspect.getdoc(value)]
    assert undocumented == []


def test_all_modules_need_only_numpy_and_scipy() -> None:
    done = subprocess.run([sys.executable, "-c", ALONE, PACKAGE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_unknown_arguments_are_refused() -> None:
    with pytest.raises(DesignError):
        best_worst_design(3, size=4)
    with pytest.raises(ValueError, match="one of intersect, union"):
        symmetrize({(0, 0)}, {(0, 0)}, "intersection")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="2015 or 2016"):
        ists_scores([], [], version=2017)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="tuples"):
        split_half_reliability(JUDGEMENTS, unit="items")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="nominal"):
        krippendorff_alpha(LABELS, "cardinal")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="indexes must be from 0 to 3"):
        Judgements(np.array([[0, 1, 2, 4]]), np.array([0]), np.array([1]), n_items=4)
