"""Tests of quotas on pages and in the API: the field for the quota, the sentences for people, and the judgements of
each group.
"""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import PERSONAL_LINKS, group_code, new_api_token
from annotate.data.services.design import build_design
from annotate.models import AnnotatorGroup, Study
from annotate.recruiting.services.groups import add_group
from annotate.recruiting.services.named import add_named
from annotate.studies.services.study import open_study
from tests.console_study import browser_of, page_of
from tests.factories import do_hit, make_annotator, make_study
from tests.markup import markup
from tests.rules.test_quotas import quota_study

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("forget_counts")]
SENTENCE = "This study needs annotators from certain groups."


def link_of(group: AnnotatorGroup) -> str:
    return reverse("annotator:group", args=[group.study.join_token, group_code(group.public_id)])


@pytest.mark.nightly
def test_the_page_sets_quotas_in_a_draft_and_shows_the_judgements_of_an_open_study() -> None:
    study = make_study(state="draft", privacy_notice="Only pseudonyms are stored.")
    owner, page = browser_of(study), page_of(study, "groups/")
    owner.post(page, {"name": "Learners", "judgements": "2"})
    owner.post(page, {"name": "Teachers"})
    teachers = study.groups.get(name="Teachers")
    assert "has 1 judgement per question now" in markup(
        owner.post(f"{page}{teachers.public_id}/quota/", {"judgements": "1"}, follow=True)
    )
    study.refresh_from_db()
    assert (study.judgements, study.has_quotas) == (3, True)
    settings = markup(owner.get(page_of(study, "settings/task/")))
    assert "The sum of the quotas under Recruit, Groups." in settings
    for wrong in ("0", "two", "101"):
        refused = owner.post(f"{page}{teachers.public_id}/quota/", {"judgements": wrong}, follow=True)
        assert "Enter a number from 1 to 100" in markup(refused)
    build_design(study.pk, user=SYSTEM)
    assert "3 judgements each (2 from Learners, 1 from Teachers)" in markup(owner.get(page_of(study)))
    study = open_study(study.pk, user=SYSTEM)
    do_hit(make_annotator(study, group=study.groups.get(name="Teachers")))
    shown = " ".join(markup(owner.get(page)).split())
    assert "5 of 16 given" in shown
    assert "0 of 32 given" in shown
    assert "/quota/" not in shown
    refused = owner.post(f"{page}{teachers.public_id}/quota/", {"judgements": "4"}, follow=True)
    assert "Quotas are locked" in markup(refused)


def test_people_outside_the_quotas_read_why_before_consent_and_screening() -> None:
    study, groups = quota_study({"A": 1}, consent="You agree.")
    late = add_group(study.pk, "Late", user=SYSTEM)
    door = f"/join/{study.join_token}"
    for address, sentence in ((door, SENTENCE), (link_of(late), "This study needs no annotators from your group.")):
        shown = markup(Client().get(address))
        assert sentence in shown
        assert "Code of your group" in shown
        assert "Take part" not in shown
        assert "I agree" not in shown
    assert Client().post(door, {"agrees": "yes"}).status_code in (400, 403)
    assert Client().post(link_of(late), {}).status_code == 403
    assert not study.participations.exists()
    assert "Take part" in markup(Client().get(link_of(groups[0])))


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("language", "sentence"),
    [("de", "bestimmten Gruppen"), ("es", "determinados grupos"), ("ar", "فرق معيّنة")],
)
def test_the_sentence_is_in_the_language_of_the_study(language: str, sentence: str) -> None:
    study, _groups = quota_study({"A": 1}, language=language)
    assert sentence in markup(Client().get(f"/join/{study.join_token}"))


def test_a_named_annotator_without_a_quota_reads_why() -> None:
    study = make_study(state="draft", admission="named", design=False)
    add_group(study.pk, "A", judgements=1, user=SYSTEM)
    (ada,) = add_named(study.pk, ["Ada"], user=SYSTEM)
    build_design(study.pk, user=SYSTEM)
    Study.objects.filter(pk=study.pk).update(state="open")
    link = reverse("annotator:personal", args=[PERSONAL_LINKS.token(ada.public_id)])
    refused = Client().post(link, {})
    assert (refused.status_code, SENTENCE in markup(refused)) == (403, True)
    assert not study.participations.exists()


@pytest.mark.nightly
def test_the_api_sets_quotas_and_adds_judgements_by_group() -> None:
    study = make_study(state="draft", privacy_notice="Only pseudonyms are stored.")
    _, key = new_api_token(study.members.get(), "all")
    client = Client(headers={"Authorization": f"Token {key}"})
    path = f"/api/v1/studies/{study.public_id}/groups"
    added = client.post(path, {"name": "A", "judgements": 2}, content_type="application/json").json()
    assert (added["judgements"], added["planned"]) == (2, 0)
    changed = client.patch(f"{path}/{added['id']}", {"judgements": 1}, content_type="application/json")
    assert changed.json()["judgements"] == 1
    build_design(study.pk, user=SYSTEM)
    open_study(study.pk, user=SYSTEM)
    assert client.get(path).json()["results"][0]["planned"] == 16
    more = f"/api/v1/studies/{study.public_id}/judgements"
    refused = client.post(more, {"scope": "all"}, content_type="application/json")
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["group"])
    sent = {"scope": "all", "group": added["id"]}
    assert client.post(more, sent, content_type="application/json").status_code == 200
    assert client.get(path).json()["results"][0]["planned"] == 32
    form = markup(browser_of(study).get(page_of(study, "judgements/")))
    assert f'value="{added["id"]}"' in form


def test_the_page_and_the_api_set_the_share_of_the_population() -> None:
    study, (first, second) = quota_study({"A": 1, "B": 1})
    owner, page = browser_of(study), page_of(study, "groups/")
    shown = markup(owner.post(f"{page}{first.public_id}/population/", {"population": "0.7"}, follow=True))
    assert "population share 0.7" in shown
    for wrong in ("0", "-1", "nan", "many"):
        refused = markup(owner.post(f"{page}{first.public_id}/population/", {"population": wrong}, follow=True))
        assert "Enter a" in refused
    _, key = new_api_token(study.members.get(), "all")
    client = Client(headers={"Authorization": f"Token {key}"})
    path = f"/api/v1/studies/{study.public_id}/groups"
    changed = client.patch(f"{path}/{second.public_id}", {"population": 0.3}, content_type="application/json")
    assert (changed.json()["population"], changed.json()["judgements"]) == (0.3, 1)
    assert client.patch(f"{path}/unknown", {}, content_type="application/json").status_code == 404
    assert [group.population for group in study.groups.order_by("pk")] == [0.7, 0.3]
    removed = markup(owner.post(f"{page}{first.public_id}/population/", {"population": ""}, follow=True))
    assert "no share of the population" in removed
