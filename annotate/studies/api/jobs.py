"""The API for background jobs."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.services.jobs import action_of, request_job
from annotate.models import Job, Study
from annotate.server.refusals import Refused
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import PAGING, ResearchView, pages_of
from annotate.web.api.shapes import JobShape


class JobsView(ResearchView):
    @extend_schema(
        tags=["results"],
        operation_id="jobs_list",
        parameters=PAGING,
        responses={200: pages_of(JobShape), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return jobs, newest first."""
        return self.page(self.study(study).jobs.select_related("report").order_by("-pk"), JobShape)


class JobView(ResearchView):
    @extend_schema(tags=["results"], responses={200: JobShape, **ERRORS})
    def get(self, request: Request, study: str, job: str) -> Response:
        """Return a job with its progress."""
        return Response(JobShape(_job(self.study(study), job)).data)


class JobAgainView(ResearchView):
    @extend_schema(tags=["results"], request=None, responses={202: JobShape, **ERRORS})
    def post(self, request: Request, study: str, job: str) -> Response:
        """Restart a failed job as a new job. Your role must allow the action that the job performs."""
        failed = _job(self.study(study), job)
        action, parameters = action_of(failed), dict(failed.parameters)
        if failed.state != Job.State.FAILED or action is None:
            raise Refused("not-failed", "Only a failed job can be restarted.")
        owner = self.study(study, may=action)
        restarted = request_job(owner, parameters.pop("work"), parameters=parameters, user=self.user)
        return Response(JobShape(restarted).data, status=status.HTTP_202_ACCEPTED)


def _job(study: Study, public_id: str) -> Job:
    job = study.jobs.select_related("report").filter(public_id=public_id).first()
    if job is None:
        raise Refused("unknown", "This study has no job with this ID.", status=404)
    return job
