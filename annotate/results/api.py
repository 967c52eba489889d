"""The API for results: answers, reports, exports, links to reports, and the audit log."""

from __future__ import annotations

from typing import Any

from django.http import StreamingHttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate import tasktypes
from annotate.core.permissions import Action
from annotate.core.selectors.stored import given_answers
from annotate.core.services.jobs import request_job
from annotate.models import Assignment, Event, Report, ReportShare
from annotate.questions.api import AnswerShape
from annotate.questions.selectors.error_sample import error_sample, labels_now, offers
from annotate.results.selectors.by_group import shown_by_group
from annotate.results.selectors.comparison import compare
from annotate.results.selectors.downloads import exports_for, write_export
from annotate.results.selectors.schemas import schema_name
from annotate.results.selectors.shares import shares_of
from annotate.results.services import MOST_DAYS, draw_error_sample, revoke_share, share_report
from annotate.server.refusals import Refused, existing, invalid
from annotate.tasktypes import Export
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import CURSOR, PAGING, ResearchView, boolean, cursor_pages_of, pages_of
from annotate.web.api.shapes import JobShape
from annotate.web.attachments import attachment

PROGRAMS = OpenApiParameter(
    "programs",
    bool,
    description="Return only the rows of programs that joined through the API. By default, the endpoint returns only "
    "the rows of human annotators.",
)


