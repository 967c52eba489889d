"""Tests that a release contains all data from which its numbers are calculated, so that anyone can recalculate the
numbers.
"""

from __future__ import annotations

import hashlib
import io
import json
import warnings
import zipfile
from dataclasses import fields, replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from django.db import transaction

from annotate import tasktypes
from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.core.services.claim import claim
from annotate.core.services.grading import AnswerSent
from annotate.core.services.submit import submit
from annotate.models import Study
from annotate.questions.selectors.data import study_data
from annotate.questions.services.decisions import decide
from annotate.results import services as results_services
from annotate.results.services import make_report
from annotate.server.refusals import Refused
from annotate.server.software import versions
from annotate.studies.services.settings import change_settings
from annotate.tasktypes import AnswerRow, StudyData
from annotate.tasktypes.capabilities import Columns
from releases.cli.release import group
from releases.contents.archive import SUMS
from releases.contents.folder import ABOUT as ABOUT_FILE
from releases.contents.folder import REPORT, About, release_files
from releases.contents.raw import PUBLISHED, raw_files
from releases.contents.raw import study_data as read_raw
from releases.contents.verify import verify
from releases.services.releases import Release, as_zip, make_release
from reporting.statement import data_statement, hourly_wage, texts_read
from tests.factories import answers_to, make_annotator, make_study, member_of

ABOUT = About("1.0", "CC-BY-4.0", date(2026, 11, 21), creators="A. Author; B. Author", statement={"variety": "Scots."})


def judged_study() -> Study:
    study = make_study(items=8, judgements=2, gold=4)
    simulate(study, user=SYSTEM, annotators=4, careless=0.3, seed=7)
    make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)
    return study


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: Any) -> tuple[Release, StudyData, list[str]]:
    """Return a release, its rows and its annotators. The release does not need the study."""
    with django_db_blocker.unblock(), transaction.atomic():
        study = judged_study()
        release, data = make_release(study.pk, ABOUT, user=SYSTEM), study_data(study)
        people = list(study.participations.values_list("annotator__external_id", flat=True))
        transaction.set_rollback(True)
    return release, data, people


@pytest.fixture
def released(made: tuple[Release, StudyData, list[str]]) -> Release:
    return made[0]


def damaged(release: Release, path: str, old: bytes, new: bytes, *, sums: bool = True) -> dict[str, bytes]:
    """Return the release with one change and, like a careful forger, with the corrected checksum."""
    files = dict(release.files)
    assert old in files[path]
    files[path] = files[path].replace(old, new, 1)
    if sums:
        before, after = (hashlib.sha256(data).hexdigest().encode() for data in (release.files[path], files[path]))
        files[SUMS] = files[SUMS].replace(before, after)
    return files


def test_a_release_is_what_its_annotations_come_to(released: Release) -> None:
    found = verify(released.files, versions=versions())
    assert found.faults == []
    assert found.numbers > 100
    assert found.exports == 5


def test_each_field_of_an_answer_is_published_or_left_out_on_purpose() -> None:
    assert {field.name for field in fields(AnswerRow)} == {*PUBLISHED, "payload"}


def test_raw_files_hold_the_whole_study(made: tuple[Release, StudyData, list[str]]) -> None:
    data = made[1]
    back = read_raw(raw_files(data))
    assert list(back.answers) == list(data.answers)
    assert (list(back.items), list(back.questions), list(back.gold)) == (data.items, data.questions, data.gold)
    assert [list(refs) for refs in back.hits] == [list(refs) for refs in data.hits]


def test_a_number_that_was_changed_is_found_though_its_checksum_was_too(released: Release) -> None:
    report = json.loads(released.files[REPORT])
    value = report["result"]["headline"]["ends"][0]["value"]
    files = damaged(released, REPORT, f"{value!r}".encode(), b"0.9999")
    found = verify(files, versions=versions())
    assert len(found.faults) == 1
    assert "result.headline.ends[0].value is 0.9999, but the recalculated value is" in found.faults[0]


