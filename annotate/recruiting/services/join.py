"""Services for annotators who join a study, accept the consent text, or continue on another device."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from annotate.core.permissions import Action, require
from annotate.core.selectors.admission import may_take_part
from annotate.core.selectors.participations import current_consent
from annotate.core.selectors.quotas import is_in_quota
from annotate.core.services.archived import refuse_if_archived
from annotate.core.services.credentials import new_resume_code, resume_hash
from annotate.core.services.limits import lock_places, require_place
from annotate.core.services.log import record
from annotate.core.services.pseudonyms import draw_pseudonym
from annotate.core.services.writing import write
from annotate.models import (
    Annotator,
    AnnotatorGroup,
    Participation,
    ParticipationKey,
    Question,
    Screening,
    Study,
    User,
)
from annotate.models.ids import public_id as new_public_id
from annotate.recruiting.services.questionnaires import join_with, passed_screening
from annotate.server import clock
from annotate.server.refusals import Refused

from .groups import is_full, require_group_place
from .listed import refuse_listed

# Platforms whose IDs are always verified, because they come from a sign-in, a results file or this server.
VERIFIED = frozenset(
    [
        Annotator.Platform.ACCOUNT,
        Annotator.Platform.NAMED,
        Annotator.Platform.MTURK,
        Annotator.Platform.SIMULATED,
        Annotator.Platform.SYSTEM,
    ]
)
# The limits on joining do not apply to participations created by the server or by a researcher.
UNLIMITED = frozenset(
    [Annotator.Platform.TRY, Annotator.Platform.SIMULATED, Annotator.Platform.SYSTEM, Annotator.Platform.MTURK]
)


def join(
    study: Study,
    *,
    platform: str,
    external_id: str = "",
    verified: bool | None = None,
    contact: str = "",
    is_program: bool = False,
    public_id: str | None = None,
    group: AnnotatorGroup | None = None,
    screening: str = "",
    waiting: str = "",
) -> Participation:
    """Return the annotator's participation in the study, which is created when the annotator first joins.

    `verified` means that the platform or a sign-in confirmed the ID. By default it depends on the platform. An
    unverified ID never gives access to an existing participation, because anyone can know or invent it. `public_id` is
    the ID that the join page reserved. Sending its form twice returns the same participation until the first claim.
    `is_program` marks a program, whose answers never count. `group` is the group whose link or list contains the
    person, and by default the group of the screening result. `screening` is the ID of the person's result in the
    screening, and `waiting` the public ID of the person on the waiting list.

    Raises `Refused` with the code `closed` if the study does not accept new annotators, `account` if it needs
    annotators to sign in, `named` if it admits only named annotators, `over` after a deadline, `full` if all places are
    taken, `excluded` if its lists of studies or people exclude the person, `group` if quotas do not include the person
    or the group of the screening result is full, `known-id` for an unverified ID that already takes part, or
    `screening` if the person has not passed the screening.
    """
    is_verified = platform in VERIFIED if verified is None else verified
    person = _Person(platform, external_id, is_verified, contact, is_program)
    with write():
        if _needs_place(person):
            lock_places(study)  # before the search, so that a form that was sent twice finds the first participation
        earlier = _earlier(study, person, public_id)
        if earlier:
            return earlier
        refuse_if_archived(study.pk)
        _require_entry(study, person, group)
        if _needs_place(person):
            require_place(study, waiting)
        passed = passed_screening(study, platform=platform, is_program=is_program, public_id=screening)
        if group is None and passed:
            group = passed.group
        _require_group(study, person, group, passed)
        participation = _create(study, person, public_id, group)
        join_with(passed, participation)
        if platform != Annotator.Platform.TRY:
            record(study, "joined", participation=participation, platform=platform)
        return participation


def start_tryout(study: Study, *, user: User) -> Participation:
    """Return a new participation that lets a researcher see the study as an annotator. Its answers never count."""
    require(study, user, Action.TRY_OUT)
    return join(study, platform=Annotator.Platform.TRY)


def accept_consent(participation_id: ParticipationKey, consent_id: int | None, *, eligible: bool) -> None:
    """Record which version of the consent text the annotator accepted. Raises `Refused` (`stale`) for an outdated
    version of the consent text.
    """
    with write():
        participation = Participation.objects.locked().identified(participation_id).get()
        study = participation.study
        latest = current_consent(study)
        if latest and latest.pk != consent_id:
            raise Refused("stale", _("The consent text has changed. Read the current version."))
        if study.eligibility.strip() and not eligible:
            raise Refused(
                "ineligible",
                _("To take part, confirm that you meet the conditions of the study."),
                status=400,
                fields={"eligible": [_("must be confirmed")]},
            )
        participation.consent, participation.consented_at = latest, clock.now()
        participation.declared_eligible = eligible
        participation.save(update_fields=["consent", "consented_at", "declared_eligible"])
        record(study, "consented", participation=participation, version=latest.version if latest else None)


def confirm_identity(participation: Participation) -> Participation:
    """Return the participation of a person whose ID is confirmed. If it began with an unconfirmed ID, all browsers and
    resume codes lose access, because anyone could have entered the ID.
    """
    with write():
        current = Participation.objects.locked().get(pk=participation.pk)
        is_archived = current.study.state == Study.State.ARCHIVED
        if not is_archived and Annotator.objects.filter(pk=current.annotator_id, verified=False).update(verified=True):
            current.public_id, current.resume_hash, current.annotator.verified = new_public_id(), None, True
            current.save(update_fields=["public_id", "resume_hash"])
        return current


@dataclass(frozen=True)
class ResumeCode:
    """A code for continuing on another device, and its expiry time. Codes do not expire while the study is open."""

    code: str
    expires_at: datetime | None


def issue_resume_code(participation_id: ParticipationKey) -> ResumeCode:
    """Create a code for continuing on another device. The participation's previous code stops working."""
    with write():
        for _attempt in range(5):
            code, hashed = new_resume_code()
            try:
                with transaction.atomic():
                    people = Participation.objects.select_related("study")
                    study = people.identified(participation_id).get().study
                    refuse_if_archived(study.pk)
                    Participation.objects.identified(participation_id).update(resume_hash=hashed)
                return ResumeCode(code, codes_expire_at(study))
            except IntegrityError:
                continue  # the code already exists
    raise Refused("busy", _("The resume code could not be created. Try again."), status=503)


