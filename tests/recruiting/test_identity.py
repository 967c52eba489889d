"""Tests of identities: a platform ID gives no access, several people can share a browser, and identities belong to one
study.
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core import signing
from django.db import IntegrityError, connection, transaction
from django.test import Client

from annotate.models import Annotator, Participation, Study
from annotate.recruiting.services.join import issue_resume_code, join
from annotate.server.refusals import Refused
from tests.factories import UserFactory, make_study, take
from tests.markup import markup

pytestmark = pytest.mark.django_db

PROLIFIC = Annotator.Platform.PROLIFIC


def prolific_study(**settings: Any) -> Study:
    return make_study(recruitment="prolific", **settings)


def link(study: Study, pid: str = "") -> str:
    return f"/join/{study.join_token}" + (f"?PROLIFIC_PID={pid}" if pid else "")


def come_in(client: Client, study: Study, pid: str) -> Participation:
    """Join as the person with that Prolific ID, and be this person in this browser."""
    assert client.post(link(study, pid), {}).status_code == 302
    return study.participations.get(annotator__platform=PROLIFIC, annotator__external_id=pid)


def who(client: Client, study: Study) -> str:
    """Return the pseudonym on the overview in this browser."""
    html = markup(client.get(f"/s/{study.public_id}"))
    return next((name for name in study.participations.values_list("pseudonym", flat=True) if name in html), "")


# ── Prolific ──────────────────────────────────────────────────────────────────────────────────────────────────
def test_the_parameter_is_ignored_unless_the_study_says_prolific(client: Client) -> None:
    study = make_study()
    assert "5f1a" not in markup(client.get(link(study, "5f1a")))
    client.post(link(study, "5f1a"), {"PROLIFIC_PID": "5f1a"})
    annotator = study.participations.get().annotator
    assert (annotator.platform, annotator.external_id) == ("web", "")


@pytest.mark.nightly
def test_an_id_without_its_cookie_opens_nothing(client: Client) -> None:
    study = prolific_study()
    person = come_in(client, study, "5f1a")
    stranger = Client()
    page = markup(stranger.get(link(study, "5f1a")))
    assert "is already taking part in this study" in page
    assert 'href="/resume"' in page
    assert person.pseudonym not in page
    assert "<form" not in page
    refused = stranger.post(link(study, "5f1a"), {"PROLIFIC_PID": "5f1a"})
    assert refused.status_code == 409
    assert not stranger.cookies.get(f"accord-{study.public_id}")
    assert stranger.get(f"/s/{study.public_id}").status_code == 404
    assert study.participations.count() == 1


@pytest.mark.nightly
def test_the_cookie_or_the_resume_code_opens_it_again(client: Client) -> None:
    study = prolific_study()
    person = come_in(client, study, "5f1a")
    assert client.get(link(study, "5f1a"))["Location"] == f"/s/{study.public_id}"
    elsewhere = Client()
    elsewhere.post("/resume", {"code": issue_resume_code(person.pk).code})
    assert elsewhere.get(link(study, "5f1a"))["Location"] == f"/s/{study.public_id}"
    assert who(elsewhere, study) == person.pseudonym


@pytest.mark.nightly
def test_an_id_says_nothing_about_other_studies(client: Client) -> None:
    owner = UserFactory()
    first, second = prolific_study(user=owner), prolific_study(user=owner)
    come_in(client, first, "5f1a")
    stranger = Client()

    def page(pid: str) -> str:
        html = markup(stranger.get(link(second, pid)))
        html = re.sub(r'name="(csrfmiddlewaretoken|reservation)" value="[^"]*"', "", html)
        return re.sub(r'nonce="[^"]*"', "", html).replace(pid, "ID")

    assert page("5f1a") == page("9e9e")


@pytest.mark.nightly
def test_a_link_for_another_person_never_opens_the_first_ones_participation(client: Client) -> None:
    study = prolific_study()
    first = come_in(client, study, "aaa1")
    assert client.get(link(study, "bbb2")).status_code == 200  # the join page, not the first person's overview
    second = come_in(client, study, "bbb2")
    assert first != second
    assert who(client, study) == second.pseudonym
    assert client.get(link(study, "aaa1")).status_code == 302
    assert who(client, study) == first.pseudonym
    assert client.get(link(study, "bbb2")).status_code == 302
    assert who(client, study) == second.pseudonym


@pytest.mark.nightly
def test_each_persons_page_of_work_belongs_to_that_person(client: Client) -> None:
    study = prolific_study(judgements=2)
    first, second = come_in(client, study, "aaa1"), come_in(client, study, "bbb2")
    mine = take(first)
    page = client.get(f"/a/{mine.public_id}")
    assert page.status_code == 200
    assert who(client, study) == first.pseudonym
    assert take(second).participation == second
    alone = Client()
    come_in(alone, study, "ccc3")
    assert alone.get(f"/a/{mine.public_id}").status_code == 404


@pytest.mark.parametrize(
    "query",
    [
        "PROLIFIC_PID=aaa1&PROLIFIC_PID=bbb2",
        "PROLIFIC_PID=%7B%7B%25PROLIFIC_PID%25%7D%7D",  # the placeholder, which Prolific did not fill in
        "PROLIFIC_PID=a%20b",
        "PROLIFIC_PID=" + "a" * 65,
        "PROLIFIC_PID=%3Cscript%3E",
    ],
)
def test_what_is_no_single_id_is_refused(client: Client, query: str) -> None:
    study = prolific_study()
    for response in (client.get(f"{link(study)}?{query}"), client.post(f"{link(study)}?{query}", {})):
        assert response.status_code == 400
        assert "valid Prolific ID" in markup(response)
    assert not study.participations.exists()


def test_an_id_in_the_form_that_differs_from_the_link_is_refused(client: Client) -> None:
    study = prolific_study()
    assert client.post(link(study, "aaa1"), {"PROLIFIC_PID": "bbb2"}).status_code == 400
    assert not study.participations.exists()


def test_a_prolific_study_asks_for_the_link_from_prolific(client: Client) -> None:
    study = prolific_study()
    assert "from its Prolific page" in markup(client.get(link(study)))
    assert client.post(link(study), {}).status_code == 403
    assert not study.participations.exists()


@pytest.mark.nightly
def test_the_same_form_sent_twice_gives_one_participation() -> None:
    """A lost reply must not lock anyone out of a participation that was created a moment ago."""
    for study, pid in ((prolific_study(), "5f1a"), (make_study(), "")):
        browser = Client()
        html = markup(browser.get(link(study, pid)))
        reservation = re.search(r'name="reservation" value="([^"]+)"', html)
        assert reservation
        for client in (browser, Client()):  # the second request has no cookie, because the first reply never arrived
            assert client.post(link(study, pid), {"reservation": reservation[1]}).status_code == 302
            assert client.get(f"/s/{study.public_id}").status_code == 200
        assert study.participations.count() == 1


@pytest.mark.nightly
def test_a_reservation_opens_nobody_elses_participation(client: Client) -> None:
    study = prolific_study()
    person = come_in(client, study, "5f1a")
    forged = [
        person.public_id,
        signing.dumps(person.public_id),
        signing.dumps(person.public_id, salt=f"reservation {make_study().public_id}"),
    ]
    for reservation in forged:
        stranger = Client()
        assert stranger.post(link(study, "5f1a"), {"reservation": reservation}).status_code == 409
    html = markup(client.get(link(study, "9e9e")))
    reservation = re.search(r'name="reservation" value="([^"]+)"', html)
    assert reservation
    stranger = Client()
    assert stranger.post(link(study, "9e9e"), {"reservation": reservation[1]}).status_code == 302
    # The same reservation with another ID: a new participation under an ID of its own.
    assert stranger.post(link(study, "7c7c"), {"reservation": reservation[1]}).status_code == 302
    assert study.participations.count() == 3


@pytest.mark.parametrize("value", ["", "x", "1", "1:x:y", "a.b.c"])
def test_a_forged_cookie_opens_nothing(client: Client, value: str) -> None:
    study = prolific_study()
    person = come_in(client, study, "5f1a")
    name = f"accord-{study.public_id}"
    for forged in (
        value,
        f"{person.public_id}:{value}",
        signing.get_cookie_signer(salt="other").sign(person.public_id),
    ):
        stranger = Client()
        stranger.cookies[name] = forged
        assert stranger.get(f"/s/{study.public_id}").status_code == 404
        assert stranger.get(link(study, "5f1a")).status_code == 200


@pytest.mark.nightly
def test_one_browser_remembers_a_bounded_number_of_people(client: Client) -> None:
    study = prolific_study()
    people = [come_in(client, study, f"person{number}") for number in range(12)]
    held = client.cookies[f"accord-{study.public_id}"].value.split(":")[0].split(".")
    assert held == [person.public_id for person in reversed(people)][:10]


# ── this is not me ────────────────────────────────────────────────────────────────────────────────────────────
def test_the_next_person_starts_anew_and_the_first_returns_by_code(client: Client) -> None:
    study = make_study()
    client.post(link(study), {})
    first = study.participations.get()
    page = f"/s/{study.public_id}/not-me"
    assert page in markup(client.get(f"/s/{study.public_id}"))
    assert "does not have a resume code yet" in markup(client.get(page))
    code = issue_resume_code(first.pk).code
    assert "does not have a resume code yet" not in markup(client.get(page))
    assert client.post(page)["Location"] == link(study)
    assert client.get(f"/s/{study.public_id}").status_code == 404
    client.post(link(study), {})
    second = study.participations.exclude(pk=first.pk).get()
    assert who(client, study) == second.pseudonym
    client.post("/resume", {"code": code})
    assert who(client, study) == first.pseudonym


def test_looking_at_the_page_changes_nothing(client: Client) -> None:
    study = make_study()
    client.post(link(study), {})
    client.get(f"/s/{study.public_id}/not-me")
    assert client.get(f"/s/{study.public_id}").status_code == 200
    assert Client().post(f"/s/{study.public_id}/not-me").status_code == 404


# ── identities within one study ───────────────────────────────────────────────────────────────────────────────
@pytest.mark.nightly
def test_the_same_id_in_two_studies_is_two_annotators() -> None:
    first, second = (join(prolific_study(), platform=PROLIFIC, external_id="5f1a") for _ in range(2))
    assert first.annotator_id != second.annotator_id


@pytest.mark.nightly
def test_the_database_refuses_to_share_or_double_an_annotator() -> None:
    study, other = prolific_study(), prolific_study()
    person = join(study, platform=PROLIFIC, external_id="5f1a")
    with pytest.raises(IntegrityError), transaction.atomic():
        Annotator.objects.create(study=study, platform=PROLIFIC, external_id="5f1a")
    with pytest.raises(IntegrityError), transaction.atomic():
        Participation.objects.create(study=other, annotator=person.annotator, pseudonym="x")
    Annotator.objects.create(study=study, platform=PROLIFIC)  # without an ID, each person gets a participation
    Annotator.objects.create(study=study, platform=PROLIFIC)


def test_an_account_resumes_by_signing_in() -> None:
    study = make_study(admission=Study.Admission.ACCOUNT)
    user = UserFactory()
    for _ in range(2):
        browser = Client()
        browser.force_login(user)
        assert browser.post(link(study), {}).status_code == 302
    assert study.participations.get().annotator.verified


@pytest.mark.nightly
@pytest.mark.django_db(transaction=True)
@pytest.mark.rules
def test_two_at_once_with_one_id_are_one_participation() -> None:
    study = prolific_study()

    def enter(_: int) -> str:
        try:
            return join(study, platform=PROLIFIC, external_id="5f1a").public_id
        except Refused as refused:
            return refused.code
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        outcomes = sorted(pool.map(enter, range(4)))
    assert study.participations.count() == study.annotators.count() == 1
    assert outcomes.count("known-id") == 3
