"""Annotators whose answers show signs of carelessness, who do not count towards a majority."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from accord_core.numerics.intervals import wilson_interval
from annotate import tasktypes
from annotate.core.selectors.counts import Totals, totals_by_annotator
from annotate.models import Participation, Study
from annotate.tasktypes import RESULTS


def flagged(study: Study, participations: Collection[Participation]) -> set[int]:
    """Return the primary keys of the flagged annotators: those with a sign in the latest results report, and those
    whose gold accuracy is below the pass mark. Annotators whose answers were reviewed after the report are not flagged.
    """
    report = study.reports.filter(kind=RESULTS).order_by("-number").values("created_at", "people").first()
    people = (report and report["people"]) or []
    named = {person["pseudonym"] for person in people if person.get("flags")}
    reviewed = reviewed_since(study, report["created_at"] if report else None)
    totals = totals_by_annotator(study)
    return {
        each.pk
        for each in participations
        if each.pk not in reviewed
        and (each.pseudonym in named or below_pass_mark(study, each, totals.get(each.pk, Totals()).gold_given))
    }


def below_pass_mark(study: Study, participation: Participation, gold_answers: int) -> bool:
    """Return whether the whole 95% interval of the annotator's gold accuracy is below the study's pass mark."""
    share = tasktypes.get(study.task_type).accuracy(participation.tallies, study.rule_measure)
    interval = wilson_interval(share * gold_answers, gold_answers) if share is not None else None
    return interval is not None and interval[1] < float(study.rule_threshold)


def reviewed_since(study: Study, at: datetime | None) -> set[int | None]:
    """Return the primary keys of the annotators whose answers were reviewed after this time, in one query."""
    reviews = study.events.filter(verb="reviewed", participation__isnull=False)
    if at is not None:
        reviews = reviews.filter(at__gte=at)
    return set(reviews.values_list("participation", flat=True))
