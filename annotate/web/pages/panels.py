"""Pages that a task type or another application adds to the console."""

from __future__ import annotations

from django.http import Http404, HttpResponse

from annotate.models import Study
from annotate.tasktypes import extensions
from annotate.web.body_limits import body_limit

from .access import ConsoleRequest, study_page


@study_page()
@body_limit("upload")
def panel(request: ConsoleRequest, study: Study, panel: str) -> HttpResponse:
    """Show the page with this name from the study's task type or from another application."""
    for each in [*extensions.task_panels(study), *extensions.panels(study)]:
        if each.slug == panel:
            if request.method == "POST":
                request.console.require(each.post)
            response: HttpResponse = each.respond(request, study)
            return response
    raise Http404("no such page")
