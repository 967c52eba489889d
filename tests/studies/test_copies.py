"""Copies of studies, deleted drafts, removed imports, and studies that leave the archive."""

import json
from typing import Any

import pytest
from django.test import Client

from accord_core.exchange.people import Person
from annotate.core.permissions import SYSTEM
from annotate.core.services import jobs
from annotate.core.services.credentials import new_api_token
from annotate.data.services.design import build_design
from annotate.data.services.imports import import_file, import_upload
from annotate.data.services.removal import remove_import
from annotate.gold.services import draw_candidates, judge_candidate, promote
from annotate.models import GoldSet, Job, Membership, Question, Study
from annotate.recruiting.services.groups import add_group, set_population
from annotate.recruiting.services.listed import add_file_to_list
from annotate.recruiting.services.named import add_people
from annotate.server.refusals import Refused
from annotate.studies.services.copies import copy_contents, copy_study, delete_draft
from annotate.studies.services.settings import change_settings
from annotate.studies.services.settings_import import import_settings
from annotate.studies.services.study import archive_study, close_study, open_study, unarchive_study
from tests.factories import UserFactory, make_annotator, make_study, take
from tests.markup import markup

pytestmark = pytest.mark.django_db
GOLD = b"Item1,Item2,Item3,Item4,BestItem,WorstItem,Explanation\ni0,i1,i2,i3,i0,i3,why\n"


def ignore(share: float, text: str) -> None:
    """Ignore the progress."""


def with_gold(study: Study, user: Any) -> Any:
    return import_file(study, purpose="gold", filename="gold.csv", data=GOLD, user=user)


@pytest.mark.nightly
def test_a_copy_has_the_settings_items_and_gold_but_no_answers_and_another_seed() -> None:
    user, colleague = UserFactory(), UserFactory()
    study = make_study(items=8, gold=3, user=user, reward="0.3500", instructions="Compare the pairs.")
    Membership.objects.create(study=study, user=colleague, role="reviewer")
    take(make_annotator(study))
    copied = copy_study(study.pk, user=user, members=True)
    copy_contents(copied.pk, study.public_id, gold=True, user=user, progress=ignore)
    assert (copied.title, copied.state, copied.options) == (f"Copy of {study.title}", "draft", study.options)
    assert (str(copied.reward), copied.instructions) == ("0.3500", "Compare the pairs.")
    assert copied.seed != study.seed
    assert copied.join_token != study.join_token
    roles = dict(copied.memberships.values_list("user__email", "role"))
    assert roles == {user.email: "owner", colleague.email: "reviewer"}
    columns = ("key", "content", "metadata", "held_out")
    assert list(copied.items.visible().order_by("pk").values(*columns)) == list(
        study.items.visible().order_by("pk").values(*columns)
    )
    gold = Question.objects.filter(kind="gold").order_by("ref")
    assert list(gold.filter(study=copied).values("ref", "payload", "gold")) == list(
        gold.filter(study=study).values("ref", "payload", "gold")
    )
    assert not copied.participations.exists()
    assert build_design(copied.pk, user=user).result["questions"] > 0
    open_study(copied.pk, user=user)


@pytest.mark.nightly
def test_a_copy_has_the_groups_that_its_screening_names() -> None:
    source = make_study(state="draft")
    add_group(source.pk, "Learners", user=SYSTEM, places=4, judgements=2)
    add_group(source.pk, "Teachers", user=SYSTEM, judgements=1)
    set_population(source.pk, source.groups.get(name="Teachers").public_id, 300, user=SYSTEM)
    owner = source.memberships.get(role="owner").user
    copy = copy_study(source.pk, user=owner)
    kept = ("name", "places", "judgements", "population")
    assert list(copy.groups.order_by("pk").values_list(*kept)) == [
        ("Learners", 4, 2, None),
        ("Teachers", None, 1, 300),
    ]
    assert (copy.has_quotas, copy.judgements) == (True, 3)
    assert not {*copy.groups.values_list("public_id")} & {*source.groups.values_list("public_id")}


def test_copying_again_after_an_interruption_adds_only_what_is_missing() -> None:
    user = UserFactory()
    study = make_study(items=8, gold=2, user=user)
    copied = copy_study(study.pk, user=user)
    for _ in range(2):
        copy_contents(copied.pk, study.public_id, gold=True, user=user, progress=ignore)
    assert (copied.items.count(), copied.questions.count()) == (study.items.count(), 2)


