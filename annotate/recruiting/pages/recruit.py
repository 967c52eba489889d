"""The page Recruit, which shows how annotators reach the study and what other ways are available."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.models import Study
from annotate.server.own_names import is_local
from annotate.tasktypes import extensions
from annotate.web.pages.access import ConsoleRequest, has_only_groups, join_url, study_page


@study_page()
@require_safe
def recruit(request: ConsoleRequest, study: Study) -> HttpResponse:
    offered = [way for way in extensions.ways() if request.console.may[way.action] and way.offered(study)]
    ways = [(way, way.use(study)) for way in offered]
    url = join_url(request, study)
    context = {
        "study": study,
        "join_url": url,
        "local": is_local(url),
        "only_groups": has_only_groups(study),
        "used": [(way, use) for way, use in ways if use],
        "unused": [way for way, use in ways if not use],
    }
    return render(request, "recruiting/recruit.html", context)
