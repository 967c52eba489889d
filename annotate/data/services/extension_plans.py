"""The size of an extension, calculated before items are added. For small studies, the size is calculated immediately.
For large studies, and for task types that need seconds for a few items, a background job calculates the size.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings

from annotate import tasktypes
from annotate.core.permissions import Action, refuse_state
from annotate.core.selectors.sizes import items_imported
from annotate.data.selectors.extension import items_to_add, stored_plan
from annotate.models import Study
from annotate.server.refusals import Refused

from .extension import build_extension


def needs_job(study: Study) -> bool:
    """Return whether a background job must build the additional questions, because the study is large or the task type
    needs seconds for a few items.
    """
    slow = tasktypes.get(study.task_type).extends_slowly(study.options)
    return slow or items_imported(study, in_design=True) > settings.ROWS_AT_ONCE


def current_plan(study: Study) -> dict[str, Any] | None:
    """Return a report on the extended design, and the numbers of items, questions, HITs, slots and judgements to add.
    The result is None if a job must calculate the plan first.

    Raises `Refused` with the code `state` for a draft, `no-items`, or `cannot-build`.
    """
    refuse_state(study, Action.ADD_ITEMS)
    if not items_to_add(study):
        raise Refused("no-items", "All items are already in the design. Import the new items first.")
    if needs_job(study):
        plan = stored_plan(study)
        return dict(plan.result) if plan else None
    extension = build_extension(study)
    return extension.figures(study) | extension.design.report.as_json()
