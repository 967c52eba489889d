"""Items that were imported after a study was opened and are not in its design yet."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet, Sum

from annotate.models import Report, Study, Upload

PLAN = "extension"  # the kind of a report that plans an extension


def added_files(study: Study) -> QuerySet[Upload]:
    """Return the item files that were imported after the study was opened and are not in the design, oldest first."""
    files = study.uploads.imported().filter(purpose=Upload.Purpose.ITEMS)
    if study.opened_at is None or study.design is None:
        return files.none()
    in_design = study.design.parameters.get("added_files", [])
    return files.filter(revealed_at__gt=study.opened_at).exclude(public_id__in=in_design).order_by("pk")


def items_to_add(study: Study) -> int:
    """Return the number of items that can be added to the design, in one query."""
    sums = added_files(study).aggregate(rows=Sum("rows"), held_out=Sum("held_out"))
    return (sums["rows"] or 0) - (sums["held_out"] or 0)


def removable_files(study: Study) -> set[int]:
    """Return the primary keys of the imported item files that can be removed from the study."""
    files = study.uploads.imported() if study.is_draft else added_files(study)
    return set(files.values_list("pk", flat=True))


def file_ids(study: Study) -> list[str]:
    return list(added_files(study).values_list("public_id", flat=True))


def stored_plan(study: Study) -> Report | None:
    """Return the latest plan for adding exactly these files to the design, or None if there is none."""
    plan = study.reports.filter(kind=PLAN).order_by("-number").first()
    current = plan is not None and plan.parameters == plan_parameters(study)
    return plan if current else None


def plan_parameters(study: Study) -> dict[str, Any]:
    """Return the part of a study's state that affects plans."""
    design = study.design.number if study.design else 0
    return {"files": file_ids(study), "design": design, "judgements": study.judgements, "options": study.options}


def latest_extension(study: Study) -> dict[str, Any] | None:
    """Return the latest extension of the current design, with the numbers of items, questions, HITs and slots, and the
    first and last HIT.
    """
    extension: dict[str, Any] | None = study.design.result.get("extension") if study.design else None
    return extension
