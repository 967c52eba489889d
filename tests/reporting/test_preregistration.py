"""Tests that a preregistration is frozen, and that later differences are stated."""

from __future__ import annotations

import hashlib
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from django.db import DatabaseError, transaction
from django.test import Client

from accord_core.exchange.printed_tables import escape_markdown
from annotate.annotator.simulation import simulate
from annotate.core.permissions import SYSTEM
from annotate.models import Study
from annotate.questions.selectors.data import preregistrations, study_data
from annotate.results.services import make_report
from annotate.server.refusals import Refused
from annotate.server.software import versions
from annotate.studies.services.settings import change_settings
from annotate.studies.services.study import open_study
from releases.contents.folder import About
from releases.contents.verify import verify
from releases.services.releases import make_release
from reporting.cli.preregister import preregister
from reporting.preregistration.departures import departures, preregistration_text
from reporting.preregistration.registrations import draft_of, freeze
from reporting.preregistration.template import FIELDS, document_file, markdown
from reporting.selectors.methods import current_methods
from tests.browser.test_chunks_work import chunk_study
from tests.console_study import report_on
from tests.factories import make_study, member_of
from tests.layout_study import layout_study
from tests.paraphrasing import paraphrase_study
from tests.word_study import word_study

pytestmark = pytest.mark.django_db
TEXTS = {"description": "Are scores stable?", "hypotheses": "H1: the reliability is above .8."}
STUDIES = {"bws": make_study, "paraphrase": paraphrase_study, "words": word_study, "chunks": chunk_study}
STUDIES["layout"] = layout_study


@pytest.mark.parametrize("kind", STUDIES)
def test_the_draft_states_the_design_of_each_task_type(kind: str) -> None:
    study = STUDIES[kind]()
    drafted = draft_of(study)
    assert drafted.keys() == {field.name for field in FIELDS}
    empty = {name for name, text in drafted.items() if not text}
    assert empty <= {"description", "hypotheses", "rationale", "models", "transformations", "exploratory", "other"}
    questions = study.questions.filter(kind="regular").count()
    assert f"{study.judgements * questions:,} judgement" in drafted["sample_size"]
    assert f"{questions:,} question" in drafted["study_design"]
    assert "{" not in drafted["measured"]
    assert drafted["existing_data"] == "The data has not been collected yet."


def test_a_frozen_plan_has_the_checksum_of_its_file_and_cannot_be_changed() -> None:
    study = make_study(items=8)
    event = freeze(study.pk, TEXTS, user=SYSTEM)
    [frozen] = preregistrations(study)
    assert frozen["sha256"] == hashlib.sha256(document_file(frozen["document"])).hexdigest()
    assert frozen["document"]["fields"]["hypotheses"] == TEXTS["hypotheses"]
    text = markdown(frozen["document"], at=frozen["at"], sha256=frozen["sha256"])
    assert "## Study information\n\n### Research question\n\nAre scores stable?" in text
    assert all(f"### {field.heading}\n" in text for field in FIELDS)
    with pytest.raises(DatabaseError), transaction.atomic():
        study.events.filter(pk=event.pk).update(detail={})


def test_a_plan_without_hypotheses_or_with_unknown_fields_is_refused() -> None:
    study = make_study(items=8)
    for texts, message in (
        ({"description": "Why?"}, "Hypotheses: write a text"),
        ({**TEXTS, "budget": "none"}, "no field budget"),
        ({**TEXTS, "other": "x" * 10_001}, "Other: shorten"),
    ):
        with pytest.raises(Refused, match=message):
            freeze(study.pk, texts, user=SYSTEM)
    assert preregistrations(study) == []


def test_departures_name_changed_settings_and_other_numbers_of_judgements() -> None:
    study = make_study(items=8, judgements=2, gold=4)
    assert preregistration_text(study_data(study)) == ""
    freeze(study.pk, TEXTS, user=SYSTEM)
    assert departures(study_data(study)) == []
    assert preregistration_text(study_data(study)).endswith(
        "## Departures from this plan\n\nThe study follows this plan.\n"
    )
    change_settings(study.pk, rule_threshold="0.55", instructions="Another text", user=SYSTEM)
    simulate(study, user=SYSTEM, annotators=3, careless=0.3, seed=7)
    study.refresh_from_db()
    data = study_data(study)
    found = departures(data)
    assert "Threshold of the quality rule: planned 0.7, now 0.55." in found
    assert "Guidelines: the text has changed." in found
    counts = {question.ref: 0 for question in data.questions}
    for row in data.answers:
        if row.counts:
            counts[row.ref] += 1
    fewer = sum(count < 2 for count in counts.values())
    named = [sentence for sentence in found if "fewer judgements than the 2 planned" in sentence]
    assert bool(named) == bool(fewer)
    assert all(sentence.startswith(f"{fewer} question") for sentence in named)
    assert len(found) == 2 + len(named)


def test_the_version_before_the_first_answer_is_binding() -> None:
    study = make_study(items=8, judgements=2)
    freeze(study.pk, TEXTS, user=SYSTEM)
    freeze(study.pk, {**TEXTS, "other": "Second version."}, user=SYSTEM)
    simulate(study, user=SYSTEM, annotators=3, careless=0, seed=7)
    freeze(study.pk, {**TEXTS, "other": "Too late."}, user=SYSTEM)
    text = preregistration_text(study_data(study))
    assert "Second version." in text
    assert "Too late." not in text
    assert "This is version 2 of 3." in text
    late = preregistrations(study)[-1]["document"]
    assert late["answers_before"] > 0