class AnswersView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="answers_list",
        parameters=[*CURSOR, PROGRAMS],
        responses={200: cursor_pages_of(AnswerShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return people's answers and skipped questions with the annotators' pseudonyms, or programs' answers. For a
        skipped question, `skipped` contains the annotator's reason, and `value` is empty.
        """
        answers = given_answers(self.study(study), programs=boolean(request, "programs"))
        return self.cursor_page(answers, AnswerShape)


class AssignmentRow(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")
    annotator = serializers.CharField(source="participation.pseudonym")
    hit = serializers.IntegerField(
        source="hit.number",
        allow_null=True,
        default=None,
        help_text="Number of the HIT, or null for practice questions.",
    )
    kind = serializers.ChoiceField(Assignment.Kind.choices)
    state = serializers.ChoiceField(Assignment.State.choices)
    source = serializers.ChoiceField(Assignment.Source.choices)  # type: ignore[assignment]  # not a field's own source

    class Meta:
        model = Assignment
        fields = [
            "id",
            "annotator",
            "hit",
            "kind",
            "state",
            "reason",
            "source",
            "claimed_at",
            "lease_until",
            "submitted_at",
            "seconds",
            "reward",
            "credited",
        ]


class AssignmentsView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="assignments_list",
        parameters=[*CURSOR, PROGRAMS],
        responses={200: cursor_pages_of(AssignmentRow), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the assignments of people or of programs without try-outs, in the order of their claims."""
        assignments = self.study(study).assignments.exclude(kind=Assignment.Kind.TRY)
        chosen = assignments.filter(participation__annotator__is_program=boolean(request, "programs"))
        return self.cursor_page(chosen.select_related("participation", "hit").order_by("pk"), AssignmentRow)


class ErrorSampleDraft(serializers.Serializer):
    """The sample that reviewers check."""

    wanted = serializers.FloatField(
        min_value=0.001,
        max_value=0.5,
        help_text="Share of the final labels that may still be wrong after the check, for example 0.05.",
    )
    dry_run = serializers.BooleanField(default=False, help_text="Return the plan without drawing a sample.")


class ErrorSampleShape(serializers.Serializer):
    """A sample of final labels. Before all its labels are checked, `bound` is null."""

    report = serializers.IntegerField(help_text="Number of the results report that contains the labels.")
    wanted = serializers.FloatField()
    labels = serializers.IntegerField(help_text="Number of labels to check.")
    checked = serializers.IntegerField(default=0)
    wrong = serializers.IntegerField(default=0, help_text="Number of checked labels that were wrong.")
    questions = serializers.ListField(
        child=serializers.CharField(), default=list, help_text="Refs of the questions that are still to decide."
    )
    bound = serializers.FloatField(
        allow_null=True,
        default=None,
        help_text="Largest share of the report's final labels that are still wrong, with 95% confidence.",
    )


class ErrorSampleView(ResearchView):
    @extend_schema(tags=["results"], operation_id="error_sample", responses={200: ErrorSampleShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return the latest sample of final labels, with the bound on the share of wrong labels."""
        sample = error_sample(self.study(study, may=Action.DECIDE))
        return Response(ErrorSampleShape(existing(sample, "The study has no sample of final labels.")).data)

    @extend_schema(
        tags=["results"],
        operation_id="error_sample_draw",
        request=ErrorSampleDraft,
        responses={200: ErrorSampleShape, **ERRORS},
    )
    def post(self, request: Request, study: str) -> Response:
        """Draw the labels that reviewers check to bound the share of wrong final labels. A new sample replaces the
        previous one. With `dry_run`, only the number of labels is returned.
        """
        target = self.study(study, may=Action.DECIDE)
        sent = self.validated(ErrorSampleDraft)

        def draw() -> Response:
            if sent["dry_run"]:
                now = labels_now(target)
                (offer,) = offers(target, now, [sent["wanted"]])
                planned = {"report": now.report, "wanted": offer.wanted, "labels": offer.labels}
                return Response(ErrorSampleShape(planned).data)
            draw_error_sample(target.pk, wanted=sent["wanted"], user=self.user)
            return Response(ErrorSampleShape(error_sample(target)).data)

        return self.run_once(draw)


class ShareShape(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")

    class Meta:
        model = ReportShare
        fields = ["id", "created_at", "expires_at", "with_items"]


class ShareRequest(serializers.Serializer):
    days = serializers.IntegerField(min_value=1, max_value=MOST_DAYS, default=30)
    with_items = serializers.BooleanField(
        default=False, help_text="Whether the page shows the items with their texts and offers the main file."
    )


class CreatedShareShape(ShareShape):
    url = serializers.URLField(read_only=True, help_text="The URL of the link, which is shown only once.")

    class Meta(ShareShape.Meta):
        fields = [*ShareShape.Meta.fields, "url"]


class SharesView(ResearchView):
    @extend_schema(tags=["results"], responses={200: ShareShape(many=True), **ERRORS})
    def get(self, request: Request, study: str, number: int) -> Response:
        """Return the active links to a results report, newest first."""
        report = self.results_report(self.study(study, may=Action.SHARE_REPORTS), number)
        return Response(ShareShape(shares_of(report), many=True).data)

    @extend_schema(tags=["results"], request=ShareRequest, responses={201: CreatedShareShape, **ERRORS})
    def post(self, request: Request, study: str, number: int) -> Response:
        """Create a link that lets anyone read the main figures of a results report, without pseudonyms."""
        report = self.results_report(self.study(study, may=Action.SHARE_REPORTS), number)
        share, token = share_report(report.pk, **self.validated(ShareRequest), user=self.user)
        url = request.build_absolute_uri(reverse("shared-report", args=[token]))
        return Response({**ShareShape(share).data, "url": url}, status=status.HTTP_201_CREATED)


class ShareView(ResearchView):
    @extend_schema(tags=["results"], responses={204: None, **ERRORS})
    def delete(self, request: Request, study: str, number: int, share: str) -> Response:
        """Revoke a link to a report."""
        report = self.results_report(self.study(study, may=Action.REVOKE_REPORT_LINKS), number)
        stored = existing(report.shares.filter(public_id=share).first(), "This report has no link with this ID.")
        revoke_share(stored.pk, user=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ReportRow(serializers.ModelSerializer):
    class Meta:
        model = Report
        fields = ["kind", "number", "created_at", "parameters", "seed", "versions", "input_sha256"]


class ReportShape(ReportRow):
    result = serializers.JSONField()
    by_group = serializers.SerializerMethodField(
        help_text="Agreement by group, from whole batches of annotators. `null` without batches, or after a batch of "
        "the report was removed."
    )

    class Meta(ReportRow.Meta):
        fields = [*ReportRow.Meta.fields, "result", "by_group"]

    def get_by_group(self, report: Report) -> dict[str, Any] | None:
        return shown_by_group(report)


class ReportRequest(serializers.Serializer):
    kind = serializers.SlugField(default="results", max_length=30)


class ExportRow(serializers.Serializer):
    filename = serializers.CharField()
    content_type = serializers.CharField()
    description = serializers.CharField()
    note = serializers.CharField()
    schema = serializers.SerializerMethodField(help_text="Path of the file's JSON Schema.")

    def get_schema(self, export: Export) -> str:
        return reverse("file-schema", args=[schema_name(self.context["task"], export)])


class EventShape(serializers.ModelSerializer):
    user = serializers.CharField(source="user.email", default=None, allow_null=True)
    annotator = serializers.CharField(source="participation.pseudonym", default=None, allow_null=True)

    class Meta:
        model = Event
        fields = ["at", "verb", "user", "annotator", "reason", "detail"]


class FigureValueShape(serializers.Serializer):
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True, help_text="Lower end of the 95% interval.")
    high = serializers.FloatField(allow_null=True, help_text="Upper end of the 95% interval.")


class ComparedFigureShape(serializers.Serializer):
    name = serializers.CharField(source="row.name")
    first = FigureValueShape()
    second = FigureValueShape()
    difference = serializers.FloatField(allow_null=True, help_text="The second value minus the first value.")


class ComparedTableShape(serializers.Serializer):
    title = serializers.CharField()
    rows = ComparedFigureShape(many=True)


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
            raise invalid("kind", f"There is no report of kind {body['kind']}. Kinds of reports: {', '.join(kinds)}.")
        return self.started(request_job(reported_study, f"report:{body['kind']}", user=self.user))


class ReportView(ResearchView):
    @extend_schema(tags=["results"], responses={200: ReportShape, **ERRORS})
    def get(self, request: Request, study: str, kind: str, number: int) -> Response:
        """Return a report with its parameters, seed, versions, input checksum and results."""
        report = existing(
            self.study(study).reports.defer("input", "people").filter(kind=kind, number=number).first(),
            "This study has no report with this number.",
        )
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
        task = tasktypes.get(self.study(study).task_type)
        return Response(ExportRow(exports_for(task), many=True, context={"task": task}).data)


class ExportView(ResearchView):
    file_methods = ("GET",)

    @extend_schema(tags=["results"], responses={(200, "*/*"): OpenApiTypes.BINARY, **ERRORS})
    def get(self, request: Request, study: str, filename: str) -> StreamingHttpResponse:
        """Return one of the study's export files."""
        export, chunks = write_export(self.study(study), filename)
        return attachment(chunks, export.filename, export.content_type)


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
