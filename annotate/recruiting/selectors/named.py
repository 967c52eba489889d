"""A study's named annotators, and their progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from annotate.exchange.csvtext import write_csv
from annotate.models import Assignment, NamedAnnotator, Slot, Study


@dataclass(frozen=True)
class NamedRow:
    """A named annotator, with the numbers of submitted and expected HITs. `expected` is None if the annotators choose
    from the same HITs.
    """

    named: NamedAnnotator
    reserved: int
    submitted: int
    expected: int | None

    @property
    def open_to_all(self) -> bool:
        """Return whether other annotators can claim the reserved HITs, because this annotator gets no more HITs."""
        participation = self.named.participation
        return bool(self.reserved) and participation is not None and participation.has_ended

    @property
    def share(self) -> float | None:
        """Return the submitted share of the expected HITs, from 0 to 1."""
        return min(1.0, self.submitted / self.expected) if self.expected else None


def named_rows(study: Study) -> list[NamedRow]:
    """Return the named annotators in the order in which they were added. Three queries."""
    people = list(study.named_annotators.exclude(name="").select_related("participation", "group").order_by("pk"))
    reserved = dict(
        Slot.objects.filter(study=study, reserved_for__isnull=False)
        .values("reserved_for")
        .annotate(number=Count("pk"))
        .values_list("reserved_for", "number")
    )
    counted = Assignment.objects.filter(
        participation__in=[one.participation_id for one in people if one.participation_id],
        kind=Assignment.Kind.REGULAR,
        state__in=[Assignment.State.DONE, Assignment.State.SURPLUS],
    )
    submitted = dict(
        counted.values("participation").annotate(number=Count("pk")).values_list("participation", "number")
    )
    # If there are as many judgements per question as annotators, each annotator answers every HIT.
    everything = study.hits.count() if study.judgements == len(people) else None
    return [
        NamedRow(
            one,
            reserved.get(one.pk, 0),
            submitted.get(one.participation_id or 0, 0),
            everything or reserved.get(one.pk),
        )
        for one in people
    ]


def free_slots(study: Study) -> int:
    """Return the number of open slots that are not reserved for an annotator who can still get HITs."""
    free = Q(reserved_for=None) | Q(reserved_for__in=study.named_annotators.ended())
    return Slot.objects.filter(free, study=study, open=1).count()


def links_table(rows: Sequence[NamedRow], link_of: Callable[[NamedAnnotator], str]) -> Iterator[str]:
    """Return a CSV file with the named annotators and their personal links, which `link_of` returns."""
    columns = ["name", "email", "group", "pseudonym", "link"]
    cells = (
        [
            row.named.name,
            row.named.email,
            row.named.group.name if row.named.group else "",
            row.named.participation.pseudonym if row.named.participation else "",
            link_of(row.named),
        ]
        for row in rows
    )
    return write_csv(cells, columns)
