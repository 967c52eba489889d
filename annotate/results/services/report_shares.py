"""Services that create and revoke report links for people outside the study.

A link shows only the main figures of one report: no texts of items, no IDs and no pseudonyms.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from annotate.core.permissions import Action, Actor, require, researcher
from annotate.core.services.archived import REVOKED_REPORT_LINK
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import Report, ReportShare, Study
from annotate.server import clock
from annotate.server.refusals import Refused

MOST = 20  # links of one report that can be opened
MOST_DAYS = 365


def share_report(report_id: int, *, days: int, user: Actor) -> tuple[ReportShare, str]:
    """Create a link to a results report, and return it with its token, which is shown only once.

    Raises `Refused` with the code `invalid` if `days` is not between 1 and `MOST_DAYS`, `too-many` if the report
    already has `MOST` links.
    """
    if not 1 <= days <= MOST_DAYS:
        text = f"A link can be valid for 1 to {MOST_DAYS} days."
        raise Refused("invalid", text, status=400, fields={"days": [text]})
    with write():
        report = Report.objects.select_related("study").defer("input", "result", "people").get(pk=report_id)
        Study.objects.select_for_update(no_key=True).get(pk=report.study_id)  # count the links one at a time
        require(report.study, user, Action.SHARE_REPORTS)
        now = clock.now()
        if report.shares.filter(revoked_at=None, expires_at__gt=now).count() >= MOST:
            raise Refused("too-many", f"A report can have at most {MOST} links. Revoke a link that you no longer need.")
        token = secrets.token_urlsafe(24)
        share = ReportShare.objects.create(
            report=report,
            hash=hash_of(token),
            created_by=researcher(user),
            expires_at=now + timedelta(days=days),
        )
        record(report.study, "shared report", user=user, report=report.number, link=share.public_id, days=days)
        return share, token


def revoke_share(share_id: int, *, user: Actor) -> None:
    """Revoke a link. Revoking the same link again has no effect. Researchers can revoke links even in an archived
    study.
    """
    with write():
        share = ReportShare.objects.select_related("report__study").defer("report__result").get(pk=share_id)
        require(share.report.study, user, Action.REVOKE_REPORT_LINKS)
        if ReportShare.objects.filter(pk=share_id, revoked_at=None).update(revoked_at=clock.now()):
            number = share.report.number
            record(share.report.study, REVOKED_REPORT_LINK, user=user, report=number, link=share.public_id)


def hash_of(token: str) -> str:
    """Return the hash under which a token is stored. Tokens have 192 random bits, so the hash needs no salt."""
    return hashlib.sha256(token.encode()).hexdigest()
