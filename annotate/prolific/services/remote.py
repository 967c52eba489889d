"""Services that use Prolific's API to create a draft, pause it, import submissions, approve them and pay bonuses.

Background jobs carry out these actions. A job that is repeated after an interruption reads the statuses from Prolific
again before it approves, and sends the request to pay a bonus list at most once. These two
rules prevent double payments.
"""

from __future__ import annotations

from math import ceil
from typing import Any

from django.conf import settings
from django.urls import reverse

from accord_core.numerics.printed import with_noun
from annotate.core.permissions import SYSTEM, Actor
from annotate.core.selectors.limits import prolific_settings
from annotate.core.services.jobs import request_job
from annotate.core.services.log import record
from annotate.core.services.writing import write
from annotate.models import BonusList, Outcome, ProlificStudy, Study, SubmissionImport
from annotate.pay.services import payable_study
from annotate.prolific import remote_api as prolific_api
from annotate.prolific.remote_api import ProlificError
from annotate.prolific.selectors.files import write_bonuses
from annotate.prolific.selectors.settings import PAUSE, allows_api, pauses_places, study_url
from annotate.prolific.selectors.submissions import submission_rows, to_approve
from annotate.prolific.services.bonuses import record_paid_list
from annotate.prolific.services.imports import import_reports
from annotate.server.refusals import Refused, existing, invalid
from annotate.tasktypes import Progress

# Prolific's names for the completion codes, and the actions that Prolific performs.
CODES: dict[str, tuple[str, list[dict[str, Any]]]] = {
    Outcome.COMPLETED: ("COMPLETED", [{"action": "MANUALLY_REVIEW"}]),
    Outcome.NO_CONSENT: ("NO_CONSENT", [{"action": "REQUEST_RETURN", "return_reason": "No consent"}]),
    Outcome.FAILED_GOLD: ("FAILED_ATTENTION_CHECK", [{"action": "MANUALLY_REVIEW"}]),
    Outcome.INCOMPATIBLE_DEVICE: (
        "INCOMPATIBLE_DEVICE",
        [{"action": "REQUEST_RETURN", "return_reason": "Incompatible device"}],
    ),
}


def require_api(study: Study) -> None:
    """Raise `Refused` (`no-api`) unless the operator allows the study to use Prolific's API."""
    if not allows_api(study):
        raise Refused(
            "no-api",
            "This server is not allowed to use Prolific's API for this study. The operator must set "
            "ACCORD_PROLIFIC_TOKEN and ACCORD_PROLIFIC_STUDIES.",
        )


def link_study(study_id: int, prolific_id: str, *, user: Actor) -> ProlificStudy:
    """Store Prolific's ID for the linked study on Prolific.

    Raises `Refused` with the code `invalid` for an impossible ID, or `no-api` if this server has no token for the
    study.
    """
    study = _study(study_id, user)
    prolific_id = prolific_id.strip()
    if not (prolific_id.isascii() and prolific_id.isalnum() and len(prolific_id) <= 64):
        raise invalid("prolific_id", "The ID of a study on Prolific can contain only letters and digits.")
    with write():
        linked, _ = ProlificStudy.objects.update_or_create(study=study, defaults={"prolific_id": prolific_id})
        record(study, "linked study on Prolific", user=user, prolific_study=prolific_id)
        return linked


def create_draft(study_id: int, *, minutes: int, places: int, user: Actor) -> ProlificStudy:
    """Create a draft of the study on Prolific, where researchers complete and publish it.

    Raises `Refused` with the code `no-api`, `linked` if the study is already linked to a study on Prolific, `invalid`
    if the settings do not determine the reward, or `prolific` if Prolific refuses the draft.
    """
    study = _study(study_id, user)
    if ProlificStudy.objects.filter(study=study).exists():
        raise Refused("linked", "This study is already linked to a study on Prolific.")
    draft = _draft(study, minutes=minutes, places=places)
    return link_study(study.pk, _ask(lambda: prolific_api.create_draft(draft)), user=user)


def request_pause(study: Study) -> None:
    """Request the job that pauses the linked study on Prolific, because a paused or closed study has no HITs for
    further participants. Without a linked study, nothing happens.
    """
    if pauses_places(study):
        request_job(study, PAUSE, user=SYSTEM)


def pause_places(study_id: int, *, user: Actor) -> bool:
    """Pause the study on Prolific, and return whether it was active there. Nothing happens if the study in Accord has
    been reopened in the meantime. Raises `Refused` with the code `no-api` or `prolific`.
    """
    study = _study(study_id, user)
    prolific_id = _linked(study)
    if study.is_open or not _ask(lambda: prolific_api.pause(prolific_id)):
        return False
    with write():
        record(study, "paused study on Prolific", user=user, prolific_study=prolific_id)
    return True


def fetch_submissions(study_id: int, *, user: Actor) -> SubmissionImport:
    """Read all submissions from Prolific, and import their statuses. Raises `Refused` with the code `no-api` or
    `prolific`.
    """
    study = _study(study_id, user)
    prolific_id = _linked(study)
    reports = _ask(lambda: prolific_api.submissions(prolific_id))
    return import_reports(study.pk, reports, source=SubmissionImport.Source.API, user=user)[1]


