"""What comes out: answers, annotators, reports, jobs, downloads, the log."""

from __future__ import annotations

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate import tasktypes
from annotate.models import Answer, Participation, Study
from annotate.refusals import Refused
from annotate.selectors.downloads import exports_of, write_export
from annotate.services.jobs import ask_for
from annotate.services.standing import restore, stop

from . import shapes
from .annotation import ERRORS
from .research import PAGING, ResearchView, pages_of


class AnswersView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="answers_list",
        parameters=PAGING,
        responses={200: pages_of(shapes.AnswerShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Given answers under pseudonyms; researchers' try-outs are left out."""
        found = self.study(study)
        given = (
            Answer.objects.filter(assignment__study=found, given_at__isnull=False)
            .exclude(assignment__kind="try")
            .select_related("question", "participation", "assignment")
            .order_by("pk")
        )
        return self.page(given, shapes.AnswerShape)


class AnnotatorsView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="annotators_list",
        parameters=PAGING,
        responses={200: pages_of(shapes.AnnotatorShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Annotators with their standing and what grading gold gave."""
        people = self.study(study).participations.exclude(annotator__platform="try").select_related("annotator")
        return self.page(people.order_by("pk"), shapes.AnnotatorShape)


class StopView(ResearchView):
    @extend_schema(tags=["results"], request=shapes.ReasonShape, responses={204: None, **ERRORS})
    def post(self, request: Request, study: str, pseudonym: str) -> Response:
        """Stop an annotator; their answers cease to count and their slots open again."""
        who = _participation(self.study(study, may="review"), pseudonym)
        stop(who.pk, reason=self.validated(shapes.ReasonShape)["reason"], user=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class RestoreView(ResearchView):
    @extend_schema(tags=["results"], request=shapes.ReasonShape, responses={200: shapes.RestoredShape, **ERRORS})
    def post(self, request: Request, study: str, pseudonym: str) -> Response:
        """Reverse a stop; says how many HITs count again."""
        who = _participation(self.study(study, may="review"), pseudonym)
        done = restore(who.pk, reason=self.validated(shapes.ReasonShape)["reason"], user=self.user)
        return Response(vars(done))


class ReportsView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="reports_list",
        parameters=PAGING,
        responses={200: pages_of(shapes.ReportRow), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Reports, newest first, without their results."""
        reports = self.study(study).reports.defer("input", "result", "people").order_by("-pk")
        return self.page(reports, shapes.ReportRow)

    @extend_schema(tags=["results"], request=shapes.ReportWanted, responses={202: shapes.JobShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Ask for a report; a job computes it."""
        found = self.study(study, may="review")
        wanted = self.validated(shapes.ReportWanted)
        kinds = tasktypes.get(found.task_type).reports
        if wanted["kind"] not in kinds:
            message = f"There is no report {wanted['kind']}; there are {', '.join(kinds)}."
            raise Refused("invalid", message, status=400, fields={"kind": [message]})
        job = ask_for(found, f"report:{wanted['kind']}", parameters={"splits": wanted["splits"]}, user=self.user)
        return Response(shapes.JobShape(job).data, status=status.HTTP_202_ACCEPTED)


class ReportView(ResearchView):
    @extend_schema(tags=["results"], responses={200: shapes.ReportShape, **ERRORS})
    def get(self, request: Request, study: str, kind: str, number: int) -> Response:
        """A report: parameters, seed, versions, input's checksum and result."""
        report = self.study(study).reports.defer("input", "people").filter(kind=kind, number=number).first()
        if report is None:
            raise Refused("unknown", "There is no such report.", status=404)
        return Response(shapes.ReportShape(report).data)


class JobsView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="jobs_list",
        parameters=PAGING,
        responses={200: pages_of(shapes.JobShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Jobs, newest first."""
        return self.page(self.study(study).jobs.select_related("report").order_by("-pk"), shapes.JobShape)


class JobView(ResearchView):
    @extend_schema(tags=["results"], responses={200: shapes.JobShape, **ERRORS})
    def get(self, request: Request, study: str, job: str) -> Response:
        """A job with its progress."""
        found = self.study(study).jobs.select_related("report").filter(public_id=job).first()
        if found is None:
            raise Refused("unknown", "There is no such job.", status=404)
        return Response(shapes.JobShape(found).data)


class ExportsView(ResearchView):
    @extend_schema(tags=["results"], responses={200: shapes.ExportRow(many=True), **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """The files that the study can be downloaded as."""
        return Response(shapes.ExportRow(exports_of(self.study(study)), many=True).data)


class ExportView(ResearchView):
    @extend_schema(tags=["results"], responses={(200, "*/*"): OpenApiTypes.BINARY, **ERRORS})
    def get(self, request: Request, study: str, filename: str) -> StreamingHttpResponse:
        """One of those files."""
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
        parameters=PAGING,
        responses={200: pages_of(shapes.EventShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """The audit log, newest first."""
        events = self.study(study).events.select_related("user", "participation").order_by("-pk")
        return self.page(events, shapes.EventShape)


def _participation(study: Study, pseudonym: str) -> Participation:
    found = study.participations.filter(pseudonym=pseudonym).first()
    if found is None:
        raise Refused("unknown", "There is no such annotator.", status=404)
    return found
