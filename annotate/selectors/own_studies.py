"""The list of a researcher's studies, with their progress and their next steps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Sum

from annotate import tasktypes
from annotate.models import Assignment, GoldCount, Job, Participation, Question, Study, Upload, User

from .counts import Totals, totals_by_study
from .studies import studies_of


@dataclass(frozen=True)
class StudyRow:
    """One study in the list of studies, with the share of filled slots and the next steps as (text, page) pairs."""

    study: Study
    role: str
    task: str
    items: int
    slots: int
    filled: int
    wants: list[tuple[str, str]]

    @property
    def share(self) -> float:
        """Return the percentage of slots that are filled."""
        return round(100 * self.filled / self.slots, 1) if self.slots else 0.0


def rows_of(user: User) -> list[StudyRow]:
    """Return a row for each of the user's studies. The number of queries does not depend on the number of studies."""
    studies = list(studies_of(user))
    roles = dict(user.memberships.values_list("study_id", "role"))
    ids = [study.pk for study in studies]
    items = _counts(
        Upload.objects.imported()
        .filter(study__in=ids, purpose=Upload.Purpose.ITEMS)
        .values_list("study")
        .annotate(Sum("rows"))
    )
    counted = totals_by_study(ids)
    leased = _counts(
        Assignment.objects.filter(study__in=ids, kind=Assignment.Kind.REGULAR, state=Assignment.State.LEASED)
        .values_list("study")
        .annotate(Count("pk"))
    )
    failed = _counts(
        Job.objects.filter(study__in=ids, state=Job.State.FAILED, error__gt="")
        .values_list("study")
        .annotate(Count("pk"))
    )
    stopped = _counts(
        Participation.objects.filter(study__in=ids, standing=Participation.Standing.STOPPED)
        .values_list("study")
        .annotate(Count("pk"))
    )
    disputed = _counts(
        GoldCount.objects.filter(question__study__in=ids, question__kind=Question.Kind.GOLD)
        .values_list("question__study")
        .annotate(Sum("disputed"))
    )
    return [
        StudyRow(
            study=study,
            role=roles[study.pk],
            task=tasktypes.get(study.task_type).name,
            items=items.get(study.pk, 0),
            slots=study.assignments_wanted,
            filled=counted.get(study.pk, Totals()).hits + leased.get(study.pk, 0),
            wants=_wants(
                study,
                items.get(study.pk, 0),
                failed.get(study.pk, 0),
                stopped.get(study.pk, 0),
                disputed.get(study.pk, 0),
            ),
        )
        for study in studies
    ]


def _wants(study: Study, items: int, failed: int, stopped: int, disputed: int) -> list[tuple[str, str]]:
    """Return the study's next steps as (text, page) pairs."""
    wants = []
    if study.is_draft and not items:
        wants.append(("Import items", "items/"))
    elif study.is_draft and study.design_id is None:
        wants.append(("Build the design", "design/"))
    elif study.is_draft:
        wants.append(("Check the design and open the study", "design/"))
    if disputed and study.state != Study.State.ARCHIVED:
        wants.append((f"{disputed:,} gold answer{'s' if disputed > 1 else ''} disputed", "gold/"))
    if stopped and study.state in (Study.State.OPEN, Study.State.PAUSED):
        wants.append((f"{stopped:,} annotator{'s' if stopped > 1 else ''} stopped", "annotators/"))
    if failed:
        wants.append((f"{failed:,} job{'s' if failed > 1 else ''} failed", "jobs/"))
    return wants


def _counts(rows: Iterable[tuple[Any, ...]]) -> dict[int, int]:
    return dict(rows)
