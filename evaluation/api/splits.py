"""The API for a study's train, dev and test splits."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.core.permissions import Action
from annotate.server.refusals import existing
from annotate.web.api.conditional import ConditionalView
from annotate.web.api.error_codes import ERRORS
from evaluation.selectors.splits import split_settings
from evaluation.services.splits import SplitChoice, choose_split, remove_split

from . import shapes


class SplitView(ConditionalView):
    @extend_schema(tags=["results"], responses={200: shapes.SplitShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return the settings of the train, dev and test splits."""
        settings = existing(split_settings(self.study(study)), "This study is not divided into train, dev and test.")
        return Response(shapes.SplitShape(settings).data)

    @extend_schema(tags=["results"], request=shapes.SplitShape, responses={200: shapes.SplitShape, **ERRORS})
    def put(self, request: Request, study: str) -> Response:
        """Divide the items into train, dev and test. Releases contain each item's split in `data/splits.csv` and in the
        `split` column of the other tables.
        """
        divided = self.study(study, may=Action.MANAGE)
        choice = SplitChoice(**self.validated(shapes.SplitShape))
        return Response(shapes.SplitShape(choose_split(divided.pk, choice, user=self.user)).data)

    @extend_schema(tags=["results"], responses={204: None, **ERRORS})
    def delete(self, request: Request, study: str) -> Response:
        """Remove the parts. Later releases contain no splits, and systems are scored on all items."""
        remove_split(self.study(study, may=Action.MANAGE).pk, user=self.user)
        return Response(status=status.HTTP_204_NO_CONTENT)