def test_a_line_of_data_that_was_changed_is_named(released: Release) -> None:
    first = released.files["data/scores.csv"].split(b"\n")[1]
    files = damaged(released, "data/scores.csv", first, first[:-1] + b"9")
    assert verify(files, versions=versions()).faults == [
        "data/scores.csv, line 2: the content differs from the recalculated file"
    ]


def test_an_annotation_that_was_changed_shows_in_the_numbers(released: Release) -> None:
    files = damaged(released, "raw/annotations.jsonl", b'"counts": true', b'"counts": false')
    faults = verify(files, versions=versions()).faults
    assert any(fault.startswith("report/results.json: result.") for fault in faults)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("path", "old"),
    [("README.md", b"4 simulated annotators"), ("README.md", b"(Spearman)"), ("instructions.md", b"the")],
)
def test_what_people_read_is_held_against_the_study_too(released: Release, path: str, old: bytes) -> None:
    line = 1 + released.files[path].partition(old)[0].count(b"\n")
    files = damaged(released, path, old, b"9" + old)
    assert verify(files, versions=versions()).faults == [
        f"{path}, line {line}: the content differs from the recalculated file"
    ]


def test_files_that_are_missing_added_or_damaged_are_named(released: Release) -> None:
    files = damaged(released, "README.md", b"Scots", b"Welsh", sums=False) | {"more.txt": b"?"}
    del files["instructions.md"]
    faults = verify(files, versions=versions()).faults
    assert "README.md differs from the published file: the checksum is different" in faults
    assert "instructions.md is missing" in faults
    assert "more.txt is not in SHA256SUMS" in faults


@pytest.mark.parametrize("path", [ABOUT_FILE, REPORT, "raw/annotations.jsonl", "raw/study.json"])
def test_what_cannot_be_read_is_said_and_not_raised(released: Release, path: str) -> None:
    files = dict(released.files) | {path: b"{"}
    assert not verify(files, versions=versions()).holds


@pytest.mark.nightly
@pytest.mark.django_db
def test_a_release_is_of_the_answers_as_they_are_and_the_log_keeps_its_checksum() -> None:
    study = judged_study()
    first = make_release(study.pk, ABOUT, user=SYSTEM)
    assert study.events.get(verb="released").detail["sha256"] == first.sha256
    question = study.questions.filter(kind="regular")[0]
    decide(question.pk, {"best": 1, "worst": 2}, user=member_of(study))
    make_release(study.pk, ABOUT, user=SYSTEM)  # best–worst scores take no decisions: nothing has changed for them
    somebody = study.participations.order_by("pk")[0]
    somebody.assignments.filter(state="done").update(state="void", reason="stopped")
    with pytest.raises(Refused) as refusal:
        make_release(study.pk, ABOUT, user=SYSTEM)
    assert refusal.value.code == "stale"


@pytest.mark.nightly
@pytest.mark.django_db
def test_a_report_whose_input_another_version_of_zlib_compressed_is_not_outdated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(results_services, "pack", _without_compression)
        study = judged_study()
    make_release(study.pk, ABOUT, user=SYSTEM)


def _without_compression(columns: Columns) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **columns)  # type: ignore[arg-type]
    return buffer.getvalue()


@pytest.mark.django_db
def test_without_results_there_is_nothing_to_release() -> None:
    with pytest.raises(Refused) as refusal:
        make_release(make_study().pk, ABOUT, user=SYSTEM)
    assert refusal.value.code == "no-report"


def test_nobody_is_named(made: tuple[Release, StudyData, list[str]]) -> None:
    everything = b"".join(made[0].files.values())
    assert made[2]
    assert [name for name in made[2] if name.encode() in everything] == []


