"""Pages that a task type or another application adds to the console."""

from __future__ import annotations

from django.http import Http404, HttpResponse

from annotate import extensions
from annotate.body_limits import body_limit
from annotate.models import Study
from annotate.refusals import Refused

from .access import ConsoleRequest, study_page


@study_page()
@body_limit("upload")
def panel(request: ConsoleRequest, study: Study, panel: str) -> HttpResponse:
    """Show the page with this name, which belongs to the study's task type or to another application."""
    for each in [*extensions.task_panels(study), *extensions.panels(study)]:
        if each.slug == panel:
            if request.method == "POST" and each.post != "look" and not request.console.may[each.post]:
                raise Refused("forbidden", f"Your role does not allow changes on the page {each.title}.", status=404)
            response: HttpResponse = each.respond(request, study)
            return response
    raise Http404("no such page")
