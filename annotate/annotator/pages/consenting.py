"""Validation of submitted consent forms, shared by the join page and the overview."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import gettext as _

from annotate.core.selectors.participations import current_consent
from annotate.models import Consent, Study
from annotate.server.refusals import Refused


def accepted_consent(request: HttpRequest, study: Study) -> Consent | None:
    """Return the accepted version of the consent text, or None if the study does not ask for consent.

    Raises `Refused` (`consent`, `ineligible`, `stale`) if a required box is not ticked or if the text has changed.
    """
    consent = current_consent(study)
    if consent and not request.POST.get("agree"):
        raise Refused("consent", _("To take part, agree to the consent text."), status=400, fields={"agree": [""]})
    if study.eligibility.strip() and not request.POST.get("eligible"):
        raise Refused(
            "ineligible",
            _("To take part, confirm that you meet the conditions of the study."),
            status=400,
            fields={"eligible": [""]},
        )
    if consent and request.POST.get("consent", "") != str(consent.version):
        raise Refused("stale", _("The consent text has changed since you opened this page. Read the current version."))
    return consent