def test_the_statement_says_what_the_study_knows_and_what_its_authors_say(released: Release) -> None:
    said = released.files["README.md"].decode()
    assert "Scots." in said
    assert "\n\nAuthors: A. Author; B. Author.\n\nLicence: CC-BY-4.0.\n\n" in said
    assert "## Speaker demographic\n\n*Not stated.*" in said
    assert "## Text characteristics\n\nThe data contains" in said
    assert "4 simulated annotators annotated. Simulated annotators are not people" in said
    assert "The results are based on the answers of 4 simulated annotators, with" in said
    assert "4 people" not in said
    assert "Annotators earned" not in said
    description = json.loads(released.files["croissant.json"])["description"]
    assert description == "Best–worst scaling: 32 answers to 16 questions from 4 simulated annotators."


def test_the_statement_counts_people_and_simulated_annotators_separately(
    made: tuple[Release, StudyData, list[str]],
) -> None:
    data = made[1]
    first, *others = data.facts["simulated_annotators"]
    for simulated, text in (
        ([], "4 people annotated. The pseudonyms"),
        (others, "1 person and 3 simulated annotators"),
    ):
        some = replace(data, facts={**data.facts, "simulated_annotators": simulated})
        statement = data_statement(some, {}, authors={}, version="1", licence="CC0", languages=["en"])
        assert text in statement
        assert "Annotators earned" in statement
    assert first not in statement


def test_the_statement_counts_the_decisions_of_researchers(made: tuple[Release, StudyData, list[str]]) -> None:
    def statement(**changes: Any) -> str:
        data = replace(made[1], **changes)
        return data_statement(data, {}, authors={}, version="1", licence="CC0", languages=["en"])

    assert "Researchers" not in statement()
    assert "Researchers decided 2 questions and accepted every answer to 1 question. The" in statement(
        decisions={"q1": {}, "q2": {}}, keep_both=["q3"]
    )
    assert "Researchers decided 1 question. The" in statement(decisions={"q1": {}})
    [one, *_] = [row for row in made[1].answers if row.counts]
    assert "with 1 answer per person." in statement(answers=[one], facts={**made[1].facts, "simulated_annotators": []})


def test_a_release_contains_each_version_of_the_guidelines(made: tuple[Release, StudyData, list[str]]) -> None:
    data = made[1]
    facts = {**data.facts, "earlier_guidelines": [{"version": 1, "instructions": "Compare.", "examples": ""}]}
    texts = {path: (text, note) for path, text, note in texts_read(facts)}
    assert texts["instructions-1.md"] == ("Compare.", "version 1 of the text")
    assert texts["instructions.md"] == (data.facts["instructions"], "latest version of the text")
    assert "examples-1.md" not in texts
    answers = [replace(row, guidelines=1 if place else 2) for place, row in enumerate(data.answers)]
    statement = data_statement(
        replace(data, facts=facts, answers=answers), {}, authors={}, version="1", licence="CC0", languages=["en"]
    )
    last = sum(row.counts for row in answers[:1])
    first = sum(row.counts for row in answers) - last
    listed = ", ".join([f"{first} with version 1", *([f"{last} with the latest version"] if last else [])])
    assert f"The guidelines changed during the study. Answers that count: {listed}." in statement


def test_the_statement_names_a_coefficient_once(made: tuple[Release, StudyData, list[str]]) -> None:
    headline = {"name": "Fleiss’ κ", "ends": [{"label": "Fleiss’ κ", "value": 0.6667}]}
    statement = data_statement(
        made[1], {"headline": headline}, authors={}, version="1", licence="CC0", languages=["en"]
    )
    assert "## Agreement\n\nFleiss’ κ: 0.667." in statement


@pytest.mark.django_db
def test_a_study_exports_earlier_versions_of_its_guidelines() -> None:
    study = make_study(items=8)
    change_settings(study.pk, instructions="A new text", user=SYSTEM)
    study.refresh_from_db()
    (earlier,) = study_data(study).facts["earlier_guidelines"]
    assert earlier["version"] == 1
    assert earlier["instructions"] != "A new text"


