"""Tests of participants from Prolific: from the study URL to the completion code, with each outcome."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client, RequestFactory

from annotate.core.permissions import SYSTEM
from annotate.core.selectors.limits import prolific_settings
from annotate.core.services.standing import stop
from annotate.models import Outcome, Participation, ProlificSubmission, Study
from annotate.prolific.pages.arrival import outcome_page
from annotate.prolific.services.settings import change_prolific
from annotate.studies.services.study import pause_study
from tests.factories import do_hit, make_study
from tests.markup import markup

pytestmark = pytest.mark.django_db
PHONE = {"User-Agent": "Mozilla/5.0 (Linux; Android 14; Pixel 8) Mobile"}
PROLIFIC = "https://app.prolific.com/submissions"


@pytest.fixture(scope="module")
def study(share: Callable[..., Study]) -> Study:
    return share(
        lambda: make_study(judgements=3, recruitment=Study.Recruitment.PROLIFIC, consent="Agree?", reward="0.5")
    )


def link(study: Study, pid: str = "5f1a", submission: str = "61aa", more: str = "") -> str:
    return f"/join/{study.join_token}?PROLIFIC_PID={pid}&STUDY_ID=60ee&SESSION_ID={submission}{more}"


def come_in(client: Client, study: Study, pid: str = "5f1a", submission: str = "61aa") -> Participation:
    response = client.post(link(study, pid, submission), {"agree": "yes", "consent": "1"})
    assert response.status_code == 302, markup(response)
    return study.participations.get(annotator__external_id=pid)


def submission_of(study: Study, submission: str = "61aa") -> ProlificSubmission:
    return study.prolific_submissions.get(submission_id=submission)


def code_of(study: Study, outcome: str) -> str:
    return prolific_settings(study).code(outcome)


def overview(client: Client, study: Study) -> str:
    return markup(client.get(f"/s/{study.public_id}"))


def finish(client: Client, study: Study) -> str:
    """Press *Finish the submission* on the overview, and return the page that follows."""
    path = f"/s/{study.public_id}/finish"
    assert path in overview(client, study)
    return markup(client.post(path, follow=True))


@pytest.mark.nightly
def test_a_participant_returns_with_the_completion_code_after_the_hits_of_the_submission(
    client: Client, study: Study
) -> None:
    change_prolific(study.pk, user=SYSTEM, hits_per_submission=2)
    join_page = markup(client.get(link(study)))
    assert "You can complete up to 2 sets." in join_page
    assert all(f'name="{name}"' in join_page for name in ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"))
    person = come_in(client, study)
    stored = submission_of(study)
    assert (stored.participation, stored.participant_id, stored.prolific_study_id) == (person, "5f1a", "60ee")
    assert (stored.outcome, stored.verified) == ("", False)

    for _ in range(2):
        page = overview(client, study)
        assert code_of(study, Outcome.COMPLETED) not in page
        assert PROLIFIC not in page
        do_hit(person)
    code = code_of(study, Outcome.COMPLETED)
    assert code not in overview(client, study)
    stored.refresh_from_db()
    assert stored.outcome == "", "only a POST request records the outcome"
    page = finish(client, study)
    assert f'<output id="completion-code">{code}</output>' in page
    assert f'href="{PROLIFIC}/complete?cc={code}"' in page
    assert 'data-copies="completion-code"' in page
    stored.refresh_from_db()
    assert stored.outcome == Outcome.COMPLETED
    recorded = stored.outcome_at
    client.post(f"/s/{study.public_id}/finish")
    assert code in overview(client, study)
    stored.refresh_from_db()
    assert stored.outcome_at == recorded


@pytest.mark.nightly
def test_only_the_permitted_number_of_submissions_starts(client: Client, study: Study) -> None:
    person = come_in(client, study)
    do_hit(person)
    assert client.get(link(study))["Location"] == f"/s/{study.public_id}"
    refused = client.get(link(study, submission="62bb"))
    assert refused.status_code == 403
    assert "You have already taken part in this study" in markup(refused)
    assert "Please return your submission" in markup(refused)
    assert code_of(study, Outcome.COMPLETED) not in markup(refused)

    change_prolific(study.pk, user=SYSTEM, submissions_per_participant=2)
    assert client.get(link(study, submission="62bb")).status_code == 200
    assert study.prolific_submissions.count() == 1, "a further submission starts with a button"
    assert client.post(link(study, submission="62bb"))["Location"] == f"/s/{study.public_id}"
    assert client.get(link(study, submission="62bb"))["Location"] == f"/s/{study.public_id}"
    assert PROLIFIC not in overview(client, study)
    pause_study(study.pk, user=SYSTEM)
    assert "Please return your submission" in overview(client, study)
    Study.objects.filter(pk=study.pk).update(state=Study.State.OPEN)
    do_hit(person)
    assert code_of(study, Outcome.COMPLETED) in finish(client, study)
    assert [each.outcome for each in study.prolific_submissions.order_by("pk")] == ["", Outcome.COMPLETED]


def test_participants_who_decline_the_consent_text_can_still_change_their_mind(client: Client, study: Study) -> None:
    assert 'name="decline"' in markup(client.get(link(study)))
    page = markup(client.post(link(study), {"decline": "yes"}))
    assert f"cc={code_of(study, Outcome.NO_CONSENT)}" in page
    assert (submission_of(study).outcome, submission_of(study).participation) == (Outcome.NO_CONSENT, None)
    person = come_in(client, study)
    assert (submission_of(study).outcome, submission_of(study).participation) == ("", person)


@pytest.mark.nightly
def test_phones_are_refused_only_if_participants_need_a_computer(client: Client, study: Study) -> None:
    assert 'name="agree"' in markup(client.get(link(study), headers=PHONE))
    change_prolific(study.pk, user=SYSTEM, needs_computer=True, codes={"incompatible_device": ""})
    page = markup(client.get(link(study), headers=PHONE))
    assert "does not work on phones" in page
    assert not study.prolific_submissions.exists()
    page = markup(client.post(link(study), headers=PHONE))
    assert "Please return your submission" in page
    assert submission_of(study).outcome == Outcome.INCOMPATIBLE_DEVICE
    person = come_in(client, study)
    assert client.get(link(study), headers=PHONE)["Location"] == f"/s/{study.public_id}"
    assert submission_of(study).participation == person


@pytest.mark.nightly
@pytest.mark.parametrize(("instruction", "code_is_shown"), [("pay", True), ("return", False)])
def test_stopped_participants_are_paid_or_return(
    client: Client, study: Study, instruction: str, code_is_shown: bool
) -> None:
    change_prolific(study.pk, user=SYSTEM, failed_gold=instruction)
    person = come_in(client, study)
    do_hit(person)
    stop(person.pk, reason="too many incorrect gold answers", user=SYSTEM)
    page = finish(client, study)
    assert (f"cc={code_of(study, Outcome.FAILED_GOLD)}" in page) is code_is_shown
    assert ("The research team pays you separately" in page) is not code_is_shown
    assert code_of(study, Outcome.COMPLETED) not in page
    assert submission_of(study).outcome == Outcome.FAILED_GOLD


def test_screened_out_people_get_the_fixed_payment_and_cannot_join_later(
    client: Client, study: Study, rf: RequestFactory
) -> None:
    change_prolific(study.pk, user=SYSTEM, screenout_reward="0.15")
    page = markup(outcome_page(rf.post(link(study)), study, Outcome.SCREENED_OUT))
    assert f"cc={code_of(study, Outcome.SCREENED_OUT)}" in page
    assert "0.15" in page
    again = markup(client.post(link(study, submission="62bb"), {"agree": "yes", "consent": "1"}))
    assert f"cc={code_of(study, Outcome.SCREENED_OUT)}" in again
    assert not study.participations.exists()


@pytest.mark.nightly
def test_without_a_fixed_number_participants_finish_when_they_want(client: Client, study: Study) -> None:
    change_prolific(study.pk, user=SYSTEM, hits_per_submission=None)
    person = come_in(client, study)
    path = f"/s/{study.public_id}/finish"
    assert path not in overview(client, study)
    assert client.post(path).status_code == 302, "no HIT has been submitted"
    do_hit(person)
    assert path in overview(client, study)
    assert code_of(study, Outcome.COMPLETED) not in overview(client, study)
    assert f"cc={code_of(study, Outcome.COMPLETED)}" in markup(client.post(path))
    assert submission_of(study).outcome == Outcome.COMPLETED


@pytest.mark.nightly
def test_a_submission_of_another_participant_is_refused(client: Client, study: Study) -> None:
    come_in(client, study)
    other = Client()
    page = other.post(link(study, pid="77cc"), {"agree": "yes", "consent": "1"})
    assert page.status_code == 400
    declined = other.post(link(study, pid="77cc"), {"decline": "yes"})
    assert declined.status_code == 400
    assert code_of(study, Outcome.NO_CONSENT) not in markup(declined)
    assert submission_of(study).participant_id == "5f1a"
    assert study.participations.count() == 1


@pytest.mark.nightly
def test_the_address_of_the_return_never_comes_from_the_request(client: Client, study: Study) -> None:
    forged = "&return=https://evil.example&cc=EVIL1234&url=https://evil.example&next=//evil.example"
    pages = [client.post(link(study, more=forged), {"decline": "yes", "next": "https://evil.example"})]
    do_hit(come_in(client, study))
    finish(client, study)
    pages.append(client.get(f"/s/{study.public_id}?{forged}", headers={"Referer": "https://evil.example"}))
    for page in pages:
        assert f'href="{PROLIFIC}/complete?cc=' in markup(page)
        assert "evil.example" not in markup(page)
        assert "EVIL1234" not in markup(page)


def test_the_ids_of_a_study_without_prolific_are_ignored(client: Client) -> None:
    study = make_study()
    client.post(link(study), {"decline": "yes"})
    assert not study.prolific_submissions.exists()
    assert study.participations.get().annotator.platform == "web"
