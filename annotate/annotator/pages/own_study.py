"""The pages about the study and the annotator's rights: consent, contact and withdrawal."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotate.core.selectors.participations import current_consent
from annotate.core.services import returns
from annotate.models import Annotator
from annotate.pay.selectors.own_pay import receipt
from annotate.pay.selectors.pay import ZERO
from annotate.server.refusals import Refused
from annotate.web.pages.remembered import for_annotators, participation_or_404

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
    }
    return render(request, "annotate/study.html", context)


@for_annotators
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, study_id: str) -> HttpResponse:
    """Let the annotator withdraw from the study in two steps, which are a choice and a confirmation."""
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
    return render(request, "annotate/withdraw.html", context, status=status)