def test_a_plan_that_was_frozen_after_the_answers_says_so() -> None:
    study = make_study(items=8, judgements=2)
    simulate(study, user=SYSTEM, annotators=3, careless=0, seed=7)
    freeze(study.pk, TEXTS, user=SYSTEM)
    data = study_data(study)
    counted = sum(row.counts for row in data.answers)
    assert f"Answers that count and were given before the plan was frozen: {counted}." in departures(data)


def test_the_methods_section_states_the_plan_and_the_departures() -> None:
    study = make_study(items=8, judgements=2, gold=4)
    simulate(study, user=SYSTEM, annotators=3, careless=0.3, seed=7)
    report_on(study)
    assert "Preregistration" not in current_methods(study).markdown()
    freeze(study.pk, TEXTS, user=SYSTEM)
    change_settings(study.pk, rule_threshold="0.55", user=SYSTEM)
    study.refresh_from_db()
    [part] = [each for each in current_methods(study).parts if each.name == "plan"]
    text = " ".join(sentence.plain() for sentence in part.sentences)
    assert f"{preregistrations(study)[0]['at'][:4]}. We departed from this plan as follows." in text
    assert "Threshold of the quality rule: planned 0.7, now 0.55." in text
    assert "were given before the plan was frozen" in text


@pytest.mark.nightly
def test_a_release_contains_the_plan_with_its_departures() -> None:
    study = make_study(items=8, judgements=2, gold=4)
    freeze(study.pk, TEXTS, user=SYSTEM)
    simulate(study, user=SYSTEM, annotators=4, careless=0.3, seed=7)
    make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)
    release = make_release(study.pk, About("1.0", "CC-BY-4.0", date(2026, 11, 21)), user=SYSTEM)
    assert b"## Departures from this plan" in release.files["preregistration.md"]
    assert b"`preregistration.md`" in release.files["README.md"]
    methods = release.files["methods/methods.md"].decode()
    assert all(escape_markdown(sentence) in methods for sentence in departures(study_data(study)))
    assert b"Yes: preregistration.md contains the plan" in release.files["reporting/heds.md"]
    assert verify(release.files, versions=versions()).faults == []
    changed = {**release.files, "preregistration.md": release.files["preregistration.md"] + b"?"}
    assert any("preregistration.md, line" in fault for fault in verify(changed, versions=versions()).faults)


def test_removed_contact_data_is_no_departure() -> None:
    study = make_study(
        judgements=1, state="draft", instructions="Ask mara@example.org.", eligibility="You wrote to jo@example.org."
    )
    freeze(study.pk, {**TEXTS, "other": "Written by jo@example.org."}, user=SYSTEM)
    study = open_study(study.pk, user=SYSTEM)
    simulate(study, user=SYSTEM, annotators=1, careless=0.0, seed=7)
    report_on(study)
    files = make_release(study.pk, About("1.0", "CC-BY-4.0", date(2026, 11, 21)), user=SYSTEM).files
    plan = files["preregistration.md"].decode()
    assert "The study follows this plan." in plan
    assert "Written by [contact]." in plan
    assert [path for path, content in files.items() if b"@example.org" in content] == []
    assert verify(files, versions=versions()).faults == []


def test_the_page_freezes_a_plan_and_offers_its_files(client: Client) -> None:
    study = make_study(items=8)
    client.force_login(member_of(study))
    address = f"/console/{study.public_id}/preregistration/"
    assert "Study information" in client.get(address).content.decode()
    assert client.post(f"{address}freeze/", {"description": "Why?"}).status_code == 422
    assert client.post(f"{address}freeze/", draft_of(study) | TEXTS).status_code == 302
    assert "Version 1" in client.get(address).content.decode()
    [frozen] = preregistrations(study)
    content = b"".join(client.get(f"{address}preregistration-1.json"))  # type: ignore[arg-type]
    assert hashlib.sha256(content).hexdigest() == frozen["sha256"]
    assert b"# Preregistration: " in b"".join(client.get(f"{address}preregistration-1.md"))  # type: ignore[arg-type]
    assert client.get(f"{address}preregistration-2.md").status_code == 404


def test_the_command_prints_the_draft_and_freezes_it(tmp_path: Path) -> None:
    study: Study = make_study(items=8)
    printed = CliRunner().invoke(preregister, [study.public_id])
    assert printed.exit_code == 0, printed.output
    texts: dict[str, Any] = json.loads(printed.output) | TEXTS
    (tmp_path / "plan.json").write_text(json.dumps(texts))
    frozen = CliRunner().invoke(preregister, [study.public_id, "--texts", str(tmp_path / "plan.json")])
    assert frozen.exit_code == 0, frozen.output
    assert "H1: the reliability is above .8." in frozen.output
    assert len(preregistrations(study)) == 1
    (tmp_path / "plan.json").write_text("[]")
    refused = CliRunner().invoke(preregister, [study.public_id, "--texts", str(tmp_path / "plan.json")])
    assert "must contain a JSON object" in refused.output
