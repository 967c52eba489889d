"""The API for Prolific submissions, including statuses with next steps, imports, rejections, files and bonus lists."""

from __future__ import annotations

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.models import BonusList, Study
from annotate.pay.api import PaymentShape, payment_shape
from annotate.prolific.advice import Step
from annotate.prolific.api.shapes import (
    BonusListShape,
    ImportDraft,
    ImportShape,
    PaidDraft,
    RejectionDraft,
    SubmissionShape,
)
from annotate.prolific.selectors.files import write_bonuses, write_file
from annotate.prolific.selectors.submissions import SubmissionRow, submission_rows
from annotate.prolific.services.bonuses import cancel_bonus_list, confirm_bonus_list, create_bonus_list, record_approved
from annotate.prolific.services.imports import import_file, undo_import
from annotate.prolific.services.rejections import mark_rejection, unmark_rejection
from annotate.server.refusals import existing, invalid
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.plain import PlainJSONParser
from annotate.web.api.research import IDEMPOTENCY_KEY, PAGING, ResearchView, pages_of
from annotate.web.api.shapes import FileDraft
from annotate.web.attachments import attachment

STEP = OpenApiParameter(
    "next_step", str, enum=[str(step) for step in Step], description="Return only submissions with this next step."
)


class SubmissionsView(ResearchView):
    @extend_schema(
        tags=["prolific"],
        operation_id="prolific_submissions_list",
        parameters=[*PAGING, STEP],
        responses={200: pages_of(SubmissionShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return each submission with its status on Prolific, its work in Accord and its next step."""
        rows = submission_rows(self.study(study, may=Action.SEE_PLATFORM_IDS))
        step = request.query_params.get("next_step", "")
        if step and step not in list(Step):
            raise invalid("next_step", f"The next step {step} does not exist. Next steps: {', '.join(Step)}.")
        return self.page([row for row in rows if not step or row.step == step], SubmissionShape)


class ProlificFileView(ResearchView):
    file_methods = ("GET",)

    @extend_schema(tags=["prolific"], responses={(200, "text/plain"): OpenApiTypes.STR, **ERRORS})
    def get(self, request: Request, study: str, filename: str) -> StreamingHttpResponse:
        """Return one of the files `prolific-submissions.csv`, `prolific-approve.txt`, `prolific-reject.txt` and
        `prolific-bonuses.csv` (the latest unpaid bonus list).
        """
        target = self.study(study, may=Action.SEE_PLATFORM_IDS)
        return attachment(write_file(target, filename), filename)


class ImportsView(ResearchView):
    body_limit = "upload"
    parser_classes = [PlainJSONParser, MultiPartParser]

    # The endpoint does not accept an Idempotency-Key, because a repeated import changes nothing.
    @extend_schema(tags=["prolific"], request=ImportDraft, responses={200: ImportShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Import Prolific's export of submissions or, with `dry_run`, only report the effects. An import changes only
        the statuses that the file reports.
        """
        target = self.study(study, may=Action.PAY)
        sent = self.validated(ImportDraft)
        data = b"".join(FileDraft.read(sent))
        plan, stored = import_file(target.pk, data, sent["filename"], user=self.user, dry_run=sent["dry_run"])
        return Response(
            {
                "id": stored.public_id if stored and stored.pk else None,
                "added": len(plan.added),
                "changed": len(plan.changed),
                "unchanged": plan.unchanged,
                "unmatched": plan.unmatched,
            }
        )


class UndoImportView(ResearchView):
    @extend_schema(tags=["prolific"], request=None, responses={204: None, **ERRORS})
    def post(self, request: Request, study: str, number: str) -> Response:
        """Undo the latest import, and restore the previous statuses."""
        target = self.study(study, may=Action.PAY)
        undo_import(target.pk, number, user=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class RejectionView(ResearchView):
    @extend_schema(tags=["prolific"], request=RejectionDraft, responses={200: SubmissionShape, **ERRORS})
    def put(self, request: Request, study: str, submission: str) -> Response:
        """Mark a submission for rejection. Accord adds the submission to the list of rejections, but sends nothing to
        Prolific.
        """
        target = self.study(study, may=Action.PAY)
        mark_rejection(target.pk, submission, user=self.user, **self.validated(RejectionDraft))
        return Response(SubmissionShape(_row(target, submission)).data)

    @extend_schema(tags=["prolific"], responses={200: SubmissionShape, **ERRORS})
    def delete(self, request: Request, study: str, submission: str) -> Response:
        """Remove the rejection mark from a submission."""
        target = self.study(study, may=Action.PAY)
        unmark_rejection(target.pk, submission, user=self.user)
        return Response(SubmissionShape(_row(target, submission)).data)


class RewardsView(ResearchView):
    @extend_schema(
        tags=["prolific"], request=None, parameters=[IDEMPOTENCY_KEY], responses={201: PaymentShape, **ERRORS}
    )
    def post(self, request: Request, study: str) -> Response:
        """Record a payment for the rewards that Prolific paid when submissions were approved."""
        target = self.study(study, may=Action.PAY)
        return self.create_once(lambda: payment_shape(target, record_approved(target.pk, user=self.user).number))


class BonusListsView(ResearchView):
    @extend_schema(
        tags=["prolific"],
        operation_id="bonus_lists_list",
        parameters=PAGING,
        responses={200: pages_of(BonusListShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the bonus lists, newest first."""
        lists = self.study(study).bonus_lists.select_related("payment").prefetch_related("shares__participation")
        return self.page(lists.order_by("-number"), BonusListShape)

    @extend_schema(
        tags=["prolific"], request=None, parameters=[IDEMPOTENCY_KEY], responses={201: BonusListShape, **ERRORS}
    )
    def post(self, request: Request, study: str) -> Response:
        """Create a list of all amounts that must be paid as bonuses. Each amount is in at most one list that is not
        cancelled.
        """
        target = self.study(study, may=Action.PAY)
        return self.create_once(lambda: BonusListShape(create_bonus_list(target.pk, user=self.user)).data)


class BonusFileView(ResearchView):
    file_methods = ("GET",)

    @extend_schema(tags=["prolific"], responses={(200, "text/csv"): OpenApiTypes.STR, **ERRORS})
    def get(self, request: Request, study: str, number: int) -> StreamingHttpResponse:
        """Return a bonus list as a file for Prolific's bulk bonus payments."""
        bonuses = _bonus_list(self.study(study, may=Action.SEE_PLATFORM_IDS), number)
        return attachment(write_bonuses(bonuses), f"prolific-bonuses-{number}.csv")


class PaidBonusListView(ResearchView):
    @extend_schema(tags=["prolific"], request=PaidDraft, responses={200: BonusListShape, **ERRORS})
    def post(self, request: Request, study: str, number: int) -> Response:
        """Record that a bonus list has been paid on Prolific, and record the payment in Accord."""
        target = self.study(study, may=Action.PAY)
        bonuses = confirm_bonus_list(target.pk, number, user=self.user, **self.validated(PaidDraft))
        return Response(BonusListShape(bonuses).data)


class CancelledBonusListView(ResearchView):
    @extend_schema(tags=["prolific"], request=None, responses={200: BonusListShape, **ERRORS})
    def post(self, request: Request, study: str, number: int) -> Response:
        """Cancel a bonus list not paid on Prolific, so that its amounts can be added to a new one."""
        target = self.study(study, may=Action.PAY)
        return Response(BonusListShape(cancel_bonus_list(target.pk, number, user=self.user)).data)


def _row(study: Study, submission: str) -> SubmissionRow:
    return next(row for row in submission_rows(study) if row.submission_id == submission)


def _bonus_list(study: Study, number: int) -> BonusList:
    return existing(study.bonus_lists.filter(number=number).first(), f"This study has no bonus list {number}.")
