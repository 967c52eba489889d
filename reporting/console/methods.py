"""The methods section of a study on the page *Report it*, and its files."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from django.http import Http404, HttpResponseBase
from django.utils.safestring import mark_safe

from annotate.toolkit import ConsoleRequest, Refused, Study, attachment, study_page
from reporting.methods.document import MethodsSection
from reporting.selectors.methods import current_methods


def methods_of(study: Study) -> MethodsSection | None:
    """Return the methods section, or None if there are no results to report."""
    try:
        return current_methods(study)
    except Refused:
        return None


def methods_context(study: Study) -> dict[str, Any]:
    """Return the context of the panel with the section, whose texts are all escaped."""
    section = methods_of(study)
    if section is None:
        return {}
    return {"methods": section, "methods_preview": mark_safe(section.html(level=3))}  # noqa: S308


@study_page()
def methods_archive(request: ConsoleRequest, study: Study) -> HttpResponseBase:
    """Return the files of the methods section as a zip file."""
    section = methods_of(study)
    if section is None:
        raise Http404("no results to report")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, (content, _) in section.files().items():
            archive.writestr(path, content)
    return attachment([buffer.getvalue()], f"{study.public_id}-methods.zip", "application/zip")
