"""Services that calculate reports, which never change, and that create and revoke links to them.

A link shows the main figures of one report, and its items only if the researcher chose so. It never shows pseudonyms.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Max

from accord_core.exchange.arrays import json_array, pack, unpack
from accord_core.numerics.draws import derived_seed
from accord_core.numerics.error_sample import draw_sample, planned_sample
from annotate import tasktypes
from annotate.core.permissions import Action, Actor, permitted_study, require, researcher
from annotate.core.selectors.batches import whole_batches
from annotate.core.selectors.progress import simulated_with_judgements
from annotate.core.services.archived import REVOKED_REPORT_LINK, refuse_archived
from annotate.core.services.batches import make_batches
from annotate.core.services.log import record
from annotate.core.services.undo import refuse_changed
from annotate.core.services.writing import write
from annotate.models import Report, ReportShare, Study
from annotate.questions.selectors.data import one_snapshot, study_data
from annotate.questions.selectors.error_sample import labels_now, sampled_questions
from annotate.questions.services.repairs import store_repairs
from annotate.results.selectors.reports import SIMULATED
from annotate.server import clock
from annotate.server.refusals import Refused, invalid
from annotate.server.software import versions
from annotate.tasktypes import BATCHES, ERROR_SAMPLE, RESULTS, Columns, Progress

MOST = 20  # links of one report that can be opened
MOST_DAYS = 365


def share_report(report_id: int, *, days: int, user: Actor, with_items: bool = False) -> tuple[ReportShare, str]:
    """Create a link to a results report, and return it with its token, which is shown only once.

    Raises `Refused` with the code `invalid` if `days` is not between 1 and `MOST_DAYS`, `too-many` if the report
    already has `MOST` links.
    """
    if not 1 <= days <= MOST_DAYS:
        raise invalid("days", f"A link can be valid for 1 to {MOST_DAYS} days.")
    with write():
        report = Report.objects.select_related("study").defer("input", "result", "people").get(pk=report_id)
        Study.objects.select_for_update(no_key=True).get(pk=report.study_id)  # count the links one at a time
        require(report.study, user, Action.SHARE_REPORTS)
        _refuse_too_many(report)
        token = secrets.token_urlsafe(24)
        share = ReportShare.objects.create(
            report=report,
            hash=hash_of(token),
            with_items=with_items,
            created_by=researcher(user),
            expires_at=clock.now() + timedelta(days=days),
        )
        facts = {"link": share.public_id, "days": days, "items": with_items}
        record(report.study, "shared report", user=user, detail={"report": report.number, **facts})
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


def restore_share(share_id: int, *, seen: str, user: Actor) -> None:
    """Undo the revocation of a link at the time `seen`. Undoing again has no effect. Raises `Refused` with the code
    `changed` if the link was revoked at another time, or `too-many` if the report has new links in its place.
    """
    with write():
        share = ReportShare.objects.select_related("report__study").defer("report__result").get(pk=share_id)
        study = Study.objects.select_for_update(no_key=True).get(pk=share.report.study_id)
        require(study, user, Action.SHARE_REPORTS)
        share.refresh_from_db(fields=["revoked_at"])
        if share.revoked_at is None:
            return
        refuse_changed(share.revoked_at, seen)
        _refuse_too_many(share.report)
        share.revoked_at = None
        share.save(update_fields=["revoked_at"])
        record(study, "restored report link", user=user, report=share.report.number, link=share.public_id)


def _refuse_too_many(report: Report) -> None:
    if report.shares.filter(revoked_at=None, expires_at__gt=clock.now()).count() >= MOST:
        raise Refused("too-many", f"A report can have at most {MOST} links. Revoke a link that you no longer need.")


def hash_of(token: str) -> str:
    """Return a token's stored hash. Tokens have 192 random bits, so the hash needs no salt."""
    return hashlib.sha256(token.encode()).hexdigest()


def make_report(study_id: int, *, kind: str, parameters: Mapping[str, Any], user: Actor, progress: Progress) -> Report:
    """Calculate a report, and store it with its input. The calculation reads only the stored columns."""
    study = permitted_study(study_id, user, Action.CALCULATE_REPORTS)
    task = tasktypes.get(study.task_type)
    if kind not in task.reports.kinds:
        kinds = " or ".join(task.reports.kinds) or "none"
        raise Refused(
            "unknown-report", f"{task.name} has no report of kind {kind!r}. Kinds of reports: {kinds}.", status=400
        )
    progress(0.0, "reading the answers")
    has_label_sets = kind == RESULTS and task.reports.label_sets is not None
    if has_label_sets:
        make_batches(study.pk)
    with one_snapshot():
        columns = tasktypes.report_columns(task, study_data(study, streamed=True))
        simulated = simulated_with_judgements(study)
        groups = whole_batches(study) if has_label_sets else []
    columns_sha256 = hash_columns(columns)  # of the answers alone, as releases compare it
    packed = pack(columns | ({BATCHES: json_array([group.as_json() for group in groups])} if groups else {}))
    del columns
    result = tasktypes.report_result(task, kind, unpack(packed), parameters, study.seed, progress)
    # The number of simulated annotators is stored as a parameter, because the result depends on the columns alone.
    stored = {**parameters, SIMULATED: simulated} if simulated else dict(parameters)
    with write():
        report = save_report(
            study,
            kind=kind,
            parameters=stored,
            seed=study.seed,
            columns=packed,
            columns_sha256=columns_sha256,
            result=result,
            by_group=task.reports.by_group(unpack(packed), study.seed) if groups else None,
            user=user,
        )
    if kind == RESULTS and task.likely_errors is not None:
        progress(1.0, "ranking the questions by expected repairs")
        store_repairs(study, task.likely_errors.repairs(unpack(packed)))
    return report


