"""The page with the URL and the key for a panel other than Prolific."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.core.permissions import Action
from annotate.core.setting_steps import setting_place
from annotate.models import Study
from annotate.recruiting.panels import PANELS, panel_url, signing_key
from annotate.web.pages.access import ConsoleRequest, join_url, study_page


@study_page(Action.CHANGE_SETTINGS)
@require_safe
def panel(request: ConsoleRequest, study: Study) -> HttpResponse:
    context = {
        "study": study,
        "recruits": study.recruitment == Study.Recruitment.PANEL,
        "panel": PANELS[study.identity_parameter],
        "url": panel_url(join_url(request, study), study),
        "key": signing_key(study),
        "place": request.console.home + setting_place("recruitment"),
        "return_place": request.console.home + setting_place("return_url"),
    }
    return render(request, "recruiting/panel.html", context)
