"""Tests of the comparison of a study with its repeats, for each task type, from releases and from the database."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from annotate import tasktypes
from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.results.services import make_report
from annotate.tasktypes import Outcome, StudyData
from bench._repeat_studies import CARELESS, SIZES, answered, unanswered
from releases.cli.compare import compare as command
from releases.compare.comparison import comparison
from releases.compare.figures import compare
from releases.compare.runs import CannotCompare, Run, match
from releases.services.releases import as_zip, make_release
from tests.factories import make_study
from tests.releases.test_release import ABOUT

MAIN = {"bws": "spearman", "paraphrase": "equal", "layout": "equal", "words": "f1", "chunks": "f1_ali"}


def runs_of(slug: str, *cares: tuple[float, float], seed: int = 4) -> list[Run]:
    """Return a study and one repeat for each of `cares`, which states how careful its annotators are."""
    generator = np.random.default_rng(seed)
    study, truth = unanswered(slug, generator)
    return [
        Run(f"run-{number}", answered(study, truth, generator, *care))
        for number, care in enumerate([(), *((each,) if each else () for each in cares)])
    ]


@pytest.mark.parametrize("slug", SIZES)
def test_repeats_are_compared_for_each_task_type(slug):
    result = comparison(runs_of(slug, (), CARELESS), resamples=50, draws=39)
    figure = result["outcomes"][0]["figures"][0]
    usual, careless = figure["repeats"]
    assert figure["name"] == MAIN[slug]
    assert careless["value"] < usual["value"]
    assert careless["place"] == "worse"
    assert usual["low"] <= usual["value"] <= usual["high"]
    assert usual["predicted"]["low"] < usual["predicted"]["mean"] < usual["predicted"]["high"]
    assert "agrees less with the original than predicted" in result["conclusion"]
    assert ("F1 Type" in result["outcomes"][0]["note"]) == (slug == "chunks")
    for agreement in result["agreement"]:
        within, between = agreement["within"], agreement["between"]
        assert within[2]["value"] < within[0]["value"]
        assert between[1]["value"] < between[0]["value"]
    assert json.loads(json.dumps(result)) == result


@pytest.mark.parametrize("slug", SIZES)
def test_a_study_agrees_completely_with_itself(slug):
    study, _ = runs_of(slug, ())
    for outcome in study.outcomes:
        found = {each.name: each.figure.value for each in compare(outcome, outcome, resamples=0, draws=0, seed=1)}
        assert all(value == pytest.approx(0 if name in ("rmse", "aer") else 1) for name, value in found.items())


@pytest.mark.parametrize("slug", SIZES)
def test_simulated_repeats_depend_only_on_the_seed_and_have_a_value_for_each_unit(slug):
    (outcome,) = runs_of(slug)[0].outcomes
    one, again, *others = (list(outcome.redraw(np.random.default_rng(seed))) for seed in (1, 1, 2, 3, 4, 5))
    assert one == again
    assert any(each != one for each in others)
    assert len(one) == len(outcome.keys)


def test_there_is_no_prediction_without_two_answers_to_a_question():
    study, repeat = runs_of("paraphrase", ())
    first: dict[str, int] = {}
    for number, row in enumerate(study.data.answers):
        first.setdefault(row.ref, number)
    single = Run("single", replace(study.data, answers=[study.data.answers[number] for number in first.values()]))
    result = comparison([single, repeat], resamples=20, draws=39)
    assert result["outcomes"][0]["figures"][0]["repeats"][0]["predicted"] is None
    assert "cannot be compared with a prediction" in result["conclusion"]


def test_items_with_other_contents_do_not_match():
    study, repeat = runs_of("words", ())
    items = [replace(item, content={**item.content, "source": ["other"]}) for item in repeat.data.items[:3]]
    changed = Run("changed", replace(repeat.data, items=[*items, *repeat.data.items[3:-1]]))
    matching = match(study, changed)
    assert (matching.shared, len(matching.changed), matching.only_original, matching.only_repeat) == (26, 3, 1, 0)
    assert matching.questions == 26


@pytest.mark.parametrize(("slug", "message"), [("words", "share no items"), ("layout", "of the same type")])
def test_studies_that_cannot_be_compared_are_refused_in_one_sentence(slug, message):
    study, other = runs_of("words")[0], runs_of(slug, seed=9)[0]
    if slug == "words":
        renamed = [replace(item, key=f"other-{item.key}") for item in other.data.items]
        other = Run("other", replace(other.data, items=renamed))
    with pytest.raises(CannotCompare, match=message):
        match(study, other)


def test_settings_that_differ_are_listed_but_not_facts_about_people():
    study, repeat = runs_of("paraphrase", ())
    options = {**repeat.data.facts["options"], "ties": "negative"}
    facts = {**repeat.data.facts, "judgements": 7, "options": options, "pay": {"hourly_wage": "9"}, "new": 1}
    result = comparison([study, Run("other", replace(repeat.data, facts=facts))], resamples=20, draws=0)
    assert result["settings"] == [
        {"setting": "judgements", "values": [5, 7]},
        {"setting": "options.ties", "values": ["undecided", "negative"]},
    ]


def test_answers_that_do_not_count_are_left_out():
    study, repeat = runs_of("layout", ())
    rows = [replace(row, counts=False, reason="excluded") if row.hit == 0 else row for row in study.data.answers]
    assert len(Run("fewer", replace(study.data, answers=rows)).judgements) < len(study.judgements)
    nothing = replace(repeat.data, answers=[replace(row, counts=False) for row in repeat.data.answers])
    assert not Run("nothing", nothing).judgements


@pytest.mark.nightly
def test_predicted_links_have_the_agreement_of_the_annotators():
    """Words that nobody linked must be drawn with their probabilities, too: the share of links stays the same."""
    (outcome,) = runs_of("words")[0].outcomes
    drawn = [outcome.redraw(np.random.default_rng(seed)) for seed in range(20)]
    links = np.mean([[len(each.links) for each in values] for values in drawn])
    assert links == pytest.approx(np.mean([len(each.links) for each in outcome.values]), rel=0.1)


@pytest.mark.nightly
def test_simulated_repeats_contain_as_many_badly_annotated_pairs_as_real_repeats():
    """The links of a pair are not independent, because an annotator can be careless about the whole pair."""
    real, simulated = [], []
    for seed in range(8):
        original, *repeats = runs_of("chunks", *[()] * 5, seed=seed)
        (outcome,) = original.outcomes
        drawn = [outcome.redraw(np.random.default_rng(number)) for number in range(5)]
        real += [bad_pairs(outcome, repeat.outcomes[0].values) for repeat in repeats]
        simulated += [bad_pairs(outcome, values) for values in drawn]
    assert np.mean(simulated) > 0.8 * np.mean(real)


def bad_pairs(outcome: Outcome, values: Sequence[Any]) -> float:
    """Return the share of pairs whose first figure is below .3."""
    counts = np.array([outcome.annotations.counts(*two) for two in zip(outcome.values, values, strict=True)])
    return float((outcome.annotations.estimate(counts.astype(float))[0] < 0.3).mean())


def judged(seed: int, careless: float = 0.0) -> str:
    study = make_study(items=8, judgements=3, gold=4)
    simulate(study, user=SYSTEM, annotators=6, careless=careless, seed=seed)
    make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)
    return study.public_id


def run_command(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(command, arguments)
    return done.exit_code, done.stdout if done.exit_code == 0 else done.stderr


@pytest.mark.django_db
def test_the_command_compares_a_sealed_release_with_a_study(tmp_path):
    from annotate.models import Study

    ids = [judged(1), judged(2)]
    original = make_release(Study.objects.get(public_id=ids[0]).pk, replace(ABOUT, gold="sealed"), user=SYSTEM)
    path = tmp_path / "original.zip"
    path.write_bytes(as_zip(original))
    assert "sealed.bin" in original.files
    code, output = run_command(str(path), ids[1], "--draws", "39", "--resamples", "20", "--json")
    assert code == 0, output
    result = json.loads(output)
    assert [run["name"] for run in result["runs"]] == [str(path), ids[1]]
    assert result["matching"][0]["items"] == 8
    assert result["outcomes"][0]["figures"][0]["repeats"][0]["predicted"] is not None
    code, output = run_command(str(path), ids[1], "--draws", "39", "--resamples", "20")
    assert code == 0
    assert output.splitlines()[0] == result["conclusion"]
    assert run_command(str(path), ids[1], "--draws", "0", "--format", "csv")[1].startswith("repeat,result,figure")
    damaged(path, original.files)
    code, output = run_command(str(path), ids[1])
    assert code == 1
    assert output.count("\n") == 1
    assert "raw/items.jsonl" in output


def damaged(path: Path, files: dict[str, bytes]) -> None:
    from dataclasses import dataclass

    @dataclass
    class Damaged:
        name: str
        files: dict[str, bytes]

    changed = {**files, "raw/items.jsonl": files["raw/items.jsonl"][:-2] + b" \n"}
    path.write_bytes(as_zip(Damaged("damaged", changed)))  # type: ignore[arg-type]


def test_task_types_without_outcomes_have_none(monkeypatch):
    data = StudyData(facts={"task_type": "bws"}, items=[], questions=[], gold=[], answers=[])
    assert tasktypes.TaskType.outcomes(tasktypes.get("bws"), data) == []
