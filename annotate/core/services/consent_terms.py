"""Checks that a study's settings match its consent texts about activity summaries and pay for stopped annotators, and
that annotators know whom to ask.
"""

from __future__ import annotations

import re

from annotate.core.selectors.participations import current_consent
from annotate.models import Annotator, Study
from annotate.server.refusals import Refused

PAY_STOPPED_LOCKED = (
    "The “Pay stopped annotators for the HIT in progress” setting is locked, because annotators have accepted a "
    "consent text that does not mention this payment. To start paying, add the promise of payment to the consent text. "
    "To stop paying, copy the study and recruit new annotators for the copy."
)


def against_consent(study: Study) -> str:
    """Return a description of the contradiction between the setting `pay_stopped` and the current consent text, or an
    empty string.
    """
    consent = current_consent(study)
    if consent is None or consent.pays_stopped in (None, study.pay_stopped) or not study.reward:
        return ""
    promised, set_ = ("promises", "does not pay") if consent.pays_stopped else ("excludes", "pays for")
    return (
        f"The consent text {promised} payment to stopped annotators for the HIT in progress, but the study {set_} "
        "this HIT. Change the consent text or the “Pay stopped annotators for the HIT in progress” setting."
    )


def refuse_against_accepted(study: Study) -> None:
    """Reject a change to the setting `pay_stopped` that the accepted consent texts do not cover."""
    if is_against_accepted(study, study.pay_stopped):
        raise Refused("locked", PAY_STOPPED_LOCKED, fields={"pay_stopped": [PAY_STOPPED_LOCKED]})


def is_against_accepted(study: Study, pay_stopped: bool) -> bool:
    """Return whether changing `pay_stopped` to this value goes beyond the accepted consent texts.

    The setting applies to annotators whose accepted text does not mention pay for stopped annotators, so a change would
    alter the terms under which these annotators work. Payment can start if the current consent text promises the
    payment.
    """
    consent = current_consent(study)
    if pay_stopped and consent is not None and consent.pays_stopped:
        return False
    accepted = study.participations.exclude(annotator__platform=Annotator.Platform.TRY).filter(consent__isnull=False)
    return accepted.filter(consent__pays_stopped__isnull=True).exists()


def unnamed_summaries(study: Study) -> str:
    """Return the reason why activity summaries cannot be collected under the current consent text, or an
    empty string.
    """
    consent = current_consent(study)
    if not study.activity_summaries or (consent is not None and consent.names_activity):
        return ""
    return (
        "The study collects activity summaries, but its consent text does not mention them. Add the suggested "
        "sentences to the consent text, or turn off the “Collect activity summaries” setting."
    )


def admits_strangers(study: Study) -> bool:
    """Return whether people not named by a researcher can join. They need a privacy notice and a contact."""
    return study.admission != Study.Admission.NAMED or study.groups.filter(revoked_at=None).exists()


def lacking_for_strangers(study: Study) -> dict[str, str]:
    """Return, by setting, the missing texts for people not named by a researcher."""
    missing = {}
    if admits_strangers(study):
        if not study.privacy_notice.strip():
            missing["privacy_notice"] = (
                "A study for people you do not know needs a privacy notice. Fill in “Privacy notice”."
            )
        if lacks_contact(study.contact):
            missing["contact"] = (
                "Annotators need a contact for questions. Enter a name and an e-mail address in “Contact for "
                "annotators”."
            )
    return missing


CONTACT_FAULT = "must contain a name and an e-mail address, such as Ada Lovelace, ada@example.org"
_ADDRESS = re.compile(r"[^\s<>()\[\],;:]+@[^\s<>()\[\],;:]+\.[^\s<>()\[\],;:.]+")


def lacks_contact(contact: str) -> bool:
    """Return whether the text lacks a person's name or an e-mail address. Annotators need the name and e-mail address
    of a person to write to.
    """
    name = _ADDRESS.sub("", contact)
    return name == contact or not any(letter.isalpha() for letter in name)