def test_a_copy_links_only_studies_that_its_owner_owns() -> None:
    owner, manager = UserFactory(), UserFactory()
    other = make_study(user=owner)
    study = make_study(user=owner, excluded_studies=[other.public_id])
    Membership.objects.create(study=study, user=manager, role="manager")
    assert copy_study(study.pk, user=owner).excluded_studies == [other.public_id]
    assert copy_study(study.pk, user=manager).excluded_studies == []


@pytest.mark.nightly
def test_a_deleted_draft_is_gone_for_its_members_and_its_log_stays() -> None:
    user = UserFactory()
    study = make_study(items=8, gold=2, user=user, state="draft", admission="named")
    add_people(study.pk, [Person("Ada", email="ada@example.org")], user=user)
    add_file_to_list(study.pk, "exclude", b"ada@example.org", user=user)
    delete_draft(study.pk, user=user)
    study.refresh_from_db()
    assert not study.named_annotators.exists(), "no retention period ever ends for a draft"
    assert not study.listed.exists()
    assert not user.studies.exists()
    assert not study.items.exists()
    assert not study.questions.exists()
    assert not study.uploads.exists()
    assert study.events.filter(verb="deleted draft", user=user).exists()


def test_a_draft_that_was_tried_can_be_deleted() -> None:
    user = UserFactory()
    study = make_study(items=8, user=user, state="draft")
    client = Client()
    client.force_login(user)
    client.post(f"/console/{study.public_id}/try/", follow=True)
    delete_draft(study.pk, user=user)
    assert not study.slots.exists()


def test_a_draft_with_an_unfinished_job_is_not_deleted() -> None:
    user = UserFactory()
    study = make_study(items=8, user=user, state="draft")
    jobs.request_job(study, "design", user=user)
    with pytest.raises(Refused, match="has not finished yet"):
        delete_draft(study.pk, user=user)
    assert study.items.count() == 8


def test_removing_items_removes_the_design_and_allows_another_import() -> None:
    user = UserFactory()
    study = make_study(items=8, user=user, state="draft")
    upload = study.uploads.get()
    assert remove_import(upload.pk, user=user) == 8
    study.refresh_from_db()
    assert (study.items.count(), study.slots.count(), study.design, study.judgements_planned) == (0, 0, None, 0)
    with pytest.raises(Refused, match="not been imported"):
        remove_import(upload.pk, user=user)
    with pytest.raises(Refused, match="no questions yet"):
        open_study(study.pk, user=user)


@pytest.mark.nightly
def test_items_of_gold_questions_stay_until_the_gold_is_removed() -> None:
    user = UserFactory()
    study = make_study(items=8, user=user, state="draft")
    gold = with_gold(study, user)
    with pytest.raises(Refused, match="gold or practice questions contain some of them"):
        remove_import(study.uploads.get(purpose="items").pk, user=user)
    assert study.items.count() == 8
    assert remove_import(gold.pk, user=user) == 1
    assert not study.questions.filter(kind="gold").exists()
    assert import_upload(gold.pk, user=user) == 1
    remove_import(gold.pk, user=user)
    assert remove_import(study.uploads.get(purpose="items").pk, user=user) == 8


def test_items_of_promoted_candidates_are_removed_with_the_candidates() -> None:
    user = UserFactory()
    study = make_study(items=8, user=user, state="draft")
    first, second = draw_candidates(study.pk, 2, user=user)
    judge_candidate(second.pk, {"best": 1, "worst": 2}, user=user)
    assert promote([second.pk], study_id=study.pk, user=user) == 1
    first.delete()
    assert [drawn.ref for drawn in draw_candidates(study.pk, 1, user=user)] == ["candidate-3"]
    assert remove_import(study.uploads.get().pk, user=user) == 8
    assert not study.questions.exists()


def test_nothing_is_removed_from_an_open_study() -> None:
    user = UserFactory()
    study = make_study(items=8, user=user)
    with pytest.raises(Refused, match="are locked, because the study has been opened"):
        remove_import(study.uploads.get().pk, user=user)
    with pytest.raises(Refused, match="while the study is open"):
        delete_draft(study.pk, user=user)
    assert study.items.count() == 8


def test_a_study_leaves_the_archive_as_it_was() -> None:
    user = UserFactory()
    opened, draft = make_study(items=8, user=user), make_study(items=8, user=user, state="draft")
    close_study(opened.pk, user=user)
    for study, state in ((opened, "closed"), (draft, "draft")):
        archive_study(study.pk, user=user)
        with pytest.raises(Refused, match="archived"):
            change_settings(study.pk, user=user, title="Changed")
        assert unarchive_study(study.pk, user=user).state == state
        change_settings(study.pk, user=user, title="Changed")
    open_study(opened.pk, user=user)


