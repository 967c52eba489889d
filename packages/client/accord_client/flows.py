"""Steps of a study that need several requests. Each function is a flow for the study with this ID."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, cast

from .errors import AccordError
from .generated import models, operations
from .session import Flow, Pause, Session

JOB_PAUSE, LONGEST_JOB_PAUSE = 0.2, 5.0

Report = Callable[[models.JobShape], object]


def wait(session: Session, study: str, job: models.JobShape, report: Report | None = None) -> Flow[models.JobShape]:
    """Wait until a background job has finished, and return it. `report` is called with each state of the job.

    Raises `AccordError` with the code `job-failed` if the job fails.
    """
    pause = JOB_PAUSE
    while True:
        if report:
            report(job)
        state = job.get("state")
        if state == "failed":
            raise AccordError(job.get("error", ""), place=f"job {job['kind']}", code="job-failed")
        if state == "done":
            return job
        yield Pause(pause)
        pause = min(2 * pause, LONGEST_JOB_PAUSE)
        job = yield from session.send(operations.studies_jobs_retrieve(study, job["id"]))


def import_file(
    session: Session,
    study: str,
    purpose: models.UploadPurposeEnum,
    file: str | Path | bytes,
    *,
    filename: str = "",
    layout: models.LayoutShapeRequest | None = None,
    known: models.ImportShapeKnownEnum = "stop",
) -> Flow[models.UploadShape]:
    """Import a file of items, gold questions or practice questions, and return the upload with the number of rows.

    `file` is a path or the content of a file, which then has the name `filename`. `layout` changes how a table is read.
    `known` states what to do with items that the study already contains. Raises `AccordError` with the code `faults`
    and all errors in the file, and imports nothing then.
    """
    content = file if isinstance(file, bytes) else Path(file).read_bytes()
    name = filename or (f"{purpose}.csv" if isinstance(file, bytes) else Path(file).name)
    # The schema describes a file as `bytes`, and the encoding is detected.
    body = cast(models.UploadDraftRequest, {"purpose": purpose, "filename": name, "file": content})
    upload = yield from session.send(operations.studies_uploads_create(study, body))
    preview = yield from _read(session, study, upload)
    if layout:
        changed = yield from session.send(operations.studies_uploads_update(study, preview["id"], layout))
        preview = yield from _read(session, study, changed)
    if not preview["importable"]:
        faults = {_position(fault): [fault["message"]] for fault in preview["faults"]}
        message = f"{name} contains errors, so nothing was imported. Fix these lines, then import the file again."
        raise AccordError(message, place=f"import of {name}", code="faults", fields=faults)
    imported = yield from session.send(operations.studies_uploads_import_create(study, preview["id"], {"known": known}))
    return (yield from _read(session, study, imported))


def _read(session: Session, study: str, upload: models.UploadShape | models.PendingUpload) -> Flow[models.UploadShape]:
    """Return the upload after the job that reads or imports it."""
    while "job" in upload:
        pending = cast(models.PendingUpload, upload)
        yield from wait(session, study, pending["job"])
        upload = yield from session.send(operations.studies_uploads_retrieve(study, pending["id"]))
    return upload


def _position(fault: models.FaultShape) -> str:
    line = "" if fault["line"] is None else f"line {fault['line']}"
    column = "" if fault["column"] is None else f"column {fault['column']}"
    return ", ".join(part for part in (line, column) if part) or "file"


def build(session: Session, study: str) -> Flow[models.ReportShape]:
    """Build the questions and HITs, and return the report on the design."""
    job = yield from session.send(operations.studies_design_create(study))
    yield from wait(session, study, job)
    return (yield from session.send(operations.studies_design_retrieve(study)))


def set_state(session: Session, study: str, state: models.StateShapeStateEnum) -> Flow[models.StudyShape]:
    """Open, pause, close or archive the study. If it is not ready, the error `not-ready` lists what is missing."""
    return (yield from session.send(operations.studies_state_update(study, {"state": state})))


def simulate(
    session: Session, study: str, annotators: int = 10, *, careless: float = 0.0, seed: int = 1, hits: int | None = None
) -> Flow[models.JobShape]:
    """Simulate annotators, of whom the share `careless` answers at random. `hits` limits the number of HITs."""
    body: models.SimulationDraftRequest = {"annotators": annotators, "careless": careless, "seed": seed, "hits": hits}
    job = yield from session.send(operations.studies_simulations_create(study, body))
    return (yield from wait(session, study, job))


def watch(
    session: Session, study: str, report: Callable[[models.ProgressShape], object], every: float = 60.0
) -> Flow[models.ProgressShape]:
    """Call `report` with the study's progress now and then every `every` seconds, until annotators have submitted all
    wanted assignments or the study is closed. Return the last progress.
    """
    while True:
        progress = yield from session.send(operations.progress(study))
        report(progress)
        if progress["assignments_done"] >= progress["assignments"]:
            return progress
        current = yield from session.send(operations.studies_retrieve(study))
        if current["state"] in ("closed", "archived"):
            return progress
        yield Pause(every)


def calculate_results(session: Session, study: str, kind: str = "results") -> Flow[models.ReportShape]:
    """Calculate a report and return it. `result` contains its figures."""
    job = yield from session.send(operations.studies_reports_create(study, {"kind": kind}))
    done = yield from wait(session, study, job)
    made = done["report"]
    if made is None:
        raise AccordError("The job created no report.", place=f"job {done['kind']}", code="job-failed")
    return (yield from session.send(operations.studies_reports_retrieve(study, made["kind"], made["number"])))


def decide(
    session: Session, study: str, ref: str, value: Any = None, *, keep_both: bool = False, note: str = ""
) -> Flow[models.DecisionShape]:
    """Record the decision on a question. `value` is the answer in the format of the task type and in payload order.
    With `keep_both`, all answers are acceptable, and there is no value.
    """
    body: models.DecisionDraftRequest = {"keep_both": keep_both, "note": note}
    if value is not None:
        body["value"] = value
    return (yield from session.send(operations.studies_decisions_update(study, ref, body)))


def pay(
    session: Session, study: str, reference: str, paid_on: date, annotators: Collection[str] | None = None
) -> Flow[models.PaymentShape]:
    """Record a payment of all balances above 0, or only those of the annotators with these pseudonyms. Transfer the
    money yourself. If a balance has changed in the meantime, no payment is recorded (`changed`).
    """
    balances = yield from session.all_rows(operations.pay_list(study))
    due: list[models.DueShapeRequest] = [
        {"annotator": each["annotator"], "amount": each["owed"], "paid": each["paid"]}
        for each in balances
        if Decimal(each["owed"]) > 0 and (annotators is None or each["annotator"] in annotators)
    ]
    body: models.PaymentDraftRequest = {"reference": reference, "paid_on": paid_on.isoformat(), "annotators": due}
    return (yield from session.send(operations.studies_payments_create(study, body)))


def release(
    session: Session,
    study: str,
    version: str = "1.0",
    creators: str = "",
    *,
    licence: str = "CC-BY-4.0",
    gold: Literal["sealed", "open"] = "open",
) -> Flow[bytes]:
    """Create a release and return its zip file."""
    body: models.ReleaseDraftRequest = {"version": version, "creators": creators, "licence": licence, "gold": gold}
    return (yield from session.send(operations.studies_releases_create(study, body)))