def approve_submissions(study_id: int, *, user: Actor, progress: Progress) -> int:
    """Approve all submissions whose next step is approval, and return their number.

    Statuses are read from Prolific first, so that a repeated job does not send the same approvals again. Raises
    `Refused` with the code `no-api` or `prolific`.
    """
    study = _study(study_id, user)
    progress(0, "Reading the submissions from Prolific")
    fetch_submissions(study.pk, user=user)
    ids = [row.submission_id for row in to_approve(submission_rows(study))]
    if ids:
        progress(0.5, f"Approving {with_noun(len(ids), 'submission')}")
        _ask(lambda: prolific_api.approve(ids))
        with write():
            record(study, "approved submissions on Prolific", user=user, submissions=len(ids))
    return len(ids)


def pay_bonus_list(study_id: int, number: int, *, user: Actor, progress: Progress) -> BonusList:
    """Pay a bonus list on Prolific, and record the payment.

    Prolific pays a list again if the request is repeated. The list is therefore marked before the request, and a marked
    list is never sent again. If the result is unknown, a person decides whether the list was paid.

    Raises `Refused` with the code `no-api`, `unknown`, `state` for a list that is not open, or `prolific`.
    """
    study = _study(study_id, user)
    prolific_id = _linked(study)
    bonuses = existing(study.bonus_lists.filter(number=number).first(), f"This study has no bonus list {number}.")
    _refuse_unless_open(bonuses)
    if not bonuses.prolific_id:
        progress(0, "Setting up the bonus payments")
        lines = "".join(write_bonuses(bonuses)).rstrip("\n")
        _refuse_incomplete(bonuses, lines)
        bonuses.prolific_id = _ask(lambda: prolific_api.set_up_bonuses(prolific_id, lines))
        BonusList.objects.filter(pk=bonuses.pk).update(prolific_id=bonuses.prolific_id)
    progress(0.5, "Paying the bonuses")
    _mark_as_paying(bonuses)
    try:
        prolific_api.pay_bonuses(bonuses.prolific_id)
    except ProlificError as error:
        state = BonusList.State.OPEN if error.certain else BonusList.State.PAYING
        BonusList.objects.filter(pk=bonuses.pk).update(state=state, error=error.message[:500])
        raise _refused(error) from error
    return record_paid_list(study.pk, number, user=user)


def _study(study_id: int, user: Actor) -> Study:
    study = payable_study(study_id, user)
    require_api(study)
    return study


def _linked(study: Study) -> str:
    linked = ProlificStudy.objects.filter(study=study).first()
    if linked is None:
        raise Refused("no-api", "Enter the ID of the study on Prolific, or create a draft on Prolific first.")
    return linked.prolific_id


def _draft(study: Study, *, minutes: int, places: int) -> dict[str, Any]:
    stored = prolific_settings(study)
    if stored.hits_per_submission is None:
        raise invalid(
            "hits_per_submission",
            "Enter the HITs per submission in the Prolific settings first. This number determines the reward.",
        )
    join = f"{settings.SITE_URL}{reverse('annotator:join', args=[study.join_token])}"
    codes = [
        {"code": stored.code(outcome), "code_type": code_type, "actions": actions}
        for outcome, (code_type, actions) in CODES.items()
        if stored.code(outcome)
    ]
    return {
        "name": study.title,
        "internal_name": f"Accord {study.public_id}",
        "description": study.instructions or study.title,
        "external_study_url": study_url(join),
        "prolific_id_option": "url_parameters",
        "completion_codes": codes,
        "total_available_places": places,
        "estimated_completion_time": minutes,
        "reward": ceil(study.reward * stored.hits_per_submission * 100),  # in cents
        "device_compatibility": ["desktop"] if stored.needs_computer else ["desktop", "tablet", "mobile"],
        "peripheral_requirements": [],
        "filters": [],
    }


def _mark_as_paying(bonuses: BonusList) -> None:
    """Mark the list with one conditional update, which is committed before the request is sent."""
    marked = BonusList.objects.filter(pk=bonuses.pk, state=BonusList.State.OPEN)
    if not marked.update(state=BonusList.State.PAYING, error=""):
        bonuses.refresh_from_db()
        _refuse_unless_open(bonuses)


def _refuse_unless_open(bonuses: BonusList) -> None:
    if bonuses.state == BonusList.State.PAYING:
        raise Refused(
            "state",
            f"Accord has already requested the payment of bonus list {bonuses.number}, but the result is unknown. "
            "Check on Prolific whether the bonuses were paid, then record the list as paid or cancel it.",
        )
    if bonuses.state != BonusList.State.OPEN:
        raise Refused("state", f"Bonus list {bonuses.number} is already {bonuses.state}.")


def _refuse_incomplete(bonuses: BonusList, lines: str) -> None:
    if len(lines.splitlines()) != bonuses.shares.count():
        raise Refused(
            "changed",
            f"Bonus list {bonuses.number} contains participants whose personal data has been removed. Cancel the list, "
            "and create a new one.",
        )


def _ask(request: Any) -> Any:
    """Return the result of a request to Prolific, or raise `Refused` (`prolific`)."""
    try:
        return request()
    except ProlificError as error:
        raise _refused(error) from error


def _refused(error: ProlificError) -> Refused:
    return Refused("prolific", error.message)
