"""Tests of plans for chunk alignment: simulated links, statistics of a pilot, coverage, and the command."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from accord_core.chunks.formats.ists import write_wa
from accord_core.chunks.numerics.agreement import ChunkAnnotation, chunk_agreement
from accord_core.chunks.numerics.chunks import ChunkLink, IstsPair
from accord_core.chunks.numerics.pilot import NEUTRAL_LINKS, Pilot
from accord_core.chunks.numerics.planning import chunk_studies, simulate_links
from accord_core.chunks.numerics.scores import MEASURES, TokenLinks, overlap
from accord_core.chunks.numerics.simulation import ErrorRates, draw_links
from accord_core.numerics.planning import draw_parameters, predict_figures, simulate_pilots, simulate_studies
from accord_core.numerics.predictions import similar_studies
from annotate.commands.main import main

VALUES = {"errors": 1.0, "careless": 0.0}
SIZES = [(5, 5), (6, 5), (4, 4), (7, 6), (5, 6)] * 4


def pilot(seed: int = 1, annotators: int = 5) -> Pilot:
    generator = np.random.default_rng(seed)
    numbers = [generator.permutation(annotators)[:2].tolist() for _ in SIZES]
    _, drawn = simulate_links(SIZES, numbers, np.arange(annotators) < 1, VALUES, generator)
    return Pilot(SIZES, numbers, drawn)


def as_pair(key: str, size: tuple[int, int], links: TokenLinks, annotator: str) -> IstsPair:
    drawn = tuple(ChunkLink((i,), (j,), link.type, frozenset(), link.score) for (i, j), link in links.items())
    source, target = tuple(f"s{i}" for i in range(size[0])), tuple(f"t{j}" for j in range(size[1]))
    return IstsPair(key, source, target, drawn, annotator)


def test_an_attentive_annotator_makes_each_error_at_its_rate() -> None:
    links = [{"source": n, "target": n, "type": "SIMI", "flags": [], "score": 2} for n in range(20_000)]
    drawn = draw_links(links, (20_000, 20_000), False, ErrorRates(), np.random.default_rng(1))
    assert len(drawn) / 20_000 == pytest.approx(0.93, abs=0.01)
    assert np.mean([link["type"] != "SIMI" for link in drawn]) == pytest.approx(0.12 * 3 / 4, abs=0.01)
    assert np.mean([link["score"] != 2 for link in drawn]) == pytest.approx(0.2, abs=0.01)
    careless = draw_links(links[:50], (50, 50), True, ErrorRates(), np.random.default_rng(1))
    assert np.mean([link["source"] == link["target"] for link in careless]) < 0.2


def test_the_statistics_of_a_pilot_agree_with_the_agreement_of_reports() -> None:
    actual = pilot(annotators=2)
    annotations = [
        ChunkAnnotation(f"a{number}", as_pair(f"p{place}", SIZES[place], links, ""))
        for place, (numbers, drawn) in enumerate(zip(actual.annotators, actual.drawn, strict=True))
        for number, links in zip(numbers, drawn, strict=True)
    ]
    expected = chunk_agreement(annotations, resamples=0)["annotator_pairs"][0]
    assert actual.statistics[:4] == pytest.approx([expected[measure]["value"] for measure in MEASURES])


def test_annotators_with_few_links_are_moved_to_the_overall_agreement() -> None:
    actual = pilot()
    overall = actual.statistics[3]
    means = []
    for annotator in range(5):
        own = [
            overlap(*drawn, 2016)
            for drawn, numbers in zip(actual.drawn, actual.annotators, strict=True)
            if annotator in numbers
        ]
        found, total = sum(sum(each.found["f1_typ_sco"]) for each in own), sum(each.system + each.gold for each in own)
        means.append((found + NEUTRAL_LINKS * overall) / (total + NEUTRAL_LINKS))
    assert actual.statistics[4:] == pytest.approx([np.std(means), min(means)])


def test_errors_and_careless_annotators_lower_the_agreement() -> None:
    model = chunk_studies(60)
    usual, more_errors, careless = (
        np.mean([model.simulate({**VALUES, **changed}, [2], np.random.default_rng(n))[:4, 0, 0] for n in range(4)], 0)
        for changed in ({}, {"errors": 3.0}, {"careless": 0.5})
    )
    assert (usual > more_errors + 0.05).all()
    assert (usual > careless + 0.1).all()


@pytest.mark.nightly  # paraphrase/test_planning.py has a quick test of the shared engine
def test_predictions_after_a_pilot_cover_the_realised_agreement() -> None:
    """`bench/plan.py` shows that 92% to 98% of 400 intervals are correct, for larger studies."""
    model = chunk_studies(30, annotators=6, pilot=pilot())
    parameters = draw_parameters(model, 400)
    statistics, figures = simulate_pilots(model, parameters), simulate_studies(model, parameters, [2])
    inside = []
    for study in range(30):
        generator = np.random.default_rng([study, 3])
        values = {each.name: each.draw(generator) for each in model.assumptions}
        observed = model.simulate_pilot(values, generator)
        realised = model.simulate(values, [2], generator)[0, 0, 0]
        similar = similar_studies(statistics, observed)
        predicted = predict_figures(model, [2], similar, parameters[similar.draws], figures[similar.draws])
        _, low, high = predicted.levels[0].figures["f1_ali"]
        inside.append(low <= realised <= high)
    assert np.mean(inside) >= 0.8


def plan(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["plan", "chunks", *map(str, arguments), "--studies", "20"])


@pytest.mark.nightly
def test_a_plan_from_the_annotations_of_a_pilot(tmp_path: Path) -> None:
    actual = pilot()
    pairs = [
        as_pair(f"{place + 1}", SIZES[place], links, f"a{number}")
        for place, (numbers, drawn) in enumerate(zip(actual.annotators, actual.drawn, strict=True))
        for number, links in zip(numbers, drawn, strict=True)
    ]
    path = tmp_path / "annotations.wa"
    path.write_text("".join(write_wa(pairs)))
    figures = json.loads(plan("--pairs", 20, "--pilot", path, "--answers", "2", "--annotators", 6, "--json").stdout)
    assert figures["notes"][0].startswith("Estimates from the pilot")
    errors = figures["assumptions"]["errors"]
    assert errors["low"] < 1.5
    assert errors["high"] > 0.7


@pytest.mark.nightly
def test_a_target_that_more_annotators_do_not_reach() -> None:
    result = plan("--pairs", 20, "--target", 0.99, "--format", "csv")
    assert "even 20 annotators per pair give an F1 of the links of" in " ".join(result.stderr.split())
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["per_question"] for row in rows] == ["2", "3"]


def test_one_pair_and_a_pilot_without_two_annotators_are_refused() -> None:
    result = plan("--pairs", 1)
    assert "two or more sentence pairs, but the number is 1" in str(result.exception) + result.output
    with pytest.raises(ValueError, match="no sentence pair has two annotators"):
        Pilot([], [], [])
