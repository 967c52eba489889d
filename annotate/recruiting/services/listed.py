"""Services for the lists of people whom a study excludes or admits. Accord checks people against these lists when they
join.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from django.utils.translation import gettext as _

from accord_core.exchange.faults import TableError
from accord_core.exchange.identities import Identity, read_identities
from annotate.core.permissions import Action, Actor, locked_study, require
from annotate.core.services.archived import refuse_if_archived
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import ListedPerson, Study
from annotate.recruiting.selectors import Kind, identities_of, identity_hash, listed_rows
from annotate.server import clock
from annotate.server.refusals import Refused, invalid

MOST = 100_000  # rows of a list
CHUNK = 5_000


class OnList(Refused):
    """Error raised if a list excludes a person. `row` is the primary key of the entry for the person, or None if the
    person is missing from the list of admitted people.
    """

    def __init__(self, row: int | None) -> None:
        super().__init__("excluded", _("You cannot take part in this study."), status=403)
        self.row = row


@dataclass(frozen=True)
class Added:
    """The numbers of added and repeated entries, and the pseudonyms of annotators among the entries."""

    added: int
    repeated: int
    annotators: list[str]


def add_file_to_list(study_id: int, kind: str, data: bytes, *, user: Actor, source: str = "") -> Added:
    """Add the IDs and addresses in a text or CSV file to the study's list. Raises `Refused` with the code `faults` for
    a file with errors, or `invalid` as `add_to_list` does.
    """
    require(Study.objects.get(pk=study_id), user, Action.NAME_ANNOTATORS)
    try:
        identities = read_identities(data, name=source or "list", most=MOST)
    except TableError as error:
        faults = {str(fault.line or 0): [str(fault)] for fault in error.faults}
        raise Refused("faults", f"The list was not changed. {error}.", status=400, fields=faults) from error
    return add_to_list(study_id, kind, identities, user=user, source=source)


def add_to_list(study_id: int, kind: str, identities: Sequence[Identity], *, user: Actor, source: str = "") -> Added:
    """Add IDs and addresses to the study's list. Annotators who have already joined are not stopped. Raises `Refused`
    (`invalid`) for an unknown kind of list, or if the list would have too many entries.
    """
    with write():
        study = locked_study(study_id, user, Action.NAME_ANNOTATORS)
        refuse_if_archived(study_id)
        _require_kind(kind)
        lines = {identity_hash(study, one.value): one.line for one in reversed(identities)}
        rows = [
            ListedPerson(study=study, kind=kind, hash=hashed, source=source[:80], line=line)
            for hashed, line in lines.items()
        ]
        before = study.listed.filter(kind=kind).count()
        ListedPerson.objects.bulk_create(rows, batch_size=CHUNK, ignore_conflicts=True)
        after = study.listed.filter(kind=kind).count()
        if after > MOST:
            raise invalid("list", f"A list can have at most {MOST:,} entries.")
        record(study, "added people to list", user=user, list=kind, rows=after - before)
        repeated = len(identities) - (after - before)
        return Added(after - before, repeated, _annotators_among(study, lines.keys()))


def clear_list(study_id: int, kind: str, *, user: Actor) -> int:
    """Delete all entries on the study's list, and return their number. Raises `Refused` (`invalid`)."""
    with write():
        study = locked_study(study_id, user, Action.NAME_ANNOTATORS)
        _require_kind(kind)
        deleted, _counts = study.listed.filter(kind=kind).delete()
        record(study, "cleared list", user=user, list=kind, rows=deleted)
        return deleted


def refuse_listed(study: Study, *, platform: str, external_id: str) -> None:
    """Raise `OnList` if the study's lists exclude the person, or if the study has a list of admitted people that does
    not contain the person. If the list of admitted people contains the person, record the time.

    Anyone can invent the ID in an open Prolific link. To be admitted, an account needs a confirmed address.
    """
    known = identities_of(platform, external_id, confirmed=False)
    row = listed_rows(study, Kind.EXCLUDE, known).first()
    if row:
        raise OnList(row.pk)
    if study.listed.filter(kind=Kind.ADMIT).exists():
        known = identities_of(platform, external_id, confirmed=True)
        if not listed_rows(study, Kind.ADMIT, known).update(matched_at=clock.now()):
            raise OnList(None)


def note_match(refusal: OnList) -> None:
    """Store when an excluded person tried to join, after the joining transaction was rolled back."""
    if refusal.row is not None:
        ListedPerson.objects.filter(pk=refusal.row).update(matched_at=clock.now())


def _annotators_among(study: Study, hashes: AbstractSet[str]) -> list[str]:
    """Return the pseudonyms of the study's annotators listed under these hashes."""
    people = study.participations.people().select_related("annotator").order_by("pseudonym")
    return [
        each.pseudonym
        for each in people
        if any(
            identity_hash(study, value) in hashes
            for value in identities_of(each.annotator.platform, each.annotator.external_id, confirmed=False)
        )
    ]


def _require_kind(kind: str) -> None:
    if kind not in Kind.values:
        raise invalid("list", f"The list must be one of {', '.join(Kind.values)}.")
