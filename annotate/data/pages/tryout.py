"""The try-out page, which shows a study to a researcher as annotators would see it. Answers in a try-out never
count.
"""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from annotate.core.permissions import Action
from annotate.models import Study
from annotate.recruiting.services.join import start_tryout
from annotate.web.pages.access import ConsoleRequest, study_page
from annotate.web.pages.remembered import remember


@study_page(Action.TRY_OUT, back="design/")
@require_POST
def try_(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Start a new try-out, beginning with the consent text and the practice questions."""
    participation = start_tryout(study, user=request.user)
    return remember(request, redirect("annotator:hub", study.public_id), participation)
