"""Tests of plans for word-alignment studies: simulated figures, statistics of a pilot, coverage, and the command."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from accord_core.numerics.planning import draw_parameters, forecast, predict_figures, simulate_pilots, simulate_studies
from accord_core.numerics.predictions import similar_studies
from accord_core.pairs.numerics.links import Alignment, word_scores
from accord_core.words.numerics.pilot import NEUTRAL_LINKS, Pilot
from accord_core.words.numerics.planning import simulate_alignments, word_studies
from accord_core.words.numerics.simulation import ErrorRates, draw_careful, draw_careless
from annotate.commands.main import main

VALUES = {"errors": 1.0, "wrong": 0.15, "careless": 0.0}
SIZES = [(8, 9), (12, 10), (7, 7), (10, 12), (9, 8)] * 4


def pilot(seed: int = 1, errors: float = 1.0, annotators: int = 5) -> Pilot:
    generator = np.random.default_rng(seed)
    numbers = [generator.permutation(annotators)[:2].tolist() for _ in SIZES]
    careless = np.arange(annotators) < 1
    _, start, drawn = simulate_alignments(SIZES, numbers, careless, {**VALUES, "errors": errors}, generator)
    return Pilot(SIZES, numbers, drawn, start)


def test_an_attentive_annotator_makes_each_error_at_its_rate() -> None:
    meant = Alignment.of({(i, i) for i in range(40)})
    start = Alignment.of({(i, 49) for i in range(40)})
    generator = np.random.default_rng(1)
    drawn = [draw_careful(start, meant, (40, 50), ErrorRates(), generator) for _ in range(300)]
    links = 300 * 40
    missed = ErrorRates().missed + (1 - ErrorRates().missed) * ErrorRates().moved
    assert sum(len(each.links & meant.links) for each in drawn) / links == pytest.approx(1 - missed, abs=0.01)
    assert sum(len(each.links & start.links) for each in drawn) / links == pytest.approx(0.15, abs=0.01)
    kept = sum(len(each.links & meant.links) for each in drawn)
    assert sum(len(each.possible & meant.links) for each in drawn) / kept == pytest.approx(0.06, abs=0.01)
    assert draw_careless(start, (40, 50), generator) == start
    assert draw_careless(Alignment(), (4, 5), generator).links


@pytest.mark.parametrize(("overlooked", "share"), [(0.0, 0.0), (0.6, 0.6), (None, 0.3)])
def test_attentive_annotators_keep_the_assumed_share_of_wrong_initial_links(
    overlooked: float | None, share: float
) -> None:
    """Without an assumption, the usual rate of 15% is multiplied by `errors`."""
    values = {"errors": 2.0, "wrong": 1.0} | ({} if overlooked is None else {"overlooked": overlooked})
    sizes = [(30, 90)] * 60
    careless = np.zeros(1, dtype=np.bool_)
    truth, start, drawn = simulate_alignments(sizes, [[0]] * 60, careless, values, np.random.default_rng(1))
    wrong = [begun.links - meant.links for meant, begun in zip(truth, start, strict=True)]
    kept = sum(len(links & one.links) for links, (one,) in zip(wrong, drawn, strict=True))
    # An annotator also moves 6% of the links to the next word, where half of the wrong links are.
    moved = sum(map(len, wrong)) * (1 - share) * 0.9 * 0.06
    assert kept - moved == pytest.approx(share * sum(map(len, wrong)), abs=0.04 * sum(map(len, wrong)))


def test_rates_are_multiplied_but_stay_below_one_half() -> None:
    assert ErrorRates().times(2) == pytest.approx((0.1, 0.12, 0.06, 0.3))
    assert max(ErrorRates().times(9)) == 0.5


def test_the_agreement_of_simulated_studies_is_the_f1_of_the_reports() -> None:
    model = word_studies(30, annotators=6)
    figures = model.simulate(VALUES, [2, 3], np.random.default_rng(5))
    generator = np.random.default_rng(5)
    careless = generator.random(6) < 0
    annotator = generator.random((30, 6)).argsort(axis=1)[:, :3]
    truth, _, drawn = simulate_alignments(model.sizes, annotator, careless, VALUES, generator)
    scores = word_scores((first, second) for first, second, _ in drawn)
    assert figures[0, :, 0] == pytest.approx(scores.possible["f1"])
    assert figures[1, :, 0] == pytest.approx(scores.sure["f1"])
    both = [Alignment.of(a.links & b.links) for a, b, _ in drawn]
    assert figures[3, 0, 0] == pytest.approx(word_scores(zip(both, truth, strict=True)).possible["f1"])


def test_the_majority_of_more_annotators_is_better_but_the_agreement_is_equal() -> None:
    three, seven = forecast(word_studies(30), [3, 7], studies=20).levels
    assert seven.figures["majority_f1"].value > three.figures["majority_f1"].value + 0.01
    assert seven.figures["f1"] == three.figures["f1"]
    assert 0.2 < three.figures["c"].value < 0.8


def test_careless_annotators_lower_the_corrected_agreement() -> None:
    model = replace(word_studies(60), corrected=1.0)
    careful, careless = (
        np.mean([model.simulate({**VALUES, "careless": share}, [2], np.random.default_rng(n))[2] for n in range(4)])
        for share in (0.0, 0.5)
    )
    assert careful > careless + 0.1


def test_the_statistics_of_a_pilot_agree_with_their_definition() -> None:
    actual = pilot()
    pooled = word_scores((first, second) for first, second in actual.drawn)
    started = word_scores(
        (drawn, start) for of_pair, start in zip(actual.drawn, actual.start, strict=True) for drawn in of_pair
    )
    unchanged = [
        drawn.links == start.links for each, start in zip(actual.drawn, actual.start, strict=True) for drawn in each
    ]
    triples = [
        (start.links, first.links, second.links)
        for (one, other), start in zip(actual.drawn, actual.start, strict=True)
        for first, second in ((one, other), (other, one))
    ]
    kept = [link in first for start, first, _ in triples for link in start]
    disputed = [link in second for start, first, second in triples for link in start if link not in first]
    means = []
    for annotator in range(5):
        own = [pair for pair, numbers in zip(actual.drawn, actual.annotators, strict=True) if annotator in numbers]
        both = sum(len(a.links & b.links) for a, b in own)
        total = sum(len(a.links) + len(b.links) for a, b in own)
        means.append((2 * both + NEUTRAL_LINKS * pooled.possible["f1"]) / (total + NEUTRAL_LINKS))
    expected = [
        pooled.possible["f1"], pooled.sure["f1"], started.possible["f1"], np.mean(unchanged), np.mean(kept),
        np.mean(disputed), np.std(means), min(means),
    ]  # fmt: skip
    assert actual.statistics == pytest.approx(expected)
    assert np.isnan(Pilot(actual.sizes, actual.annotators, actual.drawn, None).statistics[2:6]).all()


@pytest.mark.nightly  # paraphrase/test_planning.py has a quick test of the shared engine
def test_predictions_after_a_pilot_cover_the_realised_agreement() -> None:
    """`bench/plan.py` shows that 91% to 95% of 400 intervals are correct, for larger studies."""
    model = replace(word_studies(30, annotators=6, pilot=pilot()), corrected=0.0)
    parameters = draw_parameters(model, 400)
    statistics, figures = simulate_pilots(model, parameters), simulate_studies(model, parameters, [2])
    inside, widths = [], []
    for study in range(30):
        generator = np.random.default_rng([study, 3])
        values = {each.name: each.draw(generator) for each in model.assumptions}
        observed = model.simulate_pilot(values, generator)
        realised = model.simulate(values, [2], generator)[0, 0, 0]
        similar = similar_studies(statistics, observed)
        predicted = predict_figures(model, [2], similar, parameters[similar.draws], figures[similar.draws])
        _, low, high = predicted.levels[0].figures["f1"]
        inside.append(low <= realised <= high)
        widths.append(high - low)
    assert np.mean(inside) >= 0.8
    assert np.mean(widths) < 0.4


def plan(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["plan", "words", *map(str, arguments), "--studies", "20"])


@pytest.mark.nightly
def test_a_plan_from_the_annotations_of_a_pilot(tmp_path: Path) -> None:
    actual = pilot()
    with (tmp_path / "annotations.jsonl").open("w") as lines, (tmp_path / "pairs.tsv").open("w") as pairs:
        pairs.write("id\tsource\ttarget\n")
        for number, (n, m) in enumerate(actual.sizes):
            words = " ".join(f"s{i}" for i in range(n)), " ".join(f"t{j}" for j in range(m))
            pairs.write("\t".join([f"p{number}", *words]) + "\n")
            for annotator, drawn in zip(actual.annotators[number], actual.drawn[number], strict=True):
                start = {"sure": sorted(actual.start[number].links), "possible": []}
                row = {"pair": f"p{number}", "annotator": f"a{annotator}", "prealignment": start}
                lines.write(json.dumps({**row, "sure": sorted(drawn.sure), "possible": sorted(drawn.possible)}) + "\n")
    files = ("--pilot", tmp_path / "annotations.jsonl", "--sentences", tmp_path / "pairs.tsv")
    result = plan("--pairs", 20, *files, "--answers", "2", "--annotators", 6, "--json")
    figures = json.loads(result.stdout)
    errors = figures["assumptions"]["errors"]
    assert errors["low"] < 1.3
    assert errors["high"] > 0.8
    assert figures["notes"][0].startswith("Estimates from the pilot")


def test_the_table_has_one_row_per_number_of_annotators() -> None:
    result = plan("--pairs", 20, "--price", 1, "--budget", 60, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["per_question"] for row in rows] == ["2", "3"]
    assert 0 < float(rows[0]["low"]) < float(rows[0]["f1"]) < float(rows[0]["high"]) < 1


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("--pairs", 1), "Agreement can be calculated only for two or more sentence pairs, but the number is 1."),
        (("--pairs", 20, "--price", 1, "--budget", 0), "pays for 0 alignments"),
        (("--pairs", 20, "--pilot", "annotations.jsonl"), "--pilot needs --sentences"),
    ],
)
def test_impossible_plans_are_explained(arguments: tuple[object, ...], part: str) -> None:
    result = plan(*arguments)
    assert result.exit_code
    assert part in str(result.exception) + result.output


def test_a_pilot_without_a_pair_of_annotators_is_refused() -> None:
    with pytest.raises(ValueError, match="no sentence pair has two annotators"):
        Pilot([], [], [], None)
