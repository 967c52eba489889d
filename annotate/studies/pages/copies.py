"""The actions that copy a study or delete a draft."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from annotate.core.permissions import Action
from annotate.core.services.jobs import request_job
from annotate.models import Study
from annotate.studies.services.copies import copy_study
from annotate.studies.services.drafts import delete_draft
from annotate.web.pages.access import ConsoleRequest, study_page


@study_page(Action.COPY)
@require_POST
def copy(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Copy the study, and show the items page of the copy. A background job copies the items."""
    wanted = request.POST
    copied = copy_study(study.pk, user=request.user, title=wanted.get("title", "")[:200], members="members" in wanted)
    if "items" in wanted:
        contents = {"source": study.public_id, "gold": "gold" in wanted}
        request_job(copied, "copy", parameters=contents, user=request.user)
    messages.success(request, f"This draft is a copy of “{study.title}”.")
    return redirect("console:items", copied.public_id)


@study_page(Action.DELETE_DRAFT)
@require_POST
def delete(request: ConsoleRequest, study: Study) -> HttpResponse:
    """Delete the draft, and show the list of studies."""
    delete_draft(study.pk, user=request.user)
    messages.success(request, f"The draft “{study.title}” has been deleted.")
    return redirect("console:studies")
