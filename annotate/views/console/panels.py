"""Pages that a task type or another application adds to the console."""

from __future__ import annotations

from django.http import Http404, HttpResponse

from annotate import extensions, tasktypes
from annotate.body_limits import body_limit
from annotate.models import Study

from .access import ConsoleRequest, study_page


@study_page()
@body_limit("upload")
def panel(request: ConsoleRequest, study: Study, panel: str) -> HttpResponse:
    """Show the page with this name, which belongs to the task type of the study or to another application."""
    for each in [*tasktypes.get(study.task_type).console_panels(), *extensions.panels(study)]:
        if each.slug == panel:
            response: HttpResponse = each.view(request, study)
            return response
    raise Http404("no such page")
