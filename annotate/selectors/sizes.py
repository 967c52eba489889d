"""How large the parts of a study are, from what imports and designs have written down: no part is counted."""

from __future__ import annotations

from django.db.models import Max, Sum

from annotate.models import Question, Study, Upload


def items_imported(study: Study, *, in_design: bool = False) -> int:
    """Imported items; with `in_design`, without those that are held out for gold and practice. One query."""
    sums = study.uploads.filter(purpose=Upload.Purpose.ITEMS, revealed_at__isnull=False).aggregate(
        rows=Sum("rows"), held_out=Sum("held_out")
    )
    return (sums["rows"] or 0) - ((sums["held_out"] or 0) if in_design else 0)


def questions_of(study: Study, kind: str) -> int:
    """Questions of one kind: a design says how many regular ones it made, the others are few."""
    if kind == Question.Kind.REGULAR:
        return int(study.design.result["questions"]) if study.design else 0
    return study.questions.filter(kind=kind).count()


def hits_of(study: Study) -> int:
    """HITs of the study, which are numbered from 1 without gaps. One query."""
    return study.hits.aggregate(last=Max("number"))["last"] or 0
