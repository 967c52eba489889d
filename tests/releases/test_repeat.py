"""Tests that a study can be repeated from its release, and that damaged or foreign files create nothing."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client

from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.data.selectors.design import is_outdated
from annotate.models import Report, Study
from annotate.questions.selectors.data import published_hits, study_data
from annotate.results.services import make_report
from annotate.server.refusals import Refused
from annotate.studies.services.settings import SETTINGS
from annotate.studies.services.study import missing_before_opening
from releases.cli.repeat import repeat as repeat_command
from releases.contents.archive import SUMS
from releases.contents.contacts import cleaned_facts, contact_remover
from releases.contents.folder import About
from releases.contents.recipe import FORMAT, RECIPE, SCHEMA
from releases.contents.source import Source, read_source
from releases.selectors.recipe import EXCLUDED, OUTSIDE_SETTINGS, RECIPE_SETTINGS, recipe_of
from releases.services import repeat as repeating
from releases.services.releases import Release, as_zip, make_release
from releases.services.repeat import Repeat, read_upload, repeat_study
from tests.factories import UserFactory, make_study

pytestmark = pytest.mark.django_db

SEALED = About("1.0", "CC-BY-4.0", date(2026, 11, 21), gold="sealed")
OPEN = About("1.0", "CC-BY-4.0", date(2026, 11, 21))


@dataclass(frozen=True)
class Original:
    """A sealed and an open release of a study that is no longer stored, with what its repeat must have."""

    sealed: Release
    open: Release
    fields: dict[str, Any]
    hits: list[tuple[int, Sequence[str]]]
    questions: list[Any]
    slots: list[Any]
    personal: list[str]


@pytest.fixture(scope="module")
def original(django_db_setup: None, django_db_blocker: Any) -> Original:
    with django_db_blocker.unblock(), transaction.atomic():
        study = judged_study()
        personal = [study.contact, study.join_token, study.public_id, study.memberships.get().user.email]
        made = Original(
            sealed=make_release(study.pk, SEALED, user=SYSTEM),
            open=make_release(study.pk, OPEN, user=SYSTEM),
            fields=fields_of(study),
            hits=list(published_hits(study)),
            questions=questions_of(study),
            slots=slots_of(study),
            personal=[*personal, *study.participations.values_list("pseudonym", flat=True)],
        )
        transaction.set_rollback(True)
    return made


def fields_of(study: Study) -> dict[str, Any]:
    names = "seed gold_block instructions options reward judgements assignments_planned judgements_planned".split()
    return {name: getattr(study, name) for name in names}


def questions_of(study: Study) -> list[Any]:
    return list(study.questions.filter(kind="regular").order_by("pk").values_list("ref", "payload"))


def slots_of(study: Study) -> list[Any]:
    return list(study.slots.order_by("place").values_list("hit__number", "gold_set__number", "group__name"))


def judged_study() -> Study:
    study = make_study(items=8, judgements=2, gold=4, practice=2, consent="We store your answers.")
    simulate(study, user=SYSTEM, annotators=4, careless=0.3, seed=7)
    make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)
    return study


def repeated(release: Release, key: str = "", **arguments: Any) -> Repeat:
    return repeat_study(read_source(release.files, "release.zip", key), user=UserFactory(), **arguments)


def parts(repeat: Repeat) -> dict[str, dict[str, Any]]:
    return {row["part"]: row for row in repeat.report.result["differences"]}


def resealed(files: Mapping[str, bytes], **changed: bytes | None) -> dict[str, bytes]:
    """Return the files with other contents, or without those that are None, and with matching checksums."""
    files = {path: content for path, content in {**files, **changed}.items() if content is not None}
    sums = [f"{hashlib.sha256(content).hexdigest()}  {path}\n" for path, content in files.items() if path != SUMS]
    return files | {SUMS: "".join(sums).encode()}


def test_a_repeat_with_the_key_has_the_same_questions_hits_and_gold_sets(original: Original) -> None:
    repeat = repeated(original.sealed, original.sealed.key).study
    assert list(published_hits(repeat)) == original.hits
    assert (questions_of(repeat), slots_of(repeat)) == (original.questions, original.slots)
    assert fields_of(repeat) == original.fields
    assert repeat.state == "draft"
    assert repeat.consents.get().text == "We store your answers."
    assert not is_outdated(repeat)
    assert "design" not in missing_before_opening(repeat)


def test_without_the_key_a_repeat_has_no_gold_and_says_so(original: Original) -> None:
    repeat = repeated(original.sealed)
    assert repeat.study.gold_block == 0
    assert not repeat.study.questions.filter(kind__in=["gold", "practice"]).exists()
    assert questions_of(repeat.study) == original.questions
    listed = parts(repeat)
    assert "no key was entered" in listed["gold"]["text"]
    assert (listed["gold_block"]["original"], listed["gold_block"]["repeat"]) == ("5", "0")


def test_an_open_release_needs_no_key(original: Original) -> None:
    assert original.open.key == ""
    assert list(published_hits(repeated(original.open).study)) == original.hits
    with pytest.raises(ValueError, match="Repeat the study without a key"):
        read_source(original.open.files, "release.zip", "x")


def test_other_judgements_change_the_slots_and_nothing_else(original: Original) -> None:
    repeat = repeated(original.sealed, original.sealed.key, changes={"judgements": "5"})
    assert list(published_hits(repeat.study)) == original.hits
    assert {hit.slots.count() for hit in repeat.study.hits.all()} == {5}
    row = parts(repeat)["judgements"]
    assert (row["original"], row["repeat"], row["text"]) == ("2", "5", "Changed as requested.")
    assert not is_outdated(repeat.study)


def test_another_size_of_hits_divides_the_same_questions_again(original: Original) -> None:
    repeat = repeated(original.sealed, original.sealed.key, changes={"questions_per_hit": 8})
    assert questions_of(repeat.study) == original.questions
    assert [hit.hit_questions.count() for hit in repeat.study.hits.order_by("number")] == [8, 8]
    assert all(hit.gold_set_id for hit in repeat.study.hits.all())
    assert {"HITs", "gold sets"} <= parts(repeat).keys()


def test_amounts_in_another_currency_are_not_repeated(original: Original) -> None:
    release = original.sealed
    repeat = repeated(release, release.key, changes={"currency": "EUR"})
    assert (repeat.study.currency, repeat.study.reward) == ("EUR", 0)
    assert parts(repeat)["reward"]["original"] == "0.5000"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"judgement": 5}, "judgement"),
        ({"judgements": "many"}, "judgements"),
        ({"title": "T"}, "title"),
        ({"reward": [1]}, "reward"),
        ({"joining_ends_at": 5}, "joining_ends_at"),
        ({"joining_ends_at": True}, "joining_ends_at"),
        ({"joining_ends_at": "0018-11-30T12:00Z"}, "joining_ends_at"),
        ({"joining_ends_at": "9999-12-31T23:59:59-23:00"}, "joining_ends_at"),
        ({"instructions": "\0"}, "instructions"),
        ({"instructions": "\ud800"}, "instructions"),
        ({"judgements": float("nan")}, "judgements"),
        ({"privacy_notice": None}, "privacy_notice"),
        ({"joining_ends_at": "2031-11-30T12:00Z", "claiming_ends_at": "2031-11-30T11:00+00:00"}, "claiming_ends_at"),
    ],
)
def test_a_wrong_change_creates_nothing(original: Original, changes: dict[str, Any], field: str) -> None:
    release = original.sealed
    before = Study.objects.count()
    with pytest.raises(Refused) as refusal:
        repeated(release, release.key, changes=changes)
    assert field in refusal.value.fields
    assert Study.objects.count() == before


def test_an_empty_value_turns_a_limit_off(original: Original) -> None:
    repeat = repeated(original.open, changes={"hits_per_annotator": "", "joining_ends_at": "", "budget_cap": ""})
    study = repeat.study
    assert (study.hits_per_annotator, study.joining_ends_at, study.budget_cap) == (None, None, None)


def test_a_repeat_that_was_cut_off_leaves_nothing(original: Original, monkeypatch: pytest.MonkeyPatch) -> None:
    release = original.sealed
    before = Study.objects.count(), Report.objects.count()

    def fail(*arguments: Any, **named: Any) -> None:
        raise ConnectionError

    monkeypatch.setattr(repeating, "differences_of", fail)
    with pytest.raises(ConnectionError):
        repeated(release, release.key)
    assert (Study.objects.count(), Report.objects.count()) == before


def test_each_field_of_a_study_is_in_the_recipe_or_excluded_with_a_reason() -> None:
    fields = {field.name for field in Study._meta.concrete_fields}
    named = {*RECIPE_SETTINGS, *OUTSIDE_SETTINGS, *EXCLUDED}
    assert fields == named
    assert set(RECIPE_SETTINGS) <= SETTINGS
    assert not set(RECIPE_SETTINGS) & EXCLUDED.keys()


def test_a_recipe_matches_its_schema_and_contains_nobody(original: Original) -> None:
    schema = json.loads(SCHEMA.read_bytes())
    jsonschema.Draft202012Validator.check_schema(schema)
    assert len(original.personal) == 8
    for release in (original.sealed, original.open):
        jsonschema.validate(json.loads(release.files[RECIPE]), schema)
        assert [text for text in original.personal if text.encode() in release.files[RECIPE]] == []


@pytest.mark.nightly
def test_contact_data_in_texts_is_replaced_and_listed() -> None:
    study = judged_study()
    Study.objects.filter(pk=study.pk).update(
        privacy_notice=f"Ask Mara Lindqvist, mara@example.org, or jo@example.net. Join: https://a.org/j/{study.join_token}/x"
    )
    release = make_release(study.pk, SEALED, user=SYSTEM)
    assert b"mara" not in release.files[RECIPE].lower()
    repeat = repeated(release)
    assert repeat.study.privacy_notice == "Ask [contact], or [contact]. Join: [contact]"
    assert "privacy notice" in parts(repeat)["contact data in texts"]["text"]


def test_a_name_of_one_word_is_no_contact() -> None:
    assert contact_remover("Lab, a@b.org", "t0ken")("The Lab and a@b.org") == "The Lab and [contact]"


def test_contact_data_in_the_labels_of_a_survey_is_replaced() -> None:
    facts = {"survey": [{"name": "why", "label": "Why? Ask a@b.org.", "counts": []}], "title": "Ask a@b.org"}
    cleaned = cleaned_facts(facts, contact_remover("", "t0ken"))
    assert [table["label"] for table in cleaned["survey"]] == ["Why? Ask [contact]."]


def test_questionnaires_groups_and_quotas_are_repeated() -> None:
    study = make_study(items=8, judgements=1, gold=4, state="draft", design=False)
    from annotate.data.services.design import build_design
    from annotate.recruiting.services.groups import add_group
    from annotate.recruiting.services.questionnaires import change_questionnaire

    for name, judgements in (("Learners", 2), ("Teachers", 1)):
        add_group(study.pk, name, judgements=judgements, user=SYSTEM)
    question = {"name": "age", "kind": "number", "label": "Age?", "required": False}
    change_questionnaire(study.pk, "survey", {"questions": [question]}, revision=0, user=SYSTEM)
    build_design(study.pk, user=SYSTEM)
    study.refresh_from_db()
    recipe = recipe_of(study, study_data(study), lambda value: value)
    repeat = repeat_study(Source(recipe, "1.0", "", [], False, 0), user=UserFactory()).study
    groups = "hit__number", "group__name"
    assert list(repeat.slots.order_by("place").values_list(*groups)) == list(
        study.slots.order_by("place").values_list(*groups)
    )
    assert (repeat.judgements, repeat.has_quotas) == (3, True)
    assert repeat.questionnaires.get().questions == study.questionnaires.get().questions
    with pytest.raises(Refused, match="sum of the quotas"):
        repeat_study(Source(recipe, "1.0", "", [], False, 0), user=UserFactory(), changes={"judgements": 2})


def test_a_release_of_an_earlier_version_is_read_from_its_raw_annotations(original: Original) -> None:
    files = resealed(original.open.files, **{RECIPE: None})
    repeat = repeat_study(read_source(files, "old.zip"), user=UserFactory())
    assert list(published_hits(repeat.study)) == original.hits
    listed = parts(repeat)
    assert {"practice questions", "questionnaires", "groups and quotas", "gold sets"} <= listed.keys()
    assert "time limit per HIT" in listed["settings"]["text"]
    assert "settings" not in parts(repeated(original.open))


def recipe_with(release: Release, **changes: Any) -> dict[str, bytes]:
    return resealed(release.files, **{RECIPE: json.dumps(json.loads(release.files[RECIPE]) | changes).encode()})


def test_faulty_releases_are_refused_with_one_sentence(original: Original) -> None:
    release = original.sealed
    before, files = Study.objects.count(), dict(release.files)
    hits = json.loads(files[RECIPE])["hits"]
    cases: list[tuple[dict[str, bytes], str, str]] = [
        (recipe_with(release, format=FORMAT + 1), "", "Update Accord"),
        (recipe_with(release, hits="none"), "", r"does not match its schema at \$\.hits"),
        (recipe_with(release, hits=[hits[0] | {"questions": ["x"]}]), "", "refers to the question x, which is missing"),
        (recipe_with(release, hits=[hits[0] | {"gold_set": 7}]), "", "gold set 7, which is missing"),
        (recipe_with(release, title="a\0b"), "", "U\\+0000"),
        (recipe_with(release, settings={"judgements": 2, "contact": "me"}), "", "contains the setting contact"),
        (recipe_with(release, questions=[{"ref": "q", "payload": 5}], hits=[]), "", "does not have the format of"),
        (recipe_with(release, items=[]), "", "refers to the item .*, which is missing"),
        (recipe_with(release, task_type="dreams"), "", "task type dreams, which is not installed"),
        (files | {"raw/items.jsonl": b""}, "", "raw/items.jsonl differs from the published file"),
        ({path: each for path, each in files.items() if path != RECIPE}, "", "study.json is missing"),
        (resealed(files, **{"raw/study.json": None}), "", "raw/study.json is missing"),
        (resealed(files, **{RECIPE: b"{"}), "", "is not JSON"),
        ({"data.csv": b"a"}, "", "is not a release of Accord"),
        (files, "wrong", "The key does not open sealed.bin"),
    ]
    for case, key, message in cases:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for path, content in case.items():
                archive.writestr(f"release/{path}", content)
        buffer.seek(0)
        with pytest.raises(Refused, match=message) as refusal:
            repeat_study(read_upload(buffer, "release.zip", key), user=UserFactory())
        assert "\n" not in refusal.value.message
        assert refusal.value.message.endswith(".")
    with pytest.raises(Refused, match="neither a folder nor a readable zip file"):
        read_upload(io.BytesIO(as_zip(release)[:999]), "release.zip", "")
    assert Study.objects.count() == before


def test_the_command_creates_a_draft_and_lists_the_differences(original: Original, tmp_path: Path) -> None:
    release = original.sealed
    place = tmp_path / "r.zip"
    place.write_bytes(as_zip(release))
    arguments = [str(place), "--owner", "me@example.org", "--key", release.key, "--change", "judgements=3", "--json"]
    outcome = CliRunner().invoke(repeat_command, arguments)
    assert outcome.exit_code == 0, outcome.output
    answer = json.loads(outcome.stdout)
    study = Study.objects.get(public_id=answer["study"])
    assert (study.judgements, study.title) == (3, "Relatedness")
    assert {"part", "text", "original", "repeat"} == answer["differences"][0].keys()
    assert study.events.get(verb="repeated study").detail["sha256"] == release.sha256
    arguments[4] = "wrong"
    outcome = CliRunner().invoke(repeat_command, arguments)
    assert (outcome.exit_code, outcome.output.count("\n")) == (1, 1)


@pytest.mark.nightly
def test_the_page_and_the_api_create_a_draft_and_show_the_differences(original: Original) -> None:
    release = original.sealed
    user, client = UserFactory(), Client()
    client.force_login(user)
    assert "Repeat a released study" in client.get("/console/new/").content.decode()

    def sent(**fields: str) -> dict[str, Any]:
        return {"file": SimpleUploadedFile("r.zip", as_zip(release)), "key": release.key, **fields}

    refused = client.post("/console/repeat/", sent(key="wrong"))
    assert (refused.status_code, "does not open" in refused.content.decode()) == (422, True)
    assert client.post("/console/repeat/", sent(changes="judgements 5")).status_code == 422
    response = client.post("/console/repeat/", sent(changes="judgements=5", title="Again"), follow=True)
    assert response.status_code == 200
    study = user.studies.get()
    assert (study.title, study.judgements) == ("Again", 5)
    assert "Changed as requested." in response.content.decode()
    assert "Judgements per question" in response.content.decode()
    assert f"/console/{study.public_id}/repeat/" in client.get(f"/console/{study.public_id}/").content.decode()
    response = client.post("/api/v1/studies/repeat", sent(changes='{"judgements": 4}'))
    assert response.status_code == 201, response.content
    created = response.json()["study"]
    assert created["judgements"] == 4
    shown = client.get(f"/api/v1/studies/{created['id']}/repeat").json()
    assert shown == {name: each for name, each in response.json().items() if name != "study"}
    assert shown["release"]["sha256"] == release.sha256
    assert client.post("/api/v1/studies/repeat", sent(changes="[1]")).status_code == 400
