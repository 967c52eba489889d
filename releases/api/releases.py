"""The API for releases. Accord stores only the version and checksum of a release, in the audit log."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import ResearchView
from releases.contents.folder import About
from releases.services.releases import as_zip, make_release

from . import shapes

LATEST = 100


class ReleasesView(ResearchView):
    file_methods = ("POST",)

    @extend_schema(
        tags=["results"],
        operation_id="releases_list",
        responses={200: shapes.ReleaseShape(many=True), **ERRORS},
    )
    def get(self, request: Request, study: str) -> Response:
        """Return the study's latest 100 releases, newest first."""
        released = self.study(study).events.filter(verb="released").select_related("user")
        rows = [
            {**event.detail, "released_at": event.at, "user": event.user and event.user.email}
            for event in released.order_by("-at", "-pk")[:LATEST]
        ]
        return Response(shapes.ReleaseShape(rows, many=True).data)

    @extend_schema(
        tags=["results"],
        request=shapes.ReleaseDraft,
        responses={(200, "application/zip"): OpenApiTypes.BINARY, **ERRORS},
    )
    def post(self, request: Request, study: str) -> HttpResponse:
        """Create a release from the latest results report, and return it as a zip file. The error `stale` means that
        answers have changed since the report was calculated.

        If gold questions are sealed, the header `Release-Key` contains the key. Keep it, because Accord does not.
        """
        released = self.study(study, may=Action.MANAGE)
        about = self.validated(shapes.ReleaseDraft)
        release = make_release(released.pk, About(published=timezone.now().date(), **about), user=self.user)
        return HttpResponse(
            as_zip(release),
            content_type="application/zip",
            headers={
                "Content-Disposition": f'attachment; filename="{release.name}.zip"',
                **({"Release-Key": release.key} if release.key else {}),
            },
        )