def recompute(report: Report) -> dict[str, Any]:
    """Recalculate the result from the report's stored input. With the same software versions, the new result equals
    `report.result`.
    """
    if not report.input:
        raise Refused("no-input", f"{report} was not calculated from answers, so it cannot be recalculated.")
    if hashlib.sha256(bytes(report.input)).hexdigest() != report.input_sha256:
        raise Refused("damaged", f"The stored input of {report} has changed since the report was calculated.")
    task = tasktypes.get(report.study.task_type)
    columns = unpack(bytes(report.input))
    return tasktypes.report_result(
        task, report.kind, columns, report.parameters, report.seed, lambda share, message: None
    )


def save_report(
    study: Study,
    *,
    kind: str,
    parameters: dict[str, Any],
    seed: int,
    columns: bytes | None,
    columns_sha256: str = "",
    result: dict[str, Any],
    by_group: dict[str, Any] | None = None,
    user: Actor,
) -> Report:
    """Store a report under the next number for its kind. The caller must open a transaction first."""
    refuse_archived(Study.objects.select_for_update(no_key=True).get(pk=study.pk))  # assign numbers one at a time
    last = study.reports.filter(kind=kind).aggregate(last=Max("number"))["last"] or 0
    return Report.objects.create(
        study=study,
        kind=kind,
        number=last + 1,
        parameters=parameters,
        seed=seed,
        versions=versions(),
        input=columns,
        input_sha256=hashlib.sha256(columns).hexdigest() if columns else "",
        columns_sha256=columns_sha256,
        result=result,
        by_group=by_group,
        created_by=researcher(user),
    )


def draw_error_sample(study_id: int, *, wanted: float, user: Actor) -> Report:
    """Draw the final labels that reviewers check until at most the share `wanted` of all labels is expected to be
    wrong, and store them as a report. The sample replaces the previous one, unless that one has the same parameters and
    is incomplete.

    Raises `Refused` with the code `invalid` unless `wanted` is between 0 and 1, and with the reasons of `labels_now`.
    """
    if not 0 < wanted < 1:
        raise invalid("wanted", "The share must be greater than 0 and less than 1.")
    study = permitted_study(study_id, user, Action.DECIDE)
    now = labels_now(study)
    parameters = {"wanted": wanted, "report": now.report, "judgements": now.judgements}
    if (unfinished := _unfinished_sample(study, parameters)) is not None:
        return unfinished
    plan = planned_sample(now.wrong, wanted, right=now.right)
    with write():
        study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if (unfinished := _unfinished_sample(study, parameters)) is not None:  # requested at the same time
            return unfinished
        last = study.reports.filter(kind=ERROR_SAMPLE).aggregate(last=Max("number"))["last"] or 0
        seed = derived_seed(study.seed, ERROR_SAMPLE, last + 1)
        strata = [
            {"size": len(places), "drawn": [now.label(place) for place in drawn]}
            for places, drawn in zip(plan.strata, draw_sample(plan, seed), strict=True)
        ]
        report = save_report(
            study,
            kind=ERROR_SAMPLE,
            parameters=parameters,
            seed=seed,
            columns=None,
            result={"right": now.right, "strata": strata},
            user=user,
        )
        record(study, "drew label sample", user=user, detail={"labels": plan.labels, "wanted": wanted})
        return report


def _unfinished_sample(study: Study, parameters: Mapping[str, Any]) -> Report | None:
    """Return the latest sample if it has these parameters and still contains labels to check."""
    latest = study.reports.filter(kind=ERROR_SAMPLE).order_by("-number").first()
    has_parameters = latest is not None and latest.parameters == parameters
    return latest if has_parameters and sampled_questions(study) else None


def hash_columns(columns: Columns) -> str:
    """Return the SHA-256 hash of the names, types, shapes and values of columns."""
    sha256 = hashlib.sha256()
    for name, column in sorted(columns.items()):
        sha256.update(f"{name} {column.dtype.str} {column.shape}\n".encode())
        sha256.update(column.tobytes())
    return sha256.hexdigest()