def test_the_words_for_best_and_worst_are_locked_once_open() -> None:
    user = UserFactory()
    study = make_study(items=8, user=user)
    with pytest.raises(Refused, match=r"locked: options\.least, options\.most"):
        change_settings(study.pk, user=user, options={"most": "least related", "least": "most related"})
    draft = make_study(items=8, user=user, state="draft")
    change_settings(draft.pk, user=user, options={"most": "most similar"})
    assert open_study(draft.pk, user=user).options["most"] == "most similar"


@pytest.mark.nightly
def test_copies_deletions_and_removals_by_api_and_console() -> None:
    user = UserFactory()
    study = make_study(items=8, gold=1, user=user, state="draft")
    client = Client()
    client.force_login(user)
    api = f"/api/v1/studies/{study.public_id}"

    def post(path: str, body: Any) -> Any:
        return client.post(f"{api}/{path}", json.dumps(body), content_type="application/json")

    made = post("copies", {"title": "Second round", "members": False})
    assert made.status_code == 201
    job = Job.objects.get(public_id=made.json()["job"]["id"])
    items = markup(client.get(f"/console/{made.json()['study']['id']}/items/"))
    assert "Copy of a study" in items
    assert "No items yet" not in items
    jobs.work_of("copy").run(job, ignore)
    Job.objects.update(state=Job.State.DONE)
    copied = Study.objects.get(public_id=made.json()["study"]["id"])
    assert (copied.title, copied.items.count()) == ("Second round", study.items.count())
    assert post("copies", {"items": False}).json()["job"] is None
    GoldSet.objects.filter(study=copied).delete()
    copied.questions.all().delete()
    for upload in copied.uploads.all():
        removed = client.delete(f"/api/v1/studies/{copied.public_id}/uploads/{upload.public_id}/import")
        assert removed.json() == {"removed": upload.rows}
    assert client.delete(f"/api/v1/studies/{copied.public_id}").status_code == 204
    assert client.get(f"/api/v1/studies/{copied.public_id}").status_code == 404

    home = f"/console/{study.public_id}"
    page = client.post(f"{home}/copy/", {"title": "Third", "items": "on"}, follow=True)
    assert "This draft is a copy of" in page.text
    assert client.post(f"{home}/state/archive/", follow=True).status_code == 200
    assert "Unarchive" in client.get(f"{home}/state/").text
    assert post("unarchive", {}).json()["state"] == "draft"
    assert "the rows of" in client.get(f"{home}/items/").text
    assert "has been deleted" in client.post(f"{home}/delete/", follow=True).text


def test_a_job_copies_for_the_system_too() -> None:
    study = make_study(items=8)
    copied = copy_study(study.pk, user=study.memberships.get().user)
    copy_contents(copied.pk, study.public_id, gold=False, user=SYSTEM, progress=ignore)
    assert copied.items.count() == 8


@pytest.mark.nightly
def test_a_copied_draft_can_lose_its_gold_and_items_like_any_draft() -> None:
    user = UserFactory()
    study = make_study(items=8, user=user, state="draft")
    with_gold(study, user)
    copied = copy_study(study.pk, user=user)
    copy_contents(copied.pk, study.public_id, gold=True, user=user, progress=ignore)
    assert remove_import(copied.uploads.get(purpose="gold").pk, user=user) == 1
    assert remove_import(copied.uploads.get(purpose="items").pk, user=user) == 8


def test_a_token_for_one_study_cannot_copy_it() -> None:
    user = UserFactory()
    study = make_study(items=8, user=user)
    client = Client(headers={"Authorization": f"Token {new_api_token(user, 'script', study=study)[1]}"})
    reply = client.post(f"/api/v1/studies/{study.public_id}/copies", "{}", content_type="application/json")
    assert reply.status_code == 403
    assert "cannot create studies" in reply.json()["message"]


