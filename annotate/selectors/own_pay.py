"""The receipt of an annotator: the annotator's own sets, and the amount owed for each set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

from django.db.models import Count, Exists, OuterRef, Q
from django.utils.translation import gettext as _

from annotate.exchange.csvtext import write_csv
from annotate.models import Answer, Assignment, Participation

BEGUN = Exists(
    Answer.objects.filter(Q(given_at__isnull=False) | Q(draft__isnull=False), assignment=OuterRef("pk")).values("pk")
)
# The assignments that annotators expect to see in a receipt. The list does not contain sets that lapsed, or sets
# without an answer that were open when the annotator was stopped.
LISTED = (
    Q(submitted_at__isnull=False)
    | Q(credited=True)
    | Q(state=Assignment.State.LAPSED, reason__in=(Assignment.RETURNED, Assignment.WITHDRAWN))
    | (Q(state=Assignment.State.VOID) & Q(BEGUN))
)


@dataclass(frozen=True)
class OwnSet:
    """One set in an annotator's receipt. Sets are numbered in the order in which the annotator started them."""

    number: int
    assignment_id: int
    state: str
    reason: str
    submitted_at: datetime | None
    questions: int
    skipped: int
    reward: Decimal
    credited: bool

    @property
    def owed(self) -> Decimal:
        return self.reward if self.credited else Decimal(0)

    @property
    def interrupted(self) -> bool:
        """Whether the study stopped the annotator before the set was submitted."""
        return self.state == Assignment.State.VOID and self.submitted_at is None

    @property
    def outcome(self) -> str:
        """Whether the set is paid, and the reason if the annotator may expect a different outcome."""
        if self.credited:
            if self.interrupted:
                return _("will be paid, although your work was stopped before you submitted this set")
            if self.state == Assignment.State.SURPLUS:
                return _("will be paid, although someone else submitted this set before you")
            return _("will be paid")
        if self.reason == Assignment.RETURNED:
            return _("not paid, because you returned this set")
        if self.reason == Assignment.WITHDRAWN:
            return _("not paid, because you withdrew before you submitted this set")
        if self.state == Assignment.State.VOID:
            return _("not paid, because your work was stopped before you submitted this set")
        return _("not paid")


@dataclass(frozen=True)
class Receipt:
    """All sets of an annotator that were submitted, paid or returned, and the total that is owed."""

    sets: Sequence[OwnSet]
    owed: Decimal

    @property
    def paid(self) -> int:
        return sum(one.credited for one in self.sets)

    @property
    def interrupted(self) -> OwnSet | None:
        """The set that was open when the annotator was stopped, or None."""
        return next((one for one in self.sets if one.interrupted), None)


def receipt(participation: Participation) -> Receipt:
    """Return the annotator's receipt, in one query."""
    rows = (
        participation.assignments.filter(LISTED, kind=Assignment.Kind.REGULAR)
        .annotate(
            questions=Count("answers"),
            skips=Count("answers", filter=Q(answers__skipped_at__isnull=False)),
        )
        .order_by("pk")
        .values_list("pk", "state", "reason", "submitted_at", "questions", "skips", "reward", "credited")
    )
    sets = [OwnSet(number, *row) for number, row in enumerate(rows, start=1)]
    return Receipt(sets, sum((one.owed for one in sets), Decimal(0)))


def receipt_csv(participation: Participation) -> Iterator[str]:
    """Yield the receipt as a CSV file whose last row contains the total. Times are in UTC."""
    own, currency = receipt(participation), participation.study.currency
    columns = ["set", "submitted_at", "questions", "skipped", "reward", "owed", "currency", "outcome"]
    rows = [
        [
            str(one.number),
            _utc(one.submitted_at),
            str(one.questions),
            str(one.skipped),
            f"{one.reward}",
            f"{one.owed}",
            currency,
            one.outcome,
        ]
        for one in own.sets
    ]
    total = ["total", "", "", "", "", f"{own.owed}", currency, participation.pseudonym]
    return write_csv([*rows, total], columns)


def _utc(moment: datetime | None) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if moment else ""
