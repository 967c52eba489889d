"""Coming in: a participation, the consent to it, and going on elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotate.models import Annotator, Participation, ParticipationKey, Question, Study
from annotate.refusals import Refused

from .credentials import new_resume_code, resume_hash
from .log import record
from .pseudonyms import draw_pseudonym
from .writing import write


def join(study: Study, *, platform: str, external_id: str | None = None, contact: str = "") -> Participation:
    """The annotator's part in the study, made if this is the first time.

    Raises `Refused` (`closed`) when somebody new comes to a study that is not open, and `account` when the study
    wants annotators to have accounts.
    """
    with write():
        there = (
            Participation.objects.filter(
                study=study, annotator__platform=platform, annotator__external_id=external_id
            ).first()
            if external_id
            else None
        )
        if there:
            return there
        _require_entry(study, platform)
        key = {"external_id": external_id} if external_id else {}
        if key:
            annotator, _ = Annotator.objects.get_or_create(platform=platform, defaults={"contact": contact}, **key)
        else:
            annotator = Annotator.objects.create(platform=platform, contact=contact)
        participation = _create(study, annotator)
        if platform != Annotator.Platform.TRY:
            record(study, "joined", participation=participation, platform=platform)
        return participation


def accept_consent(participation_id: ParticipationKey, consent_id: int | None, *, eligible: bool) -> None:
    """Keep which version of the text was accepted, and when. Raises `Refused` for an outdated version."""
    with write():
        participation = Participation.objects.select_for_update(no_key=True).identified(participation_id).get()
        study = participation.study
        latest = study.consents.order_by("-version").first()
        if latest and latest.pk != consent_id:
            raise Refused("stale", "The consent text has changed; please read the present version.")
        if study.eligibility.strip() and not eligible:
            raise Refused(
                "ineligible", "This study asks you to confirm who it is for.", status=400,
                fields={"eligible": ["must be confirmed"]},
            )  # fmt: skip
        participation.consent, participation.consented_at = latest, timezone.now()
        participation.declared_eligible = eligible
        participation.save(update_fields=["consent", "consented_at", "declared_eligible"])
        record(study, "consented", participation=participation, version=latest.version if latest else None)


@dataclass(frozen=True)
class ResumeCode:
    """A code to continue on another device, and when it expires."""

    code: str
    expires_at: datetime


def issue_resume_code(participation_id: ParticipationKey) -> ResumeCode:
    """Create a code to continue on another device; the previous code stops working."""
    expires_at = timezone.now() + timedelta(days=settings.RESUME_DAYS)
    with write():
        for _ in range(5):
            code, hashed = new_resume_code()
            try:
                with transaction.atomic():
                    Participation.objects.identified(participation_id).update(
                        resume_hash=hashed, resume_until=expires_at
                    )
                return ResumeCode(code, expires_at)
            except IntegrityError:
                continue  # drawn before, out of 2^60
    raise Refused("busy", "No code could be created. Try again.", status=503)


def resume(code: str) -> Participation:
    """The participation that a code belongs to; raises `Refused` (`unknown-code`, `expired-code`)."""
    participation = Participation.objects.select_related("study").filter(resume_hash=resume_hash(code)).first()
    if participation is None or not code.strip():
        raise Refused(
            "unknown-code",
            _("This code is not known. Check the spelling. A newer code replaces the previous one."),
            status=404, fields={"code": [_("is not known")]},
        )  # fmt: skip
    if participation.resume_until is None or participation.resume_until <= timezone.now():
        raise Refused(
            "expired-code",
            _("This code has expired. Show a new code on the device where you started."),
            status=410, fields={"code": [_("has expired")]},
        )  # fmt: skip
    return participation


def _require_entry(study: Study, platform: str) -> None:
    if platform in (Annotator.Platform.TRY, Annotator.Platform.SIMULATED):
        return
    if not study.is_open:
        raise Refused("closed", "This study takes no new annotators at the moment.", status=403)
    if study.admission == Study.Admission.ACCOUNT and platform == Annotator.Platform.WEB:
        raise Refused("account", "This study asks annotators to sign in first.", status=403)


def _create(study: Study, annotator: Annotator) -> Participation:
    practises = study.practice and study.questions.filter(kind=Question.Kind.PRACTICE).exists()
    standing = Participation.Standing.PRACTISING if practises else Participation.Standing.ACTIVE
    for attempt in range(10):
        try:
            with transaction.atomic():
                return Participation.objects.create(
                    study=study, annotator=annotator, pseudonym=draw_pseudonym(attempt), standing=standing
                )
        except IntegrityError:
            same = Participation.objects.filter(study=study, annotator=annotator).first()
            if same:
                return same  # another request of the same person was faster
    raise Refused("busy", "No pseudonym could be found; try again.", status=503)
