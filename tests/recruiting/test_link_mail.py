"""Tests of personal links for people in a CSV file, and of the e-mails that contain the links."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client

from accord_core.exchange.faults import TableError
from accord_core.exchange.people import read_people
from annotate.core.permissions import SYSTEM
from annotate.core.services import jobs
from annotate.core.services.credentials import PERSONAL_LINKS, new_api_token
from annotate.models import Job, Study
from annotate.people.services import remove_personal_data
from annotate.recruiting.services.link_mail import send_links
from annotate.recruiting.services.named import add_file, join_by_link, remove_named
from annotate.server.refusals import Refused
from tests.console_study import browser_of, page_of
from tests.factories import make_study
from tests.markup import markup

PEOPLE = b"Name,E-mail,Group\nAda,ada@example.org,7b\n,bea@example.org,7b\nCleo,,\n"


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(lambda: make_study(admission="named", state="draft"))


@pytest.fixture
def study(shared_study: Study) -> Study:
    Study.objects.filter(pk=shared_study.pk).update(state="open")
    return Study.objects.get(pk=shared_study.pk)


def send(study: Study) -> int:
    return send_links(study.pk, user=SYSTEM, progress=lambda share, text: None)


# ── the file ──────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"first,last\nAda,L\n", "line 1: the first row must contain the column name or the column email"),
        (b"name\n", "the file contains no people"),
        (b"name,email\nAda,ada at example.org\n", "line 2, column email: “ada at example.org” is not an e-mail"),
        (b"email\nada@example.org\nADA@example.org\n", "line 3, column email: the address “ADA@example.org” appears"),
        (b"name\nAda\n\nAda\n", "line 4, column name: the name “Ada” appears more than once"),
        (b"name,group\n,7b\n", "line 2, column name: the row has neither a name nor an e-mail address"),
        (b"name\n" + 81 * b"a", "line 2, column name: the name “aaaaaaaaaaaaaaaaaaaa…” has more than 80 characters"),
        (
            b"name\n" + b"\n".join(b"a%d" % number for number in range(101)),
            "line 102: the file has more than 100 people",
        ),
        (b'email\n"ada@example.org\nBcc: bea@example.org"\n', "is not an e-mail address"),
    ],
)
def test_a_file_with_errors_names_their_places(data: bytes, message: str) -> None:
    with pytest.raises(TableError) as refused:
        read_people(data, name="people.csv", most=100)
    assert message in str(refused.value)


# ── links and e-mails ─────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.nightly
@pytest.mark.django_db
def test_a_file_adds_people_whose_links_can_be_downloaded(study: Study) -> None:
    owner, page = browser_of(study), page_of(study, "named/")
    shown = owner.post(f"{page}file/", {"file": SimpleUploadedFile("people.csv", PEOPLE)}, follow=True)
    assert "Added annotators: 3." in markup(shown)
    assert "by e-mail" not in markup(shown), "there is no mail server"
    again = markup(owner.post(f"{page}file/", {"file": SimpleUploadedFile("people.csv", PEOPLE)}))
    assert "Line 2, column name: the name “Ada” appears more than once" in again
    downloaded = owner.get(f"{page}links.csv")
    rows = list(csv.DictReader(io.StringIO(downloaded.getvalue().decode())))
    assert [(row["name"], row["email"], row["group"]) for row in rows] == [
        ("Ada", "ada@example.org", "7b"),
        ("bea@example.org", "bea@example.org", "7b"),
        ("Cleo", "", ""),
    ]
    path = rows[0]["link"].removeprefix("http://testserver")
    assert Client().post(path, {}).status_code == 302
    assert study.participations.get().group.name == "7b"
    assert "cannot send e-mail" in markup(owner.post(f"{page}mail/", follow=True))


@pytest.mark.django_db
def test_links_are_sent_once_and_failures_are_listed(
    study: Study, settings: Any, mailoutbox: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EMAIL_HOST, settings.SITE_URL = "mail.example.org", "https://accord.example.org"
    study.language = "de"
    study.save()
    add_file(study.pk, PEOPLE + b"Dan,dan@example.org,\n", "people.csv", user=SYSTEM)
    people = {one.name: one for one in study.named_annotators.all()}
    join_by_link(people["Dan"].pk)
    deliver = EmailBackend.send_messages

    def refuse_bea(self: EmailBackend, messages: list[Any]) -> int:
        if messages[0].to == ["bea@example.org"]:
            raise SMTPRecipientsRefused({"bea@example.org": (550, b"unknown")})
        return deliver(self, messages)

    monkeypatch.setattr(EmailBackend, "send_messages", refuse_bea)
    assert send(study) == 1
    (mail,) = mailoutbox
    assert (mail.to, "Einladung" in mail.subject) == (["ada@example.org"], True)
    assert f"https://accord.example.org{PERSONAL_LINKS.path(people['Ada'].public_id)}" in mail.body
    states = dict(study.named_annotators.values_list("name", "mail_state"))
    assert states == {"Ada": "sent", "bea@example.org": "failed", "Cleo": "", "Dan": ""}
    page = markup(browser_of(study).get(page_of(study, "named/")))
    assert "link not sent" in page
    assert "the recipient was rejected" in page
    monkeypatch.setattr(EmailBackend, "send_messages", deliver)
    study.named_annotators.filter(name="Ada").update(mail_state="sending")  # the server stopped during the e-mail
    assert send(study) == 1
    assert [each.to for each in mailoutbox] == [["ada@example.org"], ["bea@example.org"]]
    assert send(study) == 0


@pytest.mark.django_db
def test_a_broken_mail_server_ends_the_job(study: Study, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.EMAIL_HOST = "mail.example.org"
    rows = "".join(f"p{number}@example.org\n" for number in range(9))
    add_file(study.pk, f"email\n{rows}".encode(), "people.csv", user=SYSTEM)

    def break_off(self: EmailBackend, messages: list[Any]) -> int:
        raise ConnectionRefusedError("connection refused")

    monkeypatch.setattr(EmailBackend, "send_messages", break_off)
    monkeypatch.setattr(jobs, "notify_worker", lambda job, kind: None)
    (_, key) = new_api_token(study.members.get(), "all")
    client = Client(headers={"Authorization": f"Token {key}"})
    started = client.post(f"/api/v1/studies/{study.public_id}/named-annotators/mail")
    assert started.status_code == 202
    job = Job.objects.get(public_id=started.json()["id"])
    jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, "connection refused" in job.error) == ("failed", True)
    assert study.named_annotators.filter(mail_state="failed").count() == 5


@pytest.mark.django_db
def test_the_api_adds_people_and_removal_deletes_their_addresses(study: Study, settings: Any) -> None:
    (_, key) = new_api_token(study.members.get(), "all")
    client, path = (
        Client(headers={"Authorization": f"Token {key}"}),
        f"/api/v1/studies/{study.public_id}/named-annotators",
    )
    sent = {"people": [{"email": "ada@example.org", "group": "7b"}, {"name": "Bea"}]}
    added = client.post(path, sent, content_type="application/json").json()
    assert [(one["name"], one["email"], one["group"]) for one in added] == [
        ("ada@example.org", "ada@example.org", "7b"),
        ("Bea", "", None),
    ]
    wrong = client.post(path, {"people": [{"email": "ada"}]}, content_type="application/json")
    assert (wrong.status_code, "is not an e-mail address" in wrong.json()["message"]) == (400, True)
    assert client.post(path, {}, content_type="application/json").status_code == 400
    assert client.post(f"{path}/mail").json()["code"] == "mail"
    ada = study.named_annotators.get(email="ada@example.org")
    participation = join_by_link(ada.pk)
    remove_personal_data(participation.annotator_id, user=study.members.get(), reason="asked")
    ada.refresh_from_db()
    assert (ada.name, ada.email) == ("", "")
    bea = study.named_annotators.get(name="Bea")
    remove_named(study.pk, bea.public_id, user=SYSTEM)
    with pytest.raises(Refused):
        join_by_link(bea.pk)