def resume(code: str) -> Participation:
    """Return the participation that a resume code belongs to. Raises `Refused` (`unknown-code`, `expired-code`)."""
    participation = Participation.objects.select_related("study").filter(resume_hash=resume_hash(code)).first()
    if participation is None or not code.strip():
        raise Refused(
            "unknown-code",
            _("This code is unknown. Check the spelling. If you have created a newer code, enter that code."),
            status=404,
            fields={"code": [_("is unknown")]},
        )
    expires_at = codes_expire_at(participation.study)
    if expires_at is not None and expires_at <= clock.now():
        raise Refused(
            "expired-code",
            _("This code has expired. Create a new code on the device where you started."),
            status=410,
            fields={"code": [_("has expired")]},
        )
    return participation


def codes_expire_at(study: Study) -> datetime | None:
    """Return when the study's resume codes expire, or None if the study has not been closed. After the study is closed,
    annotators can look at their pay for `ACCORD_RESUME_DAYS` days.
    """
    has_ended = study.state in (Study.State.CLOSED, Study.State.ARCHIVED)
    return study.closed_at + timedelta(days=settings.RESUME_DAYS) if has_ended and study.closed_at else None


@dataclass(frozen=True)
class _Person:
    platform: str
    external_id: str
    verified: bool
    contact: str
    is_program: bool


