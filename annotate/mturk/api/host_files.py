"""The API for files in Mechanical Turk format, which other hosts can read."""

from __future__ import annotations

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from annotate.core.permissions import Action
from annotate.mturk.selectors import FILES, results_csv
from annotate.server.refusals import existing
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import ResearchView
from annotate.web.attachments import attachment

FILENAMES = [file.filename for file in FILES]
FILENAME = OpenApiParameter(
    "filename", str, OpenApiParameter.PATH, enum=FILENAMES, description=f"Name of the file: {', '.join(FILENAMES)}."
)


class HostResultsView(ResearchView):
    file_methods = ("GET",)

    @extend_schema(tags=["results"], responses={(200, "text/csv"): OpenApiTypes.STR, **ERRORS})
    def get(self, request: Request, study: str) -> StreamingHttpResponse:
        """Return the study's results in Mechanical Turk format, with pseudonyms instead of worker IDs."""
        return attachment(results_csv(self.study(study)), "mturk-results.csv")


class HostFileView(ResearchView):
    file_methods = ("GET",)

    @extend_schema(tags=["results"], parameters=[FILENAME], responses={(200, "text/csv"): OpenApiTypes.STR, **ERRORS})
    def get(self, request: Request, study: str, filename: str) -> StreamingHttpResponse:
        """Return a file with worker IDs for the host: payment decisions, workers to qualify or exclude, or bonuses."""
        target = self.study(study, may=Action.SEE_PLATFORM_IDS)
        message = f"Accord does not write a file named “{filename}”. Request one of {', '.join(FILENAMES)}."
        file = existing(next((file for file in FILES if file.filename == filename), None), message)
        return attachment(file.write(target), file.filename)
