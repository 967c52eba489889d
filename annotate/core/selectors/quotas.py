"""Quotas: the exact number of judgements per question that each group of annotators gives."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

from annotate.models import AnnotatorGroup, Study
from annotate.server.refusals import Refused, invalid


def groups_with_quota(study: Study) -> QuerySet[AnnotatorGroup]:
    """Return the study's groups that have a quota, in the order of their creation."""
    return study.groups.filter(judgements__isnull=False).order_by("pk")


def quotas_as_json(study: Study) -> dict[str, int | None]:
    """Return the quotas by the public IDs of the groups. The result is empty without quotas."""
    return dict(groups_with_quota(study).values_list("public_id", "judgements")) if study.has_quotas else {}


def groups_of_slots(study: Study, numbers: Iterable[int | None] = ()) -> list[int]:
    """Return the group of each slot of a HIT, in the order in which annotators claim the slots. Groups take turns. The
    result is empty without quotas.

    `numbers` contains each question's own number of judgements, or None. Raises `Refused` (`quotas`) if the study has
    quotas and a question has its own number, because the quotas would no longer be exact.
    """
    if not study.has_quotas:
        return []
    if any(number is not None for number in numbers):
        raise Refused(
            "quotas",
            "Groups have quotas, so every question gets the same number of judgements. Turn off the option that gives "
            "some questions more judgements than others, or remove the quotas.",
            fields={"design": ["some questions have their own number of judgements"]},
        )
    quotas = list(groups_with_quota(study))
    turns = [(turn, place, group.pk) for place, group in enumerate(quotas) for turn in range(group.judgements or 0)]
    return [group for _turn, _place, group in sorted(turns)]


def group_of_added(study: Study, public_id: str) -> AnnotatorGroup | None:
    """Return the group whose annotators give additional judgements, or None without quotas. Raises `Refused`
    (`invalid`) if the study has quotas and this is not the ID of a group with a quota.
    """
    if not study.has_quotas:
        return None
    group = groups_with_quota(study).filter(public_id=public_id).first()
    if group is None:
        raise invalid("group", "Groups have quotas. Choose the group that gives the additional judgements.")
    return group


def is_in_quota(study: Study, group: AnnotatorGroup | None) -> bool:
    """Return whether someone in this group, or in no group, can get HITs of the study."""
    return not study.has_quotas or (group is not None and group.judgements is not None)
