"""The switch on the members page for e-mails about new entries of the to-do list."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from annotate.console.services import set_todo_mail
from annotate.models import Study
from annotate.web.pages.access import ConsoleRequest, study_page


@study_page()
@require_POST
def todo_mail(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Turn the user's e-mails about new to-do list entries on or off."""
    wanted = "wanted" in request.POST
    set_todo_mail(study.pk, user=request.user, wanted=wanted)
    change = "turned on" if wanted else "turned off"
    messages.success(request, f"E-mails about new to-do entries are {change}.")
    return redirect("console:members", study.public_id)
