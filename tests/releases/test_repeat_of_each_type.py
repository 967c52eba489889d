"""Tests that the demonstration's study of each task type can be released and repeated, and that a sealed release does
not tell which questions are gold.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotate import tasktypes
from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.management.commands.demo import STUDIES
from annotate.models import Study
from annotate.questions.selectors.data import study_data
from annotate.results.services import make_report
from annotate.server.software import versions
from annotate.tasktypes import AnswerRow, StudyData
from releases.contents.archive import SUMS
from releases.contents.contacts import contact_remover
from releases.contents.folder import About
from releases.contents.raw import raw_files
from releases.contents.recipe import RECIPE, Recipe, read_recipe
from releases.contents.seal import BLOCK, SEAL, new_key, unseal, without_gold
from releases.contents.source import read_source
from releases.contents.verify import verify
from releases.selectors.recipe import recipe_of
from releases.services.releases import make_release, sealed_release
from releases.services.repeat import repeat_study
from reporting.selectors.reported import reported_data
from tests.factories import UserFactory
from tests.template_database import migrated_on_sqlite

ABOUT = About("1.0", "CC-BY-4.0", date(2026, 11, 21), gold="sealed")
DAY = timedelta(days=1)
DESIGN = ("items", "questions", "program_questions", "gold", "practice", "gold_sets", "hits")

pytestmark = [pytest.mark.nightly, pytest.mark.django_db, pytest.mark.parametrize("name", STUDIES)]


def demonstrated(name: str) -> Study:
    call_command("demo", name, verbosity=0)
    study = Study.objects.get()
    calculate_results(study)
    return study


def calculate_results(study: Study) -> None:
    make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)


def recipe_bytes(study: Study) -> dict[str, bytes]:
    """Return the design in the recipe, with sorted keys, because PostgreSQL does not keep the order of keys."""
    recipe = recipe_of(study, study_data(study), contact_remover(study.contact, study.join_token))
    return {name: json.dumps(recipe[name], ensure_ascii=False, sort_keys=True).encode() for name in DESIGN}


def test_a_repeat_is_byte_for_byte_the_same(name: str) -> None:
    study = demonstrated(name)
    release = make_release(study.pk, ABOUT, user=SYSTEM)
    assert verify(release.files, versions=versions()).faults == []
    opened = verify(release.files, versions=versions(), key=release.key)
    assert (opened.faults, opened.seal) == ([], "verified")
    repeat = repeat_study(read_source(release.files, "zip", release.key), user=UserFactory()).study
    assert recipe_bytes(repeat) == recipe_bytes(study)
    without_key = repeat_study(read_source(release.files, "zip"), user=UserFactory()).study
    assert recipe_bytes(without_key)["questions"] == recipe_bytes(study)["questions"]
    assert without_key.gold_block == 0


def test_a_repeat_on_sqlite_and_back_is_byte_for_byte_the_same(
    name: str, tmp_path: Path, django_db_blocker: Any
) -> None:
    study = demonstrated(name)
    original, first = recipe_bytes(study), make_release(study.pk, ABOUT, user=SYSTEM)
    with migrated_on_sqlite(tmp_path).connected():
        repeat = repeat_study(read_source(first.files, "first", first.key), user=UserFactory()).study
        assert recipe_bytes(repeat) == original
        # Without a quality rule, because simulated annotators who do not know the true values fail gold questions.
        Study.objects.filter(pk=repeat.pk).update(state="open", rule_threshold=0)
        simulate(repeat, user=SYSTEM, annotators=3, careless=0.0, seed=7)
        calculate_results(repeat)
        second = make_release(repeat.pk, ABOUT, user=SYSTEM)
        assert verify(second.files, versions=versions(), key=second.key).faults == []
    back = repeat_study(read_source(second.files, "second", second.key), user=UserFactory()).study
    assert recipe_bytes(back) == original


def test_what_lies_open_is_the_same_with_other_gold_questions(name: str) -> None:
    """Replace gold questions, expected answers, positions and answers, and compare all files that lie open."""
    study = demonstrated(name)
    task, data = tasktypes.get(study.task_type), reported_data(study)
    recipe = recipe_of(study, data, contact_remover(study.contact, study.join_token))
    report = study.reports.get(kind="results")
    assert data.gold
    other, other_recipe = disguised(data, recipe)
    assert raw_files(data) != raw_files(other)
    key = new_key()
    files = sealed_release(study, data, recipe, report, ABOUT, {}, key)
    same = sealed_release(study, other, other_recipe, report, ABOUT, {}, key)
    of_seal = {SEAL, SUMS, "croissant.json"}  # the other two contain the checksum of the seal
    assert [path for path in files if files[path] != same[path] and path not in of_seal] == []
    assert files[SEAL] != same[SEAL]
    assert without_checksum(files) == without_checksum(same)
    assert {kind.kind for kind in without_gold(task, data, recipe)[0].answers} == {"regular"}


def without_checksum(files: Mapping[str, bytes]) -> list[Any]:
    described = json.loads(files["croissant.json"])
    return [described | {"distribution": [each for each in described["distribution"] if each["@id"] != SEAL]}]


def disguised(data: StudyData, recipe: Recipe) -> tuple[StudyData, Recipe]:
    """Return the study as if its gold questions had other names and expected answers, and stood at the end of their
    HITs. The aggregate figures are the same.
    """
    names = {question.ref: f"other-{place}" for place, question in enumerate(data.gold)}
    gold = [replace(question, ref=names[question.ref], gold=data.gold[0].gold) for question in data.gold]
    last: Counter[tuple[str, int | None]] = Counter()
    answers: list[AnswerRow] = []
    for row in sorted(data.answers, key=lambda row: (row.kind != "regular", row.position)):
        last[row.pseudonym, row.hit] += 1
        late = row.kind != "regular"
        moved = replace(row, position=last[row.pseudonym, row.hit])
        answers.append(replace(moved, ref=names.get(row.ref, row.ref), given_at=row.given_at + DAY) if late else moved)
    order = {(row.ref, row.pseudonym, row.reason): place for place, row in enumerate(data.answers)}
    answers.sort(key=lambda row: order.get((row.ref, row.pseudonym, row.reason), -1))
    return replace(data, gold=gold, answers=answers), {**recipe, "gold": [], "gold_sets": [], "practice": []}


def test_a_sealed_release_names_no_gold_question(name: str) -> None:
    study = demonstrated(name)
    release = make_release(study.pk, ABOUT, user=SYSTEM)
    recipe = read_recipe(unseal(release.files[SEAL], release.key)[RECIPE])
    hidden = [row for part in ("gold", "practice") for row in recipe[part]]
    assert recipe["gold"]
    everything = b"\n".join(content for path, content in release.files.items() if path != SEAL)
    for question in hidden:
        assert json.dumps(question["ref"]).encode() not in everything
        assert json.dumps(question["payload"], ensure_ascii=False).encode() not in everything
    assert len(release.files[SEAL]) > BLOCK
    open_recipe = read_recipe(release.files[RECIPE])
    assert [open_recipe[part] for part in ("gold", "practice", "gold_sets")] == [[], [], []]
    rows = [json.loads(line) for line in release.files["raw/annotations.jsonl"].splitlines()]
    assert {(row["kind"], row["passed"], row["tally"]) for row in rows} == {("regular", None, None)}
    hits: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for row in rows:
        hits.setdefault((row["pseudonym"], row["hit"]), []).append(row)
    for answered in hits.values():
        assert sorted(row["position"] for row in answered) == list(range(1, len(answered) + 1))
        assert len({row["given_at"] for row in answered}) == 1
