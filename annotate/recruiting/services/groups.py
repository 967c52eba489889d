"""Services for groups of annotators. A group's link admits a limited number of people and marks them with the group."""

from __future__ import annotations

from django.db.models import Sum
from django.utils.translation import gettext as _

from annotate.core.permissions import Action, Actor, locked_study, permitted_study
from annotate.core.services.archived import refuse_if_archived
from annotate.core.services.consent_terms import lacking_for_strangers
from annotate.core.services.credentials import group_code, same_code
from annotate.core.services.log import record
from annotate.core.services.undo import refuse_changed
from annotate.core.services.writing import write
from annotate.models import AnnotatorGroup, Study
from annotate.recruiting.selectors import places_taken_in
from annotate.server import clock
from annotate.server.refusals import Refused, existing, invalid

LONGEST = 80  # characters of a name
MOST = 200  # groups of a study
MOST_PLACES = 100_000
MOST_JUDGEMENTS = 100  # per question, in all groups together
MOST_PEOPLE = 10_000_000_000  # in the population


def add_group(
    study_id: int, name: str, *, user: Actor, places: int | None = None, judgements: int | None = None
) -> AnnotatorGroup:
    """Add a group with a link that admits `places` people, or any number of people if `places` is None. `judgements` is
    the group's quota, see `set_quota`.

    Raises `Refused` (`invalid`) if the name is empty, too long or already used, or if the number of places is not
    positive, (`not-ready`) if the opened study lacks a privacy notice or a contact, and as `set_quota` does.
    """
    name = name.strip()
    with write():
        study = locked_study(study_id, user, Action.NAME_ANNOTATORS)
        refuse_if_archived(study_id)
        if not name or len(name) > LONGEST:
            raise invalid("name", f"Enter a name for the group, with at most {LONGEST} characters.")
        if study.groups.filter(name=name).exists():
            raise invalid("name", f"The study already has a group with the name {name}.")
        if study.groups.count() >= MOST:
            raise invalid("name", f"A study can have at most {MOST} groups.")
        if places is not None and not 1 <= places <= MOST_PLACES:
            raise invalid("places", f"Enter a number of places from 1 to {MOST_PLACES:,}.")
        group = AnnotatorGroup.objects.create(study=study, name=name, places=places)
        if judgements is not None:
            _store_quota(study, group, judgements)
        if not study.is_draft and (missing := lacking_for_strangers(study)):
            raise Refused("not-ready", " ".join(missing.values()))
        record(study, "added group", user=user, group=name, places=places, judgements=judgements)
        return group


def set_quota(study_id: int, group_id: str, judgements: int | None, *, user: Actor) -> AnnotatorGroup:
    """Set the number of judgements that the group's annotators give to each question, or remove the quota with None.

    If any group has a quota, the study's judgements per question are the sum of the quotas. The questions must be
    rebuilt before the study opens. Raises `Refused` with the code `unknown`, `locked` after the study has been opened,
    or `invalid` if the number is not positive or the sum is too large.
    """
    with write():
        study = locked_study(study_id, user, Action.NAME_ANNOTATORS)
        refuse_if_archived(study_id)
        group = existing(
            AnnotatorGroup.objects.select_for_update(no_key=True).filter(study=study, public_id=group_id).first(),
            "This study has no group with this ID.",
        )
        before = group.judgements
        if judgements != before:
            _store_quota(study, group, judgements)
            record(study, "set quota", user=user, group=group.name, detail={"judgements": [before, judgements]})
        return group


def _store_quota(study: Study, group: AnnotatorGroup, judgements: int | None) -> None:
    if not study.is_draft:
        raise Refused("locked", "Quotas are locked, because the study has been opened.")
    if judgements is not None and judgements < 1:
        raise invalid("judgements", "Enter at least 1 judgement per question, or leave the field empty.")
    group.judgements = judgements
    group.save(update_fields=["judgements"])
    total = study.groups.aggregate(sum=Sum("judgements"))["sum"]
    if total is not None and total > MOST_JUDGEMENTS:
        raise invalid("judgements", f"The quotas add up to {total}, but a question can have {MOST_JUDGEMENTS} at most.")
    study.has_quotas = total is not None
    study.judgements = total or study.judgements
    study.save(update_fields=["has_quotas", "judgements"])


