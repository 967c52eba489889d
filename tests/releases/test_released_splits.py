"""Tests of train, dev and test in a study: releases, their verification, and scores on the test part."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from django.test import Client

from accord_core.evaluation.numerics.splits import PARTS, shared_texts
from alignment_ui.words.evaluate import SYSTEMS as WORDS
from annotate import tasktypes
from annotate.core.permissions import SYSTEM
from annotate.models import Study
from annotate.questions.selectors.data import study_data
from annotate.questions.services.decisions import decide
from annotate.results.services import make_report
from annotate.server.refusals import Refused
from annotate.server.software import versions
from evaluation.models import SplitSettings
from evaluation.selectors.splits import scored_items, study_split
from evaluation.selectors.systems import history
from evaluation.services.splits import SplitChoice, choose_split
from evaluation.study_splits import PLACE
from paraphrase.evaluate import SYSTEMS as PARAPHRASE
from releases.cli.release import files_of
from releases.cli.release import group as release_group
from releases.contents.folder import About
from releases.contents.verify import verify
from releases.services import releases
from releases.services.releases import make_release
from tests.console_study import report_on
from tests.evaluation.test_systems import LINKS, submitted, values
from tests.factories import MembershipFactory, UserFactory, do_hit, make_annotator, make_study
from tests.paraphrasing import paraphrase_study, work_through
from tests.scored_systems import draw_few, predictions, relatedness_study, words_study

pytestmark = pytest.mark.django_db
ABOUT = About("1.0", "CC-BY-4.0", date(2026, 11, 21))
HALF = SplitChoice(train=40, dev=10, test=50, stratify="source", test_only=True)


def rows(data: bytes, delimiter: str = ",") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode()), delimiter=delimiter))


def with_results(study: Study) -> Study:
    make_report(study.pk, kind="results", parameters={"splits": 2}, user=SYSTEM, progress=lambda share, text: None)
    return study


@pytest.mark.nightly
def test_a_release_contains_verified_parts_that_later_releases_keep(tmp_path: Path) -> None:
    study = with_results(relatedness_study(8))
    folder = str(tmp_path / "release")
    options = ["--split", "40,10,50", "--stratify", "source"]
    made = CliRunner().invoke(release_group, ["make", study.public_id, "-o", folder, *options])
    assert made.exit_code == 0, made.output
    files = files_of(folder)
    parts = {row["item"]: row["split"] for row in rows(files[PLACE])}
    data = study_data(study)
    assert parts.keys() == {item.key for item in data.items}
    assert shared_texts(list(parts.values()), [list(item.content.values()) for item in data.items]) == []
    for name in ("scores.csv", "scores-full.csv"):
        whole = rows(files[f"data/{name}"])
        assert all(row["split"] == parts[row["item"]] for row in whole)
        for part in set(parts.values()):
            assert rows(files[f"data/{part}/{name}"]) == [row for row in whole if row["split"] == part]
    card = yaml.safe_load(files["README.md"].decode().split("---\n")[1])
    splits = {
        each["config_name"]: {file["split"]: file["path"] for file in each["data_files"]} for each in card["configs"]
    }
    assert splits["scores"] == {part: f"data/{part}/scores.csv" for part in PARTS if part in parts.values()} | {
        "full": "data/scores.csv"
    }
    assert splits["annotations"] == {"full": "data/annotations.csv"}
    about = json.loads(files["release.json"])["splits"]
    assert about == {"seed": 1, "percentages": {"train": 40, "dev": 10, "test": 50}, "stratify": ["source"]}
    assert "## Train, dev and test\n\nThe items are divided into three parts" in files["README.md"].decode()
    assert verify(files, versions=versions()).holds

    again = make_release(study.pk, replace(ABOUT, version="2.0"), user=SYSTEM)
    assert {row["item"]: row["split"] for row in rows(again.files[PLACE])} == parts
    assert {row["kept"] for row in rows(again.files[PLACE])} == {"yes"}
    item, part = next(iter(parts.items()))
    moved = dict(again.files)
    other = "dev" if part != "dev" else "test"
    moved[PLACE] = moved[PLACE].replace(f"{item},{part},".encode(), f"{item},{other},".encode(), 1)
    faults = verify(moved, versions=versions()).faults
    differing = {fault.split(", line")[0] for fault in faults if "differs from the recalculated" in fault}
    changed = {
        f"data/{folder}{name}.csv" for folder in ("", f"{part}/", f"{other}/") for name in ("scores", "scores-full")
    }
    assert differing == {path for path in changed if path in moved} | {"README.md", "index.html"}
    choose_split(study.pk, replace(HALF, seed=2), user=SYSTEM)
    assert SplitSettings.objects.get(study=study).earlier == {}


@pytest.mark.nightly
def test_item_ids_that_look_like_formulas_keep_their_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    study = with_results(relatedness_study(8, prefix="@"))
    choose_split(study.pk, HALF, user=SYSTEM)
    first = make_release(study.pk, ABOUT, user=SYSTEM).files
    parts = SplitSettings.objects.get(study=study).earlier
    assert parts.keys() == set(study.items.values_list("key", flat=True))
    assert {f"'{item}": part for item, part in parts.items()} == {
        row["item"]: row["split"] for row in rows(first["data/scores.csv"])
    }
    again = make_release(study.pk, replace(ABOUT, version="2.0"), user=SYSTEM).files
    assert {row["kept"] for row in rows(again[PLACE])} == {"yes"}
    assert verify(again, versions=versions()).faults == []


@pytest.mark.nightly
def test_parts_that_change_while_a_release_is_created_stop_the_release(monkeypatch: pytest.MonkeyPatch) -> None:
    study = with_results(relatedness_study(8))
    choose_split(study.pk, HALF, user=SYSTEM)
    release_files = releases.release_files

    def change_parts_then_continue(*arguments: Any) -> dict[str, bytes]:
        choose_split(study.pk, replace(HALF, seed=2), user=SYSTEM)
        return release_files(*arguments)

    monkeypatch.setattr(releases, "release_files", change_parts_then_continue)
    with pytest.raises(Refused, match="changed while Accord was creating the release"):
        make_release(study.pk, ABOUT, user=SYSTEM)
    settings = SplitSettings.objects.get(study=study)
    assert (settings.seed, settings.earlier) == (2, {})
    assert not study.events.filter(verb="released").exists()


def test_impossible_settings_are_refused() -> None:
    study = make_study(state="draft", items=8)
    for choice, field, message in (
        (SplitChoice(train=90), "train", "add up to 100, but their sum is 110"),
        (SplitChoice(train=90, test=0, test_only=True), "test", "The test part is empty"),
        (SplitChoice(stratify="genre"), "stratify", "No item has a value in the metadata column genre"),
    ):
        with pytest.raises(Refused, match=message) as refusal:
            choose_split(study.pk, choice, user=SYSTEM)
        assert list(refusal.value.fields) == [field]


@pytest.mark.nightly
def test_systems_are_scored_on_the_part_test_only(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_few(monkeypatch)
    study = relatedness_study(8)
    whole = submitted(study, predictions(study).replace(b"p0,0", b"p0,99"))
    assert whole.part is None
    choose_split(study.pk, HALF, user=SYSTEM)
    only = scored_items(study, study_data(study))
    keys = [key for key in study.items.values_list("key", flat=True) if key in only]
    # The file contains only the test part, because all other items may be missing now.
    test = submitted(study, ("item,score\n" + "".join(f"{key},{key[1:]}\n" for key in keys)).encode())
    assert test.part["items"] == test.result["items"] == len(keys) == 4
    assert values(test)["Spearman’s ρ"] == 1 > values(whole)["Spearman’s ρ"]
    table = history(study)
    assert [row.stale for row in table.rows] == [False, True]
    assert table.part == test.part

    client = Client()
    client.force_login(MembershipFactory(study=study, role="manager", user=UserFactory()).user)
    page = client.get(f"/console/{study.public_id}/x/systems/").content.decode()
    assert "The latest score uses only the 4 items in the test part, which managers choose on <a" in " ".join(
        page.split()
    )
    address = f"/console/{study.public_id}/x/release/"
    stored = client.get(address).content.decode()
    assert 'name="split-stratify" value="source"' in stored
    sent = {"split-train": 80, "split-dev": 20, "split-test": 10, "split-seed": 1}
    refused = client.post(f"{address}split/", sent)
    assert refused.status_code == 422
    assert "must add up to 100, but their sum is 110" in refused.content.decode()
    assert client.post(f"{address}split/", sent | {"split-dev": 10}).status_code == 302
    assert scored_items(study, study_data(study)) is None
    assert client.post(f"{address}split/", {"remove": "yes"}).status_code == 302
    assert study_split(study, study_data(study)) is None


def test_words_are_scored_on_the_part_test_from_three_kinds_of_files() -> None:
    study = words_study()
    data = study_data(study)
    arguments = {"name": "f", "seed": 1, "resamples": 0}
    first = data.items[0].key
    every = WORDS.evaluate(data, LINKS.encode(), {**arguments, "only": None})
    part = WORDS.evaluate(data, LINKS.encode(), {**arguments, "only": {first}})
    line = WORDS.evaluate(data, LINKS.splitlines()[0].encode(), {**arguments, "only": {first}})
    assert (every.own["pairs"], part.own["pairs"]) == (3, 1)
    assert part.measures == line.measures
    assert part.measures != every.measures


@pytest.mark.nightly
def test_paraphrase_systems_predict_probabilities() -> None:
    study = paraphrase_study()
    for word in ("branch", "slope", "branch"):
        work_through(
            make_annotator(study), {item.key: [f"{item.content['phrase']} {word}"] for item in study.items.all()}
        )
    data = study_data(study)
    release = {name: b"".join(export.write(data, None)) for name, export in _exports().items()}
    soft, votes = rows(release["soft-labels.csv"]), rows(release["votes.csv"])
    for row in soft:
        here = [vote["label"] for vote in votes if vote["item"] == row["item"]]
        assert (int(row["votes"]), float(row["share"])) == (
            here.count(row["label"]),
            pytest.approx(here.count(row["label"]) / len(here), abs=1e-6),
        )
    items = {row["item"] for row in soft}
    shares = {(row["item"], row["label"]): row["share"] for row in soft}
    wide = "item,no,yes\n" + "".join(f"{item},{shares[item, 'no']},{shares[item, 'yes']}\n" for item in items)
    arguments = {"name": "f", "seed": 1, "resamples": 0, "only": None}
    found = PARAPHRASE.evaluate(data, wide.encode(), arguments)
    assert [measure.name for measure in found.measures][2:4] == ["Cross-entropy", "Jensen–Shannon divergence"]
    assert found.measures[3].value == pytest.approx(0, abs=1e-6)
    themselves = found.baselines[1].measures
    assert found.measures[2].value == pytest.approx(themselves[2].value, abs=1e-5)
    labels = "item,label\n" + "".join(f"{item},yes\n" for item in items)
    pair = (wide.encode(), labels.encode())
    both = {"names": ["one", "other"], "seed": 1, "resamples": 20, "permutations": 20, "only": None}
    differences = PARAPHRASE.compare(data, pair, both)
    assert differences[3].value < 0
    chosen = {soft[0]["sentence"]}
    some = PARAPHRASE.evaluate(data, wide.encode(), {**arguments, "only": chosen})
    assert some.own["items"] == len({row["item"] for row in soft if row["sentence"] in chosen})
    with pytest.raises(ValueError, match="cannot be compared"):
        PARAPHRASE.compare(data, (wide.encode(), b"phrase,paraphrase\na,b\n"), both)


def _exports() -> dict:
    from paraphrase.exports import EXPORTS

    return {export.filename: export for export in EXPORTS if not export.needs_report}


@pytest.mark.nightly
def test_the_release_page_first_says_what_is_missing() -> None:
    study = make_study()
    client = Client()
    client.force_login(study.memberships.get().user)

    def page() -> str:
        return " ".join(client.get(f"/console/{study.public_id}/x/release/").content.decode().split())

    assert "Results are missing." in page()
    assert page().count("(recommended)") == 2  # authors and URL
    assert 'value="https://example.org' not in page()
    do_hit(make_annotator(study))
    report = report_on(study)
    assert "The results are current:" in page()
    assert 'value="1.0"' in page()
    make_release(study.pk, ABOUT, user=SYSTEM)
    assert 'value="1.0"' not in page(), "another release has another version"
    do_hit(make_annotator(study))
    assert f"Report {report.number} covers {report.judgements} judgements, but " in page()


@pytest.mark.nightly
def test_the_release_page_names_newer_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    study = make_study()
    client = Client()
    client.force_login(study.memberships.get().user)
    do_hit(make_annotator(study))
    report = report_on(study)
    decide(study.questions.filter(kind="regular")[0].pk, {"best": 1, "worst": 3}, user=study.members.get())

    def page() -> str:
        return " ".join(client.get(f"/console/{study.public_id}/x/release/").content.decode().split())

    assert "The results are current:" in page(), "decisions do not change best–worst scores"
    monkeypatch.setattr(tasktypes.get(study.task_type), "decisions_count", True)
    assert "The results are current:" not in page()
    assert f"1 decision is newer than report {report.number}. <a " in page()
