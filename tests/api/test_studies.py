"""Tests that create, set up and open a study through the API."""

from typing import Any

import pytest

from annotate.core.selectors.participations import current_consent, has_consented
from annotate.core.services import jobs
from annotate.data.services.design import build_design
from annotate.models import Item, Job, Question, Study, Upload, User
from annotate.questions.api import in_order
from annotate.server.refusals import Refused
from tests.api.conftest import Api, refused
from tests.factories import make_annotator, make_study

pytestmark = pytest.mark.django_db
ITEMS = "id,text\n" + "".join(f"i{number},Text {number}.\n" for number in range(10))
GOLD = "id,Item1,Item2,Item3,Item4,BestItem,WorstItem,Explanation\ng1,i0,i1,i2,i3,i0,i3,Because.\n"


def made(owner: Api, **given: Any) -> str:
    response = owner.post("studies", {"title": "Relatedness", "task_type": "bws", **given})
    assert response.status_code == 201, response.json()
    return response.json()["id"]


def upload(owner: Api, study: str, purpose: str, content: str) -> Any:
    return owner.post(
        f"studies/{study}/uploads", {"purpose": purpose, "filename": f"{purpose}.csv", "content": content}
    )


def test_a_study_from_items_to_open(owner: Api, user: User) -> None:
    study = made(owner, instructions="Choose.", options={"factor": 1.5}, reward="0.25", consent="Agree?")
    for purpose, content, rows in (("items", ITEMS, 10), ("gold", GOLD, 1)):
        taken = upload(owner, study, purpose, content)
        assert taken.status_code == 201
        assert (taken.json()["rows"], taken.json()["importable"], taken.json()["faults"]) == (rows, True, [])
        assert owner.post(f"studies/{study}/uploads/{taken.json()['id']}/import").json()["rows"] == rows
    kept = Study.objects.get(public_id=study)
    asked = owner.post(f"studies/{study}/design")
    assert asked.status_code == 202
    assert Job.objects.get(public_id=asked.json()["id"]).kind == "design"
    assert owner.post(f"studies/{study}/design").json()["id"] == asked.json()["id"]  # the one that waits
    build_design(kept.pk, user=user)  # as the worker does
    design = owner.get(f"studies/{study}/design").json()
    assert design["result"]["questions"] == 15
    opened = owner.put(f"studies/{study}/state", {"state": "open"})
    assert opened.json()["state"] == "open"
    assert opened.json()["opened_at"].endswith("Z")
    assert [row["id"] for row in owner.get(f"studies/{study}/items").json()["results"]] == [f"i{n}" for n in range(10)]
    kinds = [row["kind"] for row in owner.get(f"studies/{study}/questions").json()["results"]]
    assert sorted(kinds) == ["gold"] + ["regular"] * 15
    events = [row["verb"] for row in owner.get(f"studies/{study}/events").json()["results"]]
    assert events[0] == "opened" or "open" in events[0]
    assert events[-1] == "created"


