"""The pages on which annotators create a resume code, e-mail themselves a link with the code, and continue with it."""

from __future__ import annotations

import logging
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.core.validators import validate_email
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotate.models import Participation
from annotate.recruiting.services import join as joining
from annotate.server.refusals import Refused
from annotate.web.pages.flood import limit_codes, limit_own_mails
from annotate.web.pages.remembered import (
    for_annotators,
    forget_code,
    hand_over_code,
    handed_over_code,
    participation_or_404,
    remember,
)

log = logging.getLogger(__name__)


@for_annotators
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def code(request: HttpRequest, study_id: str) -> HttpResponse:
    """On a POST request, create a resume code and show it on the next page, which can be reloaded for one minute."""
    participation = participation_or_404(request, study_id)
    study = participation.study
    if request.method == "POST":
        issued = joining.issue_resume_code(participation.pk)
        return hand_over_code(redirect("annotator:code", study_id), study, issued.code)
    return forget_code(_code_page(request, participation, handed_over_code(request, study)), study)


@for_annotators
@never_cache
@require_POST
def mail_code(request: HttpRequest, study_id: str) -> HttpResponse:
    """Send the link with the annotator's resume code to an address that is not stored, and show the code again.

    The database contains only a hash of the code, so the form contains the code.
    """
    participation = participation_or_404(request, study_id)
    own_code, email = request.POST.get("code", ""), request.POST.get("email", "").strip()
    try:
        limit_codes(request)
        if joining.resume(own_code) != participation:
            return redirect("annotator:code", study_id)
        _send_link(participation, own_code, email)
    except Refused as refused:
        if "code" in refused.fields:  # the code was replaced in another window
            return redirect("annotator:code", study_id)
        context = {"refusal": refused, "email": email}
        return _code_page(request, participation, own_code, status=refused.status, **context)
    return _code_page(request, participation, own_code, sent_to=email)


@for_annotators
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def resume(request: HttpRequest, code: str = "") -> HttpResponse:
    """Let an annotator who has a resume code continue on this device. A link can contain the code, but only the form
    continues the study, so link previews have no effect.
    """
    refusal = None
    if request.method == "POST":
        code = request.POST.get("code", "")
        try:
            limit_codes(request)
            participation = joining.resume(code)
        except Refused as refused:
            refusal = refused
        else:
            return remember(request, redirect("annotator:hub", participation.study.public_id), participation)
    context = {"refusal": refusal, "typed": code}
    return render(request, "annotator/resume.html", context, status=refusal.status if refusal else 200)


def resume_url(request: HttpRequest) -> str:
    """Return the URL of the page for entering a resume code."""
    return request.build_absolute_uri(reverse("annotator:resume"))


def _send_link(participation: Participation, own_code: str, email: str) -> None:
    """Send the link to the address. Raises `Refused` with the code `invalid`, `too-many`, or `mail`."""
    if not settings.EMAIL_HOST:
        raise Refused("mail", _("This server cannot send e-mail."), status=503)
    try:
        validate_email(email)
    except ValidationError:
        raise Refused("invalid", _("Enter a valid e-mail address."), status=400) from None
    limit_own_mails(participation, email)
    paragraphs = (
        _("With this link, you can continue in the study “%(title)s” on any device:")
        % {"title": participation.study.title},
        settings.SITE_URL + reverse("annotator:resume-link", args=[own_code]),
        _("Keep the link to yourself: anyone who has it can continue in your place."),
        _("If you did not request this e-mail, you can ignore it. Your address is not stored."),
    )
    try:
        send_mail(_("Your link to the study"), "\n\n".join(paragraphs), None, [email])
    except (OSError, ValueError) as error:  # includes smtplib errors and addresses that cannot be encoded
        log.warning("An e-mail with a return link could not be sent: %s", type(error).__name__)
        raise Refused(
            "mail", _("The e-mail could not be sent. Copy the link, or try again later."), status=503
        ) from error


def _code_page(
    request: HttpRequest, participation: Participation, own_code: str, *, status: int = 200, **more: Any
) -> HttpResponse:
    study = participation.study
    context = {
        "study": study,
        "participation": participation,
        "code": own_code,
        "link": _link(request, own_code) if own_code else "",
        "until": joining.codes_expire_at(study),
        "resume_url": resume_url(request),
        "can_mail": bool(settings.EMAIL_HOST),
        **more,
    }
    return render(request, "annotator/code.html", context, status=status)


def _link(request: HttpRequest, own_code: str) -> str:
    return request.build_absolute_uri(reverse("annotator:resume-link", args=[own_code]))
