"""Services that put finished annotators into fixed batches, and remove batches from figures by group."""

from __future__ import annotations

from collections import defaultdict

from django.db.models import Exists, OuterRef

from accord_core.numerics.batches import deal_batches
from annotate.core.selectors.batches import answered_questions, answers_hash, changed_batches
from annotate.core.selectors.limits import hit_limit
from annotate.models import AnnotatorBatch, AnnotatorGroup, Answer, Assignment, Participation, Study
from annotate.server import clock

from .archived import refuse_if_archived
from .writing import write

SUBMITTED = (Assignment.State.DONE, Assignment.State.SURPLUS)


def make_batches(study_id: int) -> None:
    """Remove the batches whose members' judgements have changed, and put finished annotators without a batch into new
    batches of their group.

    An annotator is finished after the last HIT that the study or the limit on HITs allows. The members of removed
    batches never join another one. The groups are locked, so two jobs cannot put an annotator into two batches.
    """
    with write():
        refuse_if_archived(study_id)
        groups = list(AnnotatorGroup.objects.select_for_update(no_key=True).filter(study=study_id).order_by("pk"))
        if not groups:
            return
        waiting: dict[int | None, list[Participation]] = defaultdict(list)
        for participation in _locked_without_batch(study_id):
            if _is_finished(participation):
                waiting[participation.group_id].append(participation)
        changed = changed_batches(Study(pk=study_id))
        AnnotatorBatch.objects.filter(pk__in=changed).update(removed_at=clock.now())
        for group in groups:
            _make_batches_of(group, waiting[group.pk])


def remove_batch_of(participation: Participation) -> None:
    """Remove the batch of an annotator who has withdrawn or whose personal data is removed. The caller must lock the
    participation first.
    """
    AnnotatorBatch.objects.filter(members=participation, removed_at=None).update(removed_at=clock.now())


def _locked_without_batch(study_id: int) -> list[Participation]:
    judgements = Answer.objects.counting().filter(participation=OuterRef("pk"))
    rows = Participation.objects.locked().annotators().filter(study=study_id, batch=None, group__isnull=False)
    return list(rows.filter(Exists(judgements)).order_by("pk"))


def _is_finished(participation: Participation) -> bool:
    """Return whether the annotator can submit no further HIT, so that the judgements in a batch stay the same."""
    if participation.has_ended or participation.assignments.filter(state=Assignment.State.LEASED).exists():
        return False
    if participation.study.state == Study.State.CLOSED or participation.standing == Participation.Standing.DONE:
        return True
    limit = hit_limit(participation)
    submitted = participation.assignments.filter(kind=Assignment.Kind.REGULAR, state__in=SUBMITTED)
    return limit is not None and submitted.count() >= limit


def _make_batches_of(group: AnnotatorGroup, waiting: list[Participation]) -> None:
    if not waiting:
        return
    study, first = waiting[0].study, group.batches.count() + 1
    by_name = {participation.pseudonym: participation.pk for participation in waiting}
    answered = answered_questions(study)
    for number, names in enumerate(deal_batches({name: answered[name] for name in by_name}, study.seed), start=first):
        batch = AnnotatorBatch.objects.create(group=group, number=number, answers_sha256=answers_hash(names, answered))
        Participation.objects.filter(pk__in=[by_name[name] for name in names]).update(batch=batch)
