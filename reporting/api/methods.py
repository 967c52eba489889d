"""The API for the methods section of a paper about a study."""

from __future__ import annotations

from pathlib import Path

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.web.api.error_codes import ERRORS
from annotate.web.api.research import ResearchView
from reporting.selectors.methods import current_methods


class MethodsShape(serializers.Serializer):
    files = serializers.DictField(
        child=serializers.CharField(),
        help_text="Texts by file name: `methods.tex`, `numbers.tex`, `methods.bib`, `methods.md` and `methods.html`.",
    )
    open = serializers.ListField(child=serializers.CharField(), help_text="What only the authors can state.")


class MethodsView(ResearchView):
    @extend_schema(tags=["results"], responses={200: MethodsShape, **ERRORS})
    def get(self, request: Request, study: str) -> Response:
        """Return the methods section of a paper about the study, from the latest results report and the current
        answers.
        """
        section = current_methods(self.study(study))
        files = {Path(path).name: content.decode() for path, (content, _) in section.files().items()}
        return Response(MethodsShape({"files": files, "open": section.open}).data)
