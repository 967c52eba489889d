"""Links to reports, and the ranking that the linked pages show."""

from __future__ import annotations

from django.db.models import QuerySet

from annotate import tasktypes
from annotate.models import Report, ReportShare, Study
from annotate.server import clock
from annotate.tasktypes import Ranking, resolve


def shares_of(report: Report) -> QuerySet[ReportShare]:
    """Return a report's active links, newest first."""
    working = report.shares.filter(revoked_at=None, expires_at__gt=clock.now())
    return working.select_related("created_by").order_by("-pk")


def shared_report(token_hash: str) -> ReportShare | None:
    """Return the link with this hash, and its report. Return None if the link is unknown, expired or revoked."""
    return (
        ReportShare.objects.filter(hash=token_hash, revoked_at=None, expires_at__gt=clock.now())
        .select_related("report__study")
        .defer("report__input", "report__people")
        .first()
    )


def ranking_of(study: Study, report: Report) -> Ranking | None:
    """Return the items of a report with their values, or None if the task type has no such list."""
    path = tasktypes.get(study.task_type).reports.ranking
    ranking: Ranking | None = resolve(path)(study, report) if path else None
    return ranking if ranking and ranking.rows else None