def test_the_statement_names_answers_from_stopped_annotators(made: tuple[Release, StudyData, list[str]]) -> None:
    data = made[1]
    answers = [replace(row, counts=False, reason="void: stopped", seconds=1.2) for row in data.answers[:1]]
    answers += [replace(row, seconds=1.2) for row in data.answers[1:]]
    regular = answers[0].kind == "regular"
    statement = data_statement(
        replace(data, answers=answers), {}, authors={}, version="1", licence="CC0", languages=["en"]
    )
    assert regular
    assert "1 from stopped annotators" in statement
    assert "The quality rule stops annotators with an accuracy below 70% after" in statement
    assert "The median answer took 1 second." in statement


def test_the_statement_counts_only_questions_with_judgements(made: tuple[Release, StudyData, list[str]]) -> None:
    one, *others = [row for row in made[1].answers if row.counts]
    answers = [one, *(replace(row, counts=False, reason="void: stopped") for row in others)]
    data = replace(made[1], answers=answers)
    statement = data_statement(data, {}, authors={}, version="1", licence="CC0", languages=["en"])
    assert "1 answer to 1 question counts towards the results." in statement
    # Without gold questions, the statement also says that annotators were stopped.
    count = len(others)
    assert f"No gold questions were answered. Answers that do not count: {count} from stopped annotators." in statement


def test_the_metadata_lists_every_file_with_its_checksum(released: Release) -> None:
    described = json.loads(released.files["croissant.json"])
    told = {entry["@id"]: entry["sha256"] for entry in described["distribution"]}
    others = {path for path in released.files if path not in ("croissant.json", SUMS)}
    assert told == {path: hashlib.sha256(released.files[path]).hexdigest() for path in others}
    scores = next(one for one in described["recordSet"] if one["@id"] == "scores")
    assert [each["name"] for each in scores["field"]] == ["item", "score", "text"]
    assert [each.get("description", "") for each in scores["field"]] == [
        "ID of the item",
        "score from 0 to 1, empty without judgements",
        "",
    ]


def test_the_same_files_make_the_same_archive(released: Release) -> None:
    assert as_zip(released) == as_zip(replace(released, files=dict(released.files)))
    names = zipfile.ZipFile(io.BytesIO(as_zip(released))).namelist()
    assert names == [f"{released.name}/{path}" for path in released.files]


@pytest.mark.nightly
def test_the_command_checks_a_folder_and_an_archive(released: Release, tmp_path: Path) -> None:
    for path, data in released.files.items():
        (tmp_path / "r" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "r" / path).write_bytes(data)
    (tmp_path / "r.zip").write_bytes(as_zip(released))
    for place in ("r", "r.zip"):
        outcome = CliRunner().invoke(group, ["verify", str(tmp_path / place)])
        assert outcome.exit_code == 0, outcome.stdout
        assert "all as published" in outcome.stdout
    (tmp_path / "r" / "data" / "scores.csv").write_bytes(b"item,score\n")
    outcome = CliRunner().invoke(group, ["verify", str(tmp_path / "r"), "--json"])
    assert outcome.exit_code == 1
    assert "data/scores.csv" in outcome.stdout


def test_a_zip_file_that_unpacks_to_too_many_bytes_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("releases.contents.archive.LARGEST", 1_000)
    place = tmp_path / "release.zip"
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("release/items.csv", "0" * 1_001)
    outcome = CliRunner().invoke(group, ["verify", str(place)])
    assert outcome.exit_code == 1
    assert "1,001 bytes" in outcome.output


def test_a_zip_file_that_contains_another_version_of_a_file_is_refused(released: Release, tmp_path: Path) -> None:
    place = tmp_path / "release.zip"
    path = min(released.files)
    for folder in (released.name, "another"):
        place.write_bytes(as_zip(released))
        with warnings.catch_warnings(), zipfile.ZipFile(place, "a") as archive:
            warnings.simplefilter("ignore")
            archive.writestr(f"{folder}/{path}", released.files[path])
        outcome = CliRunner().invoke(group, ["verify", str(place)])
        assert outcome.exit_code == 1
        assert f"{path} more than once" in outcome.output


