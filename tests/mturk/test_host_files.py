"""Tests of the files that a study writes for its host."""

import csv
import io
import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from accord_core.exchange.mturk_cells import read_time
from accord_core.exchange.mturk_results import COLUMNS
from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import new_api_token
from annotate.models import Assignment
from annotate.pay.services import give_bonus
from tests.factories import do_hit, make_annotator, make_study
from tests.mturk.imported_results import mixed_results
from tests.mturk.turk import bring_in

pytestmark = pytest.mark.django_db


def rows_of(response: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))


@pytest.mark.nightly
def test_results_of_any_study_are_written_in_the_format_of_the_host(client: Any) -> None:
    study = make_study(items=20, gold=8, judgements=2, rule_minimum=2, rule_threshold="0.7")
    imported = [replace(one, hit_id="3HIT") for one in mixed_results(study)]
    bring_in(study, replace(imported[0], assignment_status="Approved"), *imported[1:])
    do_hit(make_annotator(study))
    worker = study.participations.get(annotator__external_id="W2")
    give_bonus(study.pk, worker.pseudonym, amount=Decimal("1.50"), reason="Thanks.", user=SYSTEM)
    Assignment.objects.filter(external_id=imported[-1].assignment_id).update(credited=False)
    client.force_login(study.memberships.get().user)
    home = f"/console/{study.public_id}/host-files/"
    written = {row["AssignmentId"]: row for row in rows_of(client.get(f"{home}decisions.csv"))}
    first = written[imported[0].assignment_id]
    assert list(first) == [*COLUMNS, "Input.study", "Input.hit", "Answer.answers", "Approve", "Reject"]
    assert (first["WorkerId"], first["HITId"], first["Reward"]) == ("W1", "3HIT", "$0.5000")
    assert (first["Approve"], first["Reject"]) == ("", "")
    assert written[imported[1].assignment_id]["Approve"] == "x"
    assert written[imported[-1].assignment_id]["Reject"].startswith("The study does not pay")
    for one in imported:
        sent, stored = json.loads(one.answers["answers"]), json.loads(written[one.assignment_id]["Answer.answers"])
        for before, after in zip(sent, stored, strict=True):
            # A position without its gold question moves up, and repeated gold questions have no feedback.
            assert before | {name: after[name] for name in ("position", "feedback")} == after
        if one.worker_id == "W1":
            assert stored == sent
        assert read_time(written[one.assignment_id]["SubmitTime"]) == one.submit_time
    assert len(written) == 11
    open_to_all = rows_of(client.get(f"{home}mturk-results.csv"))
    names = set(study.participations.values_list("pseudonym", flat=True))
    assert {row["WorkerId"] for row in open_to_all} <= names
    assert {row["Approve"] + row["Reject"] for row in open_to_all} == {""}
    stopped = rows_of(client.get(f"{home}exclude.csv"))
    assert {row["WorkerId"] for row in stopped} == {"W3", "W4"}
    assert all("below the pass mark" in row["Reason"] for row in stopped)
    assert {row["WorkerId"] for row in rows_of(client.get(f"{home}qualify.csv"))} == {"W1", "W2", "W5"}
    (bonus,) = rows_of(client.get(f"{home}bonuses.csv"))
    assert bonus == {
        "WorkerId": "W2",
        "AssignmentId": imported[3].assignment_id,
        "BonusAmount": "1.5",
        "Reason": "Thanks.",
    }
    assert client.get(f"{home}other.csv").status_code == 404


def test_the_error_for_an_unknown_file_names_the_files_that_can_be_requested() -> None:
    study = make_study(items=10)
    script = Client(headers={"Authorization": f"Token {new_api_token(study.memberships.get().user, 'script')[1]}"})
    reply = script.get(f"/api/v1/studies/{study.public_id}/host-files/other.csv")
    assert reply.status_code == 404
    assert reply.json()["message"] == (
        "Accord does not write a file named “other.csv”. Request one of decisions.csv, qualify.csv, exclude.csv, "
        "bonuses.csv."
    )
