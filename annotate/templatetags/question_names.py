"""The template filter `{{ question|name_in:study }}`, which names a question by the ID of its only item, as in the item
file, or by its own reference.
"""

from __future__ import annotations

from django import template

from annotate import tasktypes
from annotate.models import Question, Study

register = template.Library()


@register.filter
def name_in(question: Question, study: Study) -> str:
    """Return the ID of the question's item, or the question's reference if it has several items or none."""
    keys = tasktypes.get(study.task_type).item_keys(question.payload)
    return keys[0] if len(keys) == 1 else question.ref
