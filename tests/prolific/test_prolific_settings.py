"""Tests of a study's Prolific settings: the page, the API, completion codes, copies, and the limit on HITs."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.test import Client

from annotate.core.permissions import SYSTEM
from annotate.core.selectors.limits import hit_limit, prolific_settings
from annotate.core.selectors.participations import own_part
from annotate.core.services.claim import claim
from annotate.models import Annotator, Event, Outcome, Study
from annotate.prolific.selectors.settings import study_url
from annotate.prolific.services.settings import change_prolific
from annotate.recruiting.services.join import join
from annotate.server.refusals import Refused
from annotate.studies.services.copies import copy_study
from annotate.studies.services.settings import change_settings
from tests.factories import do_hit, make_annotator, make_study

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def study(share: Callable[..., Study]) -> Study:
    return share(lambda: make_study(judgements=3, recruitment=Study.Recruitment.PROLIFIC))


def settings_of(study: Study) -> str:
    return f"/console/{study.public_id}/settings/prolific/"


def test_the_study_url_contains_the_three_placeholders() -> None:
    assert study_url("https://accord.example/join/J") == (
        "https://accord.example/join/J?PROLIFIC_PID={{%PROLIFIC_PID%}}"
        "&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )


def test_the_page_shows_the_url_and_saves_the_settings(client: Client, study: Study) -> None:
    client.force_login(study.memberships.get().user)
    stored = prolific_settings(study)
    page = client.get(settings_of(study)).content.decode()
    assert f"/join/{study.join_token}?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}&amp;STUDY_ID=" in page
    assert set(stored.codes) == set(Outcome.values)
    assert all(code in page for code in stored.codes.values())
    assert settings_of(study) in client.get(f"/console/{study.public_id}/recruit/").content.decode()

    quality = client.get(f"/console/{study.public_id}/settings/quality/").content.decode()
    assert "Prolific does not allow you to reject submissions" in quality

    fields = {f"code_{outcome}": code for outcome, code in stored.codes.items()}
    fields |= {"submissions_per_participant": "2", "failed_gold": "return", "screenout_reward": "0.15"}
    refused = client.post(settings_of(study), fields | {"code_completed": "https://evil.example"})
    assert refused.status_code == 422
    assert "This must contain 4 to 40 letters, digits, hyphens or underscores." in refused.content.decode()
    saved = client.post(settings_of(study), fields | {"code_completed": "DONE1234", "code_no_consent": ""})
    assert saved.status_code == 302
    changed = prolific_settings(study)
    assert (changed.hits_per_submission, changed.submissions_per_participant) == (None, 2)
    assert (changed.failed_gold, changed.screenout_reward) == ("return", Decimal("0.15"))
    assert (changed.code(Outcome.COMPLETED), changed.code(Outcome.NO_CONSENT)) == ("DONE1234", "")
    log = str(Event.objects.get(study=study, verb="changed Prolific settings").detail)
    assert "submissions_per_participant" in log
    assert "DONE1234" not in log


def test_the_api_changes_only_the_settings_in_the_request(client: Client, study: Study) -> None:
    client.force_login(study.memberships.get().user)
    path = f"/api/v1/studies/{study.public_id}/prolific"
    before = client.get(path).json()
    assert before["hits_per_submission"] == 1
    assert before["url"].startswith(f"http://testserver/join/{study.join_token}?PROLIFIC_PID=")
    change = {"hits_per_submission": 3, "codes": {"completed": "DONE1234"}}
    after = client.patch(path, change, content_type="application/json").json()
    assert after == before | {"hits_per_submission": 3, "codes": before["codes"] | {"completed": "DONE1234"}}
    for wrong in (
        {"codes": {"completed": "a b"}},
        {"codes": {"best": "DONE1234"}},
        {"codes": {"no_consent": "DONE1234"}},
        {"codes": "DONE1234"},
        {"hits_per_submission": 0},
        {"submissions_per_participant": None},
        {"screenout_reward": "-1"},
    ):
        answer = client.patch(path, wrong, content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid"), wrong
    assert client.get(path).json() == after


def test_a_study_gets_completion_codes_when_it_begins_to_recruit_on_prolific() -> None:
    study = make_study(items=0, state="draft", design=False)
    assert prolific_settings(study).codes == {}
    change_settings(study.pk, user=SYSTEM, recruitment=Study.Recruitment.PROLIFIC)
    codes = prolific_settings(study).codes
    assert len(set(codes.values())) == len(Outcome.values)
    change_settings(study.pk, user=SYSTEM, recruitment=Study.Recruitment.LINKS)
    change_settings(study.pk, user=SYSTEM, recruitment=Study.Recruitment.PROLIFIC)
    assert prolific_settings(study).codes == codes


def test_a_copy_has_the_same_settings_and_its_own_codes(study: Study) -> None:
    change_prolific(study.pk, user=SYSTEM, hits_per_submission=4, needs_computer=True)
    copied = prolific_settings(copy_study(study.pk, user=study.memberships.get().user))
    assert (copied.hits_per_submission, copied.needs_computer) == (4, True)
    assert copied.codes.keys() == prolific_settings(study).codes.keys()
    assert not set(copied.codes.values()) & set(prolific_settings(study).codes.values())


def test_participants_get_the_hits_of_their_submissions(study: Study) -> None:
    person = join(study, platform=Annotator.Platform.PROLIFIC, external_id="A1B2C3")
    do_hit(person)
    assert (claim(person.pk).why, own_part(person).why) == ("limit", "limit")
    for submission in ("S1", "S2"):
        person.prolific_submissions.create(study=study, participant_id="A1B2C3", submission_id=submission)
    assert hit_limit(person) == 2
    do_hit(person)
    assert claim(person.pk).why == "limit"
    change_settings(study.pk, user=SYSTEM, hits_per_annotator=1)
    person.study.refresh_from_db()
    assert hit_limit(person) == 1
    assert hit_limit(make_annotator(study)) == 1


def test_settings_of_an_archived_study_cannot_change(study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(state=Study.State.ARCHIVED)
    with pytest.raises(Refused) as refused:
        change_prolific(study.pk, user=SYSTEM, secured=True)
    assert refused.value.code == "archived"
