"""Taking a person's data out. Their answers stay, under pseudonyms that differ from study to study."""

from __future__ import annotations

from annotate.models import Annotator, User
from annotate.models.ids import public_id

from .log import record
from .writing import write


def erase_person(annotator_id: int, *, user: User | None, reason: str) -> int:
    """Forget who an annotator is: platform id, contact and resume codes go. Returns how many studies they were in."""
    with write():
        annotator = Annotator.objects.select_for_update(no_key=True).get(pk=annotator_id)
        annotator.external_id, annotator.contact = f"erased-{public_id()}", ""
        annotator.save(update_fields=["external_id", "contact"])
        participations = list(annotator.participations.select_related("study").order_by("pk"))
        annotator.participations.update(resume_hash=None)
        for participation in participations:
            record(participation.study, "erased person", user=user, participation=participation, reason=reason)
        return len(participations)
