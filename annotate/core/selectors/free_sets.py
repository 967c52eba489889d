"""Whether a new annotator would get a HIT."""

from __future__ import annotations

from django.db.models import Q

from annotate.models import AnnotatorGroup, NamedAnnotator, Slot, Study

from .spend import spend_of


def has_free_set(study: Study, named: NamedAnnotator | None = None, group: AnnotatorGroup | None = None) -> bool:
    """Return whether an annotator without any answers could claim a HIT of an open study now. `named` is the named
    annotator, who can also claim HITs that are reserved for this person. `group` is the annotator's group.
    """
    if study.budget_cap is not None and spend_of(study).affordable(study.reward) == 0:
        return False
    slots = Slot.objects.filter(study=study, open=1)
    if study.has_quotas:
        slots = slots.filter(group=group, group__isnull=False)
    if study.piloting:
        slots = slots.filter(hit__number__lte=study.pilot_hits)
    if study.admission == Study.Admission.NAMED:
        unreserved = Q(reserved_for=None) | Q(reserved_for__in=NamedAnnotator.objects.filter(study=study).ended())
        slots = slots.filter(unreserved | Q(reserved_for=named) if named else unreserved)
    return slots.exists()
