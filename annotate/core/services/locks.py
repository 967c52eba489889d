"""The lock on a participation, which every service acquires first when it writes data about an annotator.

Lock order everywhere: the study's imports of results, participation, assignments by id, slots by id, study.
"""

from __future__ import annotations

from django.db import connection
from django.db.models import Case, Exists, F, OuterRef, QuerySet, Subquery, When

from annotate.models import Consent, Participation, ParticipationKey, Study
from annotate.models.compiled import Select, update

from .archived import refuse_archived, shared_state
from .slots import moment, overdue

# Long texts, such as instructions, are not loaded, because services that write data do not need them.
TEXTS = (
    "study__instructions",
    "study__examples",
    "study__eligibility",
    "study__protocol_number",
    "study__payment_terms",
    "study__contact",
)
IMPORTS = 51_966  # the first key of the advisory locks on imports
PROGRESS = ("tallies", "graded", "gold_skips", "cursor", "dry_at", "repeated_to")


def locked_participation(key: ParticipationKey) -> Participation:
    """Return the participation with its study and annotator, locked until the transaction ends.

    `present_consent` is the primary key of the study's current consent text, or None. `leases_overdue` is true if the
    study has ended leases that have not lapsed yet. Raises `Refused` (`archived`).
    """
    participations = (_by_public_id if isinstance(key, str) else _by_key)(key, moment())
    if not participations:
        raise Participation.DoesNotExist
    (participation,) = participations
    # The study in the result can be outdated if this transaction had to wait for the lock.
    participation.study.state = participation.state_of_study
    refuse_archived(participation.study)
    return participation


def lock_imports(study_id: int) -> None:
    """Make other results imports into the study wait until this transaction ends. SQLite allows only one writer at a
    time.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [IMPORTS, study_id % (1 << 31)])


def save_progress(participation: Participation) -> None:
    """Save a participation's progress in one statement. The caller must lock the participation first."""
    update(participation, PROGRESS)


def _locking(key: ParticipationKey, now: str) -> QuerySet[Participation]:
    # If the latest version of the consent text is empty, the study does not ask for consent.
    required = Case(When(text="", then=None), default=F("pk"))
    versions = Consent.objects.filter(study_id=OuterRef("study_id")).order_by("-version")
    latest = versions.values(required=required)[:1]
    return (
        Participation.objects.locked()
        .annotate(  # type: ignore[no-redef]  # declared by the model, so that all services can read them
            present_consent=Subquery(latest),
            leases_overdue=Exists(overdue(OuterRef("study_id"), now)),
            state_of_study=shared_state(),
        )
        .defer(*TEXTS)
        .identified(key)
    )


_by_key, _by_public_id = Select(_locking, int, str), Select(_locking, str, str)


def lock_study(study_id: int) -> None:
    """Lock the study against other changes until the transaction ends, as its services do."""
    Study.objects.select_for_update(no_key=True).only("pk").get(pk=study_id)
