"""Whole batches of annotators, from which figures by group are calculated."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from annotate.models import AnnotatorBatch, AnnotatorGroup, Answer, Participation, Study


@dataclass(frozen=True)
class BatchedGroup:
    """A group with the pseudonyms in each of its whole batches, by the public IDs of the batches."""

    name: str
    population: float | None
    batches: dict[str, list[str]]

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "population": self.population, "batches": self.batches}


def whole_batches(study: Study) -> list[BatchedGroup]:
    """Return the study's groups with their whole batches. Batches that were removed, or whose members' judgements have
    changed, are not included.
    """
    unchanged = _unchanged(study)
    groups = AnnotatorGroup.objects.filter(study=study).order_by("pk")
    return [
        BatchedGroup(
            group.name,
            group.population,
            {batch.public_id: members for batch, members in unchanged if batch.group_id == group.pk},
        )
        for group in groups
    ]


def changed_batches(study: Study) -> list[int]:
    """Return the primary keys of the batches whose members' judgements have changed since the batch was made."""
    unchanged = [batch.pk for batch, _members in _unchanged(study)]
    return list(_remaining(study).exclude(pk__in=unchanged).values_list("pk", flat=True))


def answered_questions(study: Study) -> dict[str, list[str]]:
    """Return the refs of the questions that each annotator in a group has answered, in judgements, by pseudonym."""
    judgements = Answer.objects.counting().filter(participation__study=study, participation__group__isnull=False)
    answered: dict[str, list[str]] = defaultdict(list)
    for pseudonym, ref in judgements.values_list("participation__pseudonym", "question__ref").iterator():
        answered[pseudonym].append(ref)
    return answered


def answers_hash(members: Iterable[str], answered: Mapping[str, Collection[str]]) -> str:
    """Return a SHA-256 hash of the members and the questions that they have answered. Submitted answers never change,
    so the hash need not contain them.
    """
    lines = [f"{name}\t{ref}\n" for name in members for ref in ("", *answered.get(name, ()))]
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()


def has_removed_batch(public_ids: Collection[str]) -> bool:
    """Return whether any of these batches has been removed."""
    return AnnotatorBatch.objects.filter(public_id__in=public_ids, removed_at__isnull=False).exists()


def _unchanged(study: Study) -> list[tuple[AnnotatorBatch, list[str]]]:
    """Return the batches that can be published, with the pseudonyms of their members."""
    members: dict[int, list[str]] = defaultdict(list)
    rows = Participation.objects.filter(batch__in=_remaining(study)).order_by("pseudonym")
    for batch, pseudonym in rows.values_list("batch", "pseudonym"):
        members[batch].append(pseudonym)
    if not members:
        return []
    answered = answered_questions(study)
    stored = [(batch, members[batch.pk]) for batch in _remaining(study)]
    return [(batch, own) for batch, own in stored if answers_hash(own, answered) == batch.answers_sha256]


def _remaining(study: Study) -> QuerySet[AnnotatorBatch]:
    return AnnotatorBatch.objects.filter(group__study=study, removed_at=None).order_by("group", "number")
