"""The files with all recorded payments, bonuses and corrections of a study, as CSV and as an Excel workbook."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC
from decimal import Decimal

from accord_core.exchange.csvtext import write_csv
from accord_core.exchange.written_workbooks import Value, write_workbook
from accord_core.numerics.printed import amount
from annotate.models import PayEntry, Study

CSV, WORKBOOK = "payments.csv", "payments.xlsx"
FILES = {
    CSV: "all recorded payments, bonuses and corrections",
    WORKBOOK: "the same rows as an Excel workbook, with amounts as numbers",
}
TYPES = {CSV: "text/csv; charset=utf-8", WORKBOOK: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}
COLUMNS: dict[str, Callable[[PayEntry], Value]] = {
    "id": lambda entry: entry.public_id,
    "recorded_at": lambda entry: entry.recorded_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    "kind": lambda entry: "correction" if entry.corrects else entry.kind,
    "payment": lambda entry: entry.payment.number if entry.payment else "",
    "paid_on": lambda entry: entry.payment.paid_on.isoformat() if entry.payment else "",
    "reference": lambda entry: entry.payment.reference if entry.payment else "",
    "pseudonym": lambda entry: entry.participation.pseudonym,
    "platform": lambda entry: entry.participation.annotator.platform,
    "platform_id": lambda entry: entry.participation.annotator.external_id,
    "amount": lambda entry: entry.amount,
    "currency": lambda entry: entry.study.currency,
    "corrects": lambda entry: entry.corrects.public_id if entry.corrects else "",
    "reason": lambda entry: entry.reason,
}


def write_payments(study: Study, filename: str, *, with_platform_ids: bool) -> Iterable[bytes]:
    """Return the file with this name from `FILES`, with one row per entry, oldest first. The amount of a correction is
    the difference, so the sum of an annotator's amounts is what the annotator has received. If `with_platform_ids` is
    false, the platform ID column is empty.
    """
    columns = COLUMNS if with_platform_ids else COLUMNS | {"platform_id": lambda entry: ""}
    entries = study.pay_entries.select_related("study", "participation__annotator", "payment", "corrects")
    rows = ([value(entry) for value in columns.values()] for entry in entries.order_by("pk").iterator())
    if filename == CSV:
        texts = ([printed(value, study.currency) for value in row] for row in rows)
        return (chunk.encode() for chunk in write_csv(texts, list(columns)))
    return [write_workbook("Payments", list(columns), rows)]


def printed(value: Value | None, currency: str) -> str:
    """Return the value of a cell in a CSV file."""
    if isinstance(value, Decimal):
        return amount(value, currency)
    return "" if value is None else str(value)
