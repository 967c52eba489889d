"""Tests of the lists of people whom a study excludes or admits."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accord_core.exchange.faults import TableError
from accord_core.exchange.identities import read_identities
from annotate.core.permissions import SYSTEM
from annotate.core.services.credentials import new_api_token
from annotate.models import Annotator, ListedPerson, Study
from annotate.people.services import remove_personal_data
from annotate.recruiting.services.join import join
from annotate.recruiting.services.listed import add_file_to_list, clear_list
from annotate.server.refusals import Refused
from tests.console_study import browser_of, page_of
from tests.factories import UserFactory, make_annotator, make_study
from tests.markup import markup

ADA, BEA = "5f0000000000000000000ada", "5f0000000000000000000bea"


@pytest.fixture(scope="module")
def shared_study(share: Callable[..., Study]) -> Study:
    return share(lambda: make_study(recruitment="prolific"))


@pytest.fixture
def study(shared_study: Study) -> Study:
    return Study.objects.get(pk=shared_study.pk)


def come(study: Study, participant: str) -> int:
    link = f"/join/{study.join_token}?PROLIFIC_PID={participant}&STUDY_ID=s&SESSION_ID={participant}"
    return Client().post(link, {"PROLIFIC_PID": participant}).status_code


# ── the file ──────────────────────────────────────────────────────────────────────────────────────────────────
def test_a_list_is_one_column_or_a_known_column() -> None:
    plain = read_identities(b"a1\n\n a2 \n", name="list", most=9)
    assert [(one.line, one.value) for one in plain] == [(1, "a1"), (3, "a2")]
    prolific = b"Submission id,Participant id,Status\ns1,p1,APPROVED\ns2,p2,RETURNED\n"
    assert [one.value for one in read_identities(prolific, name="list", most=9)] == ["p1", "p2"]
    assert [one.value for one in read_identities(b"E-mail\nada@example.org\n", name="list", most=9)] == [
        "ada@example.org"
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"first,second\na,b\n", "the first row must contain a column such as Participant id"),
        (b"email\n", "the list is empty"),
        (b"a\n" * 11, "line 11: the list has more than 10 rows"),
        (b"id\n" + b"a" * 255, "the value has more than 254 characters"),
    ],
)
def test_a_list_with_errors_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(TableError) as refused:
        read_identities(data, name="list", most=10)
    assert message in str(refused.value)


# ── joining ───────────────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.nightly
@pytest.mark.django_db
def test_an_excluded_participant_cannot_join_and_the_page_shows_the_match(study: Study) -> None:
    owner, page = browser_of(study), page_of(study, "people-lists/")
    file = SimpleUploadedFile("earlier.csv", f"Participant id,Status\n{BEA},APPROVED\n{ADA},APPROVED\n".encode())
    added = owner.post(f"{page}exclude/add/", {"exclude-text": "", "exclude-file": file}, follow=True)
    assert "2 rows added. Repeated rows: 0." in markup(added)
    assert ADA not in "".join(ListedPerson.objects.values_list("hash", flat=True)), "only hashes are stored"
    assert come(study, ADA.upper()) == 403
    assert come(study, "5f0000000000000000000c1e0") == 302
    assert study.participations.count() == 1
    assert "Line 3 of earlier.csv" in markup(owner.get(page))
    assert "Enter at least one ID" in markup(owner.post(f"{page}exclude/add/", {"exclude-text": " "}))
    assert owner.post(f"{page}other/add/", {}).status_code == 404
    assert "Number of entries deleted from the list: 2." in markup(owner.post(f"{page}exclude/clear/", follow=True))
    assert come(study, ADA) == 302


@pytest.mark.nightly
@pytest.mark.django_db
def test_only_admitted_participants_can_join(study: Study) -> None:
    inside = join(study, platform=Annotator.Platform.PROLIFIC, external_id=BEA)
    added = add_file_to_list(study.pk, "admit", f"{ADA}\n{ADA}\n{BEA}\n".encode(), user=SYSTEM)
    assert (added.added, added.repeated, added.annotators) == (2, 1, [inside.pseudonym])
    assert [come(study, ADA), come(study, "5f0000000000000000000c1e0")] == [302, 403]
    assert study.listed.exclude(matched_at=None).get().line == 1
    ada = study.participations.get(annotator__external_id=ADA)
    remove_personal_data(ada.annotator_id, user=study.members.get(), reason="asked")
    assert study.listed.get().line == 3, "the row of the person was deleted"
    clear_list(study.pk, "admit", user=SYSTEM)
    assert come(study, "5f0000000000000000000c1e0") == 302


@pytest.mark.django_db
def test_accounts_are_compared_by_their_addresses_and_admitted_by_confirmed_ones() -> None:
    study = make_study(admission="account")
    ada, bea = UserFactory(email="ada@example.org"), UserFactory(email="bea@example.org")
    for user in (ada, bea):
        EmailAddress.objects.update_or_create(user=user, email=user.email, defaults={"verified": False})
    add_file_to_list(study.pk, "admit", b"email\nADA@example.org\nbea@example.org\n", user=SYSTEM)
    for user in (ada, bea):
        with pytest.raises(Refused, match="You cannot take part"):
            join(study, platform=Annotator.Platform.ACCOUNT, external_id=str(user.pk))
    EmailAddress.objects.filter(user__in=[ada, bea]).update(verified=True)
    assert join(study, platform=Annotator.Platform.ACCOUNT, external_id=str(ada.pk))
    add_file_to_list(study.pk, "exclude", b"bea@example.org", user=SYSTEM)
    with pytest.raises(Refused, match="You cannot take part"):
        join(study, platform=Annotator.Platform.ACCOUNT, external_id=str(bea.pk))
    assert make_annotator(study, platform=Annotator.Platform.TRY), "researchers can try the study"


@pytest.mark.django_db
def test_the_api_adds_to_lists_and_clears_them(study: Study) -> None:
    _, key = new_api_token(study.members.get(), "all")
    client, path = Client(headers={"Authorization": f"Token {key}"}), f"/api/v1/studies/{study.public_id}/people-lists"
    sent = {"people": [ADA, 'a "quoted", value']}
    added = client.post(f"{path}/exclude", sent, content_type="application/json")
    assert (added.status_code, added.json()) == (201, {"added": 2, "repeated": 0, "annotators": []})
    assert come(study, ADA) == 403
    excluded, admitted = client.get(path).json()
    assert (excluded["list"], excluded["rows"], [row["line"] for row in excluded["matched"]]) == ("exclude", 2, [1])
    assert (admitted["list"], admitted["rows"]) == ("admit", 0)
    assert client.post(f"{path}/other", sent, content_type="application/json").status_code == 400
    assert client.delete(f"{path}/exclude").status_code == 204
    assert client.get(path).json()[0]["rows"] == 0


@pytest.mark.nightly
@pytest.mark.django_db
def test_the_page_says_that_lists_cannot_match_pseudonyms() -> None:
    for admission, warned in (("anonymous", True), ("account", False)):
        study = make_study(admission=admission)
        page = browser_of(study).get(page_of(study, "people-lists/")).content.decode()
        assert ("these lists cannot match anyone" in page) is warned
