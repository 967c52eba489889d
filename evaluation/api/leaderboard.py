"""The API for a study's public leaderboard."""

from __future__ import annotations

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.server.refusals import existing
from annotate.web.api.conditional import ConditionalView
from annotate.web.api.error_codes import ERRORS
from evaluation.models import PublicTable
from evaluation.services.systems import publish_table, withdraw_table

from . import shapes


class LeaderboardView(ConditionalView):
    @extend_schema(tags=["systems"], responses={200: shapes.LeaderboardShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return the heading and URL of the public leaderboard."""
        table = existing(
            PublicTable.objects.select_related("study").filter(study=self.study(study)).first(),
            "The leaderboard of this study is not public.",
        )
        return self._shown(table)

    @extend_schema(
        tags=["systems"], request=shapes.LeaderboardDraft, responses={200: shapes.LeaderboardShape, **ERRORS}
    )
    def put(self, request: Request, study: str) -> Response:
        """Publish the leaderboard, or change its heading. The leaderboard shows only systems that are public."""
        published = self.study(study, may=Action.MANAGE)
        heading = self.validated(shapes.LeaderboardDraft)["heading"]
        return self._shown(publish_table(published.pk, heading=heading, user=self.user))

    @extend_schema(tags=["systems"], responses={204: None, **ERRORS})
    def delete(self, request: Request, study: str) -> Response:
        """Make the leaderboard private again."""
        withdraw_table(self.study(study, may=Action.MANAGE).pk, user=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)

    def _shown(self, table: PublicTable) -> Response:
        url = self.request.build_absolute_uri(reverse("evaluation:systems", args=[table.study.public_id]))
        body = {"heading": table.heading, "url": url, "published_at": table.published_at}
        return Response(shapes.LeaderboardShape(body).data)
