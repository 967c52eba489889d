"""Tests of the authors' answers about a study: they are stored, copied and deleted with it, and changed on the page, in
the API and by a command.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from django.test import Client

from annotate.annotator.simulation import simulate
from annotate.commands.study import group
from annotate.core.permissions import SYSTEM
from annotate.models import Study
from annotate.results.services import make_report
from annotate.server.refusals import Refused
from annotate.studies.services.copies import copy_study, delete_draft
from reporting.models import AuthorAnswers
from reporting.selectors.answers import author_answers
from reporting.services.answers import save_answers
from tests.factories import make_study, member_of

pytestmark = pytest.mark.django_db


def judged_study() -> Study:
    study = make_study(items=8, judgements=2, gold=4)
    simulate(study, user=SYSTEM, annotators=4, careless=0.3, seed=7)
    make_report(study.pk, kind="results", parameters={}, user=SYSTEM, progress=lambda share, text: None)
    return study


def content_of(response: Any) -> bytes:
    return b"".join(response.streaming_content)


def test_answers_are_changed_one_by_one_and_logged() -> None:
    study = make_study()
    save_answers(study.pk, {"limits": "No poems.", "uses": "Tests."}, user=SYSTEM)
    assert save_answers(study.pk, {"uses": ""}, user=SYSTEM) == {"limits": "No poems."}
    save_answers(study.pk, {"limits": "No poems."}, user=SYSTEM)  # no change, and no entry
    logged = study.events.filter(verb="answered questions about the study").order_by("pk")
    assert [event.detail["questions"] for event in logged] == [["limits", "uses"], ["uses"]]
    with pytest.raises(Refused) as refusal:
        save_answers(study.pk, {"colour": "red"}, user=SYSTEM)
    assert "colour" in refusal.value.fields
    assert author_answers(study) == {"limits": "No poems."}


def test_a_copy_has_the_answers_and_a_deleted_draft_has_none() -> None:
    study = make_study()
    save_answers(study.pk, {"limits": "No poems."}, user=SYSTEM)
    user = member_of(study)
    copy = copy_study(study.pk, user=user)
    assert author_answers(copy) == {"limits": "No poems."}
    delete_draft(copy.pk, user=user)
    assert not AuthorAnswers.objects.filter(study=copy).exists()


def test_the_page_shows_documents_and_saves_answers() -> None:
    study = judged_study()
    client = Client()
    client.force_login(member_of(study))
    page = f"/console/{study.public_id}/x/reporting/"
    shown = client.get(page).content.decode()
    assert "Human Evaluation Datasheet (HEDS 3.0)" in shown
    assert "of 62" in shown
    assert client.post(page, {"limits": "No poems."}).status_code == 302
    assert "No poems." in client.get(page).content.decode()
    assert client.post(page, {"experts": "perhaps"}).status_code == 422
    document = client.get(f"{page}heds/").content.decode()
    assert "Who can answer" in document
    assert b"# Human Evaluation Datasheet" in content_of(client.get(f"{page}heds/?download"))
    assert client.get(f"{page}poem/").status_code == 404
    assert content_of(client.get(f"{page}documents.zip"))[:2] == b"PK"


def test_without_results_the_page_asks_only_the_questions() -> None:
    study = make_study()
    client = Client()
    client.force_login(member_of(study))
    page = f"/console/{study.public_id}/x/reporting/"
    assert "Results are missing" in client.get(page).content.decode()
    assert client.get(f"{page}heds/").status_code == 404
    assert client.get(f"{page}documents.zip").status_code == 404


def test_the_commands_change_answers_and_write_documents(tmp_path: Path) -> None:
    study = judged_study()
    file = tmp_path / "answers.json"
    file.write_text(json.dumps({"limits": "No poems."}))
    run = CliRunner().invoke
    assert json.loads(run(group, ["report-form", study.public_id, "--set", str(file)]).stdout) == {
        "limits": "No poems."
    }
    assert json.loads(run(group, ["report-form", study.public_id]).stdout) == {"limits": "No poems."}
    assert "contact_email" in run(group, ["report-form", study.public_id, "--questions"]).stdout
    file.write_text("[]")
    outcome = run(group, ["report-form", study.public_id, "--set", str(file)])
    assert outcome.exit_code == 1
    assert "JSON object" in outcome.output
    outcome = run(group, ["documents", study.public_id, "-o", str(tmp_path / "out")])
    assert outcome.exit_code == 0, outcome.output
    assert "heds.md: " in outcome.stdout
    assert "No poems." in (tmp_path / "out" / "datasheet.md").read_text(encoding="utf-8")


def test_the_api_reads_and_changes_answers_and_lists_open_questions() -> None:
    study = judged_study()
    client = Client()
    client.force_login(member_of(study))
    place = f"/api/v1/studies/{study.public_id}"
    changed = client.patch(
        f"{place}/report-form", json.dumps({"answers": {"limits": "No poems."}}), content_type="application/json"
    )
    assert changed.json() == {"answers": {"limits": "No poems."}}
    assert client.get(f"{place}/report-form").json() == changed.json()
    refused = client.patch(
        f"{place}/report-form", json.dumps({"answers": {"colour": "red"}}), content_type="application/json"
    )
    assert refused.status_code == 400
    heds = client.get(f"{place}/report-documents").json()[0]
    assert heds["questions"] == 62
    assert heds["answered"] == 62 - len(heds["open"])
    assert {"number": "5.4", "who": "Authors"}.items() <= heds["open"][-1].items()
