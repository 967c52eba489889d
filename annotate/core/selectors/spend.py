"""The spending, the remaining budget and the actual hourly wage of a study."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.core.cache import cache
from django.db.models import DecimalField, OuterRef, QuerySet, Subquery, Sum

from annotate.models import Assignment, HourCount, PayEntry, Study

from .counts import CENTS, totals

MANY_SUBMITTED = 20_000  # HITs, from which number the median time is cached
CACHED_GROWTH = 1.01
CACHED_SECONDS = 600
FEWEST_TIMED = 5  # HITs with a known time before the actual hourly wage is shown


@dataclass(frozen=True)
class Spend:
    """The money of a study: credited rewards, bonuses, the rewards of open HITs, payments, and the budget cap."""

    credit: Decimal
    bonuses: Decimal
    leased: Decimal
    paid: Decimal
    cap: Decimal | None

    @property
    def spent(self) -> Decimal:
        return self.credit + self.bonuses

    @property
    def committed(self) -> Decimal:
        """Return the amount that counts against the budget cap: the money spent and the rewards of open HITs."""
        return self.spent + self.leased

    @property
    def left(self) -> Decimal | None:
        """Return the remaining budget (negative after late work), or None if the study has no budget cap."""
        return None if self.cap is None else self.cap - self.committed

    @property
    def excess(self) -> Decimal:
        """Return the amount by which the pay for late work exceeds the budget cap, or 0."""
        return max(Decimal(0), -(self.left or Decimal(0)))

    def affordable(self, reward: Decimal) -> int | None:
        """Return how many more HITs the budget cap allows at this reward, or None if there is no limit."""
        if self.left is None or reward <= 0:
            return None
        return max(0, int(self.left // reward))


def spend_of(study: Study) -> Spend:
    """Return the spending of a study.

    One statement reads all sums, so a HIT that is submitted at the same moment is counted exactly once.
    """
    own = OuterRef("pk")
    entries = PayEntry.objects.filter(study=own)
    # If a restored HIT was credited when the annotator was stopped, the credit already includes it.
    open_hits = Assignment.objects.filter(
        study=own, state=Assignment.State.LEASED, kind=Assignment.Kind.REGULAR, credited=False
    )
    sums = (
        _sum(HourCount.objects.filter(study=own), "credit"),
        _sum(entries.filter(kind=PayEntry.Kind.BONUS), "amount"),
        _sum(open_hits, "reward"),
        _sum(entries.filter(kind=PayEntry.Kind.PAYMENT), "amount"),
    )
    cap, *amounts = Study.objects.filter(pk=study.pk).values_list("budget_cap", *sums).get()
    credit, bonuses, leased, paid = ((amount or Decimal(0)).quantize(CENTS) for amount in amounts)
    return Spend(credit, bonuses, leased, paid, cap)


def _sum(rows: QuerySet[HourCount] | QuerySet[PayEntry] | QuerySet[Assignment], field: str) -> Subquery:
    sums = rows.order_by().values("study").annotate(sum=Sum(field)).values("sum")
    return Subquery(sums, output_field=DecimalField(max_digits=20, decimal_places=4))


@dataclass(frozen=True)
class Wage:
    """The median time in seconds for a submitted HIT, and the hourly wage that results from this time and the current
    reward.
    """

    hits: int
    seconds: float
    hourly: Decimal
    planned: Decimal | None
    minimum: Decimal | None

    @property
    def below_minimum(self) -> bool:
        return self.minimum is not None and self.hourly < self.minimum


def actual_wage(study: Study, submitted: int | None = None) -> Wage | None:
    """Return the actual wage, or None if there is no reward or there are too few timed HITs. The function needs at most
    three queries. `submitted` is the number of submitted HITs if the caller has already read it.
    """
    if not study.reward:
        return None
    hits, seconds = _median_time(study, totals(study).submitted if submitted is None else submitted)
    if hits < FEWEST_TIMED or seconds <= 0:
        return None
    hourly = (study.reward * 3600 / Decimal(seconds)).quantize(Decimal("0.01"))
    return Wage(hits, seconds, hourly, study.planned_hourly_wage, study.minimum_hourly_wage)


def _median_time(study: Study, submitted: int) -> tuple[int, float]:
    """Return the number of timed HITs and their median time in seconds.

    To find the median, the database reads the times of all HITs. In a study with many submitted HITs, the cached
    figures are therefore used until the number of submitted HITs has grown by 1%, for ten minutes at most.
    """
    key = f"median-time:{study.pk}"
    if submitted >= MANY_SUBMITTED:
        before, hits, seconds = cache.get(key) or (0, 0, 0.0)
        if before <= submitted <= before * CACHED_GROWTH:
            return hits, seconds
    by_people = study.assignments.exclude(participation__in=study.participations.simulated())
    times = by_people.filter(seconds__isnull=False).order_by("seconds").values_list("seconds", flat=True)
    hits = times.count()
    middle = [time or 0.0 for time in times[(hits - 1) // 2 : hits // 2 + 1]] if hits >= FEWEST_TIMED else []
    seconds = sum(middle) / len(middle) if middle else 0.0
    if submitted >= MANY_SUBMITTED:
        cache.set(key, (submitted, hits, seconds), CACHED_SECONDS)
    return hits, seconds