@pytest.mark.nightly
def test_a_change_is_one_transaction_and_can_clear_consent(
    owner: Api, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = make_study(consent="Agree?", user=user)
    study = stored.public_id
    assert owner.patch(f"studies/{study}", {"title": "Renamed", "consent": ""}).status_code == 200
    assert current_consent(stored) is None
    assert list(stored.consents.values_list("text", flat=True)) == ["Agree?", ""]
    person = make_annotator(stored)
    assert has_consented(person)
    assert owner.patch(f"studies/{study}", {"title": "Renamed again"}).status_code == 200
    assert stored.consents.count() == 2, "consent that is not sent stays as it is"

    def fails(*arguments: Any, **named: Any) -> None:
        raise Refused("busy", "No.")

    monkeypatch.setattr("annotate.api.studies.write_consent", fails)
    refused(owner.patch(f"studies/{study}", {"title": "Half a change", "consent": "New"}), 409, "busy")
    assert Study.objects.get(pk=stored.pk).title == "Renamed again"


@pytest.mark.nightly
def test_lists_come_in_pages(owner: Api, user: User) -> None:
    study = make_study(items=10, user=user)
    path = f"studies/{study.public_id}/questions"
    first = owner.get(f"{path}?page_size=15").json()
    assert (first["count"], len(first["results"]), first["previous"]) == (20, 15, None)
    second = owner.get(first["next"].removeprefix("http://testserver")).json()
    assert len(second["results"]) == 5
    assert second["next"] is None
    refs = [row["ref"] for row in first["results"] + second["results"]]
    assert refs == sorted(set(refs))
    refused(owner.get(f"{path}?page=99"), 404, "not_found")
    for page in ("0", "x", "-1"):
        refused(owner.get(f"{path}?page={page}"), 404, "not_found")
    assert len(owner.get(f"{path}?page_size=x").json()["results"]) == 20
    assert [row["id"] for row in owner.get("studies").json()["results"]] == [study.public_id]


def test_a_page_of_questions_is_in_the_requested_order(user: User) -> None:
    study = make_study(items=10, user=user)
    keys = [*study.questions.order_by("-ref").values_list("pk", flat=True)]
    assert [question.pk for question in in_order(study, keys[3:9])] == keys[3:9]


@pytest.mark.parametrize(
    ("given", "fields"),
    [
        ({"title": ""}, ["title"]),
        ({"task_type": "astrology"}, ["task_type"]),
        ({"judgements": 0, "questions_per_hit": "many"}, ["judgements", "questions_per_hit"]),
        ({"reward": "-1"}, ["reward"]),
        ({"reward": "NaN"}, ["reward"]),
        ({"rule_threshold": 2}, ["rule_threshold"]),
        ({"order": "sideways"}, ["order"]),
        ({"seed": 10**30}, ["seed"]),
        ({"title": "\x00"}, ["title"]),
        ({"instructions": "a\x00b"}, ["instructions"]),
        ({"options": []}, ["options"]),
        ({"options": {"size": 99}}, ["options.size"]),
        ({"options": {"colour": "red"}}, ["options.colour"]),
    ],
)
def test_what_is_wrong_with_a_study_is_named_by_field(owner: Api, given: dict[str, Any], fields: list[str]) -> None:
    sent = {"title": "Relatedness", "task_type": "bws"} | given
    refused(owner.post("studies", sent), 400, "invalid", *fields)
    assert not Study.objects.exists()


@pytest.mark.parametrize("body", [[], "text", 7, None])
def test_a_body_that_is_no_object_is_refused(owner: Api, body: Any) -> None:
    response = owner.post("studies", body)
    assert response.status_code == 400
    assert set(response.json()) == {"code", "message", "fields"}


def test_a_body_that_is_no_json_is_refused(owner: Api) -> None:
    for text, content_type, status in (("{", "application/json", 400), ("a=1", "text/plain", 415)):
        response = owner.client.post("/api/v1/studies", text, content_type=content_type, headers=owner.headers)
        refused(response, status, response.json()["code"])


@pytest.mark.nightly
def test_settings_change_until_answers_depend_on_them(owner: Api, user: User) -> None:
    study = make_study(items=10, user=user)
    path = f"studies/{study.public_id}"
    assert owner.patch(path, {"title": "Renamed"}).json()["title"] == "Renamed"
    response = owner.patch(path, {"questions_per_hit": 7, "title": "Again"})
    assert refused(response, 409, "locked", *response.json()["fields"])["fields"]
    study.refresh_from_db()
    assert (study.title, study.questions_per_hit) == ("Renamed", 5)
    owner.patch(path, {"consent": "A new text."})
    assert study.consents.get().text == "A new text."


def test_everything_that_keeps_a_study_from_opening_is_named(owner: Api) -> None:
    study = made(owner, instructions="")
    refused(owner.put(f"studies/{study}/state", {"state": "open"}), 409, "not-ready", "design", "instructions", "gold")
    refused(owner.put(f"studies/{study}/state", {"state": "ajar"}), 400, "invalid", "state")
    assert owner.put(f"studies/{study}/state", {"state": "paused"}).status_code == 409
    refused(owner.get(f"studies/{study}/design"), 404, "no-design")


@pytest.mark.nightly
def test_faults_of_a_file_are_shown_and_nothing_is_half_imported(owner: Api) -> None:
    study = made(owner)
    taken = upload(owner, study, "items", "id,text\na,One\na,Two\nb,\n").json()
    assert taken["importable"] is False
    assert {(fault["line"], fault["column"]) for fault in taken["faults"]} >= {(3, "id"), (4, "text")}
    response = owner.post(f"studies/{study}/uploads/{taken['id']}/import")
    refused(response, 400, "faults", *response.json()["fields"])
    assert "line 3, column id" in response.json()["fields"]
    assert not Item.objects.exists()
    good = upload(owner, study, "items", ITEMS).json()["id"]
    assert owner.post(f"studies/{study}/uploads/{good}/import").status_code == 200
    refused(owner.post(f"studies/{study}/uploads/{good}/import"), 409, "imported")
    assert Item.objects.count() == 10


@pytest.mark.nightly
def test_items_are_added_to_an_open_study(owner: Api, user: User) -> None:
    study = make_study(items=10, user=user, reward="0.25").public_id
    path = f"studies/{study}/design/extension"
    refused(owner.get(path), 409, "no-items")
    upload_id = upload(owner, study, "items", "id,text\nx,More\n").json()["id"]
    assert owner.post(f"studies/{study}/uploads/{upload_id}/import").status_code == 200
    plan = owner.get(path).json()
    assert (plan["items"], plan["questions"], plan["slots"], plan["files"]) == (1, 8, 2, [upload_id])
    assert (plan["cost"], plan["currency"]) == ("0.5000", "USD")
    job = owner.post(path).json()
    jobs.run(Job.objects.get(public_id=job["id"]).pk)
    assert Question.objects.filter(study__public_id=study, kind="regular").count() == 28
    refused(owner.ask("DELETE", f"studies/{study}/uploads/{upload_id}/import"), 409, "locked")
    assert owner.ask("DELETE", path).json() == {"removed": 8}
    refused(owner.ask("DELETE", path), 409, "no-extension")
    assert owner.ask("DELETE", f"studies/{study}/uploads/{upload_id}/import").json() == {"removed": 1}


def test_another_studys_upload_is_unknown(owner: Api, user: User) -> None:
    mine, other = made(owner), made(owner)
    taken = upload(owner, other, "items", ITEMS).json()["id"]
    refused(owner.post(f"studies/{mine}/uploads/{taken}/import"), 404, "unknown")
    assert Upload.objects.get().revealed_at is None
    assert not Question.objects.exists()


@pytest.mark.parametrize("content", ["", "\x00", "id,text\n\x00,b\n", "id;text\na;\n", "\ufeff", "{}"])
def test_awkward_files_are_answered(owner: Api, content: str) -> None:
    study = made(owner)
    response = upload(owner, study, "items", content)
    assert response.status_code in (201, 400)
    if response.status_code == 201:
        assert response.json()["importable"] is False
        assert response.json()["faults"]
    else:
        refused(response, 400, "invalid", "content")


def test_misspelt_properties_are_rejected(owner: Api) -> None:
    body = {"title": "Relatedness", "task_type": "bws", "judgments": 3}
    said = refused(owner.post("studies", body), 400, "invalid", "judgments")
    assert "judgements" in said["message"]
    assert not Study.objects.exists()


def test_uploads_are_listed(owner: Api, user: User) -> None:
    study = make_study(user=user, state="draft", items=0, design=False)
    path = f"studies/{study.public_id}/uploads"
    for name in ("first", "second"):
        owner.post(path, {"purpose": "items", "filename": f"{name}.csv", "content": f"id,text\n{name},a\n"})
    first = owner.get(path).json()["results"][1]
    assert owner.post(f"{path}/{first['id']}/import").status_code == 200
    rows = owner.get(path).json()["results"][:2]
    assert [(row["filename"], row["rows"], bool(row["imported_at"])) for row in rows] == [
        ("second.csv", 0, False),
        ("first.csv", 1, True),
    ]


def test_a_study_for_a_small_team_has_named_annotators_and_no_gold(owner: Api) -> None:
    study = Study.objects.get(public_id=made(owner, annotators=["Ada", "Bea"], title="Team"))
    assert (study.admission, study.gold_block) == ("named", 0)
    assert study.named_annotators.count() == 2
    twice = {"title": "T", "task_type": "bws", "annotators": ["Ada", "Ada"]}
    refused(owner.post("studies", twice), 400, "invalid", "names")
