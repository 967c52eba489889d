"""The API for upload templates, the list of annotators, and the files of a results report."""

from __future__ import annotations

import re

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accord_core.exchange.layout import template
from annotate import tasktypes
from annotate.models import Upload
from annotate.people.selectors.annotators_file import annotators_csv
from annotate.results.selectors.files import measured, report_files, zip_of
from annotate.server.refusals import Refused, existing
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import ResearchView
from annotate.web.attachments import attachment

CHART_NAME = re.compile(r"[a-z0-9-]{1,60}")


class ReportFileShape(serializers.Serializer):
    filename = serializers.CharField(source="name")
    content_type = serializers.CharField()
    description = serializers.CharField()
    note = serializers.CharField()


class FiguresShape(serializers.Serializer):
    figures = serializers.DictField(
        child=serializers.CharField(trim_whitespace=False),
        help_text="SVG documents by name. Names consist of lower-case letters, digits and hyphens.",
    )

    def validate_figures(self, figures: dict[str, str]) -> dict[str, str]:
        """Require names that are safe in a path."""
        for name in figures:
            if not CHART_NAME.fullmatch(name):
                raise serializers.ValidationError(f"{name} is not a valid chart name.")
        return figures


class TemplateView(ResearchView):
    file_methods = ("GET",)

    @extend_schema(tags=["studies"], responses={(200, "text/csv"): OpenApiTypes.STR, **ERRORS})
    def get(self, request: Request, study: str, purpose: str) -> StreamingHttpResponse:
        """Return a CSV file with the columns for this kind of upload (`items`, `gold` or `practice`) and an example
        row.
        """
        target = self.study(study)
        if purpose not in Upload.Purpose.values:
            message = f"There is no template for {purpose}. Templates: {', '.join(Upload.Purpose.values)}."
            raise Refused("unknown", message, status=404)
        task = tasktypes.get(target.task_type)
        columns = task.file_columns(target.options, of_items=purpose == Upload.Purpose.ITEMS)
        return attachment([template(columns)], f"{target.task_type}-{purpose}-template.csv")


class AnnotatorsFileView(ResearchView):
    file_methods = ("GET",)

    @extend_schema(tags=["results"], responses={(200, "text/csv"): OpenApiTypes.STR, **ERRORS})
    def get(self, request: Request, study: str) -> StreamingHttpResponse:
        """Return the annotators as CSV, with their standing, gold accuracy, agreement and credit."""
        return attachment(annotators_csv(self.study(study)), "annotators.csv")


class ReportFilesView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="report_files_list",
        responses={200: ReportFileShape(many=True), **ERRORS},
    )
    def get(self, request: Request, study: str, number: int) -> Response:
        """Return the names and descriptions of a results report's files."""
        report = self.results_report(self.study(study), number)
        return Response(ReportFileShape(report_files(report.study, report), many=True).data)


class ReportFileView(ResearchView):
    file_methods = ("GET",)

    @extend_schema(tags=["results"], responses={(200, "*/*"): OpenApiTypes.BINARY, **ERRORS})
    def get(self, request: Request, study: str, number: int, filename: str) -> StreamingHttpResponse:
        """Return a file from a results report. The file's contents never change."""
        report = self.results_report(self.study(study), number)
        file = existing(
            next((file for file in report_files(report.study, report) if file.name == filename), None),
            "This report has no file with this name.",
        )
        return attachment(measured(file, report), file.name, file.content_type)


class ReportZipView(ResearchView):
    file_methods = ("GET", "POST")
    body_limit = "upload"

    @extend_schema(
        tags=["results"],
        operation_id="report_zip",
        responses={(200, "application/zip"): OpenApiTypes.BINARY, **ERRORS},
    )
    def get(self, request: Request, study: str, number: int) -> StreamingHttpResponse:
        """Return a zip archive with all files from a results report."""
        return self._zip(study, number, {})

    @extend_schema(
        tags=["results"],
        operation_id="report_zip_with_figures",
        request=FiguresShape,
        responses={(200, "application/zip"): OpenApiTypes.BINARY, **ERRORS},
    )
    def post(self, request: Request, study: str, number: int) -> StreamingHttpResponse:
        """Return a zip archive with all files from a results report and the chart images from the request. Browsers
        draw a report's charts, so the request must contain the images.
        """
        return self._zip(study, number, self.validated(FiguresShape)["figures"])

    def _zip(self, study: str, number: int, figures: dict[str, str]) -> StreamingHttpResponse:
        report = self.results_report(self.study(study), number)
        drawings = {name: drawing.encode() for name, drawing in figures.items()}
        return attachment(zip_of(report.study, report, drawings), f"report-{number}.zip", "application/zip")