def test_a_zip_file_with_an_unknown_compression_is_refused_in_one_line(tmp_path: Path) -> None:
    place = tmp_path / "release.zip"
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("release/items.csv", "id")
    place.write_bytes(
        place.read_bytes()
        .replace(b"PK\x03\x04\x14\x00\x00\x00\x00\x00", b"PK\x03\x04\x14\x00\x00\x00\x63\x00")
        .replace(b"PK\x01\x02\x14\x03\x14\x00\x00\x00\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x00\x00\x63\x00")
    )
    outcome = CliRunner().invoke(group, ["verify", str(place)])
    assert outcome.exit_code == 1
    assert "readable zip file" in outcome.output


@pytest.mark.django_db
def test_a_release_names_the_languages_of_both_sentences() -> None:
    for slug in ("words", "chunks"):
        task = tasktypes.get(slug)
        assert task.item_languages({"first_language": "en", "second_language": "de"}, "en") == ["en", "de"]
        assert task.item_languages({}, "en") == ["en"], "a study from before these options"
    data = study_data(make_study())
    statement = data_statement(data, {}, authors={}, version="1", licence="CC0", languages=["en", "de"])
    assert "items in the languages en and de." in statement


def test_a_release_contains_checklists_with_the_answers_of_its_authors(released: Release) -> None:
    assert "Scots." in released.files["reporting/acl-checklist.md"].decode()
    described = json.loads(released.files["croissant.json"])
    assert described["conformsTo"][1] == "http://mlcommons.org/croissant/RAI/1.0"
    assert described["rai:annotationsPerItem"] == "2 judgements per question."
    assert "`reporting/heds.md`" in released.files["README.md"].decode()


def test_a_changed_checklist_or_property_is_found(released: Release) -> None:
    files = damaged(released, "reporting/heds.md", b"16 questions", b"17 questions")
    assert verify(files, versions=versions()).faults[0].startswith("reporting/heds.md, line ")
    files = damaged(released, "croissant.json", b'"2 judgements per question."', b'"3 judgements per question."')
    assert verify(files, versions=versions()).faults == ["croissant.json: rai:annotationsPerItem differs"]


def test_a_release_from_before_the_checklists_still_holds(made: tuple[Release, StudyData, list[str]]) -> None:
    release, data, _ = made
    report = json.loads(release.files[REPORT])
    files = release_files(tasktypes.get("bws"), data, report, replace(ABOUT, texts=0))
    about = json.loads(files[ABOUT_FILE])
    del about["texts"]  # as the earlier version wrote it
    files[ABOUT_FILE] = json.dumps(about).encode()
    digests = {path: hashlib.sha256(content).hexdigest() for path, content in files.items() if path != SUMS}
    files[SUMS] = "".join(f"{digest}  {path}\n" for path, digest in digests.items()).encode()
    assert not any(path.startswith("reporting/") for path in files)
    assert "Preprocessing" not in files["README.md"].decode()
    assert verify(files, versions=versions()).faults == []


def test_a_release_whose_card_does_not_list_the_page_still_holds(made: tuple[Release, StudyData, list[str]]) -> None:
    release, data, _ = made
    files = release_files(tasktypes.get("bws"), data, json.loads(release.files[REPORT]), replace(ABOUT, texts=1))
    assert b"`index.html`" not in files["README.md"]
    assert verify(files, versions=versions()).faults == []


@pytest.mark.django_db
def test_the_stated_wage_of_hits_with_skipped_questions_verifies() -> None:
    study = make_study(items=8, judgements=2, reward="0.50", skips_allowed=True)
    people = [make_annotator(study) for _ in range(2)]
    for person in people:
        while assignment := claim(person.pk).assignment:
            first, *others = answers_to(assignment)
            skip = AnswerSent(first.position, skipped="I do not know the word", seconds=90)
            submit(person.pk, assignment.public_id, [skip, *others])
    make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)
    release = make_release(study.pk, ABOUT, user=SYSTEM)
    assert hourly_wage(study_data(study)) != hourly_wage(replace(study_data(study), skipped=()))
    assert f"the actual hourly wage is ${hourly_wage(study_data(study))}" in release.files["README.md"].decode()
    assert verify(release.files, versions=versions()).faults == []