def _earlier(study: Study, person: _Person, public_id: str | None) -> Participation | None:
    """Return the person's existing participation if the credentials give access to it. Otherwise, return None."""
    people = study.participations.select_related("study", "annotator")
    # A participation's reservation ends when its first assignment is claimed. Otherwise, another person could submit
    # the form again in the same browser and continue as the first person.
    unstarted = people.filter(public_id=public_id, assignments=None)
    reserved = unstarted.first() if public_id else None
    if reserved and (reserved.annotator.platform, reserved.annotator.external_id) == (
        person.platform,
        person.external_id,
    ):
        return reserved
    same = Q(annotator__platform=person.platform, annotator__external_id=person.external_id)
    existing = people.filter(same).first() if person.external_id else None
    if existing is None:
        return None
    if not person.verified or existing.annotator.is_program != person.is_program:
        raise Refused("known-id", _("Someone with this ID is already taking part in the study."))
    return existing


def _require_entry(study: Study, person: _Person, group: AnnotatorGroup | None) -> None:
    if person.platform in (Annotator.Platform.TRY, Annotator.Platform.SIMULATED):
        return
    if not study.is_open:
        raise Refused("closed", _("This study is not accepting new annotators at the moment."), status=403)
    is_named = person.platform == Annotator.Platform.NAMED
    if study.admission == Study.Admission.NAMED and not (person.is_program or is_named or group):
        raise Refused(
            "named",
            _("Only invited annotators can take part in this study. If you were invited, open your personal link."),
            status=403,
        )
    if study.admission == Study.Admission.ACCOUNT and person.platform == Annotator.Platform.WEB:
        raise Refused("account", _("Sign in to take part in this study."), status=403)
    if not may_take_part(study, platform=person.platform, external_id=person.external_id, verified=person.verified):
        raise Refused("excluded", _("You cannot take part in this study."), status=403)
    refuse_listed(study, platform=person.platform, external_id=person.external_id)
    if group and not is_named:  # named annotators have their own places
        require_group_place(group)


def _require_group(study: Study, person: _Person, group: AnnotatorGroup | None, passed: Screening | None) -> None:
    """Refuse people outside the quotas, and people whose answers belong to a full group."""
    if person.is_program or person.platform in (Annotator.Platform.TRY, Annotator.Platform.SIMULATED):
        return
    if not is_in_quota(study, group):
        raise Refused("group", quota_sentence(group), status=403)
    if passed and group and group == passed.group and is_full(group):
        raise Refused("group", quota_sentence(group), status=403)


def quota_sentence(group: AnnotatorGroup | None) -> str:
    """Return the explanation for people who get no HITs, because the study counts judgements by group."""
    if group is None:
        return _("This study needs annotators from certain groups. Open the link or enter the code of your group.")
    return _("This study needs no annotators from your group. Thank you for your interest.")


def _needs_place(person: _Person) -> bool:
    """Return whether the person counts towards the maximum number of annotators."""
    return not person.is_program and person.platform not in UNLIMITED


def _create(study: Study, person: _Person, public_id: str | None, group: AnnotatorGroup | None) -> Participation:
    # Programs do not practise, because the feedback would contain expected answers.
    may_practise = study.practice and not person.is_program
    practises = may_practise and study.questions.filter(kind=Question.Kind.PRACTICE).exists()
    standing = Participation.Standing.PRACTISING if practises else Participation.Standing.ACTIVE
    reserved = {"public_id": public_id} if public_id else {}
    for attempt in range(10):
        try:
            with transaction.atomic():
                annotator = Annotator.objects.create(study=study, **asdict(person))
                return Participation.objects.create(
                    study=study,
                    annotator=annotator,
                    pseudonym=draw_pseudonym(attempt),
                    standing=standing,
                    group=group,
                    guidelines_read=study.guidelines_version,
                    **reserved,
                )
        except IntegrityError:
            earlier = _earlier(study, person, public_id)
            if earlier:
                return earlier  # another request of the same person created it first
            if public_id and Participation.objects.filter(public_id=public_id).exists():
                reserved = {}  # the reserved ID belongs to another person
    raise Refused("busy", _("You could not be added to the study. Try again."), status=503)
