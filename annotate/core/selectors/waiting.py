"""A study's waiting list, in order, and the free places for the people on it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from annotate.models import Study, WaitingPerson
from annotate.server import clock

OFFER = timedelta(hours=48)  # time in which a person can use an offered place


@dataclass(frozen=True)
class WaitingRow:
    """A person on the waiting list. `ahead` is the number of people who are ahead of this person, and `may_join` is
    whether a place is free for the person.
    """

    person: WaitingPerson
    ahead: int
    may_join: bool

    @property
    def position(self) -> int:
        return self.ahead + 1

    @property
    def offer_ends_at(self) -> datetime | None:
        """Return the time by which the person must use the offered place, or None if no place has been offered."""
        return self.person.offered_at + OFFER if self.person.offered_at else None


def waiting_people(study: Study) -> QuerySet[WaitingPerson]:
    """Return the people on the waiting list in order, except people who did not use an offered place."""
    in_time = Q(offered_at=None) | Q(offered_at__gt=clock.now() - OFFER)
    return WaitingPerson.objects.filter(in_time, study=study).order_by("pk")


def people_ahead(study: Study, public_id: str = "") -> int:
    """Return the number of people ahead of this person. A person who is not on the list comes after everyone who is. If
    there is no waiting list, no query is needed.
    """
    if not study.waiting_list:
        return 0
    people = waiting_people(study)
    own = people.filter(public_id=public_id).first() if public_id else None
    return people.filter(pk__lt=own.pk).count() if own else people.count()


def waiting_rows(study: Study, free: int) -> list[WaitingRow]:
    """Return the people on the waiting list, in order. `free` is the number of free places."""
    return [WaitingRow(person, ahead, ahead < free) for ahead, person in enumerate(waiting_people(study))]
