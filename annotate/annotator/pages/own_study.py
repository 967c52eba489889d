"""The pages about the study and the annotator's rights: consent, contact, withdrawal, changed instructions, and the
download of an annotator's own data.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotate.core.selectors.participations import current_consent
from annotate.core.services import returns
from annotate.models import Annotator, Guidelines, Participation
from annotate.pay.selectors.balances import ZERO
from annotate.pay.selectors.own import receipt
from annotate.people.selectors.own_data import own_data
from annotate.server.refusals import Refused
from annotate.studies.services.settings import mark_read
from annotate.web.pages.remembered import for_annotators, participation_or_404
from annotate.web.text_changes import text_changes

CHOICES = ("keep", "exclude")


@for_annotators
@never_cache
@require_safe
def about(request: HttpRequest, study_id: str) -> HttpResponse:
    """Show the contact details, the ethics protocol, the terms of payment and the consent text that the annotator
    accepted.
    """
    participation = participation_or_404(request, study_id)
    context = {
        "study": participation.study,
        "participation": participation,
        "consent": participation.consent if participation.consent and participation.consent.text else None,
        "current": current_consent(participation.study),
        "has_personal_link": hasattr(participation, "named"),
    }
    return render(request, "annotator/study.html", context)


@for_annotators
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, study_id: str) -> HttpResponse:
    """Let the annotator withdraw from the study in two steps: a choice and a confirmation."""
    participation = participation_or_404(request, study_id)
    if participation.annotator.platform == Annotator.Platform.TRY or participation.excludes_answers:
        return redirect("annotator:hub", study_id)
    choice, refusal, status = request.POST.get("answers", ""), "", 200
    if request.method == "POST" and choice not in CHOICES:
        refusal, status = _("Choose what happens to your answers."), 400
    elif request.POST.get("confirmed"):
        try:
            returns.withdraw(participation.pk, keep_answers=choice == "keep")
        except Refused as refused:
            refusal, status = refused.message, refused.status
        else:
            return redirect("annotator:hub", study_id)
    context = {
        "study": participation.study,
        "participation": participation,
        "choice": choice if choice in CHOICES else "",
        "refusal": refusal,
        "owed": max(ZERO, receipt(participation).owed),
    }
    return render(request, "annotator/withdraw.html", context, status=status)


@for_annotators
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def guidelines(request: HttpRequest, study_id: str) -> HttpResponse:
    """Compare the current guidelines with the version last read by the annotator. A POST request marks a version as
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
    return render(request, "annotator/guidelines.html", context)


def _version_read(participation: Participation) -> Guidelines | None:
    """Return the version last read by the annotator, or None if it is the current version."""
    study = participation.study
    if participation.guidelines_read >= study.guidelines_version:
        return None
    return study.guidelines.filter(version=participation.guidelines_read).first()


@for_annotators
@never_cache
@require_safe
def download(request: HttpRequest, study_id: str) -> HttpResponse:
    """Return all data stored in the study about the annotator in this browser, as JSON."""
    participation = participation_or_404(request, study_id)
    response = JsonResponse(own_data(participation), json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="{participation.pseudonym}.json"'
    return response
