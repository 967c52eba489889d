"""The page that shows annotators how the instructions have changed."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotate.models import Guidelines, Participation
from annotate.studies.services.guidelines import mark_read
from annotate.web.pages.remembered import for_annotators, participation_or_404
from annotate.web.text_changes import text_changes


@for_annotators
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def guidelines(request: HttpRequest, study_id: str) -> HttpResponse:
    """Compare the current guidelines with the version that the annotator has read. A POST request marks a version as
    read.
    """
    participation = participation_or_404(request, study_id)
    study = participation.study
    if request.method == "POST":
        version = request.POST.get("version", "")
        if version.isdecimal():
            mark_read(participation.pk, int(version[:9]))
        return redirect("annotator:hub", study_id)
    read = _version_read(participation)
    context = {
        "study": study,
        "participation": participation,
        "read": read,
        "instructions": text_changes(read.instructions, study.instructions) if read else [],
        "examples": text_changes(read.examples, study.examples) if read else [],
    }
    return render(request, "annotate/guidelines.html", context)


def _version_read(participation: Participation) -> Guidelines | None:
    """Return the version that the annotator has read, or None if it is the current version."""
    study = participation.study
    if participation.guidelines_read >= study.guidelines_version:
        return None
    return study.guidelines.filter(version=participation.guidelines_read).first()
