"""Services that update the stored numbers of a study's slots."""

from __future__ import annotations

from django.db.models import Count, F

from annotate.models import Slot, Study


def note_opened_slots(study: Study) -> None:
    """Record that slots have opened, so that annotators without work search again. The caller must already hold all
    other locks that it needs.
    """
    Study.objects.filter(pk=study.pk).update(slot_openings=F("slot_openings") + 1)


def store_slot_counts(study: Study) -> None:
    """Store the numbers of assignments and judgements that fill all of the study's slots. The caller must lock the
    study first."""
    slots = Slot.objects.filter(study=study)
    Study.objects.filter(pk=study.pk).update(
        assignments_planned=slots.count(), judgements_planned=slots.aggregate(all=Count("hit__hit_questions"))["all"]
    )
