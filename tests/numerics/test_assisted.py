"""Program-assisted figures agree with ppi-python, with brute force, and with people alone if a program cannot help."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from accord_core.numerics.assisted import (
    FEWEST_RARE,
    Drawn,
    Judgements,
    assisted_figures,
    assisted_spearman,
    parts_of_spearman,
)
from accord_core.numerics.assisted_labels import (
    agreement_counts,
    agreement_figures,
    plain_means,
    rarer_agreement,
    rarer_shares,
    shares,
)
from accord_core.numerics.assisted_ranks import assisted_ranks
from accord_core.numerics.influence import influence_of_spearman, influence_of_sums

# ppi_mean_pointestimate and ppi_mean_ci(alpha=0.05) of ppi-python 0.2.3, for the scores below
PPI = {0.8: (0.00479566, -0.05010475, 0.05969606), 0.5: (-0.00503117, -0.07077815, 0.06071581)}


def scores(correlation, questions=5000):
    draw = np.random.default_rng(20231101)
    true = draw.normal(size=questions)
    people = true + 0.5 * draw.normal(size=questions)
    return people, correlation * true + (1 - correlation**2) ** 0.5 * draw.normal(size=questions)


def even(judged, questions):
    return Drawn(np.arange(judged), np.ones(judged), questions)


def mean_of(people, program, drawn, **options):
    (figure,) = assisted_figures(people[drawn.judged, None], program[:, None], drawn, plain_means, **options)
    return figure


def ends(coefficient):
    return coefficient.value, coefficient.low, coefficient.high


@pytest.mark.parametrize("correlation", PPI)
def test_the_mean_agrees_with_ppi_python(correlation):
    figure = mean_of(*scores(correlation), even(1000, 5000))
    assert figure.assisted.value == pytest.approx(PPI[correlation][0], abs=1e-7)
    # ppi-python uses the normal distribution instead of t, and variances without the correction for their bias.
    assert ends(figure.assisted) == pytest.approx(PPI[correlation], abs=2e-4)


def test_the_saving_follows_from_the_correlation():
    people, program = scores(0.8)
    figure = mean_of(people, program, even(1000, 5000))
    r = np.corrcoef(people[:1000], program[:1000])[0, 1]
    assert figure.saved == pytest.approx(r**2 * (1 - 1000 / 5000), abs=0.02)
    narrower = (figure.assisted.high - figure.assisted.low) / (figure.people.high - figure.people.low)
    assert narrower == pytest.approx((1 - figure.saved) ** 0.5, rel=0.001)


@pytest.mark.parametrize(
    "program",
    [lambda people: -people, lambda people: np.ones(len(people)), lambda people: np.full(len(people), np.nan)],
)
def test_a_harmful_or_constant_program_leaves_people_alone(program):
    people, _ = scores(0.8, 400)
    figure = mean_of(people, program(people), even(80, 400))
    assert ends(figure.assisted) == ends(figure.people)
    assert (figure.tuning, figure.saved) == (0, 0)


def test_nothing_is_saved_if_everything_is_judged():
    figure = mean_of(*scores(0.8, 200), even(200, 200))
    assert ends(figure.assisted) == ends(figure.people)
    assert figure.saved == 0


def test_people_alone_have_the_interval_of_a_mean():
    people, program = scores(0.8, 400)
    figure = mean_of(people, program, even(80, 400))
    own = people[:80]
    half = 1.9905 * own.std(ddof=1) / 80**0.5  # the quantile of t with 79 degrees of freedom
    assert ends(figure.people) == pytest.approx((own.mean(), own.mean() - half, own.mean() + half), abs=2e-4)


def test_unequal_probabilities_are_corrected():
    """Questions with high scores are drawn more often. Over many draws, the estimates and intervals remain right."""
    people, program = scores(0.8, 2000)
    probability = 0.1 * (0.5 + (people > 0.5))
    found = []
    for seed in range(300):
        chosen = np.flatnonzero(np.random.default_rng(seed).random(2000) < probability)
        found.append(ends(mean_of(people, program, Drawn(chosen, probability[chosen], 2000)).assisted))
    values, low, high = np.array(found).T
    assert values.mean() == pytest.approx(people.mean(), abs=4 * values.std() / 300**0.5)
    assert people[chosen].mean() > people.mean() + 0.15
    # The intervals generalise to other questions, but all draws are from the same questions.
    assert ((low <= people.mean()) & (people.mean() <= high)).mean() > 0.94


def test_influence_values_are_the_derivatives_of_figures():
    draw = np.random.default_rng(3)
    one = draw.normal(size=60).round(1)
    other = (one + draw.normal(size=60)).round(1)
    weights = draw.random(60) + 0.2
    counts = agreement_counts(*(np.eye(3)[draw.integers(3, size=60)] for _ in range(2)))
    for figure in (
        lambda weights: influence_of_spearman(one, other, weights),
        lambda weights: influence_of_sums(counts, agreement_figures, weights),
    ):
        value, of_unit = figure(weights)
        share, step = weights / weights.sum(), 1e-6
        moved = [(figure((1 - step) * share + step * unit).value - value) / step for unit in np.eye(60)]
        assert of_unit == pytest.approx(np.array(moved).T, abs=1e-4)
        assert of_unit @ share == pytest.approx(0, abs=1e-9)


def test_spearman_is_corrected_like_a_mean():
    people, program = scores(0.8)
    system, drawn = people + np.random.default_rng(5).normal(size=5000), even(500, 5000)
    (figure,) = assisted_spearman(people[:500], program, system[None], drawn)

    def spearman(one, other):
        ranks = [each.argsort().argsort() for each in (one, other)]
        return np.corrcoef(*ranks)[0, 1]

    alone = spearman(system[:500], people[:500])
    correction = spearman(system, program) - spearman(system[:500], program[:500])
    assert figure.people.value == pytest.approx(alone, abs=1e-12)
    assert figure.assisted.value == pytest.approx(alone + figure.tuning * correction, abs=1e-12)
    resampled = [
        spearman(system[chosen], people[chosen]) for chosen in np.random.default_rng(1).integers(500, size=(400, 500))
    ]
    assert figure.people.high - figure.people.low == pytest.approx(3.92 * np.std(resampled), rel=0.12)


def test_agreement_figures_are_accuracy_kappa_and_f1():
    draw = np.random.default_rng(4)
    system, people = draw.integers(3, size=(2, 200))
    counts = agreement_counts(np.eye(3)[system], np.eye(3)[people])
    accuracy, kappa, *f1 = agreement_figures(counts.mean(axis=0)[None])[:, 0]
    expected = sum((system == label).mean() * (people == label).mean() for label in range(3))
    assert accuracy == pytest.approx((system == people).mean())
    assert kappa == pytest.approx((accuracy - expected) / (1 - expected))
    for label, value in enumerate(f1):
        both = ((system == label) & (people == label)).sum()
        assert value == pytest.approx(2 * both / ((system == label).sum() + (people == label).sum()))
    right = [((system == label) & (people == label)).sum() for label in range(3)]
    wrong = [((system == label) ^ (people == label)).sum() for label in range(3)]
    assert rarer_agreement(counts)[2:] == pytest.approx(np.minimum(right, wrong))


def test_the_variance_over_questions_and_annotators_is_that_of_two_way_clusters():
    draw = np.random.default_rng(6)
    annotator = draw.random((100, 10)).argsort(axis=1)[:, :2]
    chosen = draw.random((100, 2)) < 0.5 + 0.03 * (annotator - 4.5)
    program = (draw.random((500, 1)) < 0.5).astype(float)
    single = Judgements(chosen.reshape(-1, 1).astype(float), np.repeat(np.arange(100), 2), annotator.ravel())
    people = chosen.mean(axis=1, keepdims=True)
    (figure,) = assisted_figures(people, program, even(100, 500), plain_means, judgements=single)
    (questions_only,) = assisted_figures(people, program, even(100, 500), plain_means)
    error = (chosen - chosen.mean()) / 200
    by_annotator = np.array([error[annotator == each].sum() for each in range(10)])
    parts = 100 / 99 * (error.sum(axis=1) ** 2).sum(), 10 / 9 * (by_annotator**2).sum()
    variance = max(sum(parts) - 200 / 199 * (error**2).sum(), *parts)
    half = (figure.people.high - figure.people.low) / 2
    assert 1.98 < half / variance**0.5 < 2.27  # the quantiles of t with 99 and with 9 degrees of freedom
    assert figure.people.value == questions_only.people.value
    assert half > (questions_only.people.high - questions_only.people.low) / 2
    few = single._replace(annotator=single.annotator % 5)
    (figure,) = assisted_figures(people, program, even(100, 500), plain_means, judgements=few)
    assert figure.people.reason == "fewer than 6 annotators"


def test_rare_cases_and_extreme_values_have_no_interval():
    labels = np.zeros((200, 2))
    labels[:, 0] = np.arange(200) < FEWEST_RARE - 1
    labels[:, 1] = 1 - labels[:, 0]
    program, drawn = np.tile(labels, (5, 1)), even(200, 1000)
    first, second = assisted_figures(labels, program, drawn, shares, rare=rarer_shares(labels))
    assert first.assisted.low is second.assisted.low is None
    assert first.assisted.value == pytest.approx((FEWEST_RARE - 1) / 200)
    assert "rarer kind" in first.assisted.reason
    labels[FEWEST_RARE - 1] = labels[0]
    first, _ = assisted_figures(labels, program, drawn, shares, rare=rarer_shares(labels))
    assert first.assisted.low < first.assisted.value < first.assisted.high
    people, program = scores(0.8, 400)
    program[399] = 1000
    assert "a few questions decide" in mean_of(people, program, even(80, 400)).people.reason
    assert "fewer than 30" in mean_of(people, program, even(29, 400)).assisted.reason


def test_ranks_separate_only_systems_that_differ_with_certainty():
    people, program = scores(0.8)
    draw, drawn = np.random.default_rng(7), even(500, 5000)
    systems = np.stack([people + spread * draw.normal(size=5000) for spread in (0.2, 1.0, 1.05, 4.0)])
    parts = parts_of_spearman(people[:500], program, systems, drawn)
    ranks = assisted_ranks(parts, drawn)
    assert [(each.low, each.high) for each in ranks] == [(1, 1), (2, 3), (2, 3), (4, 4)]
    assert sorted(each.value for each in ranks) == [1, 2, 3, 4]
    figures = assisted_spearman(people[:500], program, systems, drawn)
    for one, other in combinations(range(4), 2):
        better = figures[one].assisted.value > figures[other].assisted.value
        assert (ranks[one].value < ranks[other].value) == better
    assert assisted_ranks(parts_of_spearman(people[:20], program, systems, even(20, 5000)), even(20, 5000)) is None