# ── settings from another study ───────────────────────────────────────────────────────────────────────────────────
def test_settings_are_imported_by_step_and_locked_settings_stay() -> None:
    user = UserFactory()
    source = make_study(
        items=0, state="draft", user=user, seed=77, reward="0.9", judgements=7, gold_block=9, consent="Agreed."
    )
    change_settings(source.pk, user=user, options={"noun": "headline"})
    draft, opened = make_study(items=0, state="draft", user=user, gold_block=0), make_study(user=user, judgements=1)
    with pytest.raises(Refused, match="Choose the settings to import"):
        import_settings(draft.pk, source.pk, [], user=user)
    result = import_settings(draft.pk, source.pk, ["task", "texts", "pay"], user=user)
    draft.refresh_from_db()
    assert {"reward", "judgements", "options.noun", "consent"} <= set(result.changed)
    assert result.locked == []
    assert (str(draft.reward), draft.judgements, draft.options["noun"], draft.gold_block) == (
        "0.9000",
        7,
        "headline",
        0,
    )
    assert draft.consents.get().text == "Agreed."
    assert draft.seed != 77
    assert import_settings(draft.pk, source.pk, ["task", "texts", "pay"], user=user).changed == []

    result = import_settings(opened.pk, source.pk, ["task", "pay", "quality"], user=user)
    opened.refresh_from_db()
    assert {"judgements", "gold_block"} <= set(result.locked)
    assert "reward" in result.changed
    assert (str(opened.reward), opened.judgements) == ("0.9000", 1)
    assert opened.events.filter(verb="imported settings").count() == 1


@pytest.mark.nightly
def test_an_import_leaves_out_settings_that_the_open_study_locks(client: Client) -> None:
    user = UserFactory()
    source = make_study(
        items=0, state="draft", user=user, pay_stopped=False, reward="0.9", admission="named", consent="Agreed."
    )
    Study.objects.filter(pk=source.pk).update(contact="")
    opened = make_study(user=user, pay_stopped=True, consent="Agreed.")
    make_annotator(opened)
    result = import_settings(opened.pk, source.pk, ["texts", "people", "pay"], user=user)
    assert "reward" in result.changed
    assert set(result.locked) == {"pay_stopped", "admission", "contact"}
    opened.refresh_from_db()
    assert (opened.pay_stopped, opened.admission, str(opened.reward)) == (True, "anonymous", "0.9000")
    assert opened.contact
    client.force_login(user)
    sent = {"source": source.public_id, "steps": ["people"]}
    done = client.post(f"/console/{opened.public_id}/settings/import/", sent, follow=True)
    locked = "Because the study has been opened, these settings are locked and have not changed"
    assert f"{locked}: Who can join." in markup(done)


def test_amounts_in_another_currency_are_not_imported_into_an_open_study() -> None:
    user = UserFactory()
    source = make_study(items=0, state="draft", user=user, reward="90", currency="JPY", judgements=3)
    opened = make_study(user=user, reward="0.5", currency="EUR", judgements=1)
    result = import_settings(opened.pk, source.pk, ["pay"], user=user)
    opened.refresh_from_db()
    assert {"reward", "currency"} <= set(result.locked)
    assert (str(opened.reward), opened.currency) == ("0.5000", "EUR")


@pytest.mark.nightly
def test_settings_come_only_from_studies_that_one_manages_with_the_same_task_type(client: Client) -> None:
    user = UserFactory()
    study, foreign = make_study(user=user), make_study(reward="7")
    other_task = make_study(user=user, task_type="paraphrase", items=0, state="draft")
    with pytest.raises(Refused, match="does not allow"):
        import_settings(study.pk, foreign.pk, ["pay"], user=user)
    with pytest.raises(Refused, match="same task type"):
        import_settings(study.pk, other_task.pk, ["pay"], user=user)
    own = make_study(user=user, reward="3")
    Study.objects.filter(pk=own.pk).update(title="Round 1")
    client.force_login(user)
    page = client.get(f"/console/{study.public_id}/state/").text
    assert own.public_id in page
    assert foreign.public_id not in page
    assert other_task.public_id not in page
    sent = {"source": own.public_id, "steps": ["pay"]}
    done = client.post(f"/console/{study.public_id}/settings/import/", sent, follow=True)
    assert "Accord imported 1 setting from “Round 1”." in done.text
    path = f"/api/v1/studies/{study.public_id}/settings-import"
    body = {"from_study": foreign.public_id, "steps": ["pay"]}
    assert client.post(path, body, content_type="application/json").status_code == 404
    bound = {"Authorization": f"Token {new_api_token(user, 'one study', study=study)[1]}"}
    body = {"from_study": own.public_id, "steps": ["pay"]}
    assert client.post(path, body, content_type="application/json", headers=bound).status_code == 404
    reply = client.post(path, body, content_type="application/json")
    assert reply.json() == {"changed": [], "locked": []}
