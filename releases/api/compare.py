"""The API for comparisons of a study with a repeat."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.server.refusals import existing, invalid
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.plain import PlainJSONParser
from annotate.web.api.research import ResearchView
from annotate.web.api.shapes import JobShape
from releases.selectors.compare import comparisons
from releases.services.compare import Uploaded, request_comparison

from . import shapes


class ComparisonView(ResearchView):
    body_limit = "upload"
    parser_classes = [PlainJSONParser, MultiPartParser]

    @extend_schema(tags=["results"], responses={200: shapes.RepeatComparisonShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return the latest comparison with a repeat: the agreement of final results, the predicted intervals, the
        agreement between annotators, and the settings that differ.
        """
        report = existing(comparisons(self.study(study)).first(), "This study has not been compared with a repeat.")
        return Response(shapes.RepeatComparisonShape(report).data)

    @extend_schema(tags=["results"], request=shapes.RepeatComparisonRequest, responses={202: JobShape, **ERRORS})
    def post(self, request: Request, study: str) -> Response:
        """Request the comparison with another study that you can see, or with a release. A job calculates it."""
        target = self.study(study, may=Action.CALCULATE_REPORTS)
        sent = self.validated(shapes.RepeatComparisonRequest)
        if bool(sent["other"]) == bool(sent.get("file")):
            raise invalid("other", "Send either the ID of a study or the zip file of a release.")
        file = sent.get("file")
        other = Uploaded(file.name, file.read()) if file else self.study(sent["other"])
        return self.started(request_comparison(target, other, is_original=sent["is_original"], user=self.user))
