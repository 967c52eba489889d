"""The API for pay: balances, payments, bonuses, corrections, and spending under the budget cap."""

from __future__ import annotations

from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action, allows
from annotate.core.selectors.spend import actual_wage, spend_of
from annotate.models import PayEntry, Study
from annotate.pay.selectors import balances as selected
from annotate.pay.selectors.by_study import pay_by_study
from annotate.pay.selectors.files import CSV, TYPES, WORKBOOK, write_payments
from annotate.pay.services import Due, correct_entry, give_bonus, record_payment, undo_payment
from annotate.pay.shapes import (
    STATES,
    BonusDraft,
    CorrectionDraft,
    EntryShape,
    PaymentDraft,
    PaymentRow,
    PaymentShape,
    PayShape,
    SpendShape,
    StudyPayShape,
    pay_csv,
)
from annotate.server.refusals import existing, invalid
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import IDEMPOTENCY_KEY, PAGING, ResearchView, pages_of
from annotate.web.api.shapes import ReasonShape
from annotate.web.attachments import attachment

FILTERS = [
    OpenApiParameter("show", str, enum=STATES, description="Return only annotators in this state."),
    OpenApiParameter(
        "search",
        str,
        description="Return only annotators whose pseudonym (or, for managers and owners, platform ID) contains "
        "this text.",
    ),
]