def copy_groups(source: Study, copy: Study) -> None:
    """Copy all groups to a new study, with links of their own. The caller must open a transaction first."""
    kept = ("name", "places", "judgements", "population")
    groups = source.groups.order_by("pk").values(*kept)
    AnnotatorGroup.objects.bulk_create(AnnotatorGroup(study=copy, **values) for values in groups)
    copy.has_quotas = source.has_quotas
    copy.save(update_fields=["has_quotas"])


def set_population(study_id: int, group_id: str, population: float | None, *, user: Actor) -> AnnotatorGroup:
    """Set the group's size or share in the population, or remove it with None. Later reports weight their figures over
    all groups by it. Raises `Refused` (`unknown`), or `invalid` if the number is not positive.
    """
    if population is not None and not 0 < population <= MOST_PEOPLE:
        raise invalid("population", f"Enter a number above 0 and at most {MOST_PEOPLE:,}, or leave the field empty.")
    with write():
        study = locked_study(study_id, user, Action.NAME_ANNOTATORS)
        refuse_if_archived(study_id)
        group = existing(
            AnnotatorGroup.objects.select_for_update(no_key=True).filter(study=study, public_id=group_id).first(),
            "This study has no group with this ID.",
        )
        before = group.population
        if population != before:
            group.population = population
            group.save(update_fields=["population"])
            record(study, "set population", user=user, group=group.name, detail={"population": [before, population]})
        return group


def revoke_group(study_id: int, group_id: str, *, user: Actor) -> AnnotatorGroup:
    """Revoke the group's link, so that nobody else can join through it. Annotators in the group can continue. Raises
    `Refused` (`unknown`).
    """
    with write():
        study = permitted_study(study_id, user, Action.NAME_ANNOTATORS)
        group = existing(
            AnnotatorGroup.objects.select_for_update(no_key=True).filter(study=study, public_id=group_id).first(),
            "This study has no group with this ID.",
        )
        if group.revoked_at is None:
            group.revoked_at = clock.now()
            group.save(update_fields=["revoked_at"])
            record(study, "revoked group link", user=user, group=group.name)
        return group


def restore_group(study_id: int, group_id: str, *, seen: str, user: Actor) -> None:
    """Undo the revocation of the group's link at the time `seen`. Undoing again has no effect. Raises `Refused` with
    the code `unknown`, or `changed` if the link was revoked at another time.
    """
    with write():
        study = permitted_study(study_id, user, Action.NAME_ANNOTATORS)
        group = existing(
            AnnotatorGroup.objects.select_for_update(no_key=True).filter(study=study, public_id=group_id).first(),
            "This study has no group with this ID.",
        )
        if group.revoked_at is not None:
            refuse_changed(group.revoked_at, seen)
            group.revoked_at = None
            group.save(update_fields=["revoked_at"])
            record(study, "restored group link", user=user, group=group.name)


def group_with(study: Study, code: str) -> AnnotatorGroup | None:
    """Return the study's group with this code, or None if there is none."""
    return next((group for group in study.groups.all() if same_code(group_code(group.public_id), code)), None)


def require_group_place(group: AnnotatorGroup) -> None:
    """Lock the group until the transaction ends, and raise `Refused` if its link was revoked (`unknown`) or all of its
    places are taken (`full`).
    """
    refusal = group_refusal(AnnotatorGroup.objects.select_for_update(no_key=True).get(pk=group.pk))
    if refusal:
        raise refusal


def is_full(group: AnnotatorGroup) -> bool:
    """Lock the group until the transaction ends, and return whether all of its places are taken. People who join the
    group by their answers in the screening need no link, so it does not matter whether the link was revoked.
    """
    locked = AnnotatorGroup.objects.select_for_update(no_key=True).get(pk=group.pk)
    return locked.places is not None and places_taken_in(locked) >= locked.places


def group_refusal(group: AnnotatorGroup) -> Refused | None:
    """Return the reason why nobody else can join through the group's link, or None if people can still join."""
    if group.revoked_at:
        return Refused("unknown", _("This link no longer works. Ask the research team for a new link."), status=404)
    if group.places is not None and places_taken_in(group) >= group.places:
        return Refused("full", _("All places for this link are taken. Thank you for your interest."), status=403)
    return None
