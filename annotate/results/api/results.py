"""The API for results: annotators, reports, exports and the audit log."""

from __future__ import annotations

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.services.jobs import request_job
from annotate.results.api.reports_shapes import (
    ComparedTableShape,
    EventShape,
    ExportRow,
    ReportRequest,
    ReportRow,
    ReportShape,
)
from annotate.results.selectors.comparison import compare
from annotate.results.selectors.downloads import exports_of, write_export
from annotate.server.refusals import Refused
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import CURSOR, PAGING, ResearchView, cursor_pages_of, pages_of
from annotate.web.api.shapes import JobShape


class ReportsView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="reports_list",
        parameters=PAGING,
        responses={200: pages_of(ReportRow), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return all reports without their results, newest first."""
        reports = self.study(study).reports.defer("input", "result", "people").order_by("-pk")
        return self.page(reports, ReportRow)

    @extend_schema(tags=["results"], request=ReportRequest, responses={202: JobShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Request a report. A job calculates it."""
        reported_study = self.study(study, may=Action.CALCULATE_REPORTS)
        body = self.validated(ReportRequest)
        kinds = tasktypes.get(reported_study.task_type).reports.on_request
        if body["kind"] not in kinds:
            message = f"There is no report of kind {body['kind']}. Kinds of reports: {', '.join(kinds)}."
            raise Refused("invalid", message, status=400, fields={"kind": [message]})
        job = request_job(
            reported_study, f"report:{body['kind']}", parameters={"splits": body["splits"]}, user=self.user
        )
        return Response(JobShape(job).data, status=status.HTTP_202_ACCEPTED)


class ReportView(ResearchView):
    @extend_schema(tags=["results"], responses={200: ReportShape, **ERRORS})
    def get(self, request: Request, study: str, kind: str, number: int) -> Response:
        """Return a report with its parameters, seed, versions, input checksum and results."""
        report = self.study(study).reports.defer("input", "people").filter(kind=kind, number=number).first()
        if report is None:
            raise Refused("unknown", "This study has no report with this number.", status=404)
        return Response(ReportShape(report).data)


class ComparisonView(ResearchView):
    @extend_schema(
        tags=["results"],
        parameters=[
            OpenApiParameter("study", str, description="ID of the other report’s study. The default is this study."),
        ],
        responses={200: ComparedTableShape(many=True), **ERRORS},
    )
    def get(self, request: Request, study: str, number: int, other: int) -> Response:
        """Return the main figures of two results reports of the same task type, and the differences between them."""
        first = self.results_report(self.study(study), number)
        other_study = request.query_params.get("study")
        second = self.results_report(self.study(other_study or study), other)
        if second.study.task_type != first.study.task_type:
            raise Refused("invalid", "Only reports of studies with the same task type can be compared.", status=400)
        return Response(ComparedTableShape(compare(first, second), many=True).data)


class ExportsView(ResearchView):
    @extend_schema(tags=["results"], responses={200: ExportRow(many=True), **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return the names and descriptions of the study's export files."""
        return Response(ExportRow(exports_of(self.study(study)), many=True).data)


class ExportView(ResearchView):
    file_methods = ("GET",)

    @extend_schema(tags=["results"], responses={(200, "*/*"): OpenApiTypes.BINARY, **ERRORS})
    def get(self, request: Request, study: str, filename: str) -> StreamingHttpResponse:
        """Return one of the study's export files."""
        export, chunks = write_export(self.study(study), filename)
        return StreamingHttpResponse(
            chunks,
            content_type=export.content_type,
            headers={"Content-Disposition": f'attachment; filename="{export.filename}"'},
        )


class EventsView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="events_list",
        parameters=CURSOR,
        responses={200: cursor_pages_of(EventShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the study's audit log, newest entries first."""
        events = self.study(study).events.select_related("user", "participation").order_by("-pk")
        return self.cursor_page(events, EventShape)