class AllPayView(ResearchView):
    @extend_schema(
        tags=["pay"],
        operation_id="pay_by_study",
        parameters=PAGING,
        responses={200: pages_of(StudyPayShape), **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """Return the pay in each of your studies that has earnings or payments."""
        return self.page(pay_by_study(list(self.studies())), StudyPayShape)


class PayView(ResearchView):
    @extend_schema(
        tags=["pay"],
        operation_id="pay_list",
        parameters=[*PAGING, *FILTERS],
        responses={200: pages_of(PayShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return each annotator's earnings and payments, sorted by pseudonym."""
        paid_study = self.study(study)
        show, search = (request.query_params.get(name, "") for name in ("show", "search"))
        if show and show not in STATES:
            raise invalid("show", f"The state {show} does not exist. States of pay: {', '.join(STATES)}.")
        rows = selected.pay_rows(paid_study, with_platform_ids=_sees_ids(paid_study))
        return self.page(selected.chosen(rows, show=show, search=search), PayShape)


class PayFileView(ResearchView):
    file_methods = ("GET",)

    @extend_schema(tags=["pay"], responses={(200, "text/csv"): OpenApiTypes.STR, **ERRORS})
    def get(self, request: Request, study: str) -> StreamingHttpResponse:
        """Return all annotators' balances as a CSV file."""
        paid_study = self.study(study)
        rows = selected.pay_rows(paid_study, with_platform_ids=_sees_ids(paid_study))
        return attachment(pay_csv(rows), "pay.csv")


class PaymentsFileView(ResearchView):
    file_methods = ("GET",)

    @extend_schema(tags=["pay"], responses={(200, TYPES[CSV].partition(";")[0]): OpenApiTypes.STR, **ERRORS})
    def get(self, request: Request, study: str) -> StreamingHttpResponse:
        """Return all recorded payments, bonuses and corrections as a CSV file."""
        return _payments_file(self.study(study), CSV)


class PaymentsWorkbookView(ResearchView):
    file_methods = ("GET",)

    @extend_schema(tags=["pay"], responses={(200, TYPES[WORKBOOK]): OpenApiTypes.BINARY, **ERRORS})
    def get(self, request: Request, study: str) -> StreamingHttpResponse:
        """Return the rows of payments.csv as an Excel workbook, with amounts as numbers."""
        return _payments_file(self.study(study), WORKBOOK)


class SpendView(ResearchView):
    @extend_schema(tags=["pay"], responses={200: SpendShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return the study's spending and budget cap, and the annotators' actual hourly wage."""
        return Response(SpendShape(_spend(self.study(study))).data)


class PaymentsView(ResearchView):
    @extend_schema(
        tags=["pay"],
        operation_id="payments_list",
        parameters=PAGING,
        responses={200: pages_of(PaymentRow), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the recorded payments, newest first."""
        return self.page(selected.payments_of(self.study(study)), PaymentRow)

    @extend_schema(
        tags=["pay"],
        parameters=[IDEMPOTENCY_KEY],
        request=PaymentDraft,
        responses={201: PaymentShape, **ERRORS},
    )
    def post(self, request: Request, study: str) -> Response:
        """Record a payment that you made outside Accord. If any balance has changed in the meantime, no payment is
        recorded (status 409, `changed`).
        """
        paid_study = self.study(study, may=Action.PAY)
        sent = self.validated(PaymentDraft)
        dues = [Due(each["annotator"], each["amount"], each["paid"]) for each in sent["annotators"]]

        def store() -> Response:
            payment = record_payment(
                paid_study.pk, dues, reference=sent["reference"], paid_on=sent["paid_on"], user=self.user
            )
            return Response(payment_shape(paid_study, payment.number), status=status.HTTP_201_CREATED)

        return self.run_once(store)


class PaymentView(ResearchView):
    @extend_schema(tags=["pay"], responses={200: PaymentShape, **ERRORS})
    def get(self, request: Request, study: str, number: int) -> Response:
        """Return a payment with each annotator's share and all corrections."""
        return Response(payment_shape(self.study(study), number))


class UndoView(ResearchView):
    @extend_schema(tags=["pay"], request=ReasonShape, responses={200: PaymentShape, **ERRORS})
    def post(self, request: Request, study: str, number: int) -> Response:
        """Set all annotators' shares in a payment to 0, so that they are owed the money again."""
        paid_study = self.study(study, may=Action.PAY)
        undo_payment(paid_study.pk, number, reason=self.validated(ReasonShape)["reason"], user=self.user)
        return Response(payment_shape(paid_study, number))


class BonusesView(ResearchView):
    @extend_schema(
        tags=["pay"],
        operation_id="bonuses_list",
        parameters=PAGING,
        responses={200: pages_of(EntryShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return all bonuses with their corrections, oldest first."""
        bonuses = self.study(study).pay_entries.filter(kind=PayEntry.Kind.BONUS)
        return self.page(selected.entries_of(bonuses), EntryShape)

    @extend_schema(
        tags=["pay"], parameters=[IDEMPOTENCY_KEY], request=BonusDraft, responses={201: EntryShape, **ERRORS}
    )
    def post(self, request: Request, study: str) -> Response:
        """Give an annotator a bonus. A bonus above the budget cap is rejected (status 409, `budget`)."""
        paid_study = self.study(study, may=Action.PAY)
        sent = self.validated(BonusDraft)
        pseudonym = sent.pop("annotator")
        return self.create_once(lambda: _entry(give_bonus(paid_study.pk, pseudonym, **sent, user=self.user)))


class CorrectionView(ResearchView):
    @extend_schema(tags=["pay"], request=CorrectionDraft, responses={200: EntryShape, **ERRORS})
    def post(self, request: Request, study: str, entry: str) -> Response:
        """Set a bonus, or an annotator's share of a payment, to a corrected amount. Recorded entries never change."""
        paid_study = self.study(study, may=Action.PAY)
        sent = self.validated(CorrectionDraft)
        return Response(_entry(correct_entry(paid_study.pk, entry, user=self.user, **sent)))


def _payments_file(study: Study, filename: str) -> StreamingHttpResponse:
    chunks = write_payments(study, filename, with_platform_ids=_sees_ids(study))
    return attachment(chunks, filename, TYPES[filename])


def _sees_ids(study: Study) -> bool:
    return allows(study.role, Action.SEE_PLATFORM_IDS)  # type: ignore[attr-defined]


def _entry(entry: PayEntry) -> dict[str, Any]:
    (shown,) = selected.entries_of(PayEntry.objects.filter(pk=entry.pk))
    return EntryShape(shown).data


def payment_shape(study: Study, number: int) -> dict[str, Any]:
    """Return a payment with each annotator's share. Raises `Refused` (`unknown`)."""
    payment = existing(
        selected.payments_of(study).filter(number=number).first(), f"This study has no payment {number}."
    )
    payment.listed = selected.entries_of(payment.entries.all())  # type: ignore[attr-defined]
    return PaymentShape(payment).data


def _spend(study: Study) -> dict[str, Any]:
    spend, wage = spend_of(study), actual_wage(study)
    return {
        "currency": study.currency,
        "credited": spend.credit,
        "bonuses": spend.bonuses,
        "open_hits": spend.leased,
        "committed": spend.committed,
        "budget_cap": spend.cap,
        "left": spend.left,
        "paid": spend.paid,
        "median_seconds": wage.seconds if wage else None,
        "actual_hourly_wage": wage.hourly if wage else None,
        "planned_hourly_wage": study.planned_hourly_wage,
        "minimum_hourly_wage": study.minimum_hourly_wage,
    }
