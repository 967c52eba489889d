"""An annotator's own participation, as shown on annotators' pages."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Exists, OuterRef, Q, Sum

from annotate.core.selectors.limits import claiming_is_over, hit_limit
from annotate.models import Annotator, Answer, Assignment, Consent, Participation, Study

from .admission import is_admitted
from .spend import spend_of

COUNTED = (Assignment.State.DONE, Assignment.State.SURPLUS)


@dataclass(frozen=True)
class OwnPart:
    """An annotator's progress and pay. If no HIT is available, `why` contains the reason. Otherwise `why` is empty.

    The reasons are stopped, withdrawn, finished, paused, closed, over, excluded, limit and nothing. `started` states
    whether the current HIT has an answer or a draft, because each submission claims the next HIT before the annotator
    starts it.
    """

    why: str
    in_hand: Assignment | None
    started: bool
    handed_in: int
    credited: int
    earned: Decimal
    stopped_by_rule: bool  # stopped by the quality rule, not by a researcher


def own_part(participation: Participation) -> OwnPart:
    """Return the annotator's progress without claiming a HIT. The function needs two queries, or three if the annotator
    was stopped or the study has a budget cap.
    """
    own = participation.assignments.filter(kind=Assignment.Kind.REGULAR)
    sums = own.aggregate(
        handed_in=Count("pk", filter=Q(submitted_at__isnull=False)),
        counted=Count("pk", filter=Q(state__in=COUNTED)),
        paid=Count("pk", filter=Q(credited=True)),
        earned=Sum("reward", filter=Q(credited=True)),
    )
    leased = participation.assignments.filter(state=Assignment.State.LEASED, source=Assignment.Source.WEB)
    touched = Answer.objects.filter(Q(revision__gt=0) | Q(given_at__isnull=False), assignment=OuterRef("pk"))
    in_hand = leased.annotate(started=Exists(touched)).first()
    limit = hit_limit(participation)
    left = None if limit is None else max(0, limit - sums["counted"])
    why = _why(participation, in_hand, left)
    return OwnPart(
        why=why,
        in_hand=in_hand,
        started=in_hand is not None and in_hand.started,
        handed_in=sums["handed_in"],
        credited=sums["paid"],
        earned=sums["earned"] or Decimal(0),
        stopped_by_rule=why == "stopped" and _stopped_by_rule(participation),
    )


def credited(participation: Participation) -> Decimal:
    """Return the total pay for the annotator's credited sets."""
    return participation.assignments.filter(credited=True).aggregate(pay=Sum("reward"))["pay"] or Decimal(0)


def _why(participation: Participation, in_hand: Assignment | None, left: int | None) -> str:
    study = participation.study
    if participation.has_ended:
        return str(participation.standing)
    if in_hand or participation.annotator.platform == Annotator.Platform.TRY:
        return ""
    if not study.is_open:
        return "paused" if study.state == Study.State.PAUSED else "closed"
    if claiming_is_over(study):
        return "over"
    if participation.standing == Participation.Standing.DONE:
        return "finished"
    if not is_admitted(participation):
        return "excluded"
    if left == 0:
        return "limit"
    if study.budget_cap is not None and spend_of(study).affordable(study.reward) == 0:
        return "nothing"
    return "nothing" if participation.dry_at == study.slot_openings else ""


def _stopped_by_rule(participation: Participation) -> bool:
    """Return whether the quality rule caused the latest stop."""
    latest = participation.events.filter(verb="stopped").order_by("-at", "-pk").first()
    return latest is not None and latest.by_quality_rule


def current_consent(study: Study) -> Consent | None:
    """Return the current version of the consent text, or None if the study does not ask for consent.

    Removing a consent text stores an empty text as a new version.
    """
    latest = study.consents.order_by("-version").first()
    return latest if latest and latest.text else None


def has_consented(participation: Participation) -> bool:
    """Return whether the annotator has accepted the current consent text, or has joined a study without one."""
    if participation.annotator.platform == Annotator.Platform.TRY or participation.annotator.is_program:
        return True
    latest = current_consent(participation.study)
    return participation.consented_at is not None and (latest is None or participation.consent_id == latest.pk)


def takes_part(study: Study, platform: str, external_id: str) -> bool:
    """Return whether an annotator with this platform ID already takes part in the study."""
    return study.participations.filter(annotator__platform=platform, annotator__external_id=external_id).exists()
