"""The files with all recorded payments, bonuses and corrections of a study, as CSV and as an Excel workbook."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC
from decimal import Decimal

from annotate.exchange.csvtext import write_csv
from annotate.exchange.written_workbooks import Value, write_workbook
from annotate.models import PayEntry, Study
from annotate.numerics.printed import amount

CSV, WORKBOOK = "payments.csv", "payments.xlsx"
FILES = {
    CSV: "all recorded payments, bonuses and corrections",
    WORKBOOK: "the same rows as an Excel workbook, with amounts as numbers",
}
TYPES = {CSV: "text/csv; charset=utf-8", WORKBOOK: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}
COLUMNS = (
    *("id", "recorded_at", "kind", "payment", "paid_on", "reference"),
    *("pseudonym", "platform", "platform_id", "amount", "currency", "corrects", "reason"),
)


def write_payments(study: Study, filename: str, *, with_platform_ids: bool) -> Iterable[bytes]:
    """Return the file with this name from `FILES`, with one row per entry, oldest first. The amount of a correction is
    the difference, so the sum of an annotator's amounts is what the annotator has received. If `with_platform_ids` is
    false, the platform ID column is empty.
    """
    entries = study.pay_entries.select_related("participation__annotator", "payment", "corrects").order_by("pk")
    rows = (_row(entry, study.currency, with_platform_ids=with_platform_ids) for entry in entries.iterator())
    if filename == CSV:
        texts = ([_printed(value, study.currency) for value in row] for row in rows)
        return (chunk.encode() for chunk in write_csv(texts, COLUMNS))
    return [write_workbook("Payments", COLUMNS, rows)]


def _row(entry: PayEntry, currency: str, *, with_platform_ids: bool) -> list[Value]:
    annotator, payment = entry.participation.annotator, entry.payment
    return [
        entry.public_id,
        entry.recorded_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "correction" if entry.corrects else entry.kind,
        payment.number if payment else "",
        payment.paid_on.isoformat() if payment else "",
        payment.reference if payment else "",
        entry.participation.pseudonym,
        annotator.platform,
        annotator.external_id if with_platform_ids else "",
        entry.amount,
        currency,
        entry.corrects.public_id if entry.corrects else "",
        entry.reason,
    ]


def _printed(value: Value, currency: str) -> str:
    return amount(value, currency) if isinstance(value, Decimal) else str(value)
