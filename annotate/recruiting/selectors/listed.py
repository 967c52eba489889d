"""The lists of people whom a study excludes or admits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from annotate.exchange.identities import normalized
from annotate.models import Annotator, ListedPerson, Study

Kind = ListedPerson.Kind


@dataclass(frozen=True)
class PeopleList:
    """One of a study's lists, with the number of its rows and the rows that matched a person, latest first."""

    kind: str
    rows: int
    matched: list[ListedPerson]


def people_lists(study: Study) -> list[PeopleList]:
    """Return the study's lists of excluded and admitted people."""
    return [_list(study, kind) for kind in Kind.values]


def _list(study: Study, kind: str) -> PeopleList:
    rows = study.listed.filter(kind=kind)
    return PeopleList(kind, rows.count(), list(rows.exclude(matched_at=None).order_by("-matched_at", "-pk")))


def identity_hash(study: Study, value: str) -> str:
    """Return the keyed hash of an ID or address, which differs between studies."""
    return salted_hmac(f"annotate.listed {study.public_id}", normalized(value), algorithm="sha256").hexdigest()


def listed_rows(study: Study, kind: str, values: Iterable[str]) -> QuerySet[ListedPerson]:
    """Return the rows of the list that contain any of these IDs and addresses."""
    return study.listed.filter(kind=kind, hash__in=[identity_hash(study, value) for value in values if value])


def identities_of(platform: str, external_id: str, *, confirmed: bool) -> list[str]:
    """Return the IDs and addresses under which this person can be listed. For an account, they are its e-mail
    addresses. With `confirmed`, only addresses that the person has confirmed are returned.
    """
    if platform != Annotator.Platform.ACCOUNT:
        return [external_id] if external_id else []
    addresses = EmailAddress.objects.filter(user=int(external_id)) if external_id.isdecimal() else []
    return [address.email for address in addresses if address.verified or not confirmed]
