"""Tests that a release seals its gold questions, and that its key opens and verifies them."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from django.db import transaction
from django.test import Client

from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.models import Study
from annotate.results.services import make_report
from annotate.server.refusals import Refused
from annotate.server.software import versions
from releases.cli.release import group
from releases.contents.folder import ABOUT, REPORT, About
from releases.contents.recipe import RECIPE
from releases.contents.seal import BLOCK, SEAL, is_key, new_key, seal, unseal
from releases.contents.verify import verify
from releases.services.releases import Release, as_zip, make_release
from tests.factories import UserFactory, make_study, member_of
from tests.releases.test_repeat import resealed

pytestmark = pytest.mark.django_db

SEALED = About("1.0", "CC-BY-4.0", date(2026, 11, 21), gold="sealed")


def judged_study(**choices: Any) -> Study:
    study = make_study(items=8, judgements=2, practice=2, **choices)
    simulate(study, user=SYSTEM, annotators=4, careless=0.3, seed=7)
    make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)
    return study


@pytest.fixture(scope="module")
def release(django_db_setup: None, django_db_blocker: Any) -> Release:
    with django_db_blocker.unblock(), transaction.atomic():
        made = make_release(judged_study(gold=4).pk, SEALED, user=SYSTEM)
        transaction.set_rollback(True)
    return made


def faults(files: Mapping[str, bytes], key: str = "") -> list[str]:
    return verify(files, versions=versions(), key=key).faults


def test_a_sealed_release_is_verified_without_and_with_its_key(release: Release) -> None:
    without, with_key = (verify(release.files, versions=versions(), key=key) for key in ("", release.key))
    assert (without.faults, without.seal) == ([], "closed")
    assert (with_key.faults, with_key.seal) == ([], "verified")
    assert with_key.numbers > without.numbers
    assert json.loads(release.files[ABOUT])["gold"] == "sealed"


def test_the_seal_contains_the_gold_questions_and_the_whole_report(release: Release) -> None:
    inside = unseal(release.files[SEAL], release.key)
    assert inside["raw/gold.jsonl"].count(b"\n") == 4
    assert release.files["raw/gold.jsonl"] == b""
    kinds = {json.loads(line)["kind"] for line in inside["raw/annotations.jsonl"].splitlines()}
    assert {"regular", "gold"} <= kinds
    recipe, open_recipe = (json.loads(files[RECIPE]) for files in (inside, release.files))
    assert [len(recipe[part]) for part in ("gold", "practice")] == [4, 2]
    assert {item["key"] for item in recipe["items"] if item["held_out"]}.isdisjoint(
        item["key"] for item in open_recipe["items"]
    )
    assert REPORT in inside


def test_the_card_lists_the_page_and_describes_the_sealed_gold_questions(release: Release) -> None:
    card = release.files["README.md"].decode()
    assert "- `index.html`: page of the dataset" in card
    assert release.files["raw/gold.jsonl"] == b""
    assert "- `raw/gold.jsonl`: empty, because the gold questions are sealed" in card


def test_the_key_is_in_no_file(release: Release) -> None:
    assert is_key(release.key)
    assert [path for path, content in release.files.items() if release.key.encode() in content] == []


def test_gold_accuracy_is_stated_as_an_aggregate(release: Release) -> None:
    facts = json.loads(release.files["raw/study.json"])["sealed_gold"]
    inside = unseal(release.files[SEAL], release.key)["raw/annotations.jsonl"].splitlines()
    graded = [row for row in map(json.loads, inside) if row["kind"] == "gold" and row["passed"] is not None]
    assert facts == {
        "questions": 4,
        "people": len({row["pseudonym"] for row in graded}),
        "answers": len(graded),
        "correct": sum(row["passed"] for row in graded),
    }
    card = release.files["README.md"].decode()
    assert f"{facts['correct'] / len(graded):.1%} of {len(graded)} answers to gold questions matched" in card
    assert "the answers to them are sealed" in card


@pytest.mark.nightly
def test_a_wrong_key_and_a_damaged_seal_are_reported(release: Release) -> None:
    assert faults(release.files, new_key()) == [
        "The key does not open sealed.bin. Check the key, or ask the authors of the release"
    ]
    assert faults(release.files, "short") == faults(release.files, new_key())
    damaged = resealed(release.files, **{SEAL: release.files[SEAL][:-9] + b"AAAAAAAAA"})
    assert faults(damaged) == []
    assert "does not open" in faults(damaged, release.key)[0]


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("path", "old", "new", "fault"),
    [
        ("raw/annotations.jsonl", b'"kind": "gold"', b'"kind": "void"', "raw/study.json, line"),
        (REPORT, b'"judgements"', b'"judgments"', "report/results.json: result.judgements is missing"),
        (RECIPE, b'"slots": 2', b'"slots": 3', "study.json, line"),
    ],
)
def test_changed_sealed_files_are_found_with_the_key(
    release: Release, path: str, old: bytes, new: bytes, fault: str
) -> None:
    inside = unseal(release.files[SEAL], release.key)
    inside[path] = {**release.files, **inside}[path].replace(old, new, 1)
    files = resealed(release.files, **{SEAL: seal(inside, release.key)})
    assert any(found.startswith(fault) for found in faults(files, release.key))


@pytest.mark.nightly
def test_a_changed_recipe_is_found_without_the_key(release: Release) -> None:
    recipe = json.loads(release.files[RECIPE])
    changes: list[tuple[dict[str, Any], str]] = [
        ({"title": "Another"}, "title differ"),
        ({"questions": recipe["questions"][::-1]}, "questions differ"),
        ({"hits": [recipe["hits"][0] | {"questions": recipe["hits"][1]["questions"]}]}, ""),
        ({"hits": [recipe["hits"][0], recipe["hits"][0] | {"number": 9}]}, "hits differ"),
        ({"settings": recipe["settings"] | {"judgements": 3}}, "the setting judgements is 3, but 2"),
    ]
    for change, fault in changes:
        found = faults(resealed(release.files, **{RECIPE: json.dumps(recipe | change).encode()}))
        assert [each.startswith(f"study.json: {fault}") for each in found] == ([True] if fault else [])


def test_the_length_of_the_seal_is_a_multiple_of_a_block() -> None:
    key = new_key()
    lengths = {len(seal({"a": b"x" * size}, key)) for size in (1, 500, 9_000)}
    assert len(lengths) == 1
    assert unseal(seal({"a/b": b"x" * BLOCK, "c": b""}, key), key) == {"a/b": b"x" * BLOCK, "c": b""}


@pytest.mark.nightly
def test_without_gold_questions_nothing_is_sealed() -> None:
    study = make_study(items=8, judgements=2)
    simulate(study, user=SYSTEM, annotators=4, careless=0.3, seed=7)
    make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)
    made = make_release(study.pk, SEALED, user=SYSTEM)
    assert (made.key, SEAL in made.files, json.loads(made.files[ABOUT])["gold"]) == ("", False, "open")


def test_the_page_advises_to_publish_after_the_study_has_closed() -> None:
    def shown(study: Study) -> bool:
        client = Client()
        client.force_login(member_of(study))
        page = client.get(f"/console/{study.public_id}/x/release/").content.decode()
        return "Publish the release after the study has closed" in page

    assert shown(make_study(gold=4))
    assert not shown(make_study(gold=4, state="closed"))
    assert not shown(make_study())


@pytest.mark.nightly
def test_page_api_and_command_seal_by_default_and_give_the_key_once(tmp_path: Path) -> None:
    study, client = judged_study(gold=4), Client()
    client.force_login(member_of(study))
    home = f"/console/{study.public_id}/x/release/"
    html = client.get(home).content.decode()
    key = re.search(r'name="key"[^>]*value="([^"]+)"|value="([^"]+)"[^>]*name="key"', html)
    assert key is not None
    shown = key[1] or key[2]
    assert is_key(shown)
    sent = {"version": "1.0", "licence": "CC0-1.0", "gold": "sealed", "key": shown}
    archive = b"".join(client.post(home, sent))
    assert unseal(_file(archive, SEAL), shown)
    assert client.post(home, sent | {"key": ""}).status_code == 422
    assert client.post(home, sent | {"key": "a" * 44}).status_code == 422
    opened = b"".join(client.post(home, sent | {"gold": "open"}))
    assert _file(opened, "raw/gold.jsonl").count(b"\n") == 4
    response = client.post(f"/api/v1/studies/{study.public_id}/releases", {}, content_type="application/json")
    assert unseal(_file(response.content, SEAL), response["Release-Key"])
    place = tmp_path / "r.zip"
    outcome = CliRunner().invoke(group, ["make", study.public_id, "-o", str(place)])
    printed = outcome.stdout.split()[-1]
    outcome = CliRunner().invoke(group, ["verify", str(place), "--key", printed])
    assert (outcome.exit_code, "with the sealed files" in outcome.stdout) == (0, True)
    outcome = CliRunner().invoke(group, ["verify", str(place)])
    assert "The gold questions are sealed" in outcome.stdout
    assert not study.events.filter(detail__icontains=shown).exists()


def _file(archive: bytes, path: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        [name] = [each for each in opened.namelist() if each.endswith(f"/{path}")]
        return opened.read(name)


def test_a_key_must_have_the_form_of_a_key() -> None:
    study = make_study(gold=4)
    with pytest.raises(Refused) as refusal:
        make_release(study.pk, SEALED, user=UserFactory(), key="secret")
    assert refusal.value.fields.keys() == {"key"}


def test_as_zip_contains_the_seal(release: Release) -> None:
    assert _file(as_zip(release), SEAL) == release.files[SEAL]
