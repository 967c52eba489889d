"""The API for links to reports, which work for people who are not members of the study."""

from __future__ import annotations

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.models import ReportShare
from annotate.results.selectors.report_shares import shares_of
from annotate.results.services.report_shares import MOST_DAYS, revoke_share, share_report
from annotate.server.refusals import Refused
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import ResearchView


class ShareShape(serializers.ModelSerializer):
    id = serializers.CharField(source="public_id")

    class Meta:
        model = ReportShare
        fields = ["id", "created_at", "expires_at"]


class ShareRequest(serializers.Serializer):
    days = serializers.IntegerField(min_value=1, max_value=MOST_DAYS, default=30)


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
        """Create a link that lets anyone read the main figures of a results report, without item texts, IDs or
        pseudonyms.
        """
        report = self.results_report(self.study(study, may=Action.SHARE_REPORTS), number)
        share, token = share_report(report.pk, days=self.validated(ShareRequest)["days"], user=self.user)
        url = request.build_absolute_uri(reverse("shared-report", args=[token]))
        return Response({**ShareShape(share).data, "url": url}, status=status.HTTP_201_CREATED)


class ShareView(ResearchView):
    @extend_schema(tags=["results"], responses={204: None, **ERRORS})
    def delete(self, request: Request, study: str, number: int, share: str) -> Response:
        """Revoke a link to a report."""
        report = self.results_report(self.study(study, may=Action.REVOKE_REPORT_LINKS), number)
        stored = report.shares.filter(public_id=share).first()
        if stored is None:
            raise Refused("unknown", "This report has no link with this ID.", status=404)
        revoke_share(stored.pk, user=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)
