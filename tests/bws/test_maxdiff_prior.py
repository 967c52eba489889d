"""MaxDiff with an estimated prior, compared with a fixed penalty, an exact inverse and an exact marginal likelihood."""

from __future__ import annotations

import json

import numpy as np
import pytest
import scipy

from accord_core.bws.numerics.design import best_worst_design
from accord_core.bws.numerics.maxdiff import maxdiff_scores
from accord_core.bws.numerics.maxdiff_left_out import curvature_at
from accord_core.bws.numerics.maxdiff_prior import maxdiff_with_prior
from accord_core.bws.numerics.scoring import Judgements, spearman
from accord_core.bws.numerics.simulation import simulate_judgements
from tests.bws.cli import accord

ITEMS = 60


@pytest.fixture(scope="module")
def study():
    """Return true utilities, a program that correlates with them by .8, and judgements."""
    draw = np.random.default_rng(1)
    true = draw.normal(0, 1.5, ITEMS)
    program = 0.8 * true / 1.5 + 0.6 * draw.normal(size=ITEMS)
    return true, program, simulate_judgements(best_worst_design(ITEMS), true, per_tuple=2, annotators=10)


def test_the_utilities_are_those_of_a_fixed_penalty(study):
    _, _, judgements = study
    fit = maxdiff_with_prior(judgements)
    fixed = maxdiff_scores(judgements, penalty=1 / (2 * fit.spread**2))
    assert fit.scores.utility == pytest.approx(fixed.utility, abs=1e-4)
    assert (fit.slope, fit.scores.converged) == (0, True)


def information(judgements: Judgements, utility: np.ndarray, spread: float) -> np.ndarray:
    curvature = curvature_at(judgements, utility)
    matrix = np.eye(ITEMS) / spread**2
    np.add.at(matrix, (curvature.items[:, :, None], curvature.items[:, None, :]), curvature.information)
    return matrix


def test_errors_are_those_of_the_complete_inverse(study):
    _, program, judgements = study
    fit = maxdiff_with_prior(judgements, program)
    exact = np.linalg.inv(information(judgements, fit.scores.utility, fit.spread)).diagonal() ** 0.5
    assert fit.scores.standard_error == pytest.approx(exact, rel=0.03)


@pytest.mark.nightly
def test_the_prior_maximises_the_marginal_likelihood(study):
    """Laplace's approximation, calculated with scipy's optimiser and complete determinants."""
    _, program, judgements = study
    standard = (program - program.mean()) / program.std()

    def likelihood(u):
        x = u[judgements.items]
        pairs = np.exp(x).sum(axis=1) * np.exp(-x).sum(axis=1) - x.shape[1]
        return float(np.log(pairs).sum() - (u[judgements.best] - u[judgements.worst]).sum())

    def loss(spread):
        def posterior(x):
            return likelihood(x[:-1] + x[-1] * standard) + x[:-1] @ x[:-1] / (2 * spread**2)

        best = scipy.optimize.minimize(posterior, np.zeros(ITEMS + 1))
        determinant = np.linalg.slogdet(information(judgements, best.x[:-1] + best.x[-1] * standard, spread))[1]
        return best.fun + ITEMS * np.log(spread) + determinant / 2

    fit = maxdiff_with_prior(judgements, program)
    at = np.array([loss(fit.spread * factor) for factor in (0.9, 1.0, 1.1)])
    curve = np.polyfit([0.9, 1.0, 1.1], at, 2)
    assert -curve[1] / (2 * curve[0]) == pytest.approx(1, abs=0.02)


def test_a_good_program_helps_and_a_useless_one_does_no_harm(study):
    true, program, judgements = study
    half = judgements.take(slice(ITEMS * 2))
    alone, good, useless = (
        maxdiff_with_prior(half, each) for each in (None, program, np.random.default_rng(2).normal(size=ITEMS))
    )
    agreement = [spearman(fit.scores.utility, true) for fit in (alone, good, useless)]
    assert agreement[1] > agreement[0] + 0.01
    assert agreement[2] > agreement[0] - 0.02
    assert good.spread < alone.spread
    assert good.slope == pytest.approx(1.2, abs=0.35)
    assert maxdiff_with_prior(half, -program).scores.utility == pytest.approx(good.scores.utility, abs=1e-3)


def test_a_program_that_explains_everything_is_followed():
    true = np.linspace(-2, 2, ITEMS)
    judgements = simulate_judgements(best_worst_design(ITEMS), true, per_tuple=4, annotators=10)
    fit = maxdiff_with_prior(judgements, true)
    assert fit.spread < 0.2
    assert spearman(fit.scores.utility, true) > 0.99


def test_items_without_judgements_have_no_utility(study):
    _, program, judgements = study
    few = judgements.take(slice(10))
    fit = maxdiff_with_prior(few, program)
    shown = np.isin(np.arange(ITEMS), few.items)
    assert (np.isfinite(fit.scores.utility) == shown).all()
    assert (np.isfinite(fit.scores.standard_error) == shown).all()


def test_faulty_input_is_refused(study):
    _, program, judgements = study
    with pytest.raises(ValueError, match="one finite score for each of the 60 items"):
        maxdiff_with_prior(judgements, program[:-1])
    with pytest.raises(ValueError, match="one finite score"):
        maxdiff_with_prior(judgements, np.full(ITEMS, np.nan))
    with pytest.raises(ValueError, match="No judgement names different items"):
        maxdiff_with_prior(judgements.take(slice(0)))


def test_the_command_marks_assisted_scores(study, tmp_path):
    _, program, judgements = study
    rows = zip(judgements.items.tolist(), judgements.best.tolist(), judgements.worst.tolist(), strict=True)
    lines = [",".join(f"i{each}" for each in (*items, best, worst)) for items, best, worst in rows]
    (tmp_path / "judged.csv").write_text("Item1,Item2,Item3,Item4,BestItem,WorstItem\n" + "\n".join(lines))
    scores = [f"i{number},{score}" for number, score in enumerate(program.tolist())]
    (tmp_path / "model.csv").write_text("item,score\n" + "\n".join([*scores, "further,1"]))
    arguments = ("bws", "score", str(tmp_path / "judged.csv"), "--program", str(tmp_path / "model.csv"))
    result = accord(*arguments, "--method", "maxdiff", "--format", "json")
    assert result.exit_code == 0
    first, *_ = rows = json.loads(result.stdout)
    assert list(first) == ["item", "score", "standard_error", "assisted_by"]
    assert {row["assisted_by"] for row in rows} == {str(tmp_path / "model.csv")}
    assert "1 additional items" in result.stderr
    assert "Items deviate from this with a standard deviation of" in result.stderr
    fit = maxdiff_with_prior(judgements, program)
    assert {row["item"]: row["score"] for row in rows}["i7"] == pytest.approx(fit.scores.utility[7], abs=1e-3)
    assert "--program needs --method maxdiff" in accord(*arguments).stderr
